#pragma once

#include "passes/fluid/field.hpp"

namespace tuff::passes {

/// The equation for the pressure that takes the divergence of velocities on faces away:
/// -(sum over axes of second differences of p) = -div(u), with no flux into solids, walls and
/// sides of inflow. Beyond open sides there is a layer of cells whose p is 0.
struct PressureProblem {
    Buffer rhs;           ///< f32 a cell: -div(u); 0 in solids
    Buffer cells;         ///< u32 a cell, `PoissonCell`; not connected where all are unknown
    glm::uvec3 dims{1};   ///< with the layers
    glm::ivec3 offset{0}; ///< of the fluid's cells
    FluidBoundary boundary;
};
struct PressureSolution {
    Buffer pressure; ///< f32 a cell
    Buffer status;   ///< of the solver
};

/// What the kernels of shaders/fluid/projection.glsl take.
void set_projection(ComputeNodeBuilder& node, const PressureProblem& problem,
                    const FluidObstacles& solid, glm::uvec3 dims);
/// Adds the kernel that finds the divergence of `velocities`, as in `StableFluid::faces`.
PressureProblem pressure_problem(Graph& graph, Buffer velocities, const FluidObstacles& solid,
                                 const FluidBoundary& boundary, glm::uvec3 dims);
PressureSolution solve_pressure(Graph& graph, const PressureProblem& problem, float tolerance,
                                std::uint32_t max_cycles);

} // namespace tuff::passes
