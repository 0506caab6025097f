#pragma once

#include "passes/raygrid/cast.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <glm/vec3.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

/// What the tests of ray grids share: meshes, rays, and what double precision says of them.
namespace tuff::testing_gpu {

/// A mesh on the host.
struct GridMesh {
    std::vector<glm::vec3> positions;
    std::vector<glm::uvec3> triangles;

    void add(glm::vec3 a, glm::vec3 b, glm::vec3 c);
    /// Two triangles.
    void add_quad(glm::vec3 corner, glm::vec3 along, glm::vec3 across);
};

GridMesh scattered(std::size_t triangles, float size, std::uint32_t seed);
/// A box seen from inside, and a rough sphere in it.
GridMesh room_with_sphere(float half, float radius);

/// A ray and a hit as kernels read and write them.
struct GridRayHost {
    glm::vec3 origin{0.0f};
    float t_max = std::numeric_limits<float>::max();
    glm::vec3 direction{0.0f, 0.0f, 1.0f};
    std::uint32_t leaves = ~0u;
};
static_assert(sizeof(GridRayHost) == 32);

struct GridHitHost {
    std::uint32_t t = 0; ///< bits
    std::uint32_t triangle = ~0u;
    std::uint32_t b = 0;
    std::uint32_t c = 0;
    bool operator==(const GridHitHost&) const = default;
};
static_assert(sizeof(GridHitHost) == 16);

/// From anywhere in a cube of twice the size to anywhere in the cube.
std::vector<GridRayHost> scattered_rays(std::size_t count, std::uint32_t seed);
/// Along axes and diagonals, in faces, edges and corners of the cells of a grid of `dims` cells
/// from `low` to `high`, from inside and outside, short ones, and such as are no rays.
std::vector<GridRayHost> lattice_rays(glm::vec3 low, glm::vec3 high, glm::uvec3 dims,
                                      std::size_t count, std::uint32_t seed);

/// Compares hits with those of double precision: "" or the first that no rounding explains. `ties`
/// counts those that it does.
std::string fault_in_hits(const GridMesh& mesh, const std::vector<GridRayHost>& rays,
                          const std::vector<GridHitHost>& hits, std::size_t& ties);

class RayGridTest : public GpuTest {
  protected:
    passes::TriangleMesh mesh(Graph& g, const GridMesh& host);
    Buffer rays(Graph& g, const std::vector<GridRayHost>& host);
};

} // namespace tuff::testing_gpu
