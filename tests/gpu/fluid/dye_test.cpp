#include "passes/fluid/advect.hpp"
#include "passes/fluid/simple.hpp"
#include "tests/gpu/fluid/fluid_test.hpp"

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

/// What flows carry, and fluids that go on from execution to execution.
namespace tuff {
namespace {

using passes::AdvectionMethod;
using passes::DyeParameters;
using passes::EmitterShape;
using passes::FluidAdvect;
using passes::FluidBoundary;
using passes::FluidDye;
using passes::FluidFace;
using passes::FluidField;
using passes::SimpleFluid;
using testing_gpu::all_faces;
using testing_gpu::Cells;
using testing_gpu::Noise;
using testing_gpu::Running;

class FluidDyes : public testing_gpu::FluidTest {
  protected:
    struct Setup {
        glm::uvec3 dims;
        Cells flow;
        DyeParameters dye;
        FluidBoundary boundary;
        float dt = 1.0f;
        std::vector<EmitterShape> emitters = {};
        testing_gpu::SolidAt solid = {};
    };
    Cells moved(const Setup& s, const Cells& dye, std::uint32_t steps) {
        Graph g = graph();
        FluidField field = field_of(g, s.dims, s.flow, s.solid, s.boundary);
        field.elapsed = s.dt;
        const FluidDye before{.cells = buffer_of(g, "dye", dye),
                              .dims = passes::dye_dims(s.dims, s.dye.scale),
                              .scale = s.dye.scale};
        const FluidDye after =
            g.repeat("step", steps, before, [&](const FluidDye& now, std::uint32_t) {
                return g
                    .add(FluidAdvect{
                        .field = field, .before = now, .emitters = s.emitters, .dye = s.dye})
                    .after;
            });
        output(g, "dye", after.cells);
        Running running = run(std::move(g));
        return running ? running.buffer<glm::vec4>("dye") : Cells{};
    }
};

TEST_F(FluidDyes, GoWithAUniformFlowThroughPeriodicSides) {
    // Whole cells, so that nothing blurs: the dye comes back to the bit where it has been.
    for (const glm::uvec3 dims : {glm::uvec3(24, 17, 1), glm::uvec3(12, 9, 7)}) {
        Noise noise(5);
        const Cells dye = cells_of(dims, [&](glm::ivec3) {
            return glm::abs(glm::vec4(noise(), noise(), noise(), noise()));
        });
        const glm::vec3 way(2.0f, -1.0f, dims.z > 1 ? 3.0f : 0.0f);
        const Setup setup{.dims = dims,
                          .flow = Cells(dye.size(), glm::vec4(way, 0.0f)),
                          .dye = {},
                          .boundary = all_faces(FluidFace::periodic)};
        const Cells got = moved(setup, dye, 2);
        ASSERT_EQ(got.size(), dye.size());
        const glm::ivec3 size(dims);
        for (std::size_t i = 0; i < got.size(); ++i) {
            const glm::ivec3 from = place_of(i, dims) - 2 * glm::ivec3(way);
            const glm::ivec3 at = (from % size + size) % size;
            const auto j = static_cast<std::size_t>((at.z * size.y + at.y) * size.x + at.x);
            ASSERT_LT(glm::distance(got[i], dye[j]), 1e-5f) << i;
        }
    }
}

TEST_F(FluidDyes, MoveAsFarAsTheFlow) {
    const glm::uvec3 dims(64, 48, 1);
    const auto gauss = [](glm::ivec3 p) {
        const glm::vec2 from = glm::vec2(p) + 0.5f - glm::vec2(22.0f, 30.0f);
        return glm::vec4(std::exp(-glm::dot(from, from) / 32.0f));
    };
    const glm::dvec2 way(0.37, -0.21);
    constexpr std::uint32_t kSteps = 40;
    for (const AdvectionMethod method :
         {AdvectionMethod::semi_lagrangian, AdvectionMethod::maccormack}) {
        const Setup setup{.dims = dims,
                          .flow = Cells(64 * 48, glm::vec4(way, 0.0f, 0.0f)),
                          .dye = {.method = method},
                          .boundary = all_faces(FluidFace::periodic)};
        const Cells got = moved(setup, cells_of(dims, gauss), kSteps);
        double sum = 0.0;
        glm::dvec2 middle(0.0);
        for (std::size_t i = 0; i < got.size(); ++i) {
            const double amount = double{got[i].x};
            sum += amount;
            middle += amount * (glm::dvec2(place_of(i, dims)) + 0.5);
        }
        EXPECT_LT(glm::distance(middle / sum, glm::dvec2(22.0, 30.0) + double{kSteps} * way), 0.1);
    }
}

TEST_F(FluidDyes, CrossWavesOfTheGridWithoutSeeingOneSideOfThemAlone) {
    // Two waves of two cells in a step: as far up as down.
    for (const std::uint32_t scale : {1u, 2u}) {
        const glm::uvec3 dims(16, 24, 1);
        const Cells flow = cells_of(dims, [](glm::ivec3 p) {
            return glm::vec4(1.0f, p.x % 2 == 0 ? 0.2f : -0.2f, 0.0f, 0.0f);
        });
        const glm::uvec3 fine = passes::dye_dims(dims, scale);
        const Cells height =
            cells_of(fine, [](glm::ivec3 p) { return glm::vec4(static_cast<float>(p.y)); });
        const Setup setup{.dims = dims,
                          .flow = flow,
                          .dye = {.method = AdvectionMethod::semi_lagrangian, .scale = scale},
                          .boundary = {.left = FluidFace::periodic, .right = FluidFace::periodic},
                          .dt = 4.0f};
        const Cells got = moved(setup, height, 1);
        ASSERT_EQ(got.size(), height.size());
        for (std::size_t i = 0; i < got.size(); ++i) {
            const int y = place_of(i, fine).y;
            if (y < 4 || y >= static_cast<int>(fine.y) - 4) continue;
            EXPECT_NEAR(got[i].x, height[i].x, 0.1f) << i;
        }
    }
}

TEST_F(FluidDyes, TurnWithASlottedDiscAndMaccormackBlursLess) {
    TUFF_ONLY_ON(swiftshader);
    constexpr int kSide = 128;
    // A whole turn; a quarter where that would take minutes.
    const bool quarter = device().caps().name.find("SwiftShader") != std::string::npos;
    constexpr std::uint32_t kSteps = 400; // of a turn
    const glm::vec2 middle(kSide / 2.0f);
    const auto disc = [&](glm::ivec3 p) {
        const glm::vec2 at = glm::vec2(p) + 0.5f - middle - glm::vec2(0.0f, 0.25f * kSide);
        const bool slot = std::abs(at.x) < 0.04f * kSide && at.y < 0.07f * kSide;
        return glm::vec4(glm::length(at) < 0.17f * kSide && !slot ? 1.0f : 0.0f);
    };
    const float turn = 2.0f * std::numbers::pi_v<float> / kSteps;
    Setup setup{.dims = {kSide, kSide, 1},
                .flow = cells_of({kSide, kSide, 1},
                                 [&](glm::ivec3 p) {
                                     const glm::vec2 at = glm::vec2(p) + 0.5f - middle;
                                     return glm::vec4(-turn * at.y, turn * at.x, 0.0f, 0.0f);
                                 }),
                .dye = {},
                .boundary = {}};
    const Cells start = cells_of(setup.dims, disc);
    const Cells turned = cells_of(setup.dims, [&](glm::ivec3 p) {
        return disc(quarter ? glm::ivec3(p.y, kSide - 1 - p.x, 0) : p);
    });
    const auto error = [&](AdvectionMethod method) {
        setup.dye.method = method;
        double sum = 0.0;
        const Cells got = moved(setup, start, quarter ? kSteps / 4 : kSteps);
        for (std::size_t i = 0; i < got.size(); ++i) {
            EXPECT_GE(got[i].x, -1e-6f);
            EXPECT_LE(got[i].x, 1.0f + 1e-6f);
            sum += std::abs(double{got[i].x} - double{turned[i].x});
        }
        return sum;
    };
    const double blurred = error(AdvectionMethod::semi_lagrangian);
    const double sharp = error(AdvectionMethod::maccormack);
    RecordProperty("share", std::to_string(sharp / blurred));
    EXPECT_GT(sharp, 1.0); // it is no copy
    EXPECT_LT(sharp, 0.6 * blurred);
}

TEST_F(FluidDyes, OfAnEmitterHaveNoTeethWhereTheFlowCrossesSeveralCellsAStep) {
    for (const AdvectionMethod method :
         {AdvectionMethod::semi_lagrangian, AdvectionMethod::maccormack}) {
        const glm::uvec3 dims(72, 24, 1);
        const Setup setup{.dims = dims,
                          .flow = Cells(72 * 24, glm::vec4(3.3f, 0.0f, 0.0f, 0.0f)),
                          .dye = {.method = method},
                          .boundary = {.left = FluidFace::inflow, .right = FluidFace::open},
                          .emitters = {{.position = {0.0f, 12.0f, 0.0f},
                                        .radius = 6.0f,
                                        .rate = 50.0f,
                                        .dye = glm::vec4(1.0f)}}};
        const Cells got = moved(setup, Cells(72 * 24, glm::vec4(0.0f)), 20);
        ASSERT_EQ(got.size(), std::size_t{72} * 24);
        for (std::size_t y = 0; y < 24; ++y) {
            float least = 1e9f;
            float most = 0.0f;
            for (std::size_t x = 10; x < 50; ++x) {
                least = std::min(least, got[y * 72 + x].x);
                most = std::max(most, got[y * 72 + x].x);
            }
            EXPECT_LT(most - least, 0.05f) << "row " << y;
            const bool within = y >= 6 && y < 18;
            EXPECT_NEAR(most, within ? 1.0f : 0.0f, 0.05f) << "row " << y;
        }
    }
}

TEST_F(FluidDyes, DiffuseBurnAndFadeAsTheFormulasSay) {
    TUFF_ONLY_ON(swiftshader);
    // The variance of a Gaussian grows by 2 k t; a finer dye spreads over more of its cells.
    for (const std::uint32_t scale : {1u, 2u}) {
        const glm::uvec3 dims(128, 4, 1);
        const float k = 0.05f;
        Setup setup{.dims = dims,
                    .flow = Cells(128 * 4, glm::vec4(0.0f)),
                    .dye = {.scale = scale, .diffusion = k},
                    .boundary = all_faces(FluidFace::periodic)};
        const auto gauss = [&](glm::ivec3 p) {
            const double x = (p.x + 0.5) / scale - 64.0;
            return glm::vec4(static_cast<float>(std::exp(-x * x / 50.0)));
        };
        const Cells start = cells_of(passes::dye_dims(dims, scale), gauss);
        const auto variance = [&](const Cells& cells) {
            double sum = 0.0, square = 0.0;
            for (std::size_t i = 0; i < cells.size(); ++i) {
                const double x = (place_of(i, passes::dye_dims(dims, scale)).x + 0.5) / scale - 64;
                sum += double{cells[i].x};
                square += double{cells[i].x} * x * x;
            }
            return square / sum;
        };
        constexpr std::uint32_t kSteps = 60;
        const double grown = variance(moved(setup, start, kSteps)) - variance(start);
        EXPECT_NEAR(grown, 2.0 * double{k} * kSteps, 0.02 * 2.0 * double{k} * kSteps);
    }
    const Setup fire{.dims = {8, 8, 1},
                     .flow = Cells(64, glm::vec4(0.0f)),
                     .dye = {.decay = 0.5f, .consumption = {0.0f, 0.1f, 0.0f, 0.4f}},
                     .boundary = {}};
    const Cells got = moved(fire, Cells(64, glm::vec4(1.0f)), 2);
    ASSERT_EQ(got.size(), 64u);
    const float e = std::exp(-0.5f);
    const glm::vec4 expected(e * e, (e - 0.1f) * e - 0.1f, e * e, 0.0f);
    for (const glm::vec4& cell : got)
        EXPECT_LT(glm::distance(cell, glm::max(expected, glm::vec4(0.0f))), 1e-5f);
}

TEST_F(FluidDyes, NeverComeIntoSolidsAndClearFluidComesInWithTheFlow) {
    const auto solid = [](glm::ivec3 p) { return p.x > 12 && p.x < 20 && p.y > 4; };
    Setup setup{.dims = {40, 16, 1},
                .flow = Cells(40 * 16, glm::vec4(0.7f, 0.3f, 0.0f, 0.0f)),
                .dye = {},
                .boundary = {.left = FluidFace::inflow, .right = FluidFace::open},
                .solid = solid};
    for (std::size_t i = 0; i < setup.flow.size(); ++i) // as steps leave it
        if (solid(place_of(i, setup.dims))) setup.flow[i] = glm::vec4(0.0f);
    const Cells start = cells_of(
        setup.dims, [&](glm::ivec3 p) { return solid(p) ? glm::vec4(0.0f) : glm::vec4(1.0f); });
    const Cells got = moved(setup, start, 20);
    ASSERT_EQ(got.size(), start.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
        const glm::ivec3 p = place_of(i, setup.dims);
        if (solid(p)) {
            EXPECT_EQ(got[i], glm::vec4(0.0f));
        }
        if (p.x < 10) {
            EXPECT_LT(got[i].x, 0.05f) << p.x;
        }
        EXPECT_LE(got[i].x, 1.0f + 1e-5f);
    }
}

class SimpleFluids : public testing_gpu::FluidTest {
  protected:
    static SimpleFluid jet(glm::uvec3 dims) {
        return {.emitters = {{.position = {5.0f, 0.5f * static_cast<float>(dims.y), 4.0f},
                              .radius = 3.0f,
                              .velocity = {0.5f, 0.1f, 0.0f},
                              .rate = 5.0f,
                              .dye = {1.0f, 0.5f, 0.25f, 1.0f}}},
                .dims = dims,
                .steps = 3,
                .solver = {},
                .boundary = {.right = FluidFace::open},
                .force = {.confinement = 0.2f, .buoyancy = {0.0f, 0.02f, 0.0f}}};
    }
    /// Cells and dye after some executions; in every one of them `pass`.
    std::vector<Cells> after(const SimpleFluid& pass, unsigned executions) {
        Graph g = graph();
        const SimpleFluid added = g.add(pass);
        output(g, "cells", added.field.cells);
        output(g, "dye", added.dye.cells);
        Running running = run(std::move(g), executions);
        if (!running) return {{}, {}};
        return {running.buffer<glm::vec4>("cells"), running.buffer<glm::vec4>("dye")};
    }
};

TEST_F(SimpleFluids, GoOnWhereTheExecutionBeforeEnded) {
    for (const glm::uvec3 dims : {glm::uvec3(40, 24, 1), glm::uvec3(20, 12, 8)}) {
        // Without forces of its own, which are found once an execution, the steps are all that
        // counts.
        SimpleFluid pass = jet(dims);
        pass.force = {};
        SimpleFluid longer = pass;
        longer.steps = 9;
        EXPECT_EQ(after(pass, 3)[0], after(longer, 1)[0]);
        SimpleFluid again = jet(dims);
        again.reset = true;
        EXPECT_EQ(after(again, 3), after(again, 1));
        EXPECT_NE(after(jet(dims), 3)[1], after(jet(dims), 1)[1]);
    }
}

TEST_F(SimpleFluids, KeepRestMirrorImagesAndMassForAThousandSteps) {
    TUFF_ONLY_ON(lavapipe);
    const glm::uvec3 dims(60, 34, 1);
    const auto around = [](float radius) {
        return [=](glm::ivec3 p) {
            return glm::distance(glm::vec2(p) + 0.5f, glm::vec2(18.0f, 17.0f)) < radius;
        };
    };
    Noise noise(11);
    const Cells nothing(60 * 34, glm::vec4(0.0f));
    // At rest beside the obstacle, as every step leaves it.
    const Cells rough = cells_of(dims, [&](glm::ivec3 p) {
        const float density = around(6.0f)(p) ? 0.0f : 0.1f * noise();
        return glm::vec4(around(8.5f)(p) ? 0.0f : 0.2f * noise(), 0.0f, 0.0f, density);
    });
    Graph g = graph();
    const auto add = [&](const char* name, FluidBoundary boundary, const Cells& initial) {
        SimpleFluid pass{.dims = dims, .steps = 125, .boundary = boundary};
        pass.obstacles = obstacles_of(g, dims, around(6.0f));
        pass.initial = buffer_of(g, "initial", initial);
        const SimpleFluid added = g.add(pass, name);
        output(g, name, added.field.cells);
        g.output(std::string(name) + "_status", added.field.status);
    };
    add("rest", {.right = FluidFace::open}, nothing);
    add("wind", {.left = FluidFace::inflow, .right = FluidFace::open, .inflow = {0.4f, 0.0f, 0.0f}},
        nothing);
    add("noise", {.left = FluidFace::periodic, .right = FluidFace::periodic}, rough);
    Running running = run(std::move(g), 8);
    ASSERT_TRUE(running);
    EXPECT_EQ(running.buffer<glm::vec4>("rest"), nothing);

    const Cells wind = running.buffer<glm::vec4>("wind");
    ASSERT_EQ(wind.size(), nothing.size());
    std::size_t different = 0;
    float across = 0.0f;
    for (std::size_t i = 0; i < wind.size(); ++i) {
        const glm::vec4 other = wind[(33 - i / 60) * 60 + i % 60];
        different += wind[i] == glm::vec4(other.x, -other.y, other.z, other.w) ? 0u : 1u;
        across = std::max(across, std::abs(wind[i].y));
    }
    EXPECT_EQ(different, 0u);
    EXPECT_GT(across, 0.05f);

    const Cells after = running.buffer<glm::vec4>("noise");
    ASSERT_EQ(after.size(), rough.size());
    const auto status = passes::FluidStatus::read(running.buffer<std::uint32_t>("noise_status"));
    EXPECT_EQ(status.clamped_densities, 0u); // or mass would not be kept
    double gained = 0.0;
    for (std::size_t i = 0; i < after.size(); ++i)
        gained += double{after[i].w} - double{rough[i].w};
    EXPECT_LT(std::abs(gained), 1e-6 * static_cast<double>(after.size()));
    EXPECT_NE(after, rough);
}

TEST_F(SimpleFluids, BeginWithTheInitialStateAndStayWithoutSteps) {
    Noise noise(9);
    const Cells initial = cells_of({24, 20, 1}, [&](glm::ivec3) {
        return glm::vec4(0.1f * noise(), 0.1f * noise(), 0.0f, 0.01f * noise());
    });
    for (const bool reset : {false, true}) {
        Graph g = graph();
        SimpleFluid pass = jet({24, 20, 1});
        pass.initial = buffer_of(g, "initial", initial);
        pass.steps = 0;
        pass.reset = reset;
        output(g, "cells", g.add(pass).field.cells);
        Running running = run(std::move(g), 3);
        ASSERT_TRUE(running);
        EXPECT_EQ(running.buffer<glm::vec4>("cells"), initial);
    }
}

TEST_F(SimpleFluids, RefuseWhatCannotBeAndSayWhichParameterBreaksWhichBound) {
    const auto codes = [&](const SimpleFluid& pass) {
        Graph g = graph();
        (void)g.add(pass);
        std::vector<std::string> found;
        for (const Diagnostic& d : std::move(g).finish().diagnostics)
            found.push_back(d.code);
        return found;
    };
    using testing::Contains;
    SimpleFluid pass = jet({24, 20, 1});
    EXPECT_TRUE(codes(pass).empty());
    pass.solver.method = passes::FluidMethod::printed;
    EXPECT_THAT(codes(pass), Contains("fluid/unstable-pressure"));
    pass.solver.unchecked = true;
    EXPECT_TRUE(codes(pass).empty());
    pass = jet({0, 20, 1});
    EXPECT_THAT(codes(pass), Contains("pass/out-of-range"));
    pass = jet({24, 20, 1});
    pass.boundary.right = FluidFace::periodic;
    EXPECT_THAT(codes(pass), Contains("fluid/periodic-side"));
    pass = jet({24, 20, 1});
    pass.emitters[0].velocity.x = 20.0f;
    EXPECT_THAT(codes(pass), Contains("fluid/time-step"));
    pass.emitters[0].velocity.x = 1.0f;
    EXPECT_THAT(codes(pass), Contains("fluid/mach"));
    pass.emitters.resize(9);
    EXPECT_THAT(codes(pass), Contains("fluid/too-many-emitters"));
    pass = jet({24, 20, 1});
    pass.solver.dt = -1.0f;
    EXPECT_THAT(codes(pass), Contains("pass/out-of-range"));
    pass = jet({24, 20, 1});
    pass.dye_parameters.diffusion = 1.0f;
    EXPECT_THAT(codes(pass), Contains("fluid/unstable-diffusion"));
}

} // namespace
} // namespace tuff
