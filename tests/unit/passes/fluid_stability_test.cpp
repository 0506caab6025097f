// Which parameters of the density-invariant solver are refused, and what the message says.

#include "passes/fluid/solver_parameters.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

namespace tuff::passes {
namespace {

using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

/// Whether some wave on `axes` axes grows: the eigenvalues of the step's matrix about rest.
bool some_wave_grows(const FluidSolverParameters& p, int axes) {
    const double dt = p.dt, k = p.stiffness, nu = p.viscosity;
    for (int i = 0; i <= 400; ++i) {
        // Waves along the diagonal are the worst of their cosine.
        const double c = std::cos(std::numbers::pi * i / 400);
        const double l = 2.0 * axes * (1.0 - c);
        const double s = axes * (1.0 - c * c);
        const double kept = 1.0 - dt * nu * l;
        const bool printed = p.method == FluidMethod::printed;
        const double trace = printed ? 1.0 + kept : 2.0 * kept - dt * k * s;
        const double determinant = printed ? kept + dt * k * s : kept * kept;
        const std::complex<double> root = std::sqrt(std::complex(trace * trace / 4 - determinant));
        if (std::abs(trace / 2 + root) > 1.0 + 1e-9 || std::abs(trace / 2 - root) > 1.0 + 1e-9)
            return true;
    }
    return false;
}

TEST(FluidStability, BoundsAreThoseOfTheLinearAnalysis) {
    int refused = 0, passed = 0;
    for (const int axes : {2, 3})
        for (const FluidMethod method : {FluidMethod::two_stage, FluidMethod::printed})
            for (const float dt : {0.05f, 0.15f, 0.6f, 2.0f})
                for (const float stiffness : {0.05f, 0.2f, 0.9f, 3.0f, 12.0f})
                    for (const float viscosity : {0.0f, 0.02f, 0.12f, 0.31f, 0.55f, 1.4f, 4.0f}) {
                        const FluidSolverParameters p{.method = method,
                                                      .dt = dt,
                                                      .stiffness = stiffness,
                                                      .viscosity = viscosity};
                        const bool grows = some_wave_grows(p, axes);
                        const bool is_refused = has_errors(check_stability(p, axes, 0.0f));
                        // The bound on diffusion alone is a little safer than it needs to be.
                        if (grows) {
                            EXPECT_TRUE(is_refused);
                        } else if (is_refused) {
                            EXPECT_GT(dt * viscosity * 2.0f * static_cast<float>(axes), 1.0f)
                                << dt << ' ' << stiffness << ' ' << viscosity;
                        }
                        ++(is_refused ? refused : passed);
                    }
    EXPECT_GT(refused, 50);
    EXPECT_GT(passed, 50);
}

TEST(FluidStability, MessagesNameTheParameterAndHowFarItHasToChange) {
    using D = Diagnostic;
    const auto found = [](FluidSolverParameters p, int axes, float fastest) {
        return check_stability(p, axes, fastest);
    };
    EXPECT_THAT(found({}, 2, 0.0f), IsEmpty());
    EXPECT_THAT(found({.viscosity = 3.0f}, 2, 0.0f),
                ElementsAre(AllOf(Field(&D::code, "fluid/unstable-viscosity"),
                                  Field(&D::message, HasSubstr("above 1/4")),
                                  Field(&D::hint, HasSubstr("\"viscosity\" to 1.667")))));
    EXPECT_THAT(found({.viscosity = 1.2f}, 3, 0.0f),
                ElementsAre(Field(&D::message, HasSubstr("above 1/6"))));
    EXPECT_THAT(found({.method = FluidMethod::printed, .viscosity = 0.1f}, 2, 0.0f),
                ElementsAre(AllOf(Field(&D::code, "fluid/unstable-pressure"),
                                  Field(&D::hint, HasSubstr("increase \"viscosity\" to 0.2")))));
    EXPECT_THAT(found({.stiffness = 50.0f}, 2, 0.0f),
                ElementsAre(AllOf(Field(&D::code, "fluid/unstable-pressure"),
                                  Field(&D::hint, HasSubstr("decrease \"dt\"")))));
    EXPECT_THAT(found({}, 2, 8.0f), ElementsAre(AllOf(Field(&D::code, "fluid/time-step"),
                                                      Field(&D::hint, HasSubstr("0.125")))));
    EXPECT_THAT(found({}, 2, 1.0f), ElementsAre(AllOf(Field(&D::code, "fluid/mach"),
                                                      Field(&D::severity, Severity::warning))));
    EXPECT_THAT(found({.adaptive = true, .min_dt = 0.2f}, 2, 0.0f),
                ElementsAre(AllOf(Field(&D::code, "pass/out-of-range"),
                                  Field(&D::hint, HasSubstr("min_dt")))));
    EXPECT_THAT(found({.adaptive = true, .min_dt = 0.05f}, 2, 8.0f), // no more than fluid/mach
                ElementsAre(Field(&D::severity, Severity::warning)));
    EXPECT_THAT(found({.adaptive = true, .min_dt = 0.05f}, 2, 21.0f),
                ElementsAre(AllOf(Field(&D::code, "fluid/time-step"),
                                  Field(&D::hint, HasSubstr("\"min_dt\" to 0.0476")))));
    const float nan = std::numeric_limits<float>::quiet_NaN();
    for (const FluidSolverParameters p :
         {FluidSolverParameters{.dt = 0.0f}, FluidSolverParameters{.dt = nan},
          FluidSolverParameters{.stiffness = -1.0f}, FluidSolverParameters{.courant = 1.5f},
          FluidSolverParameters{.min_dt = 0.0f}, FluidSolverParameters{.viscosity = -1e-3f},
          FluidSolverParameters{.force = {0.0f, nan, 0.0f}}})
        EXPECT_THAT(found(p, 2, 0.0f), ElementsAre(Field(&D::code, "pass/out-of-range")));
    EXPECT_THAT(found({.stiffness = 50.0f, .viscosity = 3.0f, .unchecked = true}, 2, 0.0f),
                IsEmpty());
}

} // namespace
} // namespace tuff::passes
