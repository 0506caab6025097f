#include "tests/gpu/fluid/sparse_fixture.hpp"
#include "tests/gpu/fluid/sparse_reference.hpp"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

/// fluid/sparse: dye that goes round, in half precision.
namespace tuff {
namespace {

using passes::FluidBoundary;
using passes::FluidPrecision;
using passes::SparseFluid;
using testing_gpu::BrickSmokeReference;
using testing_gpu::Cells;
using testing_gpu::Running;

using SparseTurns = testing_gpu::SparseFluids;

/// Velocity and dye of 16 bits, which are rounded in each step.
TEST_F(SparseTurns, AConeInHalfPrecisionTurnsOnceAsThatOfTheReference) {
    constexpr int kSteps = 16;
    const glm::uvec3 dims(44, 44, 2);
    const glm::dvec2 middle(21.5, 21.5);
    const double angle = 2.0 * std::numbers::pi / kSteps;
    const Cells velocity = cells_of(dims, [&](glm::ivec3 p) {
        const glm::dvec2 off = glm::dvec2(p) - middle;
        if (glm::length(off) > 20.5) return glm::vec4(0.0f);
        const double c = std::cos(angle);
        const double s = std::sin(angle);
        const glm::dvec2 from(c * off.x + s * off.y, c * off.y - s * off.x);
        return glm::vec4(glm::vec2(off - from), 0.0f, 0.0f);
    });
    Cells dye = cells_of(dims, [&](glm::ivec3 p) {
        const double r = glm::length(glm::dvec2(p) - middle - glm::dvec2(9.0, 0.0));
        return glm::vec4(static_cast<float>(std::max(1.0 - r / 10.0, 0.0)));
    });
    SparseFluid pass{.dims = dims,
                     .boundary = FluidBoundary{},
                     .precision = FluidPrecision::half,
                     .reach = 8,
                     .iterations = 1,
                     .warm_start = false};
    BrickSmokeReference reference{.dims = glm::ivec3(dims), .pass = pass};
    for (const glm::vec4& v : velocity)
        reference.velocity.emplace_back(glm::vec3(v));
    for (const glm::vec4& d : dye)
        reference.dye.emplace_back(d);
    double most = 0.0;
    for (int step = 0; step < kSteps; ++step) {
        Graph g = graph();
        g.output("dye", carried(g, pass, velocity, dye, 1, "step"));
        Running running = run(std::move(g));
        ASSERT_TRUE(running);
        const auto words = running.buffer<std::uint32_t>("dye");
        ASSERT_EQ(words.size(), 2 * dye.size());
        reference.dye = reference.carried(reference.dye, 1.0);
        for (std::size_t i = 0; i < dye.size(); ++i) {
            dye[i] =
                glm::vec4(glm::unpackHalf2x16(words[2 * i]), glm::unpackHalf2x16(words[2 * i + 1]));
            most = std::max(most, std::abs(double{dye[i].x} - reference.dye[i].x));
        }
    }
    EXPECT_LE(most, 2e-3);
    EXPECT_GT(most, 1e-5);
}

} // namespace
} // namespace tuff
