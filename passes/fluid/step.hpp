#pragma once

#include "passes/fluid/solver_parameters.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace tuff::passes {

/// Simulates a compressible fluid for one step. See `describe`.
struct FluidStep {
    static constexpr std::string_view kName = "fluid/step";

    FluidField before;
    std::vector<EmitterShape> emitters;
    Buffer forces;
    FluidSolverParameters solver;
    FluidBoundary boundary;
    FluidField after;

    /// For passes that keep the state themselves: whether `before` is ignored, and where the result
    /// is written, by default a new buffer.
    bool from_rest = false;
    Buffer target;
    std::uint32_t steps = 1; ///< two: `fuses`
    /// Where ranks have the field in parts: cells around the part that are stepped, too, so that
    /// the next step needs no other rank; and cells of the halo that are filled after the step
    /// where there is no margin, by default all.
    std::int32_t margin = 0;
    std::optional<std::int32_t> filled;

    static void describe(PassInfo<FluidStep>& info);
    void build(Graph& graph);
};

/// Whether one kernel can take two such steps of a field at once with the same bits: the field must
/// be flat without open sides, and the steps must use compute and not adapt.
bool fuses(const FluidSolverParameters& solver, const FluidBoundary& boundary, glm::uvec3 dims);

/// No component of a velocity is above it after a step: fluid is held to less, solids may be
/// faster.
float greatest_speed(const FluidSolverParameters& solver, const FluidObstacles& solid);

/// Cells around its own that a step looks at.
std::int32_t reach_of(FluidMethod method);

/// Reports fluid/raster if the back end does not support such fields, and fluid/ranks if the
/// graph's ranks cannot step their parts so.
[[nodiscard]] bool can_step(Graph& graph, const FluidSolverParameters& solver, glm::uvec3 dims,
                            FluidPrecision precision);

/// Reports the results of `check_stability`, for the velocities of emitters, inflow and solids.
/// Returns false if there is an error.
[[nodiscard]] bool is_stable(Graph& graph, const FluidSolverParameters& solver,
                             const FluidBoundary& boundary, const SolidMotion& motion,
                             std::span<const EmitterShape> emitters, glm::uvec3 dims);

} // namespace tuff::passes
