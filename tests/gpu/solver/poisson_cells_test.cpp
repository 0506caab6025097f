#include "tests/gpu/solver/poisson_test.hpp"

#include <cmath>

/// solver/poisson with solid and fixed cells.
namespace tuff {
namespace {

using passes::Poisson;
using passes::PoissonBoundaries;
using passes::PoissonBoundary;
using passes::PoissonMethod;
using passes::PoissonStatus;
using testing_gpu::difference;
using testing_gpu::Field;
using testing_gpu::norm;
using testing_gpu::PoissonBox;
using testing_gpu::random_field;
using testing_gpu::Solved;

/// A ball of solid cells in the middle, with a hole through it; and a plate of fixed ones.
std::vector<std::uint32_t> ball(glm::uvec3 size, bool with_plate) {
    std::vector<std::uint32_t> cells;
    for (std::uint32_t z = 0; z < size.z; ++z)
        for (std::uint32_t y = 0; y < size.y; ++y)
            for (std::uint32_t x = 0; x < size.x; ++x) {
                const glm::dvec3 at = (glm::dvec3(x, y, z) + 0.5) / glm::dvec3(size) - 0.5;
                const double squared = at.x * at.x + at.y * at.y + (size.z > 1 ? at.z * at.z : 0);
                const bool hole = std::abs(at.y) < 0.06;
                std::uint32_t kind = squared < 0.09 && !hole ? 1 : 0;
                if (with_plate && x == 1 && y > 2 && y < size.y - 1) kind = 2;
                cells.push_back(kind);
            }
    return cells;
}

/// Random, of mean 0 over the unknown cells.
Field compatible(const PoissonBox& box, std::uint32_t seed) {
    Field rhs = random_field(box.count(), seed);
    double sum = 0.0;
    double count = 0.0;
    for (std::size_t i = 0; i < rhs.size(); ++i)
        if (box.cells[i] == 0) sum += rhs[i], count += 1.0;
    for (std::size_t i = 0; i < rhs.size(); ++i)
        rhs[i] = box.cells[i] == 0 ? rhs[i] - sum / count : 7.0; // no matter what
    return rhs;
}

class PoissonCells : public testing_gpu::PoissonTest {};

TEST_F(PoissonCells, SolutionsAreThoseOfConjugateGradientsOnTheCpu) {
    struct Case {
        glm::uvec3 size;
        PoissonBoundary boundary;
        bool plate;
        PoissonMethod method;
    };
    using enum PoissonBoundary;
    std::vector<Problem> problems;
    for (const Case& c : {Case{{16, 19, 14}, neumann, false, PoissonMethod::mgpcg},
                          Case{{12, 13, 9}, periodic, true, PoissonMethod::mgpcg},
                          Case{{40, 33, 1}, neumann, true, PoissonMethod::mgpcg},
                          Case{{37, 30, 1}, periodic, false, PoissonMethod::automatic},
                          Case{{9, 10, 1}, neumann, true, PoissonMethod::gauss_seidel},
                          Case{{8, 10, 7}, neumann, true, PoissonMethod::sor},
                          Case{{7, 6, 5}, dirichlet, true, PoissonMethod::jacobi}}) {
        const PoissonBox box{.size = c.size,
                             .spacing = glm::dvec3(0.5),
                             .boundary = PoissonBoundaries::all(c.boundary),
                             .cells = ball(c.size, c.plate)};
        problems.push_back(
            {box, compatible(box, 5),
             Poisson{.method = c.method, .tolerance = 1e-5f, .max_cycles = 20, .batch_sweeps = 16},
             random_field(box.count(), 6)});
    }
    const std::vector<Solved> solved = solve(problems);
    for (std::size_t i = 0; i < problems.size(); ++i) {
        SCOPED_TRACE(i);
        const PoissonBox& box = problems[i].box;
        const Field expected = solve_by_gradients(box, problems[i].rhs, problems[i].guess);
        ASSERT_EQ(solved[i].u.size(), expected.size());
        EXPECT_EQ(solved[i].report.status, PoissonStatus::converged);
        EXPECT_LE(norm(difference(solved[i].u, expected)), 2e-3 * norm(expected));
    }
}

} // namespace
} // namespace tuff
