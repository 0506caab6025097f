#include "passes/mapping/points.hpp"

namespace tuff::passes {

void MappingPoints::describe(PassInfo<MappingPoints>& info) {
    info.summary("Makes the points of a frame for octree/fuse: hits and free rays")
        .details("Each pixel gives a record: its position in the world and its color. Pixels "
                 "beyond the range become points at the range's end with alpha 0; the space up "
                 "to them is free. Pixels without depth have the position NaN, and octree/fuse "
                 "ignores them. A lost camera has no points.")
        .source("D. Kotfis and P. Cozzi, \"Octree Mapping from a Depth Camera\", GPU Pro 7, 2016")
        .complexity("O(pixels)")
        .cost([](const MappingPoints& pass, const Graph& graph) {
            const Extent extent = graph.extent(pass.frame.depth);
            const double pixels = double(extent.width) * extent.height;
            return Cost{.bytes = 24.0 * pixels, .operations = 30.0 * pixels};
        });
    info.input("frame", &MappingPoints::frame, "depth and color of the camera");
    info.input("pose", &MappingPoints::pose, "pose, camera to world").elements<glm::vec4>();
    info.output("points", &MappingPoints::points, "one record a pixel").elements<MappingPoint>();
    info.output("count", &MappingPoints::count,
                "number of points: all pixels, or 0 for a lost "
                "camera")
        .elements<std::uint32_t>();
    info.output("matrix", &MappingPoints::matrix, "the pose as four columns").elements<glm::vec4>();
}

void MappingPoints::build(Graph& graph) {
    if (!is_valid(graph, frame) || !is_pose(graph, pose, "pose")) return;
    const Extent extent = graph.extent(frame.depth);
    const std::uint64_t pixels = std::uint64_t{extent.width} * extent.height;
    ComputeNodeBuilder node = graph.compute("mapping/points");
    node.set("intrinsics", frame.intrinsics);
    node.set("size", glm::uvec2(extent.width, extent.height));
    node.set("range", frame.range);
    node.read("depth", ImageView(frame.depth).mip(0));
    node.read("color", ImageView(frame.color).mip(0));
    node.read("camera_pose", pose);
    node.match<MappingPoint>("points");
    points = node.write("points", graph.buffer("points", {.size = 16 * pixels, .stride = 16}));
    count = node.write("count", graph.buffer("count", {.size = 4, .stride = 4}));
    matrix = node.write("matrix", graph.buffer("matrix", kPoseDesc));
    node.dispatch_each(static_cast<std::uint32_t>(pixels));
}

TUFF_PASS(MappingPoints)

} // namespace tuff::passes
