#include "scene/mesh/made_scene.hpp"

#include <tuff/closed_meshes.hpp>

#include <glm/geometric.hpp>

#include <cmath>
#include <numbers>
#include <utility>

namespace tuff {
namespace {

constexpr double kKnotTurn = 2.0 * std::numbers::pi;
constexpr std::uint32_t kKnotRings = 625;
constexpr std::uint32_t kKnotSides = 16;
constexpr double kCore = 2.0; // radius of the torus's core; that of its tube is 1

/// A place on the torus, by angles about its axis and about its core.
struct TorusPlace {
    glm::dvec3 position;
    glm::dvec3 normal; ///< of the torus
};

TorusPlace torus_place(double about_axis, double about_core) {
    const glm::dvec3 out(std::cos(about_axis), 0.0, std::sin(about_axis));
    const glm::dvec3 normal =
        std::cos(about_core) * out + glm::dvec3(0.0, std::sin(about_core), 0.0);
    return {kCore * out + normal, normal};
}

/// The velocity of the place where the angles grow by `turns` in a unit of time.
glm::dvec3 torus_velocity(glm::dvec2 angles, glm::dvec2 turns) {
    const glm::dvec3 out(std::cos(angles.x), 0.0, std::sin(angles.x));
    const glm::dvec3 around(-out.z, 0.0, out.x);
    const glm::dvec3 down = -std::sin(angles.y) * out + glm::dvec3(0.0, std::cos(angles.y), 0.0);
    return turns.x * (kCore + std::cos(angles.y)) * around + turns.y * down;
}

} // namespace

SceneData make_torus_knot(std::uint32_t windings) {
    // Neighbours among numbers have no common divisor, so that the curve is one.
    const glm::dvec2 turns(windings - 1.0, windings);
    const double thickness = 1.5 / windings; // strands are farther apart than twice this
    const double scale = 1.0 / (kCore + 1.0 + thickness);
    Geometry geometry;
    for (std::uint32_t ring = 0; ring < kKnotRings; ++ring) {
        const glm::dvec2 angles = kKnotTurn * ring / kKnotRings * turns;
        const TorusPlace place = torus_place(angles.x, angles.y);
        // A curve on a torus runs across the torus's normal: these two never turn over.
        const glm::dvec3 along = glm::normalize(torus_velocity(angles, turns));
        const glm::dvec3 across = glm::cross(along, place.normal);
        for (std::uint32_t side = 0; side < kKnotSides; ++side) {
            const double angle = kKnotTurn * side / kKnotSides;
            const glm::dvec3 to = std::cos(angle) * place.normal + std::sin(angle) * across;
            Vertex vertex;
            vertex.position = glm::vec3(scale * (place.position + thickness * to));
            geometry.vertices.push_back(vertex);
        }
    }
    for (std::uint32_t ring = 0; ring < kKnotRings; ++ring)
        for (std::uint32_t side = 0; side < kKnotSides; ++side) {
            const std::uint32_t next_ring = (ring + 1) % kKnotRings * kKnotSides;
            const std::uint32_t next_side = (side + 1) % kKnotSides;
            const std::uint32_t a = ring * kKnotSides + side;
            const std::uint32_t b = ring * kKnotSides + next_side;
            const std::uint32_t c = next_ring + side;
            const std::uint32_t d = next_ring + next_side;
            geometry.indices.insert(geometry.indices.end(), {a, b, d, a, d, c});
        }
    return made_smooth_scene(std::move(geometry), "knot");
}

} // namespace tuff
