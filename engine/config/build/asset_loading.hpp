#pragma once

#include "config/read/asset_spec.hpp"

#include <tuff/asset_cache.hpp>
#include <tuff/pass.hpp>
#include <tuff/volume.hpp>

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

namespace tuff {

/// An asset in memory, able to enter a graph.
struct LoadedAsset {
    std::string key;                                                   ///< equal assets, equal keys
    std::function<PortValue(Graph& graph, std::string_view name)> add; ///< as constants
    std::optional<VolumeGeometry> geometry = {};                       ///< of a volume
};

/// Where the files of assets are.
struct AssetFolders {
    std::filesystem::path own; ///< relative files count from here, then from `asset_folders`
    std::span<const std::filesystem::path> confined_to; ///< no others are read; empty: any
};

/// Loads an asset, or takes it from the cache.
Result<LoadedAsset> load_asset(const AssetSpec& spec, const AssetFolders& folders,
                               AssetCache& cache);

/// The branch of `load_asset` for volumes.
Result<LoadedAsset> load_volume_asset(const AssetSpec& spec, const AssetFolders& folders,
                                      AssetCache& cache);

/// The branch of `load_asset` for models and scenes.
Result<LoadedAsset> load_scene_asset(const AssetSpec& spec, const AssetFolders& folders,
                                     AssetCache& cache);

} // namespace tuff
