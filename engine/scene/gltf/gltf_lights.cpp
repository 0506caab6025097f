#include "scene/gltf/gltf_lights.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace tuff::gltf {

std::optional<std::size_t> light_of(const tinygltf::Node& node) {
    const auto extension = node.extensions.find("KHR_lights_punctual");
    if (extension == node.extensions.end() || !extension->second.Has("light")) return {};
    return static_cast<std::size_t>(extension->second.Get("light").GetNumberAsInt());
}

Result<SceneLight> read_light(const tinygltf::Model& model, std::size_t index) {
    const auto refuse = [&](std::string_view what) {
        return fail("gltf/schema", fmt::format("light {}: {}", index, what));
    };
    if (index >= model.lights.size()) return refuse("there is no such light");
    const tinygltf::Light& source = model.lights[index];
    SceneLight light{.name = source.name};
    if (source.type == "directional")
        light.kind = SceneLightKind::directional;
    else if (source.type == "point")
        light.kind = SceneLightKind::point;
    else if (source.type == "spot")
        light.kind = SceneLightKind::spot;
    else
        return refuse(fmt::format("its type is '{}', not directional, point or spot", source.type));
    for (std::size_t c = 0; c < 3 && source.color.size() == 3; ++c)
        light.color[static_cast<int>(c)] = static_cast<float>(source.color[c]);
    light.intensity = static_cast<float>(source.intensity);
    light.range = static_cast<float>(source.range);
    if (!(light.intensity >= 0.0f && std::isfinite(light.intensity)) ||
        !(light.range >= 0.0f && std::isfinite(light.range)))
        return refuse("its intensity or range is negative or not finite");
    if (light.kind != SceneLightKind::spot) return light;
    constexpr double kMaxAngle = std::numbers::pi / 2.0 + 1e-6; // exporters round
    if (!(source.spot.innerConeAngle >= 0.0 &&
          source.spot.innerConeAngle <= source.spot.outerConeAngle &&
          source.spot.outerConeAngle > 0.0 && source.spot.outerConeAngle <= kMaxAngle))
        return refuse("its angles do not fulfil 0 <= inner <= outer <= a right angle");
    light.inner_angle = static_cast<float>(source.spot.innerConeAngle);
    light.outer_angle = static_cast<float>(source.spot.outerConeAngle);
    return light;
}

} // namespace tuff::gltf
