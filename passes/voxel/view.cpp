#include "passes/voxel/view.hpp"

#include "passes/voxel/box_camera.hpp"
#include "passes/voxel/voxelize.hpp"

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <algorithm>
#include <optional>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxSide = 16384;

bool is_valid(Graph& graph, const VoxelView& pass) {
    if (!is_valid(graph, pass.source)) return false;
    if (glm::length(pass.towards_light) > 0.0f) return true;
    graph.error("pass/out-of-range", "parameter \"towards_light\" has no length");
    return false;
}

} // namespace

void VoxelView::describe(PassInfo<VoxelView>& info) {
    info.summary("Draws voxels as little cubes, cut open where you like")
        .details("A ray for each texel goes from voxel to voxel, and over 32 at a time where a "
                 "word is empty. To the camera the grid is a box about the origin whose longest "
                 "side is 2. Only voxels between \"low\" and \"high\" are shown; where that cuts "
                 "through set voxels, the section has a colour of its own.")
        .source("Amanatides and Woo, \"A Fast Voxel Traversal Algorithm for Ray Tracing\", "
                "Eurographics 1987")
        .complexity("O(texels * voxels along an axis)")
        .cost([](const VoxelView& pass, const Graph&) {
            const double texels = static_cast<double>(pass.width) * pass.height;
            const double along = static_cast<double>(pass.source.dims.x) + pass.source.dims.y;
            return Cost{.bytes =
                            12.0 * texels + 4.0 * static_cast<double>(pass.source.word_count()),
                        .operations = texels * (600.0 + 20.0 * along)};
        });
    info.input("source", &VoxelView::source, "the voxels");
    info.parameter("width", &VoxelView::width, "of the picture")
        .range(1, kMaxSide)
        .unit("texels")
        .structural();
    info.parameter("height", &VoxelView::height, "of the picture")
        .range(1, kMaxSide)
        .unit("texels")
        .structural();
    info.group("camera", &VoxelView::camera);
    info.parameter("low", &VoxelView::low, "where what is shown begins; 0 is the grid's corner")
        .range(0.0, 1.0);
    info.parameter("high", &VoxelView::high, "where what is shown ends; 1 is the other corner")
        .range(0.0, 1.0);
    info.parameter("color_by", &VoxelView::color_by,
                   "\"solid\": \"color\" and \"cut_color\"; \"normal\": the normal's coordinates")
        .structural();
    info.parameter("smooth", &VoxelView::smooth,
                   "normals from the voxels around instead of the cubes' faces")
        .structural();
    info.parameter("shadows", &VoxelView::shadows, "a second ray, towards the light").structural();
    info.parameter("towards_light", &VoxelView::towards_light, "direction, of any length but 0");
    info.parameter("color", &VoxelView::color, "linear, of the voxels").range(0.0, 65504.0);
    info.parameter("cut_color", &VoxelView::cut_color, "linear, of sections").range(0.0, 65504.0);
    info.parameter("background", &VoxelView::background, "linear colour and alpha of the rest");
    info.output("result", &VoxelView::result, "the picture, rgba16_sfloat, linear light");
    info.output("depth", &VoxelView::depth,
                "r32_sfloat: distance from the camera in voxels, or -1 where there is nothing");
}

void VoxelView::build(Graph& graph) {
    const Extent extent{width, height, 1};
    result = graph.image("result", {.format = Format::rgba16_sfloat, .extent = extent});
    depth = graph.image("depth", {.format = Format::r32_sfloat, .extent = extent});
    if (!is_valid(graph, *this)) return;
    const std::optional<Camera> view = camera_of_box(graph, camera, source.dims, width, height);
    if (!view) return;
    const float aspect = static_cast<float>(width) / static_cast<float>(height);
    const glm::vec3 dims(source.dims);

    ComputeNodeBuilder node = graph.compute("voxel/view");
    node.specialize("kColor", static_cast<std::uint32_t>(color_by));
    node.specialize("kShadows", std::uint32_t(shadows));
    node.specialize("kSmooth", std::uint32_t(smooth));
    set_box_rays(node, *view, source.dims, aspect);
    node.set("dims", source.dims);
    node.set("low", glm::ivec3(glm::round(glm::clamp(low, 0.0f, 1.0f) * dims)));
    node.set("high", glm::ivec3(glm::round(glm::clamp(high, 0.0f, 1.0f) * dims)));
    node.set("towards_light", glm::normalize(towards_light));
    node.set("color", color);
    node.set("cut_color", cut_color);
    node.set("background", background);
    node.read("words", source.words);
    result = node.write("result", result);
    depth = node.write("depth", depth);
    node.dispatch_over(extent);
}

TUFF_PASS(VoxelView)

} // namespace tuff::passes
