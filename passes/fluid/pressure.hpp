#pragma once

#include "passes/fluid/field.hpp"
#include "passes/mpi/poisson_levels.hpp"

#include <optional>

namespace tuff::passes {

/// The Poisson equation for the pressure that makes velocities on faces free of divergence: -(sum
/// over axes of second differences of p) = -div(u), with no flux into solids, walls and sides of
/// inflow. Beyond open sides there is a layer of cells with p = 0.
struct PressureProblem {
    Buffer rhs;           ///< f32 a cell: -div(u); 0 in solids
    Buffer cells;         ///< u32 a cell, `PoissonCell`; not connected if all are unknown
    glm::uvec3 dims{1};   ///< of the arrays, including the layers
    glm::ivec3 offset{0}; ///< first cell of the fluid in them
    /// Where the cycles of mpi/poisson solve it; else those of solver/poisson do.
    std::optional<PoissonLevels> levels;
};
struct PressureSolution {
    Buffer pressure; ///< f32 a cell, with halos
    Buffer status;   ///< status of the solver; of mpi/poisson with a tolerance
};

/// What decides how the pressure is solved.
struct PressureParameters {
    float tolerance = 1e-3f; ///< 0: all cycles run, with the same bits for any number of ranks
    std::uint32_t max_cycles = 8;
    std::uint32_t gather_cells = 1u << 18; ///< as of mpi/poisson
};

/// The parameters of the kernels with shaders/fluid/projection.glsl, for a flow.
void set_projection(ComputeNodeBuilder& node, const PressureProblem& problem,
                    const FluidField& field);
/// Adds the kernel that computes the divergence of `velocities`, as in `StableFluid::faces`, which
/// are known for one cell around the rank's part of `field`.
PressureProblem pressure_problem(Graph& graph, Buffer velocities, const FluidField& field,
                                 const PressureParameters& parameters);
PressureSolution solve_pressure(Graph& graph, const PressureProblem& problem,
                                const FluidField& field, const PressureParameters& parameters);

} // namespace tuff::passes
