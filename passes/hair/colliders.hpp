#pragma once

#include "passes/bodies/bodies.hpp"
#include "passes/hair/clock.hpp"
#include "passes/hair/hair.hpp"

#include <glm/vec3.hpp>

#include <vector>

namespace tuff::passes {

inline constexpr std::uint32_t kMaxHairCapsules = 16;
inline constexpr std::uint32_t kMaxHairSolids = 16;

/// What hair collides with.
struct HairColliders {
    static constexpr std::string_view kPortType = "HairColliders";

    Buffer capsules; ///< two vec4 a capsule: for either end its position and radius; one dummy
                     ///< element if there are none
    std::uint32_t count = 0;
    bool attached = true; ///< whether capsules move with the head
    Image field;          ///< optional: a volume of distances to a surface, negative inside
    glm::vec3 low{0.0f};  ///< the box that the volume fills
    glm::vec3 high{1.0f};
    float scale = 1.0f;          ///< world units in one unit of distance
    HeadParameters field_place;  ///< of the box
    bool field_attached = false; ///< whether the field moves with the head
    Bodies solids;               ///< optional: rigid bodies

    explicit operator bool() const { return bool(capsules); }
    std::vector<PortMember> members() const {
        std::vector<PortMember> all{{"capsules", capsules, BufferElements::of<glm::vec4>()}};
        if (field) all.push_back({"field", field});
        if (solids)
            for (const PortMember& member : solids.members())
                all.push_back(member);
        return all;
    }
};

/// Makes colliders of capsules, spheres, a distance field and rigid bodies. See `describe`.
struct CollideHair {
    static constexpr std::string_view kName = "hair/colliders";

    Image field;
    Buffer moving; ///< optional: capsules that the device computes
    Bodies bodies; ///< optional
    std::vector<float> capsules;
    bool attached = true;
    glm::vec3 low{-1.0f};
    glm::vec3 high{1.0f};
    float scale = 1.0f;
    glm::vec3 field_position{0.0f};
    glm::vec3 field_turn{0.0f};
    bool field_attached = false;
    HairColliders colliders;

    static void describe(PassInfo<CollideHair>& info);
    void build(Graph& graph);
};

/// Binds the resources and sets the parameters of shaders/hair/colliders.glsl. Without colliders
/// hair collides with nothing.
void bind_colliders(Graph& graph, ComputeNodeBuilder& node, const HairColliders& colliders);

} // namespace tuff::passes
