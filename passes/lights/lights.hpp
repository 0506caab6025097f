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
inline constexpr float kFarthestLight = 1e6f; ///< lengths and coordinates of parameters

/// What a light sends, and where: shaders/lights/light.glsl.
struct LightShade {
    glm::vec3 color{1.0f};                  ///< linear, times candela
    float cos_inner = -1.0f;                ///< inside this cone a spot is at its full strength
    glm::vec3 direction{0.0f, -1.0f, 0.0f}; ///< where a spot shines, of length 1
    float cos_outer = -2.0f;                ///< outside it is dark; below -1: no cone

    static constexpr std::string_view kStructName = "LightShade";
    static constexpr auto members() {
        return std::array{TUFF_MEMBER(LightShade, color), TUFF_MEMBER(LightShade, cos_inner),
                          TUFF_MEMBER(LightShade, direction), TUFF_MEMBER(LightShade, cos_outer)};
    }
};

/// Point lights and spots of finite range. Culling reads places and ranges alone, so these have an
/// array of their own. A light without a finite place and colour, or whose range is not above 0,
/// shines nowhere; a range may be infinite.
struct Lights {
    static constexpr std::string_view kPortType = "Lights";

    Buffer spheres;          ///< a vec4 a light: place in the world, range
    Buffer shades;           ///< a `LightShade` each
    std::uint32_t count = 0; ///< the buffers have room for one where there are none
    /// Optional, of lights/tree: balls about each 32 and each 1024 lights that follow one another,
    /// a vec4 each, as lights are; a radius below 0 where none of them shines.
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

/// Checks what a pass is given. Reports primitives/too-short where a buffer holds fewer lights, or
/// pass/out-of-range where there are too many.
[[nodiscard]] bool is_valid(Graph& graph, const Lights& lights);

/// What culling finds; the words of `LightGrid::status`.
struct LightStatus {
    std::uint32_t bad = 0;        ///< lights that shine nowhere
    std::uint32_t overflowed = 0; ///< lists that lack lights, for want of room
    std::uint32_t most = 0;       ///< lights of a list, where there are lists

    static constexpr std::string_view kStructName = "LightStatus";
    static constexpr auto members() {
        return std::array{TUFF_MEMBER(LightStatus, bad), TUFF_MEMBER(LightStatus, overflowed),
                          TUFF_MEMBER(LightStatus, most)};
    }
    static LightStatus read(std::span<const std::uint32_t> words);
    Diagnostics warnings() const; ///< lights/bad-light, lights/full-lists
};

/// Which lights may reach what each tile of a picture shows. Tile (x, y) has number
/// y * tiles_x() + x, and one list, or two: of its near surfaces, whose depth is at most
/// `bounds[tile].y`, and of the others. Clusters have no bounds: what lies in one is lit by the
/// lights that the masks of its tile and of its slice of distance both have.
struct LightGrid {
    static constexpr std::string_view kPortType = "LightGrid";

    Buffer masks; ///< bit i & 31 of word (tile * lists_a_tile + list) * words + i / 32: light i
    /// Bit w & 31 of word (tile * lists_a_tile + list) * summary_words + w / 32: whether word w of
    /// a list is not 0. Where it is 0, of lights with a tree, `masks` may say anything.
    Buffer summaries;
    Buffer lists;  ///< optional: `room` numbers a list, in ascending order
    Buffer counts; ///< beside `lists`: lights of each, though it may have room for fewer
    /// Optional: a vec4 a tile: least depth, greatest of the near half, least of the far half (1:
    /// none), greatest; of tiles that show nothing (1, 0, 1, 0).
    Buffer bounds;
    Buffer bins;   ///< of clusters: bit i & 31 of word slice * words + i / 32: light i
    Buffer status; ///< a `LightStatus`
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::uint32_t side = 0; ///< of a tile, pixels
    std::uint32_t lists_a_tile = 1;
    std::uint32_t count = 0;         ///< lights
    std::uint32_t words = 0;         ///< of a list
    std::uint32_t summary_words = 0; ///< likewise
    std::uint32_t room = 0;          ///< of a list of numbers
    glm::vec4 bin_terms{0.0f};       ///< of clusters: shaders/lights/view.glsl

    std::uint32_t tiles_x() const { return div_round_up(width, side); }
    std::uint32_t tiles_y() const { return div_round_up(height, side); }
    std::uint32_t list_count() const { return tiles_x() * tiles_y() * lists_a_tile; }

    explicit operator bool() const { return bool(masks); }
    std::vector<PortMember> members() const;
};

} // namespace tuff::passes
