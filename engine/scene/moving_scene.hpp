#pragma once

#include <tuff/scene_resources.hpp>

namespace tuff {

/// `still` with the transforms and materials of `scene`.
SceneAsset pack_moved(const SceneAsset& still, SceneData scene);

/// As add_scene, but transforms and materials go to the device with each execution: they may be
/// others in a graph of the same structure.
Scene add_moving_scene(Graph& graph, std::string_view name, const SceneAsset& asset);

} // namespace tuff
