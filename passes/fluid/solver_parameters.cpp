#include "passes/fluid/solver_parameters.hpp"

#include "passes/common/warning.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <utility>

namespace tuff::passes {
namespace {

Diagnostic mistake(std::string code, std::string message, std::string hint = {}) {
    Diagnostic result = warning(std::move(code), std::move(message), std::move(hint));
    result.severity = Severity::error;
    return result;
}

/// A diffusion that is stepped explicitly takes from a cell no more than it has.
void check_viscosity(Diagnostics& all, double dt, double viscosity, int axes) {
    const double most = 1.0 / (2.0 * axes);
    if (dt * viscosity <= most) return;
    all.push_back(mistake("fluid/unstable-viscosity",
                          fmt::format("viscosity {:g} times dt {:g} is {:g}, above 1/{}", viscosity,
                                      dt, dt * viscosity, 2 * axes),
                          fmt::format("decrease \"viscosity\" to {:.4g} or \"dt\" to {:.4g}",
                                      most / dt, most / viscosity)));
}

/// Waves along an axis of cosine c lose 2 viscosity (1 - c) and gain stiffness (1 - c^2) a time
/// unit, so those that are long need viscosity >= stiffness.
void check_printed(Diagnostics& all, double stiffness, double viscosity) {
    if (viscosity >= stiffness) return;
    all.push_back(mistake(
        "fluid/unstable-pressure",
        fmt::format("viscosity {:g} is below stiffness {:g}: sound waves grow without limit "
                    "with the method \"printed\"",
                    viscosity, stiffness),
        fmt::format("increase \"viscosity\" to {:g}, decrease \"stiffness\", or use the method "
                    "\"two_stage\"",
                    stiffness)));
}

/// With l = 2 (1 - c) and s = 1 - c^2 summed over the axes, the step's matrix for a wave has the
/// determinant (1 - dt viscosity l)^2, so what is left is that no wave turns over in a step:
/// dt viscosity l + sqrt(dt stiffness s) <= 2. Of all c that is true where it is for the worst.
void check_two_stage(Diagnostics& all, double dt, double stiffness, double viscosity, int axes) {
    const double worst = axes * (stiffness + 8.0 * viscosity);
    if (dt * worst <= 4.0) return;
    all.push_back(mistake(
        "fluid/unstable-pressure",
        fmt::format("the shortest sound waves grow with dt {:g}, stiffness {:g} and viscosity "
                    "{:g}: dt times their rate is {:.4g}, above 4",
                    dt, stiffness, viscosity, dt * worst),
        fmt::format("decrease \"dt\" to {:.4g}, or \"stiffness\"", 4.0 / worst)));
}

void check_speed(Diagnostics& all, const FluidSolverParameters& parameters, double fastest) {
    const double sound = parameters.sound();
    const std::string_view name = parameters.adaptive ? "min_dt" : "dt";
    const double dt = parameters.adaptive ? parameters.min_dt : parameters.dt;
    if (fastest * dt > 1.0)
        all.push_back(mistake("fluid/time-step",
                              fmt::format("a speed of {:g} cells per time unit crosses {:g} "
                                          "cells in a step of {} {:g}",
                                          fastest, fastest * dt, name, dt),
                              fmt::format("decrease \"{}\" to {:.4g}, or the velocities of "
                                          "emitters and inflow",
                                          name, 1.0 / fastest)));
    else if (fastest > 0.5 * sound)
        all.push_back(warning("fluid/mach",
                              fmt::format("a speed of {:g} is {:.2g} times the speed of sound, "
                                          "{:.4g}: the density will change much",
                                          fastest, fastest / sound, sound),
                              fmt::format("keep velocities below {:.4g}, increase "
                                          "\"stiffness\" or decrease \"dt\"",
                                          0.5 * sound)));
}

} // namespace

Diagnostics check_stability(const FluidSolverParameters& parameters, int axes, float fastest) {
    Diagnostics all;
    const double dt = parameters.dt;
    const double stiffness = parameters.stiffness;
    const double viscosity = parameters.viscosity;
    const auto positive = [&](std::string_view name, double value, bool or_zero) {
        if (std::isfinite(value) && (value > 0.0 || (or_zero && value == 0.0))) return;
        all.push_back(
            mistake("pass/out-of-range",
                    fmt::format("parameter \"{}\" is {}, not a positive number", name, value)));
    };
    positive("dt", dt, false);
    positive("min_dt", parameters.min_dt, false);
    positive("stiffness", stiffness, false);
    positive("viscosity", viscosity, true);
    for (int axis = 0; axis < 3; ++axis)
        if (!std::isfinite(parameters.force[axis]))
            all.push_back(mistake("pass/out-of-range", "parameter \"force\" is not finite"));
    if (!(parameters.courant > 0.0f && parameters.courant <= 1.0f))
        all.push_back(mistake("pass/out-of-range",
                              fmt::format("parameter \"courant\" is {}, but must be above 0 "
                                          "and at most 1",
                                          parameters.courant)));
    if (parameters.adaptive && parameters.min_dt > parameters.dt)
        all.push_back(mistake("pass/out-of-range",
                              fmt::format("\"min_dt\" {:g}, the shortest step, is longer than "
                                          "\"dt\", {:g}",
                                          parameters.min_dt, parameters.dt),
                              "decrease \"min_dt\""));
    if (!all.empty() || parameters.unchecked) return all;

    check_viscosity(all, dt, viscosity, axes);
    if (parameters.method == FluidMethod::printed)
        check_printed(all, stiffness, viscosity);
    else if (all.empty())
        check_two_stage(all, dt, stiffness, viscosity, axes);
    check_speed(all, parameters, static_cast<double>(fastest));
    return all;
}

} // namespace tuff::passes
