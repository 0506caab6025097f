#include "fluid_fixture.hpp"

#include "passes/fluid/gather.hpp"
#include "passes/fluid/obstacles.hpp"
#include "passes/mpi/all_reduce.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <random>
#include <string_view>

namespace tuff::testing_gpu {
namespace {

using passes::Cells;
using passes::FluidField;
using passes::RankOperation;
using passes::SimpleFluid;

constexpr std::array kOperations{RankOperation::sum, RankOperation::min, RankOperation::max};
constexpr std::array<std::string_view, 3> kStatuses{"sums", "least", "greatest"};
constexpr std::size_t kCounts = 4; // of the status, which ranks count each for itself

Buffer first_cells(Graph& g, const FluidSetup& setup) {
    const glm::uvec3 dims = setup.fluid.dims;
    const auto part = g.ranks().part({dims.x, dims.y, dims.z});
    std::vector<glm::vec4> cells;
    for (std::uint32_t z = 0; z < part[2].count; ++z)
        for (std::uint32_t y = 0; y < part[1].count; ++y)
            for (std::uint32_t x = 0; x < part[0].count; ++x)
                cells.push_back(
                    first_state(setup, {x + part[0].first, y + part[1].first, z + part[2].first}));
    const auto bytes = bytes_of(cells);
    return g.constant_buffer("initial", {.size = bytes->size(), .stride = 16}, bytes);
}

void add_sources(Graph& g, SimpleFluid& fluid) {
    const glm::vec3 middle = 0.5f * glm::vec3(fluid.dims);
    fluid.obstacles = g.add(passes::FluidObstaclesFrom{.dims = fluid.dims,
                                                       .center = middle + 1.3f,
                                                       .radius = 3.2f,
                                                       .low = glm::vec3(0.0f),
                                                       .high = {2.0f, middle.y, 2.0f},
                                                       .motion = {.velocity = {0.3f, -0.2f, 0.1f},
                                                                  .spin = {0.01f, 0.02f, -0.03f},
                                                                  .pivot = middle}})
                          .obstacles;
    fluid.emitters.push_back({.position = middle,
                              .radius = 2.6f,
                              .velocity = {0.6f, -0.5f, 0.4f},
                              .rate = 3.0f,
                              .dye = {1.0f, 0.5f, 0.25f, 0.7f}});
    fluid.emitters.push_back({.position = {1.0f, 2.0f, 0.5f},
                              .radius = 1.5f,
                              .velocity = {-0.3f, 0.3f, 0.1f},
                              .rate = 1.0f,
                              .dye = {0.1f, 0.9f, 0.0f, 0.3f}});
}

FluidField stepped(Graph& g, const SimpleFluid& fluid, FluidField field, std::uint32_t steps) {
    for (std::uint32_t i = 0; i < steps; ++i)
        field = g.add(passes::FluidStep{.before = field,
                                        .emitters = fluid.emitters,
                                        .solver = fluid.solver,
                                        .boundary = fluid.boundary})
                    .after;
    return field;
}

void compare(glm::uvec3 dims, const StateWords& one, const StateWords& some,
             const std::string& what) {
    ASSERT_EQ(some.size(), one.size()) << what;
    const std::size_t words = one.size() / (std::size_t{dims.x} * dims.y * dims.z);
    for (std::size_t i = 0; i < one.size(); ++i)
        ASSERT_EQ(some[i], one[i])
            << fmt::format("{}: number {} of cell {}, {}, {}", what, i % words, i / words % dims.x,
                           i / words / dims.x % dims.y, i / words / dims.x / dims.y);
}

} // namespace

passes::FluidBoundary sides(passes::FluidFace x, passes::FluidFace y, passes::FluidFace z) {
    return {.left = x,
            .right = x,
            .bottom = y,
            .top = y,
            .back = z,
            .front = z,
            .inflow = {0.4f, 0.2f, -0.1f}};
}

glm::vec4 first_state(const FluidSetup& setup, glm::uvec3 cell) {
    if (setup.first) return setup.first(cell);
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

void FluidOfRanks::SetUp() {
    if (job_size() == 1) GTEST_SKIP() << "under mpirun";
    RanksTest::SetUp();
}

FluidFound FluidOfRanks::found(const FluidSetup& setup, const Ranks& ranks) {
    Graph g = graph_of(ranks);
    SimpleFluid fluid = setup.fluid;
    if (!setup.at_rest) fluid.initial = first_cells(g, setup);
    if (!setup.empty) add_sources(g, fluid);
    fluid = g.add(fluid);
    const FluidField field = stepped(g, fluid, fluid.field, setup.more_steps);
    const auto whole = g.add(passes::FluidGather{.field = field, .dye = fluid.dye});
    const auto output = [&](std::string_view name, Buffer buffer) {
        g.output(name, g.copy(buffer, g.buffer(name, g.desc(buffer)), name));
    };
    output("cells", stepped(g, fluid, whole.whole_field, setup.whole_steps).cells);
    output("dye", whole.whole_dye.cells);
    for (std::size_t i = 0; i < kOperations.size(); ++i)
        output(kStatuses[i], g.add(passes::AllReduce{.source = whole.whole_field.status,
                                                     .type = passes::RankNumber::u32,
                                                     .operation = kOperations[i]})
                                 .result);
    Running running = run(std::move(g), setup.executions);
    if (!running) return {};
    FluidFound found{.part = field.part,
                     .cells = running.buffer<std::uint32_t>("cells"),
                     .dye = running.buffer<std::uint32_t>("dye")};
    for (const std::string_view name : kStatuses)
        found.statuses.push_back(running.buffer<std::uint32_t>(name));
    // Ranks have equal clocks, whose sums say nothing.
    for (std::size_t i = kCounts; i < found.statuses[0].size(); ++i)
        found.statuses[0][i] = found.statuses[1][i];
    for (std::size_t i = 0; i < kCounts; ++i)
        found.statuses[1][i] = found.statuses[2][i] = found.statuses[0][i];
    return found;
}

FluidFound FluidOfRanks::check(const FluidSetup& setup, std::size_t most_grids) {
    const glm::uvec3 dims = setup.fluid.dims;
    const std::uint32_t scale = setup.fluid.dye_parameters.scale;
    FluidFound one;
    if (job_rank() == 0) {
        one = found(setup, Ranks{});
        EXPECT_FALSE(one.cells.empty()) << setup.name;
    }
    const std::vector<Ranks> all = grids({dims.x, dims.y, dims.z});
    EXPECT_FALSE(all.empty());
    // Spread over all of them: slabs along each axis and blocks.
    const std::size_t stride = std::max<std::size_t>(all.size() / most_grids, 1);
    for (std::size_t i = 0; i < all.size(); i += stride) {
        const Ranks& ranks = all[i];
        const std::string what = fmt::format("{}, {}x{}x{} ranks", setup.name, ranks.grid[0],
                                             ranks.grid[1], ranks.grid[2]);
        const FluidFound some = found(setup, ranks);
        EXPECT_EQ(bool(some.part), ranks.size() > 1) << what;
        if (ranks.rank != 0) continue;
        compare(dims, one.cells, some.cells, what);
        compare(passes::dye_dims(dims, scale), one.dye, some.dye, what + ", dye");
        EXPECT_EQ(some.statuses, one.statuses) << what;
    }
    return one;
}

} // namespace tuff::testing_gpu
