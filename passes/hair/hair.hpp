#pragma once

#include "passes/primitives/elements.hpp"

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>
#include <tuff/shared_struct.hpp>

#include <glm/vec4.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

/// What the passes for hair share. A strand is a polyline; all strands of a groom have the same
/// number of vertices. Vertex v of strand s is element s * vertices + v of every array. Vertices 0
/// and 1 are in the scalp and follow the head; lengths are world units.
namespace tuff::passes {

inline constexpr std::uint32_t kMaxStrandVertices = 64;
inline constexpr std::uint32_t kMaxStrands = 1u << 22;
inline constexpr std::uint32_t kMaxHairGroups = 8;
inline constexpr float kFarthestHair = 1e6f; ///< lengths and coordinates of parameters

/// Hair at rest, where the head is at the origin and not turned.
struct HairGroom {
    static constexpr std::string_view kPortType = "HairGroom";

    Buffer rest; ///< a vec4 a vertex: place, length of the edge to the next vertex (0: the last)
    /// A vec4 a vertex, woven: the edge to it in the frame of the edge before, and the length of
    /// the edge from it.
    Buffer local;
    Buffer goals;            ///< the same as `rest`, woven
    Buffer frames;           ///< a quaternion a strand: the frame of its first edge
    Buffer groups;           ///< a word a strand: its group; the highest bit: rigid
    std::uint32_t count = 0; ///< strands; buffers have room for one where there are none
    std::uint32_t vertices = 0;
    std::uint32_t group_count = 1;

    explicit operator bool() const { return rest && local && goals && frames && groups; }
    std::uint64_t vertex_count() const { return std::uint64_t{count} * vertices; }
    std::vector<PortMember> members() const {
        return {{"rest", rest, BufferElements::of<glm::vec4>()},
                {"local", local, BufferElements::of<glm::vec4>()},
                {"goals", goals, BufferElements::of<glm::vec4>()},
                {"frames", frames, BufferElements::of<glm::vec4>()},
                {"groups", groups, BufferElements::of<std::uint32_t>()}};
    }
};

/// Elements of a woven array: 32 strands at a time, of which vertex v of all comes before vertex
/// v + 1 of any.
constexpr std::uint64_t woven_count(std::uint32_t count, std::uint32_t vertices) {
    return (std::uint64_t{count} + 31) / 32 * 32 * vertices;
}

/// Hair that moves: what a step of the simulation begins and ends with.
struct HairState {
    static constexpr std::string_view kPortType = "HairState";

    Buffer positions; ///< a vec4 a vertex: place, inverse mass (0: follows the head)
    Buffer previous;  ///< a vec4 a vertex: place a sub-step earlier
    Buffer turns;     ///< optional, of rods: a quaternion an edge, its material frame

    explicit operator bool() const { return positions && previous; }
    std::vector<PortMember> members() const {
        std::vector<PortMember> all{{"positions", positions, BufferElements::of<glm::vec4>()},
                                    {"previous", previous, BufferElements::of<glm::vec4>()}};
        if (turns) all.push_back({"turns", turns, BufferElements::of<glm::vec4>()});
        return all;
    }
};

/// Hair as it is drawn.
struct HairShape {
    static constexpr std::string_view kPortType = "HairShape";

    Buffer positions; ///< a vec4 a vertex: place
    Buffer tangents;  ///< a vec4 a vertex: direction to the next one
    Buffer groups;    ///< a word a strand
    std::uint32_t count = 0;
    std::uint32_t vertices = 0;

    explicit operator bool() const { return positions && tangents && groups; }
    std::uint64_t vertex_count() const { return std::uint64_t{count} * vertices; }
    std::vector<PortMember> members() const {
        return {{"positions", positions, BufferElements::of<glm::vec4>()},
                {"tangents", tangents, BufferElements::of<glm::vec4>()},
                {"groups", groups, BufferElements::of<std::uint32_t>()}};
    }
};

/// How each strand's root has moved, where the head is no rigid body: `hair/skin` makes it.
struct HairRoots {
    static constexpr std::string_view kPortType = "HairRoots";

    Buffer places; ///< two vec4s a strand: quaternion, shift; they come before the head's own
    std::uint32_t count = 0;

    explicit operator bool() const { return bool(places); }
    std::vector<PortMember> members() const {
        return {{"places", places, BufferElements::of<glm::vec4>()}};
    }
};

/// What a groom's preparation finds.
struct GroomStatus {
    std::uint32_t bad = 0; ///< strands that are not finite or have edges without length

    static constexpr std::string_view kStructName = "GroomStatus";
    static constexpr auto members() { return std::array{TUFF_MEMBER(GroomStatus, bad)}; }
    static GroomStatus read(std::span<const std::uint32_t> words);
    Diagnostics warnings() const; ///< hair/bad-strand
};

/// What steps count.
struct HairStatus {
    std::uint32_t resets = 0; ///< strands that were not finite and began again at rest
    std::uint32_t adhoc = 0;  ///< steps in which edges were corrected from root to tip
    std::uint32_t not_used = 0;

    static constexpr std::string_view kStructName = "HairStatus";
    static constexpr auto members() {
        return std::array{TUFF_MEMBER(HairStatus, resets), TUFF_MEMBER(HairStatus, adhoc),
                          TUFF_MEMBER(HairStatus, not_used)};
    }
    static HairStatus read(std::span<const std::uint32_t> words);
    Diagnostics warnings() const; ///< hair/reset-strands
};

/// Checks what a pass is given: reports primitives/too-short or pass/out-of-range.
[[nodiscard]] bool is_valid(Graph& graph, const HairGroom& groom);
[[nodiscard]] bool is_valid(Graph& graph, const HairState& state, const HairGroom& groom);
[[nodiscard]] bool is_valid(Graph& graph, const HairShape& shape);
[[nodiscard]] bool is_valid(Graph& graph, const HairRoots& roots, const HairGroom& groom);
/// Reports hair/too-large where so many strands are more than kernels count.
[[nodiscard]] bool has_room(Graph& graph, std::uint64_t strands, std::uint64_t vertices);

/// A transient array of vec4s, or room for one.
Buffer vectors(Graph& graph, std::string_view name, std::uint64_t count);

/// A groom of raw points (a vec4 each) and the group of each strand, with its status reported.
HairGroom prepared(Graph& graph, Buffer points, Buffer groups, std::uint32_t count,
                   std::uint32_t vertices, std::uint32_t group_count);

} // namespace tuff::passes
