#include "passes/voxel/view.hpp"

#include "passes/common/picture.hpp"
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
    if (!(glm::length(pass.towards_light) > 0.0f)) {
        graph.error("pass/out-of-range", "parameter \"towards_light\" has no length");
        return false;
    }
    const bool world = pass.space == VoxelSpace::world;
    if (pass.behind && (!pass.behind_depth || !world)) {
        graph.error("pass/out-of-range",
                    "\"behind\" is connected without \"behind_depth\", or \"space\" is not "
                    "\"world\"",
                    "connect \"behind_depth\", and set \"space\" to \"world\"");
        return false;
    }
    if (world && !pass.scene && pass.camera.mode != CameraMode::free) {
        graph.error("pass/out-of-range",
                    "\"scene\" is not connected, and only a free camera works without it",
                    "connect \"scene\", or set \"camera.mode\" to \"free\"");
        return false;
    }
    return true;
}

std::optional<Camera> camera_of(Graph& graph, const VoxelView& pass) {
    if (pass.space == VoxelSpace::box)
        return camera_of_box(graph, pass.camera, pass.source.dims, pass.width, pass.height);
    static const SceneData nothing;
    auto camera = camera_for(graph, pass.camera, pass.scene ? *pass.scene.data : nothing,
                             pass.width, pass.height);
    if (!camera || camera->kind == Projection::perspective) return camera;
    graph.error("scene/bad-camera", "voxels need a perspective camera",
                "choose another camera of the file");
    return std::nullopt;
}

} // namespace

void VoxelView::describe(PassInfo<VoxelView>& info) {
    info.summary("Draws voxels as cubes, with optional sections")
        .details(
            "A ray for each texel goes from voxel to voxel, and skips 32 voxels at a time where a "
            "word is empty. In \"space\" \"box\" the grid is a box centered at the origin whose "
            "longest side is 2. In \"world\" it stands at the position of its mesh, so "
            "scene/mesh_raster can use the same camera; with that pass's color as \"behind\", each "
            "pixel shows the nearer of both. Only voxels between \"low\" and \"high\" are shown; "
            "sections through set voxels have their own color.")
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
    info.optional_input("scene", &VoxelView::scene,
                        "in the world, the scene that the camera orbits or comes from");
    info.optional_input("behind", &VoxelView::behind, "a picture of the same view of the world")
        .picture();
    info.optional_input("behind_depth", &VoxelView::behind_depth, "its clip-space depth").picture();
    info.parameter("space", &VoxelView::space, "space of the camera").structural();
    info.parameter("width", &VoxelView::width, "width of the picture")
        .range(1, kMaxSide)
        .unit("texels")
        .structural();
    info.parameter("height", &VoxelView::height, "height of the picture")
        .range(1, kMaxSide)
        .unit("texels")
        .structural();
    info.group("camera", &VoxelView::camera);
    info.parameter("low", &VoxelView::low,
                   "corner where the shown part begins; 0 is the grid's first corner")
        .range(0.0, 1.0);
    info.parameter("high", &VoxelView::high,
                   "corner where the shown part ends; 1 is the grid's last corner")
        .range(0.0, 1.0);
    info.parameter("color_by", &VoxelView::color_by,
                   "\"solid\": shows \"color\" and \"cut_color\"; \"normal\": shows the normal's "
                   "coordinates")
        .structural();
    info.parameter("smooth", &VoxelView::smooth,
                   "takes normals from the voxels around instead of the cubes' faces")
        .structural();
    info.parameter("shadows", &VoxelView::shadows, "traces a second ray towards the light")
        .structural();
    info.parameter("towards_light", &VoxelView::towards_light,
                   "direction towards the light; any length but 0");
    info.parameter("color", &VoxelView::color, "linear color of the voxels").range(0.0, 65504.0);
    info.parameter("cut_color", &VoxelView::cut_color, "linear color of sections")
        .range(0.0, 65504.0);
    info.parameter("background", &VoxelView::background,
                   "linear color and alpha of the background");
    info.output("result", &VoxelView::result, "the picture, rgba16_sfloat, linear light");
    info.output("depth", &VoxelView::depth,
                "r32_sfloat: distance from the camera in voxels, or -1 where nothing is hit; in "
                "the world clip-space depth, or 1 where nothing is hit");
}

void VoxelView::build(Graph& graph) {
    const Extent extent{width, height, 1};
    result = graph.image("result", {.format = Format::rgba16_sfloat, .extent = extent});
    depth = graph.image("depth", {.format = Format::r32_sfloat, .extent = extent});
    if (!is_valid(graph, *this)) return;
    if (behind && !(same_size(graph, result, "result", behind, "behind") &
                    same_size(graph, result, "result", behind_depth, "behind_depth")))
        return;
    const std::optional<Camera> view = camera_of(graph, *this);
    if (!view) return;
    const float aspect = static_cast<float>(width) / static_cast<float>(height);
    const glm::vec3 dims(source.dims);

    ComputeNodeBuilder node = graph.compute("voxel/view");
    node.specialize("kColor", static_cast<std::uint32_t>(color_by));
    node.specialize("kShadows", std::uint32_t(shadows));
    node.specialize("kSmooth", std::uint32_t(smooth));
    node.specialize("kWorld", std::uint32_t(space == VoxelSpace::world));
    set_rays(node, *view,
             space == VoxelSpace::box
                 ? glm::vec3(cells_of_box(source.dims) * glm::vec4(view->position, 1.0f))
                 : view->position,
             aspect);
    node.set("near_plane", view->near_plane);
    node.set("far_plane", view->far_plane);
    node.read("frame", source.frame);
    node.read_optional("behind", ImageView(behind).mip(0));
    node.read_optional("behind_depth", ImageView(behind_depth).mip(0));
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
