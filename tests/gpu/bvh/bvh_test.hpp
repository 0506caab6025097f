#pragma once

#include "passes/bvh/bvh.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include <bit>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

/// What the tests of hierarchies share: meshes at which builders go wrong, rays at which tracers
/// do, and both in and out of a graph.
namespace tuff::testing_gpu {

/// A mesh on the host.
struct Soup {
    std::string name;
    std::vector<glm::vec3> positions;
    std::vector<glm::uvec3> triangles;

    void add(glm::vec3 a, glm::vec3 b, glm::vec3 c);
    /// The triangle's corners; it must have good indices.
    std::array<glm::vec3, 3> corners(std::size_t triangle) const;
};

/// Small triangles all over a cube.
Soup random_soup(std::size_t triangles, std::uint32_t seed = 1, float size = 0.2f);
/// Most of them in a few heaps, of very different sizes.
Soup clustered_soup(std::size_t triangles, std::uint32_t seed = 2);
/// Few different triangles, again and again.
Soup duplicate_soup(std::size_t triangles, std::uint32_t seed = 3);
/// A third cannot be hit: no area, not finite, bad indices.
Soup broken_soup(std::size_t triangles, std::uint32_t seed = 4);
/// All in one plane, z = 0.25; side by side.
Soup flat_soup(std::size_t side);
/// All centroids on one line.
Soup line_soup(std::size_t triangles);
/// A closed sphere around the origin: an octahedron, each triangle cut in four `levels` times.
Soup sphere(std::uint32_t levels, float radius = 1.0f);

/// The first three of four words, as floats.
inline glm::vec3 floats(const glm::uvec4& quad) {
    return {std::bit_cast<float>(quad.x), std::bit_cast<float>(quad.y),
            std::bit_cast<float>(quad.z)};
}

/// Why rays cannot hit a triangle: as in bvh/mesh_triangle.glsl.
enum class Kind : std::uint8_t { proper, degenerate, not_finite, bad_index };
Kind kind_of(const Soup& soup, std::size_t triangle);
std::size_t count_of(const Soup& soup, Kind kind);

/// A ray as kernels read it.
struct HostRay {
    glm::vec3 origin{0.0f};
    float t_max = std::numeric_limits<float>::max();
    glm::vec3 direction{0.0f, 0.0f, 1.0f};
    std::uint32_t leaves = ~0u;
};
static_assert(sizeof(HostRay) == 32);

/// A hit as kernels write it.
struct HostHit {
    float t = 0.0f;
    std::uint32_t triangle = ~0u;
    float b = 0.0f;
    float c = 0.0f;
};
static_assert(sizeof(HostHit) == 16);

/// From anywhere in a cube of twice the size to anywhere in the cube.
std::vector<HostRay> random_rays(std::size_t count, std::uint32_t seed = 5);
/// Through corners and along edges of the mesh, from points on triangles, parallel to axes and
/// planes, of zeros of both signs, short and long, starting inside, not finite in origin or
/// direction, without direction.
std::vector<HostRay> awkward_rays(const Soup& soup, std::size_t count, std::uint32_t seed = 6);

class BvhTest : public GpuTest {
  protected:
    passes::TriangleMesh mesh(Graph& g, const Soup& soup);
    Buffer rays(Graph& g, const std::vector<HostRay>& rays);
};

/// A hierarchy read back.
struct HostBvh {
    passes::BvhStatus status;
    std::vector<glm::uvec4> nodes;
    std::vector<glm::uvec4> leaves;
};
/// Makes the hierarchy an output; `read_bvh` reads it.
void output_bvh(Graph& g, const std::string& name, const passes::Bvh& bvh);
HostBvh read_bvh(Running& running, const std::string& name);

/// Checks all that must hold for a binary hierarchy over the mesh: what it leaves out is what must
/// be left out, each other triangle is in one leaf, each leaf is reached once, boxes are those of
/// the children to the bit, parents are parents, and counts are right. Returns the first thing that
/// is wrong, or "".
std::string fault_in(const HostBvh& bvh, const Soup& soup);

} // namespace tuff::testing_gpu
