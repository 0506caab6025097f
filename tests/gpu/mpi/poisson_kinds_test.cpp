// Solid and fixed cells in a field that ranks have in parts: compared with conjugate gradients on
// the CPU, with solver/poisson, and with one rank to the bit.

#include "passes/mpi/gather.hpp"
#include "passes/mpi/poisson.hpp"
#include "passes/mpi/poisson_cycles.hpp"
#include "passes/mpi/poisson_kinds.hpp"
#include "passes/solver/poisson.hpp"
#include "ranks_fixture.hpp"
#include "tests/reference/poisson_reference.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <tuple>

namespace tuff {
namespace {

using passes::Cells;
using passes::GatherParts;
using passes::PartLayout;
using passes::PartPoissonMethod;
using passes::PoissonBoundaries;
using passes::PoissonBoundary;
using passes::PoissonOfParts;
using passes::PoissonReport;
using passes::PoissonStatus;
using testing_gpu::bytes_of;
using testing_gpu::difference;
using testing_gpu::Field;
using testing_gpu::floats;
using testing_gpu::norm;
using testing_gpu::part_size;
using testing_gpu::part_texels;
using testing_gpu::PoissonBox;
using testing_gpu::random_field;
using testing_gpu::Running;
using testing_gpu::values_in;
using testing_gpu::widened;

using enum PoissonBoundary;

constexpr std::uint32_t kSolid = 1;
constexpr std::uint32_t kFixed = 2;

struct KindsProblem {
    PoissonBox box;
    Field rhs;
    Field guess;
    PoissonOfParts pass = {};
};

struct KindsSolution {
    std::vector<float> u;  ///< of rank 0
    float residual = 0.0f; ///< of jacobi
    PoissonReport report;
};

std::size_t index_in(const PoissonBox& box, const Cells& cell) {
    return (std::size_t{cell[2]} * box.size.y + cell[1]) * box.size.x + cell[0];
}
Cells whole_of(const PoissonBox& box) {
    return {box.size.x, box.size.y, box.size.z};
}

/// Calls `kind` with each cell.
template <typename F>
void set_kinds(PoissonBox& box, F&& kind) {
    box.cells.clear();
    for (std::uint32_t z = 0; z < box.size.z; ++z)
        for (std::uint32_t y = 0; y < box.size.y; ++y)
            for (std::uint32_t x = 0; x < box.size.x; ++x)
                box.cells.push_back(kind(Cells{x, y, z}));
}

/// A solid ball in the middle with a hole through it; and fixed cells in a plate.
PoissonBox with_ball(PoissonBox box, bool with_plate) {
    set_kinds(box, [&](const Cells& cell) {
        const glm::dvec3 at =
            (glm::dvec3(cell[0], cell[1], cell[2]) + 0.5) / glm::dvec3(box.size) - 0.5;
        const double square = at.x * at.x + at.y * at.y + (box.size.z > 1 ? at.z * at.z : 0.0);
        if (with_plate && cell[0] == 1 && cell[1] > 2 && cell[1] + 1 < box.size.y) return kFixed;
        return square < 0.09 && std::abs(at.y) > 0.06 ? kSolid : 0u;
    });
    return box;
}

/// Walls with gaps on one side of the borders between ranks, and fixed cells on the other side.
PoissonBox with_borders(PoissonBox box, const Ranks& ranks) {
    const auto split = passes::split_of(whole_of(box), ranks);
    set_kinds(box, [&](const Cells& cell) {
        const std::uint32_t sum = cell[0] + cell[1] + cell[2];
        for (std::size_t axis = 0; axis < 3; ++axis)
            for (const CellSpan& span : split[axis]) {
                if (span.first == 0) continue;
                if (cell[axis] + 1 == span.first && sum % 5 != 0) return kSolid;
                if (cell[axis] == span.first && sum % 7 == 0) return kFixed;
            }
        return 0u;
    });
    // Cells to which nothing is coupled: their equations have no solution.
    const Field left = testing_gpu::minus_laplace(box, random_field(box.count(), 1));
    for (std::size_t i = 0; i < left.size(); ++i)
        if (left[i] == 0.0 && box.cells[i] == 0) box.cells[i] = kSolid;
    return box;
}

/// All cells of the last rank are solid; of a single rank some are.
PoissonBox without_last(PoissonBox box, const Ranks& ranks) {
    const auto part = ranks.part(whole_of(box), ranks.size() - 1);
    set_kinds(box, [&](const Cells& cell) {
        if (ranks.size() == 1) return cell[1] > cell[0] ? kSolid : 0u;
        for (std::size_t axis = 0; axis < 3; ++axis)
            if (cell[axis] < part[axis].first || cell[axis] >= part[axis].first + part[axis].count)
                return 0u;
        return kSolid;
    });
    return box;
}

/// Random, of mean 0 in unknown cells, and NaN where it does not count.
KindsProblem problem_of(const PoissonBox& box, std::uint32_t seed, const PoissonOfParts& pass) {
    Field rhs = random_field(box.count(), seed);
    Field guess = random_field(box.count(), seed + 1000);
    double sum = 0.0;
    double unknown = 0.0;
    for (std::size_t i = 0; i < rhs.size(); ++i)
        if (box.cells[i] == 0) sum += rhs[i], unknown += 1.0;
    for (std::size_t i = 0; i < rhs.size(); ++i) {
        rhs[i] = box.cells[i] == 0 ? rhs[i] - sum / unknown : std::nan("");
        if (box.cells[i] == kSolid) guess[i] = std::nan("");
    }
    return {box, std::move(rhs), std::move(guess), pass};
}

/// 0 where there is NaN.
Field finite(Field field) {
    for (double& value : field)
        if (std::isnan(value)) value = 0.0;
    return field;
}

/// Of the equations of unknown cells.
Field residual_of(const KindsProblem& problem, const Field& u) {
    const Field left = testing_gpu::minus_laplace(problem.box, u);
    Field residual = difference(finite(problem.rhs), left);
    for (std::size_t i = 0; i < residual.size(); ++i)
        if (problem.box.cells[i] != 0) residual[i] = 0.0;
    return residual;
}

class SolidCellsOfRanks : public testing_gpu::RanksTest {
  protected:
    static std::vector<Ranks> a_grid() {
        const std::vector<Ranks> all = grids({7, 9, 1});
        if (all.empty()) return {};
        return {all[all.size() / 2]};
    }
    static Cells halo_of(const PoissonBox& box, std::uint32_t width) {
        return {width, width, box.size.z > 1 ? width : 0};
    }
    static Image part_of(Graph& g, const std::string& name, const PoissonBox& box,
                         const Field& field, double factor, const Cells& halo) {
        return g.constant_image(
            name, floats(part_size(g.ranks(), whole_of(box), halo), box.size.z > 1),
            part_texels(g.ranks(), whole_of(box), halo, NAN, [&](const Cells& cell) {
                return static_cast<float>(factor * field[index_in(box, cell)]);
            }));
    }
    /// A rank's kinds of cells; the halo has none that exists.
    static Image kinds_of(Graph& g, const std::string& name, const PoissonBox& box,
                          const Cells& halo) {
        const Cells whole = whole_of(box);
        const Cells size = part_size(g.ranks(), whole, halo);
        const auto as_floats = part_texels(g.ranks(), whole, halo, 77.0f, [&](const Cells& cell) {
            return static_cast<float>(box.cells[index_in(box, cell)]);
        });
        std::vector<std::uint8_t> texels;
        for (std::size_t i = 0; i < as_floats->size(); i += sizeof(float)) {
            float value = 0.0f;
            std::memcpy(&value, as_floats->data() + i, sizeof(float));
            texels.push_back(static_cast<std::uint8_t>(value));
        }
        return g.constant_image(name,
                                {.format = Format::r8_uint,
                                 .extent = {size[0], size[1], size[2]},
                                 .shape = box.size.z > 1 ? ImageShape::d3 : ImageShape::d2},
                                bytes_of(texels));
    }

    std::vector<KindsSolution> solve(const std::vector<KindsProblem>& problems,
                                     const Ranks& ranks) {
        Graph g = graph_of(ranks);
        for (std::size_t i = 0; i < problems.size(); ++i) {
            const KindsProblem& p = problems[i];
            const std::string name = "p" + std::to_string(i);
            PoissonOfParts pass = p.pass;
            const Cells halo = halo_of(p.box, static_cast<std::uint32_t>(pass.halo));
            pass.source = part_of(g, name + ".source", p.box, p.rhs, -1.0, halo);
            pass.guess = part_of(g, name + ".guess", p.box, p.guess, 1.0, halo);
            pass.kinds = kinds_of(g, name + ".kinds", p.box, halo);
            pass.cells = glm::ivec3(p.box.size);
            pass.spacing = glm::vec3(p.box.spacing);
            std::tie(pass.x, pass.y, pass.z) =
                std::tie(p.box.boundary.x, p.box.boundary.y, p.box.boundary.z);
            pass = g.add(pass, name);
            g.output(
                name + ".u",
                g.add(GatherParts{.source = pass.result, .cells = pass.cells, .halo = pass.halo},
                      name + "_whole")
                    .result);
            if (pass.status) g.output(name + ".status", pass.status);
            if (pass.residual) g.output(name + ".residual", pass.residual);
        }
        Running running = run(std::move(g));
        std::vector<KindsSolution> solutions(problems.size());
        for (std::size_t i = 0; running && i < problems.size(); ++i) {
            const std::string name = "p" + std::to_string(i);
            solutions[i].u = values_in(running, name + ".u");
            if (problems[i].pass.method == PartPoissonMethod::jacobi) {
                const auto residual = running.buffer<float>(name + ".residual");
                solutions[i].residual = residual.empty() ? NAN : residual[0];
                continue;
            }
            const auto words = running.buffer<std::uint32_t>(name + ".status");
            if (words.size() >= passes::kPoissonStatusWords)
                solutions[i].report = PoissonReport::read(words);
        }
        return solutions;
    }

    /// Fields that six ranks in a row can have, some with parts of one cell.
    static std::vector<PoissonBox> boxes(const Ranks& ranks) {
        const auto box = [](glm::uvec3 size, PoissonBoundaries boundary) {
            return PoissonBox{
                .size = size, .spacing = glm::dvec3(0.5), .boundary = boundary, .cells = {}};
        };
        const auto all = [](PoissonBoundary boundary) { return PoissonBoundaries::all(boundary); };
        return {
            with_ball(box({45, 37, 1}, all(neumann)), true),
            with_ball(box({17, 13, 11}, all(periodic)), false),
            with_ball(box({7, 60, 1}, {periodic, neumann, neumann}), true),
            with_borders(box({29, 26, 1}, {periodic, dirichlet, neumann}), ranks),
            with_borders(box({13, 12, 10}, {dirichlet, neumann, periodic}), ranks),
            without_last(box({25, 28, 1}, all(neumann)), ranks),
            without_last(box({9, 14, 8}, {neumann, periodic, dirichlet}), ranks),
        };
    }
};

std::string name_of(const KindsProblem& problem, const Ranks& ranks) {
    const glm::uvec3 n = problem.box.size;
    return (testing::Message() << n.x << "x" << n.y << "x" << n.z << " over " << ranks.grid[0]
                               << "x" << ranks.grid[1] << "x" << ranks.grid[2])
        .GetString();
}

TEST_F(SolidCellsOfRanks, FindTheSolutionsOfConjugateGradientsOnTheCpu) {
    for (const Ranks& ranks : a_grid()) {
        std::vector<KindsProblem> problems;
        std::uint32_t seed = 0;
        for (const PoissonBox& box : boxes(ranks)) {
            ++seed;
            problems.push_back(problem_of(box, seed,
                                          {.halo = 1 + static_cast<std::int32_t>(seed % 3),
                                           .method = PartPoissonMethod::mgpcg,
                                           .tolerance = 1e-5f,
                                           .max_cycles = 16,
                                           .gather_cells = seed % 2 == 0 ? 60u : 1u}));
        }
        const std::vector<KindsSolution> solutions = solve(problems, ranks);
        for (std::size_t i = 0; i < problems.size(); ++i) {
            const KindsProblem& p = problems[i];
            SCOPED_TRACE(name_of(p, ranks));
            const PoissonReport& report = solutions[i].report;
            const auto unknown = static_cast<std::uint32_t>(std::ranges::count(p.box.cells, 0u));
            EXPECT_EQ(report.unknown_cells, unknown);
            EXPECT_EQ(report.not_finite, 0u);
            EXPECT_EQ(report.status, PoissonStatus::converged);
            if (ranks.rank != 0) continue;
            const Field u = widened(solutions[i].u);
            ASSERT_EQ(u.size(), p.box.count());
            for (std::size_t c = 0; c < u.size(); ++c) {
                if (p.box.cells[c] == kSolid) {
                    ASSERT_EQ(u[c], 0.0) << c;
                }
                if (p.box.cells[c] == kFixed) {
                    ASSERT_EQ(u[c], static_cast<double>(static_cast<float>(p.guess[c]))) << c;
                }
            }
            // The residual of conjugate residuals is updated, not computed: rounding parts the two.
            const double reference =
                std::max(static_cast<double>(report.first_residual), norm(finite(p.rhs)));
            EXPECT_LE(norm(residual_of(p, u)), 4e-5 * reference);
            const Field expected = solve_by_gradients(p.box, finite(p.rhs), finite(p.guess));
            EXPECT_LE(norm(difference(u, expected)), 2e-3 * norm(expected));
        }
    }
}

TEST_F(SolidCellsOfRanks, AgreeWithTheSolverOfOneDevice) {
    constexpr std::uint32_t kCoarsest = 1024; // cells that solver/poisson solves by sweeps
    for (const Ranks& ranks : a_grid()) {
        std::vector<KindsProblem> problems;
        for (const PoissonBox& box : boxes(ranks)) {
            if (box.count() <= kCoarsest) continue; // the solver has only one grid of it
            problems.push_back(problem_of(box, 40 + static_cast<std::uint32_t>(problems.size()),
                                          {.method = PartPoissonMethod::mgpcg,
                                           .tolerance = 1e-6f,
                                           .gather_cells = kCoarsest}));
        }
        Graph g = graph();
        for (std::size_t i = 0; i < problems.size(); ++i) {
            const KindsProblem& p = problems[i];
            const std::string name = "p" + std::to_string(i);
            const passes::Poisson other = g.add(
                passes::Poisson{.rhs_image = part_of(g, name + ".rhs", p.box, p.rhs, 1.0, {}),
                                .guess_image = part_of(g, name + ".guess", p.box, p.guess, 1.0, {}),
                                .cells_image = kinds_of(g, name + ".kinds", p.box, {}),
                                .size = p.box.size,
                                .spacing = glm::vec3(p.box.spacing),
                                .boundary = p.box.boundary,
                                .tolerance = 1e-6f},
                name);
            g.output(name + ".u", other.image);
            g.output(name + ".status", other.status);
        }
        Running running = run(std::move(g));
        const std::vector<KindsSolution> solutions = solve(problems, ranks);
        for (std::size_t i = 0; running && i < problems.size(); ++i) {
            SCOPED_TRACE(name_of(problems[i], ranks));
            const std::string name = "p" + std::to_string(i);
            const PoissonReport expected =
                PoissonReport::read(running.buffer<std::uint32_t>(name + ".status"));
            const PoissonReport& report = solutions[i].report;
            EXPECT_EQ(report.status, expected.status);
            EXPECT_EQ(report.unknown_cells, expected.unknown_cells);
            // The same preconditioner on the same grids: only rounding differs.
            EXPECT_LE(std::max(report.cycles, expected.cycles),
                      std::min(report.cycles, expected.cycles) + 1);
            if (ranks.rank != 0) continue;
            const Field u = widened(values_in(running, name + ".u"));
            ASSERT_EQ(solutions[i].u.size(), u.size());
            EXPECT_LE(norm(difference(widened(solutions[i].u), u)), 1e-3 * norm(u));
        }
    }
}

/// The weights of all grids and what a V-cycle makes of a right-hand side, which is the
/// preconditioner.
TEST_F(SolidCellsOfRanks, HaveACycleWithTheSameBitsForAnyNumberOfThem) {
    const auto cycled = [&](const KindsProblem& p, const Ranks& ranks) {
        Graph g = graph_of(ranks);
        const bool volume = p.box.size.z > 1;
        passes::PoissonGrid grid =
            passes::finest_grid(glm::max(p.box.size, glm::uvec3(1, 1, 2)), glm::vec3(p.box.spacing),
                                {p.box.boundary.x, p.box.boundary.y,
                                 volume ? p.box.boundary.z : PoissonBoundary::neumann});
        grid.axes[2].cells = p.box.size.z;
        const passes::PoissonLevels levels(grid, ranks, p.pass.gather_cells);
        const PartLayout layout = levels.layout(0);
        const Cells image_halo = halo_of(p.box, 1);
        const Buffer kinds =
            passes::kinds_in(g, kinds_of(g, "kinds", p.box, image_halo),
                             {.cells = whole_of(p.box), .halo = image_halo}, levels);
        passes::PartCycles cycles(g, levels, kinds, passes::PoissonOrder::black_first);
        const auto texels =
            part_texels(ranks, whole_of(p.box), layout.halo, NAN, [&](const Cells& cell) {
                return static_cast<float>(p.rhs[index_in(p.box, cell)]);
            });
        const Buffer constant =
            g.constant_buffer("rhs", {.size = texels->size(), .stride = 4}, texels);
        const Buffer rhs = cycles.filled(g.copy(constant, cycles.field("rhs"), "copy"),
                                         passes::PartCycles::kRhsHalo);
        g.output("u", cycles.cycle(rhs));
        Running running = run(std::move(g));
        const std::vector<float> u = running.buffer<float>("u");
        std::vector<float> own;
        const Cells size = layout.size();
        for (std::uint32_t z = 0; z < layout.cells[2]; ++z)
            for (std::uint32_t y = 0; y < layout.cells[1]; ++y)
                for (std::uint32_t x = 0; x < layout.cells[0]; ++x) {
                    const std::size_t at =
                        (std::size_t{z + layout.halo[2]} * size[1] + y + layout.halo[1]) * size[0] +
                        x + layout.halo[0];
                    own.push_back(at < u.size() ? u[at] : NAN);
                }
        return own;
    };
    for (const Ranks& ranks : grids({7, 9, 8})) {
        std::uint32_t seed = 80;
        for (const PoissonBox& box : boxes(ranks)) {
            if (box.size.z == 1 && ranks.grid[2] > 1) continue;
            ++seed;
            if (job_size() > 2 && (seed + ranks.grid[0]) % 2 == 0) continue; // messages take time
            const KindsProblem p =
                problem_of(box, seed, {.gather_cells = seed % 3 == 0 ? 60u : 1u});
            const std::vector<float> alone = cycled(p, Ranks{});
            const auto part = ranks.part(whole_of(box));
            std::vector<float> expected;
            for (std::uint32_t z = part[2].first; z < part[2].first + part[2].count; ++z)
                for (std::uint32_t y = part[1].first; y < part[1].first + part[1].count; ++y)
                    for (std::uint32_t x = part[0].first; x < part[0].first + part[0].count; ++x)
                        expected.push_back(alone[index_in(box, {x, y, z})]);
            EXPECT_EQ(cycled(p, ranks), expected) << name_of(p, ranks);
            EXPECT_GT(std::ranges::max(alone), 0.0f) << "the test tests nothing";
        }
    }
}

TEST_F(SolidCellsOfRanks, AreRelaxedToTheSameBitsByAnyNumberOfThem) {
    for (const Ranks& ranks : grids({7, 9, 8})) {
        std::vector<KindsProblem> problems;
        for (const PoissonBox& box : boxes(ranks)) {
            if (box.size.z == 1 && ranks.grid[2] > 1) continue;
            problems.push_back(
                problem_of(box, 120 + static_cast<std::uint32_t>(problems.size()),
                           {.halo = 1 + static_cast<std::int32_t>(problems.size() % 2),
                            .method = PartPoissonMethod::jacobi,
                            .iterations = 5,
                            .omega = 0.9f}));
        }
        const std::vector<KindsSolution> alone = solve(problems, Ranks{});
        const std::vector<KindsSolution> several = solve(problems, ranks);
        for (std::size_t i = 0; i < problems.size(); ++i) {
            SCOPED_TRACE(name_of(problems[i], ranks));
            EXPECT_EQ(several[i].residual, alone[i].residual); // on every rank
            if (ranks.rank == 0) {
                EXPECT_EQ(several[i].u, alone[i].u);
            }
        }
    }
}

TEST_F(SolidCellsOfRanks, AreRelaxedTowardsTheSolution) {
    for (const Ranks& ranks : a_grid()) {
        std::vector<KindsProblem> problems;
        for (PoissonBox box : boxes(ranks)) {
            box.spacing = glm::dvec3(1.0);
            problems.push_back(problem_of(
                box, 160 + static_cast<std::uint32_t>(problems.size()),
                {.method = PartPoissonMethod::jacobi, .iterations = job_size() > 1 ? 10u : 60u}));
        }
        const std::vector<KindsSolution> solutions = solve(problems, ranks);
        for (std::size_t i = 0; i < problems.size() && ranks.rank == 0; ++i) {
            const KindsProblem& p = problems[i];
            SCOPED_TRACE(name_of(p, ranks));
            // The same iterations in double precision: less residual times omega over the diagonal
            // of a cell in the open.
            Field u = finite(p.guess);
            const double diagonal = p.box.size.z > 1 ? 6.0 : 4.0;
            for (std::uint32_t k = 0; k < p.pass.iterations; ++k) {
                const Field residual = residual_of(p, u);
                for (std::size_t c = 0; c < u.size(); ++c)
                    u[c] += static_cast<double>(p.pass.omega) * residual[c] / diagonal;
            }
            const Field found = widened(solutions[i].u);
            ASSERT_EQ(found.size(), u.size());
            // Sixty iterations round numbers of about 2 a few times.
            EXPECT_LE(testing_gpu::greatest(difference(found, u)), 60 * 3 * 2.0 * 0x1p-24);
            EXPECT_NEAR(static_cast<double>(solutions[i].residual),
                        testing_gpu::greatest(residual_of(p, found)), 2e-5);
        }
    }
}

TEST_F(SolidCellsOfRanks, LeaveNothingToSolve) {
    for (const Ranks& ranks : a_grid()) {
        PoissonBox box{
            .size = {21, 18, 1}, .spacing = glm::dvec3(1.0), .boundary = {}, .cells = {}};
        box.cells.assign(box.count(), kSolid);
        const PoissonOfParts pass{.method = PartPoissonMethod::mgpcg, .gather_cells = 1};
        KindsProblem full{box, Field(box.count(), 3.0), Field(box.count(), 4.0), pass};
        KindsProblem one = full; // nothing is coupled to the last cell, and its mean is to be 0
        one.box.cells.back() = 0;
        one.rhs.back() = 0.0;
        const std::vector<KindsSolution> solutions = solve({full, one}, ranks);
        for (std::uint32_t i = 0; i < 2; ++i) {
            EXPECT_EQ(solutions[i].report.status, PoissonStatus::converged);
            EXPECT_EQ(solutions[i].report.unknown_cells, i);
            if (ranks.rank == 0) {
                EXPECT_EQ(solutions[i].u, std::vector<float>(box.count(), 0.0f));
            }
        }
    }
}

TEST_F(SolidCellsOfRanks, AreRefusedWithOneDiagnostic) {
    const PoissonBox box = with_ball(
        {.size = {9, 8, 1}, .spacing = glm::dvec3(1.0), .boundary = {}, .cells = {}}, false);
    const auto code_of = [&](PartPoissonMethod method, Cells halo, bool of_floats) {
        Graph g = graph();
        const Cells image_halo = halo_of(box, 1);
        PoissonOfParts pass{.cells = glm::ivec3(box.size), .method = method};
        pass.source = part_of(g, "source", box, Field(box.count()), 1.0, image_halo);
        pass.kinds = of_floats ? pass.source : kinds_of(g, "kinds", box, halo);
        g.output("u", g.add(pass).result);
        const auto plan = compile(std::move(g).finish(), device().caps());
        EXPECT_FALSE(plan);
        if (plan) return std::string();
        EXPECT_EQ(plan.error().size(), 1u);
        return plan.error().front().code;
    };
    using enum PartPoissonMethod;
    EXPECT_EQ(code_of(v_cycle, {1, 1, 0}, false), "solver/cells-method");
    EXPECT_EQ(code_of(mgpcg, {2, 1, 0}, false), "mpi/part-size");
    EXPECT_EQ(code_of(jacobi, {1, 1, 0}, true), "image/unsupported-format");
}

} // namespace
} // namespace tuff
