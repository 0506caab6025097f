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
    std::uint32_t steps = 1; ///< two: `fuses`

    static void describe(PassInfo<FluidStep>& info);
    void build(Graph& graph);
};

/// Whether one kernel can take two such steps of a field at once, to the same bits: a flat one
/// without open sides, by steps of compute that do not adapt.
bool fuses(const FluidSolverParameters& solver, const FluidBoundary& boundary, glm::uvec3 dims);

/// Reports fluid/raster where the back end cannot step such fields.
[[nodiscard]] bool can_step(Graph& graph, const FluidSolverParameters& solver, glm::uvec3 dims,
                            FluidPrecision precision);

/// Reports what `check_stability` finds, for the velocities of emitters, inflow and solids; false
/// where there is an error.
[[nodiscard]] bool is_stable(Graph& graph, const FluidSolverParameters& solver,
                             const FluidBoundary& boundary, const SolidMotion& motion,
                             std::span<const EmitterShape> emitters, glm::uvec3 dims);

} // namespace tuff::passes
