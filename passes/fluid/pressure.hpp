#pragma once

#include "passes/fluid/field.hpp"

namespace tuff::passes {

/// The Poisson equation for the pressure that makes velocities on faces free of divergence: -(sum
/// over axes of second differences of p) = -div(u), with no flux into solids, walls and sides of
/// inflow. Beyond open sides there is a layer of cells with p = 0.
struct PressureProblem {
    Buffer rhs;           ///< f32 a cell: -div(u); 0 in solids
    Buffer cells;         ///< u32 a cell, `PoissonCell`; not connected if all are unknown
    glm::uvec3 dims{1};   ///< including the layers
    glm::ivec3 offset{0}; ///< first cell of the fluid
    FluidBoundary boundary;
};
struct PressureSolution {
    Buffer pressure; ///< f32 a cell
    Buffer status;   ///< status of the solver
};

/// The parameters of the kernels with shaders/fluid/projection.glsl.
void set_projection(ComputeNodeBuilder& node, const PressureProblem& problem,
                    const FluidObstacles& solid, glm::uvec3 dims);
/// Adds the kernel that computes the divergence of `velocities`, as in `StableFluid::faces`.
PressureProblem pressure_problem(Graph& graph, Buffer velocities, const FluidObstacles& solid,
                                 const FluidBoundary& boundary, glm::uvec3 dims);
PressureSolution solve_pressure(Graph& graph, const PressureProblem& problem, float tolerance,
                                std::uint32_t max_cycles);

} // namespace tuff::passes
