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

/// Units of the square's side that eyes and cells are counted in.
inline constexpr double kUnitsOfSide = 2147483648.0; // 2^31

/// A camera as the kernels of trees take it.
struct TerrainView {
    Camera camera;
    glm::mat4 clip_from_world{1.0f};
    std::array<glm::vec4, 6> planes{}; ///< n and d: inside where dot(n, p) + d >= 0
    glm::uvec2 eye_cell{0};            ///< in units of 2^-31 of the side
    glm::vec2 eye_rest{0.0f};
    float eye_height = 0.0f; ///< above y = base, in the same units
    float units = 1.0f;      ///< of a world unit
    double extent = 1.0;     ///< 2 tan(fov / 2)
};

/// The camera for a picture of this size, placed about the surface; nothing, and a report, where
/// something is wrong: scene/bad-camera, or terrain/needs-perspective.
std::optional<TerrainView> terrain_view(Graph& graph, const CameraParameters& camera,
                                        const Surface& surface, std::uint32_t width,
                                        std::uint32_t height);

/// The eye for one that is not a parameter, as kernels find it from floats.
struct UnitEye {
    glm::uvec2 cell{0};
    glm::vec2 rest{0.0f};
    float height = 0.0f;
};
UnitEye unit_eye(glm::dvec3 world, const Surface& surface);

} // namespace tuff::passes
