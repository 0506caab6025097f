#pragma once

#include <glm/vec3.hpp>

#include <cstdint>
#include <map>
#include <random>
#include <utility>
#include <vector>

/// Loop subdivision of whole meshes on the host, in double precision, by maps of edges.
namespace tuff::testing_gpu {

using LoopEdge = std::pair<std::uint32_t, std::uint32_t>; ///< the lower number first

/// Sharpness of edges that stay sharp.
inline constexpr double kLoopEndless = 10.0;

struct LoopMesh {
    std::vector<glm::dvec3> positions;
    std::vector<glm::uvec3> triangles;
    std::map<LoopEdge, double> sharpness; ///< of edges that are sharp; boundaries are without
    std::vector<bool> fixed;              ///< vertices that stay; empty: none

    static LoopEdge edge(std::uint32_t a, std::uint32_t b) {
        return {std::min(a, b), std::max(a, b)};
    }
};

/// Vertices keep their numbers; those of edges follow.
LoopMesh refined(const LoopMesh& mesh);

/// Of all vertices, and the unit normals of each triangle's corners, on the limit surface. Edges
/// that are sharp for some levels make it refine as often as that takes.
struct LoopLimit {
    std::vector<glm::dvec3> positions;
    std::vector<std::array<glm::dvec3, 3>> normals; ///< of triangles' corners
    std::vector<bool> boundary;                     ///< of vertices
};
LoopLimit limit_of(const LoopMesh& mesh);

/// Edges of one triangle alone.
std::vector<LoopEdge> boundary_of(const std::vector<glm::uvec3>& triangles);

// --- cages ---------------------------------------------------------------------------------------
LoopMesh tetrahedron();
LoopMesh octahedron();
/// Two apexes of `sides` neighbours each over a ring.
LoopMesh bipyramid(std::uint32_t sides);
/// A grid of x by y squares in two triangles each; bumpy where `rough` is more than 0.
LoopMesh sheet(std::uint32_t x, std::uint32_t y, double rough, std::uint32_t seed);
LoopMesh torus(std::uint32_t around, std::uint32_t along, double rough, std::uint32_t seed);
/// A cube of twelve triangles, all of whose twelve edges have this sharpness.
LoopMesh cube(double sharpness);
/// For torus(6, 6): a crease that ends on the surface, two that meet, and three of which one fades.
std::map<LoopEdge, double> creases_that_end_and_meet();
/// For torus(6, 6): three that stay meet in one vertex, with a fourth that fades.
std::map<LoopEdge, double> three_creases_that_meet();
/// For sheet(4, 4): one that runs into the boundary, and one at it that fades.
std::map<LoopEdge, double> creases_into_boundaries();
/// A sphere-like cage of random edge flips, so that vertices have many and few neighbours.
LoopMesh random_blob(std::uint32_t seed);

} // namespace tuff::testing_gpu
