#include "passes/fluid/sparse_step.hpp"
#include "passes/sparse/bricks.hpp"
#include "passes/sparse/field.hpp"
#include "tests/gpu/fluid/fluid_test.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <string>
#include <vector>

/// The pressure of smoke in bricks, by sweeps and by multigrid.
namespace tuff {
namespace {

using passes::FluidBoundary;
using passes::FluidFace;
using passes::SmokePressure;
using passes::SmokeSweeps;
using passes::SparseBricks;
using passes::SparseBricksPass;
using passes::SparseFluid;
using testing_gpu::bytes_of;
using testing_gpu::Noise;
using testing_gpu::Running;

/// A domain of which some bricks are active, in double precision.
struct PressureReference {
    glm::ivec3 dims;
    std::uint32_t walls = 0;
    std::vector<bool> active; ///< cells
    std::vector<double> divergence;

    std::size_t index(glm::ivec3 p) const {
        return static_cast<std::size_t>((p.z * dims.y + p.y) * dims.x + p.x);
    }
    glm::ivec3 cell(std::size_t i) const {
        const auto n = static_cast<int>(i);
        return {n % dims.x, n / dims.x % dims.y, n / dims.x / dims.y};
    }
    double at(const std::vector<double>& p, glm::ivec3 q) const {
        for (int a = 0; a < 3; ++a) {
            const bool high = q[a] >= dims[a];
            if (!high && q[a] >= 0) continue;
            if ((walls >> (2 * a + (high ? 1 : 0)) & 1u) == 0) return 0.0;
            q[a] = high ? dims[a] - 1 : 0;
        }
        return active[index(q)] ? p[index(q)] : 0.0;
    }
    double sum(const std::vector<double>& p, std::size_t i) const {
        double all = 0.0;
        for (int a = 0; a < 3; ++a)
            for (const int s : {-1, 1}) {
                glm::ivec3 q = cell(i);
                q[a] += s;
                all += at(p, q);
            }
        return all;
    }
    std::vector<double> swept(const std::vector<double>& p) const {
        std::vector<double> next(p.size(), 0.0);
        for (std::size_t i = 0; i < p.size(); ++i)
            if (active[i]) next[i] = (sum(p, i) - divergence[i]) / 6.0;
        return next;
    }
    /// The same in the order of the kernels, to the bit.
    std::vector<float> swept_as_kernels(const std::vector<float>& p) const {
        const auto value = [&](glm::ivec3 q, int axis, int step) {
            q[axis] += step;
            for (int a = 0; a < 3; ++a) {
                const bool high = q[a] >= dims[a];
                if (!high && q[a] >= 0) continue;
                if ((walls >> (2 * a + (high ? 1 : 0)) & 1u) == 0) return 0.0f;
                q[a] = high ? dims[a] - 1 : 0;
            }
            return active[index(q)] ? p[index(q)] : 0.0f;
        };
        std::vector<float> next(p.size(), 0.0f);
        for (std::size_t i = 0; i < p.size(); ++i) {
            if (!active[i]) continue;
            const glm::ivec3 q = cell(i);
            float sum = value(q, 0, 1) + value(q, 0, -1);
            sum += value(q, 1, 1) + value(q, 1, -1);
            sum += value(q, 2, 1) + value(q, 2, -1);
            next[i] = (sum - static_cast<float>(divergence[i])) * (1.0f / 6.0f);
        }
        return next;
    }
    /// The norm of what is left of the divergence.
    double left(const std::vector<double>& p) const {
        double squares = 0.0;
        for (std::size_t i = 0; i < p.size(); ++i)
            if (active[i]) squares += std::pow(divergence[i] - (sum(p, i) - 6.0 * p[i]), 2.0);
        return std::sqrt(squares);
    }
};

class SparsePressures : public testing_gpu::FluidTest {
  protected:
    struct Solve {
        SmokePressure method;
        std::uint32_t iterations;
        std::uint32_t levels = 7;
        SmokeSweeps sweeps = SmokeSweeps::apart;
    };
    struct Solved {
        PressureReference reference;
        std::vector<std::vector<double>> pressures; ///< by solve
    };
    /// `points`: in bricks that are active; none: all are.
    Solved solved(glm::uvec3 dims, glm::uvec3 brick, const std::vector<glm::vec4>& points,
                  const FluidBoundary& boundary, const std::vector<Solve>& solves) {
        Solved result;
        result.reference = {.dims = glm::ivec3(dims), .walls = passes::wall_bits(boundary)};
        Noise noise(5);
        std::vector<float> values(std::size_t{dims.x} * dims.y * dims.z);
        for (float& value : values)
            value = noise();
        result.reference.divergence.assign(values.begin(), values.end());
        result.reference.active.assign(values.size(), points.empty());
        std::set<std::uint32_t> numbers;
        const auto number = [&](glm::uvec3 p) {
            const glm::uvec3 grid = (dims + brick - 1u) / brick;
            const glm::uvec3 b = p / brick;
            return (b.z * grid.y + b.y) * grid.x + b.x;
        };
        for (const glm::vec4& point : points)
            numbers.insert(number(glm::uvec3(point)));
        for (std::size_t i = 0; i < values.size(); ++i)
            if (numbers.contains(number(glm::uvec3(result.reference.cell(i)))))
                result.reference.active[i] = true;

        Graph g = graph();
        SparseBricksPass store{.dims = dims,
                               .bricks_parameters = {.brick = brick},
                               .box_high = points.empty() ? glm::ivec3(dims) : glm::ivec3(0)};
        if (!points.empty())
            store.points = g.constant_buffer("points", {.size = 16 * points.size(), .stride = 16},
                                             bytes_of(points));
        const SparseBricks bricks = g.add(store).bricks;
        const Buffer source = g.constant_buffer(
            "divergence", {.size = 4 * values.size(), .stride = 4}, bytes_of(values));
        const Buffer divergence =
            g.add(passes::SparseScatter{.bricks = bricks, .source = source}).field;
        for (std::size_t i = 0; i < solves.size(); ++i) {
            SparseFluid pass{.boundary = boundary,
                             .method = solves[i].method,
                             .sweeps = solves[i].sweeps,
                             .iterations = solves[i].iterations,
                             .levels = solves[i].levels};
            const std::string name = "p" + std::to_string(i);
            g.push_scope(name);
            const passes::SmokeCopies copies(g, *passes::halo_border(g, bricks.shape, 1));
            const passes::SmokeField whole{divergence, copies.layers(bricks.shape)};
            Buffer memory = passes::sweeps_memory(g, pass, copies, bricks.shape);
            // Layers of these bricks are 128 quads of cells.
            const bool fits = bricks.shape.brick.x * bricks.shape.brick.y == 512;
            EXPECT_EQ(bool(memory), fits && solves[i].sweeps == SmokeSweeps::together &&
                                        g.target().unbounded_loops);
            if (memory) memory = g.fill(memory, 0);
            const Buffer pressure =
                passes::sparse_pressure(g, pass, copies, bricks, whole, {}, {}, memory);
            g.pop_scope();
            g.output(name, g.add(passes::SparseGather{.bricks = bricks, .field = pressure}).result);
        }
        Running running = run(std::move(g));
        for (std::size_t i = 0; running && i < solves.size(); ++i) {
            const auto got = running.buffer<float>("p" + std::to_string(i));
            result.pressures.emplace_back(got.begin(), got.end());
        }
        return result;
    }
    static std::vector<glm::vec4> some_points(glm::uvec3 dims) {
        std::mt19937 random(3);
        std::vector<glm::vec4> points(25);
        for (glm::vec4& point : points)
            for (int a = 0; a < 3; ++a)
                point[a] = static_cast<float>(random() % dims[a]) + 0.5f;
        return points;
    }
};

TEST_F(SparsePressures, SweepsAreThoseOfTheReference) {
    const FluidBoundary walls{}; // all of them
    FluidBoundary open{.left = FluidFace::open, .top = FluidFace::open};
    for (const bool all : {true, false}) {
        SCOPED_TRACE(all);
        const glm::uvec3 dims = all ? glm::uvec3(16) : glm::uvec3(37, 22, 30);
        const Solved got =
            solved(dims, glm::uvec3(8), all ? std::vector<glm::vec4>{} : some_points(dims),
                   all ? walls : open, {{SmokePressure::jacobi, 50}});
        ASSERT_EQ(got.pressures.size(), 1u);
        std::vector<double> expected(got.reference.active.size(), 0.0);
        for (int i = 0; i < 50; ++i)
            expected = got.reference.swept(expected);
        for (std::size_t i = 0; i < expected.size(); ++i)
            ASSERT_NEAR(got.pressures[0][i], expected[i], 1e-5) << i;
    }
}

TEST_F(SparsePressures, SweepsHaveTheBitsOfTheirOrder) {
    constexpr FluidBoundary kMixed{.left = FluidFace::open,
                                   .right = FluidFace::wall,
                                   .bottom = FluidFace::wall,
                                   .top = FluidFace::open,
                                   .back = FluidFace::open,
                                   .front = FluidFace::wall};
    constexpr FluidBoundary kOthers{.left = FluidFace::wall,
                                    .right = FluidFace::open,
                                    .bottom = FluidFace::open,
                                    .top = FluidFace::wall,
                                    .back = FluidFace::wall,
                                    .front = FluidFace::open};
    struct Case {
        glm::uvec3 dims, brick;
        bool all;
        FluidBoundary boundary;
    };
    for (const Case& c : {Case{{96, 48, 24}, {32, 16, 8}, false, kMixed}, // rows of four
                          Case{{64, 16, 8}, {32, 16, 8}, true, kOthers},
                          Case{{32, 64, 8}, {16, 32, 4}, true, kMixed},
                          Case{{33, 18, 9}, {8, 8, 8}, false, kOthers}}) {
        SCOPED_TRACE(c.dims.x);
        std::vector<Solve> solves;
        for (const std::uint32_t count : {1u, 2u, 3u})
            solves.push_back({.method = SmokePressure::jacobi, .iterations = count});
        // All in one dispatch, where the device and the bricks allow it.
        for (const std::uint32_t count : {2u, 3u})
            solves.push_back({.method = SmokePressure::jacobi,
                              .iterations = count,
                              .sweeps = SmokeSweeps::together});
        const Solved got =
            solved(c.dims, c.brick, c.all ? std::vector<glm::vec4>{} : some_points(c.dims),
                   c.boundary, solves);
        ASSERT_EQ(got.pressures.size(), solves.size());
        EXPECT_EQ(std::ranges::count(got.reference.active, false) > 0, !c.all);
        std::vector<std::vector<float>> expected{
            std::vector<float>(got.reference.active.size(), 0.0f)};
        for (int i = 0; i < 3; ++i)
            expected.push_back(got.reference.swept_as_kernels(expected.back()));
        for (std::size_t n = 0; n < solves.size(); ++n) {
            const std::vector<float>& right = expected[solves[n].iterations];
            for (std::size_t i = 0; i < right.size(); ++i)
                ASSERT_EQ(got.pressures[n][i], right[i]) << n << ' ' << i;
        }
    }
}

TEST_F(SparsePressures, EachCycleOfMultigridTakesMostOfTheDivergenceAway) {
    TUFF_ONLY_ON(lavapipe);
    struct Case {
        glm::uvec3 dims, brick;
        bool all;
        FluidBoundary boundary;
    };
    constexpr FluidBoundary kOpen{.left = FluidFace::open,
                                  .right = FluidFace::open,
                                  .bottom = FluidFace::open,
                                  .top = FluidFace::open,
                                  .back = FluidFace::open,
                                  .front = FluidFace::open};
    for (const Case& c : {Case{glm::uvec3(32), glm::uvec3(8), true, kOpen},
                          Case{{40, 33, 37}, glm::uvec3(8), false, kOpen},
                          Case{{64, 32, 32}, {32, 16, 16}, true, {.top = FluidFace::open}}}) {
        SCOPED_TRACE(c.dims.x);
        const Solved got = solved(
            c.dims, c.brick, c.all ? std::vector<glm::vec4>{} : some_points(c.dims), c.boundary,
            {{SmokePressure::multigrid, 1},
             {SmokePressure::multigrid, 4},
             {SmokePressure::jacobi, 32}});
        ASSERT_EQ(got.pressures.size(), 3u);
        const double whole =
            got.reference.left(std::vector<double>(got.reference.active.size(), 0.0));
        const double once = got.reference.left(got.pressures[0]);
        const double often = got.reference.left(got.pressures[1]);
        const double swept = got.reference.left(got.pressures[2]);
        RecordProperty("factor", std::to_string(std::cbrt(often / once)));
        EXPECT_LT(once, 0.3 * whole);
        EXPECT_LT(often, 0.12 * once); // below a half a cycle
        // As many sweeps of the finest level leave more.
        EXPECT_LT(often, 0.5 * swept);
    }
}

} // namespace
} // namespace tuff
