#pragma once

#include "passes/solver/poisson.hpp"

#include <glm/vec3.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

/// Poisson's equation by the multigrid solver PFMG of hypre, where the build found its headers and
/// the machine has its library: what the host's processor makes of the same work.
namespace tuff::bench {

struct HypreSolve {
    std::string name;            ///< "hypre 2.26.0 PFMG on 1 thread, 9 cycles"
    double milliseconds = 0.0;   ///< of a solve, without the set-up; a median
    std::vector<float> solution; ///< rounded: hypre computes in double precision
};

/// Of cells of side 1, x fastest, with the same boundary (Neumann or periodic) all around, from 0
/// until the residual's norm is `tolerance` of that of `rhs`. Nothing where hypre is missing or
/// fails.
std::optional<HypreSolve> solve_by_hypre(glm::uvec3 size, passes::PoissonBoundary boundary,
                                         std::span<const float> rhs, double tolerance);

} // namespace tuff::bench
