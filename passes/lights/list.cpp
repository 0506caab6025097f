#include "passes/lights/list.hpp"

#include "passes/common/constant_array.hpp"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <cmath>

namespace tuff::passes {
namespace {

constexpr std::size_t kPlaceNumbers = 4;
constexpr std::size_t kColorNumbers = 3;
constexpr std::size_t kSpotNumbers = 5;

bool has_whole_lights(Graph& graph, const ListLights& pass) {
    const std::size_t count = pass.places.size() / kPlaceNumbers;
    const auto refuse = [&](std::string_view name, std::size_t numbers, std::size_t each) {
        graph.error("lights/list-length",
                    fmt::format("parameter \"{}\" has {} numbers, but {} lights take {} each", name,
                                numbers, count, each),
                    "give \"places\" 4 numbers a light, \"colors\" 3, and \"spots\" none or 5");
        return false;
    };
    if (pass.places.size() % kPlaceNumbers != 0) {
        graph.error("lights/list-length",
                    fmt::format("parameter \"places\" has {} numbers, but a light takes {}",
                                pass.places.size(), kPlaceNumbers),
                    "give each light x, y, z and a range");
        return false;
    }
    if (count > kMaxPlacedLights) {
        graph.error("lights/list-length",
                    fmt::format("parameter \"places\" has {} lights, but there may be at most {}",
                                count, kMaxPlacedLights),
                    "use fewer lights");
        return false;
    }
    if (pass.colors.size() != count * kColorNumbers)
        return refuse("colors", pass.colors.size(), kColorNumbers);
    if (!pass.spots.empty() && pass.spots.size() != count * kSpotNumbers)
        return refuse("spots", pass.spots.size(), kSpotNumbers);
    return true;
}

/// Sets the cone that five numbers mean: a direction, an inner and an outer angle.
bool set_cone(Graph& graph, std::span<const float> numbers, std::size_t light, LightShade& shade) {
    const glm::vec3 direction(numbers[0], numbers[1], numbers[2]);
    const float inner = numbers[3];
    const float outer = numbers[4];
    if (outer == 0.0f) return true;
    const float length = glm::length(direction);
    if (!(length > 0.0f && std::isfinite(length) && inner >= 0.0f && inner <= outer &&
          outer <= 180.0f)) {
        graph.error("lights/bad-cone",
                    fmt::format("light {} has the direction ({}, {}, {}) and angles of {} and {} "
                                "degrees",
                                light, direction.x, direction.y, direction.z, inner, outer),
                    "give a direction that is not 0, and angles with 0 <= inner <= outer <= "
                    "180; an outer angle of 0 makes a point light");
        return false;
    }
    shade.direction = direction / length;
    shade.cos_inner = std::cos(glm::radians(inner));
    shade.cos_outer = std::cos(glm::radians(outer));
    return true;
}

} // namespace

void ListLights::describe(PassInfo<ListLights>& info) {
    info.summary("Makes lights from listed numbers")
        .details("Lights are point lights, or spots if \"spots\" has numbers. The intensity falls "
                 "off with the square of the distance, and smoothly to 0 at the range. Errors: "
                 "lights/list-length, lights/bad-cone.")
        .source("KHR_lights_punctual, an extension of glTF 2.0 (units and cones)")
        .complexity("O(lights)");
    info.parameter("places", &ListLights::places, "x, y, z and range of each light")
        .unit("world units")
        .structural();
    info.parameter("colors", &ListLights::colors, "linear red, green and blue of each light")
        .unit("cd")
        .structural();
    info.parameter(
            "spots", &ListLights::spots,
            "five numbers a light: direction x, y, z, then the angles in degrees from the axis "
            "to where the light begins to fade, and to where it is dark; a second angle of 0 "
            "makes a point light")
        .structural();
    info.output("lights", &ListLights::lights, "the lights, in the order of the lists");
}

void ListLights::build(Graph& graph) {
    if (!has_whole_lights(graph, *this)) return;
    const std::size_t count = places.size() / kPlaceNumbers;
    std::vector<glm::vec4> spheres(std::max<std::size_t>(count, 1), glm::vec4(0.0f));
    std::vector<LightShade> shades(spheres.size());
    for (std::size_t i = 0; i < count; ++i) {
        const float* place = &places[i * kPlaceNumbers];
        const float* color = &colors[i * kColorNumbers];
        spheres[i] = {place[0], place[1], place[2], place[3]};
        shades[i].color = {color[0], color[1], color[2]};
        if (!spots.empty() &&
            !set_cone(graph, std::span(spots).subspan(i * kSpotNumbers, kSpotNumbers), i,
                      shades[i]))
            return;
    }
    lights = {.spheres = constant_array(graph, "spheres", spheres),
              .shades = constant_array(graph, "shades", shades),
              .count = static_cast<std::uint32_t>(count)};
}

void LightBuffers::describe(PassInfo<LightBuffers>& info) {
    info.summary("Makes lights from arrays of other passes or files")
        .details(
            "A light whose position or color is not finite, or whose range is not "
            "positive, emits nothing. Passes that find the lights of tiles or clusters report how "
            "many there are (lights/bad-light); passes that try all lights do not count them.")
        .complexity("O(1)");
    info.input("spheres", &LightBuffers::spheres,
               "position in the world and range of each "
               "light")
        .elements<glm::vec4>();
    info.input("shades", &LightBuffers::shades,
               "two vec4 a light: color (candela) and cosine of the inner angle; direction (of "
               "length 1) and cosine of the outer angle, -2 for point lights")
        .elements<LightShade>();
    info.parameter("count", &LightBuffers::count,
                   "number of lights; 0: as many as \"spheres\" "
                   "has")
        .range(0, kMaxPlacedLights)
        .structural();
    info.output("lights", &LightBuffers::lights, "lights with the same buffers");
}

void LightBuffers::build(Graph& graph) {
    const std::uint64_t held = graph.desc(spheres).size / sizeof(glm::vec4);
    const std::uint64_t wanted = count > 0 ? count : held;
    const Lights given{
        .spheres = spheres,
        .shades = shades,
        .count = static_cast<std::uint32_t>(std::min<std::uint64_t>(wanted, kMaxPlacedLights + 1))};
    if (!is_valid(graph, given)) return;
    lights = given;
}

TUFF_PASS(ListLights)
TUFF_PASS(LightBuffers)

} // namespace tuff::passes
