#pragma once

#include "passes/fluid/advect.hpp"
#include "passes/fluid/forces.hpp"
#include "passes/fluid/step.hpp"

namespace tuff::passes {

/// Simulates a fluid and its dye from execution to execution. See `describe`.
struct SimpleFluid {
    static constexpr std::string_view kName = "fluid/simple";

    FluidObstacles obstacles;
    std::vector<EmitterShape> emitters;
    Buffer initial;
    glm::uvec3 dims{256, 256, 1};
    std::uint32_t steps = 4;
    std::uint32_t fused = 0;
    std::uint32_t apart = 0;
    std::uint32_t halo = 0;
    FluidPrecision precision = FluidPrecision::full;
    bool dyed = true;
    bool reset = false;
    FluidSolverParameters solver;
    FluidBoundary boundary;
    FluidForceParameters force;
    DyeParameters dye_parameters;
    FluidField field;
    FluidDye dye;

    static void describe(PassInfo<SimpleFluid>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
