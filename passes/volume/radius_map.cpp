#include "passes/volume/radius_map.hpp"

#include <algorithm>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kLeastSize = 4;
constexpr std::uint32_t kMaxSize = 1024;

} // namespace

void MakeRadiusMap::describe(PassInfo<MakeRadiusMap>& info) {
    info.summary("Makes a bumpy shape for spheres of media: a cube map of radii")
        .details("The radii are smooth noise on the sphere between \"least\" and \"most\", as "
                 "shares of the sphere's radius. The body contains all points nearer to the center "
                 "than the radius in their direction. A ray finds it in one step from the sphere's "
                 "surface, which is accurate where the radius varies slowly.")
        .source("Szecsi, Barta and Kovacs, \"Volumetric Transparency with Per-Pixel Fragment "
                "Lists\", GPU Pro 3, 2012; Szirmay-Kalos et al., \"Approximate Ray-Tracing on the "
                "GPU with Distance Impostors\", Eurographics 2005")
        .complexity("O(texels)")
        .cost([](const MakeRadiusMap& pass, const Graph&) {
            const double texels = 6.0 * pass.size * pass.size;
            return Cost{.bytes = 8.0 * texels, .operations = 600.0 * texels};
        });
    info.parameter("size", &MakeRadiusMap::size, "size of a face of the cube")
        .range(kLeastSize, kMaxSize)
        .unit("texels")
        .structural();
    info.parameter("least", &MakeRadiusMap::least, "least radius").range(0.0, 1.0);
    info.parameter("most", &MakeRadiusMap::most, "greatest radius").range(0.0, 1.0);
    info.parameter("frequency", &MakeRadiusMap::frequency, "approximate number of bumps per radian")
        .range(0.0, 64.0);
    info.parameter("seed", &MakeRadiusMap::seed, "seed of the shape");
    info.output("map", &MakeRadiusMap::map, "for volume/fragments");
}

void MakeRadiusMap::build(Graph& graph) {
    ComputeNodeBuilder node = graph.compute("volume/radius_map");
    node.set("least", std::min(least, most));
    node.set("most", std::max(least, most));
    node.set("frequency", frequency);
    node.set("seed", seed);
    map.cube = node.write("radii", graph.image("radii", {.format = Format::rgba16_sfloat,
                                                         .extent = {size, size, 1},
                                                         .layers = 6,
                                                         .shape = ImageShape::cube}));
    node.dispatch_over({size, size, 6});
}

TUFF_PASS(MakeRadiusMap)

} // namespace tuff::passes
