#include "tests/gpu/solver/poisson_test.hpp"

#include <gmock/gmock.h>

#include <limits>

/// solver/poisson by Fourier transforms of its own.
namespace tuff {
namespace {

using passes::Poisson;
using passes::PoissonBoundaries;
using passes::PoissonBoundary;
using passes::PoissonMethod;
using passes::PoissonSide;
using passes::PoissonSideKind;
using passes::PoissonStatus;
using testing_gpu::difference;
using testing_gpu::Field;
using testing_gpu::kBoundaries;
using testing_gpu::norm;
using testing_gpu::PoissonBox;
using testing_gpu::random_rhs;
using testing_gpu::Solved;

class PoissonDirect : public testing_gpu::PoissonTest {
  protected:
    static Poisson direct() { return {.method = PoissonMethod::fft, .tolerance = 1e-4f}; }
    void expect_eigenvector_solutions(const std::vector<PoissonBox>& boxes) {
        std::vector<Problem> problems;
        for (const PoissonBox& box : boxes)
            problems.push_back({box, random_rhs(box, 31), direct()});
        const std::vector<Solved> solved = solve(problems);
        ASSERT_EQ(solved.size(), problems.size());
        for (std::size_t i = 0; i < problems.size(); ++i) {
            const PoissonBox& box = problems[i].box;
            const Field expected = solve_by_eigenvectors(box, problems[i].rhs);
            ASSERT_EQ(solved[i].u.size(), expected.size());
            EXPECT_LE(norm(difference(solved[i].u, expected)), 3e-6 * norm(expected))
                << box.size.x << " x " << box.size.y << " x " << box.size.z << ", boundaries "
                << static_cast<int>(box.boundary.x) << static_cast<int>(box.boundary.y)
                << static_cast<int>(box.boundary.z);
            EXPECT_EQ(solved[i].report.status, PoissonStatus::converged) << i;
            EXPECT_EQ(solved[i].report.cycles, 1u) << i;
        }
    }
    std::vector<std::string> refusals(const Poisson& pass, glm::uvec3 size) {
        Graph g = graph();
        Poisson refused = pass;
        refused.size = size;
        refused.method = PoissonMethod::fft;
        refused.rhs = numbers(g, "rhs", std::vector<float>(std::size_t{size.x} * size.y * size.z));
        g.output("solution", g.add(refused).solution);
        const auto plan = compile(std::move(g).finish(), device().caps());
        std::vector<std::string> codes;
        if (!plan)
            for (const Diagnostic& one : plan.error())
                codes.push_back(one.code);
        return codes;
    }
};

TEST_F(PoissonDirect, SolutionsAreThoseByEigenvectorsForEachSetOfBoundaries) {
    std::vector<PoissonBox> boxes;
    for (const PoissonBoundary x : kBoundaries)
        for (const PoissonBoundary y : kBoundaries)
            for (const PoissonBoundary z : kBoundaries)
                boxes.push_back({{6, 5, 8}, {1.0, 0.5, 0.8}, {x, y, z}, {}});
    expect_eigenvector_solutions(boxes);
}

TEST_F(PoissonDirect, SolutionsAreThoseByEigenvectorsForAnyShape) {
    std::vector<PoissonBox> boxes;
    for (const PoissonBoundary boundary : kBoundaries)
        for (const glm::uvec3 size : {glm::uvec3(1, 1, 1),
                                      {2, 1, 1},
                                      {35, 1, 1},
                                      {1, 9, 1},
                                      {1, 1, 7},
                                      {7, 1, 4},
                                      {40, 36, 1},
                                      {9, 15, 1},
                                      {24, 20, 14},
                                      {3, 2, 50}})
            boxes.push_back({size, glm::dvec3(0.7), PoissonBoundaries::all(boundary), {}});
    // Of one cell between mirrors nothing is left to solve.
    std::erase_if(boxes, [](const PoissonBox& box) {
        return box.count() == 1 && box.boundary.x != PoissonBoundary::dirichlet;
    });
    expect_eigenvector_solutions(boxes);
}

/// Values of the sides are part of the right-hand side.
TEST_F(PoissonDirect, SolutionsBetweenSidesWithValuesAreThoseOfMultigrid) {
    const PoissonBox box{{16, 12, 10}, glm::dvec3(1.0), {}, {}};
    Poisson pass = direct();
    pass.x_low = {.kind = PoissonSideKind::dirichlet, .value = 2.0f};
    pass.x_high = {.kind = PoissonSideKind::dirichlet, .value = -1.0f};
    pass.y_low = {.kind = PoissonSideKind::neumann, .value = 0.5f};
    Poisson cycles = pass;
    cycles.method = PoissonMethod::v_cycle;
    cycles.tolerance = 1e-6f;
    const Field rhs = random_rhs(box, 32);
    const std::vector<Solved> solved = solve({{box, rhs, pass}, {box, rhs, cycles}});
    ASSERT_EQ(solved[0].u.size(), box.count());
    EXPECT_LE(norm(difference(solved[0].u, solved[1].u)), 2e-5 * norm(solved[1].u));
}

TEST_F(PoissonDirect, AMeanThatNothingTakesUpIsRemovedAndReported) {
    const PoissonBox box{{10, 12, 9}, glm::dvec3(1.0), {}, {}};
    Field rhs = random_rhs(box, 33);
    const Field expected = solve_by_eigenvectors(box, rhs);
    for (double& value : rhs)
        value += 0.25;
    const Solved solved = solve(box, rhs, direct());
    EXPECT_EQ(solved.report.status, PoissonStatus::incompatible_rhs);
    EXPECT_LE(norm(difference(solved.u, expected)), 1e-5 * norm(expected));
}

TEST_F(PoissonDirect, OfNumbersThatAreNotFiniteTheSolutionIsZero) {
    const PoissonBox box{{8, 8, 6}, glm::dvec3(1.0), {}, {}};
    Field rhs = random_rhs(box, 34);
    rhs[17] = std::numeric_limits<double>::quiet_NaN();
    const Solved solved = solve(box, rhs, direct());
    EXPECT_EQ(solved.report.status, PoissonStatus::bad_input);
    EXPECT_EQ(solved.u, Field(box.count()));
}

TEST_F(PoissonDirect, SidesAndCellsThatTransformsDoNotKnowAreRefused) {
    using testing::ElementsAre;
    EXPECT_THAT(refusals({.x_low = {.kind = PoissonSideKind::robin}}, {8, 8, 8}),
                ElementsAre("solver/fft-sides"));
    EXPECT_THAT(refusals({.y_high = {.kind = PoissonSideKind::dirichlet}}, {8, 8, 8}),
                ElementsAre("solver/fft-sides"));
    EXPECT_THAT(refusals({}, {8, 11, 8}), ElementsAre("solver/fft-size"));
    EXPECT_THAT(refusals({}, {4100, 1, 1}), ElementsAre("solver/fft-size"));
    EXPECT_TRUE(refusals({}, {4096, 1, 1}).empty());
    Graph g = graph();
    const Buffer cells = g.constant_buffer("cells", {.size = 64 * 4, .stride = 4},
                                           testing_gpu::bytes_of(std::vector<std::uint32_t>(64)));
    g.output("solution", g.add(Poisson{.rhs = numbers(g, "rhs", std::vector<float>(64)),
                                       .cells = cells,
                                       .size = {4, 4, 4},
                                       .method = PoissonMethod::fft})
                             .solution);
    const auto plan = compile(std::move(g).finish(), device().caps());
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().front().code, "solver/cells-method");
}

} // namespace
} // namespace tuff
