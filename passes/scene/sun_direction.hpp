#pragma once

#include <glm/trigonometric.hpp>
#include <glm/vec3.hpp>

#include <cmath>

namespace tuff::passes {

/// The unit vector towards a sun, of angles in degrees: azimuth 0 is +z, 90 +x; elevation 90 is +y.
inline glm::vec3 sun_direction(float azimuth, float elevation) {
    const float around = glm::radians(azimuth);
    const float above = glm::radians(elevation);
    return {std::sin(around) * std::cos(above), std::sin(above),
            std::cos(around) * std::cos(above)};
}

/// Declares what suns have in common, for the `describe_fields` of a parameter group with these
/// fields.
template <typename Sun>
void describe_sun(auto&& field) {
    field("azimuth", &Sun::azimuth, "0 shines from +z, 90 from +x").unit("degrees");
    field("elevation", &Sun::elevation, "elevation above the horizon; 90 shines straight down")
        .range(-90.0, 90.0)
        .unit("degrees");
    field("color", &Sun::color, "linear color, multiplies the intensity").range(0.0, 65504.0);
    field("intensity", &Sun::intensity, "irradiance on a surface that faces the sun; 0: off")
        .range(0.0, 65504.0);
}

} // namespace tuff::passes
