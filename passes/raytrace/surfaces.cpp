#include "passes/raytrace/surfaces.hpp"

#include "passes/scene/scene_draws.hpp"

#include <fmt/format.h>
#include <glm/vec4.hpp>

#include <algorithm>
#include <span>

namespace tuff::passes {
namespace {

/// `textures` with those of the material that are not among them.
std::vector<std::int32_t> with_textures_of(const SceneMaterial& material,
                                           std::vector<std::int32_t> textures) {
    for (const TextureSlot* slot :
         {&material.base_color_texture, &material.metallic_roughness_texture,
          &material.normal_texture, &material.occlusion_texture, &material.emissive_texture})
        if (slot->texture >= 0 && std::ranges::find(textures, slot->texture) == textures.end())
            textures.push_back(slot->texture);
    return textures;
}

bool begins_a_batch(const MaterialBatch& open, std::size_t textures, MaterialPasses passes) {
    if (open.end == open.first || passes == MaterialPasses::single) return false;
    return passes == MaterialPasses::each || textures > kTexturesAtATime;
}

} // namespace

std::vector<MaterialBatch> material_batches(Graph& graph, const SceneData& scene,
                                            MaterialPasses passes) {
    std::vector<MaterialBatch> batches(1);
    for (std::uint32_t i = 0; i < scene.materials.size(); ++i) {
        const SceneMaterial& material = scene.materials[i];
        auto textures = with_textures_of(material, batches.back().textures);
        if (begins_a_batch(batches.back(), textures.size(), passes)) {
            batches.push_back({.first = i, .end = i, .textures = {}});
            textures = with_textures_of(material, {});
        }
        batches.back().textures = std::move(textures);
        batches.back().end = i + 1;
    }
    if (batches.back().textures.size() > kTexturesAtATime) {
        graph.error("raytrace/too-many-textures",
                    fmt::format("the scene has {} textures, and a single pass room for {}",
                                batches.back().textures.size(), kTexturesAtATime),
                    "set \"materials\" to \"batches\"");
        return {};
    }
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
    const Image none = white_texel(graph);
    for (std::uint32_t i = 0; i < kTexturesAtATime; ++i) {
        const bool used = i < batch.textures.size();
        ids[i / 4][static_cast<int>(i % 4)] = used ? batch.textures[i] : -1;
        if (!used) {
            node.read_element("textures", i, none);
            continue;
        }
        const SceneTexture& texture =
            scene.data->textures[static_cast<std::size_t>(batch.textures[i])];
        node.read_element("textures", i, scene.images[texture.image], texture.sampler);
    }
    node.set("texture_ids", std::span<const glm::ivec4>(ids));
}

} // namespace tuff::passes
