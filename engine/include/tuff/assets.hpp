#pragma once

#include <tuff/diagnostic.hpp>

#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

namespace tuff {

/// The folders that `find_asset` searches: `base` (if empty the working folder), then each folder
/// of $TUFF_ASSET_PATH, $XDG_DATA_HOME (default $HOME/.local/share), each of $XDG_DATA_DIRS
/// (default /usr/local/share:/usr/share), and the folder `share` beside that of the running program
/// (`bin/tuff` finds `share/`), if the system reports it. Relative and repeated entries of the
/// environment variables are dropped, as the XDG rules demand, except in $TUFF_ASSET_PATH, where
/// relative folders count from the working folder.
std::vector<std::filesystem::path> asset_folders(const std::filesystem::path& base = {});

/// The file called `name` ("assimp/models/glTF2/cameras/Cameras.gltf") in the first of
/// `asset_folders(base)` that has it. An absolute name is taken as it is.
///
/// With `confined_to` the file must be in one of these folders, after following all links.
///
/// Errors: asset/not-found, which lists the folders searched and, for data of well-known Debian
/// packages, names the package to install; asset/not-a-file for folders and devices; asset/outside.
Result<std::filesystem::path> find_asset(std::string_view name,
                                         const std::filesystem::path& base = {},
                                         std::span<const std::filesystem::path> confined_to = {});

} // namespace tuff
