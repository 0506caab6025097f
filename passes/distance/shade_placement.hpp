#pragma once

#include "passes/distance/shade.hpp"

#include <glm/vec3.hpp>

namespace tuff::passes {

/// Leads from pixels of the picture to texels of the field: the point (x, y) of the picture is at
/// (dot(x, p), dot(y, p)) / dot(w, p) in the field, with p = (x, y, 1); where dot(w, p) is not
/// above 0, nothing is seen there.
struct ShadePlacement {
    glm::vec3 x{};
    glm::vec3 y{};
    glm::vec3 w{};
};
ShadePlacement shade_placement(const ShadeDistance& pass, Extent field, Extent picture);

} // namespace tuff::passes
