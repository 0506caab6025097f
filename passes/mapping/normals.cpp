#include "passes/mapping/normals.hpp"

namespace tuff::passes {

void MappingNormals::describe(PassInfo<MappingNormals>& info) {
    info.summary("Computes the surfaces that a frame shows: depths and normals at three levels")
        .details(
            "A bilateral filter of 5 x 5 pixels smooths the depths and keeps edges and curved "
            "surfaces: two opposite pixels count by how near their mean is to the pixel between "
            "them, and by less where pixels are wider than the noise. So it does not move "
            "slanted planes. A normal is the cross product of the differences between neighbours on the same surface. A "
            "texel of a coarser level is the mean of four texels, at least three, of one "
            "surface. The pass is one kernel, whose groups keep their part of the picture in "
            "shared memory.")
        .source("R. Newcombe et al., \"KinectFusion: Real-Time Dense Surface Mapping and "
                "Tracking\", ISMAR 2011, section 3.2")
        .complexity("O(pixels)")
        .cost([](const MappingNormals& pass, const Graph& graph) {
            const Extent extent = graph.extent(pass.frame.depth);
            // Depth and color read, 20 bytes a texel of each level written; 25 exponentials.
            const double pixels = double(extent.width) * extent.height;
            return Cost{.bytes = (8.0 + 20.0 * 1.3125) * pixels, .operations = 300.0 * pixels};
        });
    info.input("frame", &MappingNormals::frame, "depth and color of the camera");
    info.parameter("smooth", &MappingNormals::smooth,
                   "smoothing: range of the bilateral filter, in standard deviations of a "
                   "Kinect's noise; 0: off")
        .range(0.0, 100.0);
    info.parameter(
            "edge", &MappingNormals::edge,
            "neighbours whose depths differ by more than this, and by more than three pixels' "
            "width, are on different surfaces")
        .range(0.0, 10.0)
        .unit("metres");
    info.output("maps", &MappingNormals::maps, "the surfaces: geometry and brightness");
}

void MappingNormals::build(Graph& graph) {
    if (!is_valid(graph, frame)) return;
    const Extent extent = graph.extent(frame.depth);
    RgbdMaps made = make_maps(graph, extent, frame.intrinsics, frame.range);
    ComputeNodeBuilder node = graph.compute("mapping/maps");
    node.set("intrinsics", frame.intrinsics);
    node.set("size", glm::ivec2(extent.width, extent.height));
    node.set("range", frame.range);
    node.set("edge", edge);
    node.set("smooth_by", smooth);
    node.read("depth", ImageView(frame.depth).mip(0));
    node.read("color", ImageView(frame.color).mip(0));
    write_maps(node, made);
    node.dispatch_over(extent);
    maps = made;
}

TUFF_PASS(MappingNormals)

} // namespace tuff::passes
