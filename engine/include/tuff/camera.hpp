#pragma once

#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>

#include <cstdint>

namespace tuff {

/// Whether things farther away look smaller.
enum class Projection : std::uint8_t { perspective, orthographic };

/// A camera that looks from `position` at `target`. World space is right-handed; lengths are world
/// units, angles degrees.
///
/// Clip space is Vulkan's: x right, y *down*, depth 0 at `near_plane` and 1 at `far_plane`.
/// Depth is ordinary, not reversed: clear it to 1 and compare with "less". The flip of y is part of
/// `projection`, so viewports keep a positive height and counter-clockwise front faces in the world
/// are counter-clockwise front faces on the screen as Vulkan counts them with
/// VK_FRONT_FACE_COUNTER_CLOCKWISE.
struct Camera {
    glm::vec3 position{0.0f, 0.0f, 5.0f};      ///< world units
    glm::vec3 target{0.0f};                    ///< world units
    glm::vec3 up{0.0f, 1.0f, 0.0f};            ///< any direction not along the view; see `view`
    Projection kind = Projection::perspective; ///< perspective or orthographic
    float vertical_fov = 45.0f;       ///< full angle, degrees, in (0, 180); perspective only
    float orthographic_height = 2.0f; ///< world units seen from bottom to top; orthographic only
    float near_plane = 0.1f;          ///< > 0 for perspective
    float far_plane = 100.0f;         ///< > near_plane

    /// World to camera space (x right, y up, looking along -z). An `up` along the view direction is
    /// replaced by the coordinate axis farthest from it; `target == position` looks along -z.
    glm::mat4 view() const;

    /// Camera to clip space. `aspect` is width / height of the picture, > 0.
    glm::mat4 projection(float aspect) const;
};

/// A perspective camera that sees the whole box [min, max], looking along `direction`, with a small
/// margin around it, and near and far planes close to the box.
/// An empty or flat box is enlarged a little first. `direction` need not have unit length; zero
/// means -z. `aspect` is width / height of the picture.
Camera frame_bounds(glm::vec3 min, glm::vec3 max, glm::vec3 direction, float vertical_fov = 45.0f,
                    float aspect = 1.0f);

} // namespace tuff
