// Smoke in bricks that ranks have in parts.

#include "passes/fluid/sparse.hpp"
#include "passes/fluid/sparse_gather.hpp"
#include "passes/fluid/sparse_view.hpp"
#include "passes/sparse/field.hpp"
#include "ranks_fixture.hpp"

#include <fmt/format.h>
#include <glm/vec4.hpp>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace tuff {
namespace {

using passes::AdvectionMethod;
using passes::Cells;
using passes::FluidFace;
using passes::FluidPrecision;
using passes::SmokeEmitter;
using passes::SmokeGather;
using passes::SmokePressure;
using passes::SmokeShape;
using passes::SmokeStatus;
using passes::SparseCell;
using passes::SparseFluid;
using passes::SparseGather;
using passes::SparseSmoke;
using passes::SparseStorage;
using passes::SparseView;
using testing_gpu::bytes_of;
using testing_gpu::Running;

class SmokeOfRanks : public testing_gpu::RanksTest {
  protected:
    /// The whole domain on rank 0, as words. Fluid may be as fast as "reach" allows.
    struct State {
        std::vector<std::uint32_t> velocity, dye, pressure;
        std::set<std::uint32_t> bricks;
        SmokeStatus status; ///< of the rank
    };
    static Cells grid_of(const SparseFluid& pass) {
        const glm::uvec3 grid = (pass.dims + pass.parameters.brick - 1u) / pass.parameters.brick;
        return {grid.x, grid.y, grid.z};
    }
    State after(const SparseFluid& pass, const std::vector<glm::vec4>& start, const Ranks& ranks,
                unsigned steps) {
        Graph g = graph_of(ranks);
        SparseFluid wired = pass;
        if (!start.empty()) {
            const BufferDesc desc{.size = 16 * start.size(), .stride = 16};
            wired.initial_velocity = g.constant_buffer("velocity", desc, bytes_of(start));
            wired.initial_dye = g.constant_buffer("dye", desc, bytes_of(start));
        }
        const SparseFluid step = g.add(wired);
        const SparseSmoke whole = g.add(SmokeGather{.source = step.smoke}).smoke;
        if (!whole) return {};
        const auto cell =
            pass.precision == FluidPrecision::full ? SparseCell::vec4 : SparseCell::vec2;
        const auto gathered = [&](Buffer field, SparseCell of, const std::string& name) {
            g.output(name,
                     g.add(SparseGather{.bricks = whole.bricks, .field = field, .cell = of}, name)
                         .result);
        };
        gathered(whole.velocity, cell, "velocity");
        gathered(whole.dye, cell, "dye");
        gathered(whole.pressure, SparseCell::f32, "pressure");
        g.output("list",
                 g.copy(whole.bricks.list, g.buffer("list", g.desc(whole.bricks.list)), "copy"));
        g.output("status", step.status);
        Running running = run(std::move(g), steps);
        if (!running) return {};
        const auto told = running->warnings();
        EXPECT_TRUE(told);
        for (const Diagnostic& diagnostic : *told)
            EXPECT_EQ(diagnostic.code, "fluid/speed-clamped") << diagnostic.message;
        State state{.velocity = running.buffer<std::uint32_t>("velocity"),
                    .dye = running.buffer<std::uint32_t>("dye"),
                    .pressure = running.buffer<std::uint32_t>("pressure"),
                    .bricks = {},
                    .status = SmokeStatus::read(running.buffer<std::uint32_t>("status"))};
        const auto list = running.buffer<std::uint32_t>("list");
        for (std::size_t i = 0; !list.empty() && i < list[0]; ++i)
            state.bricks.insert(list[4 + 2 * i]);
        return state;
    }
    static void expect_same(const std::vector<std::uint32_t>& several,
                            const std::vector<std::uint32_t>& one, std::string_view what) {
        ASSERT_EQ(several.size(), one.size());
        for (std::size_t i = 0; i < one.size(); ++i)
            ASSERT_EQ(several[i], one[i]) << "word " << i << " of the " << what;
    }
    void check(const SparseFluid& pass, const std::vector<glm::vec4>& start,
               std::initializer_list<unsigned> steps, std::string_view name) {
        for (const unsigned count : steps) {
            const State one = after(pass, start, Ranks{}, count);
            ASSERT_FALSE(one.velocity.empty());
            EXPECT_GT(one.status.total_mass(), 0.1);
            EXPECT_TRUE(std::ranges::any_of(one.pressure, [](auto word) { return word != 0; }));
            for (const Ranks& ranks : descending_grids(grid_of(pass))) {
                SCOPED_TRACE(fmt::format("{}, {} steps, {}x{}x{} ranks", name, count, ranks.grid[0],
                                         ranks.grid[1], ranks.grid[2]));
                const State several = after(pass, start, ranks, count);
                if (ranks.rank != 0) continue;
                EXPECT_EQ(several.bricks, one.bricks);
                expect_same(several.velocity, one.velocity, "velocity");
                expect_same(several.dye, one.dye, "dye");
                expect_same(several.pressure, one.pressure, "pressure");
            }
        }
    }
    static SmokeEmitter jet(const glm::vec3& position, const glm::vec3& force) {
        return {.shape = SmokeShape::sphere,
                .position = position,
                .size = glm::vec3(4.0f),
                .force = force,
                .dye = {0.5f, 0.3f, 0.2f, 0.4f}};
    }
};

/// A jet that crosses the domain, whose last bricks reach beyond it.
TEST_F(SmokeOfRanks, HasTheSameBitsForAnyNumberOfThem) {
    SparseFluid pass{.emitters = {jet({6.0f, 9.0f, 8.0f}, {1.2f, 0.3f, 0.1f})},
                     .dims = {44, 18, 15},
                     .parameters = {.brick = glm::uvec3(4), .capacity = 300},
                     .expansion = {.ahead = 1.0f, .guard = 2},
                     .reach = 2,
                     .iterations = 7,
                     .confinement = 0.2f,
                     .buoyancy = {0.0f, 0.2f, 0.0f},
                     .drag = 0.01f,
                     .decay = glm::vec4(0.02f)};
    check(pass, {}, {12}, "jacobi");
    pass.boundary.left = FluidFace::wall;
    pass.boundary.top = FluidFace::wall;
    pass.boundary.front = FluidFace::wall;
    pass.warm_start = false;
    pass.parameters.storage = SparseStorage::full;
    check(pass, {}, {7}, "jacobi with walls");
}

TEST_F(SmokeOfRanks, HasTheSameBitsByMultigridAndMacCormack) {
    const SparseFluid pass{.emitters = {jet({21.0f, 16.0f, 8.0f}, {1.0f, 0.4f, 0.0f}),
                                        jet({30.0f, 8.0f, 8.0f}, {-1.0f, 0.2f, 0.1f})},
                           .dims = {48, 32, 16},
                           .parameters = {.brick = glm::uvec3(8), .capacity = 64},
                           .precision = FluidPrecision::half,
                           .advection = AdvectionMethod::maccormack,
                           .reach = 4,
                           .method = SmokePressure::multigrid,
                           .iterations = 1,
                           .levels = 3,
                           .confinement = 0.1f};
    check(pass, {}, {6}, "multigrid");
}

/// Where it begins with smoke that some ranks have none of.
TEST_F(SmokeOfRanks, HasTheSameBitsFromAStart) {
    const SparseFluid pass{.dims = {24, 12, 12},
                           .parameters = {.brick = glm::uvec3(4), .capacity = 54},
                           .expansion = {.ahead = 1.0f, .guard = 1, .least_dye = 0.02f},
                           .reach = 3,
                           .iterations = 4,
                           .decay = glm::vec4(0.05f)};
    std::mt19937 random(5);
    std::uniform_real_distribution<float> any(-1.0f, 1.0f);
    std::vector<glm::vec4> start(std::size_t{24} * 12 * 12, glm::vec4(0.0f));
    for (std::size_t i = 0; i < start.size(); ++i)
        if (i % 24 > 13 && i % 24 < 19) start[i] = {any(random), any(random), any(random), 0.5f};
    check(pass, start, {1, 8}, "a start");
}

/// The picture of all of it.
TEST_F(SmokeOfRanks, IsDrawnByRankZero) {
    const auto drawn = [&](const Ranks& ranks) {
        Graph g = graph_of(ranks);
        const SparseFluid step =
            g.add(SparseFluid{.emitters = {jet({6.0f, 9.0f, 8.0f}, {1.0f, 0.3f, 0.1f})},
                              .dims = {32, 16, 16},
                              .parameters = {.brick = glm::uvec3(4), .capacity = 256},
                              .expansion = {.guard = 2},
                              .reach = 2,
                              .iterations = 4});
        const SparseSmoke whole = g.add(SmokeGather{.source = step.smoke}).smoke;
        g.output("picture", g.add(SparseView{.smoke = whole, .width = 48, .height = 32}).result);
        return run(std::move(g), 5).image("picture").texels;
    };
    const auto one = drawn(Ranks{});
    ASSERT_FALSE(one.empty());
    for (const Ranks& ranks : descending_grids({8, 4, 4})) {
        const auto several = drawn(ranks);
        if (ranks.rank == 0) {
            EXPECT_EQ(several, one);
        }
    }
}

TEST_F(SmokeOfRanks, RefusesWhatRanksCannotDo) {
    const auto codes_of = [&](const SparseFluid& pass) {
        Graph g = graph_of({.grid = {2, 1, 1}});
        (void)g.add(pass);
        std::vector<std::string> codes;
        for (const Diagnostic& diagnostic : g.peek().diagnostics)
            codes.push_back(diagnostic.code);
        return codes;
    };
    using testing::ElementsAre;
    SparseFluid pass{.dims = {32, 16, 16}};
    EXPECT_THAT(codes_of(pass), testing::IsEmpty());
    pass.expansion.guard = 5;
    EXPECT_THAT(codes_of(pass), ElementsAre("mpi/claims-too-far"));
    pass.expansion.guard = 4;
    pass.parameters.when_full = passes::SparseWhenFull::evict;
    EXPECT_THAT(codes_of(pass), ElementsAre("mpi/evicting-store"));
    pass.parameters = {.storage = SparseStorage::dense};
    EXPECT_THAT(codes_of(pass), ElementsAre("mpi/dense-store"));
    pass.parameters = {.brick = glm::uvec3(32)};
    EXPECT_THAT(codes_of(pass), ElementsAre("mpi/too-many-ranks"));
}

} // namespace
} // namespace tuff
