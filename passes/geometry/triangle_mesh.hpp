#pragma once

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

namespace tuff::passes {

/// Triangles in one coordinate system, for passes that work on triangles whatever they look like:
/// hierarchies, voxels, distances. `geometry/triangles` makes one of a scene. Triangles keep their
/// order: a triangle's number means the same to everything that reads the mesh.
struct TriangleMesh {
    static constexpr std::string_view kPortType = "TriangleMesh";

    Buffer positions;               ///< three floats a vertex, tightly packed
    Buffer indices;                 ///< three u32 a triangle, each below `vertex_count`
    Buffer draws;                   ///< u32 a triangle: the scene's draw that it comes from;
                                    ///< not connected where there is no scene
    std::uint32_t vertex_count = 0; ///< the buffers have room for one where there are none
    std::uint32_t triangle_count = 0;

    explicit operator bool() const { return positions && indices; }
    std::vector<PortMember> members() const {
        std::vector<PortMember> all{{"positions", positions, BufferElements::of<float>()},
                                    {"indices", indices, BufferElements::of<std::uint32_t>()}};
        if (draws) all.push_back({"draws", draws, BufferElements::of<std::uint32_t>()});
        return all;
    }
};

/// Most triangles of a mesh that a hierarchy is built over: their nodes are addressed in bytes.
inline constexpr std::uint32_t kMaxMeshTriangles = (1u << 26) - 1;

/// Checks a mesh: reports primitives/too-short where a buffer holds fewer
/// vertices or triangles than there are, or bvh/too-many-triangles.
[[nodiscard]] bool is_valid(Graph& graph, const TriangleMesh& mesh);

} // namespace tuff::passes
