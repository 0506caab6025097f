#include "tests/gpu/solver/poisson_test.hpp"

#include <limits>
#include <string>

/// What solver/poisson says of itself, and what it makes of bad input.
namespace tuff {
namespace {

using passes::Poisson;
using passes::PoissonBoundaries;
using passes::PoissonBoundary;
using passes::PoissonMethod;
using passes::PoissonReport;
using passes::PoissonStatus;
using testing_gpu::difference;
using testing_gpu::Field;
using testing_gpu::greatest;
using testing_gpu::norm;
using testing_gpu::PoissonBox;
using testing_gpu::random_field;
using testing_gpu::remove_mean;
using testing_gpu::Solved;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

PoissonBox box_between(glm::uvec3 size, PoissonBoundary boundary = PoissonBoundary::neumann) {
    return {.size = size,
            .spacing = glm::dvec3(1.0),
            .boundary = PoissonBoundaries::all(boundary),
            .cells = {}};
}

std::string code_of(const PoissonReport& report) {
    const Diagnostics all = report.warnings();
    return all.empty() ? "" : all.front().code;
}

class PoissonStatuses : public testing_gpu::PoissonTest {};

TEST_F(PoissonStatuses, SayHowTheSolutionEnded) {
    const PoissonBox box = box_between({18, 20, 17});
    const PoissonBox walls = box_between({40, 44, 1}, PoissonBoundary::dirichlet);
    Field rhs = random_field(box.count(), 3);
    remove_mean(rhs);
    Field high = rhs;
    for (double& value : high)
        value += 0.25;
    const Field flat = random_field(walls.count(), 4);
    const Field nothing(walls.count(), 0.0);
    const std::vector<Solved> solved = solve({
        {box, rhs, {.tolerance = 1e-4f}},
        {box, rhs, {.tolerance = 1e-4f, .max_cycles = 1}},
        {box, rhs, {.tolerance = 0.0f, .max_cycles = 40}},
        {box, high, {.tolerance = 1e-4f}},
        {walls, flat, {.tolerance = 1e-4f}},
        {walls, nothing, {.tolerance = 1e-4f}},
        {walls, nothing, {.tolerance = 2e-5f}, random_field(walls.count(), 5)},
    });
    const PoissonReport& converged = solved[0].report;
    EXPECT_EQ(converged.status, PoissonStatus::converged);
    EXPECT_TRUE(converged.warnings().empty());
    EXPECT_EQ(converged.unknown_cells, box.count());
    EXPECT_EQ(solved[0].residuals.size(), converged.cycles + 1);
    EXPECT_EQ(solved[0].residuals.back(), converged.last_residual);
    EXPECT_NEAR(static_cast<double>(converged.rhs_norm), norm(rhs), 1e-4 * norm(rhs));
    // What it says of the residual is true.
    const double residual = norm(difference(minus_laplace(box, solved[0].u), rhs));
    EXPECT_LE(residual, 1.01e-4 * norm(rhs));
    EXPECT_NEAR(static_cast<double>(converged.last_residual), residual, 0.02 * residual);

    EXPECT_EQ(solved[1].report.status, PoissonStatus::not_converged);
    EXPECT_EQ(code_of(solved[1].report), "solver/not-converged");
    EXPECT_LT(solved[1].report.last_residual, 0.5f * solved[1].report.first_residual);

    EXPECT_EQ(solved[2].report.status, PoissonStatus::stagnated);
    EXPECT_EQ(code_of(solved[2].report), "solver/stagnated");
    EXPECT_LT(solved[2].report.last_residual, 1e-5f * solved[2].report.first_residual);

    EXPECT_EQ(solved[3].report.status, PoissonStatus::incompatible_rhs);
    EXPECT_EQ(code_of(solved[3].report), "solver/incompatible-rhs");
    EXPECT_NEAR(solved[3].report.rhs_mean, 0.25f, 1e-4f);
    EXPECT_LE(norm(difference(solved[3].u, solved[0].u)), 1e-3 * norm(solved[0].u));

    EXPECT_EQ(solved[4].report.status, PoissonStatus::converged); // Dirichlet: any mean will do
    EXPECT_EQ(solved[5].report.status, PoissonStatus::converged);
    EXPECT_EQ(solved[5].report.cycles, 0u);
    EXPECT_EQ(greatest(solved[5].u), 0.0);
    EXPECT_EQ(solved[6].report.status, PoissonStatus::converged);
    EXPECT_LE(greatest(solved[6].u), 1e-3);
}

TEST_F(PoissonStatuses, TellOfAnIncompatibleRightHandSideHoweverTheSolveEnds) {
    const PoissonBox box = box_between({18, 20, 17});
    const PoissonBox walls = box_between({18, 20, 17}, PoissonBoundary::dirichlet);
    Field high = random_field(box.count(), 3);
    remove_mean(high);
    for (double& value : high)
        value += 0.25;
    std::vector<Problem> problems;
    for (const PoissonMethod method :
         {PoissonMethod::sor, PoissonMethod::v_cycle, PoissonMethod::mgpcg})
        for (const Poisson& end : {Poisson{.tolerance = 1e-7f, .max_cycles = 40},
                                   Poisson{.tolerance = 0.0f, .max_cycles = 40},
                                   Poisson{.tolerance = 1e-4f, .max_cycles = 1}}) {
            problems.push_back({box, high, end});
            problems.back().pass.method = method;
        }
    problems.push_back({walls, high, {.tolerance = 0.0f, .max_cycles = 40}}); // any mean will do
    const std::vector<Solved> solved = solve(problems);
    const auto codes = [](const Diagnostics& all) {
        std::vector<std::string> names;
        for (const Diagnostic& one : all)
            names.push_back(one.code);
        return names;
    };
    using Codes = std::vector<std::string>;
    std::size_t unfinished = 0;
    for (std::size_t i = 0; i < solved.size(); ++i) {
        SCOPED_TRACE(i);
        const PoissonReport& report = solved[i].report;
        Codes wanted;
        if (i + 1 < solved.size()) {
            wanted.push_back("solver/incompatible-rhs");
            EXPECT_NEAR(report.rhs_mean, 0.25f, 1e-4f);
        }
        EXPECT_EQ(codes(passes::PoissonFaults{report}.warnings()), wanted);
        if (report.status == PoissonStatus::stagnated) wanted.push_back("solver/stagnated");
        if (report.status == PoissonStatus::not_converged) wanted.push_back("solver/not-converged");
        EXPECT_EQ(codes(report.warnings()), wanted);
        unfinished += report.status == PoissonStatus::stagnated ||
                      report.status == PoissonStatus::not_converged;
    }
    EXPECT_GE(unfinished, 9u); // conjugate residuals may get to 1e-7
}

TEST_F(PoissonStatuses, StartFromTheGuess) {
    const PoissonBox box = box_between({21, 19, 22}, PoissonBoundary::dirichlet);
    const Field rhs = random_field(box.count(), 3);
    const Field exact = solve_by_eigenvectors(box, rhs);
    Field near = exact;
    const Field noise = solve_by_eigenvectors(box, random_field(box.count(), 4));
    for (std::size_t i = 0; i < near.size(); ++i)
        near[i] += 0.01 * noise[i];
    std::vector<Problem> problems;
    for (const PoissonMethod method :
         {PoissonMethod::v_cycle, PoissonMethod::full_multigrid, PoissonMethod::mgpcg})
        for (const Field& guess : {Field{}, exact, near})
            problems.push_back({box, rhs, {.method = method, .tolerance = 1e-4f}, guess});
    const std::vector<Solved> solved = solve(problems);
    for (std::size_t i = 0; i < solved.size(); i += 3) {
        SCOPED_TRACE(i);
        for (std::size_t k = 0; k < 3; ++k)
            EXPECT_LE(norm(difference(solved[i + k].u, exact)), 1e-3 * norm(exact)) << k;
        EXPECT_EQ(solved[i + 1].report.cycles, 0u);
        // Two digits of four are there already.
        EXPECT_LE(2 * solved[i + 2].report.cycles, solved[i].report.cycles + 1);
    }
}

TEST_F(PoissonStatuses, BadNumbersMakeTheSolutionZeroAndAreCounted) {
    const PoissonBox box = box_between({18, 20, 17});
    const PoissonBox tiny = box_between({1, 1, 1});
    Field rhs = random_field(box.count(), 3);
    remove_mean(rhs);
    std::vector<Problem> problems;
    for (const PoissonMethod method : {PoissonMethod::sor, PoissonMethod::v_cycle,
                                       PoissonMethod::full_multigrid, PoissonMethod::mgpcg}) {
        Field bad = rhs;
        bad[777] = kNaN;
        bad[5000] = kInfinity;
        problems.push_back({box, bad, {.method = method, .max_cycles = 2}});
        Field bad_guess(box.count(), 0.0);
        bad_guess[10] = kNaN;
        problems.push_back({box, rhs, {.method = method, .max_cycles = 2}, bad_guess});
        problems.push_back({tiny, {kNaN}, {.method = method, .max_cycles = 2}});
    }
    const std::vector<Solved> solved = solve(problems);
    for (std::size_t i = 0; i < solved.size(); ++i) {
        SCOPED_TRACE(i);
        EXPECT_EQ(solved[i].report.status, PoissonStatus::bad_input);
        EXPECT_EQ(code_of(solved[i].report), "solver/bad-input");
        EXPECT_EQ(solved[i].report.not_finite, i % 3 == 0 ? 2u : 1u);
        EXPECT_EQ(greatest(solved[i].u), 0.0);
        EXPECT_EQ(norm(solved[i].u), 0.0); // NaN would compare less to nothing
    }
}

TEST_F(PoissonStatuses, PockedAndFullBoxesGiveStableSolutions) {
    const glm::uvec3 size(24, 20, 1);
    // Nothing but solid cells.
    PoissonBox full = box_between(size);
    full.cells.assign(full.count(), 1);
    // A wall from side to side, and a cell that is alone.
    PoissonBox pockets = box_between(size);
    pockets.cells.assign(pockets.count(), 0);
    for (std::uint32_t y = 0; y < size.y; ++y)
        pockets.cells[y * size.x + 9] = 1;
    for (const std::size_t beside : {4u * 24 + 15, 6u * 24 + 15, 5u * 24 + 14, 5u * 24 + 16})
        pockets.cells[beside] = 1;
    const std::size_t alone = 5 * 24 + 15;
    Field fair(pockets.count(), 0.0); // adds up to 0 in each pocket
    fair[2 * 24 + 2] = 1.0;
    fair[15 * 24 + 6] = -1.0;
    fair[3 * 24 + 12] = -2.0;
    fair[17 * 24 + 20] = 2.0;
    Field unfair = fair; // adds up to 0 in all, but not in either pocket
    unfair[2 * 24 + 2] += 1.0;
    unfair[3 * 24 + 12] -= 1.0;
    Field lonely = fair;
    lonely[alone] = 0.5;
    const Poisson pass{.method = PoissonMethod::mgpcg, .tolerance = 1e-5f, .max_cycles = 40};
    // Many pockets, and a right-hand side that adds up to 0 in none of them.
    PoissonBox scattered = box_between({48, 40, 1});
    for (std::uint32_t i = 0; i < scattered.count(); ++i)
        scattered.cells.push_back((i % 48 * 7 + i / 48 * 13) % 5 == 0 ? 1 : 0);
    const Field noise = random_field(scattered.count(), 5);
    const std::vector<Solved> solved = solve({{full, fair, pass},
                                              {pockets, fair, pass},
                                              {pockets, unfair, pass},
                                              {pockets, lonely, pass},
                                              {scattered, noise, pass}});
    EXPECT_EQ(solved[0].report.status, PoissonStatus::converged);
    EXPECT_EQ(solved[0].report.unknown_cells, 0u);
    EXPECT_EQ(norm(solved[0].u), 0.0);

    EXPECT_EQ(solved[1].report.status, PoissonStatus::converged);
    EXPECT_LE(norm(difference(minus_laplace(pockets, solved[1].u), fair)), 1e-4 * norm(fair));

    // What has no solution is left over; the rest is solved, and nothing runs away.
    EXPECT_EQ(solved[2].report.status, PoissonStatus::stagnated);
    EXPECT_EQ(code_of(solved[2].report), "solver/stagnated");
    EXPECT_LE(solved[2].report.last_residual, 0.1f * solved[2].report.first_residual);
    EXPECT_LT(greatest(solved[2].u), 4.0 * greatest(solved[1].u)); // NaN is not less
    EXPECT_FALSE(solved[3].report.warnings().empty());             // the lonely cell's is left over
    EXPECT_LT(greatest(solved[3].u), 4.0 * greatest(solved[1].u));
    EXPECT_EQ(solved[4].report.status, PoissonStatus::stagnated);
    EXPECT_LE(solved[4].report.last_residual, 0.7f * solved[4].report.first_residual);
    EXPECT_LT(greatest(solved[4].u), 1e3);
    for (std::size_t i = 2; i < solved.size(); ++i) // the residual never grows
        for (std::size_t k = 1; k < solved[i].residuals.size(); ++k)
            EXPECT_LE(solved[i].residuals[k], 1.001f * solved[i].residuals[k - 1]) << i;
}

TEST_F(PoissonStatuses, ParametersThatMakeNoSenseAreRefused) {
    const auto refused = [&](auto&& change, std::string_view code) {
        Graph g = graph();
        const PoissonBox box = box_between({4, 4, 4});
        Poisson pass = on(g, box, Field(box.count(), 0.0), {});
        change(pass);
        g.add(pass);
        const Diagnostics& found = g.peek().diagnostics;
        ASSERT_FALSE(found.empty());
        EXPECT_EQ(found.front().code, code) << found.front().message;
    };
    constexpr float kNotANumber = std::numeric_limits<float>::quiet_NaN();
    for (const float h : {0.0f, -1.0f, kNotANumber, std::numeric_limits<float>::infinity()})
        refused([&](Poisson& pass) { pass.spacing.y = h; }, "pass/out-of-range");
    for (const float omega : {2.0f, -0.1f, 5.0f, kNotANumber})
        refused([&](Poisson& pass) { pass.omega = omega; }, "pass/out-of-range");
    for (const float tolerance : {-1.0f, 1.0f, kNotANumber})
        refused([&](Poisson& pass) { pass.tolerance = tolerance; }, "pass/out-of-range");
    refused([](Poisson& pass) { pass.size.x = 0; }, "pass/out-of-range");
    refused([](Poisson& pass) { pass.size = glm::uvec3(16384); }, "primitives/too-long");
    refused([](Poisson& pass) { pass.size.x = 5; }, "primitives/too-short");
    refused([](Poisson& pass) { pass.max_cycles = 0; }, "pass/out-of-range");
    refused([](Poisson& pass) { pass.pre_sweeps = pass.post_sweeps = 0; }, "pass/out-of-range");
    for (const PoissonMethod method : {PoissonMethod::printed_v, PoissonMethod::printed_4w}) {
        refused(
            [&](Poisson& pass) {
                pass.method = method;
                pass.boundary.y = PoissonBoundary::periodic;
            },
            "solver/printed-method");
        refused(
            [&](Poisson& pass) {
                pass.method = method;
                pass.cells = pass.rhs;
            },
            "solver/printed-method");
    }
    refused([](Poisson& pass) { pass.rhs = {}; }, "graph/unconnected");
}

} // namespace
} // namespace tuff
