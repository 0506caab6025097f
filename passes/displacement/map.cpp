#include "passes/displacement/map.hpp"

#include <glm/vec2.hpp>

namespace tuff::passes {

void MakeDisplacement::describe(PassInfo<MakeDisplacement>& info) {
    info.summary("Makes a displacement map from a formula")
        .details("The map is for a quad whose texture coordinates go from 0 to 1, the first "
                 "along x, the second along -z.\n\n"
                 "\"mushroom\" shapes the quad into a stem and an overhanging cap. "
                 "\"cylinder\" and \"sphere\" bend it by \"bend\". These three are vector "
                 "displacements; those of the mushroom are 0 at the quad's edges. \"bark\" has "
                 "heights in its first channel, for displacement along the normal, and repeats "
                 "in both directions.")
        .complexity("O(texels)")
        .cost([](const MakeDisplacement& pass, const Graph&) {
            const double texels = static_cast<double>(pass.width) * pass.height;
            return Cost{.bytes = 16.0 * texels, .operations = 100.0 * texels};
        });
    info.parameter("shape", &MakeDisplacement::shape, "shape of the displaced quad").structural();
    info.parameter("width", &MakeDisplacement::width, "width of the map")
        .range(1, 16384)
        .unit("texels")
        .structural();
    info.parameter("height", &MakeDisplacement::height, "height of the map")
        .range(1, 16384)
        .unit("texels")
        .structural();
    info.parameter("side", &MakeDisplacement::side,
                   "size of the quad; displacements are "
                   "proportional to it")
        .range(0.0, 1e6);
    info.parameter(
            "bend", &MakeDisplacement::bend,
            "cylinder: the angle from edge to edge; sphere: twice the angle from the center to "
            "an edge")
        .range(0.0, 6.2831853)
        .unit("radians");
    info.parameter("detail", &MakeDisplacement::detail, "amplitude of small details; 0: none")
        .range(0.0, 4.0);
    info.parameter("seed", &MakeDisplacement::seed, "seed of the small details").range(0, 65535);
    info.output("result", &MakeDisplacement::result, "rgba32_sfloat");
}

void MakeDisplacement::build(Graph& graph) {
    const Extent extent{width, height, 1};
    ComputeNodeBuilder node = graph.compute("displacement/map");
    node.specialize("kind", static_cast<std::uint32_t>(shape));
    node.set("size", glm::uvec2(width, height));
    node.set("side", side);
    node.set("bend", bend);
    node.set("detail", detail);
    node.set("seed", seed);
    result = node.write("result",
                        graph.image("result", {.format = Format::rgba32_sfloat, .extent = extent}));
    node.dispatch_over(extent);
}

TUFF_PASS(MakeDisplacement)

} // namespace tuff::passes
