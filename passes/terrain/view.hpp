#pragma once

#include "passes/scene/camera_parameters.hpp"
#include "passes/terrain/surface.hpp"

#include <tuff/camera.hpp>
#include <tuff/graph.hpp>

#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include <array>
#include <cstdint>
#include <optional>

namespace tuff::passes {

/// Units per side of the square in which eyes and cells are counted.
inline constexpr double kUnitsOfSide = 2147483648.0; // 2^31

/// A camera as the kernels of trees read it.
struct TerrainView {
    Camera camera;
    glm::mat4 clip_from_world{1.0f};
    std::array<glm::vec4, 6> planes{}; ///< n and d: inside where dot(n, p) + d >= 0
    glm::uvec2 eye_cell{0};            ///< position in units of 2^-31 of the side
    glm::vec2 eye_rest{0.0f};
    float eye_height = 0.0f; ///< height above y = base, in the same units
    float units = 1.0f;      ///< units in one world unit
    double extent = 1.0;     ///< 2 tan(fov / 2)
};

/// The camera for a picture of this size, placed by the surface. Returns nothing, and reports
/// scene/bad-camera or terrain/needs-perspective, if something is wrong.
std::optional<TerrainView> terrain_view(Graph& graph, const CameraParameters& camera,
                                        const Surface& surface, std::uint32_t width,
                                        std::uint32_t height);

/// The eye of a position that is not a parameter, computed from floats as in kernels.
struct UnitEye {
    glm::uvec2 cell{0};
    glm::vec2 rest{0.0f};
    float height = 0.0f;
};
UnitEye unit_eye(glm::dvec3 world, const Surface& surface);

} // namespace tuff::passes
