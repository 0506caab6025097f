#include "fluid_fixture.hpp"

#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include <string>
#include <utility>

/// Adaptive steps of fluids that ranks have in parts: one rank has the fastest cell, and all take
/// the steps that it allows.
namespace tuff {
namespace {

using passes::AdvectionMethod;
using passes::EmitterShape;
using passes::FluidFace;
using passes::FluidMethod;
using passes::FluidPrecision;
using passes::FluidSolverParameters;
using passes::FluidStatus;
using passes::SimpleFluid;
using testing_gpu::FluidFound;
using testing_gpu::FluidSetup;
using testing_gpu::sides;

constexpr FluidFace kClosed = FluidFace::wall;
constexpr FluidFace kJoined = FluidFace::periodic;
constexpr FluidFace kInflow = FluidFace::inflow;
constexpr FluidFace kOpen = FluidFace::open;

/// Noise, and a fast stream from the last corner.
FluidSetup with_jet(std::string name, SimpleFluid fluid) {
    static constexpr glm::vec3 kVelocity{15.0f, -9.0f, 0.0f};
    fluid.solver.adaptive = true;
    fluid.emitters = {EmitterShape{.position = glm::vec3(fluid.dims) - 1.5f,
                                   .radius = 0.5f,
                                   .velocity = kVelocity,
                                   .rate = 1000.0f,
                                   .dye = {0.2f, 0.4f, 0.6f, 0.8f}}};
    FluidSetup setup{.name = std::move(name), .fluid = std::move(fluid)};
    setup.first = [noise = FluidSetup{.fluid = setup.fluid}](glm::uvec3 cell) {
        const glm::uvec3 from_end = noise.fluid.dims - cell;
        const bool fast = from_end.x == 2 && from_end.y == 2 && from_end.z <= 2;
        return testing_gpu::first_state(noise, cell) +
               (fast ? glm::vec4(kVelocity, 0.0f) : glm::vec4(0.0f));
    };
    return setup;
}

class AdaptiveFluidOfRanks : public testing_gpu::FluidOfRanks {
  protected:
    /// That the bits are those of one rank, and that its last execution took `share` of the time of
    /// the longest steps at most. Rank 0 returns its status.
    FluidStatus check_adapted(const FluidSetup& setup, float share, std::size_t most_grids) {
        const FluidFound one = check(setup, most_grids);
        if (job_rank() != 0 || one.statuses.empty()) return {};
        const auto steps = static_cast<float>(setup.fluid.steps + setup.more_steps);
        const float longest = setup.fluid.solver.dt * steps;
        EXPECT_LT(one.status().elapsed, share * longest) << setup.name;
        EXPECT_GT(one.status().elapsed, 0.0f) << setup.name;
        return one.status();
    }
};

TEST_F(AdaptiveFluidOfRanks, StepsFlatFieldsAsTheFastestCellOfAnyRankAllows) {
    TUFF_ONLY_ON(lavapipe);
    FluidSetup joined = with_jet("joined", {.dims = {37, 26, 1},
                                            .steps = 3,
                                            .apart = 2,
                                            .boundary = sides(kJoined, kClosed, kClosed)});
    joined.executions = 2;
    check_adapted(joined, 0.6f, 3);
    FluidSetup closed =
        with_jet("closed", {.dims = {37, 26, 1},
                            .steps = 4,
                            .apart = 1,
                            .precision = FluidPrecision::half,
                            .boundary = sides(kClosed, kOpen, kClosed),
                            .dye_parameters = {.method = AdvectionMethod::semi_lagrangian}});
    check_adapted(closed, 0.6f, 3);
}

TEST_F(AdaptiveFluidOfRanks, StepsDeepFieldsAsTheFastestCellOfAnyRankAllows) {
    TUFF_ONLY_ON(lavapipe);
    check_adapted(with_jet("two stages", {.dims = {14, 9, 11},
                                          .steps = 3,
                                          .apart = 2,
                                          .solver = {.min_dt = 0.02f},
                                          .boundary = sides(kJoined, kClosed, kJoined)}),
                  0.6f, 3);
    FluidSetup printed = with_jet(
        "printed", {.dims = {9, 13, 8},
                    .steps = 3,
                    .apart = 3,
                    .precision = FluidPrecision::half,
                    .solver = {.method = FluidMethod::printed, .viscosity = 0.25f, .min_dt = 0.02f},
                    .boundary = sides(kClosed, kInflow, kOpen)});
    printed.executions = 2;
    check_adapted(printed, 0.9f, 2);
}

// Groups walk eight rows here: those in the middle step while the halo travels.
TEST_F(AdaptiveFluidOfRanks, KeepsTimeOnceForBorderAndInnerCells) {
    FluidSetup flat =
        with_jet("flat", {.dims = {70, 124, 1},
                          .steps = 1,
                          .solver = {.min_dt = 0.05f},
                          .boundary = sides(kJoined, kInflow, kClosed),
                          .dye_parameters = {.method = AdvectionMethod::semi_lagrangian}});
    flat.more_steps = 2;
    check_adapted(flat, 0.7f, 3);
    FluidSetup deep =
        with_jet("deep", {.dims = {13, 9, 73},
                          .steps = 1,
                          .solver = {.min_dt = 0.05f},
                          .boundary = sides(kClosed, kClosed, kInflow),
                          .dye_parameters = {.method = AdvectionMethod::semi_lagrangian}});
    deep.more_steps = 1;
    check_adapted(deep, 0.7f, 2);
}

TEST_F(AdaptiveFluidOfRanks, CountsStepsThatShouldHaveBeenShorterOnceOnEachRank) {
    const FluidSetup setup = with_jet(
        "held", {.dims = {19, 23, 1},
                 .steps = 3,
                 .apart = 1,
                 .solver = {.courant = 0.5f, .min_dt = 0.06f},
                 .boundary = sides(kJoined, kJoined, kClosed),
                 .dye_parameters = {.method = AdvectionMethod::semi_lagrangian, .scale = 2}});
    const FluidStatus status = check_adapted(setup, 0.9f, 2);
    if (job_rank() == 0) {
        EXPECT_GT(status.held_steps, 0u);
    }
}

TEST_F(AdaptiveFluidOfRanks, HasRanksOfACellOrTwo) {
    TUFF_ONLY_ON(lavapipe);
    FluidSetup flat = with_jet(
        "flat",
        {.dims = {6, 5, 1}, .steps = 3, .apart = 2, .boundary = sides(kJoined, kClosed, kClosed)});
    FluidSetup deep = with_jet(
        "deep",
        {.dims = {3, 4, 6}, .steps = 2, .apart = 2, .boundary = sides(kClosed, kJoined, kJoined)});
    flat.empty = deep.empty = true; // or the stream is in a solid
    check_adapted(flat, 0.8f, 100);
    check_adapted(deep, 0.8f, 3);
}

TEST_F(AdaptiveFluidOfRanks, BeginsAtRest) {
    FluidSetup setup{.name = "at rest",
                     .fluid = {.dims = {20, 17, 1},
                               .steps = 6,
                               .apart = 2,
                               .solver = {.force = {60.0f, 0.0f, 0.0f}, .adaptive = true},
                               .boundary = sides(kJoined, kClosed, kClosed),
                               .force = {.confinement = 0.3f, .buoyancy = {0.1f, -0.4f, 0.0f}}},
                     .at_rest = true};
    for (const bool again : {false, true}) {
        setup.fluid.reset = again;
        setup.executions = again ? 2 : 1;
        check_adapted(setup, 0.9f, 2);
    }
}

// Another rank's cells are the fastest when rank 0 goes on with all of the field alone.
TEST_F(AdaptiveFluidOfRanks, GoesOnWithTheWholeFieldOnTheFirstRank) {
    FluidSetup setup =
        with_jet("gathered",
                 {.dims = {21, 18, 1}, .steps = 1, .boundary = sides(kJoined, kJoined, kClosed)});
    setup.whole_steps = 2;
    check_adapted(setup, 0.6f, 3);
}

// The flow may carry the dye much farther than the field is wide, and carries it from its first
// cell to the last rank: the halo has all of the field's cells, and no more.
TEST_F(AdaptiveFluidOfRanks, DyeComesFromTheFarEndOfTheField) {
    const float speed = 10.0f;
    for (const AdvectionMethod method :
         {AdvectionMethod::semi_lagrangian, AdvectionMethod::maccormack}) {
        FluidSetup setup{.name = "stream",
                         .fluid = {.dims = {13, 11, 1},
                                   .steps = 7,
                                   .solver = {.adaptive = true},
                                   .boundary = sides(kInflow, kJoined, kClosed),
                                   .dye_parameters = {.method = method}},
                         .empty = true,
                         .executions = 2};
        setup.fluid.boundary.right = kOpen;
        setup.fluid.boundary.inflow = {speed, 0.0f, 0.0f};
        setup.fluid.emitters = {EmitterShape{.position = {0.5f, 4.0f, 0.5f},
                                             .radius = 1.2f,
                                             .velocity = setup.fluid.boundary.inflow,
                                             .rate = 2.0f,
                                             .dye = {1.0f, 0.5f, 0.25f, 0.7f}}};
        setup.first = [speed](glm::uvec3) { return glm::vec4(speed, 0.0f, 0.0f, 0.0f); };
        const FluidStatus status = check_adapted(setup, 0.7f, 100);
        if (job_rank() == 0) {
            EXPECT_NEAR(status.elapsed, 0.7f, 1e-5f); // seven cells
        }
    }
}

} // namespace
} // namespace tuff
