#include "scene/mesh/place_parts.hpp"

#include "scene/mesh/placed_draws.hpp"

#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>

namespace tuff {
namespace {

void place_camera(Camera& camera, const glm::mat4& placement) {
    const auto place = [&](glm::vec3 p) { return glm::vec3(placement * glm::vec4(p, 1.0f)); };
    camera.position = place(camera.position);
    camera.target = place(camera.target);
    camera.up = glm::mat3(placement) * camera.up;
}

std::uint32_t size_of(const auto& list) {
    return static_cast<std::uint32_t>(list.size());
}

} // namespace

void place_light(SceneLight& light, const glm::mat4& placement) {
    light.position = glm::vec3(placement * glm::vec4(light.position, 1.0f));
    const glm::vec3 along = glm::mat3(placement) * light.direction;
    const float length = glm::length(along);
    if (length > 0.0f) light.direction = along / length;
}

ScenePartSize::ScenePartSize(const ScenePart& part)
    : draws(size_of(part.scene->draws)), transforms(size_of(part.scene->transforms)),
      cameras(size_of(part.scene->cameras)), lights(size_of(part.scene->lights)),
      materials(part.material ? 1 : size_of(part.scene->materials)) {}

SceneData place_parts(SceneData merged, std::span<const ScenePartSize> sizes,
                      std::span<const ScenePlacement> placements) {
    merged.bounds = {};
    std::size_t draw = 0, transform = 0, camera = 0, light = 0, material = 0;
    for (std::size_t part = 0; part < sizes.size(); ++part) {
        const glm::mat4& placement = placements[part].placement;
        const bool mirrors = glm::determinant(glm::mat3(placement)) < 0.0f;
        for (const std::size_t end = draw + sizes[part].draws; draw < end; ++draw) {
            if (mirrors) merged.draws[draw].flags ^= draw_mirrored;
            Bounds& bounds = merged.draw_bounds[draw];
            bounds = placed_box(bounds, placement);
            merged.bounds.grow(bounds.min);
            merged.bounds.grow(bounds.max);
        }
        for (const std::size_t end = transform + sizes[part].transforms; transform < end;
             ++transform) {
            const glm::mat4 world = placement * merged.transforms[transform].world;
            merged.transforms[transform] = {world, normal_transform(world)};
        }
        for (const std::size_t end = camera + sizes[part].cameras; camera < end; ++camera)
            place_camera(merged.cameras[camera].camera, placement);
        for (const std::size_t end = light + sizes[part].lights; light < end; ++light)
            place_light(merged.lights[light], placement);
        if (placements[part].material) merged.materials[material] = *placements[part].material;
        material += sizes[part].materials;
    }
    return merged;
}

} // namespace tuff
