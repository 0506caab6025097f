#pragma once

#include <tuff/diagnostic.hpp>

#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

namespace tuff {

/// The folders `find_asset` looks in, in order: `base` (the working folder when empty), each folder
/// of $TUFF_ASSET_PATH, $XDG_DATA_HOME (default $HOME/.local/share), each of $XDG_DATA_DIRS
/// (default /usr/local/share:/usr/share), and the folder `share` beside that of the running program
/// (`bin/tuff` finds `share/`), where the system tells it. Relative and repeated entries of the
/// environment variables are dropped, as the XDG rules ask, except in $TUFF_ASSET_PATH, where
/// relative folders count from the working folder.
std::vector<std::filesystem::path> asset_folders(const std::filesystem::path& base = {});

/// The file called `name` ("assimp/models/glTF2/cameras/Cameras.gltf") in the first of
/// `asset_folders(base)` that has it. An absolute name is taken as it is.
///
/// With `confined_to` only what lies in one of these folders, with all links followed.
///
/// Errors: asset/not-found, which lists where it looked and, for data of well-known Debian
/// packages, names the package to install; asset/not-a-file for folders and devices; asset/outside.
Result<std::filesystem::path> find_asset(std::string_view name,
                                         const std::filesystem::path& base = {},
                                         std::span<const std::filesystem::path> confined_to = {});

} // namespace tuff
