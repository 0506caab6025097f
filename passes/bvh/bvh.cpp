#include "passes/bvh/bvh.hpp"

#include "passes/common/status.hpp"
#include "passes/common/warning.hpp"
#include "passes/primitives/elements.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tuff::passes {
namespace {

/// The numbers of bvh/traverse.glsl.
enum class Kernel : std::uint32_t {
    mesh,
    stack,
    bit_trail,
    heap_stack,
    heap_trail,
    wide,
    device, ///< a kernel of its own
    none
};

Kernel kernel_for(BvhLayout layout, Traversal traversal) {
    if (traversal == Traversal::brute_force) return Kernel::mesh;
    if (traversal == Traversal::device)
        return layout == BvhLayout::device ? Kernel::device : Kernel::none;
    switch (layout) {
    case BvhLayout::none: return traversal == Traversal::automatic ? Kernel::mesh : Kernel::none;
    case BvhLayout::binary:
        return traversal == Traversal::bit_trail ? Kernel::bit_trail : Kernel::stack;
    case BvhLayout::wide: return traversal == Traversal::bit_trail ? Kernel::none : Kernel::wide;
    case BvhLayout::heap:
        return traversal == Traversal::stack ? Kernel::heap_stack : Kernel::heap_trail;
    case BvhLayout::device:
        return traversal == Traversal::automatic ? Kernel::device : Kernel::none;
    }
    return Kernel::none;
}

/// All that its layout has.
bool has_nodes(const Bvh& bvh) {
    switch (bvh.layout) {
    case BvhLayout::none: return true;
    case BvhLayout::device: return bool(bvh.acceleration);
    default: return bvh.nodes && bvh.leaves && bvh.status;
    }
}

/// Groups of one for so many rays: in one row as long as launches may be so wide, for devices take
/// rays of several rows together.
Groups ray_groups(std::uint32_t rays) {
    constexpr std::uint32_t kWidest = 65535 * 256; // groups and invocations that all devices have
    if (rays > kWidest) return fold_groups(rays);
    return {.x = std::max(rays, 1u)};
}

// Rounds after which such a device ends the loops of an invocation.
constexpr std::uint32_t kRoundsOfLoops = 65535;

} // namespace

BvhStatus BvhStatus::read(std::span<const std::uint32_t> words) {
    return status_from<BvhStatus>(words);
}

Diagnostics BvhStatus::warnings() const {
    Diagnostics all;
    warn_of_bad_triangles(all, "bvh/bad-triangles", not_finite, bad_index);
    if (spoilt > 0)
        all.push_back(warning("bvh/spoilt-triangles",
                              fmt::format("{} triangles have lost their area or are no longer "
                                          "finite: rays miss them, and rays near them take longer",
                                          spoilt),
                              "check the pass that moves the mesh, or build the hierarchy again"));
    if (largest_leaf > kLargeLeaf)
        all.push_back(warning("bvh/large-leaf",
                              fmt::format("a leaf has {} triangles, and rays test each: more than "
                                          "{} are slow",
                                          largest_leaf, kLargeLeaf),
                              "give the heap more levels, or split equal codes"));
    return all;
}

Bvh without_hierarchy(TriangleMesh mesh) {
    Bvh bvh;
    bvh.mesh = mesh;
    return bvh;
}

bool is_valid(Graph& graph, const Bvh& bvh, Traversal traversal) {
    if (!is_valid(graph, bvh.mesh)) return false;
    if (!has_nodes(bvh)) {
        graph.error("graph/unconnected", "the hierarchy has no nodes");
        return false;
    }
    if (kernel_for(bvh.layout, traversal) != Kernel::none) return true;
    graph.error("bvh/no-such-traversal", "this kind of hierarchy has no such traversal",
                "\"auto\" takes one that it has");
    return false;
}

void warn_of_ended_loops(Graph& graph, const Bvh& bvh, Traversal traversal) {
    const std::uint32_t triangles = bvh.mesh.triangle_count;
    if (graph.target().unbounded_loops || bvh.instances || triangles <= kRoundsOfLoops ||
        kernel_for(bvh.layout, traversal) != Kernel::mesh)
        return;
    graph.report(warning("bvh/loop-limit",
                         fmt::format("rays miss hits: each tries {} triangles one by one, but the "
                                     "device ends loops after {}",
                                     triangles, kRoundsOfLoops),
                         "use a hierarchy, or another device"));
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

bool traced_by_device(const Bvh& bvh, Traversal traversal) {
    return kernel_for(bvh.layout, traversal) == Kernel::device;
}

void bind_bvh(KernelNode& node, const Bvh& bvh, const RayQuery& query) {
    node.specialize("triangle_test", static_cast<std::uint32_t>(query.test));
    const Kernel kernel = kernel_for(bvh.layout, query.traversal);
    if (kernel == Kernel::device) {
        node.read("bvh_top", bvh.acceleration);
        bind_mesh(node, bvh.mesh);
        return;
    }
    if (bvh.instances) {
        node.read("bvh_nodes", bvh.nodes);
        node.read("bvh_leaves", bvh.leaves);
        node.read("bvh_status", bvh.status);
        node.read("bvh_top_nodes", bvh.top_nodes);
        node.read("bvh_top_leaves", bvh.top_leaves);
        node.read("bvh_instances", bvh.instances);
    } else {
        const Bvh& walked = kernel == Kernel::mesh ? without_hierarchy(bvh.mesh) : bvh;
        node.read_optional("bvh_nodes", walked.nodes, "has_bvh");
        node.read_optional("bvh_leaves", walked.leaves, "has_bvh");
        node.read_optional("bvh_status", walked.status, "has_bvh");
        bind_mesh(node, bvh.mesh);
    }
    node.specialize("traversal", static_cast<std::uint32_t>(kernel));
}

bool goes_by_pipeline(const Graph& graph, const Bvh& bvh, Traversal traversal) {
    const DeviceCaps& device = graph.target();
    return kernel_for(bvh.layout, traversal) == Kernel::device && !device.ray_query &&
           device.ray_tracing_pipelines;
}

TracingNode::TracingNode(Graph& graph, std::string_view kernel, const Bvh& bvh,
                         const RayQuery& query, std::string_view name, ShaderVariant variant) {
    if (goes_by_pipeline(graph, bvh, query.traversal)) {
        rays_ = graph.rays(kernel, variant, name);
    } else {
        variant.set("DEVICE", traced_by_device(bvh, query.traversal));
        variant.set("INSTANCES", bool(bvh.instances));
        compute_ = graph.compute(kernel, variant, name);
    }
    bind_bvh(**this, bvh, query);
}

void TracingNode::dispatch(const Groups& groups) {
    if (rays_)
        groups.launch(*rays_);
    else
        groups.dispatch(*compute_);
}

void TracingNode::dispatch_each(std::uint32_t count) {
    if (rays_)
        ray_groups(count).launch(*rays_);
    else
        compute_->dispatch_each(count);
}

} // namespace tuff::passes
