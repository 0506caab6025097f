#include "fluid_fixture.hpp"
#include "passes/fluid/gather.hpp"
#include "passes/fluid/obstacles.hpp"
#include "passes/fluid/view.hpp"

#include <fmt/format.h>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <glm/vector_relational.hpp>

#include <algorithm>
#include <functional>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace tuff {
namespace {

using passes::AdvectionMethod;
using passes::EmitterShape;
using passes::FluidBoundary;
using passes::FluidFace;
using passes::FluidField;
using passes::FluidMethod;
using passes::FluidPrecision;
using passes::SimpleFluid;
using testing_gpu::first_state;
using testing_gpu::FluidOfRanks;
using testing_gpu::FluidSetup;
using testing_gpu::Running;
using testing_gpu::sides;
using testing_gpu::StateWords;

constexpr FluidFace kSolidSide = FluidFace::wall;
constexpr FluidFace kJoinedSide = FluidFace::periodic;
constexpr FluidFace kInflowSide = FluidFace::inflow;
constexpr FluidFace kOpenSide = FluidFace::open;

/// A part that is all of the field, in arrays with room for a halo: where no cell of it is needed,
/// but all that ranks do with their parts is done.
class FluidOfOneRank : public testing_gpu::RanksTest {
  protected:
    StateWords stepped(glm::uvec3 dims, std::int32_t halo, const FluidBoundary& boundary,
                       const passes::FluidSolverParameters& solver = {},
                       std::uint32_t at_once = 1) {
        const FluidSetup setup{.fluid = {.dims = dims}};
        Graph g = graph();
        FluidField field{.dims = dims, .boundary = boundary};
        if (halo > 0) {
            field.part.cells = glm::ivec3(dims);
            field.part.halo = {halo, halo, dims.z > 1 ? halo : 0};
        }
        const glm::ivec3 held(field.held());
        std::vector<glm::vec4> cells;
        for (int z = 0; z < held.z; ++z)
            for (int y = 0; y < held.y; ++y)
                for (int x = 0; x < held.x; ++x) {
                    const glm::ivec3 at = glm::ivec3(x, y, z) - field.part.halo;
                    const bool inside = glm::all(glm::greaterThanEqual(at, glm::ivec3(0))) &&
                                        glm::all(glm::lessThan(at, glm::ivec3(dims)));
                    cells.push_back(inside ? first_state(setup, glm::uvec3(at))
                                           : glm::vec4(90.0f, -80.0f, 70.0f, 3.0f));
                }
        const auto bytes = testing_gpu::bytes_of(cells);
        field.cells = g.constant_buffer("cells", {.size = bytes->size(), .stride = 16}, bytes);
        for (int step = 0; step < 3; ++step)
            field =
                g
                    .add(passes::FluidStep{
                        .before = field, .solver = solver, .boundary = boundary, .steps = at_once})
                    .after;
        g.output("cells", field.cells);
        g.output("status", field.status);
        Running running = run(std::move(g));
        if (!running) return {};
        const auto words = running.buffer<std::uint32_t>("cells");
        StateWords own = running.buffer<std::uint32_t>("status"); // and cells without the halo
        for (std::uint32_t z = 0; z < dims.z; ++z)
            for (std::uint32_t y = 0; y < dims.y; ++y)
                for (std::uint32_t x = 0; x < 4 * dims.x; ++x) {
                    const glm::ivec3 at = glm::ivec3(x / 4, y, z) + field.part.halo;
                    const auto i = static_cast<std::size_t>((at.z * held.y + at.y) * held.x + at.x);
                    own.push_back(words[4 * i + x % 4]);
                }
        return own;
    }
};

TEST_F(FluidOfOneRank, StepsItAsWithoutParts) {
    const FluidBoundary joined = sides(kJoinedSide, kJoinedSide, kJoinedSide);
    const FluidBoundary mixed = sides(kInflowSide, kJoinedSide, kSolidSide);
    for (const FluidBoundary& boundary : {joined, mixed}) {
        for (const glm::uvec3 dims : {glm::uvec3(35, 29, 1), glm::uvec3(5, 70, 1),
                                      glm::uvec3(3, 2, 1), glm::uvec3(7, 6, 5)}) {
            const StateWords wanted = stepped(dims, 0, boundary);
            ASSERT_FALSE(wanted.empty());
            EXPECT_EQ(stepped(dims, 7, boundary), wanted) << dims.x;
        }
        EXPECT_EQ(stepped({35, 29, 1}, 9, boundary, {}, 2),
                  stepped({35, 29, 1}, 0, boundary, {}, 2));
    }
}

TEST_F(FluidOfOneRank, AdaptsStepsToTheCellsOfThePartAlone) {
    const passes::FluidSolverParameters solver{.adaptive = true, .courant = 0.05f};
    const FluidBoundary joined = sides(kJoinedSide, kJoinedSide, kJoinedSide);
    const FluidBoundary closed = sides(kSolidSide, kSolidSide, kSolidSide);
    for (const FluidBoundary& boundary : {joined, closed})
        for (const glm::uvec3 dims : {glm::uvec3(5, 70, 1), glm::uvec3(7, 6, 5)}) {
            const StateWords wanted = stepped(dims, 0, boundary, solver);
            ASSERT_FALSE(wanted.empty());
            const passes::FluidStatus status = passes::FluidStatus::read(wanted);
            EXPECT_LT(status.elapsed, 2.0f * solver.dt); // of three steps
            EXPECT_GT(status.elapsed, 5.0f * solver.min_dt);
            EXPECT_EQ(stepped(dims, 7, boundary, solver), wanted) << dims.x;
        }
}

/// The code of what a graph of two ranks is refused for.
class RefusedFluids : public testing_gpu::RanksTest {
  protected:
    std::string refusal(const std::function<void(Graph&)>& build) {
        Graph g = graph_of(Ranks{.grid = {2, 1, 1}});
        build(g);
        const GraphDesc desc = std::move(g).finish();
        const auto found =
            std::ranges::find(desc.diagnostics, Severity::error, &Diagnostic::severity);
        return found == desc.diagnostics.end() ? "none" : found->code;
    }
};

TEST_F(RefusedFluids, AreNamed) {
    const SimpleFluid fluid{.dims = {20, 10, 1}};
    EXPECT_EQ(refusal([&](Graph& g) { g.add(fluid); }), "none");
    EXPECT_EQ(refusal([&](Graph& g) {
                  SimpleFluid changed = fluid;
                  changed.solver.adaptive = true;
                  g.add(changed);
              }),
              "none");
    EXPECT_EQ(refusal([&](Graph& g) {
                  SimpleFluid changed = fluid;
                  changed.solver.back_end = passes::FluidBackEnd::raster;
                  g.add(changed);
              }),
              "fluid/ranks");
    EXPECT_EQ(refusal([&](Graph& g) {
                  const FluidField field = g.add(fluid).field;
                  g.add(passes::FluidStep{.before = field,
                                          .boundary = sides(kJoinedSide, kSolidSide, kSolidSide)});
              }),
              "fluid/ranks");
    EXPECT_EQ(refusal([&](Graph& g) {
                  const SimpleFluid made = g.add(fluid);
                  g.add(passes::FluidView{.field = made.field, .dye = made.dye});
              }),
              "fluid/in-parts");
    EXPECT_EQ(refusal([&](Graph& g) {
                  SimpleFluid thin = fluid;
                  thin.dyed = false;
                  thin.apart = 1;
                  thin.fused = 1; // GPUs take two steps a kernel, and then the halo is wide enough
                  thin.solver = {.method = FluidMethod::printed, .viscosity = 0.25f};
                  FluidField field = g.add(thin).field;
                  g.add(passes::FluidStep{.before = field, .steps = 1, .margin = 1, .filled = 0});
              }),
              "fluid/narrow-halo");
    EXPECT_EQ(refusal([&](Graph& g) {
                  g.add(SimpleFluid{.dims = {1, 10, 1}});
              }),
              "mpi/too-many-ranks");
    // Fluid may be fifteen times as fast as in steps of one length, and its dye may be left out.
    SimpleFluid deep{.dims = {512, 512, 512}, .steps = 8};
    EXPECT_EQ(refusal([&](Graph& g) { g.add(deep); }), "none");
    deep.solver.adaptive = true;
    EXPECT_EQ(refusal([&](Graph& g) { g.add(deep); }), "pass/out-of-range");
    deep.dyed = false;
    EXPECT_EQ(refusal([&](Graph& g) { g.add(deep); }), "none");
}

TEST_F(FluidOfRanks, StepsFlatFieldsOfAllSides) {
    const FluidBoundary all[] = {sides(kSolidSide, kOpenSide, kSolidSide),
                                 sides(kInflowSide, kJoinedSide, kSolidSide),
                                 sides(kJoinedSide, kSolidSide, kSolidSide)};
    for (std::size_t i = 0; i < std::size(all); ++i)
        check({.name = fmt::format("sides {}", i),
               .fluid = {.dims = {37, 26, 1}, .steps = 3, .apart = 2, .boundary = all[i]},
               .executions = 2},
              3);
}

TEST_F(FluidOfRanks, StepsDeepFieldsOfAllSides) {
    check({.name = "periodic",
           .fluid = {.dims = {14, 9, 11},
                     .steps = 2,
                     .apart = 2,
                     .boundary = sides(kJoinedSide, kJoinedSide, kSolidSide)}},
          3);
    check({.name = "inflow",
           .fluid = {.dims = {9, 13, 8},
                     .steps = 3,
                     .apart = 1,
                     .boundary = sides(kSolidSide, kInflowSide, kOpenSide)},
           .executions = 2},
          2);
}

TEST_F(FluidOfRanks, TakesTwoStepsAtOnceAndKeepsThemInHalves) {
    check({.name = "fused",
           .fluid = {.dims = {41, 30, 1},
                     .steps = 4,
                     .fused = 2,
                     .apart = 4,
                     .precision = FluidPrecision::half,
                     .boundary = sides(kJoinedSide, kJoinedSide, kJoinedSide)},
           .executions = 2},
          3);
    check({.name = "half",
           .fluid = {.dims = {10, 11, 9},
                     .steps = 1,
                     .precision = FluidPrecision::half,
                     .boundary = sides(kJoinedSide, kJoinedSide, kJoinedSide)}},
          2);
}

TEST_F(FluidOfRanks, TakesThePrintedMethodWithForcesAndAFineDye) {
    TUFF_ONLY_ON(lavapipe);
    const passes::FluidSolverParameters printed{.method = FluidMethod::printed, .viscosity = 0.25f};
    for (const std::uint32_t apart : {1u, 3u})
        check({.name = fmt::format("apart {}", apart),
               .fluid = {.dims = {23, 31, 1},
                         .steps = 3,
                         .apart = apart,
                         .solver = printed,
                         .boundary = sides(kJoinedSide, kSolidSide, kSolidSide),
                         .force = {.confinement = 0.3f, .buoyancy = {0.1f, -0.4f, 0.0f}},
                         .dye_parameters = {.scale = 2, .decay = 0.1f, .diffusion = 0.02f}},
               .executions = 3},
              2);
    check({.name = "deep",
           .fluid = {.dims = {9, 8, 7},
                     .steps = 1,
                     .solver = printed,
                     .boundary = sides(kOpenSide, kSolidSide, kJoinedSide),
                     .force = {.confinement = 0.3f, .buoyancy = {0.1f, -0.4f, 0.2f}},
                     .dye_parameters = {.method = AdvectionMethod::semi_lagrangian, .scale = 2}},
           .executions = 2},
          2);
}

TEST_F(FluidOfRanks, HasRanksOfACellOrTwo) {
    TUFF_ONLY_ON(lavapipe);
    check({.name = "flat",
           .fluid = {.dims = {6, 5, 1},
                     .steps = 3,
                     .apart = 2,
                     .boundary = sides(kJoinedSide, kSolidSide, kSolidSide)},
           .executions = 2});
    check({.name = "deep",
           .fluid = {.dims = {3, 4, 6},
                     .steps = 2,
                     .apart = 2,
                     .boundary = sides(kSolidSide, kJoinedSide, kJoinedSide)}},
          3);
}

// Groups walk eight rows here: those in the middle step while the halo travels.
TEST_F(FluidOfRanks, StepsInnerCellsWhileTheHaloTravelsAndCountsEachCellOnce) {
    check({.name = "flat",
           .fluid = {.dims = {70, 124, 1},
                     .steps = 1,
                     .boundary = sides(kJoinedSide, kInflowSide, kSolidSide),
                     .dye_parameters = {.method = AdvectionMethod::semi_lagrangian}},
           .wild = true,
           .executions = 2,
           .more_steps = 1},
          3);
    check({.name = "deep",
           .fluid = {.dims = {13, 9, 73},
                     .steps = 1,
                     .boundary = sides(kSolidSide, kSolidSide, kInflowSide),
                     .dye_parameters = {.method = AdvectionMethod::semi_lagrangian}},
           .wild = true,
           .more_steps = 1},
          2);
}

TEST_F(FluidOfRanks, StandsStillWithoutSteps) {
    check({.name = "no steps", .fluid = {.dims = {12, 7, 1}, .steps = 0}, .executions = 2}, 1);
}

TEST_F(FluidOfRanks, AreDrawnByTheFirstRank) {
    const auto picture = [&](const Ranks& ranks) {
        Graph g = graph_of(ranks);
        const glm::uvec3 dims(29, 22, 1);
        const SimpleFluid fluid = g.add(SimpleFluid{
            .obstacles = g.add(passes::FluidObstaclesFrom{
                                   .dims = dims, .center = {9.0f, 8.0f, 0.0f}, .radius = 4.0f})
                             .obstacles,
            .emitters = {EmitterShape{.position = {15.0f, 11.0f, 0.0f},
                                      .radius = 6.0f,
                                      .velocity = {0.5f, 0.3f, 0.0f},
                                      .rate = 2.0f,
                                      .dye = {1.0f, 0.5f, 0.25f, 0.0f}}},
            .dye_parameters = {.scale = 3}});
        const auto whole = g.add(passes::FluidGather{.field = fluid.field, .dye = fluid.dye});
        g.output("picture", g.add(passes::FluidView{.field = whole.whole_field,
                                                    .dye = whole.whole_dye,
                                                    .width = 58,
                                                    .height = 44})
                                .result);
        Running running = run(std::move(g), 3);
        return running ? running.image("picture").texels : std::vector<std::byte>{};
    };
    const std::vector<std::byte> one = picture(Ranks{});
    ASSERT_FALSE(one.empty());
    for (const Ranks& ranks : grids({29, 22, 1})) {
        const std::vector<std::byte> some = picture(ranks);
        if (ranks.rank == 0) {
            EXPECT_EQ(some, one) << ranks.grid[0];
        }
    }
}

} // namespace
} // namespace tuff
