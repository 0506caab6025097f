#include "passes/raytrace/see_through.hpp"

#include "passes/primitives/elements.hpp"

#include <algorithm>
#include <cstdint>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kSeeThroughWords = 16; // a triangle

bool lets_light_through(const SceneData& scene, std::uint32_t material) {
    if (scene.materials[material].alpha_mode == AlphaMode::opaque) return false;
    return std::ranges::any_of(scene.draws, [&](const SceneDraw& draw) {
        return draw.material == material && draw.index_count > 0;
    });
}

/// The texture that holds its alpha.
std::vector<std::int32_t> alpha_textures(const SceneMaterial& material) {
    const std::int32_t texture = material.base_color_texture.texture;
    return texture < 0 ? std::vector<std::int32_t>{} : std::vector{texture};
}

/// Of the materials that matter, by the textures that hold their alpha.
std::vector<MaterialBatch> see_through_batches(const DeviceCaps& target, const SceneData& scene,
                                               MaterialPasses passes) {
    const TextureRoom room(target, {}); // each material has one at most
    std::vector<MaterialBatch> batches;
    for (std::uint32_t i = 0; i < scene.materials.size(); ++i) {
        if (!lets_light_through(scene, i)) continue;
        const std::vector<std::int32_t> own = alpha_textures(scene.materials[i]);
        std::vector<std::int32_t> textures;
        if (!batches.empty()) textures = batches.back().textures;
        for (const std::int32_t texture : own)
            if (std::ranges::find(textures, texture) == textures.end()) textures.push_back(texture);
        if (batches.empty() || passes == MaterialPasses::each || !room.holds(textures)) {
            batches.push_back({.first = i, .end = i, .textures = {}});
            textures = own;
        }
        batches.back().textures = std::move(textures);
        batches.back().end = i + 1;
    }
    for (MaterialBatch& batch : batches)
        room.arrange(batch);
    return batches;
}

} // namespace

SeeThrough see_through(Graph& graph, const Scene& scene, const TriangleMesh& mesh,
                       MaterialPasses passes) {
    SeeThrough parts{.triangles = {},
                     .batches = see_through_batches(graph.target(), *scene.data, passes)};
    if (parts.batches.empty() || mesh.triangle_count == 0) return {};
    ComputeNodeBuilder node = graph.compute("raytrace/see_through");
    node.read("vertices", scene.vertices);
    node.read("scene_indices", scene.indices);
    node.read("draws", scene.draws);
    node.read("starts", scene.starts);
    node.read("owners", mesh.draws);
    node.read("materials", scene.materials);
    node.set("triangle_count", mesh.triangle_count);
    const std::uint64_t bytes = 4ull * kSeeThroughWords * mesh.triangle_count;
    parts.triangles =
        node.write("see_through", graph.buffer("see_through", {.size = bytes, .stride = 4}));
    node.dispatch_each(mesh.triangle_count);
    return parts;
}

void bind_see_through(Graph& graph, KernelNode& node, const Scene& scene, const SeeThrough& parts,
                      std::size_t batch) {
    const MaterialBatch& materials = parts.batches[batch];
    node.read("see_through", parts.triangles);
    node.set("first_material", materials.first);
    node.set("end_material", materials.end);
    node.set("last_batch", std::uint32_t(batch + 1 == parts.batches.size()));
    bind_textures(graph, node, scene, materials);
}

} // namespace tuff::passes
