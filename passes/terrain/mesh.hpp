#pragma once

#include "passes/geometry/triangle_mesh.hpp"
#include "passes/terrain/bisection.hpp"
#include "passes/terrain/surface.hpp"
#include "passes/terrain/tree.hpp"

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>
#include <tuff/shared_struct.hpp>

#include <glm/vec4.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace tuff::passes {

/// The data of a vertex, in addition to its position: shaders/terrain/vertex.glsl.
struct TerrainVertex {
    /// Normal, upwards or outwards; height: y for grounds; for planets that of the ground, negative
    /// below the sea; else 0.
    glm::vec4 normal{0.0f};
    glm::vec4 place{0.0f}; ///< u, v; level of the leaf; index of its square

    static constexpr std::string_view kStructName = "TerrainVertex";
    static constexpr auto members() {
        return std::array{TUFF_MEMBER(TerrainVertex, normal), TUFF_MEMBER(TerrainVertex, place)};
    }
};

/// The words of a mesh's status.
struct TerrainMeshStatus {
    std::uint32_t drawn = 0;  ///< leaves
    std::uint32_t leaves = 0; ///< leaves in total

    static constexpr std::uint32_t kWords = 2;
    static TerrainMeshStatus read(std::span<const std::uint32_t> words);
    Diagnostics warnings() const; ///< terrain/full-mesh
};

/// Makes triangles of leaves. See `describe`.
struct TerrainMesh {
    static constexpr std::string_view kName = "terrain/mesh";

    Surface surface;
    QuadTree tree;
    BisectionTree bisection;
    std::uint32_t capacity = 4096;
    std::uint32_t patch = 8;
    std::uint32_t cuts = 0;
    bool stitched = true;
    bool normals = true;
    TriangleMesh mesh;
    Buffer vertices;
    Buffer status;

    static void describe(PassInfo<TerrainMesh>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
