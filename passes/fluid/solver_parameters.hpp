#pragma once

#include "passes/fluid/field.hpp"

#include <tuff/diagnostic.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// The density that the pressure is computed from.
enum class FluidMethod : std::uint8_t {
    two_stage, ///< after the step: stable without viscosity
    printed,   ///< before the step, as in the chapter: needs viscosity >= stiffness
};

/// What computes a step.
enum class FluidBackEnd : std::uint8_t {
    compute,
    raster, ///< a fragment for each cell, as in the chapter; only in two dimensions
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

    /// Cells per time unit, along each axis, that cross one cell in the shortest step.
    float fastest() const { return 1.0f / (adaptive ? min_dt : dt); }
    /// The speed of sound, cells per time unit.
    float sound() const { return std::sqrt(stiffness / dt); }

    static void describe_fields(auto&& field) {
        using P = FluidSolverParameters;
        field("method", &P::method,
              "\"two_stage\": the pressure uses the density after the step; \"printed\": "
              "before the step, as in the chapter, which needs viscosity >= stiffness")
            .structural();
        field("back_end", &P::back_end,
              "\"compute\", or \"raster\": draws the cells of a flat field of full precision, "
              "as in the chapter; the same except for rounding, and slower")
            .structural();
        field("dt", &P::dt, "length of a step").range(1e-6, 1e6).unit("time units");
        field("stiffness", &P::stiffness,
              "K: the speed of sound is sqrt(K / dt); keep the flow below half of it")
            .range(1e-6, 1e6);
        field("viscosity", &P::viscosity,
              "kinematic viscosity; with \"two_stage\" also the diffusion of density")
            .range(0.0, 1e6)
            .unit("cells^2 / time unit");
        field("force", &P::force, "acceleration of all fluid")
            .range(-1e12, 1e12) // one cell a step after the shortest one
            .unit("cells / time unit^2");
        field("adaptive", &P::adaptive,
              "adapts steps to the speed: a step is at most \"dt\", and fluid crosses at most "
              "\"courant\" cells in it, along each axis. The speed of sound stays that of "
              "\"dt\"")
            .structural();
        field("courant", &P::courant, "cells that fluid crosses in an adaptive step")
            .range(0.01, 1.0)
            .unit("cells");
        field("min_dt", &P::min_dt, "the shortest adaptive step")
            .range(1e-6, 1e6)
            .unit("time units");
        field("unchecked", &P::unchecked,
              "accepts parameters for which the scheme is known to be unstable");
    }
};

/// What is wrong with the parameters for a field of this number of axes: which parameter violates
/// which bound, and how far it would have to change. Checks linear stability of the scheme around
/// rest, and that fluid crosses at most a cell a step at `fastest`, the largest requested speed.
/// Errors: pass/out-of-range, fluid/unstable-viscosity, fluid/unstable-pressure, fluid/time-step.
/// Warning: fluid/mach, above half the speed of sound.
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
