#include "passes/raytrace/light.hpp"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <cmath>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxLightSamples = 8; // along a side

/// The sides of a rectangle that faces `direction`: the first one is level, turned by `roll`
/// degrees about the direction.
std::array<glm::vec3, 2> sides_of(glm::vec3 direction, glm::vec2 size, float roll) {
    const bool upright = std::abs(direction.y) > 0.999f;
    const glm::vec3 level = upright ? glm::vec3(1.0f, 0.0f, 0.0f)
                                    : glm::normalize(glm::cross(glm::vec3(0, 1, 0), direction));
    const glm::vec3 x = glm::normalize(level - glm::dot(level, direction) * direction);
    const glm::vec3 y = glm::cross(direction, x);
    const float c = std::cos(glm::radians(roll));
    const float s = std::sin(glm::radians(roll));
    return {size.x * (c * x + s * y), size.y * (c * y - s * x)};
}

} // namespace

std::vector<LightPoint> points_of(const RayLight& light) {
    LightPoint whole{
        .position = light.position, .direction = light.direction, .strength = light.strength};
    if (light.kind == LightKind::point) return {whole};
    if (light.kind == LightKind::spot) {
        const float inner = std::cos(glm::radians(light.inner_angle));
        const float outer = std::cos(glm::radians(light.outer_angle));
        whole.cone_scale = 1.0f / std::max(0.001f, inner - outer);
        whole.cone_offset = -outer * whole.cone_scale;
        return {whole};
    }
    whole.is_area = true;
    whole.cone_scale = 1.0f; // the cosine itself: the rectangle is seen from aside
    whole.cone_offset = 0.0f;
    const auto n = static_cast<float>(light.samples);
    whole.strength *= glm::length(light.sides[0]) * glm::length(light.sides[1]) / (n * n);
    std::vector<LightPoint> points;
    for (std::uint32_t y = 0; y < light.samples; ++y)
        for (std::uint32_t x = 0; x < light.samples; ++x) {
            points.push_back(whole);
            points.back().position += ((static_cast<float>(x) + 0.5f) / n - 0.5f) * light.sides[0] +
                                      ((static_cast<float>(y) + 0.5f) / n - 0.5f) * light.sides[1];
        }
    return points;
}

void MakeRayLight::describe(PassInfo<MakeRayLight>& info) {
    info.summary("Defines a point, spot or rectangle light for raytrace/whitted")
        .details(
            "Point and spot lights are those of glTF: the irradiance on a surface that faces them "
            "is \"intensity\" over the squared distance. A spot shines fully within the inner "
            "angle and not beyond the outer angle; in between it falls with the square of the "
            "share of the cosines.\n\nA rectangle has a radiance, as emissive surfaces do, and "
            "shines from the side towards \"direction\". It is cut into equal parts, \"samples\" "
            "along each side, with a shadow ray to the center of each; the light of a part is "
            "weighted by its form factor: the area times both cosines over the squared distance. "
            "So soft shadows have \"samples\" squared steps, the same in each frame. Close to the "
            "light, where a part is not small against its distance, it is too bright or too "
            "dark.\n\nLights are invisible; a shadow ray ends a ten-thousandth of its length "
            "before the light, so a lamp may be modelled there.")
        .source("Khronos, \"KHR_lights_punctual\", glTF 2.0 extension")
        .complexity("no kernel of its own: a shadow ray for each hit and light, for each hit and "
                    "part of a rectangle");
    info.parameter("kind", &MakeRayLight::kind, "kind of light").structural();
    info.parameter("position", &MakeRayLight::position,
                   "position of the light, or of a rectangle's center")
        .range(-1e6, 1e6);
    info.parameter("direction", &MakeRayLight::direction,
                   "direction that a spot or a rectangle shines to; any length but 0");
    info.parameter("color", &MakeRayLight::color, "linear color, multiplies the intensity")
        .range(0.0, 65504.0);
    info.parameter("intensity", &MakeRayLight::intensity,
                   "points and spots: irradiance at distance 1; rectangles: radiance")
        .range(0.0, 1e9);
    info.parameter("inner_angle", &MakeRayLight::inner_angle,
                   "angle from a spot's axis at which it starts to fade; less than \"outer_angle\"")
        .range(0.0, 90.0)
        .unit("degrees");
    info.parameter("outer_angle", &MakeRayLight::outer_angle,
                   "angle from a spot's axis at which it has faded")
        .range(0.0, 90.0)
        .unit("degrees");
    info.parameter("size", &MakeRayLight::size,
                   "width and height of a rectangle; its width is horizontal, or along x if it "
                   "faces up or down")
        .range(0.0, 1e6);
    info.parameter("roll", &MakeRayLight::roll, "rotates a rectangle about its direction")
        .unit("degrees");
    info.parameter("samples", &MakeRayLight::samples, "samples of a rectangle along each side")
        .range(1, kMaxLightSamples)
        .structural();
    info.output("light", &MakeRayLight::light, "for raytrace/whitted");
}

void MakeRayLight::build(Graph& graph) {
    if (!(glm::length(direction) > 0.0f) || !std::isfinite(glm::length(direction))) {
        graph.error("pass/out-of-range", "a light's direction has no length",
                    "set \"direction\" to where the light shines");
        return;
    }
    if (kind == LightKind::spot && inner_angle >= outer_angle) {
        graph.error("pass/out-of-range",
                    fmt::format("the inner angle of a spot is {} degrees, but its outer angle is "
                                "{}",
                                inner_angle, outer_angle),
                    "set \"inner_angle\" below \"outer_angle\"");
        return;
    }
    const glm::vec3 along = glm::normalize(direction);
    light = {.kind = kind,
             .position = position,
             .direction = along,
             .strength = color * intensity,
             .sides = sides_of(along, size, roll),
             .inner_angle = inner_angle,
             .outer_angle = outer_angle,
             .samples = samples};
}

TUFF_PASS(MakeRayLight)

} // namespace tuff::passes
