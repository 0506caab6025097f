#include "config/asset_loading.hpp"

#include <tuff/scene_resources.hpp>

namespace tuff {

Result<LoadedAsset> load_scene_asset(const std::filesystem::path& file, AssetCache& cache) {
    const std::string key = "gltf:" + file.string();
    auto scene = cache.get<SceneAsset>(key, file, [&]() -> Result<SceneAsset> {
        Result<SceneData> loaded = load_gltf(file);
        if (!loaded) return propagate(std::move(loaded));
        return pack_scene(std::move(*loaded));
    });
    if (!scene) return propagate(std::move(scene));
    return LoadedAsset{key, [scene = *scene](Graph& graph, std::string_view name) {
                           for (const Diagnostic& warning : scene->data->warnings)
                               graph.report(warning);
                           return PortValue::of(add_scene(graph, name, *scene));
                       }};
}

} // namespace tuff
