#include "passes/raytrace/heat_map.hpp"

#include "passes/bvh/cast.hpp"
#include "passes/raytrace/primary.hpp"

#include <glm/vec2.hpp>

#include <algorithm>

namespace tuff::passes {

void HeatMap::describe(PassInfo<HeatMap>& info) {
    info.summary("Shows how many boxes and triangles the ray of each pixel is tested against")
        .details("Use it to compare hierarchies and traversals. Black is no test, followed by "
                 "blue, green and yellow; white is \"most\" tests or more. \"work\" has the "
                 "numbers of boxes and triangles for each ray, in the order of raytrace/primary. "
                 "Each test of a ray against a box counts: two for a binary node, eight for a wide "
                 "node.")
        .source("A. Garcia, S. Murguia, U. Olivares and F. F. Ramos, \"Fast Parallel Construction "
                "of Stack-Less Complete LBVH Trees with Efficient Bit-Trail Traversal for Ray "
                "Tracing\", VRCAI 2014")
        .complexity("O(pixels * log triangles)")
        .cost([](const HeatMap& pass, const Graph&) {
            const double rays = static_cast<double>(pass.width) * pass.height;
            return Cost{.bytes = (2.0 * 32.0 + 16.0 + 2.0 * 8.0 + 16.0) * rays,
                        .operations = 600.0 * rays};
        });
    info.input("scene", &HeatMap::scene, "the scene that the camera looks at");
    info.input("bvh", &HeatMap::bvh, "the hierarchy");
    info.parameter("width", &HeatMap::width, "width of the picture")
        .range(1, kMaxTracedSide)
        .unit("texels")
        .structural();
    info.parameter("height", &HeatMap::height, "height of the picture")
        .range(1, kMaxTracedSide)
        .unit("texels")
        .structural();
    info.group("camera", &HeatMap::camera);
    info.parameter("traversal", &HeatMap::traversal, "how rays go through the hierarchy")
        .structural();
    info.parameter("test", &HeatMap::test, "test of rays against triangles").structural();
    info.parameter("shown", &HeatMap::shown, "tests to count").structural();
    info.parameter("most", &HeatMap::most, "number of tests shown white").range(1.0, 1e6);
    info.output("color", &HeatMap::color, "rgba16_sfloat");
    info.output("work", &HeatMap::work, "two words a ray: boxes and triangles")
        .elements<glm::uvec2>();
}

void HeatMap::build(Graph& graph) {
    color = graph.image("color", {.format = Format::rgba16_sfloat, .extent = {width, height, 1}});
    const Buffer rays =
        graph.add(PrimaryRays{.scene = scene, .width = width, .height = height, .camera = camera})
            .rays;
    if (!rays) return;
    work =
        graph
            .add(CastRays{
                .bvh = bvh, .rays = rays, .traversal = traversal, .test = test, .with_work = true})
            .work;
    const TiledSize size{width, height};
    ComputeNodeBuilder node = graph.compute("raytrace/heat");
    node.read("work", work);
    node.set("size", glm::uvec2(width, height));
    node.set("tiles_per_row", size.tiles_per_row());
    node.set("slots", size.slots());
    node.set("most", most);
    node.specialize("shown", static_cast<std::uint32_t>(shown));
    color = node.write("result", color);
    node.dispatch_each(size.slots());
}

TUFF_PASS(HeatMap)

} // namespace tuff::passes
