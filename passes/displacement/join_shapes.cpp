#include "passes/displacement/join_shapes.hpp"

#include "passes/displacement/shapes.hpp"

#include <algorithm>

namespace tuff::passes {
namespace {

Buffer closest_of_both(Graph& graph, const RayShapes& first, const RayShapes& second,
                       const SlotRays& rays, Buffer hits) {
    graph.push_scope("first");
    const Buffer of_first = first.closest(graph, rays, hits);
    ComputeNodeBuilder hide = graph.compute("displacement/hide_shapes");
    hide.read("hits", of_first);
    const Buffer hidden = hide.write(
        "hidden", graph.buffer("hidden", {.size = std::uint64_t{16} * rays.slots, .stride = 16}));
    dispatch_rays(graph, hide, rays);
    graph.pop_scope();

    graph.push_scope("second");
    const Buffer of_second = second.closest(graph, rays, hidden);
    ComputeNodeBuilder join = graph.compute("displacement/join_shapes");
    join.read("first", of_first);
    const Buffer joined = join.write("hits", of_second);
    dispatch_rays(graph, join, rays);
    graph.pop_scope();
    return joined;
}

Buffer block_by_both(Graph& graph, const RayShapes& first, const RayShapes& second,
                     const SlotRays& rays) {
    SlotRays left = rays;
    graph.push_scope("first");
    left.rays = first.block(graph, left);
    graph.pop_scope();
    graph.push_scope("second");
    left.rays = second.block(graph, left);
    graph.pop_scope();
    return left.rays;
}

} // namespace

void JoinShapes::describe(PassInfo<JoinShapes>& info) {
    info.summary("Puts two displaced surfaces, each with its own map, into the same traced scene")
        .details("Rays hit the nearer of both; the first one where both are equally far. For more "
                 "than two, connect the result of another displacement/join_shapes. Each ray is "
                 "cast at both, so the time is that of both.\n\n"
                 "Two materials of a scene with a map each: displacement/scene_patches for each "
                 "material, the second with the first one's \"rest\" as its \"mesh\"; the rest "
                 "of the second is the mesh for the hierarchy.")
        .complexity("O(rays), and that of both");
    info.input("first", &JoinShapes::first, "shapes, for example from displacement/shapes");
    info.input("second", &JoinShapes::second, "others");
    info.output("shapes", &JoinShapes::shapes, "both, for the tracers");
}

void JoinShapes::build(Graph&) {
    shapes.closest = [a = first, b = second](Graph& g, const SlotRays& rays, Buffer hits) {
        return closest_of_both(g, a, b, rays, hits);
    };
    shapes.block = [a = first, b = second](Graph& g, const SlotRays& rays) {
        return block_by_both(g, a, b, rays);
    };
    shapes.material = std::max(first.material, second.material);
    for (const RayShapes& of : {first, second}) {
        shapes.buffers.insert(shapes.buffers.end(), of.buffers.begin(), of.buffers.end());
        shapes.images.insert(shapes.images.end(), of.images.begin(), of.images.end());
        shapes.settings.push_back(static_cast<std::uint32_t>(of.settings.size()));
        shapes.settings.insert(shapes.settings.end(), of.settings.begin(), of.settings.end());
    }
}

TUFF_PASS(JoinShapes)

} // namespace tuff::passes
