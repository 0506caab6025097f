#include "scene/mesh/geometry.hpp"
#include "scene/mesh/made_scene.hpp"
#include "scene/mesh/place_parts.hpp"
#include "scene/motion/merge_motion.hpp"

#include <tuff/scene.hpp>

#include <fmt/format.h>

#include <vector>

namespace tuff {
namespace {

std::uint32_t count(const auto& list) {
    return static_cast<std::uint32_t>(list.size());
}

void append(auto& whole, const auto& part) {
    whole.insert(whole.end(), part.begin(), part.end());
}

void add_materials(SceneData& whole, const ScenePart& part) {
    if (part.material) {
        whole.materials.push_back(*part.material);
        whole.material_names.emplace_back("of the part");
        return;
    }
    const std::int32_t first_texture = static_cast<std::int32_t>(whole.textures.size());
    for (SceneMaterial material : part.scene->materials) {
        for (TextureSlot* slot :
             {&material.base_color_texture, &material.metallic_roughness_texture,
              &material.normal_texture, &material.occlusion_texture, &material.emissive_texture})
            if (slot->texture >= 0) slot->texture += first_texture;
        whole.materials.push_back(material);
    }
    append(whole.material_names, part.scene->material_names);
    for (SceneTexture texture : part.scene->textures) {
        texture.image += count(whole.images);
        whole.textures.push_back(texture);
    }
    append(whole.images, part.scene->images);
}

void add_draws(SceneData& whole, const ScenePart& part, std::uint32_t first_material) {
    const SceneData& scene = *part.scene;
    for (std::size_t i = 0; i < scene.draws.size(); ++i) {
        SceneDraw draw = scene.draws[i];
        draw.first_index += count(whole.indices);
        draw.vertex_offset += static_cast<std::int32_t>(whole.vertices.size());
        draw.material = first_material + (part.material ? 0 : draw.material);
        draw.transform += count(whole.transforms);
        draw.mesh += count(whole.mesh_names);
        whole.draws.push_back(draw);
    }
    append(whole.draw_bounds, scene.draw_bounds);
    whole.transform_names.resize(whole.transforms.size());
    append(whole.transform_names, scene.transform_names);
    append(whole.transforms, scene.transforms);
    append(whole.cameras, scene.cameras);
    append(whole.lights, scene.lights);
}

} // namespace

Result<SceneData> merge_scenes(std::span<const ScenePart> parts) {
    SceneData whole;
    std::vector<ScenePartSize> sizes;
    std::vector<ScenePlacement> placements;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const ScenePart& part = parts[i];
        const SceneData& scene = *part.scene;
        if (!is_finite(part.placement))
            return fail("mesh/not-finite",
                        fmt::format("the placement of part {} is not a finite number", i));
        const std::uint64_t vertices = whole.vertices.size() + scene.vertices.size();
        const std::uint64_t indices = whole.indices.size() + scene.indices.size();
        if (vertices > 0x7fffffffu || indices > 0xffffffffu)
            return fail("mesh/too-large", fmt::format("the scene is too large with part {}: "
                                                      "{} vertices and {} indices",
                                                      i, vertices, indices));
        const std::uint32_t first_material = count(whole.materials);
        add_materials(whole, part);
        add_draws(whole, part, first_material);
        sizes.emplace_back(part);
        placements.push_back({part.placement, part.material});
        append(whole.vertices, scene.vertices);
        append(whole.indices, scene.indices);
        append(whole.mesh_names, scene.mesh_names);
        append(whole.warnings, scene.warnings);
        whole.node_count += scene.node_count;
    }
    whole.transform_names.resize(whole.transforms.size());
    whole.motion = merge_motions(parts);
    return place_parts(std::move(whole), sizes, placements);
}

SceneData make_plane(glm::vec2 size) {
    Geometry geometry;
    for (int corner = 0; corner < 4; ++corner) {
        const glm::vec2 uv(corner & 1, corner >> 1);
        Vertex vertex;
        vertex.position = {(uv.x - 0.5f) * size.x, 0.0f, (uv.y - 0.5f) * size.y};
        vertex.normal = {0.0f, 1.0f, 0.0f};
        vertex.tangent = {1.0f, 0.0f, 0.0f, -1.0f};
        vertex.uv0 = uv;
        geometry.vertices.push_back(vertex);
    }
    geometry.indices = {0, 2, 3, 0, 3, 1};
    return made_scene(std::move(geometry), "plane");
}

} // namespace tuff
