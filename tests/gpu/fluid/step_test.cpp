#include "tests/gpu/fluid/fluid_test.hpp"

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

/// One step of the density-invariant solver, and many.
namespace tuff {
namespace {

using passes::EmitterShape;
using passes::FluidBoundary;
using passes::FluidFace;
using passes::FluidField;
using passes::FluidMethod;
using passes::FluidSolverParameters;
using passes::FluidStatus;
using passes::FluidStep;
using passes::SolidMotion;
using testing_gpu::all_faces;
using testing_gpu::Cells;
using testing_gpu::FluidReference;
using testing_gpu::Noise;
using testing_gpu::Running;
using testing_gpu::SolidAt;

constexpr FluidSolverParameters kPrinted{.method = FluidMethod::printed, .viscosity = 0.55f};
constexpr FluidSolverParameters kTwoStage{.method = FluidMethod::two_stage, .viscosity = 0.05f};

class FluidSteps : public testing_gpu::FluidTest {
  protected:
    struct Setup {
        glm::uvec3 dims;
        FluidSolverParameters solver;
        FluidBoundary boundary;
        SolidAt solid;
        std::vector<EmitterShape> emitters;
        Cells forces;
        SolidMotion motion = {};
    };
    /// The field after `steps`, and the status as the output of that name.
    FluidField stepped(Graph& g, const Setup& s, const Cells& initial, std::uint32_t steps) {
        const Buffer forces = s.forces.empty() ? Buffer{} : buffer_of(g, "forces", s.forces);
        FluidField first = field_of(g, s.dims, initial, s.solid, s.boundary);
        first.solid.motion = s.motion;
        const FluidField after =
            g.repeat("step", steps, first, [&](const FluidField& before, std::uint32_t) {
                return g
                    .add(FluidStep{.before = before,
                                   .emitters = s.emitters,
                                   .forces = forces,
                                   .solver = s.solver,
                                   .boundary = s.boundary})
                    .after;
            });
        output(g, "cells", after.cells);
        g.output("status", after.status);
        return after;
    }
    Cells cells_after(const Setup& s, const Cells& initial, std::uint32_t steps,
                      FluidStatus* found = nullptr) {
        Graph g = graph();
        (void)stepped(g, s, initial, steps);
        Running running = run(std::move(g));
        if (!running) return {};
        if (found) *found = status(running);
        return running.buffer<glm::vec4>("cells");
    }
    static FluidReference reference(const Setup& s, const Cells& initial) {
        FluidReference result{.dims = glm::ivec3(s.dims),
                              .cells = {},
                              .solid = s.solid,
                              .motion = s.motion,
                              .solver = s.solver,
                              .boundary = s.boundary,
                              .emitters = s.emitters,
                              .forces = s.forces};
        result.start(initial);
        return result;
    }
    static double greatest_difference(const Cells& got, const FluidReference& expected) {
        double most = got.size() == expected.cells.size() ? 0.0 : 1e9;
        for (std::size_t i = 0; i < std::min(got.size(), expected.cells.size()); ++i)
            for (int c = 0; c < 4; ++c) {
                const double apart = std::abs(double{got[i][c]} - expected.cells[i][c]);
                most = std::max(most, std::isnan(apart) ? 1e9 : apart);
            }
        return most;
    }
};

SolidAt ball(glm::vec3 center, float radius) {
    return [=](glm::ivec3 p) { return glm::distance(glm::vec3(p) + 0.5f, center) < radius; };
}

/// Faces of every kind, opposite ones alike only where they have to be.
FluidBoundary mixed(bool periodic_y) {
    const FluidFace y = periodic_y ? FluidFace::periodic : FluidFace::open;
    return {.left = FluidFace::inflow,
            .right = FluidFace::open,
            .bottom = periodic_y ? y : FluidFace::wall,
            .top = y,
            .back = FluidFace::wall,
            .front = FluidFace::inflow,
            .inflow = {0.3f, 0.05f, -0.1f}};
}

TEST_F(FluidSteps, AreThoseOfTheReferenceInDoublePrecision) {
    struct Sized {
        glm::uvec3 dims;
        FluidBoundary boundary;
    };
    const Sized sizes[] = {{{97, 61, 1}, mixed(false)},
                           {{33, 64, 1}, mixed(true)},
                           {{5, 3, 1}, all_faces(FluidFace::periodic)},
                           {{1, 1, 1}, all_faces(FluidFace::periodic)},
                           {{1, 7, 1}, all_faces(FluidFace::wall)},
                           {{21, 17, 9}, mixed(false)},
                           {{16, 5, 11}, mixed(true)},
                           {{2, 2, 3}, all_faces(FluidFace::periodic)}};
    std::uint32_t seed = 0;
    for (const FluidSolverParameters& solver : {kPrinted, kTwoStage})
        for (const Sized& sized : sizes) {
            Noise noise(++seed);
            Setup setup{.dims = sized.dims, .solver = solver, .boundary = sized.boundary};
            setup.solver.force = {0.01f, -0.02f, 0.03f};
            const glm::vec3 middle = 0.4f * glm::vec3(sized.dims);
            if (sized.dims.x > 10) {
                setup.solid =
                    ball(glm::vec3(middle.x, middle.y, sized.dims.z > 1 ? middle.z : 0.5f), 4.3f);
                if (sized.dims.x % 2 == 1) // of the others the solid stands
                    setup.motion = {.velocity = {0.2f, -0.1f, 0.15f},
                                    .spin = {0.01f, 0.02f, -0.03f},
                                    .pivot = middle};
                setup.emitters = {{.position = 1.6f * middle,
                                   .radius = 3.2f,
                                   .velocity = {0.4f, -0.3f, 0.2f},
                                   .rate = 3.0f}};
            }
            const auto random = [&](glm::ivec3) {
                const float z = sized.dims.z > 1 ? 0.4f * noise() : 0.0f;
                return glm::vec4(0.4f * noise(), 0.4f * noise(), z, 0.1f * noise());
            };
            const Cells initial = cells_of(sized.dims, random);
            setup.forces = cells_of(sized.dims, [&](glm::ivec3 p) { return 0.1f * random(p); });
            constexpr std::uint32_t kSteps = 3;
            FluidStatus found;
            const Cells got = cells_after(setup, initial, kSteps, &found);
            FluidReference expected = reference(setup, initial);
            for (std::uint32_t step = 0; step < kSteps; ++step)
                expected.step();
            EXPECT_LT(greatest_difference(got, expected), 2e-6)
                << sized.dims.x << " x " << sized.dims.y << " x " << sized.dims.z << ", method "
                << static_cast<int>(solver.method);
            EXPECT_TRUE(found.warnings().empty());
        }
}

TEST_F(FluidSteps, StayWithTheReferenceForAHundred) {
    for (const FluidSolverParameters& solver : {kPrinted, kTwoStage}) {
        const Setup setup{.dims = {37, 26, 1},
                          .solver = solver,
                          .boundary = mixed(false),
                          .solid = ball({17, 12, 0.5f}, 4.6f)};
        const Cells initial = cells_of(setup.dims, [](glm::ivec3 p) {
            const glm::vec2 at = glm::vec2(p) * 0.3f;
            return glm::vec4(0.3f * std::sin(at.y), 0.2f * std::cos(at.x), 0.0f,
                             0.02f * std::sin(at.x + at.y));
        });
        const Cells got = cells_after(setup, initial, 100);
        FluidReference expected = reference(setup, initial);
        for (int step = 0; step < 100; ++step)
            expected.step();
        double most = 0.0;
        for (const glm::dvec4& cell : expected.cells)
            most = std::max(most, glm::length(glm::dvec3(cell)));
        EXPECT_GT(most, 0.2);
        EXPECT_LT(greatest_difference(got, expected), 1e-3 * most);
    }
}

TEST_F(FluidSteps, RestStaysAtRestToTheBit) {
    for (const FluidSolverParameters& solver : {kPrinted, kTwoStage}) {
        const Setup setup{.dims = {40, 35, 1},
                          .solver = solver,
                          .boundary = mixed(false),
                          .solid = ball({20, 17, 0.5f}, 6.0f)};
        Setup at_rest = setup;
        at_rest.boundary.inflow = {};
        const Cells got = cells_after(at_rest, Cells(40 * 35, glm::vec4(0.0f)), 60);
        EXPECT_EQ(std::ranges::count(got, glm::vec4(0.0f)), 40 * 35);
    }
}

TEST_F(FluidSteps, KeepMassBetweenWallsAndAroundObstacles) {
    for (const FluidSolverParameters& solver : {kPrinted, kTwoStage}) {
        const Setup setup{.dims = {48, 40, 1},
                          .solver = solver,
                          .boundary = {.left = FluidFace::periodic, .right = FluidFace::periodic},
                          .solid = ball({20.3f, 17, 0.5f}, 6.0f)};
        Noise noise(7);
        // At rest beside the obstacle, as every step leaves it.
        const SolidAt near_by = ball({20.3f, 17, 0.5f}, 8.5f);
        const Cells initial = cells_of(setup.dims, [&](glm::ivec3 p) {
            const float density = setup.solid(p) ? 0.0f : 0.1f * noise();
            return glm::vec4(near_by(p) ? 0.0f : 0.3f * noise(), 0.0f, 0.0f, density);
        });
        FluidStatus found;
        const Cells got = cells_after(setup, initial, 200, &found);
        EXPECT_EQ(found.clamped_densities, 0u); // or mass would not be kept
        double before = 0.0;
        double after = 0.0;
        for (std::size_t i = 0; i < got.size(); ++i) {
            before += double{initial[i].w};
            after += double{got[i].w};
        }
        EXPECT_NEAR(after, before, 1e-6 * static_cast<double>(got.size()));
        EXPECT_GT(std::abs(before), 1e-3);
    }
}

TEST_F(FluidSteps, AreDraggedAlongByAMovingWallAsCouetteSays) {
    // A solid floor that moves, and the wall above: the velocity falls evenly between the two.
    const float speed = 0.3f;
    Setup setup{.dims = {5, 10, 1},
                .solver = {.method = FluidMethod::two_stage, .viscosity = 1.5f},
                .boundary = {.left = FluidFace::periodic, .right = FluidFace::periodic},
                .solid = [](glm::ivec3 p) { return p.y < 2; }};
    setup.motion.velocity.x = speed;
    const Cells got = cells_after(setup, Cells(50, glm::vec4(0.0f)), 400);
    ASSERT_EQ(got.size(), 50u);
    for (std::size_t i = 0; i < got.size(); ++i) {
        const int y = place_of(i, setup.dims).y;
        const float wanted = y < 2 ? speed : speed * static_cast<float>(10 - y) / 9.0f;
        EXPECT_NEAR(got[i].x, wanted, 1e-4f) << y;
        EXPECT_NEAR(got[i].y, 0.0f, 1e-6f);
        EXPECT_NEAR(got[i].w, 0.0f, 1e-5f);
    }
}

TEST_F(FluidSteps, FlowAsAPlugThroughAChannelAndKeepItsMass) {
    for (const FluidSolverParameters& solver : {kPrinted, kTwoStage})
        for (const glm::uvec3 dims : {glm::uvec3(70, 9, 1), glm::uvec3(11, 9, 40)}) {
            const bool flat = dims.z == 1;
            const glm::vec3 wind = flat ? glm::vec3(0.4f, 0, 0) : glm::vec3(0, 0, -0.4f);
            FluidBoundary channel = all_faces(FluidFace::periodic);
            (flat ? channel.left : channel.front) = FluidFace::inflow;
            (flat ? channel.right : channel.back) = FluidFace::open;
            channel.inflow = wind;
            const Setup setup{.dims = dims, .solver = solver, .boundary = channel};
            const Cells plug(std::size_t{dims.x} * dims.y * dims.z, glm::vec4(wind, 0.0f));
            for (const glm::vec4& cell : cells_after(setup, plug, 40))
                ASSERT_LT(glm::distance(cell, plug[0]), 1e-6f);
        }
}

TEST_F(FluidSteps, LoseTheEnergyOfATaylorGreenVortexAsTheViscositySays) {
    TUFF_ONLY_ON(swiftshader);
    constexpr int kSide = 64;
    const double k = 2.0 * std::numbers::pi / kSide;
    const auto vortex = [&](glm::ivec3 p) {
        const double x = k * (p.x + 0.5);
        const double y = k * (p.y + 0.5);
        return glm::vec4(0.5 * std::sin(x) * std::cos(y), -0.5 * std::cos(x) * std::sin(y), 0, 0);
    };
    const Cells initial = cells_of({kSide, kSide, 1}, vortex);
    const auto energy = [](const auto& cells) {
        double sum = 0.0;
        for (const auto& cell : cells)
            sum += double{cell.x} * double{cell.x} + double{cell.y} * double{cell.y};
        return sum;
    };
    // Energy ratios after 400 steps, measured in single precision apart from this project.
    const struct {
        float viscosity;
        double ratio, analytic;
    } known[] = {{0.25f, 0.458, 0.561}, {0.55f, 0.237, 0.280}};
    for (const auto& [viscosity, ratio, analytic] : known) {
        Setup setup{.dims = {kSide, kSide, 1},
                    .solver = kPrinted,
                    .boundary = all_faces(FluidFace::periodic)};
        setup.solver.viscosity = viscosity;
        const Cells got = cells_after(setup, initial, 400);
        const double left = energy(got) / energy(initial);
        EXPECT_NEAR(left, ratio, 0.01 * ratio);
        EXPECT_NEAR(std::exp(-4.0 * double{viscosity} * k * k * 60.0), analytic, 2e-3);
        EXPECT_LT(left, analytic); // the look-ups back blur

        double divergence = 0.0;
        double curl = 0.0;
        const auto cell = [&](int x, int y) {
            return glm::dvec4(got[static_cast<std::size_t>((y & 63) * kSide + (x & 63))]);
        };
        for (int y = 0; y < kSide; ++y)
            for (int x = 0; x < kSide; ++x) {
                const glm::dvec4 dx = cell(x + 1, y) - cell(x - 1, y);
                const glm::dvec4 dy = cell(x, y + 1) - cell(x, y - 1);
                divergence += (dx.x + dy.y) * (dx.x + dy.y);
                curl += (dx.y - dy.x) * (dx.y - dy.x);
            }
        EXPECT_LT(std::sqrt(divergence / curl), 0.3);
    }
}

TEST_F(FluidSteps, CarrySoundAtItsSpeed) {
    // A pulse in a line of cells parts into two that run apart.
    constexpr int kLength = 400;
    constexpr std::uint32_t kSteps = 300;
    const auto pulse = [](glm::ivec3 p) {
        const double x = (p.x - 0.5 * kLength) / 12.0;
        return glm::vec4(0, 0, 0, 1e-3 * std::exp(-x * x));
    };
    const Setup setup{.dims = {kLength, 1, 1},
                      .solver = {.method = FluidMethod::two_stage, .viscosity = 0.0f},
                      .boundary = all_faces(FluidFace::periodic)};
    const Cells got = cells_after(setup, cells_of(setup.dims, pulse), kSteps);
    ASSERT_EQ(got.size(), std::size_t{kLength});
    double weight = 0.0;
    double sum = 0.0;
    for (int x = kLength / 2; x < kLength; ++x) {
        const double w = std::pow(std::max(double{got[static_cast<std::size_t>(x)].w}, 0.0), 2.0);
        weight += w;
        sum += w * (x - 0.5 * kLength);
    }
    const double speed = sum / weight / (kSteps * 0.15);
    EXPECT_NEAR(speed, std::sqrt(0.2 / 0.15), 0.03 * 1.155);
}

TEST_F(FluidSteps, DampWavesOfTheDensityThatDifferencesDoNotSee) {
    // Two cells long, at rest: no velocity comes of them, so viscosity alone acts on them.
    Setup setup{.dims = {16, 12, 1},
                .solver = {.method = FluidMethod::two_stage, .viscosity = 0.05f},
                .boundary = all_faces(FluidFace::periodic)};
    const auto stripes = [](glm::ivec3 p) {
        return glm::vec4(0, 0, 0, p.x % 2 == 0 ? 0.01f : -0.01f);
    };
    constexpr int kSteps = 100;
    const Cells got = cells_after(setup, cells_of(setup.dims, stripes), kSteps);
    ASSERT_EQ(got.size(), std::size_t{16} * 12);
    const double left = std::pow(1.0 - 4.0 * 0.05 * 0.15, kSteps); // 5 %
    for (std::size_t i = 0; i < got.size(); ++i)
        ASSERT_NEAR(got[i].w, left * double{stripes(place_of(i, setup.dims)).w}, 1e-6) << i;
}

TEST_F(FluidSteps, KeepAMirrorImageToTheBit) {
    for (const FluidSolverParameters& solver : {kPrinted, kTwoStage}) {
        const Setup setup{.dims = {90, 50, 1},
                          .solver = solver,
                          .boundary = {.left = FluidFace::inflow,
                                       .right = FluidFace::open,
                                       .inflow = {0.4f, 0.0f, 0.0f}},
                          .solid = ball({25, 25, 0.5f}, 7.0f)};
        const Cells got = cells_after(setup, Cells(90 * 50, glm::vec4(0.0f)), 150);
        ASSERT_EQ(got.size(), 4500u);
        std::size_t different = 0;
        float fastest = 0.0f;
        for (std::size_t y = 0; y < 50; ++y)
            for (std::size_t x = 0; x < 90; ++x) {
                const glm::vec4 a = got[y * 90 + x];
                const glm::vec4 b = got[(49 - y) * 90 + x];
                different += a == glm::vec4(b.x, -b.y, b.z, b.w) ? 0u : 1u;
                fastest = std::max(fastest, std::abs(a.y));
            }
        EXPECT_EQ(different, 0u);
        EXPECT_GT(fastest, 0.05f); // it does flow around
    }
}

TEST_F(FluidSteps, OfAFieldThatIsTheSameAtEveryDepthAreThoseOfAFlatOne) {
    for (const FluidSolverParameters& solver : {kPrinted, kTwoStage}) {
        FluidBoundary boundary = mixed(false);
        boundary.back = boundary.front = FluidFace::periodic;
        boundary.inflow.z = 0.0f;
        Noise noise(11);
        const Cells flat = cells_of({20, 18, 1}, [&](glm::ivec3) {
            return glm::vec4(0.3f * noise(), 0.3f * noise(), 0.0f, 0.05f * noise());
        });
        const Cells deep = cells_of({20, 18, 5}, [&](glm::ivec3 p) {
            return flat[static_cast<std::size_t>(p.y * 20 + p.x)];
        });
        const SolidAt solid = [](glm::ivec3 p) { return p.x == 9 && p.y > 4 && p.y < 9; };
        const Cells a = cells_after({{20, 18, 1}, solver, boundary, solid, {}, {}}, flat, 15);
        const Cells b = cells_after({{20, 18, 5}, solver, boundary, solid, {}, {}}, deep, 15);
        ASSERT_EQ(b.size(), 5 * a.size());
        float apart = 0.0f;
        for (std::size_t i = 0; i < b.size(); ++i)
            for (int c = 0; c < 4; ++c)
                apart = std::max(apart, std::abs(b[i][c] - a[i % a.size()][c]));
        EXPECT_LE(apart, 1e-6f);
    }
}

TEST_F(FluidSteps, TakeNoStateForASolid) {
    // Whatever density a state has: it is held in the range of densities, which solids are not in.
    for (const FluidSolverParameters& solver : {kPrinted, kTwoStage})
        for (const glm::uvec3 dims : {glm::uvec3(20, 12, 1), glm::uvec3(9, 8, 7)})
            for (const float density : {-1.0f, -2.0f, -1e30f, -2e30f}) {
                SCOPED_TRACE(density);
                const Setup setup{.dims = dims, .solver = solver};
                Cells initial(std::size_t{dims.x} * dims.y * dims.z, glm::vec4(0.0f));
                const std::size_t odd = initial.size() / 2 + 3;
                initial[odd].w = density;
                FluidStatus found;
                const Cells got = cells_after(setup, initial, 1, &found);
                ASSERT_EQ(got.size(), initial.size());
                EXPECT_EQ(got[odd].w, -0.5f);
                if (density >= -2.0f) {
                    EXPECT_EQ(found.clamped_densities, 1u);
                } else { // a deeper hole spreads
                    EXPECT_GE(found.clamped_densities, 1u);
                }
                EXPECT_GT(std::abs(got[odd + 1].x), 0.01f); // it draws its neighbours in
                if (density < -2.0f) continue;
                FluidReference expected = reference(setup, initial);
                expected.step();
                EXPECT_LT(greatest_difference(got, expected), 2e-6);
            }
}

TEST_F(FluidSteps, StayFiniteAndSayWhatTheyWereGiven) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float infinity = std::numeric_limits<float>::infinity();
    for (const FluidSolverParameters& solver : {kPrinted, kTwoStage}) {
        Cells initial(40 * 40, glm::vec4(0.0f));
        initial[5].x = nan;
        initial[777].w = -infinity;
        initial[900] = glm::vec4(1e30f, 0, 0, 0); // far too fast
        initial[1100].w = 30.0f;
        Setup setup{.dims = {40, 40, 1}, .solver = solver, .boundary = mixed(false)};
        setup.forces = Cells(40 * 40, glm::vec4(0.0f));
        setup.forces[3].y = nan;
        FluidStatus found;
        const Cells got = cells_after(setup, initial, 1, &found);
        EXPECT_EQ(found.not_finite, 2u);
        EXPECT_EQ(found.forces_left_out, 1u);
        EXPECT_GT(found.clamped_densities, 0u);
        EXPECT_GT(found.clamped_speeds, 0u);
        EXPECT_EQ(found.warnings().size(), 4u);
        for (const glm::vec4& cell : got)
            for (int c = 0; c < 4; ++c)
                ASSERT_TRUE(std::isfinite(cell[c]) && std::abs(cell[c]) <= 1.0f / 0.15f + 1e-5f);
    }
}

} // namespace
} // namespace tuff
