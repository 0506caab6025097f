#pragma once

#include <glm/vec3.hpp>

#include <cstdint>
#include <vector>

/// Meshes that the tests of voxels are about.
namespace tuff::testing_gpu {

struct TriangleSoup {
    std::vector<glm::vec3> positions;
    std::vector<std::uint32_t> indices; ///< three a triangle

    std::uint32_t triangles() const { return static_cast<std::uint32_t>(indices.size() / 3); }
    void add(glm::vec3 a, glm::vec3 b, glm::vec3 c);
    void append(const TriangleSoup& other);
};

/// An axis-parallel box, twelve triangles that look outwards.
TriangleSoup box_soup(glm::vec3 low, glm::vec3 high);
/// A closed tube along a (2, 3) torus knot within [-1, 1]^3 about `center`, `segments` * `sides` *
/// 2 triangles.
TriangleSoup torus_knot_soup(std::uint32_t segments, std::uint32_t sides, glm::vec3 center,
                             float scale);
/// A ball of rings of triangles, closed.
TriangleSoup sphere_soup(glm::vec3 center, float radius, std::uint32_t rings);
/// Random triangles within the box, of which each fifth has an edge or a plane along an axis, and
/// each ninth no area. `step`: coordinates are multiples of it.
TriangleSoup random_soup(std::uint32_t count, glm::vec3 low, glm::vec3 high, float size, float step,
                         std::uint32_t seed);

/// The triangles in another order, the corners of each turned, and every second one flipped.
TriangleSoup shuffled(const TriangleSoup& soup, std::uint32_t seed);
TriangleSoup flipped(TriangleSoup soup);
TriangleSoup moved(TriangleSoup soup, glm::vec3 by);

/// By the divergence theorem.
double volume(const TriangleSoup& soup);

} // namespace tuff::testing_gpu
