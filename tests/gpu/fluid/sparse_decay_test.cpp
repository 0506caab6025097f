#include "tests/gpu/fluid/sparse_fixture.hpp"

#include <glm/geometric.hpp>

#include <cmath>
#include <numbers>
#include <vector>

/// fluid/sparse over time: a vortex of Taylor and Green dies away as the closed form says.
namespace tuff {
namespace {

using passes::FluidBoundary;
using passes::SparseFluid;
using passes::SparseStorage;
using testing_gpu::Cells;

constexpr int kVortexSide = 32;
constexpr double kWaveNumber = 2.0 * std::numbers::pi / kVortexSide;
constexpr double kFirstSpeed = 0.4; // cells a step

class SparseDecay : public testing_gpu::SparseFluids {
  protected:
    static glm::dvec3 vortex(glm::ivec3 p) {
        const double x = kWaveNumber * (p.x + 0.5);
        const double y = kWaveNumber * (p.y + 0.5);
        return {std::sin(x) * std::cos(y), -std::cos(x) * std::sin(y), 0.0};
    }
    /// How much of the vortex is in `velocity`: the scalar product of the two.
    static double speed_of(const std::vector<glm::vec4>& velocity, glm::uvec3 dims) {
        double sum = 0.0;
        double whole = 0.0;
        for (std::size_t i = 0; i < velocity.size(); ++i) {
            const glm::dvec3 mode = vortex(place_of(i, dims));
            sum += glm::dot(mode, glm::dvec3(velocity[i]));
            whole += glm::dot(mode, mode);
        }
        return sum / whole;
    }
    /// The speed after `steps`, where the fluid's viscosity is `viscosity`. Euler's equations keep
    /// the vortex, viscosity takes exp(-2 viscosity k^2 t). Linear interpolation at a distance f <
    /// 1 is upwind differencing of first order, a viscosity of |u| / 2 along each axis, with the
    /// product of both axes' differences. Their means over the vortex, weighed by its energy, are
    /// 2 (<|sin|^3>^2 + <|sin| cos^2>^2) = 40 / (9 pi^2) of the speed, and 1 / 16 of its square.
    static double predicted(int steps, double viscosity) {
        constexpr double kUpwind = 40.0 / (9.0 * std::numbers::pi * std::numbers::pi);
        double speed = kFirstSpeed;
        for (int i = 0; i < steps; ++i) {
            const double numerical = kUpwind * speed - speed * speed / 16.0;
            speed *= 1.0 - kWaveNumber * kWaveNumber * numerical;
            speed *= std::exp(-2.0 * viscosity * kWaveNumber * kWaveNumber);
        }
        return speed;
    }
};

TEST_F(SparseDecay, AVortexOfTaylorAndGreenFadesAsViscosityAndInterpolationSay) {
    TUFF_ONLY_ON(lavapipe);
    const glm::uvec3 dims(kVortexSide, kVortexSide, 2);
    Start start;
    start.velocity =
        cells_of(dims, [](glm::ivec3 p) { return glm::vec4(kFirstSpeed * vortex(p), 0.0); });
    // For one mode drag is viscosity: both take a share of it that is the same everywhere.
    const std::vector<double> viscosities = {0.0, 0.2, 0.2};
    std::vector<SparseFluid> passes;
    for (const double viscosity : viscosities)
        passes.push_back({.dims = dims,
                          .parameters = {.storage = passes.size() < 2 ? SparseStorage::atlas
                                                                      : SparseStorage::dense},
                          .boundary = FluidBoundary{},
                          .iterations = 40,
                          .drag = static_cast<float>(2.0 * viscosity * kWaveNumber * kWaveNumber)});
    for (const int steps : {12, 36}) {
        const std::vector<Result> results = after(passes, start, static_cast<unsigned>(steps));
        for (std::size_t i = 0; i < passes.size(); ++i) {
            SCOPED_TRACE(steps);
            SCOPED_TRACE(i);
            ASSERT_EQ(results[i].velocity.size(), start.velocity.size());
            const double viscous =
                kFirstSpeed * std::exp(-2.0 * viscosities[i] * kWaveNumber * kWaveNumber * steps);
            const double expected = predicted(steps, viscosities[i]);
            const double got = speed_of(results[i].velocity, dims);
            EXPECT_LT(got, viscous);
            // Other waves, which the interpolation makes of the vortex, act on it in second order.
            const double loss = std::log(viscous / expected);
            EXPECT_NEAR(std::log(got / expected), 0.0, loss * loss);
        }
        ASSERT_EQ(results[1].velocity.size(), results[2].velocity.size());
        for (std::size_t i = 0; i < results[1].velocity.size(); ++i)
            ASSERT_EQ(results[1].velocity[i], results[2].velocity[i]) << i;
    }
}

} // namespace
} // namespace tuff
