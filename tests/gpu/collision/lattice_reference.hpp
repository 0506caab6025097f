#pragma once

#include <glm/mat3x3.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

/// Which triangles meet, by trying all pairs on the host: on the lattice of collision/pairs with
/// separating axes in 128-bit integers, and on the coordinates as they are in double precision.
namespace tuff::testing_gpu {

struct HostMesh {
    std::vector<glm::vec3> positions;
    std::vector<glm::uvec3> triangles;

    void add(glm::vec3 a, glm::vec3 b, glm::vec3 c);
};

HostMesh icosphere(std::uint32_t levels, float radius);
/// A torus of `rings` x `sides` quads, each two triangles.
HostMesh torus(std::uint32_t rings, std::uint32_t sides, float radius, float thickness);
/// Triangles of about `size` all over a cube of side 2.
HostMesh random_triangles(std::size_t count, std::uint32_t seed, float size);
/// A square of `side` x `side` quads in the plane z = height.
HostMesh flat_grid(std::uint32_t side, float height);
/// All in one, the second behind the first.
HostMesh joined(const HostMesh& a, const HostMesh& b);

/// A position and a quaternion x, y, z, w.
struct Placement {
    glm::vec3 position{0.0f};
    glm::vec4 rotation{0.0f, 0.0f, 0.0f, 1.0f};
};

/// From the second mesh's coordinates to the first's: rows of a 3 x 4 matrix, in double precision
/// and rounded to floats.
using Rows = std::array<glm::vec4, 3>;
Rows relative_rows(const Placement& a, const Placement& b, bool mirror_b);

using Pairs = std::vector<glm::uvec2>;

/// The pairs, sorted.
Pairs lattice_pairs(const HostMesh& a, const HostMesh& b, const Rows& rows);
/// Within one mesh, the lower number first.
Pairs lattice_self_pairs(const HostMesh& mesh);

/// What double precision says of a pair: how far apart the triangles are along the best of all
/// axes; negative where they meet on all.
double gap_of(const HostMesh& a, std::uint32_t triangle_a, const HostMesh& b,
              std::uint32_t triangle_b, const Rows& rows);

} // namespace tuff::testing_gpu
