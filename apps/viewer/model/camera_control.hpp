#pragma once

#include "model/controls.hpp"
#include "model/edits.hpp"

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include <optional>
#include <string>
#include <vector>

/// Moves the cameras of a config with mouse and keys by changing the parameters that place them.
namespace tuff::viewer {

/// A camera as the parameters of passes have it, angles in degrees.
struct CameraPose {
    bool free = false; ///< from `position` to `target`; else about the scene, by the angles
    double azimuth = 0.0, elevation = 0.0, zoom = 1.0;
    glm::dvec3 position{0.0}, target{0.0}, up{0.0, 1.0, 0.0};
};

/// Half a turn for a window's height of mouse travel.
inline constexpr double kDegreesPerWindow = 180.0;

/// Turns about the target. `drag` in heights of the window: right and down are positive.
CameraPose orbit(CameraPose pose, glm::dvec2 drag);
/// Goes nearer (positive) or farther; one step is a tenth of the distance.
CameraPose dolly(CameraPose pose, double steps);
/// Shifts camera and target in the picture's plane. Free cameras only.
CameraPose pan(CameraPose pose, glm::dvec2 drag);
/// Turns the head: the target moves about the camera. Free cameras only.
CameraPose look(CameraPose pose, glm::dvec2 drag);
/// Moves camera and target: x to the right, y up, z forward, in distances to the target.
CameraPose fly(CameraPose pose, glm::dvec3 move);

/// The nodes of a config that share the camera of the first one that has one: they are moved
/// together, for pictures that are laid over each other must agree.
class CameraRig {
  public:
    /// Nothing where no node of the main file has a camera.
    static std::optional<CameraRig> find(const std::vector<Control>& controls, const Edits& edits);

    const std::vector<std::string>& nodes() const { return nodes_; }
    CameraPose pose() const { return pose_; }
    /// Writes the parameters that differ from `pose()` into `edits`.
    void apply(const CameraPose& pose, Edits& edits) const;
    /// Takes back all changes of the cameras.
    void reset(Edits& edits) const;

  private:
    std::vector<std::string> nodes_;
    CameraPose pose_;
};

} // namespace tuff::viewer
