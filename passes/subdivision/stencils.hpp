#pragma once

#include "passes/subdivision/topology.hpp"

#include <cstdint>
#include <vector>

namespace tuff::passes {

/// Sums of vertices with weights, one after the other: a new vertex each.
struct Stencils {
    std::vector<std::uint32_t> ends; ///< of each one's terms
    std::vector<std::uint32_t> vertices;
    std::vector<float> weights;

    void add(std::uint32_t vertex, double weight);
    void end() { ends.push_back(static_cast<std::uint32_t>(vertices.size())); }
};

/// All triangles of a cage subdivided: for each level the places of its vertices in terms of those
/// of the level before. Vertices keep their numbers; those of edges follow.
struct UniformLevels {
    std::vector<Stencils> levels;
    Stencils limit;                           ///< of the last level: places on the limit surface
    std::vector<glm::uvec3> triangles;        ///< of the last level
    std::vector<std::uint32_t> vertex_counts; ///< of all levels, the cage first
};
UniformLevels subdivide_all(const CageTopology& cage, std::uint32_t levels);

} // namespace tuff::passes
