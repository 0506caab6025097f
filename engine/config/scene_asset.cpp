#include "config/asset_loading.hpp"

#include <fmt/format.h>

namespace tuff {

Result<LoadedAsset> load_scene_asset(const std::filesystem::path& file, AssetCache&) {
    return fail("config/unsupported-asset",
                fmt::format("{}: glTF scenes are not part of this build", file.string()));
}

} // namespace tuff
