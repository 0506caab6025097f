#pragma once

#include "passes/hair/hair.hpp"

#include <glm/vec3.hpp>

namespace tuff::passes {

enum class StrandShape : std::uint8_t { straight, wavy, helix };

/// Hair that grows on a part of a sphere. See `describe`.
struct GroomHair {
    static constexpr std::string_view kName = "hair/groom";

    std::uint32_t count = 4096;
    std::uint32_t vertices = 16;
    std::uint32_t seed = 1;
    glm::vec3 center{0.0f};
    float scalp = 0.1f;
    glm::vec3 axis{0.0f, 1.0f, 0.0f};
    float inner_angle = 0.0f;
    float outer_angle = 90.0f;
    float length = 0.25f;
    float length_spread = 0.1f;
    glm::vec3 fall{0.0f, -1.0f, 0.0f};
    float bend = 0.03f;
    float cover = 0.01f;
    StrandShape shape = StrandShape::straight;
    float amplitude = 0.006f;
    float pitch = 0.05f;
    float disorder = 0.1f;
    float clump = 0.0f;
    float clump_size = 0.15f;
    glm::vec3 tie{0.0f};
    float tie_radius = 0.0f;
    HairGroom groom;

    static void describe(PassInfo<GroomHair>& info);
    void build(Graph& graph);
};

/// Grooms as one, each a group of its own. See `describe`.
struct MergeHair {
    static constexpr std::string_view kName = "hair/merge";

    std::vector<HairGroom> grooms;
    HairGroom groom;

    static void describe(PassInfo<MergeHair>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::StrandShape> {
    static constexpr std::array<std::string_view, 3> names{"straight", "wavy", "helix"};
};
