#include "passes/raytrace/surfaces.hpp"

#include "passes/scene/scene_draws.hpp"

#include <fmt/format.h>
#include <glm/vec4.hpp>

#include <algorithm>
#include <bit>

namespace tuff::passes {
namespace {

using TextureList = std::vector<std::int32_t>;

// Of the kernels, beside the textures of materials.
constexpr std::size_t kOtherTextures = 4;
constexpr std::size_t kOtherBindings = 24;

/// Its textures, each once.
TextureList textures_of(const SceneMaterial& material) {
    TextureList textures;
    for (const TextureSlot* slot :
         {&material.base_color_texture, &material.metallic_roughness_texture,
          &material.normal_texture, &material.occlusion_texture, &material.emissive_texture})
        if (slot->texture >= 0 && std::ranges::find(textures, slot->texture) == textures.end())
            textures.push_back(slot->texture);
    return textures;
}

TextureList joined(TextureList textures, const TextureList& others) {
    for (const std::int32_t texture : others)
        if (std::ranges::find(textures, texture) == textures.end()) textures.push_back(texture);
    return textures;
}

/// Elements of an array of all from the first to the last.
std::size_t span_of(std::span<const std::int32_t> textures) {
    if (textures.empty()) return 1;
    const auto [least, most] = std::ranges::minmax(textures);
    return static_cast<std::size_t>(most - least) + 1;
}

/// The longest array of textures that the device takes; 0 where it cannot choose among them.
std::size_t array_room(const DeviceCaps& target) {
    if (!target.texture_arrays) return 0;
    const auto left = [](std::size_t limit, std::size_t others) {
        return limit > others ? limit - others : 0;
    };
    return std::min({left(target.max_stage_textures, kOtherTextures),
                     left(target.max_stage_bindings, kOtherBindings), kMaxPartsInNode});
}

SampledImage sampled(const Scene& scene, std::int32_t id) {
    if (id < 0) return {};
    const SceneTexture& texture = scene.data->textures[static_cast<std::size_t>(id)];
    return {.view = scene.images[texture.image], .sampler = texture.sampler};
}

} // namespace

TextureRoom::TextureRoom(const DeviceCaps& target, std::span<const TextureList> materials) {
    const std::size_t room = array_room(target);
    in_array_ =
        room > kTexturesAtATime && std::ranges::all_of(materials, [&](const auto& textures) {
            return span_of(textures) <= room;
        });
    if (in_array_) size_ = room;
}

bool TextureRoom::holds(std::span<const std::int32_t> textures) const {
    return (in_array_ ? span_of(textures) : textures.size()) <= size_;
}

void TextureRoom::arrange(MaterialBatch& batch) const {
    batch.in_array = in_array_;
    if (!in_array_) return;
    if (!batch.textures.empty()) batch.first_texture = std::ranges::min(batch.textures);
    // Powers of two: few kernels differ in it.
    TextureList elements(std::min(std::bit_ceil(span_of(batch.textures)), size_), -1);
    for (const std::int32_t texture : batch.textures)
        elements[static_cast<std::size_t>(texture - batch.first_texture)] = texture;
    batch.textures = std::move(elements);
}

std::vector<MaterialBatch> material_batches(Graph& graph, const SceneData& scene,
                                            MaterialPasses passes) {
    std::vector<TextureList> materials;
    TextureList all;
    for (const SceneMaterial& material : scene.materials) {
        materials.push_back(textures_of(material));
        all = joined(std::move(all), materials.back());
    }
    const bool single = passes == MaterialPasses::single;
    const TextureRoom room(graph.target(), materials);
    // Few that are far apart fit a kernel that has them in any order.
    const TextureRoom used = single && !room.holds(all) ? TextureRoom({}, {}) : room;
    if (single && !used.holds(all)) {
        graph.error("raytrace/too-many-textures",
                    fmt::format("the scene has {} textures, but a single pass has room for {}",
                                all.size(), room.size()),
                    "set \"materials\" to \"batches\"");
        return {};
    }
    std::vector<MaterialBatch> batches(1);
    for (std::uint32_t i = 0; i < materials.size(); ++i) {
        TextureList textures = joined(batches.back().textures, materials[i]);
        const bool open = batches.back().end > batches.back().first;
        if (open && (passes == MaterialPasses::each || !used.holds(textures))) {
            batches.push_back({.first = i, .end = i, .textures = {}});
            textures = materials[i];
        }
        batches.back().textures = std::move(textures);
        batches.back().end = i + 1;
    }
    for (MaterialBatch& batch : batches)
        used.arrange(batch);
    return batches;
}

void bind_surfaces(Graph& graph, ComputeNodeBuilder& node, const Scene& scene,
                   const TriangleMesh& mesh, const MaterialBatch& batch) {
    node.read("vertices", scene.vertices);
    node.read("scene_indices", scene.indices);
    node.read("draws", scene.draws);
    node.read("starts", scene.starts);
    node.read("owners", mesh.draws);
    node.read("transforms", scene.transforms);
    node.read("materials", scene.materials);
    node.set("first_material", batch.first);
    node.set("end_material", batch.end);
    bind_textures(graph, node, scene, batch);
}

void bind_textures(Graph& graph, KernelNode& node, const Scene& scene, const MaterialBatch& batch) {
    std::array<glm::ivec4, kTexturesAtATime / 4> ids{};
    std::vector<SampledImage> elements;
    for (const std::int32_t texture : batch.textures)
        elements.push_back(sampled(scene, texture));
    if (batch.in_array) {
        ids[0].x = batch.first_texture;
    } else {
        elements.resize(kTexturesAtATime, {.view = white_texel(graph), .sampler = {}});
        for (std::uint32_t i = 0; i < kTexturesAtATime; ++i)
            ids[i / 4][static_cast<int>(i % 4)] =
                i < batch.textures.size() ? batch.textures[i] : -1;
    }
    node.read_array("textures", elements);
    node.set("texture_ids", std::span<const glm::ivec4>(ids));
}

} // namespace tuff::passes
