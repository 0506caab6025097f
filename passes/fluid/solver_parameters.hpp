#pragma once

#include "passes/fluid/field.hpp"

#include <tuff/diagnostic.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// Which density the pressure comes from.
enum class FluidMethod : std::uint8_t {
    two_stage, ///< that after the step: stable without viscosity
    printed,   ///< that before it, as the chapter has it: needs viscosity >= stiffness
};

/// How the density-invariant solver steps, as a parameter group.
struct FluidSolverParameters {
    FluidMethod method = FluidMethod::two_stage;
    float dt = 0.15f;
    float stiffness = 0.2f;
    float viscosity = 0.02f;
    glm::vec3 force{0.0f};
    bool unchecked = false;

    static void describe_fields(auto&& field) {
        using P = FluidSolverParameters;
        field("method", &P::method,
              "\"two_stage\": the pressure is that of the density after the step; \"printed\": "
              "before it, as in the chapter, which needs viscosity >= stiffness")
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
            .range(-1e6, 1e6)
            .unit("cells / time unit^2");
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
struct tuff::ChoiceNames<tuff::passes::FluidMethod> {
    static constexpr std::array<std::string_view, 2> names{"two_stage", "printed"};
};
