#pragma once

#include "passes/subdivision/topology.hpp"

#include <cstdint>
#include <vector>

namespace tuff::passes {

/// Weighted sums of vertices, one after the other; each gives a new vertex.
struct Stencils {
    std::vector<std::uint32_t> ends; ///< terms of each sum
    std::vector<std::uint32_t> vertices;
    std::vector<float> weights;

    void add(std::uint32_t vertex, double weight);
    void end() { ends.push_back(static_cast<std::uint32_t>(vertices.size())); }
};

/// All triangles of a cage, subdivided: for each level the positions of its vertices as sums of
/// those of the previous level. Vertices keep their indices; those of edges follow.
struct UniformLevels {
    std::vector<Stencils> levels;
    Stencils limit;                           ///< last level only: positions on the limit surface
    std::vector<glm::uvec3> triangles;        ///< last level only
    std::vector<std::uint32_t> vertex_counts; ///< of all levels, the cage first
};
UniformLevels subdivide_all(const CageTopology& cage, std::uint32_t levels);

} // namespace tuff::passes
