#pragma once

#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>

namespace tuff::reference {

/// A point of a surface as glTF's metallic-roughness model sees it.
struct SurfacePoint {
    glm::dvec3 base_color{1.0};
    double metallic = 0.0;
    double roughness = 1.0; ///< perceptual
    glm::dvec3 normal{0.0, 0.0, 1.0};
};

/// Radiance towards `view` under a directional light of irradiance `irradiance` on a surface that
/// faces `light`. All directions are of unit length and point away from the surface. Source: glTF
/// 2.0 specification, appendix B, in double precision; masking and shadowing by Smith's Lambda.
glm::dvec3 sun_radiance(const SurfacePoint& point, glm::dvec3 view, glm::dvec3 light,
                        glm::dvec3 irradiance);

/// Towards a sun, angles in degrees; see SunParameters.
glm::dvec3 towards_sun(double azimuth, double elevation);

} // namespace tuff::reference
