#include "tests/gpu/fluid/sparse_fixture.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

/// fluid/sparse with more dye than cells can hold, and with dye that is not a number.
namespace tuff {
namespace {

using passes::AdvectionMethod;
using passes::FluidPrecision;
using passes::SmokeShape;
using passes::SparseFluid;
using testing_gpu::bytes_of;
using testing_gpu::Running;

class SparseDye : public testing_gpu::SparseFluids {
  protected:
    static constexpr float kNothing = std::numeric_limits<float>::quiet_NaN();
    static constexpr float kEndless = std::numeric_limits<float>::infinity();

    static float most_in_cell(FluidPrecision precision) {
        return precision == FluidPrecision::half ? 65504.0f : 1e29f;
    }
    static void expect_finite(const std::vector<glm::vec4>& cells) {
        ASSERT_FALSE(cells.empty());
        for (std::size_t i = 0; i < cells.size(); ++i)
            for (int k = 0; k < 4; ++k)
                ASSERT_TRUE(std::isfinite(cells[i][k])) << i << " " << k;
    }
    static bool warns(const Result& result, std::string_view code) {
        return std::ranges::any_of(result.status.warnings(),
                                   [&](const Diagnostic& d) { return d.code == code; });
    }
};

TEST_F(SparseDye, OfMoreThanCellsHoldIsClampedAndCounted) {
    for (const FluidPrecision precision : {FluidPrecision::half, FluidPrecision::full}) {
        SCOPED_TRACE(static_cast<int>(precision));
        const float most = most_in_cell(precision);
        SparseFluid pass{
            .dims = glm::uvec3(32), .precision = precision, .iterations = 4, .confinement = 0.1f};
        pass.emitters = {{.position = glm::vec3(16.0f),
                          .size = glm::vec3(5.0f),
                          .force = {0.0f, 0.3f, 0.1f},
                          .dye = glm::vec4(1.5f, -1.5f, 0.1f, 0.0f) * most}};
        std::vector<SparseFluid> passes(3, pass);
        passes[1].advection = AdvectionMethod::maccormack;
        passes[2].emitters[0].dye = glm::vec4(0.1f, -0.1f, 0.01f, 0.0f) * most;
        const std::vector<Result> results = after(passes, {}, 6);
        for (std::size_t i = 0; i < results.size(); ++i) {
            SCOPED_TRACE(i);
            const Result& result = results[i];
            expect_finite(result.dye);
            expect_finite(result.velocity);
            glm::vec4 high(0.0f), low(0.0f);
            for (const glm::vec4& d : result.dye) {
                high = glm::max(high, d);
                low = glm::min(low, d);
            }
            const bool fits = i == 2;
            EXPECT_EQ(high.x == most, !fits);
            EXPECT_EQ(low.y == -most, !fits);
            EXPECT_LT(high.z, most); // 6 steps of a tenth of it
            EXPECT_EQ(result.status.clamped_dye == 0, fits);
            EXPECT_EQ(warns(result, "fluid/dye-clamped"), !fits);
            EXPECT_EQ(result.status.not_finite, 0u);
        }
    }
}

/// Heat that pushes with more than a cell can hold: what the pressure starts from must not be lost.
TEST_F(SparseDye, ThatPushesTooHardLeavesTheFluidFinite) {
    SparseFluid pass{.dims = glm::uvec3(16),
                     .precision = FluidPrecision::half,
                     .dt = 1e-5f,
                     .iterations = 4,
                     .buoyancy = {0.0f, 1e6f, 0.0f}};
    pass.emitters = {{.position = glm::vec3(8.0f),
                      .size = glm::vec3(4.0f),
                      .force = {4e10f, 0.0f, 0.0f},
                      .dye = glm::vec4(1e10f)}};
    const Result result = after({pass}, {}, 4)[0];
    expect_finite(result.dye);
    expect_finite(result.velocity);
    EXPECT_EQ(result.status.not_finite, 0u);
    EXPECT_GT(result.status.clamped_speeds, 0u);
    EXPECT_TRUE(warns(result, "fluid/speed-clamped"));
}

TEST_F(SparseDye, ThatIsNotFiniteAtTheStartLeavesItsCellsEmptyAndIsCounted) {
    const glm::uvec3 dims(16);
    for (const FluidPrecision precision : {FluidPrecision::half, FluidPrecision::full}) {
        SCOPED_TRACE(static_cast<int>(precision));
        Start start = random_start(dims, 8);
        start.dye[1000].y = kNothing;
        start.dye[2000].w = kEndless;
        start.velocity[3000].x = kNothing;
        start.dye[3000].x = kNothing;
        start.dye[500].z = -1e30f;
        const SparseFluid pass{.dims = dims, .precision = precision, .dt = 1e-6f, .iterations = 1};
        const Result first = after({pass}, start, 1)[0];
        EXPECT_EQ(first.status.not_finite, 3u);
        EXPECT_TRUE(warns(first, "fluid/diverged"));
        EXPECT_EQ(first.status.clamped_dye, 1u);
        expect_finite(first.dye);
        expect_finite(first.velocity);
        for (const std::size_t i : {1000u, 2000u, 3000u})
            for (int k = 0; k < 4; ++k)
                EXPECT_NEAR(first.dye[i][k], 0.0f, 1e-3f) << i;
        EXPECT_NEAR(first.dye[500].z / -most_in_cell(precision), 1.0f, 1e-3f);
        EXPECT_EQ(after({pass}, start, 2)[0].status.not_finite, 0u); // once
    }
}

/// A texture with what is no number, in every step.
TEST_F(SparseDye, OfEmittersThatIsNotANumberIsLeftOutAndCounted) {
    const std::vector<float> texels{1.0f, kNothing, kEndless, 1.0f};
    Graph g = graph();
    const Image volume = g.constant_image(
        "texture", {.format = Format::r32_sfloat, .extent = {4, 1, 1}, .shape = ImageShape::d3},
        bytes_of(texels));
    std::vector<FluidPrecision> precisions{FluidPrecision::half, FluidPrecision::full};
    for (const FluidPrecision precision : precisions) {
        SparseFluid pass{.dims = glm::uvec3(16), .precision = precision, .iterations = 1};
        pass.emitters = {g.add(passes::SparseEmitter{.shape = SmokeShape::texture,
                                                     .position = glm::vec3(8.0f),
                                                     .size = glm::vec3(4.0f, 1.0f, 1.0f),
                                                     .force = glm::vec3(0.0f),
                                                     .dye = {1.0f, 1.0f, 1.0f, 0.0f},
                                                     .texture = volume})
                             .emitter};
        const std::string name = std::to_string(static_cast<int>(precision));
        outputs(g, g.add(pass, "smoke" + name), name);
    }
    Running running = run(std::move(g), 3);
    ASSERT_TRUE(running);
    for (const FluidPrecision precision : precisions) {
        const std::string name = std::to_string(static_cast<int>(precision));
        SCOPED_TRACE(name);
        const Result result = read(running, name, precision);
        expect_finite(result.dye);
        expect_finite(result.velocity);
        // Two cells along x, of two and two beside each other. No number times no force is none.
        EXPECT_EQ(result.status.not_finite, 16u);
        EXPECT_TRUE(warns(result, "fluid/diverged"));
    }
}

/// The ledger: all dye, and that of groups without fluid, whose bricks may go.
TEST_F(SparseDye, OfGroupsBelowTheThresholdsIsFading) {
    const glm::uvec3 dims(24, 16, 16);
    constexpr float kLeast = 0.25f;
    constexpr std::size_t kHalfBrick = 4; // layers of a brick of 8^3 that have 256 cells
    for (const FluidPrecision precision : {FluidPrecision::half, FluidPrecision::full}) {
        SCOPED_TRACE(static_cast<int>(precision));
        testing_gpu::Noise noise(5);
        // Every third group is below the thresholds, and has all but one cell in another third.
        const auto group_of = [](glm::ivec3 p) {
            const glm::ivec3 g = p / glm::ivec3(8, 8, kHalfBrick);
            return (g.z * 2 + g.y) * 3 + g.x;
        };
        Start start;
        start.dye = cells_of(dims, [&](glm::ivec3 p) {
            const glm::vec4 low = 0.9f * kLeast * glm::vec4(noise(), noise(), noise(), noise());
            const bool one = p % glm::ivec3(8, 8, kHalfBrick) == glm::ivec3(5, 2, 3);
            const int kind = group_of(p) % 3;
            return kind == 0 || (kind == 1 && !one) ? low : low + 2.0f * kLeast;
        });
        SparseFluid pass{.dims = dims,
                         .expansion = {.least_speed = 1e-3f, .least_dye = kLeast},
                         .precision = precision,
                         .dt = 1e-6f,
                         .iterations = 1};
        SparseFluid dense = pass;
        dense.parameters.storage = passes::SparseStorage::dense;
        const std::vector<Result> results = after({pass, dense}, start, 1);
        double all = 0.0, fading = 0.0;
        std::set<int> filled;
        for (std::size_t i = 0; i < start.dye.size(); ++i) {
            const glm::ivec3 p = place_of(i, dims);
            const glm::vec4 size = glm::abs(results[0].dye.at(i));
            const double mean = (double{size.x} + size.y + size.z) / 3.0;
            all += mean;
            if (group_of(p) % 3 == 0) fading += mean;
            if (group_of(p) % 3 != 0) filled.insert(group_of(p));
        }
        EXPECT_GT(fading, 100.0);
        EXPECT_NEAR(results[0].status.total_mass(), all, 1e-5 * all);
        EXPECT_NEAR(results[0].status.fading_mass(), fading, 1e-5 * all);
        EXPECT_EQ(results[0].status.filled, filled.size());
        EXPECT_NEAR(results[1].status.total_mass(), all, 1e-5 * all);
        EXPECT_EQ(results[0].status.evicted_mass(), 0.0);
    }
}

} // namespace
} // namespace tuff
