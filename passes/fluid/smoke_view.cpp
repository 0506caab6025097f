#include "passes/fluid/smoke_view.hpp"

#include "passes/voxel/box_camera.hpp"

#include <glm/geometric.hpp>

#include <algorithm>
#include <optional>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxSmokeSide = 16384;

bool is_valid(Graph& graph, const SmokeView& pass) {
    if (!is_valid(graph, pass.field, "field") || !is_valid(graph, pass.dye, pass.field, "dye"))
        return false;
    if (glm::length(pass.towards_light) > 0.0f) return true;
    graph.error("pass/out-of-range", "parameter \"towards_light\" is zero, so it has no "
                                     "direction");
    return false;
}

/// What both kernels take; lengths are in cells of the dye.
void set_up(ComputeNodeBuilder& node, const SmokeView& pass) {
    node.read("dye", pass.dye.cells);
    bind_obstacles(node, pass.field.solid);
    node.set("dims", glm::ivec3(pass.field.dims));
    node.set("faces", pass.field.boundary.bits());
    node.set("smoke.dims", glm::ivec3(pass.dye.dims));
    node.set("smoke.scale", static_cast<std::int32_t>(pass.dye.scale));
    node.set("extinction", pass.extinction / static_cast<float>(pass.dye.scale));
    node.set("towards_light", glm::normalize(pass.towards_light));
}

} // namespace

void SmokeView::describe(PassInfo<SmokeView>& info) {
    info.summary("Draws smoke, fire and obstacles in three dimensions by ray marching")
        .details("First the pass computes the light that reaches each cell through smoke and past "
                 "solids, by marching towards the light. Then each ray marches from front to back "
                 "in even steps, until almost nothing is transmitted.\n\n"
                 "The first three numbers of the dye are the color of smoke; their mean times "
                 "\"extinction\" absorbs light. The fourth number is heat, which emits light. The "
                 "field is a box around the origin whose longest side is 2.")
        .source("Guay, Colin and Egli, \"Simple and Fast Fluids\", GPU Pro 2, 2011")
        .complexity("O(texels * steps + cells * cells along an axis)")
        .cost([](const SmokeView& pass, const Graph&) {
            const double texels = static_cast<double>(pass.width) * pass.height;
            const double cells =
                static_cast<double>(pass.dye.dims.x) * pass.dye.dims.y * pass.dye.dims.z;
            return Cost{.bytes = 8.0 * texels + 20.0 * cells,
                        .operations = texels * 100.0 * pass.dye.dims.x + 600.0 * cells};
        });
    info.input("field", &SmokeView::field, "the flow, whose obstacles are drawn");
    info.input("dye", &SmokeView::dye, "smoke and heat");
    info.parameter("width", &SmokeView::width, "width of the picture")
        .range(1, kMaxSmokeSide)
        .unit("texels")
        .structural();
    info.parameter("height", &SmokeView::height, "height of the picture")
        .range(1, kMaxSmokeSide)
        .unit("texels")
        .structural();
    info.group("camera", &SmokeView::camera);
    info.parameter("step", &SmokeView::step, "length of a step").range(0.05, 16.0).unit("cells");
    info.parameter("extinction", &SmokeView::extinction, "extinction of smoke of amount 1")
        .range(0.0, 1e4)
        .unit("1 / cell");
    info.parameter("albedo", &SmokeView::albedo,
                   "albedo: share of the extinct light that is "
                   "scattered")
        .range(0.0, 1.0);
    info.parameter("glow", &SmokeView::glow, "linear light that heat 1 emits").range(0.0, 1e4);
    info.parameter("towards_light", &SmokeView::towards_light,
                   "direction to the light, of any length except 0");
    info.parameter("light", &SmokeView::light, "linear light from that direction")
        .range(0.0, 65504.0);
    info.parameter("ambient", &SmokeView::ambient, "linear light from all sides")
        .range(0.0, 65504.0);
    info.parameter("solid_color", &SmokeView::solid_color, "linear color of obstacles")
        .range(0.0, 65504.0);
    info.parameter("background", &SmokeView::background, "linear").range(0.0, 65504.0);
    info.output("result", &SmokeView::result, "the picture, rgba16_sfloat, linear");
}

void SmokeView::build(Graph& graph) {
    const Extent extent{width, height, 1};
    result = graph.image("result", {.format = Format::rgba16_sfloat, .extent = extent});
    if (!is_valid(graph, *this)) return;
    const std::optional<Camera> view = camera_of_box(graph, camera, dye.dims, width, height);
    if (!view) return;
    ComputeNodeBuilder lit = graph.compute("fluid/smoke_light", "light");
    set_up(lit, *this);
    const std::uint64_t cells = std::uint64_t{dye.dims.x} * dye.dims.y * dye.dims.z;
    const Buffer reached =
        lit.write("reached", graph.buffer("light", {.size = 4 * cells, .stride = 4}));
    lit.dispatch_over({dye.dims.x, dye.dims.y, dye.dims.z});

    ComputeNodeBuilder node = graph.compute("fluid/smoke_view", "march");
    set_up(node, *this);
    node.read("reached", reached);
    set_box_rays(node, *view, dye.dims, static_cast<float>(width) / static_cast<float>(height));
    node.set("step_length", step);
    node.set("albedo", albedo);
    node.set("glow", glow);
    node.set("light", light);
    node.set("ambient", ambient);
    node.set("solid_color", solid_color);
    node.set("background", background);
    result = node.write("result", result);
    node.dispatch_over(extent);
}

TUFF_PASS(SmokeView)

} // namespace tuff::passes
