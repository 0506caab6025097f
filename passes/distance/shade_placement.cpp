#include "passes/distance/shade_placement.hpp"

#include <glm/ext/matrix_double3x3.hpp>
#include <glm/matrix.hpp>
#include <glm/trigonometric.hpp>

#include <cmath>

namespace tuff::passes {
namespace {

glm::dmat3 moved(double x, double y) {
    return {1, 0, 0, 0, 1, 0, x, y, 1};
}

} // namespace

ShadePlacement shade_placement(const ShadeDistance& pass, Extent field, Extent picture) {
    const double scale = static_cast<double>(pass.magnification);
    const double turn = glm::radians(static_cast<double>(pass.rotation));
    const double tilt = glm::radians(static_cast<double>(pass.tilt));
    const double eye = picture.height; // from the middle of the picture, pixels
    // Columns, as GLM has them. y points down, so the upper part is where it is negative: tilted,
    // that comes to lie farther away.
    const glm::dmat3 turned(scale * std::cos(turn), -scale * std::sin(turn), 0,
                            scale * std::sin(turn), scale * std::cos(turn), 0, 0, 0, 1);
    const glm::dmat3 tilted(1, 0, 0, 0, std::cos(tilt), -std::sin(tilt) / eye, 0, 0, 1);
    const glm::dmat3 to_picture = moved(0.5 * picture.width, 0.5 * picture.height) * tilted *
                                  turned *
                                  moved(-static_cast<double>(pass.center.x) * field.width,
                                        -static_cast<double>(pass.center.y) * field.height);
    const glm::dmat3 rows = glm::transpose(glm::inverse(to_picture));
    return {glm::vec3(rows[0]), glm::vec3(rows[1]), glm::vec3(rows[2])};
}

} // namespace tuff::passes
