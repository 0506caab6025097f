#include "passes/volume/opaque.hpp"

#include "passes/common/picture.hpp"
#include "passes/scene/scene_draws.hpp"

#include <algorithm>

namespace tuff::passes {

void VolumeOpaque::describe(PassInfo<VolumeOpaque>& info) {
    info.summary("Combines a picture and its depth into the opaque background of media")
        .details("Use it before volume/fragments. The depth is clip-space depth, 0 near and 1 far "
                 "or nothing, as from scene/mesh_raster. Camera and scene must be the picture's, "
                 "because they give the near and far planes. Distances are from the eye along the "
                 "ray of each pixel. Without a picture, the color is \"background\"; without a "
                 "depth, all distances are infinite.")
        .complexity("O(texels)")
        .cost([](const VolumeOpaque& pass, const Graph& graph) {
            return picture_cost(graph, pass.color, pass.result, 40.0);
        });
    info.optional_input("color", &VolumeOpaque::color, "linear light; its size is the result's")
        .picture();
    info.optional_input("depth", &VolumeOpaque::depth, "clip-space depth of the same size")
        .depth_picture();
    info.optional_input("scene", &VolumeOpaque::scene, "the scene of the picture");
    info.parameter("width", &VolumeOpaque::width, "width of the result if no picture is connected")
        .range(1, kMaxVolumeSide)
        .unit("texels")
        .structural();
    info.parameter("height", &VolumeOpaque::height,
                   "height of the result if no picture is connected")
        .range(1, kMaxVolumeSide)
        .unit("texels")
        .structural();
    info.group("camera", &VolumeOpaque::camera);
    info.parameter("background", &VolumeOpaque::background,
                   "linear color if no picture is connected")
        .range(0.0, 65504.0);
    info.output("result", &VolumeOpaque::result,
                "rgba32_sfloat: color, and distance from the eye or infinity");
}

void VolumeOpaque::build(Graph& graph) {
    Extent extent{width, height, 1};
    if (color) extent = {graph.extent(color).width, graph.extent(color).height, 1};
    result = volume_picture(graph, "opaque", extent, Format::rgba32_sfloat);
    if (depth && color && !same_size(graph, color, "color", depth, "depth")) return;
    const auto view = volume_view(graph, scene, camera, extent.width, extent.height);
    if (!view) return;
    ComputeNodeBuilder node = graph.compute("volume/opaque", "distances");
    view->set(node);
    node.set("near_plane", view->camera.near_plane);
    node.set("far_plane", view->camera.far_plane);
    node.set("background", glm::vec4(background, 1.0f));
    node.read_optional("color", color, Sampler::nearest());
    node.read_optional("depth", depth, Sampler::nearest());
    result = node.write("result", result);
    view->dispatch(node);
}

TUFF_PASS(VolumeOpaque)

} // namespace tuff::passes
