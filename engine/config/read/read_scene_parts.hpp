#pragma once

#include "config/read/config_file.hpp"

#include <string>

namespace tuff {

/// Reads the parts of a scene asset into `decl`: their files into its spec, their numbers beside
/// it. `what` names the asset in messages.
void read_scene_parts(const SourceFile& source, const Json::Value& json, const std::string& what,
                      AssetDecl& decl, Problems& problems);

} // namespace tuff
