#include "passes/scene/scene_draws.hpp"

#include "passes/common/constant_bytes.hpp"

#include <algorithm>
#include <cstddef>

namespace tuff::passes {
namespace {

constexpr float kAnisotropy = 8.0f;

const SceneMaterial& material_of(const SceneData& scene, std::uint32_t draw) {
    return scene.materials[scene.draws[draw].material];
}

std::vector<std::uint32_t> draws_where(const SceneData& scene, bool blended) {
    std::vector<std::uint32_t> found;
    for (std::uint32_t i = 0; i < scene.draws.size(); ++i)
        if ((material_of(scene, i).alpha_mode == AlphaMode::blend) == blended) found.push_back(i);
    return found;
}

using TextureSet = std::vector<std::int32_t>;

TextureSet textures_of(const SceneMaterial& material, std::span<const MaterialTexture> textures) {
    TextureSet set;
    for (const MaterialTexture& texture : textures)
        set.push_back((material.*texture.slot).texture);
    return set;
}

Draw draw_of(const SceneDraw& draw, std::uint32_t index, CullMode cull, Fetch fetch) {
    const bool indexed = fetch == Fetch::indexed;
    return {.count = draw.index_count,
            .first = indexed ? draw.first_index : 0,
            .vertex_offset = indexed ? draw.vertex_offset : 0,
            .first_instance = index,
            .cull = cull,
            .own_cull = true};
}

void add_draw(RasterNodeBuilder& node, const SceneData& scene, std::uint32_t index, Faces faces,
              Fetch fetch) {
    const SceneDraw& draw = scene.draws[index];
    const bool double_sided = (material_of(scene, index).flags & material_double_sided) != 0;
    const bool mirrored = (draw.flags & draw_mirrored) != 0;
    const CullMode away = mirrored ? CullMode::front : CullMode::back;
    const CullMode towards = mirrored ? CullMode::back : CullMode::front;
    if (faces == Faces::back_to_front && double_sided) {
        node.draw(draw_of(draw, index, towards, fetch));
        node.draw(draw_of(draw, index, away, fetch));
        return;
    }
    node.draw(
        draw_of(draw, index, double_sided || faces == Faces::both ? CullMode::none : away, fetch));
}

} // namespace

Image white_texel(Graph& graph) {
    return graph.constant_image("white", {.format = Format::rgba8_unorm, .extent = {1, 1, 1}},
                                constant_bytes<4, 0xff>());
}

std::vector<std::uint32_t> blended_draws(const SceneData& scene) {
    return draws_where(scene, true);
}

std::vector<std::uint32_t> solid_draws(const SceneData& scene) {
    return draws_where(scene, false);
}

bool any_masked(const SceneData& scene, std::span<const std::uint32_t> draws) {
    return std::ranges::any_of(draws, [&](std::uint32_t draw) {
        return material_of(scene, draw).alpha_mode == AlphaMode::mask;
    });
}

std::vector<std::uint32_t> by_textures(const SceneData& scene, std::vector<std::uint32_t> draws,
                                       std::span<const MaterialTexture> textures) {
    std::ranges::stable_sort(draws, {}, [&](std::uint32_t draw) {
        return textures_of(material_of(scene, draw), textures);
    });
    return draws;
}

void draw_scene(Graph& graph, RasterNodeBuilder& node, const Scene& scene,
                std::span<const std::uint32_t> draws, std::span<const MaterialTexture> textures,
                Faces faces, Fetch fetch) {
    const SceneData& data = *scene.data;
    node.read("vertices", scene.vertices);
    node.read("draws", scene.draws);
    node.read("transforms", scene.transforms);
    node.read("materials", scene.materials);
    if (fetch == Fetch::indexed)
        node.index_buffer(scene.indices, IndexType::uint32);
    else
        node.read("indices", scene.indices);
    const Image none = white_texel(graph);
    if (draws.empty()) // the kernel's bindings want something all the same
        for (const MaterialTexture& texture : textures)
            node.read(texture.binding, none);
    const TextureSet* bound = nullptr;
    TextureSet current;
    for (const std::uint32_t draw : draws) {
        TextureSet wanted = textures_of(material_of(data, draw), textures);
        if (!bound || *bound != wanted) {
            current = std::move(wanted);
            bound = &current;
            node.begin_group();
            for (std::size_t i = 0; i < textures.size(); ++i) {
                if (current[i] < 0) {
                    node.read(textures[i].binding, none);
                    continue;
                }
                const SceneTexture& texture = data.textures[static_cast<std::size_t>(current[i])];
                Sampler sampler = texture.sampler;
                if (sampler.min_filter == Filter::linear) sampler.max_anisotropy = kAnisotropy;
                node.read(textures[i].binding, scene.images[texture.image], sampler);
            }
        }
        add_draw(node, data, draw, faces, fetch);
    }
}

} // namespace tuff::passes
