#include "tests/gpu/solver/poisson_test.hpp"
#include "tests/reference/poisson_sides_reference.hpp"

#include <array>
#include <cmath>
#include <string>
#include <vector>

/// Conditions on the sides of solver/poisson's box.
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
using testing_gpu::each_cell;
using testing_gpu::Field;
using testing_gpu::greatest;
using testing_gpu::norm;
using testing_gpu::random_field;
using testing_gpu::remove_mean;
using testing_gpu::SideCondition;
using testing_gpu::SideProblem;
using testing_gpu::solve_with_outer_cells;

PoissonSide side_of(const SideCondition& condition, float value) {
    if (condition.b == 0.0) return {.kind = PoissonSideKind::dirichlet, .value = value};
    if (condition.a == 0.0) return {.kind = PoissonSideKind::neumann, .value = value};
    return {.kind = PoissonSideKind::robin,
            .value = value,
            .a = static_cast<float>(condition.a),
            .b = static_cast<float>(condition.b)};
}

class PoissonSideTest : public testing_gpu::PoissonTest {
  protected:
    static constexpr PoissonSide Poisson::*kSides[] = {&Poisson::x_low, &Poisson::x_high,
                                                       &Poisson::y_low, &Poisson::y_high,
                                                       &Poisson::z_low, &Poisson::z_high};
    static constexpr Buffer Poisson::*kValues[] = {&Poisson::x_low_values, &Poisson::x_high_values,
                                                   &Poisson::y_low_values, &Poisson::y_high_values,
                                                   &Poisson::z_low_values, &Poisson::z_high_values};

    /// Each side's first value is the constant, and the buffer has what the others differ by.
    Poisson with_sides_of(Graph& g, const SideProblem& p, Poisson pass, const std::string& name) {
        pass.size = p.size;
        pass.spacing = glm::vec3(p.spacing);
        pass.rhs = numbers(g, name + "rhs", testing_gpu::narrowed(p.rhs));
        for (std::size_t s = 0; s < 6; ++s) {
            if (!p.has_axis(static_cast<int>(s / 2))) continue;
            const Field& values = p.sides[s].values;
            const auto first = static_cast<float>(values.front());
            pass.*kSides[s] = side_of(p.sides[s], first);
            std::vector<float> rest;
            bool differs = false;
            for (const double value : values) {
                rest.push_back(static_cast<float>(value - static_cast<double>(first)));
                differs = differs || value != values.front();
            }
            if (differs) pass.*kValues[s] = numbers(g, name + std::to_string(s), rest);
        }
        return pass;
    }
    struct SideSolve {
        SideProblem problem;
        Poisson pass;
    };
    std::vector<testing_gpu::Solved> solve_all(const std::vector<SideSolve>& solves) {
        Graph g = graph();
        for (std::size_t i = 0; i < solves.size(); ++i) {
            const std::string name = "p" + std::to_string(i);
            keep(g, g.add(with_sides_of(g, solves[i].problem, solves[i].pass, name), name),
                 name + ".");
        }
        testing_gpu::Running running = run(std::move(g));
        std::vector<testing_gpu::Solved> solved(solves.size());
        for (std::size_t i = 0; running && i < solves.size(); ++i)
            solved[i] = fetch(running, "p" + std::to_string(i) + ".");
        return solved;
    }
    void expect_direct_solutions(const std::vector<SideSolve>& solves, double tolerance) {
        const auto solved = solve_all(solves);
        for (std::size_t i = 0; i < solves.size(); ++i) {
            const SideProblem& p = solves[i].problem;
            SCOPED_TRACE(testing::Message()
                         << i << ": " << p.size.x << " x " << p.size.y << " x " << p.size.z
                         << ", method " << static_cast<int>(solves[i].pass.method));
            const Field expected = solve_with_outer_cells(p);
            ASSERT_EQ(solved[i].u.size(), expected.size());
            EXPECT_LE(norm(difference(solved[i].u, expected)), tolerance * norm(expected));
            EXPECT_TRUE(solved[i].report.status == PoissonStatus::converged ||
                        solved[i].report.status == PoissonStatus::stagnated)
                << static_cast<int>(solved[i].report.status);
            EXPECT_EQ(solved[i].report.incompatible_rhs, 0u);
        }
    }
};

constexpr SideCondition kFixed{.a = 1.0, .b = 0.0, .values = {}};
constexpr SideCondition kFlux{.a = 0.0, .b = 1.0, .values = {}};
SideCondition robin(double a, double b) {
    return {.a = a, .b = b, .values = {}};
}

/// Random values on all sides. Where all have fluxes, the right-hand side is shifted to fit them.
SideProblem random_problem(glm::uvec3 size, glm::dvec3 spacing,
                           const std::array<SideCondition, 6>& sides, std::uint32_t seed) {
    SideProblem p{.size = size, .spacing = spacing, .sides = sides, .rhs = {}};
    p.rhs = random_field(p.count(), seed);
    double inflow = 0.0;
    for (int s = 0; s < 6; ++s) {
        if (!p.has_axis(s / 2)) continue;
        Field& values = p.sides[static_cast<std::size_t>(s)].values;
        values = random_field(p.face_cells(s / 2), seed + 100 + static_cast<std::uint32_t>(s));
        for (double& value : values) {
            value = value + 0.3 * s; // of a mean that differs from side to side
            inflow += value / p.spacing[s / 2];
        }
    }
    if (!p.is_free()) return p;
    remove_mean(p.rhs);
    for (double& value : p.rhs)
        value -= inflow / static_cast<double>(p.count());
    return p;
}

TEST_F(PoissonSideTest, EachSideForItselfIsThatOfTheDirectSolution) {
    std::vector<SideSolve> solves;
    std::uint32_t seed = 1;
    const Poisson exact{.tolerance = 1e-6f, .max_cycles = 14};
    for (std::size_t s = 0; s < 6; ++s)
        for (const SideCondition& condition : {kFixed, kFlux, robin(2.0, 0.7), robin(0.4, 3.0)}) {
            std::array<SideCondition, 6> sides;
            sides.fill(condition.b == 0.0 ? kFlux : kFixed);
            sides[s] = condition;
            solves.push_back({random_problem({7, 9, 5}, {0.5, 0.4, 0.7}, sides, ++seed), exact});
            // One cell along y, which has sides all the same.
            solves.push_back({random_problem({7, 1, 6}, {0.5, 0.4, 0.7}, sides, ++seed), exact});
            if (s < 4)
                solves.push_back(
                    {random_problem({13, 22, 1}, {0.3, 0.25, 1.0}, sides, ++seed), exact});
            if (s < 2)
                solves.push_back(
                    {random_problem({19, 1, 1}, {0.1, 1.0, 1.0}, sides, ++seed), exact});
        }
    expect_direct_solutions(solves, 3e-5);
}

TEST_F(PoissonSideTest, MixedSidesAreThoseOfTheDirectSolutionByEveryMethod) {
    TUFF_ONLY_ON(lavapipe);
    const std::array<SideCondition, 6> mixed{robin(1.0, 0.5), kFixed, kFlux,
                                             robin(0.3, 1.0), kFixed, kFlux};
    std::array<SideCondition, 6> fluxes;
    fluxes.fill(kFlux);
    std::array<SideCondition, 6> fixed;
    fixed.fill(kFixed);
    std::vector<SideSolve> solves;
    std::uint32_t seed = 60;
    const auto add = [&](glm::uvec3 size, const std::array<SideCondition, 6>& sides,
                         std::initializer_list<PoissonMethod> methods) {
        const SideProblem p = random_problem(size, {0.2, 0.25, 0.2}, sides, ++seed);
        for (const PoissonMethod method : methods)
            solves.push_back({p, Poisson{.method = method,
                                         .tolerance = 5e-6f,
                                         .max_cycles = method < PoissonMethod::v_cycle ? 28u : 16u,
                                         .batch_sweeps = 14}});
    };
    using enum PoissonMethod;
    for (const auto& sides : {mixed, fluxes, fixed}) {
        add({7, 6, 5}, sides, {gauss_seidel, sor, v_cycle});
        add({9, 8, 1}, sides, {sor, v_cycle});
        // More cells than the coarsest grid's, of odd and of even numbers.
        add({18, 14, 8}, sides, {v_cycle, w_cycle, full_multigrid, mgpcg});
        add({15, 17, 7}, sides, {v_cycle, w_cycle, full_multigrid, mgpcg});
        add({72, 40, 1}, sides, {v_cycle, w_cycle, full_multigrid, mgpcg});
        add({72, 1, 40}, sides, {v_cycle});
        add({67, 45, 1}, sides, {v_cycle, w_cycle, full_multigrid, mgpcg});
    }
    add({6, 5, 4}, mixed, {jacobi});
    add({13, 12, 9}, fluxes, {printed_v, printed_4w});
    expect_direct_solutions(solves, 3e-4);
}

TEST_F(PoissonSideTest, CyclesConvergeAsFastBetweenSidesOfAnyKind) {
    TUFF_ONLY_ON(lavapipe);
    const std::array<SideCondition, 6> one{robin(1.0, 0.5), kFixed, kFlux,
                                           robin(0.2, 1.0), kFixed, kFlux};
    const std::array<SideCondition, 6> other{robin(0.05, 1.0), robin(5.0, 1.0), kFixed,
                                             robin(1.0, 4.0),  kFlux,           robin(0.3, 1.0)};
    std::vector<SideSolve> solves;
    for (const auto& sides : {one, other})
        for (const glm::uvec3 size : {glm::uvec3(32, 32, 32), glm::uvec3(21, 17, 19),
                                      glm::uvec3(112, 112, 1), glm::uvec3(97, 61, 1)})
            solves.push_back({random_problem(size, glm::dvec3(1.0), sides, 7),
                              Poisson{.tolerance = 0.0f, .max_cycles = 4}});
    const auto solved = solve_all(solves);
    for (std::size_t i = 0; i < solves.size(); ++i) {
        SCOPED_TRACE(i);
        ASSERT_EQ(solved[i].residuals.size(), 5u);
        // That of Dirichlet's and Neumann's sides.
        EXPECT_LE(solved[i].factor(), 0.14);
    }
}

/// u = exp(0.7 x) cos(1.3 y + 0.3) cosh(0.5 z - 0.2): no symmetry between any two sides.
double smooth(glm::dvec3 at, int derivative) { // along an axis; -1: the function
    const double x = std::exp(0.7 * at.x);
    const double y = std::cos(1.3 * at.y + 0.3);
    const double z = std::cosh(0.5 * at.z - 0.2);
    if (derivative == 0) return 0.7 * x * y * z;
    if (derivative == 1) return -1.3 * x * std::sin(1.3 * at.y + 0.3) * z;
    if (derivative == 2) return x * y * 0.5 * std::sinh(0.5 * at.z - 0.2);
    return x * y * z;
}

SideProblem smooth_problem(glm::uvec3 size, const std::array<SideCondition, 6>& sides,
                           Field& exact) {
    SideProblem p{.size = size, .spacing = glm::dvec3(1.0), .sides = sides, .rhs = {}};
    for (int a = 0; a < 3; ++a)
        if (p.has_axis(a)) p.spacing[a] = 1.0 / size[a];
    const double second = 0.49 - 1.69 + (p.has_axis(2) ? 0.25 : 0.0);
    each_cell(size, [&](glm::uvec3 cell, std::size_t) {
        const glm::dvec3 centre = (glm::dvec3(cell) + 0.5) * p.spacing;
        exact.push_back(smooth(centre, -1));
        p.rhs.push_back(-second * smooth(centre, -1));
        for (int s = 0; s < 6; ++s) {
            const int axis = s / 2;
            if (!p.has_axis(axis)) continue;
            const bool high = s % 2 == 1;
            if (cell[axis] != (high ? size[axis] - 1 : 0)) continue;
            glm::dvec3 face = centre;
            face[axis] = high ? 1.0 : 0.0;
            SideCondition& side = p.sides[static_cast<std::size_t>(s)];
            side.values.push_back(side.a * smooth(face, -1) +
                                  side.b * (high ? 1.0 : -1.0) * smooth(face, axis));
        }
    });
    return p;
}

TEST_F(PoissonSideTest, TheErrorIsOfSecondOrder) {
    TUFF_ONLY_ON(lavapipe);
    const std::array<SideCondition, 6> one{kFixed,          robin(1.0, 0.5), kFlux,
                                           robin(2.0, 1.0), kFixed,          kFlux};
    const std::array<SideCondition, 6> other{robin(0.5, 1.0), kFlux,           robin(1.0, 1.0),
                                             kFixed,          robin(3.0, 1.0), kFixed};
    std::vector<SideSolve> solves;
    std::vector<Field> exact;
    const auto add = [&](const std::array<SideCondition, 6>& sides, glm::uvec3 size) {
        solves.push_back(
            {smooth_problem(size, sides, exact.emplace_back()), Poisson{.tolerance = 1e-6f}});
    };
    for (const auto& sides : {one, other}) {
        for (const std::uint32_t side : {9u, 17u, 33u}) // above: rounding shows
            add(sides, {side, side, 1});
        for (const std::uint32_t side : {7u, 14u, 27u})
            add(sides, glm::uvec3(side));
    }
    const auto solved = solve_all(solves);
    for (std::size_t i = 0; i < solves.size(); ++i) {
        if (i % 3 == 0) continue;
        SCOPED_TRACE(i);
        const auto error = [&](std::size_t k) {
            return norm(difference(solved[k].u, exact[k])) /
                   std::sqrt(static_cast<double>(exact[k].size()));
        };
        const double ratio = static_cast<double>(solves[i].problem.size.x) /
                             static_cast<double>(solves[i - 1].problem.size.x);
        EXPECT_NEAR(std::log(error(i - 1) / error(i)) / std::log(ratio), 2.0, 0.1)
            << error(i - 1) << ", " << error(i);
        EXPECT_LE(error(i), 0.01);
    }
}

TEST_F(PoissonSideTest, FunctionsThatTheSchemeHasExactlyAreExact) {
    std::vector<SideSolve> solves;
    std::vector<Field> exact;
    // Quadratic between fluxes; linear with x y between sides that say what u is.
    const auto add = [&](glm::uvec3 size, const std::array<SideCondition, 6>& sides,
                         bool quadratic) {
        SideProblem p{.size = size, .spacing = {0.2, 0.1, 0.15}, .sides = sides, .rhs = {}};
        const glm::dvec3 bend = quadratic ? glm::dvec3(1.0, -2.5, 1.5) : glm::dvec3(0.0);
        const auto value = [&](glm::dvec3 at) {
            double u = 0.5 + at.x - 2.0 * at.y + (quadratic ? 0.0 : 3.0 * at.x * at.y);
            if (p.has_axis(2)) u += 1.5 * at.z;
            for (int a = 0; a < 3; ++a)
                if (p.has_axis(a)) u += bend[a] * at[a] * at[a];
            return u;
        };
        Field& u = exact.emplace_back();
        each_cell(size, [&](glm::uvec3 cell, std::size_t) {
            const glm::dvec3 centre = (glm::dvec3(cell) + 0.5) * p.spacing;
            u.push_back(value(centre));
            double f = 0.0;
            for (int a = 0; a < 3; ++a)
                if (p.has_axis(a)) f -= 2.0 * bend[a];
            p.rhs.push_back(f);
            for (int s = 0; s < 6; ++s) {
                const int axis = s / 2;
                const bool high = s % 2 == 1;
                if (!p.has_axis(axis) || cell[axis] != (high ? size[axis] - 1 : 0)) continue;
                glm::dvec3 face = centre;
                face[axis] = high ? size[axis] * p.spacing[axis] : 0.0;
                glm::dvec3 step(0.0);
                step[axis] = 0.5; // a central difference is exact, whatever the step
                const double slope = value(face + step) - value(face - step);
                SideCondition& side = p.sides[static_cast<std::size_t>(s)];
                side.values.push_back(side.a * value(face) + side.b * (high ? slope : -slope));
            }
        });
        if (p.is_free()) remove_mean(u);
        solves.push_back({p, Poisson{.tolerance = 1e-7f}});
    };
    std::array<SideCondition, 6> fluxes;
    fluxes.fill(kFlux);
    std::array<SideCondition, 6> fixed;
    fixed.fill(kFixed);
    const std::array<SideCondition, 6> mixed{robin(1.0, 0.5), kFixed, kFlux,
                                             robin(0.3, 1.0), kFixed, robin(2.0, 0.1)};
    for (const glm::uvec3 size :
         {glm::uvec3(9, 14, 1), glm::uvec3(11, 7, 5), glm::uvec3(8, 8, 8)}) {
        add(size, fluxes, true);
        add(size, fixed, false);
        add(size, mixed, false);
    }
    const auto solved = solve_all(solves);
    for (std::size_t i = 0; i < solves.size(); ++i) {
        SCOPED_TRACE(i);
        ASSERT_EQ(solved[i].u.size(), exact[i].size());
        EXPECT_LE(greatest(difference(solved[i].u, exact[i])), 3e-5 * greatest(exact[i]));
    }
}

TEST_F(PoissonSideTest, FluxesCountForTheMeanOfTheRightHandSide) {
    std::array<SideCondition, 6> fluxes;
    fluxes.fill(kFlux);
    SideProblem fits = random_problem({10, 7, 4}, {0.5, 0.5, 0.5}, fluxes, 5);
    SideProblem leaks = fits;
    for (double& value : leaks.sides[3].values)
        value += 0.5;
    const auto solved = solve_all({{fits, {}}, {leaks, {}}});
    EXPECT_EQ(solved[0].report.status, PoissonStatus::converged);
    EXPECT_EQ(solved[0].report.incompatible_rhs, 0u);
    EXPECT_EQ(solved[1].report.incompatible_rhs, 1u);
    // 0.5 through the upper side along y: of each cell, a seventh of that over the spacing.
    EXPECT_NEAR(static_cast<double>(solved[1].report.rhs_mean), 0.5 / 0.5 / 7.0, 1e-5);
    ASSERT_FALSE(solved[1].report.warnings().empty());
    EXPECT_EQ(solved[1].report.warnings().front().code, "solver/incompatible-rhs");
    const Field expected = solve_with_outer_cells(leaks); // the rest of it
    EXPECT_LE(norm(difference(solved[1].u, expected)), 1e-3 * norm(expected));
}

TEST_F(PoissonSideTest, SolidAndFixedCellsAgreeWithSides) {
    // Fixed to what the direct solution has there, a column of cells changes nothing elsewhere.
    std::array<SideCondition, 6> sides{robin(1.0, 0.5), kFixed, kFlux,
                                       robin(0.3, 1.0), kFixed, kFlux};
    for (const glm::uvec3 size : {glm::uvec3(11, 8, 1), glm::uvec3(13, 10, 9)}) {
        const SideProblem p = random_problem(size, {0.5, 0.4, 0.3}, sides, 8);
        const Field expected = solve_with_outer_cells(p);
        const std::uint32_t column = size.x - 2;
        std::vector<std::uint32_t> kinds(p.count(), 0);
        std::vector<float> guess(p.count(), 0.0f);
        each_cell(size, [&](glm::uvec3 cell, std::size_t i) {
            if (cell.x != column) return;
            kinds[i] = 2;
            guess[i] = static_cast<float>(expected[i]);
        });
        Graph g = graph();
        Poisson pass = with_sides_of(g, p, Poisson{.tolerance = 1e-6f, .max_cycles = 40}, "p");
        pass.cells =
            g.constant_buffer("cells", {.size = kinds.size() * 4, .stride = 4}, bytes_of(kinds));
        pass.guess = numbers(g, "guess", guess);
        keep(g, g.add(pass));
        testing_gpu::Running running = run(std::move(g));
        ASSERT_TRUE(running);
        EXPECT_LE(norm(difference(fetch(running).u, expected)), 1e-4 * norm(expected));
    }
}

TEST_F(PoissonSideTest, ValuesOfImagesAreThoseOfBuffersToTheBit) {
    TUFF_ONLY_ON(lavapipe);
    Graph g = graph();
    const glm::uvec3 size(6, 5, 4);
    const SideProblem p = random_problem(
        size, glm::dvec3(0.5), {kFixed, kFlux, robin(1.0, 2.0), kFixed, kFlux, kFixed}, 3);
    Poisson of_buffers = with_sides_of(g, p, {}, "p");
    Poisson of_images = of_buffers;
    constexpr Image Poisson::*kImages[] = {
        &Poisson::x_low_values_image, &Poisson::x_high_values_image,
        &Poisson::y_low_values_image, &Poisson::y_high_values_image,
        &Poisson::z_low_values_image, &Poisson::z_high_values_image};
    for (std::size_t s = 0; s < 6; ++s) {
        std::vector<float> texels;
        for (const double value : p.sides[s].values)
            texels.push_back(static_cast<float>(
                value - static_cast<double>(static_cast<float>(p.sides[s].values.front()))));
        of_images.*kValues[s] = {};
        of_images.*kImages[s] =
            g.constant_image("side" + std::to_string(s),
                             {.format = Format::r32_sfloat,
                              .extent = {s < 2 ? size.y : size.x, s < 4 ? size.z : size.y, 1}},
                             bytes_of(texels));
    }
    keep(g, g.add(of_buffers, "b"), "b.");
    keep(g, g.add(of_images, "i"), "i.");
    testing_gpu::Running running = run(std::move(g));
    ASSERT_TRUE(running);
    const Field expected = fetch(running, "b.").u;
    EXPECT_GT(norm(expected), 0.1);
    EXPECT_EQ(fetch(running, "i.").u, expected);
}

TEST_F(PoissonSideTest, SidesAndMethodsThatMakeNoSenseAreRefused) {
    const auto refused = [&](auto&& change, std::string_view code) {
        Graph g = graph();
        Poisson pass{.rhs = numbers(g, "rhs", std::vector<float>(64, 0.0f)), .size = {4, 4, 4}};
        change(g, pass);
        g.add(pass);
        const Diagnostics& found = g.peek().diagnostics;
        ASSERT_FALSE(found.empty());
        EXPECT_EQ(found.front().code, code) << found.front().message;
    };
    refused(
        [](Graph&, Poisson& pass) {
            pass.boundary.y = PoissonBoundary::periodic;
            pass.y_high.value = 1.0f;
        },
        "solver/side");
    refused(
        [](Graph&, Poisson& pass) {
            pass.size = {8, 8, 1};
            pass.z_low.kind = PoissonSideKind::dirichlet;
        },
        "solver/side");
    refused(
        [](Graph&, Poisson& pass) {
            pass.x_low = {.kind = PoissonSideKind::robin, .a = 0.0f, .b = 0.0f};
        },
        "solver/side");
    refused([](Graph&, Poisson& pass) { pass.x_low.a = -1.0f; }, "pass/out-of-range");
    refused(
        [&](Graph& g, Poisson& pass) {
            pass.z_high_values = numbers(g, "few", std::vector<float>(15, 0.0f));
        },
        "primitives/too-short");
    for (const PoissonMethod method :
         {PoissonMethod::v_cycle, PoissonMethod::w_cycle, PoissonMethod::full_multigrid})
        refused(
            [&](Graph&, Poisson& pass) {
                pass.cells = pass.rhs;
                pass.method = method;
            },
            "solver/cells-method");
    for (const PoissonMethod method : {PoissonMethod::printed_v, PoissonMethod::printed_4w})
        refused(
            [&](Graph&, Poisson& pass) {
                pass.x_low.kind = PoissonSideKind::dirichlet;
                pass.method = method;
            },
            "solver/printed-method");
}

} // namespace
} // namespace tuff
