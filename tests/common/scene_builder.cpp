#include "tests/common/scene_builder.hpp"

#include <glm/common.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>
#include <glm/packing.hpp>
#include <glm/trigonometric.hpp>

#include <cstddef>
#include <numbers>

namespace tuff {

SceneMaterial SceneBuilder::plain(glm::vec4 base_color, float metallic, float roughness) {
    SceneMaterial material;
    material.base_color = base_color;
    material.metallic = metallic;
    material.roughness = roughness;
    return material;
}

SceneMaterial SceneBuilder::unlit(glm::vec4 color, AlphaMode mode) {
    SceneMaterial material = plain(color);
    material.flags = material_unlit;
    material.alpha_mode = mode;
    return material;
}

std::uint32_t SceneBuilder::material(SceneMaterial material) {
    scene_.materials.push_back(material);
    scene_.material_names.emplace_back("material");
    return static_cast<std::uint32_t>(scene_.materials.size() - 1);
}

std::int32_t SceneBuilder::texture(std::uint32_t width, std::uint32_t height,
                                   const std::vector<std::array<std::uint8_t, 4>>& texels,
                                   bool srgb, AddressMode u, AddressMode v) {
    HostImage image =
        make_image(srgb ? Format::rgba8_srgb : Format::rgba8_unorm, {width, height, 1});
    for (std::size_t i = 0; i < texels.size(); ++i)
        for (std::size_t c = 0; c < 4; ++c)
            image.texels[4 * i + c] = std::byte{texels[i][c]};
    SceneTexture texture{.image = static_cast<std::uint32_t>(scene_.images.size()),
                         .sampler = Sampler::nearest(),
                         .srgb = srgb};
    texture.sampler.address_u = u;
    texture.sampler.address_v = v;
    texture.sampler.base_level_only = true;
    scene_.images.push_back(std::move(image));
    scene_.textures.push_back(texture);
    return static_cast<std::int32_t>(scene_.textures.size() - 1);
}

void SceneBuilder::quad(std::uint32_t material, const glm::mat4& world, const Quad& quad) {
    std::vector<Vertex> vertices;
    for (int corner = 0; corner < 4; ++corner) {
        const bool right = corner & 1;
        const bool top = corner & 2;
        Vertex vertex;
        vertex.position = {right ? 1.0f : -1.0f, top ? 1.0f : -1.0f, 0.0f};
        vertex.color_rg = glm::packUnorm2x16({quad.color.r, quad.color.g});
        vertex.color_ba = glm::packUnorm2x16({quad.color.b, quad.color.a});
        vertex.tangent = quad.tangent;
        vertex.uv0 = {quad.uv[right].x, quad.uv[top].y};
        vertex.uv1 = {quad.uv1[right].x, quad.uv1[top].y};
        vertices.push_back(vertex);
    }
    add(material, world, vertices, {0, 1, 3, 0, 3, 2});
}

void SceneBuilder::quad_with_defaults(std::uint32_t material, const glm::mat4& world) {
    quad(material, world, Quad{});
}

void SceneBuilder::sphere(std::uint32_t material, const glm::mat4& world, std::uint32_t rings) {
    const std::uint32_t segments = 2 * rings;
    std::vector<Vertex> vertices;
    std::vector<std::uint32_t> indices;
    for (std::uint32_t i = 0; i <= rings; ++i)
        for (std::uint32_t j = 0; j <= segments; ++j) {
            const float v = static_cast<float>(i) / static_cast<float>(rings);
            const float u = static_cast<float>(j) / static_cast<float>(segments);
            const float down = v * std::numbers::pi_v<float>;
            const float around = 2.0f * u * std::numbers::pi_v<float>;
            Vertex vertex;
            vertex.normal = {glm::sin(down) * glm::sin(around), glm::cos(down),
                             glm::sin(down) * glm::cos(around)};
            vertex.position = vertex.normal;
            vertex.tangent = {glm::cos(around), 0.0f, -glm::sin(around), 1.0f};
            vertex.uv0 = {u, v};
            vertices.push_back(vertex);
            if (i == rings || j == segments) continue;
            const std::uint32_t first = i * (segments + 1) + j;
            const std::uint32_t below = first + segments + 1;
            indices.insert(indices.end(), {first, below, below + 1, first, below + 1, first + 1});
        }
    add(material, world, vertices, indices);
}

void SceneBuilder::camera(float half_height) {
    Camera camera;
    camera.kind = Projection::orthographic;
    camera.position = {0.0f, 0.0f, 20.0f};
    camera.orthographic_height = 2.0f * half_height;
    camera.near_plane = 10.0f;
    camera.far_plane = 30.0f;
    this->camera(camera);
}

void SceneBuilder::add(std::uint32_t material, const glm::mat4& world,
                       const std::vector<Vertex>& vertices,
                       const std::vector<std::uint32_t>& indices) {
    const auto count = [](const auto& list) { return static_cast<std::uint32_t>(list.size()); };
    const glm::mat3 linear(world);
    scene_.draws.push_back({.first_index = count(scene_.indices),
                            .index_count = count(indices),
                            .vertex_offset = static_cast<std::int32_t>(scene_.vertices.size()),
                            .material = material,
                            .transform = count(scene_.transforms),
                            .mesh = count(scene_.draws),
                            .flags = glm::determinant(linear) < 0.0f ? draw_mirrored : 0u,
                            .vertex_count = count(vertices)});
    scene_.transforms.push_back(
        {.world = world, .normal = glm::mat4(glm::transpose(glm::inverse(linear)))});
    Bounds bounds;
    for (const Vertex& vertex : vertices)
        bounds.grow(glm::vec3(world * glm::vec4(vertex.position, 1.0f)));
    scene_.draw_bounds.push_back(bounds);
    scene_.bounds.grow(bounds.min);
    scene_.bounds.grow(bounds.max);
    scene_.vertices.insert(scene_.vertices.end(), vertices.begin(), vertices.end());
    scene_.indices.insert(scene_.indices.end(), indices.begin(), indices.end());
    scene_.mesh_names.emplace_back("mesh");
    ++scene_.node_count;
}

} // namespace tuff
