#include "passes/mapping/frame.hpp"

namespace tuff::passes {

void MappingFrame::describe(PassInfo<MappingFrame>& info) {
    info.summary("Makes a frame in metres from recorded pictures of a depth camera")
        .details(
            "16-bit pictures are read as numbers from 0 to 1. So \"scale\" is 65.535 for "
            "depths in millimetres (7-Scenes, where 65535, a value of 1, means no depth) and "
            "13.107 for TUM's recordings (5000 is one metre). Depths that are 0, negative, not "
            "finite or equal to \"invalid\" become 0. The color is resampled to the depth's "
            "size.")
        .source("J. Sturm et al., \"A Benchmark for the Evaluation of RGB-D SLAM Systems\", IROS "
                "2012; J. Shotton et al., \"Scene Coordinate Regression Forests for Camera "
                "Relocalization in RGB-D Images\", CVPR 2013")
        .complexity("O(pixels)")
        .cost([](const MappingFrame& pass, const Graph& graph) {
            const Extent extent = graph.extent(pass.depth);
            return Cost{.bytes = 20.0 * extent.width * extent.height, .operations = 0.0};
        });
    info.input("depth", &MappingFrame::depth, "depth, in the first channel").picture();
    info.optional_input("color", &MappingFrame::color,
                        "color from the same viewpoint; without it white")
        .picture();
    info.parameter("scale", &MappingFrame::scale, "metres of a depth of 1 in the picture")
        .range(0.0, 1e6, RangeEnds::open_low);
    info.parameter("invalid", &MappingFrame::invalid, "value of the picture that means no depth");
    info.parameter("intrinsics", &MappingFrame::intrinsics,
                   "focal lengths along x and y, and the principal point, in pixels")
        .unit("pixels");
    info.parameter("range", &MappingFrame::range, "smallest and largest depth that is used")
        .range(0.01, 1000.0)
        .unit("metres");
    info.output("result", &MappingFrame::result, "the frame: depth and color");
}

void MappingFrame::build(Graph& graph) {
    const Extent extent = graph.extent(depth);
    RgbdFrame made{.depth = graph.image("depth", {.format = Format::r32_sfloat, .extent = extent}),
                   .color = graph.image("color", {.format = Format::rgba8_unorm, .extent = extent}),
                   .intrinsics = intrinsics,
                   .range = range};
    if (!is_valid(graph, made)) return;
    ComputeNodeBuilder node = graph.compute("mapping/frame");
    node.set("size", glm::uvec2(extent.width, extent.height));
    node.set("scale", scale);
    node.set("invalid", invalid);
    node.read("source_depth", ImageView(depth).mip(0));
    node.read_optional("source_color", color ? ImageView(color).mip(0) : ImageView(), Sampler{});
    made.depth = node.write("depth", made.depth);
    made.color = node.write("color", made.color);
    node.dispatch_over(extent);
    result = made;
}

TUFF_PASS(MappingFrame)

} // namespace tuff::passes
