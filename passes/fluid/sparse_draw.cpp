#include "passes/fluid/sparse_draw.hpp"

#include "passes/common/div_round_up.hpp"
#include "passes/primitives/radix_sort.hpp"
#include "passes/voxel/box_camera.hpp"

#include <glm/mat4x4.hpp>
#include <glm/matrix.hpp>
#include <glm/trigonometric.hpp>
#include <glm/vec2.hpp>

#include <cmath>
#include <optional>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxSparseDrawSide = 16384;
constexpr std::uint32_t kMaxBuckets = 64;
constexpr std::uint32_t kCornersOfBrick = 36;

/// Active bricks, nearest first: their entries of the list.
Buffer sorted_bricks(Graph& graph, const SparseBricks& bricks, glm::vec3 eye) {
    const std::uint64_t room = bricks.shape.capacity;
    ComputeNodeBuilder node = graph.compute("fluid/sparse_order", "order");
    set_shape(node, bricks.shape);
    node.read("brick_list", bricks.list);
    node.set("eye", eye);
    const Buffer keys = node.write("keys", graph.buffer("keys", {.size = 4 * room, .stride = 4}));
    const Buffer order =
        node.write("order", graph.buffer("order", {.size = 8 * room, .stride = 8}));
    node.dispatch_each(bricks.shape.capacity);
    return graph
        .add(RadixSort{.keys = keys,
                       .values = order,
                       .count = bricks.list,
                       .length = static_cast<std::int64_t>(room),
                       .value_words = 2},
             "sort")
        .sorted_values;
}

} // namespace

void SparseDraw::describe(PassInfo<SparseDraw>& info) {
    info.summary("Draws smoke in bricks with the rasterizer, brick by brick from front to back")
        .details("Bricks are sorted by distance and drawn as boxes in \"buckets\"; a fragment "
                 "marches through one brick. The color of a brick is blended under that of nearer "
                 "ones; alpha is the remaining transmittance. After each bucket, pixels whose "
                 "transmittance is below \"opaque\" get the depth of the near plane, so the depth "
                 "test ends their rays.\n\n"
                 "The steps are those of fluid/sparse_view, which is faster where compute is fast, "
                 "and so is what \"behind\" and \"behind_depth\" do. Use this pass for comparison.")
        .source("A. Dunn, \"Interactive Sparse Eulerian Fluid\", GPU Pro 7, 2016; A. Dunn and L. "
                "Bavoil, \"Transparency (or Translucency) Rendering\", 2014")
        .complexity("O(bricks + steps in active bricks of all pixels)")
        .cost([](const SparseDraw& pass, const Graph&) {
            const double texels = static_cast<double>(pass.width) * pass.height;
            return Cost{.bytes = 24.0 * texels * pass.buckets,
                        .operations = texels * 100.0 * pass.smoke.bricks.shape.dims.x};
        });
    info.input("smoke", &SparseDraw::smoke, "the smoke, from fluid/sparse");
    describe_smoke_behind(info);
    info.parameter("width", &SparseDraw::width, "width of the picture")
        .range(1, kMaxSparseDrawSide)
        .unit("texels")
        .structural();
    info.parameter("height", &SparseDraw::height, "height of the picture")
        .range(1, kMaxSparseDrawSide)
        .unit("texels")
        .structural();
    info.group("camera", &SparseDraw::camera);
    info.group("look", &SparseDraw::look);
    info.parameter("opaque", &SparseDraw::opaque, "transmittance below which rays end")
        .range(0.0, 1.0);
    info.parameter("buckets", &SparseDraw::buckets, "number of draws; rays may end after each")
        .range(1, kMaxBuckets)
        .structural();
    info.output("result", &SparseDraw::result, "the picture, rgba16_sfloat, linear");
}

void SparseDraw::build(Graph& graph) {
    const SparseBricks& bricks = smoke.bricks;
    const glm::uvec3 dims = bricks.shape.dims;
    const Extent extent{width, height, 1};
    if (!fits_behind(graph, *this)) return;
    const Buffer reached = smoke_light(graph, smoke, look);
    if (!reached) return;
    const std::optional<Camera> view = camera_of_box(graph, camera, dims, width, height);
    if (!view) return;
    const float aspect = static_cast<float>(width) / static_cast<float>(height);
    const glm::mat4 cells = cells_of_box(dims);
    const glm::vec3 eye(cells * glm::vec4(view->position, 1.0f));
    const glm::mat4 clip_of_cells = view->projection(aspect) * view->view() * glm::inverse(cells);
    const Buffer order = sorted_bricks(graph, bricks, eye);
    const bool half = smoke.precision == FluidPrecision::half;

    Image drawn = graph.image("drawn", {.format = Format::rgba16_sfloat, .extent = extent});
    Image depth = graph.image("depth", {.format = Format::d32_sfloat, .extent = extent});
    for (std::uint32_t bucket = 0; bucket < buckets; ++bucket) {
        RasterNodeBuilder node = graph.raster("fluid/sparse_draw", {{"HALF", half}}, "bricks");
        drawn = node.blended_color(drawn, bucket == 0 ? cleared(0, 0, 0, 1) : loaded());
        depth = node.depth(depth, bucket == 0 ? cleared(1.0f) : loaded());
        node.state().depth_write = false;
        node.state().blend = {.source_color = BlendFactor::destination_alpha,
                              .destination_color = BlendFactor::one,
                              .source_alpha = BlendFactor::zero,
                              .destination_alpha = BlendFactor::one_minus_source_alpha};
        set_shape(node, bricks.shape);
        node.read("brick_map", bricks.map);
        node.read("brick_list", bricks.list);
        node.read("order", order);
        node.read("dye", smoke.dye);
        node.read("reached", reached);
        node.set("clip_of_cells", clip_of_cells);
        const glm::mat3 axes = glm::transpose(glm::mat3(view->view()));
        const float up = std::tan(0.5f * glm::radians(view->vertical_fov));
        node.set("eye", eye);
        node.set("forward", -axes[2]);
        node.set("right", aspect * up * axes[0]);
        node.set("down", -up * axes[1]);
        node.set("texels", glm::vec2(width, height));
        set_look(node, look);
        set_behind_depth(node, behind_depth, *view, dims);
        node.set("step_length", look.step);
        node.set("opaque", opaque);
        node.set("bucket", bucket);
        node.set("buckets", buckets);
        node.draw({.count = kCornersOfBrick,
                   .instance_count = div_round_up(bricks.shape.capacity, buckets)});
        if (bucket + 1 == buckets) break;
        RasterNodeBuilder ends = graph.raster("fluid/sparse_opaque", "ends");
        depth = ends.depth(depth, loaded());
        ends.state().depth_compare = CompareOp::always;
        ends.read("drawn", drawn, Sampler::nearest());
        ends.set("opaque", opaque);
        ends.draw({.count = 3});
    }
    ComputeNodeBuilder node = graph.compute("fluid/sparse_composite", "composite");
    node.read("drawn", drawn);
    node.set("background", look.background);
    node.read_optional("behind", ImageView(behind).mip(0), Sampler::nearest());
    result = node.write("result",
                        graph.image("result", {.format = Format::rgba16_sfloat, .extent = extent}));
    node.dispatch_over(extent);
}

TUFF_PASS(SparseDraw)

} // namespace tuff::passes
