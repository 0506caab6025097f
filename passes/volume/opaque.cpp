#include "passes/volume/opaque.hpp"

#include "passes/common/picture.hpp"
#include "passes/scene/scene_draws.hpp"

#include <algorithm>

namespace tuff::passes {

void VolumeOpaque::describe(PassInfo<VolumeOpaque>& info) {
    info.summary("Makes of a picture and its depth what media are seen in front of")
        .details("Depth is that of clip space, 0 near and 1 far or nothing, as scene/mesh_raster "
                 "gives it; camera and scene must be those that the picture was drawn with, for "
                 "its near and far planes are theirs. Distances are from the eye along the ray of "
                 "each pixel. Without a picture, \"background\" is everywhere; without a depth, "
                 "nothing is in the way of media.")
        .complexity("O(texels)")
        .cost([](const VolumeOpaque& pass, const Graph& graph) {
            return picture_cost(graph, pass.color, pass.result, 40.0);
        });
    info.optional_input("color", &VolumeOpaque::color, "linear light; its size is the result's")
        .picture();
    info.optional_input("depth", &VolumeOpaque::depth, "clip-space depth of the same size")
        .depth_picture();
    info.optional_input("scene", &VolumeOpaque::scene, "that the picture shows");
    info.parameter("width", &VolumeOpaque::width, "of the result where no picture is connected")
        .range(1, kMostVolumeSide)
        .unit("texels")
        .structural();
    info.parameter("height", &VolumeOpaque::height, "likewise")
        .range(1, kMostVolumeSide)
        .unit("texels")
        .structural();
    info.group("camera", &VolumeOpaque::camera);
    info.parameter("background", &VolumeOpaque::background,
                   "linear colour where no picture is connected")
        .range(0.0, 65504.0);
    info.output("result", &VolumeOpaque::result,
                "rgba32_sfloat: colour, and distance from the eye or infinity");
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
