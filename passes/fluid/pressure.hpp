#pragma once

#include "passes/fluid/field.hpp"

namespace tuff::passes {

/// The equation for the pressure that takes the divergence of velocities on faces away:
/// -(sum over axes of second differences of p) = -div(u), with no flux into solids and walls.
struct PressureProblem {
    Buffer rhs;   ///< f32 a cell: -div(u); 0 in solids
    Buffer cells; ///< u32 a cell, 1 where it is solid; not connected where none is
    glm::uvec3 dims{1};
    FluidBoundary boundary; ///< walls and periodic sides
};
struct PressureSolution {
    Buffer pressure; ///< f32 a cell
    Buffer status;   ///< of the solver
};

/// Adds the kernel that finds the divergence of `velocities`, a vec4 a cell as in `StableFluid`.
PressureProblem pressure_problem(Graph& graph, Buffer velocities, const FluidObstacles& solid,
                                 const FluidBoundary& boundary, glm::uvec3 dims);
PressureSolution solve_pressure(Graph& graph, const PressureProblem& problem, float tolerance,
                                std::uint32_t max_cycles);

} // namespace tuff::passes
