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

} // namespace tuff::passes
