// Fluids that ranks have in parts, against the same fluid of one rank: to the bit, in the halos
// too.

#include "passes/fluid/gather.hpp"
#include "passes/fluid/obstacles.hpp"
#include "passes/fluid/simple.hpp"
#include "passes/fluid/view.hpp"
#include "passes/mpi/all_reduce.hpp"
#include "ranks_fixture.hpp"

#include <fmt/format.h>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include <iterator>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace tuff {
namespace {

using passes::AdvectionMethod;
using passes::Cells;
using passes::EmitterShape;
using passes::FluidBoundary;
using passes::FluidFace;
using passes::FluidField;
using passes::FluidMethod;
using passes::FluidPrecision;
using passes::SimpleFluid;
using testing_gpu::Running;

using StateWords = std::vector<std::uint32_t>;

struct FluidSetup {
    std::string name;
    SimpleFluid fluid;
    bool solids = false;
    bool wild = false; ///< begins with numbers that are clamped or not finite
    unsigned executions = 1;
    std::uint32_t more_steps = 0; ///< of fluid/step, after those of fluid/simple
};

/// What a graph of one execution or more leaves.
struct FluidFound {
    FluidField field;
    passes::FluidDye dye;
    StateWords cells;
    StateWords dyes;
    StateWords status; ///< of all ranks
};

FluidBoundary sides(FluidFace x, FluidFace y, FluidFace z) {
    return {.left = x,
            .right = x,
            .bottom = y,
            .top = y,
            .back = z,
            .front = z,
            .inflow = {0.4f, 0.2f, -0.1f}};
}

/// The same numbers for a cell on all ranks.
glm::vec4 first_state(const FluidSetup& setup, glm::uvec3 cell) {
    std::mt19937 random(cell.x + 1000 * cell.y + 1'000'000 * cell.z);
    random.discard(3);
    const auto number = [&] { return static_cast<float>(random() >> 8) * 0x1p-23f - 1.0f; };
    glm::vec4 value(number(), number(), number(), 0.2f * number());
    value *= 0.8f;
    if (setup.fluid.dims.z == 1) value.z = 0.0f;
    if (!setup.wild) return value;
    if (random() % 7 == 0) value.w = 4.0f;
    if (random() % 11 == 0) value.x = 60.0f;
    if (random() % 13 == 0) value.y = std::numeric_limits<float>::infinity();
    return value;
}

class FluidOfRanks : public testing_gpu::RanksTest {
  protected:
    FluidFound found(const FluidSetup& setup, const Ranks& ranks) {
        Graph g = graph_of(ranks);
        SimpleFluid fluid = setup.fluid;
        const Cells dims{fluid.dims.x, fluid.dims.y, fluid.dims.z};
        const auto part = ranks.part(dims);
        std::vector<glm::vec4> cells;
        for (std::uint32_t z = 0; z < part[2].count; ++z)
            for (std::uint32_t y = 0; y < part[1].count; ++y)
                for (std::uint32_t x = 0; x < part[0].count; ++x)
                    cells.push_back(first_state(
                        setup, {x + part[0].first, y + part[1].first, z + part[2].first}));
        const auto bytes = testing_gpu::bytes_of(cells);
        fluid.initial = g.constant_buffer("initial", {.size = bytes->size(), .stride = 16}, bytes);
        const glm::vec3 middle = 0.5f * glm::vec3(fluid.dims);
        if (setup.solids)
            fluid.obstacles =
                g.add(passes::FluidObstaclesFrom{.dims = fluid.dims,
                                                 .center = middle + 1.3f,
                                                 .radius = 3.2f,
                                                 .low = glm::vec3(0.0f),
                                                 .high = {2.0f, middle.y, 2.0f},
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
        fluid = g.add(fluid);
        FluidField field = fluid.field;
        for (std::uint32_t i = 0; i < setup.more_steps; ++i)
            field = g.add(passes::FluidStep{.before = field,
                                            .emitters = fluid.emitters,
                                            .solver = fluid.solver,
                                            .boundary = fluid.boundary})
                        .after;
        const auto output = [&](std::string_view name, Buffer buffer) {
            g.output(name, g.copy(buffer, g.buffer(name, g.desc(buffer)), name));
        };
        output("cells", field.cells);
        output("dye", fluid.dye.cells);
        output("status",
               g.add(passes::AllReduce{.source = field.status, .type = passes::RankNumber::u32})
                   .result);
        Running running = run(std::move(g), setup.executions);
        if (!running) return {};
        return {.field = field,
                .dye = fluid.dye,
                .cells = running.buffer<std::uint32_t>("cells"),
                .dyes = running.buffer<std::uint32_t>("dye"),
                .status = running.buffer<std::uint32_t>("status")};
    }

    /// Compares the cells of arrays of `words` words each, with those that one rank has for them.
    static void compare(const FluidField& field, std::uint32_t scale, std::uint32_t words,
                        const StateWords& whole, const StateWords& part, const std::string& what) {
        const bool flat = field.is_flat();
        const glm::ivec3 fine(scale, scale, flat ? 1 : scale);
        const glm::ivec3 dims = glm::ivec3(field.dims) * fine;
        const glm::ivec3 held = glm::ivec3(field.held()) * fine;
        const glm::ivec3 origin = (field.part.first - field.part.halo) * fine;
        const auto periodic = field.boundary.periodic();
        ASSERT_EQ(whole.size(), std::size_t(dims.x * dims.y * dims.z) * words) << what;
        ASSERT_EQ(part.size(), std::size_t(held.x * held.y * held.z) * words) << what;
        for (int z = 0; z < held.z; ++z)
            for (int y = 0; y < held.y; ++y)
                for (int x = 0; x < held.x; ++x) {
                    glm::ivec3 cell = origin + glm::ivec3(x, y, z);
                    bool beyond = false;
                    for (int axis = 0; axis < 3; ++axis) {
                        if (periodic[static_cast<std::size_t>(axis)])
                            cell[axis] = (cell[axis] % dims[axis] + dims[axis]) % dims[axis];
                        beyond = beyond || cell[axis] < 0 || cell[axis] >= dims[axis];
                    }
                    if (beyond) continue;
                    const auto at = static_cast<std::size_t>((z * held.y + y) * held.x + x);
                    const auto of =
                        static_cast<std::size_t>((cell.z * dims.y + cell.y) * dims.x + cell.x);
                    for (std::uint32_t w = 0; w < words; ++w)
                        ASSERT_EQ(part[at * words + w], whole[of * words + w]) << fmt::format(
                            "{}: cell {}, {}, {}, number {}", what, cell.x, cell.y, cell.z, w);
                }
    }

    void check(const FluidSetup& setup, std::size_t most_grids = 100) {
        const FluidFound one = found(setup, Ranks{});
        ASSERT_FALSE(one.cells.empty()) << setup.name;
        const auto& dims = setup.fluid.dims;
        const std::vector<Ranks> all = grids({dims.x, dims.y, dims.z});
        // Spread over all of them: slabs along each axis and blocks.
        const std::size_t stride = std::max<std::size_t>(all.size() / most_grids, 1);
        for (std::size_t i = 0; i < all.size(); i += stride) {
            const Ranks& ranks = all[i];
            const std::string what = fmt::format("{}, rank {} of {}x{}x{}", setup.name, ranks.rank,
                                                 ranks.grid[0], ranks.grid[1], ranks.grid[2]);
            const FluidFound some = found(setup, ranks);
            ASSERT_EQ(bool(some.field.part), ranks.size() > 1) << what;
            const std::uint32_t words = setup.fluid.precision == FluidPrecision::half ? 2 : 4;
            compare(some.field, 1, words, one.cells, some.cells, what);
            compare(some.field, setup.fluid.dye_parameters.scale, 4, one.dyes, some.dyes,
                    what + ", dye");
            EXPECT_EQ(some.status, one.status) << what;
        }
    }
};

constexpr FluidFace kSolidSide = FluidFace::wall;
constexpr FluidFace kJoinedSide = FluidFace::periodic;
constexpr FluidFace kInflowSide = FluidFace::inflow;
constexpr FluidFace kOpenSide = FluidFace::open;

TEST_F(FluidOfRanks, StepsFlatFieldsOfAllSides) {
    const FluidBoundary all[] = {sides(kJoinedSide, kJoinedSide, kSolidSide),
                                 sides(kSolidSide, kOpenSide, kSolidSide),
                                 sides(kInflowSide, kJoinedSide, kSolidSide)};
    for (std::size_t i = 0; i < std::size(all); ++i)
        check({.name = fmt::format("sides {}", i),
               .fluid = {.dims = {37, 26, 1}, .steps = 3, .apart = 2, .boundary = all[i]},
               .solids = i > 0,
               .executions = 2},
              3);
}

TEST_F(FluidOfRanks, StepsDeepFieldsOfAllSides) {
    check({.name = "periodic",
           .fluid = {.dims = {14, 9, 11},
                     .steps = 2,
                     .apart = 2,
                     .boundary = sides(kJoinedSide, kJoinedSide, kJoinedSide)},
           .solids = true},
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
                     .steps = 5,
                     .fused = 2,
                     .apart = 4,
                     .precision = FluidPrecision::half,
                     .boundary = sides(kJoinedSide, kInflowSide, kSolidSide)},
           .solids = true,
           .executions = 2},
          3);
    check({.name = "half",
           .fluid = {.dims = {10, 11, 9},
                     .steps = 1,
                     .precision = FluidPrecision::half,
                     .boundary = sides(kSolidSide, kJoinedSide, kSolidSide)}},
          2);
}

TEST_F(FluidOfRanks, TakesThePrintedMethodWithForcesAndAFineDye) {
    for (const std::uint32_t apart : {1u, 3u})
        check({.name = fmt::format("apart {}", apart),
               .fluid = {.dims = {23, 31, 1},
                         .steps = 3,
                         .apart = apart,
                         .solver = {.method = FluidMethod::printed, .viscosity = 0.25f},
                         .boundary = sides(kJoinedSide, kSolidSide, kSolidSide),
                         .force = {.confinement = 0.3f, .buoyancy = {0.1f, -0.4f, 0.0f}},
                         .dye_parameters = {.scale = 2, .decay = 0.1f, .diffusion = 0.02f}},
               .solids = true,
               .executions = 3},
              2);
    check({.name = "deep",
           .fluid = {.dims = {9, 8, 7},
                     .steps = 1,
                     .boundary = sides(kOpenSide, kSolidSide, kJoinedSide),
                     .force = {.confinement = 0.3f, .buoyancy = {0.1f, -0.4f, 0.2f}},
                     .dye_parameters = {.method = AdvectionMethod::semi_lagrangian, .scale = 2}},
           .executions = 2},
          2);
}

TEST_F(FluidOfRanks, HasRanksOfACellOrTwo) {
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
TEST_F(FluidOfRanks, StepsInnerCellsWhileTheHaloTravels) {
    check({.name = "flat",
           .fluid = {.dims = {70, 124, 1},
                     .steps = 1,
                     .boundary = sides(kJoinedSide, kJoinedSide, kSolidSide),
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
