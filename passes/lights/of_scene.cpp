#include "passes/lights/of_scene.hpp"

#include "passes/common/constant_array.hpp"
#include "passes/common/picture.hpp"

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace tuff::passes {
namespace {

constexpr float kFarAway = 1e4f; // of directional lights, in radii of the scene

float brightest(glm::vec3 color) {
    return std::max({color.r, color.g, color.b, 0.0f});
}

/// Where a light of this intensity is as weak as the cutoff.
float range_of(const SceneLight& light, glm::vec3 intensity, float cutoff) {
    return light.range > 0.0f ? light.range : std::sqrt(brightest(intensity) / cutoff);
}

/// A constant, or with each execution another one where lights move.
template <typename T>
Buffer light_array(Graph& graph, std::string_view name, const std::vector<T>& values, bool moves) {
    if (!moves) return constant_array(graph, name, values);
    const auto bytes = std::as_bytes(std::span(values));
    return graph.upload(graph.buffer(name, {.size = bytes.size(), .stride = sizeof(T)}),
                        std::make_shared<const std::vector<std::byte>>(bytes.begin(), bytes.end()),
                        fmt::format("upload_{}", name));
}

struct PlacedSceneLight {
    glm::vec4 sphere;
    LightShade shade;
};

/// As good as parallel: a point that is far from the whole scene, and shines as far.
PlacedSceneLight far_light(const SceneLight& light, const Bounds& bounds, float scale) {
    const bool nothing = bounds.empty();
    const glm::vec3 middle = nothing ? glm::vec3(0.0f) : bounds.center();
    const float radius = nothing ? 1.0f : std::max(glm::distance(bounds.max, middle), 1e-3f);
    const float away = kFarAway * radius;
    PlacedSceneLight placed{.sphere = glm::vec4(middle - light.direction * away,
                                                std::numeric_limits<float>::infinity()),
                            .shade = {}};
    placed.shade.color = light.color * (light.intensity * scale * away * away);
    return placed;
}

PlacedSceneLight near_light(const SceneLight& light, float scale, float cutoff) {
    const glm::vec3 intensity = light.color * (light.intensity * scale);
    PlacedSceneLight placed{.sphere = glm::vec4(light.position, range_of(light, intensity, cutoff)),
                            .shade = {}};
    placed.shade.color = intensity;
    if (light.kind == SceneLightKind::spot) {
        placed.shade.direction = light.direction;
        placed.shade.cos_inner = std::cos(light.inner_angle);
        placed.shade.cos_outer = std::cos(light.outer_angle);
    }
    return placed;
}

} // namespace

void SceneLights::describe(PassInfo<SceneLights>& info) {
    info.summary("Makes the lights of a glTF file, at the positions of its nodes")
        .details(
            "The lights are those of KHR_lights_punctual: points, spots and directional "
            "lights. The intensity is the file's candela, or lux for directional lights, times "
            "\"scale\": a white surface that faces a light of intensity 1 at distance 1 has "
            "the radiance 1/pi. Exporters that write photometric values count 683 lumen per "
            "watt; \"scale\" 1/683 converts them to watts.\n\n"
            "A light without a range reaches as far as its illuminance is at least \"cutoff\". "
            "Directional lights become points at a distance of 10,000 radii of the scene with "
            "infinite range, which is within 0.02 % of parallel light. A black light has the "
            "range 0, emits nothing and counts as a bad light.\n\n"
            "After scene/animate, lights are at their animated positions.")
        .source("KHR_lights_punctual, an extension of glTF 2.0")
        .complexity("O(lights)");
    info.input("scene", &SceneLights::scene, "the scene whose lights are used");
    info.parameter("scale", &SceneLights::scale, "factor of all intensities")
        .range(0.0, 1e9)
        .structural();
    info.parameter("cutoff", &SceneLights::cutoff,
                   "illuminance, times \"scale\", at which lights without a range end")
        .range(0.0, 1e9, RangeEnds::open_low)
        .unit("lx")
        .structural();
    info.parameter("directional", &SceneLights::directional,
                   "includes directional lights; scene/mesh_raster has a sun of its own")
        .structural();
    info.output("lights", &SceneLights::lights, "the lights, in the order of the file's nodes");
}

void SceneLights::build(Graph& graph) {
    std::vector<glm::vec4> spheres;
    std::vector<LightShade> shades;
    for (const SceneLight& light : scene.data->lights) {
        const bool far = light.kind == SceneLightKind::directional;
        if (far && !directional) continue;
        const PlacedSceneLight placed =
            far ? far_light(light, scene.data->bounds, scale) : near_light(light, scale, cutoff);
        spheres.push_back(placed.sphere);
        shades.push_back(placed.shade);
    }
    const auto count = static_cast<std::uint32_t>(spheres.size());
    if (!in_range(graph, "lights", count, 0, kMaxPlacedLights)) return;
    if (spheres.empty()) {
        spheres.emplace_back(0.0f);
        shades.emplace_back();
    }
    const bool moves = scene.data->motion != nullptr;
    lights = {.spheres = light_array(graph, "spheres", spheres, moves),
              .shades = light_array(graph, "shades", shades, moves),
              .count = count};
}

TUFF_PASS(SceneLights)

} // namespace tuff::passes
