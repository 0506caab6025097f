#pragma once

#include "passes/bvh/bvh.hpp"

#include <tuff/graph.hpp>
#include <tuff/node_desc.hpp>
#include <tuff/pass.hpp>

#include <glm/vec3.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace tuff::passes {

/// A quad whose points a map displaces: corners in order around it, each with a normal (of any
/// length) and texture coordinates. `PatchRecord` of shaders/displacement/patch.glsl.
struct PatchRecord {
    glm::vec3 a{0.0f};
    float u_a = 0.0f;
    glm::vec3 b{0.0f};
    float u_b = 0.0f;
    glm::vec3 c{0.0f};
    float u_c = 0.0f;
    glm::vec3 d{0.0f};
    float u_d = 0.0f;
    glm::vec3 normal_a{0.0f};
    float v_a = 0.0f;
    glm::vec3 normal_b{0.0f};
    float v_b = 0.0f;
    glm::vec3 normal_c{0.0f};
    float v_c = 0.0f;
    glm::vec3 normal_d{0.0f};
    float v_d = 0.0f;

    static constexpr std::string_view kStructName = "PatchRecord";
    static constexpr auto members() {
        using P = PatchRecord;
        return std::array{
            TUFF_MEMBER(P, a),        TUFF_MEMBER(P, u_a),      TUFF_MEMBER(P, b),
            TUFF_MEMBER(P, u_b),      TUFF_MEMBER(P, c),        TUFF_MEMBER(P, u_c),
            TUFF_MEMBER(P, d),        TUFF_MEMBER(P, u_d),      TUFF_MEMBER(P, normal_a),
            TUFF_MEMBER(P, v_a),      TUFF_MEMBER(P, normal_b), TUFF_MEMBER(P, v_b),
            TUFF_MEMBER(P, normal_c), TUFF_MEMBER(P, v_c),      TUFF_MEMBER(P, normal_d),
            TUFF_MEMBER(P, v_d)};
    }
};
static_assert(sizeof(PatchRecord) == 128);

/// The meaning of a map's texels.
enum class DisplacementKind : std::uint8_t {
    vector, ///< the first three channels: the displacement, in world units
    scalar, ///< the first channel: the displacement along the normal
};

/// How the box of a patch is computed.
enum class PatchBounds : std::uint8_t {
    exact, ///< from all points of the finest level
    loose, ///< the quad's box, enlarged by the largest displacement of the whole map
};

/// Bits of a side of a box in a patch's tree.
enum class NodeBits : std::uint8_t { bits16, bits8 };

/// Texels of a map that displace nothing.
struct MapStatus {
    std::uint32_t not_finite = 0; ///< texels

    static MapStatus read(std::span<const std::uint32_t> words);
    Diagnostics warnings() const; ///< displacement/not-finite
};

/// Patches with their map, prepared for rays: the output of displacement/surface.
struct DisplacedSurface {
    static constexpr std::string_view kPortType = "DisplacedSurface";

    Buffer patches;
    Buffer texels; ///< the map, a vec4 a texel; zeros for texels that are not finite
    Buffer bounds; ///< minimum and maximum displacement between four texels, and so on:
                   ///< shaders/displacement/patch.glsl
    Extent map_size;
    Buffer boxes;                ///< two vec4 a patch: low and high corner
    Bvh bvh;                     ///< over the boxes
    Bvh placed;                  ///< over instances of all patches, if there are any
    Buffer trees;                ///< trees of all patches at the finest level, if they are kept
    std::uint32_t count = 0;     ///< patches
    std::uint32_t instances = 0; ///< 0: patches are not instanced
    std::uint32_t level = 0;     ///< the finest level: 2^level cells a side
    float scale = 1.0f;
    DisplacementKind kind = DisplacementKind::vector;
    NodeBits bits = NodeBits::bits16;      ///< bits of kept trees
    AddressMode wrap = AddressMode::clamp; ///< the map outside of 0 to 1

    /// Number of things that rays can hit: a patch of an instance has the index patch + instance *
    /// count.
    std::uint32_t numbers() const { return count * (instances > 0 ? instances : 1); }
    explicit operator bool() const { return patches && texels && boxes && bvh; }
    std::vector<PortMember> members() const {
        return {{"patches", patches, BufferElements::of<PatchRecord>()},
                {"texels", texels, BufferElements::of<glm::vec4>()},
                {"bounds", bounds, BufferElements::of<glm::uvec4>()},
                {"boxes", boxes, BufferElements::of<glm::vec4>()}};
    }
    /// Binds the resources that displacement/patch.glsl declares.
    void bind(ComputeNodeBuilder& node) const;
    /// Binds the resources and sets the parameters of displacement/levels.glsl.
    void bind_places(ComputeNodeBuilder& node) const;
};

/// Number of words of a patch's quad tree.
std::uint32_t tree_words(std::uint32_t level, NodeBits bits);

/// Prepares patches and a map for rays. See `describe`.
struct DisplaceSurface {
    static constexpr std::string_view kName = "displacement/surface";
    static constexpr std::uint32_t kFinest = 7; ///< largest level whose nodes fit into 16-bit
                                                ///< indices

    Buffer patches;
    Image map;
    Buffer instances; ///< optional
    float scale = 1.0f;
    std::uint32_t level = 5;
    DisplacementKind kind = DisplacementKind::vector;
    PatchBounds bounds = PatchBounds::exact;
    std::uint32_t trees = 0;
    NodeBits bits = NodeBits::bits16;
    AddressMode wrap = AddressMode::clamp; ///< as that of a scene's texture

    DisplacedSurface surface;

    static void describe(PassInfo<DisplaceSurface>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::DisplacementKind> {
    static constexpr std::array<std::string_view, 2> names{"vector", "scalar"};
};
template <>
struct tuff::ChoiceNames<tuff::AddressMode> {
    static constexpr std::array<std::string_view, 3> names{"clamp", "repeat", "mirror"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::NodeBits> {
    static constexpr std::array<std::string_view, 2> names{"16", "8"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::PatchBounds> {
    static constexpr std::array<std::string_view, 2> names{"exact", "loose"};
};
