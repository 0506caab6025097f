#include "tests/gpu/scene/mesh_raster_reference.hpp"

#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include <cmath>
#include <numbers>

namespace tuff::reference {
namespace {

double lambda(double cosine, double alpha) {
    const double tangent_squared = (1.0 - cosine * cosine) / (cosine * cosine);
    return 0.5 * (std::sqrt(1.0 + alpha * alpha * tangent_squared) - 1.0);
}

} // namespace

glm::dvec3 sun_radiance(const SurfacePoint& point, glm::dvec3 view, glm::dvec3 light,
                        glm::dvec3 irradiance) {
    const double n_dot_l = glm::dot(point.normal, light);
    const double n_dot_v = glm::dot(point.normal, view);
    if (n_dot_l <= 0.0 || n_dot_v <= 0.0) return glm::dvec3(0.0);
    const double alpha = point.roughness * point.roughness;
    const glm::dvec3 half = glm::normalize(light + view);
    const double n_dot_h = glm::dot(point.normal, half);
    const double b = n_dot_h * n_dot_h * (alpha * alpha - 1.0) + 1.0;
    const double distribution = alpha * alpha / (std::numbers::pi * b * b);
    const double seen = 1.0 / (1.0 + lambda(n_dot_l, alpha) + lambda(n_dot_v, alpha));
    const glm::dvec3 f0 =
        glm::dvec3(0.04) * (1.0 - point.metallic) + point.base_color * point.metallic;
    const glm::dvec3 fresnel =
        f0 + (1.0 - f0) * std::pow(1.0 - std::abs(glm::dot(view, half)), 5.0);
    const glm::dvec3 diffuse = point.base_color * ((1.0 - point.metallic) / std::numbers::pi);
    const glm::dvec3 reflected =
        (1.0 - fresnel) * diffuse + fresnel * (distribution * seen / (4.0 * n_dot_l * n_dot_v));
    return irradiance * n_dot_l * reflected;
}

glm::dvec3 towards_sun(double azimuth, double elevation) {
    const double a = glm::radians(azimuth);
    const double e = glm::radians(elevation);
    return {std::sin(a) * std::cos(e), std::sin(e), std::cos(a) * std::cos(e)};
}

} // namespace tuff::reference
