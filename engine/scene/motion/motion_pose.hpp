#pragma once

#include <tuff/scene_motion.hpp>

#include <glm/mat4x4.hpp>

#include <vector>

namespace tuff {

/// The nodes and weights of a packed motion at a moment.
struct MotionPose {
    std::vector<glm::dmat4> worlds; ///< by node, to the file's coordinates
    std::vector<double> weights;    ///< by SceneMotion::weights
};

/// As shaders/scene/animate_locals.comp and animate_places.comp compute it.
MotionPose pose_motion(const SceneMotion& motion, const MotionMoment& moment);

} // namespace tuff
