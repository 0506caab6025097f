#include "passes/solver/poisson_cycle.hpp"
#include "tests/gpu/solver/poisson_test.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

/// What the parts of solver/poisson have to be for the whole to converge: the operator, the
/// transfers between grids, the factors of relaxation.
namespace tuff {
namespace {

using passes::coarsened;
using passes::finest_grid;
using passes::Poisson;
using passes::PoissonBoundaries;
using passes::PoissonBoundary;
using passes::PoissonCycles;
using passes::PoissonGrid;
using passes::PoissonMethod;
using passes::PoissonStatus;
using testing_gpu::difference;
using testing_gpu::Field;
using testing_gpu::greatest;
using testing_gpu::narrowed;
using testing_gpu::norm;
using testing_gpu::PoissonBox;
using testing_gpu::random_field;
using testing_gpu::random_rhs;
using testing_gpu::remove_mean;
using testing_gpu::Running;
using testing_gpu::Solved;
using testing_gpu::widened;

PoissonBox cube(std::uint32_t side, double spacing = 1.0) {
    return {.size = glm::uvec3(side), .spacing = glm::dvec3(spacing), .boundary = {}, .cells = {}};
}

double dot(const Field& a, const Field& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

double sum(const Field& field) {
    return std::accumulate(field.begin(), field.end(), 0.0);
}

class PoissonOperators : public testing_gpu::PoissonTest {
  protected:
    static PoissonGrid grid_of(const PoissonBox& box) {
        return finest_grid(box.size, glm::vec3(box.spacing), box.boundary);
    }
    Buffer constant(Graph& g, std::uint64_t count, float value) {
        return numbers(g, "constant", std::vector<float>(count, value));
    }
};

TEST_F(PoissonOperators, AreSymmetricKeepSumsAndTakeConstantsToZero) {
    using enum PoissonBoundary;
    std::vector<PoissonBox> boxes;
    for (const glm::uvec3 size :
         {glm::uvec3(20, 16, 12), glm::uvec3(19, 13, 11), glm::uvec3(37, 30, 1)})
        for (const PoissonBoundaries& boundary :
             {PoissonBoundaries::all(neumann), PoissonBoundaries{periodic, neumann, periodic},
              PoissonBoundaries::all(dirichlet)})
            // Spacings whose squares are no floats: sums of weights have to be exact all the same.
            boxes.push_back(
                {.size = size, .spacing = {0.1, 0.3, 0.7}, .boundary = boundary, .cells = {}});
    Graph g = graph();
    std::vector<std::array<Field, 2>> sources;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        PoissonCycles cycles(g, grid_of(boxes[i]), Buffer{}, {});
        const auto applied = [&](Buffer x) { return cycles.laplace(x, x, x); };
        sources.push_back({random_field(boxes[i].count(), 1), random_field(boxes[i].count(), 2)});
        for (std::size_t k = 0; k < 2; ++k)
            g.output("a" + std::to_string(2 * i + k),
                     applied(numbers(g, "x", narrowed(sources[i][k]))).field);
        g.output("c" + std::to_string(i), applied(constant(g, boxes[i].count(), 0.7f)).field);
    }
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        SCOPED_TRACE(i);
        const auto applied = [&](std::size_t k) {
            return widened(running.buffer<float>("a" + std::to_string(2 * i + k)));
        };
        const auto& [x, y] = sources[i];
        const Field ax = applied(0);
        const Field ay = applied(1);
        EXPECT_LE(norm(difference(ax, minus_laplace(boxes[i], x))), 1e-6 * norm(ax));
        EXPECT_LE(std::abs(dot(ax, y) - dot(x, ay)), 1e-5 * norm(ax) * norm(y));
        if (!boxes[i].is_singular()) continue;
        EXPECT_LE(std::abs(sum(ax)), 1e-6 * norm(ax) * std::sqrt(static_cast<double>(ax.size())));
        const Field zero = widened(running.buffer<float>("c" + std::to_string(i)));
        EXPECT_LE(greatest(zero), 1e-6 * greatest(ax));
    }
}

TEST_F(PoissonOperators, TransfersTakeConstantsToConstants) {
    for (const glm::uvec3 size :
         {glm::uvec3(20, 16, 12), glm::uvec3(19, 13, 11), glm::uvec3(37, 30, 1)}) {
        Graph g = graph();
        const PoissonBox box{.size = size, .spacing = glm::dvec3(1.0), .boundary = {}, .cells = {}};
        const PoissonGrid fine = grid_of(box);
        const PoissonGrid coarse = coarsened(fine);

        ComputeNodeBuilder down = g.compute("solver/restrict", {{"CELLS", 0}});
        const Buffer ones = constant(g, fine.count(), 0.7f);
        down.read("rhs", ones);
        down.read_optional("status", Buffer{});
        down.read_optional("source", Buffer{});
        set_grid(down, fine);
        set_transfer(down, fine, coarse);
        const Buffer means =
            down.write("result", g.buffer("means", {.size = coarse.count() * 4, .stride = 4}));
        down.dispatch(static_cast<std::uint32_t>(coarse.count() / 256 + 1));
        g.output("restricted", means);

        // A sweep with a factor of 0 corrects, and does nothing else.
        const bool flat = fine.is_flat();
        ComputeNodeBuilder up =
            g.compute("solver/relax", {{"CELLS", 0}, {"CORRECTED", 1}, {"ROWS", flat}});
        up.read("rhs", ones);
        up.read_optional("status", Buffer{});
        up.read_optional("source", Buffer{});
        up.read("coarse", means);
        set_grid(up, fine);
        set_transfer(up, fine, coarse);
        up.set("omega", 0.0f);
        up.set("first_color", 0);
        up.set("slices", fine.cells().z);
        g.output("prolonged",
                 up.write("result", g.buffer("up", {.size = fine.count() * 4, .stride = 4})));
        up.dispatch(flat ? 1u : 2u, flat ? 1u : 2u, 1);

        Running running = run(std::move(g));
        ASSERT_TRUE(running);
        for (const char* name : {"restricted", "prolonged"}) {
            const std::vector<float> values = running.buffer<float>(name);
            ASSERT_EQ(values.size(), name[0] == 'r' ? coarse.count() : fine.count());
            for (const float value : values)
                ASSERT_NEAR(value, 0.7f, 2.5e-7f) << name; // weights add up to 1 but for roundings
        }
    }
}

TEST_F(PoissonOperators, OverrelaxationIsFastestAtTheFactorOfTheFormula) {
    // Sweeps to a residual of 1e-3 of a random one: known for cubes with exact walls.
    struct Known {
        std::uint32_t side;
        float omega;
        std::uint32_t sweeps;
    };
    std::vector<Problem> problems;
    const Known known[] = {{8, 1.634f, 16}, {12, 1.7387f, 25}};
    for (const auto& [side, omega, sweeps] : known) {
        const PoissonBox box = cube(side);
        const Field rhs = random_rhs(box, 5);
        for (const float factor : {0.0f, omega, omega - 0.12f, omega + 0.12f})
            problems.push_back({box,
                                rhs,
                                {.method = PoissonMethod::sor,
                                 .tolerance = 1e-3f,
                                 .max_cycles = 80,
                                 .omega = factor,
                                 .batch_sweeps = 1}});
    }
    // Without overrelaxation it is Gauss-Seidel's, to the bit.
    const PoissonBox box = cube(9);
    for (const PoissonMethod method : {PoissonMethod::sor, PoissonMethod::gauss_seidel})
        problems.push_back({box,
                            random_rhs(box, 6),
                            {.method = method,
                             .tolerance = 0.0f,
                             .max_cycles = 2,
                             .omega = method == PoissonMethod::sor ? 1.0f : 0.0f}});
    const std::vector<Solved> solved = solve(problems);
    for (std::size_t i = 0; i < std::size(known); ++i) {
        SCOPED_TRACE(known[i].side);
        const auto sweeps = [&](std::size_t k) { return solved[4 * i + k].report.cycles; };
        EXPECT_EQ(solved[4 * i].report.status, PoissonStatus::converged);
        EXPECT_NEAR(sweeps(0), known[i].sweeps, 0.15 * known[i].sweeps);
        EXPECT_EQ(sweeps(0), sweeps(1));
        EXPECT_GT(sweeps(2), sweeps(0));
        EXPECT_GT(sweeps(3), sweeps(0));
    }
    EXPECT_EQ(solved[solved.size() - 2].u, solved.back().u);
}

TEST_F(PoissonOperators, ThreeCyclesReachAThousandthWhateverTheSize) {
    std::vector<Problem> problems;
    for (const std::uint32_t side : {16u, 32u}) {
        const PoissonBox box = cube(side, 1.0 / side);
        problems.push_back({box, random_rhs(box, 4), {.tolerance = 1e-3f, .max_cycles = 3}});
    }
    for (const Solved& solved : solve(problems))
        EXPECT_EQ(solved.report.status, PoissonStatus::converged);
}

TEST_F(PoissonOperators, AConstantMoreInTheGuessChangesNothing) {
    const PoissonBox box = cube(18);
    const Field rhs = random_rhs(box, 8);
    Field guess = random_field(box.count(), 9);
    remove_mean(guess);
    Field higher = guess;
    for (double& value : higher)
        value += 0.5;
    const Poisson pass{.tolerance = 0.0f, .max_cycles = 7};
    const std::vector<Solved> solved = solve({{box, rhs, pass, guess}, {box, rhs, pass, higher}});
    EXPECT_LE(norm(difference(solved[0].u, solved[1].u)), 1e-6 * norm(solved[0].u));
    EXPECT_LE(std::abs(sum(solved[1].u)),
              1e-6 * greatest(solved[1].u) * static_cast<double>(box.count()));
}

} // namespace
} // namespace tuff
