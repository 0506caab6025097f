#pragma once

#include "passes/common/div_round_up.hpp"

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>
#include <tuff/shared_struct.hpp>

#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

/// What the passes for many small lights share.
namespace tuff::passes {

inline constexpr std::uint32_t kMaxPlacedLights = 1u << 17;
inline constexpr float kFarthestLight = 1e6f; ///< largest absolute value of lengths and coordinates
                                              ///< in parameters

/// The light that a light emits, and its cone: shaders/lights/light.glsl.
struct LightShade {
    glm::vec3 color{1.0f};                  ///< linear, in candela
    float cos_inner = -1.0f;                ///< inside this cone a spot has its full intensity
    glm::vec3 direction{0.0f, -1.0f, 0.0f}; ///< direction of a spot, of length 1
    float cos_outer = -2.0f;                ///< outside of this cone a spot is dark; below -1: no
                                            ///< cone

    static constexpr std::string_view kStructName = "LightShade";
    static constexpr auto members() {
        return std::array{TUFF_MEMBER(LightShade, color), TUFF_MEMBER(LightShade, cos_inner),
                          TUFF_MEMBER(LightShade, direction), TUFF_MEMBER(LightShade, cos_outer)};
    }
};

/// Point lights and spots of finite range. Culling reads only positions and ranges, so these have
/// an array of their own. A light whose position or color is not finite, or whose range is not
/// positive, emits nothing; a range may be infinite.
struct Lights {
    static constexpr std::string_view kPortType = "Lights";

    Buffer spheres;          ///< one vec4 a light: position in the world, range
    Buffer shades;           ///< one `LightShade` a light
    std::uint32_t count = 0; ///< if 0, the buffers have one dummy element
    /// Optional, from lights/tree: bounding spheres of each 32 and each 1024 consecutive lights,
    /// one vec4 each, as for lights; the radius is negative if none of these lights emits anything.
    Buffer nodes;
    Buffer tops;

    std::uint32_t node_count() const { return div_round_up(count, 32u); }
    std::uint32_t top_count() const { return div_round_up(count, 1024u); }
    explicit operator bool() const { return spheres && shades; }
    std::vector<PortMember> members() const {
        std::vector<PortMember> all{{"spheres", spheres, BufferElements::of<glm::vec4>()},
                                    {"shades", shades, BufferElements::of<LightShade>()}};
        if (nodes) all.push_back({"nodes", nodes, BufferElements::of<glm::vec4>()});
        if (tops) all.push_back({"tops", tops, BufferElements::of<glm::vec4>()});
        return all;
    }
};

/// Checks a pass's inputs. Reports primitives/too-short if a buffer has fewer lights, or
/// pass/out-of-range if there are too many.
[[nodiscard]] bool is_valid(Graph& graph, const Lights& lights);

/// What culling reports; the words of `LightGrid::status`.
struct LightStatus {
    std::uint32_t bad = 0;        ///< lights that emit nothing
    std::uint32_t overflowed = 0; ///< lists whose lights did not fit
    std::uint32_t most = 0;       ///< largest number of lights in a list, if there are lists

    static constexpr std::string_view kStructName = "LightStatus";
    static constexpr auto members() {
        return std::array{TUFF_MEMBER(LightStatus, bad), TUFF_MEMBER(LightStatus, overflowed),
                          TUFF_MEMBER(LightStatus, most)};
    }
    static LightStatus read(std::span<const std::uint32_t> words);
    Diagnostics warnings() const; ///< lights/bad-light, lights/full-lists
};

/// The lights that may reach what each tile of a picture shows. Tile (x, y) has index y * tiles_x()
/// + x. It has one list, or two: for its near surfaces, whose depth is at most `bounds[tile].y`,
/// and for the others. Clusters have no bounds: the lights of a cluster are those in both masks, of
/// its tile and of its slice of distance.
struct LightGrid {
    static constexpr std::string_view kPortType = "LightGrid";

    Buffer masks; ///< bit i & 31 of word (tile * lists_a_tile + list) * words + i / 32: light i
    /// Bit w & 31 of word (tile * lists_a_tile + list) * summary_words + w / 32: whether word w of
    /// a list is not 0. If it is 0 and the lights have a tree, the word in `masks` is undefined.
    Buffer summaries;
    Buffer lists;  ///< optional: `room` indices a list, in ascending order
    Buffer counts; ///< with `lists`: number of lights of each, which may exceed its capacity
    /// Optional: one vec4 a tile: minimum depth, maximum of the near half, minimum of the far half
    /// (1: none), maximum; for tiles that show nothing (1, 0, 1, 0).
    Buffer bounds;
    Buffer bins;   ///< clusters: bit i & 31 of word slice * words + i / 32: light i
    Buffer status; ///< a `LightStatus`
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::uint32_t side = 0; ///< side of a tile, pixels
    std::uint32_t lists_a_tile = 1;
    std::uint32_t count = 0;         ///< lights
    std::uint32_t words = 0;         ///< words of a list
    std::uint32_t summary_words = 0; ///< the same
    std::uint32_t room = 0;          ///< capacity of a list of indices
    glm::vec4 bin_terms{0.0f};       ///< clusters: shaders/lights/view.glsl

    std::uint32_t tiles_x() const { return div_round_up(width, side); }
    std::uint32_t tiles_y() const { return div_round_up(height, side); }
    std::uint32_t list_count() const { return tiles_x() * tiles_y() * lists_a_tile; }

    explicit operator bool() const { return bool(masks); }
    std::vector<PortMember> members() const;
};

} // namespace tuff::passes
