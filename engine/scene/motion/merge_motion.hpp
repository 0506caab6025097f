#pragma once

#include <tuff/scene_motion.hpp>

#include <memory>
#include <span>

namespace tuff {

/// How a scene of all parts moves, whose arrays follow one another in the order of the parts.
/// Clips of one name become one. Nothing where no part moves.
std::shared_ptr<const SceneMotion> merge_motions(std::span<const ScenePart> parts);

/// The motion of a scene with its arrays packed for the device instead of those that only the
/// device reads, and with boxes about what it moves. The scene has its vertices.
std::shared_ptr<const SceneMotion> pack_motion(const SceneData& scene);

} // namespace tuff
