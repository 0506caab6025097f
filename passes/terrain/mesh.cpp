#include "passes/terrain/mesh.hpp"

#include "passes/common/warning.hpp"
#include "passes/primitives/elements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cassert>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxMeshLeaves = 1u << 22;
constexpr std::uint32_t kPatchSnap = 0; // numbers of shaders/terrain/patch.glsl
constexpr std::uint32_t kPatchPlain = 3;

struct MeshSize {
    std::uint64_t vertices = 0; ///< a leaf
    std::uint64_t triangles = 0;
};

MeshSize size_of_leaf(const TerrainMesh& pass) {
    if (pass.bisection) return {std::uint64_t{3} << pass.cuts, std::uint64_t{1} << pass.cuts};
    const std::uint64_t row = pass.patch + 1;
    return {row * row, 2 * std::uint64_t{pass.patch} * pass.patch};
}

ComputeNodeBuilder patches(Graph& graph, const TerrainMesh& pass) {
    ComputeNodeBuilder node =
        graph.compute("terrain/mesh_patches",
                      {{"KEY_WORDS", static_cast<int>(pass.tree.key_words())}}, "patches");
    node.specialize("patch_side", pass.patch);
    node.specialize("stitching", pass.stitched ? kPatchSnap : kPatchPlain);
    node.read("keys", pass.tree.keys);
    node.read("edges", pass.tree.edges);
    node.read("leaves", pass.tree.status);
    return node;
}

ComputeNodeBuilder bisected(Graph& graph, const TerrainMesh& pass) {
    ComputeNodeBuilder node =
        graph.compute("terrain/mesh_bisection",
                      {{"NODE_WORDS", static_cast<int>(pass.bisection.key_words)}}, "triangles");
    node.set("root_bits", pass.bisection.root_bits);
    node.set("cuts", pass.cuts);
    node.read("keys", pass.bisection.keys);
    node.read("leaves", pass.bisection.status);
    return node;
}

} // namespace

TerrainMeshStatus TerrainMeshStatus::read(std::span<const std::uint32_t> words) {
    assert(words.size() >= kWords);
    return {.drawn = words[0], .leaves = words[1]};
}

Diagnostics TerrainMeshStatus::warnings() const {
    if (leaves <= drawn) return {};
    return {warning("terrain/full-mesh",
                    fmt::format("there are {} leaves, but only {} have triangles: the rest is "
                                "missing",
                                leaves, drawn),
                    fmt::format("set \"capacity\" to {}", leaves))};
}

void TerrainMesh::describe(PassInfo<TerrainMesh>& info) {
    info.summary("Makes a mesh of the leaves of a quadtree or of a bisection")
        .details("Use it for passes that take meshes: the compute rasterizer, hierarchies, "
                 "voxels. A leaf of a quadtree becomes a grid of patch x patch cells. Vertices "
                 "at the edge of a coarser leaf, of any level, move to vertices of that leaf. "
                 "Equal positions are equal to the bit, so there are no cracks. A leaf of a "
                 "bisection becomes 2^cuts triangles. Front faces are counter-clockwise, seen "
                 "from above or from outside.\n\n"
                 "The mesh has a capacity of \"capacity\" leaves. If there are fewer leaves, "
                 "triangles without area follow; if there are more, the rest is missing, and a "
                 "warning reports it.\n\n"
                 "Errors: terrain/one-tree, terrain/bad-patch, primitives/too-long.")
        .source("Dupuy, Iehl and Poulin, \"Quadtrees on the GPU\", GPU Pro 5, 2014")
        .complexity("O(capacity * vertices of a leaf)")
        .cost([](const TerrainMesh& pass, const Graph&) {
            const MeshSize leaf = size_of_leaf(pass);
            const auto leaves = static_cast<double>(pass.capacity);
            return Cost{.bytes = leaves * (44.0 * static_cast<double>(leaf.vertices) +
                                           12.0 * static_cast<double>(leaf.triangles)),
                        .operations = 300.0 * leaves * static_cast<double>(leaf.vertices)};
        });
    info.input("surface", &TerrainMesh::surface, "the surface that the leaves divide");
    info.optional_input("tree", &TerrainMesh::tree, "a quadtree, or its visible leaves");
    info.optional_input("bisection", &TerrainMesh::bisection,
                        "instead of \"tree\": a bisection, or its visible leaves");
    info.parameter("capacity", &TerrainMesh::capacity, "capacity, in leaves")
        .range(1, kMaxMeshLeaves)
        .structural();
    info.parameter("patch", &TerrainMesh::patch,
                   "quadtrees: cells along a side of a leaf, a power of two")
        .range(1, 32)
        .structural();
    info.parameter("cuts", &TerrainMesh::cuts,
                   "bisections: how often leaves are split further; must be even, so that "
                   "edges match")
        .range(0, 10)
        .structural();
    info.parameter("stitched", &TerrainMesh::stitched,
                   "quadtrees: whether edges of different levels are joined")
        .structural();
    info.parameter("normals", &TerrainMesh::normals,
                   "whether vertices have normals; else these are 0");
    info.output("mesh", &TerrainMesh::mesh, "the triangles");
    info.output("vertices", &TerrainMesh::vertices,
                "data of each vertex: normal and height; u, v, level, index of the square")
        .elements<TerrainVertex>();
    info.output("status", &TerrainMesh::status, "leaves drawn, and leaves in total")
        .elements<std::uint32_t>();
}

void TerrainMesh::build(Graph& graph) {
    if (bool(tree) == bool(bisection)) {
        graph.error("terrain/one-tree",
                    tree ? "both \"tree\" and \"bisection\" are connected"
                         : "neither \"tree\" nor \"bisection\" is connected",
                    "connect either \"tree\" or \"bisection\"");
        return;
    }
    if (!std::has_single_bit(patch) || cuts % 2 != 0) {
        graph.error("terrain/bad-patch",
                    fmt::format("\"patch\" is {} and \"cuts\" is {}", patch, cuts),
                    "set \"patch\" to a power of two, and \"cuts\" to an even number");
        return;
    }
    const MeshSize leaf = size_of_leaf(*this);
    const std::uint64_t vertex_count = capacity * leaf.vertices;
    const std::uint64_t bytes =
        std::max(vertex_count * sizeof(TerrainVertex), capacity * leaf.triangles * 12);
    if (bytes > graph.target().max_storage_buffer_bytes) {
        graph.error("primitives/too-long",
                    fmt::format("the triangles of {} leaves take {} bytes", capacity, bytes),
                    fmt::format("decrease \"capacity\": buffers of the device hold {} bytes",
                                graph.target().max_storage_buffer_bytes));
        return;
    }
    mesh.vertex_count = static_cast<std::uint32_t>(vertex_count);
    mesh.triangle_count = static_cast<std::uint32_t>(capacity * leaf.triangles);
    ComputeNodeBuilder node = tree ? patches(graph, *this) : bisected(graph, *this);
    set_surface(node, surface);
    node.set("room", capacity);
    node.set("smoothed", normals ? 1u : 0u);
    node.match<TerrainVertex>("vertices");
    mesh.positions = node.write("positions", array(graph, "positions", 3 * vertex_count));
    mesh.indices =
        node.write("indices", array(graph, "indices", 3 * std::uint64_t{mesh.triangle_count}));
    vertices = node.write("vertices",
                          graph.buffer("vertices", {.size = vertex_count * sizeof(TerrainVertex),
                                                    .stride = sizeof(TerrainVertex)}));
    status = node.write("status", array(graph, "status", TerrainMeshStatus::kWords));
    // A bisection's invocations take a triangle each.
    node.dispatch_each(tree ? std::max(mesh.vertex_count, mesh.triangle_count)
                            : mesh.triangle_count);
    graph.status<TerrainMeshStatus>(status);
}

TUFF_PASS(TerrainMesh)

} // namespace tuff::passes
