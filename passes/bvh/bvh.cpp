#include "passes/bvh/bvh.hpp"

#include "passes/primitives/elements.hpp"

#include <fmt/format.h>

namespace tuff::passes {
namespace {

/// The numbers of rays/traverse_own.glsl.
enum class Kernel : std::uint32_t {
    mesh,
    stack,
    trail,
    heap_stack,
    heap_trail,
    wide,
    driver,
    none
};

Kernel kernel_for(BvhLayout layout, Traversal traversal) {
    if (traversal == Traversal::brute_force) return Kernel::mesh;
    if (traversal == Traversal::driver && layout != BvhLayout::driver) return Kernel::none;
    switch (layout) {
    case BvhLayout::none: return traversal == Traversal::automatic ? Kernel::mesh : Kernel::none;
    case BvhLayout::binary: return traversal == Traversal::trail ? Kernel::trail : Kernel::stack;
    case BvhLayout::wide: return traversal == Traversal::trail ? Kernel::none : Kernel::wide;
    case BvhLayout::heap:
        return traversal == Traversal::stack ? Kernel::heap_stack : Kernel::heap_trail;
    case BvhLayout::driver: {
        const bool its_own = traversal == Traversal::automatic || traversal == Traversal::driver;
        return its_own ? Kernel::driver : Kernel::none;
    }
    }
    return Kernel::none;
}

bool holds_words(Graph& graph, Buffer buffer, std::uint64_t words, std::string_view port) {
    if (!buffer) {
        graph.error("graph/unconnected", fmt::format("\"{}\" is not connected", port));
        return false;
    }
    if (capacity(graph, buffer) >= words) return true;
    graph.error("primitives/too-short", fmt::format("\"{}\" has room for {} words, but {} are used",
                                                    port, capacity(graph, buffer), words));
    return false;
}

} // namespace

Bvh without_hierarchy(TriangleMesh mesh) {
    Bvh bvh;
    bvh.mesh = mesh;
    return bvh;
}

bool is_valid(Graph& graph, const TriangleMesh& mesh) {
    if (mesh.triangle_count > kMostTriangles) {
        graph.error("bvh/too-many-triangles", fmt::format("{} triangles, but at most {} can be",
                                                          mesh.triangle_count, kMostTriangles));
        return false;
    }
    return holds_words(graph, mesh.positions, std::uint64_t{mesh.vertex_count} * 3, "positions") &&
           holds_words(graph, mesh.indices, std::uint64_t{mesh.triangle_count} * 3, "indices");
}

bool is_valid(Graph& graph, const Bvh& bvh, Traversal traversal) {
    if (!is_valid(graph, bvh.mesh)) return false;
    const bool by_driver = bvh.layout == BvhLayout::driver;
    if (by_driver && !bvh.driver) {
        graph.error("graph/unconnected", "the acceleration structure has no levels");
        return false;
    }
    if (by_driver && traversal != Traversal::brute_force && !graph.target().ray_query) {
        graph.error("bvh/no-ray-query",
                    fmt::format("kernels of device \"{}\" cast no rays through its acceleration "
                                "structures",
                                graph.target().name),
                    "the hierarchies of bvh/lbvh_build go with every device");
        return false;
    }
    const bool has_nodes = bvh.layout != BvhLayout::none && !by_driver;
    if (has_nodes && (!bvh.nodes || !bvh.leaves || !bvh.status)) {
        graph.error("graph/unconnected", "the hierarchy has no nodes");
        return false;
    }
    if (kernel_for(bvh.layout, traversal) != Kernel::none) return true;
    graph.error("bvh/no-such-traversal", "there is no such traversal of this kind of hierarchy",
                "\"auto\" takes one that there is");
    return false;
}

void bind_mesh(KernelNode& node, const TriangleMesh& mesh) {
    node.read("positions", mesh.positions);
    node.read("indices", mesh.indices);
    node.set("vertex_count", mesh.vertex_count);
    node.set("triangle_count", mesh.triangle_count);
}

void specialize_memory_order(const Graph& graph, KernelNode& node) {
    node.specialize("kBarriersInBranches", std::uint32_t(graph.target().barriers_in_branches));
}

bool casts_by_driver(const Bvh& bvh, const RayQuery& query) {
    return kernel_for(bvh.layout, query.traversal) == Kernel::driver;
}

std::string ray_kernel(std::string_view name, const Bvh& bvh, const RayQuery& query) {
    return fmt::format("{}{}", name, casts_by_driver(bvh, query) ? "_driver" : "");
}

void bind_bvh(KernelNode& node, const Bvh& bvh, const RayQuery& query) {
    const Kernel kernel = kernel_for(bvh.layout, query.traversal);
    node.specialize("triangle_test", static_cast<std::uint32_t>(query.test));
    bind_mesh(node, bvh.mesh);
    if (kernel == Kernel::driver) {
        node.read("driver_scene", bvh.driver.top);
        node.read_through(bvh.driver.bottom);
        return;
    }
    const Buffer stand_in = bvh.mesh.indices;
    const auto present = [&](Buffer buffer) { return buffer ? buffer : stand_in; };
    node.read("bvh_nodes", present(bvh.nodes));
    node.read("bvh_leaves", present(bvh.leaves));
    node.read("bvh_status", present(bvh.status));
    node.read("bvh_top_nodes", present(bvh.top_nodes));
    node.read("bvh_top_leaves", present(bvh.top_leaves));
    node.read("bvh_instances", present(bvh.instances));
    node.specialize("instanced", std::uint32_t(bool(bvh.instances)));
    node.specialize("traversal", static_cast<std::uint32_t>(kernel));
}

} // namespace tuff::passes
