#pragma once

#include "passes/fluid/field.hpp"

#include <tuff/diagnostic.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// Which density the pressure comes from.
enum class FluidMethod : std::uint8_t {
    two_stage, ///< that after the step: stable without viscosity
    printed,   ///< that before it, as the chapter has it: needs viscosity >= stiffness
};

/// What finds a step.
enum class FluidBackEnd : std::uint8_t {
    compute,
    raster, ///< a fragment for each cell, as the chapter has it; in two dimensions
};

/// How the density-invariant solver steps, as a parameter group.
struct FluidSolverParameters {
    FluidMethod method = FluidMethod::two_stage;
    FluidBackEnd back_end = FluidBackEnd::compute;
    float dt = 0.15f;
    float stiffness = 0.2f;
    float viscosity = 0.02f;
    glm::vec3 force{0.0f};
    bool adaptive = false;
    float courant = 1.0f;
    float min_dt = 0.01f;
    bool unchecked = false;

    /// Cells a time unit, along each axis: what crosses a cell in the shortest step.
    float fastest() const { return 1.0f / (adaptive ? min_dt : dt); }
    /// The speed of sound, cells a time unit.
    float sound() const { return std::sqrt(stiffness / dt); }

    static void describe_fields(auto&& field) {
        using P = FluidSolverParameters;
        field("method", &P::method,
              "\"two_stage\": the pressure is that of the density after the step; \"printed\": "
              "before it, as in the chapter, which needs viscosity >= stiffness")
            .structural();
        field("back_end", &P::back_end,
              "\"compute\", or \"raster\": the cells of a flat field of full precision are drawn, "
              "as in the chapter; the same to rounding, and slower")
            .structural();
        field("dt", &P::dt, "length of a step").range(1e-6, 1e6).unit("time units");
        field("stiffness", &P::stiffness,
              "K: the speed of sound is sqrt(K / dt); keep the flow below half of it")
            .range(1e-6, 1e6);
        field("viscosity", &P::viscosity,
              "kinematic; with \"two_stage\" density spreads as fast, too")
            .range(0.0, 1e6)
            .unit("cells^2 / time unit");
        field("force", &P::force, "acceleration of all fluid")
            .range(-1e12, 1e12) // a cell a step after the shortest one
            .unit("cells / time unit^2");
        field("adaptive", &P::adaptive,
              "steps are shorter than \"dt\" where the fluid is fast: it crosses \"courant\" "
              "cells in one, along each axis. The speed of sound stays that of \"dt\"")
            .structural();
        field("courant", &P::courant, "of adaptive steps").range(0.01, 1.0).unit("cells");
        field("min_dt", &P::min_dt, "the shortest adaptive step")
            .range(1e-6, 1e6)
            .unit("time units");
        field("unchecked", &P::unchecked,
              "lets parameters pass for which the scheme is known to be unstable");
    }
};

/// What is wrong with the parameters for a field of so many axes: which of them breaks which bound,
/// and how far it would have to change. Linear stability of the scheme about rest, and no more than
/// a cell a step at `fastest`, the greatest speed that is asked for. Errors: pass/out-of-range,
/// fluid/unstable-viscosity, fluid/unstable-pressure, fluid/time-step. Warning: fluid/mach, above
/// half the speed of sound.
Diagnostics check_stability(const FluidSolverParameters& parameters, int axes, float fastest);

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::FluidBackEnd> {
    static constexpr std::array<std::string_view, 2> names{"compute", "raster"};
};

template <>
struct tuff::ChoiceNames<tuff::passes::FluidMethod> {
    static constexpr std::array<std::string_view, 2> names{"two_stage", "printed"};
};
