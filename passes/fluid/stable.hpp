#pragma once

#include "passes/fluid/advect.hpp"
#include "passes/fluid/forces.hpp"

namespace tuff::passes {

/// Simulates an incompressible fluid on a staggered grid and its dye, from execution to execution.
/// See `describe`.
struct StableFluid {
    static constexpr std::string_view kName = "fluid/stable";

    FluidObstacles obstacles;
    std::vector<EmitterShape> emitters;
    Buffer initial;
    glm::uvec3 dims{128, 128, 1};
    float dt = 1.0f;
    bool reset = false;
    glm::vec3 gravity{0.0f};
    FluidBoundary boundary;
    FluidForceParameters force;
    DyeParameters dye_parameters;
    float tolerance = 1e-3f;
    std::uint32_t max_cycles = 8;
    std::uint32_t reach = 0;               ///< cells; 0: no bound, on one rank
    std::uint32_t gather_cells = 1u << 18; ///< as of mpi/poisson
    FluidField field;
    FluidDye dye;
    Buffer faces;
    Buffer pressure;
    Buffer solver_status;

    static void describe(PassInfo<StableFluid>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
