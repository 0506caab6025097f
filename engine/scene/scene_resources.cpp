#include "scene/image/mip_chain.hpp"
#include "scene/motion/merge_motion.hpp"
#include "scene/moving_scene.hpp"

#include <tuff/scene_resources.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <type_traits>

namespace tuff {
namespace {

template <typename T>
SceneAsset::Bytes pack(const std::vector<T>& elements) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<std::byte> bytes(std::max<std::size_t>(elements.size(), 1) * sizeof(T));
    if (!elements.empty()) std::memcpy(bytes.data(), elements.data(), elements.size() * sizeof(T));
    return std::make_shared<const std::vector<std::byte>>(std::move(bytes));
}

struct DrawStart {
    std::uint32_t vertex = 0;
    std::uint32_t triangle = 0;
};

std::vector<DrawStart> starts_of(const std::vector<SceneDraw>& draws) {
    std::vector<DrawStart> starts;
    DrawStart next;
    for (const SceneDraw& draw : draws) {
        starts.push_back(next);
        next.vertex += draw.vertex_count;
        next.triangle += draw.index_count / 3;
    }
    return starts;
}

/// Of each image that is the colour of masked materials alone, which all cut it at the same alpha.
std::vector<std::optional<float>> cutoffs_of(const SceneData& scene) {
    struct Uses {
        std::optional<float> cutoff;
        bool others = false;
    };
    std::vector<Uses> uses(scene.images.size());
    for (const SceneMaterial& material : scene.materials)
        for (const TextureSlot* slot :
             {&material.base_color_texture, &material.metallic_roughness_texture,
              &material.normal_texture, &material.occlusion_texture, &material.emissive_texture}) {
            if (slot->texture < 0) continue;
            Uses& use = uses[scene.textures[static_cast<std::size_t>(slot->texture)].image];
            const float factor = material.base_color.a;
            const bool mask = slot == &material.base_color_texture &&
                              material.alpha_mode == AlphaMode::mask && factor > 0.0f;
            const float cutoff = mask ? material.alpha_cutoff / factor : 0.0f;
            const bool same = !use.cutoff || *use.cutoff == cutoff;
            use.others = use.others || !mask || !same || cutoff <= 0.0f || cutoff > 1.0f;
            use.cutoff = cutoff;
        }
    std::vector<std::optional<float>> cutoffs;
    for (const Uses& use : uses)
        cutoffs.push_back(use.others ? std::nullopt : use.cutoff);
    return cutoffs;
}

/// The materials with the sizes of their textures in `padding`, for raytrace/surface.glsl: devices
/// tell the size of a texture whose number differs from invocation to invocation slowly, and
/// SwiftShader wrongly. Ten bits a slot, three slots in the first word: 32 log2(width * height).
std::vector<SceneMaterial> with_texture_sizes(const SceneData& scene) {
    std::vector<SceneMaterial> materials = scene.materials;
    for (SceneMaterial& material : materials) {
        std::uint32_t slot = 0;
        material.padding[0] = material.padding[1] = 0;
        for (const TextureSlot* texture :
             {&material.base_color_texture, &material.metallic_roughness_texture,
              &material.normal_texture, &material.occlusion_texture, &material.emissive_texture}) {
            const std::uint32_t at = slot++;
            if (texture->texture < 0) continue;
            const std::uint32_t image =
                scene.textures[static_cast<std::size_t>(texture->texture)].image;
            const Extent extent = scene.images[image].extent;
            const double texels = static_cast<double>(extent.width) * extent.height;
            const auto size = static_cast<std::uint32_t>(std::lround(32.0 * std::log2(texels)));
            material.padding[at / 3] |= std::min(size, 1023u) << (10 * (at % 3));
        }
    }
    return materials;
}

/// Gives the memory back, which `clear` does not.
template <typename T>
void release(std::vector<T>& elements) {
    elements = {};
}

} // namespace

SceneAsset pack_scene(SceneData scene) {
    SceneAsset asset{.vertices = pack(scene.vertices),
                     .indices = pack(scene.indices),
                     .draws = pack(scene.draws),
                     .starts = pack(starts_of(scene.draws)),
                     .transforms = pack(scene.transforms),
                     .materials = pack(with_texture_sizes(scene))};
    if (scene.motion) scene.motion = pack_motion(scene);
    release(scene.vertices);
    release(scene.indices);
    const std::vector<std::optional<float>> cutoffs = cutoffs_of(scene);
    for (std::size_t i = 0; i < scene.images.size(); ++i) {
        HostImage& image = scene.images[i];
        const HostImage hollow{.format = image.format, .extent = image.extent};
        asset.images.push_back(std::make_shared<const std::vector<std::byte>>(
            with_mips(std::move(image), cutoffs[i])));
        image = hollow;
    }
    asset.data = std::make_shared<const SceneData>(std::move(scene));
    return asset;
}

SceneAsset pack_moved(const SceneAsset& still, SceneData scene) {
    SceneAsset asset = still;
    asset.transforms = pack(scene.transforms);
    asset.materials = pack(with_texture_sizes(scene));
    asset.data = std::make_shared<const SceneData>(std::move(scene));
    return asset;
}

std::vector<PortMember> Scene::members() const {
    std::vector<PortMember> all = {{"vertices", vertices, BufferElements::of<Vertex>()},
                                   {"indices", indices, BufferElements::of<std::uint32_t>()},
                                   {"draws", draws, BufferElements::of<SceneDraw>()},
                                   {"starts", starts, BufferElements::of<glm::uvec2>()},
                                   {"transforms", transforms, BufferElements::of<SceneTransform>()},
                                   {"materials", materials}};
    for (std::size_t i = 0; i < images.size(); ++i)
        all.push_back({fmt::format("image{}", i), images[i]});
    return all;
}

namespace {

/// When the transforms and materials of a scene change.
enum class Changes : std::uint8_t { never, by_execution };

Scene enter(Graph& graph, std::string_view name, const SceneAsset& asset, Changes changes) {
    const auto buffer = [&](std::string_view part, const SceneAsset::Bytes& bytes,
                            std::size_t stride) {
        return graph.constant_buffer(
            fmt::format("{}/{}", name, part),
            {.size = bytes->size(), .stride = static_cast<std::uint32_t>(stride)}, bytes);
    };
    const auto changing = [&](std::string_view part, const SceneAsset::Bytes& bytes,
                              std::size_t stride) {
        if (changes == Changes::never) return buffer(part, bytes, stride);
        const std::string path = fmt::format("{}/{}", name, part);
        const Buffer target = graph.buffer(
            path, {.size = bytes->size(), .stride = static_cast<std::uint32_t>(stride)});
        return graph.upload(target, bytes, path + "/upload");
    };
    Scene scene;
    scene.vertices = buffer("vertices", asset.vertices, sizeof(Vertex));
    scene.indices = buffer("indices", asset.indices, sizeof(std::uint32_t));
    scene.draws = buffer("draws", asset.draws, sizeof(SceneDraw));
    scene.starts = buffer("starts", asset.starts, sizeof(DrawStart));
    scene.transforms = changing("transforms", asset.transforms, sizeof(SceneTransform));
    scene.materials = changing("materials", asset.materials, sizeof(SceneMaterial));
    for (std::size_t i = 0; i < asset.images.size(); ++i) {
        const HostImage& image = asset.data->images[i];
        scene.images.push_back(graph.constant_image(
            fmt::format("{}/image{}", name, i),
            {.format = image.format, .extent = image.extent, .mips = full_mip_count(image.extent)},
            asset.images[i]));
    }
    scene.data = asset.data;
    return scene;
}

} // namespace

Scene add_scene(Graph& graph, std::string_view name, const SceneAsset& asset) {
    return enter(graph, name, asset, Changes::never);
}

Scene add_moving_scene(Graph& graph, std::string_view name, const SceneAsset& asset) {
    return enter(graph, name, asset, Changes::by_execution);
}

} // namespace tuff
