#include "scene/mesh/placed_draws.hpp"

#include <glm/gtc/matrix_inverse.hpp>
#include <glm/mat3x3.hpp>

#include <cmath>

namespace tuff {

glm::mat4 normal_transform(const glm::mat4& world) {
    const glm::mat3 m(world);
    const float determinant = glm::determinant(m);
    if (determinant != 0.0f && std::isfinite(1.0f / determinant))
        return glm::mat4(glm::inverseTranspose(m));
    return glm::mat4(
        glm::mat3(glm::cross(m[1], m[2]), glm::cross(m[2], m[0]), glm::cross(m[0], m[1])));
}

Bounds placed_box(const Bounds& box, const glm::mat4& world) {
    Bounds result;
    if (box.empty()) return result;
    const glm::vec3 ends[2] = {box.min, box.max};
    for (int corner = 0; corner < 8; ++corner)
        result.grow(glm::vec3(world * glm::vec4(ends[corner & 1].x, ends[corner >> 1 & 1].y,
                                                ends[corner >> 2].z, 1.0f)));
    return result;
}

SceneRange append_geometry(SceneData& scene, const Geometry& geometry) {
    SceneRange range{.first_index = static_cast<std::uint32_t>(scene.indices.size()),
                     .index_count = static_cast<std::uint32_t>(geometry.indices.size()),
                     .vertex_offset = static_cast<std::int32_t>(scene.vertices.size()),
                     .vertex_count = static_cast<std::uint32_t>(geometry.vertices.size()),
                     .material = 0,
                     .bounds = {}};
    for (const std::uint32_t corner : geometry.indices)
        range.bounds.grow(geometry.vertices[corner].position);
    scene.vertices.insert(scene.vertices.end(), geometry.vertices.begin(), geometry.vertices.end());
    scene.indices.insert(scene.indices.end(), geometry.indices.begin(), geometry.indices.end());
    return range;
}

bool DrawPlacer::place(std::span<const SceneRange> ranges, std::uint32_t mesh,
                       const glm::mat4& world, std::string_view name) {
    if (ranges.empty()) return true;
    if (scene_.draws.size() + ranges.size() > kMaxDraws) return false;
    const float determinant = glm::determinant(glm::mat3(world));
    const auto transform = static_cast<std::uint32_t>(scene_.transforms.size());
    scene_.transforms.push_back({world, normal_transform(world)});
    scene_.transform_names.resize(transform);
    scene_.transform_names.emplace_back(name);
    for (const SceneRange& range : ranges) {
        scene_.draws.push_back({.first_index = range.first_index,
                                .index_count = range.index_count,
                                .vertex_offset = range.vertex_offset,
                                .material = range.material,
                                .transform = transform,
                                .mesh = mesh,
                                .flags = determinant < 0.0f ? draw_mirrored : 0u,
                                .vertex_count = range.vertex_count});
        const Bounds bounds = world_bounds(range, world);
        scene_.draw_bounds.push_back(bounds);
        scene_.bounds.grow(bounds.min);
        scene_.bounds.grow(bounds.max);
    }
    return true;
}

/// Exact, vertex by vertex, until instancing has used up the work allowed; from then on the box
/// around the primitive's transformed box, which is never too small.
Bounds DrawPlacer::world_bounds(const SceneRange& range, const glm::mat4& world) {
    if (range.index_count > exact_bounds_work_) return placed_box(range.bounds, world);
    exact_bounds_work_ -= range.index_count;
    Bounds bounds;
    const Vertex* vertices = &scene_.vertices[static_cast<std::size_t>(range.vertex_offset)];
    for (std::uint32_t i = 0; i < range.index_count; ++i) {
        const glm::vec3 place = vertices[scene_.indices[range.first_index + i]].position;
        bounds.grow(glm::vec3(world * glm::vec4(place, 1.0f)));
    }
    return bounds;
}

} // namespace tuff
