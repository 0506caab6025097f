#include "scene/mesh/place_parts.hpp"

#include <glm/gtc/matrix_inverse.hpp>
#include <glm/mat3x3.hpp>

#include <cmath>

namespace tuff {
namespace {

/// The box about the placed corners of a box.
Bounds placed(const Bounds& box, const glm::mat4& placement) {
    Bounds result;
    if (box.empty()) return result;
    const glm::vec3 ends[2] = {box.min, box.max};
    for (int corner = 0; corner < 8; ++corner)
        result.grow(glm::vec3(placement * glm::vec4(ends[corner & 1].x, ends[corner >> 1 & 1].y,
                                                    ends[corner >> 2].z, 1.0f)));
    return result;
}

/// A flattening placement has no inverse; its cofactors serve instead, as for nodes of files.
glm::mat4 normal_placement(const glm::mat4& world) {
    const glm::mat3 m(world);
    const float determinant = glm::determinant(m);
    if (determinant != 0.0f && std::isfinite(1.0f / determinant))
        return glm::mat4(glm::inverseTranspose(m));
    return glm::mat4(
        glm::mat3(glm::cross(m[1], m[2]), glm::cross(m[2], m[0]), glm::cross(m[0], m[1])));
}

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

ScenePartSize::ScenePartSize(const ScenePart& part)
    : draws(size_of(part.scene->draws)), transforms(size_of(part.scene->transforms)),
      cameras(size_of(part.scene->cameras)),
      materials(part.material ? 1 : size_of(part.scene->materials)) {}

SceneData place_parts(SceneData merged, std::span<const ScenePartSize> sizes,
                      std::span<const ScenePlacement> placements) {
    merged.bounds = {};
    std::size_t draw = 0, transform = 0, camera = 0, material = 0;
    for (std::size_t part = 0; part < sizes.size(); ++part) {
        const glm::mat4& placement = placements[part].placement;
        const bool mirrors = glm::determinant(glm::mat3(placement)) < 0.0f;
        for (const std::size_t end = draw + sizes[part].draws; draw < end; ++draw) {
            if (mirrors) merged.draws[draw].flags ^= draw_mirrored;
            Bounds& bounds = merged.draw_bounds[draw];
            bounds = placed(bounds, placement);
            merged.bounds.grow(bounds.min);
            merged.bounds.grow(bounds.max);
        }
        for (const std::size_t end = transform + sizes[part].transforms; transform < end;
             ++transform) {
            const glm::mat4 world = placement * merged.transforms[transform].world;
            merged.transforms[transform] = {world, normal_placement(world)};
        }
        for (const std::size_t end = camera + sizes[part].cameras; camera < end; ++camera)
            place_camera(merged.cameras[camera].camera, placement);
        if (placements[part].material) merged.materials[material] = *placements[part].material;
        material += sizes[part].materials;
    }
    return merged;
}

} // namespace tuff
