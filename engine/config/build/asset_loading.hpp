#pragma once

#include "config/read/asset_spec.hpp"

#include <tuff/asset_cache.hpp>
#include <tuff/pass.hpp>

#include <filesystem>
#include <functional>
#include <string_view>

namespace tuff {

/// An asset in memory, able to enter a graph.
struct LoadedAsset {
    std::string key;                                                   ///< equal assets, equal keys
    std::function<PortValue(Graph& graph, std::string_view name)> add; ///< as constants
};

/// Loads an asset, or takes it from the cache. Relative files count from `folder`, then from the
/// folders of `asset_folders`.
Result<LoadedAsset> load_asset(const AssetSpec& spec, const std::filesystem::path& folder,
                               AssetCache& cache);

/// The branch of `load_asset` for models and scenes.
Result<LoadedAsset> load_scene_asset(const AssetSpec& spec, const std::filesystem::path& folder,
                                     AssetCache& cache);

} // namespace tuff
