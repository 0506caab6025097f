#pragma once

#include "passes/mpi/poisson.hpp"
#include "passes/mpi/poisson_levels.hpp"

namespace tuff::passes {

/// The cycles of mpi/poisson: builds them and sets the outputs. The images have been checked.
void solve_by_cycles(Graph& graph, PoissonOfParts& pass, const Field& field);

/// -laplace(solution) = rhs, in arrays of the finest of some grids. Halos of what comes in need not
/// be filled.
struct PoissonOfArrays {
    Buffer rhs;   ///< f32 a cell; 0 in cells that are not unknown
    Buffer kinds; ///< u32 a cell, `PoissonCell`, those fixed at 0; not connected: all are unknown
    float tolerance = 1e-4f; ///< 0: all cycles run without sums, and the mean is left as it is
    std::uint32_t max_cycles = 20;
    Buffer solution; ///< with its halo
    Buffer status;   ///< of cycles with a tolerance
};
/// By V-cycles, or with kinds by conjugate residuals.
void solve_by_cycles(Graph& graph, const PoissonLevels& levels, PoissonOfArrays& problem);

/// The finest grid of such a field. Unlike those of solver/poisson, axes of one cell have their
/// boundaries; a flat field has none along z.
PoissonGrid grid_of_parts(glm::uvec3 cells, glm::vec3 spacing, const PoissonBoundaries& boundary,
                          bool flat);

} // namespace tuff::passes
