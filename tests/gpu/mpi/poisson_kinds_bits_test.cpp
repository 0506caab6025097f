// Solid and fixed cells in a field that ranks have in parts: the same bits for any number of ranks.

#include "passes/mpi/poisson_cycles.hpp"
#include "passes/mpi/poisson_kinds.hpp"
#include "poisson_kinds_fixture.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace tuff {
namespace {

using passes::Cells;
using passes::PartLayout;
using passes::PartPoissonMethod;
using passes::PoissonBoundary;
using testing_gpu::index_in;
using testing_gpu::KindsProblem;
using testing_gpu::KindsSolution;
using testing_gpu::part_texels;
using testing_gpu::PoissonBox;
using testing_gpu::Running;
using testing_gpu::whole_of;

class SolidCellBitsOfRanks : public testing_gpu::PoissonKindsTest {};

/// The weights of all grids and what a V-cycle makes of a right-hand side, which is the
/// preconditioner.
TEST_F(SolidCellBitsOfRanks, HaveACycleWithTheSameBitsForAnyNumberOfThem) {
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
                solid_problem(box, seed, {.gather_cells = seed % 3 == 0 ? 60u : 1u});
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

TEST_F(SolidCellBitsOfRanks, AreRelaxedToTheSameBitsByAnyNumberOfThem) {
    for (const Ranks& ranks : grids({7, 9, 8})) {
        std::vector<KindsProblem> problems;
        for (const PoissonBox& box : boxes(ranks)) {
            if (box.size.z == 1 && ranks.grid[2] > 1) continue;
            problems.push_back(
                solid_problem(box, 120 + static_cast<std::uint32_t>(problems.size()),
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

TEST_F(SolidCellBitsOfRanks, TakeAllStepsWithoutATolerance) {
    for (const Ranks& ranks : a_grid()) {
        std::vector<KindsProblem> problems;
        for (PoissonBox box : boxes(ranks)) {
            // Nothing fixes the mean, which is taken off.
            box.boundary = passes::PoissonBoundaries::all(passes::PoissonBoundary::neumann);
            for (const float tolerance : {0.0f, 1e-30f})
                problems.push_back(solid_problem(
                    box, 200 + static_cast<std::uint32_t>(problems.size() / 2),
                    {.method = PartPoissonMethod::mgpcg, .tolerance = tolerance, .max_cycles = 3}));
        }
        const std::vector<KindsSolution> solutions = solve(problems, ranks);
        for (std::size_t i = 0; i < problems.size() && ranks.rank == 0; i += 2) {
            SCOPED_TRACE(name_of(problems[i], ranks));
            EXPECT_EQ(solutions[i].u, solutions[i + 1].u);
            EXPECT_EQ(solutions[i + 1].report.cycles, 3u);
        }
    }
}

} // namespace
} // namespace tuff
