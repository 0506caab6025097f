#pragma once

#include "config/read/asset_spec.hpp"
#include "config/read/source_file.hpp"

#include <string>
#include <vector>

namespace tuff {

/// Reads the list of parts of a scene asset. `what` names the asset in messages.
std::vector<ScenePartSpec> read_scene_parts(const SourceFile& source, const Json::Value& json,
                                            const std::string& what, Problems& problems);

} // namespace tuff
