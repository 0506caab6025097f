// Incompressible fluids that ranks have in parts, against the same fluid of one rank: to the bit
// where nothing is summed over ranks.

#include "passes/fluid/gather.hpp"
#include "passes/fluid/obstacles.hpp"
#include "passes/fluid/stable.hpp"
#include "passes/fluid/view.hpp"
#include "passes/mpi/all_reduce.hpp"
#include "passes/solver/poisson_report.hpp"
#include "ranks_fixture.hpp"

#include <fmt/format.h>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <random>
#include <string>
#include <vector>

namespace tuff {
namespace {

using passes::AdvectionMethod;
using passes::EmitterShape;
using passes::FluidBoundary;
using passes::FluidFace;
using passes::PoissonReport;
using passes::StableFluid;
using testing_gpu::Running;

constexpr FluidFace kWallEnd = FluidFace::wall;
constexpr FluidFace kJoinedEnd = FluidFace::periodic;
constexpr FluidFace kInflowEnd = FluidFace::inflow;
constexpr FluidFace kOpenEnd = FluidFace::open;

struct StableSetup {
    std::string name;
    StableFluid fluid;
    bool blocked = false; ///< by a ball and a box
    bool at_rest = false; ///< at first
    bool wild = false;    ///< begins with some numbers that are not finite
    float speed = 0.8f;   ///< at first, of any cell, at most
    unsigned executions = 2;
};

/// What some executions leave. Only the first rank has cells.
struct StableFound {
    bool in_parts = false;
    std::vector<glm::vec4> cells;
    std::vector<glm::vec4> dye;
    passes::FluidStatus status; ///< of all ranks
    PoissonReport solver;       ///< where a tolerance decides
};

FluidBoundary ends(FluidFace low_x, FluidFace high_x, FluidFace y, FluidFace z) {
    return {.left = low_x,
            .right = high_x,
            .bottom = y,
            .top = y,
            .back = z,
            .front = z,
            .inflow = {0.4f, 0.0f, 0.0f}};
}
FluidBoundary ends(FluidFace x, FluidFace y, FluidFace z) {
    return ends(x, x, y, z);
}

/// The same numbers for a cell on all ranks.
glm::vec4 first_velocity(const StableSetup& setup, glm::uvec3 cell) {
    std::mt19937 random(cell.x + 1000 * cell.y + 1'000'000 * cell.z);
    random.discard(3);
    const auto number = [&] { return static_cast<float>(random() >> 8) * 0x1p-23f - 1.0f; };
    glm::vec4 value(number(), number(), number(), 0.0f);
    if (setup.fluid.dims.z == 1) value.z = 0.0f;
    if (setup.wild && random() % 41 == 0) value.y = std::numeric_limits<float>::infinity();
    return setup.speed * value;
}

class StableOfRanks : public testing_gpu::RanksTest {
  protected:
    void SetUp() override {
        if (job_size() == 1) GTEST_SKIP() << "under mpirun";
        RanksTest::SetUp();
    }

    StableFluid added(Graph& g, const StableSetup& setup, const Ranks& ranks) {
        StableFluid fluid = setup.fluid;
        const auto part = ranks.part({fluid.dims.x, fluid.dims.y, fluid.dims.z});
        std::vector<glm::vec4> cells;
        for (std::uint32_t z = 0; z < part[2].count; ++z)
            for (std::uint32_t y = 0; y < part[1].count; ++y)
                for (std::uint32_t x = 0; x < part[0].count; ++x)
                    cells.push_back(first_velocity(
                        setup, {x + part[0].first, y + part[1].first, z + part[2].first}));
        const auto bytes = testing_gpu::bytes_of(cells);
        if (!setup.at_rest)
            fluid.initial =
                g.constant_buffer("initial", {.size = bytes->size(), .stride = 16}, bytes);
        const glm::vec3 middle = 0.5f * glm::vec3(fluid.dims);
        if (setup.blocked)
            fluid.obstacles =
                g.add(passes::FluidObstaclesFrom{.dims = fluid.dims,
                                                 .center = middle + 1.3f,
                                                 .radius = 3.2f,
                                                 .low = glm::vec3(0.0f),
                                                 .high = {2.0f, 3.0f, 2.0f},
                                                 .motion = {.velocity = {0.3f, -0.2f, 0.1f},
                                                            .spin = {0.01f, 0.02f, -0.03f},
                                                            .pivot = middle}})
                    .obstacles;
        fluid.emitters = {EmitterShape{.position = middle,
                                       .radius = 2.6f,
                                       .velocity = {0.6f, -0.5f, 0.4f},
                                       .rate = 3.0f,
                                       .dye = {1.0f, 0.5f, 0.25f, 0.7f}},
                          EmitterShape{.position = {1.0f, 2.0f, 0.5f},
                                       .radius = 1.5f,
                                       .velocity = {-0.3f, 0.3f, 0.1f},
                                       .rate = 1.0f,
                                       .dye = {0.1f, 0.9f, 0.0f, 0.3f}}};
        return g.add(fluid);
    }

    StableFound found(const StableSetup& setup, const Ranks& ranks) {
        Graph g = graph_of(ranks);
        const StableFluid fluid = added(g, setup, ranks);
        const auto whole = g.add(passes::FluidGather{.field = fluid.field, .dye = fluid.dye});
        const auto output = [&](std::string_view name, Buffer buffer) {
            g.output(name, g.copy(buffer, g.buffer(name, g.desc(buffer)), name));
        };
        output("cells", whole.whole_field.cells);
        output("dye", whole.whole_dye.cells);
        if (fluid.solver_status) output("solver", fluid.solver_status);
        output("status", g.add(passes::AllReduce{.source = fluid.field.status,
                                                 .type = passes::RankNumber::u32})
                             .result);
        Running running = run(std::move(g), setup.executions);
        if (!running) return {};
        StableFound result{.in_parts = bool(fluid.field.part),
                           .cells = running.buffer<glm::vec4>("cells"),
                           .dye = running.buffer<glm::vec4>("dye"),
                           .status =
                               passes::FluidStatus::read(running.buffer<std::uint32_t>("status"))};
        if (fluid.solver_status)
            result.solver = PoissonReport::read(running.buffer<std::uint32_t>("solver"));
        return result;
    }

    /// `most` is the greatest difference allowed; 0: the bits are the same.
    static void compare(glm::uvec3 dims, const std::vector<glm::vec4>& one,
                        const std::vector<glm::vec4>& some, double most, const std::string& what) {
        ASSERT_EQ(some.size(), one.size()) << what;
        for (std::size_t i = 0; i < one.size(); ++i)
            for (int k = 0; k < 4; ++k) {
                const bool same = std::bit_cast<std::uint32_t>(some[i][k]) ==
                                  std::bit_cast<std::uint32_t>(one[i][k]);
                const double off = std::abs(double{some[i][k]} - double{one[i][k]});
                ASSERT_TRUE(most > 0.0 ? off <= most : same) << fmt::format(
                    "{}: number {} of cell {}, {}, {}: {} and not {}", what, k, i % dims.x,
                    i / dims.x % dims.y, i / dims.x / dims.y, some[i][k], one[i][k]);
            }
    }

    /// Grids of ranks spread over all of them: slabs along each axis and blocks. `allowed`: how far
    /// velocities and dyes may differ, from what one rank has found.
    void check(const StableSetup& setup, std::size_t most_grids,
               const std::function<double(const StableFound&)>& allowed) {
        const glm::uvec3 dims = setup.fluid.dims;
        const std::uint32_t scale = setup.fluid.dye_parameters.scale;
        StableFound one;
        if (job_rank() == 0) {
            one = found(setup, Ranks{});
            ASSERT_FALSE(one.cells.empty()) << setup.name;
            const auto moves = [](const glm::vec4& cell) { return std::abs(cell.x) > 0.05f; };
            ASSERT_GT(std::ranges::count_if(one.cells, moves), 0) << setup.name;
            ASSERT_GT(std::ranges::max(one.dye, {}, [](glm::vec4 d) { return d.x; }).x, 0.1f);
        }
        const std::vector<Ranks> all = grids({dims.x, dims.y, dims.z});
        ASSERT_FALSE(all.empty());
        const std::size_t stride = (all.size() + most_grids - 1) / most_grids;
        for (std::size_t i = 0; i < all.size(); i += stride) {
            const Ranks& ranks = all[i];
            const std::string what = fmt::format("{}, {}x{}x{} ranks", setup.name, ranks.grid[0],
                                                 ranks.grid[1], ranks.grid[2]);
            const StableFound some = found(setup, ranks);
            ASSERT_EQ(some.in_parts, ranks.size() > 1) << what;
            if (ranks.rank != 0) continue;
            const double most = allowed(one);
            compare(dims, one.cells, some.cells, most, what);
            compare(passes::dye_dims(dims, scale), one.dye, some.dye, most, what + ", dye");
            EXPECT_EQ(some.status.not_finite, one.status.not_finite) << what;
            if (most == 0.0) {
                EXPECT_EQ(some.status.clamped_speeds, one.status.clamped_speeds) << what;
            }
        }
    }
    void check_bits(const StableSetup& setup, std::size_t most_grids) {
        check(setup, most_grids, [](const StableFound&) { return 0.0; });
    }
};

/// A step whose pressure takes so many cycles, whatever they leave.
StableFluid cycles_of(glm::uvec3 dims, const FluidBoundary& boundary, std::uint32_t reach = 2) {
    StableFluid fluid{.dims = dims, .boundary = boundary};
    fluid.tolerance = 0.0f;
    fluid.max_cycles = 2;
    fluid.reach = reach;
    return fluid;
}

TEST_F(StableOfRanks, StepsFlatFieldsToTheSameBits) {
    check_bits({.name = "box",
                .fluid = cycles_of({37, 26, 1}, ends(kWallEnd, kWallEnd, kWallEnd)),
                .executions = 3},
               3);
    StableFluid forced = cycles_of({30, 41, 1}, ends(kJoinedEnd, kWallEnd, kWallEnd), 3);
    forced.gravity = {0.0f, 0.02f, 0.0f};
    forced.force = {.confinement = 0.3f, .buoyancy = {0.1f, -0.4f, 0.0f}};
    forced.dye_parameters = {.scale = 2, .decay = 0.1f, .diffusion = 0.02f};
    check_bits({.name = "forces", .fluid = forced, .at_rest = true, .executions = 3}, 2);
    check_bits(
        {.name = "wind",
         .fluid = cycles_of({25, 34, 1}, ends(kInflowEnd, kInflowEnd, kJoinedEnd, kWallEnd))},
        2);
}

// Emitters and forces, and fluid that would cross more cells than it may.
TEST_F(StableOfRanks, StepsDeepFieldsToTheSameBits) {
    StableFluid forced = cycles_of({11, 9, 13}, ends(kJoinedEnd, kWallEnd, kJoinedEnd));
    forced.force = {.confinement = 0.3f, .buoyancy = {0.1f, -0.4f, 0.2f}};
    forced.dye_parameters.method = AdvectionMethod::semi_lagrangian;
    check_bits({.name = "forces", .fluid = forced, .speed = 4.0f}, 2);
}

TEST_F(StableOfRanks, CarriesFluidNoFartherThanItMay) {
    TUFF_ONLY_ON(lavapipe);
    StableSetup fast{.name = "fast",
                     .fluid = cycles_of({29, 24, 1}, ends(kJoinedEnd, kWallEnd, kWallEnd), 3),
                     .wild = true,
                     .speed = 9.0f};
    check_bits(fast, 2);
    fast.executions = 1; // which counts what was not finite
    check_bits(fast, 1);
    if (job_rank() == 0) {
        const passes::FluidStatus status = found(fast, Ranks{}).status;
        EXPECT_GT(status.clamped_speeds, 0u);
        EXPECT_GT(status.not_finite, 0u);
    }
}

TEST_F(StableOfRanks, HasRanksOfACellOrTwoAndCoarseGridsInParts) {
    TUFF_ONLY_ON(lavapipe);
    check_bits(
        {.name = "flat", .fluid = cycles_of({6, 7, 1}, ends(kJoinedEnd, kWallEnd, kWallEnd))}, 100);
    check_bits(
        {.name = "deep", .fluid = cycles_of({4, 3, 6}, ends(kWallEnd, kJoinedEnd, kJoinedEnd), 1)},
        3);
    StableFluid many = cycles_of({52, 45, 1}, ends(kWallEnd, kJoinedEnd, kWallEnd));
    many.gather_cells = 40;
    check_bits({.name = "grids", .fluid = many}, 2);
}

/// Both solutions leave a residual of at most the tolerance times the norm of the divergence. So
/// their difference d has |A d| <= 2 tolerance |div|, and its gradient, by which velocities differ,
/// |grad d|^2 = d.A d <= |A d|^2 / l. The least eigenvalue l of a field of n cells without solids
/// is above (pi / 2n)^2 if an end is open and (pi / n)^2 if none is; solids in between may halve
/// the lowest frequency.
double by_residuals(const StableSetup& setup, const StableFound& one) {
    const glm::uvec3 dims = setup.fluid.dims;
    const double side = std::max({dims.x, dims.y, dims.z}) + 2.0;
    const double lowest = 0.25 * std::numbers::pi / side;
    return 2.0 * double{setup.fluid.tolerance} * double{one.solver.rhs_norm} / lowest;
}

// Sums over ranks round otherwise. After one step only the pressure has to do with that; a dye is
// carried by what differs for a time of 1, over slopes of less than 1.
TEST_F(StableOfRanks, ProjectsAroundSolidsAndOutOfOpenSides) {
    const auto check_near = [&](StableSetup setup, std::size_t most_grids) {
        setup.fluid.tolerance = 2e-5f;
        setup.fluid.max_cycles = 14;
        setup.fluid.reach = 2;
        setup.executions = 1;
        check(setup, most_grids, [&](const StableFound& one) {
            EXPECT_EQ(one.solver.status, passes::PoissonStatus::converged) << setup.name;
            const double allowed = by_residuals(setup, one);
            EXPECT_LT(allowed, 0.05) << setup.name;
            return allowed;
        });
    };
    check_near({.name = "box",
                .fluid = {.dims = {19, 24, 1}, .boundary = ends(kWallEnd, kWallEnd, kWallEnd)}},
               2);
    TUFF_ONLY_ON(lavapipe); // what other ends do to fluid is for the tests of fluid/stable to say
    const FluidBoundary tunnel = ends(kInflowEnd, kOpenEnd, kJoinedEnd, kWallEnd);
    check_near(
        {.name = "flat", .fluid = {.dims = {33, 26, 1}, .boundary = tunnel}, .blocked = true}, 3);
    check_near({.name = "open",
                .fluid = {.dims = {22, 27, 1}, .boundary = ends(kOpenEnd, kOpenEnd, kWallEnd)}},
               2);
    check_near(
        {.name = "deep", .fluid = {.dims = {13, 11, 12}, .boundary = tunnel}, .blocked = true}, 2);
}

// A dot product of 378 cells rounds by at most 378 * 2^-24 = 2.3e-5 of its terms, and a cycle has
// three of them: in 4 cycles and 3 steps 8e-4, of a pressure of about 1.
TEST_F(StableOfRanks, GoesOnAroundSolidsWithoutATolerance) {
    TUFF_ONLY_ON(lavapipe);
    StableFluid fluid = cycles_of({21, 18, 1}, ends(kInflowEnd, kOpenEnd, kJoinedEnd, kWallEnd));
    fluid.max_cycles = 4;
    fluid.force = {.confinement = 0.1f, .buoyancy = {0.0f, -0.1f, 0.0f}};
    check({.name = "tunnel", .fluid = fluid, .blocked = true, .executions = 3}, 2,
          [](const StableFound&) { return 1e-3; });
}

/// The code of what a graph of two ranks is refused for.
class RefusedStableFluids : public testing_gpu::RanksTest {
  protected:
    std::string refusal(const std::function<void(Graph&)>& build) {
        Graph g = graph_of(Ranks{.grid = {2, 1, 1}});
        build(g);
        const GraphDesc desc = std::move(g).finish();
        const auto problem =
            std::ranges::find(desc.diagnostics, Severity::error, &Diagnostic::severity);
        return problem == desc.diagnostics.end() ? "none" : problem->code;
    }
};

TEST_F(RefusedStableFluids, AreNamed) {
    StableFluid fluid{.dims = {20, 10, 1}};
    EXPECT_EQ(refusal([&](Graph& g) { g.add(fluid); }), "fluid/ranks");
    fluid.reach = 3;
    EXPECT_EQ(refusal([&](Graph& g) { g.add(fluid); }), "none");
    EXPECT_EQ(refusal([&](Graph& g) {
                  const StableFluid made = g.add(fluid);
                  g.add(passes::FluidView{.field = made.field, .dye = made.dye});
              }),
              "fluid/in-parts");
    fluid.dims = {1, 10, 1};
    EXPECT_EQ(refusal([&](Graph& g) { g.add(fluid); }), "mpi/too-many-ranks");
}

} // namespace
} // namespace tuff
