#include "passes/fluid/sparse_view.hpp"

#include "passes/voxel/box_camera.hpp"

#include <glm/geometric.hpp>

#include <optional>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxSparseViewSide = 16384;

} // namespace

Buffer smoke_light(Graph& graph, const SparseSmoke& smoke, const SmokeLook& look) {
    if (!(glm::length(look.towards_light) > 0.0f)) {
        graph.error("pass/out-of-range", "parameter \"look.towards_light\" is zero, so it has "
                                         "no direction");
        return {};
    }
    const bool half = smoke.precision == FluidPrecision::half;
    ComputeNodeBuilder node = graph.compute("fluid/sparse_light", {{"HALF", half}}, "light");
    bind_walk(node, smoke.bricks);
    node.read("brick_map", smoke.bricks.map);
    node.read("dye", smoke.dye);
    node.set("extinction", look.extinction);
    node.set("towards_light", glm::normalize(look.towards_light));
    node.set("step_length", 1.0f);
    return node.write("reached", graph.buffer("light", field_desc(smoke.bricks.shape, 4)));
}

void set_look(KernelNode& node, const SmokeLook& look) {
    node.set("how.extinction", look.extinction);
    node.set("how.glow", look.glow);
    node.set("how.albedo", look.albedo);
    node.set("how.light", look.light);
    node.set("how.ambient", look.ambient);
}

void set_behind_depth(KernelNode& node, Image depth, const Camera& camera, glm::uvec3 dims) {
    node.set("range.near_plane", camera.near_plane);
    node.set("range.far_plane", camera.far_plane);
    node.set("range.cells_a_unit", cells_of_box(dims)[0][0]);
    node.read_optional("behind_depth", ImageView(depth).mip(0), Sampler::nearest());
}

void SparseView::describe(PassInfo<SparseView>& info) {
    info.summary("Draws smoke in bricks by ray marching that skips empty space")
        .details(
            "First the pass computes the light that reaches each cell, by marching towards the "
            "light. Then each ray goes from brick to brick, takes even steps in active ones, "
            "and ends when the transmittance is below \"opaque\". The steps do not depend on "
            "how the domain is divided. \"overlay\" shows the edges of active bricks. The "
            "domain is a box around the origin whose longest side is 2.\n\n"
            "With \"behind_depth\", rays end at other surfaces, to a step; their color in "
            "\"behind\" shines through the smoke before them.")
        .source(
            "A. Dunn, \"Interactive Sparse Eulerian Fluid\", GPU Pro 7, 2016; J. Amanatides and "
            "A. Woo, \"A Fast Voxel Traversal Algorithm for Ray Tracing\", Eurographics 1987")
        .complexity(
            "O(texels * (bricks along a ray + steps in active ones) + cells of active bricks "
            "* steps towards the light)")
        .cost([](const SparseView& pass, const Graph&) {
            const double texels = static_cast<double>(pass.width) * pass.height;
            const double cells = static_cast<double>(pass.smoke.bricks.shape.count());
            return Cost{.bytes = 8.0 * texels + 20.0 * cells,
                        .operations =
                            texels * 100.0 * pass.smoke.bricks.shape.dims.x + 600.0 * cells};
        });
    info.input("smoke", &SparseView::smoke, "the smoke, from fluid/sparse");
    describe_smoke_behind(info);
    info.parameter("width", &SparseView::width, "width of the picture")
        .range(1, kMaxSparseViewSide)
        .unit("texels")
        .structural();
    info.parameter("height", &SparseView::height, "height of the picture")
        .range(1, kMaxSparseViewSide)
        .unit("texels")
        .structural();
    info.group("camera", &SparseView::camera);
    info.group("look", &SparseView::look);
    info.parameter("opaque", &SparseView::opaque, "transmittance below which rays end")
        .range(0.0, 1.0);
    info.parameter("overlay", &SparseView::overlay, "opacity of the bricks' edges").range(0.0, 1.0);
    info.output("result", &SparseView::result, "the picture, rgba16_sfloat, linear");
}

void SparseView::build(Graph& graph) {
    const Extent extent{width, height, 1};
    const glm::uvec3 dims = smoke.bricks.shape.dims;
    if (!fits_behind(graph, *this)) return;
    const Buffer reached = smoke_light(graph, smoke, look);
    if (!reached) return;
    const std::optional<Camera> view = camera_of_box(graph, camera, dims, width, height);
    if (!view) return;
    const bool half = smoke.precision == FluidPrecision::half;
    ComputeNodeBuilder node = graph.compute("fluid/sparse_view", {{"HALF", half}}, "march");
    bind_map(node, smoke.bricks);
    node.read("dye", smoke.dye);
    node.read("reached", reached);
    set_box_rays(node, *view, dims, static_cast<float>(width) / static_cast<float>(height));
    set_look(node, look);
    set_behind_depth(node, behind_depth, *view, dims);
    node.set("step_length", look.step);
    node.set("opaque", opaque);
    node.set("overlay", overlay);
    node.set("background", look.background);
    node.read_optional("behind", ImageView(behind).mip(0), Sampler::nearest());
    result = node.write("result",
                        graph.image("result", {.format = Format::rgba16_sfloat, .extent = extent}));
    node.dispatch_over(extent);
}

TUFF_PASS(SparseView)

} // namespace tuff::passes
