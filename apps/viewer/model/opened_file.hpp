#pragma once

#include <tuff/diagnostic.hpp>

#include <filesystem>
#include <string>

namespace tuff::viewer {

/// The config to open for a file that a person chose: itself, or one that shows the model or
/// picture (`tuff run box.glb` runs the same), written to `folder`. Error: `viewer/unwritable`.
Result<std::filesystem::path> config_for(const std::filesystem::path& file,
                                         const std::filesystem::path& folder);

/// A name in `folder` that is not taken yet: "demo-001.png".
std::filesystem::path free_name(const std::filesystem::path& folder, const std::string& stem,
                                const std::string& extension);

} // namespace tuff::viewer
