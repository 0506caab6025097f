#include "passes/raygrid/whitted.hpp"

#include "passes/bvh/lbvh_build.hpp"
#include "passes/geometry/triangles.hpp"
#include "passes/primitives/elements.hpp"
#include "passes/raytrace/whitted.hpp"

#include <glm/vec2.hpp>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kShadowRayQuads = 3; // as raytrace has them

/// All rays of a bounce at once, through the grid.
class GridWaves {
  public:
    GridWaves(Graph& graph, TraceWhittedGrid& pass, const TriangleGrid& grid, std::uint32_t slots)
        : graph_(graph), pass_(pass), grid_(grid), slots_(slots) {}

    RayWaves waves() {
        return {.closest = [this](const Paths& paths) { return closest(paths); },
                .light = [this](const Paths& paths,
                                Buffer shadow_rays) { return light(paths, shadow_rays); }};
    }

  private:
    Buffer closest(const Paths& paths) {
        const bool shown = pass_.with_work && bounce_++ == pass_.work_bounce;
        graph_.push_scope("hit");
        const GridHits found =
            cast_through_grid(graph_, grid_,
                              {.rays = paths.rays,
                               .of_paths = true,
                               .slots = slots_,
                               .queue = paths.queue,
                               .count = paths.count},
                              pass_.cast, {.test = pass_.test, .with_work = shown});
        graph_.pop_scope();
        if (shown) pass_.work = found.work;
        return found.hits;
    }

    Buffer light(const Paths& paths, Buffer shadow_rays) {
        graph_.push_scope("light");
        const GridHits found =
            cast_through_grid(graph_, grid_,
                              {.rays = shadow_rays,
                               .quads = kShadowRayQuads,
                               .slots = slots_,
                               .queue = paths.queue,
                               .count = paths.count},
                              pass_.cast, {.question = RayQuestion::any, .test = pass_.test});
        ComputeNodeBuilder node = graph_.compute("raygrid/light");
        node.set("rays", slots_);
        node.read_optional("queue", paths.queue);
        node.read_optional("queue_length", paths.count, "has_queue");
        node.read("shadow_rays", shadow_rays);
        node.read("hits", found.hits);
        const Buffer lit = node.write("paths", paths.paths);
        if (paths.queue)
            dispatch_each(graph_, node, {.most = slots_, .count = paths.count});
        else
            node.dispatch_each(slots_);
        graph_.pop_scope();
        return lit;
    }

    Graph& graph_;
    TraceWhittedGrid& pass_;
    TriangleGrid grid_;
    std::uint32_t slots_;
    std::uint32_t bounce_ = 0;
};

} // namespace

void TraceWhittedGrid::describe(PassInfo<TraceWhittedGrid>& info) {
    info.summary("Renders a scene with shadows and reflections by casting waves of rays "
                 "through a grid")
        .details(
            "The picture equals that of raytrace/whitted to the bit: the rays are the same, "
            "and the same kernels shade them. Each frame builds a grid of the scene's "
            "triangles. All rays of a bounce are cast through it together, as in raygrid/cast, "
            "then all shadow rays.\n\n"
            "For comparison, \"search\" \"lbvh\" casts rays through the connected hierarchy or "
            "one that is built, and \"brute_force\" tests all triangles. \"work\" shows the "
            "work for the rays of one bounce. Only \"lbvh\" supports shadows of materials with "
            "alpha masks or blending.")
        .source("T. Zirr, H. Rehfeld and C. Dachsbacher, \"Object-Order Ray Tracing for Fully "
                "Dynamic Scenes\", GPU Pro 5, 2014")
        .complexity("O(triangles + cells + rays * cells on their way + tests)")
        .cost([](const TraceWhittedGrid& pass, const Graph&) {
            const double rays =
                static_cast<double>(pass.width) * pass.height * (pass.bounces + 1) * 2.0;
            return Cost{.bytes = (350.0 + 110.0 * pass.cast.links_per_ray) * rays,
                        .operations = 4000.0 * rays};
        });
    describe_tracer(info);
    info.input_list("lights", &TraceWhittedGrid::lights, "point lights, from raytrace/light")
        .wires(0, 32);
    info.group("grid", &TraceWhittedGrid::grid);
    info.group("cast", &TraceWhittedGrid::cast);
    info.parameter("with_work", &TraceWhittedGrid::with_work, "whether to output \"work\"")
        .structural();
    info.parameter("work_bounce", &TraceWhittedGrid::work_bounce,
                   "bounce whose rays \"work\" shows; 0: camera rays")
        .range(0, kMaxBounces)
        .structural();
    info.output("color", &TraceWhittedGrid::color, "the picture, scene-linear, rgba32_sfloat");
    info.output("work", &TraceWhittedGrid::work,
                "four words a ray: cells, tests, rounds, and 1 if it walked, in the order of "
                "raytrace/primary; only with \"with_work\", not with hierarchies and brute "
                "force")
        .elements<std::uint32_t>();
}

void TraceWhittedGrid::build(Graph& graph) {
    if (!is_valid(graph, cast)) return;
    const bool by_rays = cast.search == RaySearch::lbvh || cast.search == RaySearch::brute_force;
    const TriangleMesh mesh = bvh ? bvh.mesh : graph.add(Triangles{.scene = scene}).mesh;
    Bvh traced = without_hierarchy(mesh);
    if (cast.search == RaySearch::lbvh) traced = bvh ? bvh : graph.add(LbvhBuild{.mesh = mesh}).bvh;
    auto setup = set_up(graph, scene, traced, environment, *this);
    if (!setup) return;
    if (by_rays) {
        color = trace_whitted(graph, *setup, *this, lights);
        return;
    }
    if (setup->tracing.see_through && shadows) {
        graph.error("raygrid/see-through-shadows",
                    "shadow rays through a grid do not support materials with alpha masks or "
                    "blending",
                    "set \"search\" to \"lbvh\", use raytrace/whitted, or turn shadows off");
        return;
    }
    const TriangleGrid triangles =
        graph.add(VoxelizeTriangles{.mesh = mesh, .parameters = grid}).grid;
    GridWaves waves(graph, *this, triangles, setup->tracing.slots);
    setup->tracing.waves = waves.waves();
    color = trace_whitted(graph, *setup, *this, lights);
}

void GridHeatMap::describe(PassInfo<GridHeatMap>& info) {
    info.summary("Shows the work for the ray through each pixel of a picture")
        .details("Black is 0, then come blue, green and yellow; white is \"most\" or more. "
                 "Rays are in the order of raytrace/primary.")
        .source("T. Zirr, H. Rehfeld and C. Dachsbacher, \"Object-Order Ray Tracing for Fully "
                "Dynamic Scenes\", GPU Pro 5, 2014")
        .complexity("O(pixels)")
        .cost([](const GridHeatMap& pass, const Graph&) {
            const double rays = static_cast<double>(pass.width) * pass.height;
            return Cost{.bytes = 24.0 * rays, .operations = 30.0 * rays};
        });
    info.input("work", &GridHeatMap::work,
               "work of such a picture, from raygrid/whitted or "
               "raygrid/cast")
        .elements<std::uint32_t>();
    info.parameter("width", &GridHeatMap::width, "width of the picture")
        .range(1, kMaxTracedSide)
        .unit("texels")
        .structural();
    info.parameter("height", &GridHeatMap::height, "height of the picture")
        .range(1, kMaxTracedSide)
        .unit("texels")
        .structural();
    info.parameter("shown", &GridHeatMap::shown, "what is shown: cells of rays, tests or rounds")
        .structural();
    info.parameter("most", &GridHeatMap::most, "value that is shown white").range(1.0, 1e6);
    info.output("color", &GridHeatMap::color, "rgba16_sfloat");
}

void GridHeatMap::build(Graph& graph) {
    const TiledSize size{width, height};
    if (!holds(graph, work, {.most = 4 * size.slots(), .count = {}}, "work")) return;
    ComputeNodeBuilder node = graph.compute("raygrid/heat");
    node.read("work", work);
    node.set("size", glm::uvec2(width, height));
    node.set("tiles_per_row", size.tiles_per_row());
    node.set("slots", size.slots());
    node.set("most", most);
    node.specialize("shown", static_cast<std::uint32_t>(shown));
    color = node.write("result", graph.image("color", {.format = Format::rgba16_sfloat,
                                                       .extent = {width, height, 1}}));
    node.dispatch_each(size.slots());
}

TUFF_PASS(TraceWhittedGrid)
TUFF_PASS(GridHeatMap)

} // namespace tuff::passes
