#include "passes/bvh/instances.hpp"

#include "passes/bvh/lbvh_build.hpp"
#include "passes/primitives/elements.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kInstanceWords = sizeof(MeshInstance) / sizeof(std::uint32_t);
constexpr std::uint64_t kPartWords = 12; // as in bvh/parts.glsl

std::uint64_t node_words(BvhLayout layout) {
    return layout == BvhLayout::wide ? 24 : 16;
}

/// Slots for nodes, and for leaves, of a hierarchy.
std::uint32_t slots_of(const Bvh& bvh) {
    return std::max(bvh.mesh.triangle_count, 1u);
}

bool are_valid(Graph& graph, const std::vector<Bvh>& meshes) {
    std::uint64_t triangles = 0;
    for (const Bvh& bvh : meshes) {
        if (!is_valid(graph, bvh, Traversal::automatic)) return false;
        if (bvh.instances || (bvh.layout != BvhLayout::binary && bvh.layout != BvhLayout::wide) ||
            bvh.layout != meshes.front().layout) {
            graph.error("bvh/wrong-layout",
                        "the hierarchies of instanced meshes must all have binary nodes, or all "
                        "have wide nodes");
            return false;
        }
        triangles += slots_of(bvh);
    }
    if (triangles <= kMaxMeshTriangles) return true;
    graph.error("bvh/too-many-triangles",
                fmt::format("the meshes have {} triangles together, more than {}", triangles,
                            kMaxMeshTriangles));
    return false;
}

/// The hierarchies of all meshes in the same buffers, and a table of them.
struct Joined {
    Buffer nodes;
    Buffer leaves;
    Buffer parts;
};

Joined join(Graph& graph, const std::vector<Bvh>& meshes) {
    const bool alone = meshes.size() == 1;
    const BvhLayout layout = meshes.front().layout;
    std::uint64_t slots = 0;
    for (const Bvh& bvh : meshes)
        slots += slots_of(bvh);
    const auto quads = [&](std::string_view name, std::uint64_t words) {
        return graph.buffer(name, {.size = words * sizeof(std::uint32_t), .stride = 16});
    };
    Joined joined{.nodes = quads("nodes", alone ? 4 : slots * node_words(layout)),
                  .leaves = quads("leaves", alone ? 4 : slots * kLeafWords),
                  .parts = quads("parts", meshes.size() * kPartWords)};
    std::uint32_t base = 0;
    for (std::uint32_t i = 0; i < meshes.size(); ++i) {
        const Bvh& part = meshes[i];
        ComputeNodeBuilder node = graph.compute("bvh/join", fmt::format("join[{}]", i));
        node.read("part_nodes", part.nodes);
        node.read("part_leaves", part.leaves);
        node.read("part_status", part.status);
        node.set("part", i);
        node.set("base", base);
        node.set("count", slots_of(part));
        node.specialize("wide", std::uint32_t(layout == BvhLayout::wide));
        node.specialize("alone", std::uint32_t(alone));
        joined.nodes = node.write("nodes", joined.nodes);
        joined.leaves = node.write("leaves", joined.leaves);
        joined.parts = node.write("parts", joined.parts);
        node.dispatch_each(alone ? 1 : slots_of(part));
        base += slots_of(part);
    }
    if (alone) {
        joined.nodes = meshes.front().nodes;
        joined.leaves = meshes.front().leaves;
    }
    return joined;
}

} // namespace

void InstanceBvh::describe(PassInfo<InstanceBvh>& info) {
    info.summary("Builds a hierarchy over instances of meshes that have hierarchies")
        .details(
            "An instance places a mesh in the world by a matrix: a thousand instances take a "
            "thousand matrices and one hierarchy of the mesh. The device computes inverses, boxes "
            "in the world and the hierarchy over the boxes, so instances and meshes may move in "
            "every frame. Rays are transformed to the mesh's space and keep their t; bvh/cast "
            "gives the instance that a ray hits and the triangle's number in its mesh.\n\nAn "
            "instance is 16 words: three rows of a matrix (the last column is the translation), "
            "the mesh's number in \"meshes\", a number for the host's use, and two unused words. "
            "\"bvh.status\" is that of the upper hierarchy: \"degenerate\" counts instances whose "
            "matrix is singular (to within rounding) or whose mesh has no triangles, "
            "\"not_finite\" counts instances with a number or a box that is not finite, and "
            "\"bad_index\" counts instances of a mesh that does not exist. Rays never hit any of "
            "these.\n\nThe hierarchies of several meshes are copied into one; a single hierarchy "
            "is used in place.")
        .source("I. Wald, C. Benthin and P. Slusallek, \"Distributed Interactive Ray Tracing of "
                "Dynamic Scenes\", PVG 2003")
        .complexity("O(triangles of meshes + instances)")
        .cost([](const InstanceBvh& pass, const Graph& graph) {
            double triangles = 0.0;
            for (const Bvh& bvh : pass.meshes)
                triangles += static_cast<double>(bvh.mesh.triangle_count);
            if (pass.meshes.size() < 2) triangles = 0.0;
            const double count = cost_elements(graph, pass.instances, -1) / kInstanceWords;
            return Cost{.bytes =
                            2.0 * (64.0 + 48.0) * triangles + (64.0 + 64.0 + 48.0 + 282.0) * count,
                        .operations = 600.0 * count};
        });
    info.input_list("meshes", &InstanceBvh::meshes,
                    "hierarchies, all of binary nodes or all of wide nodes; together at most 2^26 "
                    "- 1 triangles")
        .wires(1);
    info.input("instances", &InstanceBvh::instances, "the instances, 16 words each")
        .elements<MeshInstance>();
    info.parameter("length", &InstanceBvh::length,
                   "number of instances; -1: all that the buffer holds")
        .range(-1, kMaxMeshTriangles)
        .unit("instances")
        .structural();
    info.output("bvh", &InstanceBvh::bvh, "the hierarchy");
}

void InstanceBvh::build(Graph& graph) {
    bvh = without_hierarchy(meshes.front().mesh);
    if (!are_valid(graph, meshes)) return;
    const std::uint64_t room = capacity(graph, instances) / kInstanceWords;
    const std::uint64_t count = length < 0 ? room : static_cast<std::uint64_t>(length);
    if (count > room || count > kMaxMeshTriangles) {
        graph.error("primitives/too-long",
                    fmt::format("there are {} instances, but \"instances\" holds {}, and the limit "
                                "is {}",
                                count, room, kMaxMeshTriangles));
        return;
    }
    const Joined joined = join(graph, meshes);

    TriangleMesh boxes;
    boxes.triangle_count = static_cast<std::uint32_t>(count);
    boxes.vertex_count = 3 * boxes.triangle_count;
    ComputeNodeBuilder node = graph.compute("bvh/place_instances");
    node.read("parts", joined.parts);
    node.read("instances", instances);
    node.set("part_count", static_cast<std::uint32_t>(meshes.size()));
    node.set("instance_count", boxes.triangle_count);
    const Buffer records = node.write(
        "records",
        graph.buffer("records", {.size = std::max<std::uint64_t>(count, 1) * sizeof(MeshInstance),
                                 .stride = 16}));
    boxes.positions = node.write("positions", array(graph, "corners", 9 * count));
    boxes.indices = node.write("corners", array(graph, "indices", 3 * count));
    node.dispatch_each(boxes.triangle_count);

    const Bvh top = graph.add(LbvhBuild{.mesh = boxes}, "top").bvh;
    bvh.nodes = joined.nodes;
    bvh.leaves = joined.leaves;
    bvh.status = top.status;
    bvh.top_nodes = top.nodes;
    bvh.top_leaves = top.leaves;
    bvh.instances = records;
    bvh.layout = meshes.front().layout;
}

TUFF_PASS(InstanceBvh)

} // namespace tuff::passes
