#pragma once

#include <tuff/scene_motion.hpp>

namespace tuff {

/// Gives a packed motion the boxes about what it moves in the scene, and the reaches of its clips.
void add_boxes(SceneMotion& packed, const SceneData& scene);

} // namespace tuff
