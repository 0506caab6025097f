#include "scene/mesh/made_scene.hpp"

#include "scene/mesh/mesh_materials.hpp"

#include <glm/geometric.hpp>

#include <cmath>
#include <utility>

namespace tuff {
namespace {

glm::vec3 some_perpendicular(glm::vec3 normal) {
    const glm::vec3 other = std::abs(normal.y) < 0.9f ? glm::vec3(0, 1, 0) : glm::vec3(1, 0, 0);
    return glm::normalize(glm::cross(other, normal));
}

} // namespace

SceneData made_scene(Geometry geometry, const std::string& name) {
    SceneData scene;
    for (const Vertex& vertex : geometry.vertices)
        scene.bounds.grow(vertex.position);
    scene.draws.push_back({.first_index = 0,
                           .index_count = static_cast<std::uint32_t>(geometry.indices.size()),
                           .vertex_count = static_cast<std::uint32_t>(geometry.vertices.size())});
    scene.vertices = std::move(geometry.vertices);
    scene.indices = std::move(geometry.indices);
    scene.draw_bounds.push_back(scene.bounds);
    scene.transforms.emplace_back();
    scene.materials.push_back(mesh_material());
    scene.material_names.push_back(name);
    scene.mesh_names.push_back(name);
    scene.node_count = 1;
    return scene;
}

SceneData made_smooth_scene(Geometry geometry, const std::string& name) {
    make_smooth(geometry);
    for (Vertex& vertex : geometry.vertices)
        vertex.tangent = glm::vec4(some_perpendicular(vertex.normal), 1.0f);
    return made_scene(std::move(geometry), name);
}

} // namespace tuff
