#pragma once

#include "config/read/asset_spec.hpp"

#include <tuff/asset_cache.hpp>
#include <tuff/pass.hpp>
#include <tuff/volume.hpp>

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tuff {

/// An asset in memory, able to enter a graph.
struct LoadedAsset {
    std::string key; ///< equal assets, equal keys; empty: equal to none
    /// As constants, or as uploads where the next frame may bring something else.
    std::function<PortValue(Graph& graph, std::string_view name)> add;
    std::optional<VolumeGeometry> geometry = {};   ///< of a volume
    std::vector<std::filesystem::path> files = {}; ///< that it is made of
};

/// Where the files of assets are.
struct AssetFolders {
    std::filesystem::path own; ///< relative files count from here, then from `asset_folders`
    std::span<const std::filesystem::path> confined_to; ///< no others are read; empty: any
};

/// Loads an asset, or takes it from the cache.
Result<LoadedAsset> load_asset(const AssetSpec& spec, const AssetFolders& folders,
                               AssetCache& cache);

/// The asset's file, looked for in the folders; none where it has no file.
Result<std::vector<std::filesystem::path>> files_of(const AssetSpec& spec,
                                                    const AssetFolders& folders);

/// A picture as graphs take it, with mips where the spec asks for them. `file` is for messages.
Result<ImageAsset> picture_asset(const AssetSpec& spec, HostImage image,
                                 const std::filesystem::path& file);
/// That of a file.
Result<ImageAsset> read_picture(const AssetSpec& spec, const std::filesystem::path& file);

/// A picture that a pass of a registry decodes on the device.
struct DevicePicture {
    LoadedAsset asset;
    /// Why the library has decoded it instead: what the pass has against the file.
    Diagnostics refused = {};
};

/// A picture whose file `decoder` decodes in the graph, or, where the pass reports an error, the
/// library.
Result<DevicePicture> load_device_picture(const AssetSpec& spec, const AssetFolders& folders,
                                          AssetCache& cache, const PassDescriptor& decoder,
                                          const ShaderInterfaces& shaders);

/// The branch of `load_asset` for series of pictures.
Result<LoadedAsset> load_series_asset(const AssetSpec& spec, const AssetFolders& folders,
                                      AssetCache& cache);

/// The branch of `load_asset` for the poses of a recording.
Result<LoadedAsset> load_recorded_poses(const AssetSpec& spec, const AssetFolders& folders,
                                        AssetCache& cache);

/// The branch of `load_asset` for volumes.
Result<LoadedAsset> load_volume_asset(const AssetSpec& spec, const AssetFolders& folders,
                                      AssetCache& cache);

/// The branch of `load_asset` for models and scenes.
Result<LoadedAsset> load_scene_asset(const AssetSpec& spec, const AssetFolders& folders,
                                     AssetCache& cache);

} // namespace tuff
