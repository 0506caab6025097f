#pragma once

#include "passes/fluid/solver_parameters.hpp"

#include <string_view>
#include <vector>

namespace tuff::passes {

/// One step of the density-invariant solver. See `describe`.
struct FluidStep {
    static constexpr std::string_view kName = "fluid/step";

    FluidField before;
    std::vector<EmitterShape> emitters;
    Buffer forces;
    FluidSolverParameters solver;
    FluidBoundary boundary;
    FluidField after;

    /// For passes that keep the state themselves: whether `before` is not looked at, and where the
    /// result goes unless that is a new buffer.
    bool from_rest = false;
    Buffer target;

    static void describe(PassInfo<FluidStep>& info);
    void build(Graph& graph);
};

/// Reports what `check_stability` finds, for the velocities of emitters, inflow and solids; false
/// where there is an error.
[[nodiscard]] bool is_stable(Graph& graph, const FluidSolverParameters& solver,
                             const FluidBoundary& boundary, const SolidMotion& motion,
                             std::span<const EmitterShape> emitters, glm::uvec3 dims);

} // namespace tuff::passes
