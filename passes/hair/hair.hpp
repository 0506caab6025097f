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
/// and 1 are in the scalp and follow the head. Lengths are world units.
namespace tuff::passes {

inline constexpr std::uint32_t kMaxStrandVertices = 64;
inline constexpr std::uint32_t kMaxStrands = 1u << 22;
inline constexpr std::uint32_t kMaxHairGroups = 8;
inline constexpr float kFarthestHair = 1e6f; ///< largest absolute value of lengths and coordinates
                                             ///< in parameters

/// Hair at rest: the head is at the origin and not rotated.
struct HairGroom {
    static constexpr std::string_view kPortType = "HairGroom";

    Buffer rest; ///< one vec4 a vertex: position, length of the edge to the next vertex (0 at the
                 ///< tip)
    /// One vec4 a vertex, interleaved: the edge to the vertex in the frame of the previous edge,
    /// and the length of the edge from it.
    Buffer local;
    Buffer goals;            ///< the same as `rest`, interleaved
    Buffer frames;           ///< one quaternion a strand: the frame of its first edge
    Buffer groups;           ///< one word a strand: its group; the highest bit: rigid
    std::uint32_t count = 0; ///< number of strands; if 0, buffers have one dummy element
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

/// Elements of an interleaved array: in blocks of 32 strands, vertex v of all strands comes before
/// vertex v + 1.
constexpr std::uint64_t woven_count(std::uint32_t count, std::uint32_t vertices) {
    return (std::uint64_t{count} + 31) / 32 * 32 * vertices;
}

/// The state of simulated hair: what a step reads and writes.
struct HairState {
    static constexpr std::string_view kPortType = "HairState";

    Buffer positions; ///< one vec4 a vertex: position, inverse mass (0: follows the head)
    Buffer previous;  ///< one vec4 a vertex: position one sub-step earlier
    Buffer turns;     ///< optional, rods only: one quaternion an edge, its material frame

    explicit operator bool() const { return positions && previous; }
    std::vector<PortMember> members() const {
        std::vector<PortMember> all{{"positions", positions, BufferElements::of<glm::vec4>()},
                                    {"previous", previous, BufferElements::of<glm::vec4>()}};
        if (turns) all.push_back({"turns", turns, BufferElements::of<glm::vec4>()});
        return all;
    }
};

/// Hair to be drawn.
struct HairShape {
    static constexpr std::string_view kPortType = "HairShape";

    Buffer positions; ///< one vec4 a vertex: position
    Buffer tangents;  ///< one vec4 a vertex: direction to the next vertex
    Buffer groups;    ///< one word a strand: its group
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

/// How each strand's root has moved if the head is not rigid; from `hair/skin`.
struct HairRoots {
    static constexpr std::string_view kPortType = "HairRoots";

    Buffer places; ///< two vec4 a strand: quaternion, translation; applied before the head's motion
    std::uint32_t count = 0;

    explicit operator bool() const { return bool(places); }
    std::vector<PortMember> members() const {
        return {{"places", places, BufferElements::of<glm::vec4>()}};
    }
};

/// What the preparation of a groom reports.
struct GroomStatus {
    std::uint32_t bad = 0; ///< strands that are not finite or have edges of length 0

    static constexpr std::string_view kStructName = "GroomStatus";
    static constexpr auto members() { return std::array{TUFF_MEMBER(GroomStatus, bad)}; }
    static GroomStatus read(std::span<const std::uint32_t> words);
    Diagnostics warnings() const; ///< hair/bad-strand
};

/// What steps count.
struct HairStatus {
    std::uint32_t resets = 0; ///< times that strands became infinite or NaN and began again at rest
    std::uint32_t adhoc = 0;  ///< steps in which edges were corrected from root to tip
    std::uint32_t bad_distances =
        0; ///< times that a vertex met a field's distances that are not finite

    static constexpr std::string_view kStructName = "HairStatus";
    static constexpr auto members() {
        return std::array{TUFF_MEMBER(HairStatus, resets), TUFF_MEMBER(HairStatus, adhoc),
                          TUFF_MEMBER(HairStatus, bad_distances)};
    }
    static HairStatus read(std::span<const std::uint32_t> words);
    Diagnostics warnings() const; ///< hair/reset-strands, hair/bad-distances
};

/// Checks a pass's inputs: reports primitives/too-short or pass/out-of-range.
[[nodiscard]] bool is_valid(Graph& graph, const HairGroom& groom);
[[nodiscard]] bool is_valid(Graph& graph, const HairState& state, const HairGroom& groom);
[[nodiscard]] bool is_valid(Graph& graph, const HairShape& shape);
[[nodiscard]] bool is_valid(Graph& graph, const HairRoots& roots, const HairGroom& groom);
/// Reports hair/too-large if there are more strands than kernels can count.
[[nodiscard]] bool has_room(Graph& graph, std::uint64_t strands, std::uint64_t vertices);

/// Reports hair/few-numbers if a list that has a number for each group is empty or too long.
[[nodiscard]] bool has_numbers(Graph& graph, std::string_view name,
                               const std::vector<float>& numbers);
/// The number of a group; groups beyond the list have the last one.
float number_of(const std::vector<float>& numbers, std::uint32_t group);

/// A transient array of vec4 with at least one element.
Buffer vectors(Graph& graph, std::string_view name, std::uint64_t count);

/// A groom of raw points (one vec4 each) and the group of each strand. Reports its status.
HairGroom prepared(Graph& graph, Buffer points, Buffer groups, std::uint32_t count,
                   std::uint32_t vertices, std::uint32_t group_count);

} // namespace tuff::passes
