#include "passes/mapping/composite.hpp"

#include <cmath>
#include <numbers>

namespace tuff::passes {

void MappingComposite::describe(PassInfo<MappingComposite>& info) {
    info.summary("Composites a virtual hare into the picture of a depth camera, with occlusion")
        .details("The hare is a distance field of smoothly joined ellipsoids with its feet at "
                 "\"position\". Rays march to it from the camera's pose. It is hidden where the "
                 "frame's depth, or the map's depth from the same pose (\"maps\" of mapping/view), "
                 "is nearer. A map has depths even where the camera has measured none. Light comes "
                 "from above, and the floor below the hare is darkened. The picture of a lost "
                 "camera is not changed.")
        .source("D. Kotfis and P. Cozzi, \"Octree Mapping from a Depth Camera\", GPU Pro 7, 2016, "
                "section 18.1.1")
        .complexity("O(pixels)")
        .cost([](const MappingComposite& pass, const Graph& graph) {
            const Extent extent = graph.extent(pass.frame.depth);
            const double pixels = double(extent.width) * extent.height;
            return Cost{.bytes = 12.0 * pixels, .operations = 2000.0 * pixels};
        });
    info.input("frame", &MappingComposite::frame, "depth and color of the camera");
    info.input("pose", &MappingComposite::pose, "pose, camera to world").elements<glm::vec4>();
    info.optional_input("maps", &MappingComposite::maps,
                        "the map seen from the same pose, of the frame's size");
    info.parameter("position", &MappingComposite::position, "position of the hare's feet")
        .unit("metres");
    info.parameter("size", &MappingComposite::size, "height of the hare")
        .range(1e-3, 1000.0)
        .unit("metres");
    info.parameter("turn", &MappingComposite::turn, "rotation about the vertical axis")
        .unit("degrees");
    info.parameter("color", &MappingComposite::color, "color of the hare").range(0.0, 1.0);
    info.parameter("margin", &MappingComposite::margin,
                   "how much nearer a surface must be to hide the hare")
        .range(0.0, 10.0)
        .unit("metres");
    info.output("result", &MappingComposite::result, "rgba8_unorm");
}

void MappingComposite::build(Graph& graph) {
    if (!is_valid(graph, frame) || !is_pose(graph, pose, "pose")) return;
    const Extent extent = graph.extent(frame.depth);
    if (maps && graph.extent(maps.geometry[0]) != extent) {
        graph.error("mapping/bad-frame", "the view of the map does not have the frame's size",
                    "give mapping/view the frame's width, height and intrinsics");
        return;
    }
    ComputeNodeBuilder node = graph.compute("mapping/composite");
    node.set("intrinsics", frame.intrinsics);
    node.set("size", glm::ivec2(extent.width, extent.height));
    node.set("place", position);
    node.set("height", size);
    node.set("hue", color);
    node.set("margin", margin);
    node.set("turn", turn * std::numbers::pi_v<float> / 180.0f);
    node.read("depth", ImageView(frame.depth).mip(0));
    node.read("color", ImageView(frame.color).mip(0));
    node.read("camera_pose", pose);
    node.read_optional("map_geometry", maps ? ImageView(maps.geometry[0]) : ImageView());
    result = node.write("result",
                        graph.image("result", {.format = Format::rgba8_unorm, .extent = extent}));
    node.dispatch_over(extent);
}

TUFF_PASS(MappingComposite)

} // namespace tuff::passes
