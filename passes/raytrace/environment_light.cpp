#include "passes/raytrace/environment_light.hpp"

#include "passes/primitives/scan.hpp"
#include "passes/scene/environment.hpp"
#include "passes/scene/sun_direction.hpp"

namespace tuff::passes {
namespace {

constexpr std::uint32_t kTableCells = 256 * 128; // as in raytrace/shade_path.comp

Sampler around_sampler() {
    Sampler sampler;
    sampler.address_u = AddressMode::repeat;
    return sampler;
}

} // namespace

EnvironmentLight surroundings(Graph& graph, const EnvironmentMap& map, glm::vec3 ambient) {
    if (map) return {.map = map, .scale = glm::vec3(map.intensity), .even = false};
    return {.map = even_environment(graph), .scale = ambient, .even = true};
}

void bind_lights(ComputeNodeBuilder& node, const SunLight& sun, const EnvironmentLight& around) {
    node.set("sun_direction", sun_direction(sun.azimuth, sun.elevation));
    node.set("sun_irradiance", sun.color * sun.intensity);
    node.set("environment_scale", around.scale);
    node.set("environment_rotation", around.map.rotation);
    node.read("panorama", around.map.panorama, around_sampler());
}

Buffer environment_sums(Graph& graph, Image panorama) {
    ComputeNodeBuilder node = graph.compute("raytrace/environment_weights", "weights");
    node.read("panorama", panorama, around_sampler());
    const Buffer weights = node.write("weights", array(graph, "weights", kTableCells));
    node.dispatch_each(kTableCells);
    return graph
        .add(Scan{.source = weights,
                  .length = kTableCells,
                  .type = Element::f32,
                  .operation = Combine::sum,
                  .kind = ScanKind::inclusive,
                  .method = ScanMethod::three_pass}, // sums of floats, always in the same order
             "sums")
        .result;
}

} // namespace tuff::passes
