#include "config/build/asset_loading.hpp"
#include "scene/mesh/place_parts.hpp"
#include "scene/moving_scene.hpp"

#include <tuff/assets.hpp>
#include <tuff/closed_meshes.hpp>
#include <tuff/scene_resources.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/trigonometric.hpp>

namespace tuff {
namespace {

using Confined = std::span<const std::filesystem::path>;

Result<SceneData> load_gltf_file(const std::filesystem::path& file, Confined confined_to) {
    return load_gltf(file, {.confined_to = {confined_to.begin(), confined_to.end()}});
}

std::string key_of(std::string_view kind, const std::filesystem::path& file) {
    return fmt::format("{}:{}", kind, file.string());
}

using Enter = Scene (*)(Graph&, std::string_view, const SceneAsset&);

LoadedAsset entering(std::string key, std::vector<std::filesystem::path> files,
                     std::shared_ptr<const SceneAsset> scene, Enter enter = add_scene) {
    return {.key = std::move(key),
            .add =
                [scene = std::move(scene), enter](Graph& graph, std::string_view name) {
                    for (const Diagnostic& warning : scene->data->warnings)
                        graph.report(warning);
                    return PortValue::of(enter(graph, name, *scene));
                },
            .files = std::move(files)};
}

Result<LoadedAsset> load_one(const AssetSpec& spec, const AssetFolders& folders,
                             AssetCache& cache) {
    auto file = find_asset(spec.file, folders.own, folders.confined_to);
    if (!file) return propagate(std::move(file));
    const bool gltf = spec.kind == AssetKind::gltf;
    const auto load = gltf ? load_gltf_file : load_scene;
    const std::string key = key_of(gltf ? "gltf" : "model", *file);
    auto scene = cache.get<SceneAsset>(key, {*file}, [&]() -> Result<SceneAsset> {
        Result<SceneData> loaded = load(*file, folders.confined_to);
        if (!loaded) return propagate(std::move(loaded));
        return pack_scene(std::move(*loaded));
    });
    if (!scene) return propagate(std::move(scene));
    return entering(key, {*file}, *scene);
}

glm::mat4 placement_of(const ScenePartSpec& part) {
    const auto vec3 = [](const std::array<float, 3>& v) { return glm::vec3(v[0], v[1], v[2]); };
    glm::mat4 placement = glm::translate(glm::mat4(1.0f), vec3(part.translate));
    for (const int axis : {2, 1, 0}) {
        glm::vec3 about(0.0f);
        about[axis] = 1.0f;
        placement = glm::rotate(placement,
                                glm::radians(part.rotate[static_cast<std::size_t>(axis)]), about);
    }
    return glm::scale(placement, glm::vec3(part.scale));
}

SceneMaterial material_of(const ScenePartSpec::Material& spec) {
    SceneMaterial material;
    material.base_color = {spec.base_color[0], spec.base_color[1], spec.base_color[2],
                           spec.base_color[3]};
    material.emissive = {spec.emissive[0], spec.emissive[1], spec.emissive[2]};
    material.metallic = spec.metallic;
    material.roughness = spec.roughness;
    material.flags = material_double_sided;
    if (material.base_color.a < 1.0f) material.alpha_mode = AlphaMode::blend;
    return material;
}

/// A part that is of no file.
SceneData made_part(const ScenePartSpec& spec) {
    if (spec.arcade) return make_arcade(*spec.arcade);
    if (spec.knot) return make_torus_knot(*spec.knot);
    if (spec.tree) return make_tree(*spec.tree);
    return make_plane({spec.plane[0], spec.plane[1]});
}

std::string made_key(const ScenePartSpec& spec) {
    if (spec.arcade) return fmt::format("arcade {}", *spec.arcade);
    if (spec.knot) return fmt::format("knot {}", *spec.knot);
    if (spec.tree) return fmt::format("tree {}", *spec.tree);
    return fmt::format("{}", spec.plane);
}

std::string part_key(const ScenePartSpec& part, const std::filesystem::path& file) {
    std::string key = fmt::format("{}:{}:{}:{}:{}", file.string(), made_key(part), part.translate,
                                  part.rotate, part.scale);
    if (part.material)
        key += fmt::format(":{}:{}:{}:{}", part.material->base_color, part.material->emissive,
                           part.material->metallic, part.material->roughness);
    return key;
}

/// Loads the files one after the other, each once.
Result<std::vector<ScenePart>> load_each(const std::vector<ScenePartSpec>& specs,
                                         const std::vector<std::filesystem::path>& files,
                                         Confined confined_to) {
    std::vector<ScenePart> parts;
    for (std::size_t i = 0; i < specs.size(); ++i) {
        ScenePart part{.scene = {}, .placement = glm::mat4(1.0f), .material = {}};
        if (specs[i].material) part.material = material_of(*specs[i].material);
        for (std::size_t before = 0; before < i && !files[i].empty(); ++before)
            if (files[before] == files[i]) part.scene = parts[before].scene;
        if (!part.scene) {
            Result<SceneData> loaded =
                files[i].empty() ? made_part(specs[i]) : load_scene(files[i], confined_to);
            if (!loaded) return propagate(std::move(loaded));
            part.scene = std::make_shared<const SceneData>(std::move(*loaded));
        }
        parts.push_back(std::move(part));
    }
    return parts;
}

Result<SceneAsset> assemble(const std::vector<ScenePartSpec>& specs,
                            const std::vector<std::filesystem::path>& files, Confined confined_to) {
    Result<std::vector<ScenePart>> parts = load_each(specs, files, confined_to);
    if (!parts) return propagate(std::move(parts));
    for (std::size_t i = 0; i < specs.size(); ++i)
        (*parts)[i].placement = placement_of(specs[i]);
    Result<SceneData> whole = merge_scenes(*parts);
    if (!whole) return propagate(std::move(whole));
    return pack_scene(std::move(*whole));
}

/// A scene whose parts are placed for each graph; its vertices and images stay.
struct MovingScene {
    SceneAsset still; ///< each part in its own world
    std::vector<ScenePartSize> sizes;
};

Result<MovingScene> assemble_moving(const std::vector<ScenePartSpec>& specs,
                                    const std::vector<std::filesystem::path>& files,
                                    Confined confined_to) {
    const Result<std::vector<ScenePart>> parts = load_each(specs, files, confined_to);
    if (!parts) return std::unexpected(parts.error());
    Result<SceneData> whole = merge_scenes(*parts);
    if (!whole) return propagate(std::move(whole));
    return MovingScene{pack_scene(std::move(*whole)), {parts->begin(), parts->end()}};
}

/// What the vertices and images of a part depend on.
std::string shape_key(const ScenePartSpec& part, const std::filesystem::path& file) {
    return fmt::format("{}:{}:{}", file.string(), made_key(part), part.material.has_value());
}

LoadedAsset place_moving(std::string key, std::vector<std::filesystem::path> files,
                         const MovingScene& scene, const std::vector<ScenePartSpec>& specs) {
    std::vector<ScenePlacement> placements;
    for (const ScenePartSpec& spec : specs) {
        placements.push_back({placement_of(spec), {}});
        if (spec.material) placements.back().material = material_of(*spec.material);
    }
    auto moved = std::make_shared<const SceneAsset>(
        pack_moved(scene.still, place_parts(*scene.still.data, scene.sizes, placements)));
    return entering(std::move(key), std::move(files), std::move(moved), add_moving_scene);
}

Result<LoadedAsset> load_parts(const AssetSpec& spec, const AssetFolders& folders,
                               AssetCache& cache) {
    std::vector<std::filesystem::path> files; // parallel to the parts
    std::vector<std::filesystem::path> watched;
    std::string key = spec.moves ? "moving" : "scene";
    std::string shape = "shape";
    for (const ScenePartSpec& part : spec.parts) {
        std::filesystem::path& file = files.emplace_back();
        if (!part.file.empty()) {
            auto found = find_asset(part.file, folders.own, folders.confined_to);
            if (!found) return propagate(std::move(found));
            file = std::move(*found);
            watched.push_back(file);
        }
        key += ':' + part_key(part, file);
        shape += ':' + shape_key(part, file);
    }
    if (spec.moves) {
        auto scene = cache.get<MovingScene>(shape, watched, [&] {
            return assemble_moving(spec.parts, files, folders.confined_to);
        });
        if (!scene) return propagate(std::move(scene));
        return place_moving(std::move(key), watched, **scene, spec.parts);
    }
    auto scene = cache.get<SceneAsset>(
        key, watched, [&] { return assemble(spec.parts, files, folders.confined_to); });
    if (!scene) return propagate(std::move(scene));
    return entering(key, watched, *scene);
}

} // namespace

Result<LoadedAsset> load_scene_asset(const AssetSpec& spec, const AssetFolders& folders,
                                     AssetCache& cache) {
    return spec.kind == AssetKind::scene ? load_parts(spec, folders, cache)
                                         : load_one(spec, folders, cache);
}

} // namespace tuff
