#include "passes/fluid/advect.hpp"
#include "passes/fluid/forces.hpp"
#include "passes/fluid/particles.hpp"
#include "passes/fluid/simple.hpp"
#include "passes/fluid/stats.hpp"
#include "passes/fluid/view.hpp"
#include "tests/gpu/fluid/fluid_test.hpp"

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/packing.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>

/// The ways in which the density-invariant solver may step: two steps at once, by drawing, with
/// steps that adapt, on a state of half precision.
namespace tuff {
namespace {

using passes::FluidBackEnd;
using passes::FluidBoundary;
using passes::FluidFace;
using passes::FluidField;
using passes::FluidMethod;
using passes::FluidPrecision;
using passes::FluidSolverParameters;
using passes::FluidStatus;
using passes::SimpleFluid;
using testing_gpu::all_faces;
using testing_gpu::Cells;
using testing_gpu::FluidReference;
using testing_gpu::Noise;
using testing_gpu::Running;
using testing_gpu::SolidAt;

constexpr FluidMethod kMethods[] = {FluidMethod::printed, FluidMethod::two_stage};

FluidSolverParameters solver_of(FluidMethod method) {
    return {.method = method, .viscosity = method == FluidMethod::printed ? 0.55f : 0.05f};
}

/// What an execution left.
struct Found {
    Cells cells;
    std::vector<std::uint32_t> stored; ///< their bits, in their precision
    FluidStatus status;
    std::vector<std::uint32_t> status_words;
};

class FluidWays : public testing_gpu::FluidTest {
  protected:
    struct Setup {
        SimpleFluid pass;
        Cells initial; ///< none: from rest
        SolidAt solid = {};
        passes::SolidMotion motion = {};
    };

    FluidField added(Graph& g, const Setup& setup) {
        SimpleFluid pass = setup.pass;
        if (!setup.initial.empty()) pass.initial = buffer_of(g, "initial", setup.initial);
        if (setup.solid) {
            pass.obstacles = obstacles_of(g, pass.dims, setup.solid);
            pass.obstacles.motion = setup.motion;
        }
        return g.add(pass).field;
    }
    Running started(const Setup& setup) {
        Graph g = graph();
        const FluidField field = added(g, setup);
        output(g, "cells", field.cells);
        g.output("status", field.status);
        return start(std::move(g));
    }
    static Cells unpacked(const std::vector<std::uint32_t>& words, FluidPrecision precision) {
        const bool half = precision == FluidPrecision::half;
        Cells cells(words.size() / (half ? 2 : 4));
        if (!half) std::memcpy(cells.data(), words.data(), 4 * words.size());
        for (std::size_t i = 0; half && i < cells.size(); ++i)
            cells[i] =
                glm::vec4(glm::unpackHalf2x16(words[2 * i]), glm::unpackHalf2x16(words[2 * i + 1]));
        return cells;
    }
    static Found found(Running& running, FluidPrecision precision) {
        Found result;
        result.stored = running.buffer<std::uint32_t>("cells");
        result.cells = unpacked(result.stored, precision);
        result.status_words = running.buffer<std::uint32_t>("status");
        result.status = FluidStatus::read(result.status_words);
        return result;
    }
    Found after(const Setup& setup, unsigned executions = 1) {
        Running running = started(setup);
        if (!running) return {};
        running.execute(executions);
        return found(running, setup.pass.precision);
    }
    /// Noise between obstacles that move, with emitters and forces.
    Setup busy(glm::uvec3 dims, FluidMethod method, const FluidBoundary& boundary) {
        Setup setup;
        setup.pass.dims = dims;
        setup.pass.solver = solver_of(method);
        setup.pass.boundary = boundary;
        setup.pass.force.confinement = 0.3f;
        setup.pass.fused = 1;
        const auto size = glm::vec3(dims);
        if (dims.x > 8 && dims.y > 8) {
            setup.solid = [size](glm::ivec3 p) {
                return glm::distance(glm::vec2(p), 0.4f * glm::vec2(size)) < 3.3f || p.x == 1;
            };
            setup.motion = {.velocity = {0.1f, -0.05f, 0.0f}, .spin = {0, 0, 0.02f}};
            setup.pass.emitters = {{.position = 0.7f * size,
                                    .radius = 3.2f,
                                    .velocity = {0.4f, -0.3f, 0.0f},
                                    .rate = 3.0f}};
        }
        Noise noise(5);
        setup.initial = cells_of(dims, [&](glm::ivec3) {
            return glm::vec4(0.4f * noise(), 0.4f * noise(), dims.z > 1 ? 0.4f * noise() : 0.0f,
                             0.1f * noise());
        });
        return setup;
    }
    static float greatest_apart(const Cells& a, const Cells& b) {
        float most = a.size() == b.size() && !a.empty() ? 0.0f : 1e9f;
        for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
            for (int c = 0; c < 4; ++c) {
                const float apart = std::abs(a[i][c] - b[i][c]);
                most = std::max(most, std::isnan(apart) ? 1e9f : apart);
            }
        return most;
    }
};

FluidBoundary walls_and_wind() {
    return {.left = FluidFace::inflow, .right = FluidFace::wall, .inflow = {0.3f, 0.05f, 0.0f}};
}

float greatest_speed(const Cells& cells) {
    float most = 0.0f;
    for (const glm::vec4& cell : cells)
        most = std::max({most, std::abs(cell.x), std::abs(cell.y), std::abs(cell.z)});
    return most;
}

TEST_F(FluidWays, TwoStepsAtOnceGiveTheBitsOfOneAfterTheOther) {
    const glm::uvec3 sizes[] = {{97, 31, 1}, {300, 13, 1}, {5, 3, 1}, {1, 9, 1}};
    for (const FluidMethod method : kMethods)
        for (const FluidPrecision precision : {FluidPrecision::full, FluidPrecision::half})
            for (const FluidBoundary& boundary : {all_faces(FluidFace::periodic), walls_and_wind()})
                for (const glm::uvec3 dims : sizes) {
                    if (precision == FluidPrecision::half && dims.x != 97) continue;
                    Setup setup = busy(dims, method, boundary);
                    setup.pass.precision = precision;
                    setup.pass.steps = 5; // the last one alone
                    Cells& initial = setup.initial;
                    initial[initial.size() / 2].x = std::numeric_limits<float>::quiet_NaN();
                    initial[initial.size() / 3] = {30.0f, -30.0f, 0.0f, 1.9f};
                    const Found one = after(setup, 2);
                    setup.pass.fused = 2;
                    const Found two = after(setup, 2);
                    EXPECT_FALSE(one.stored.empty());
                    EXPECT_TRUE(one.stored == two.stored)
                        << dims.x << " x " << dims.y << ", method " << static_cast<int>(method)
                        << ", apart " << greatest_apart(one.cells, two.cells);
                    EXPECT_EQ(one.status_words, two.status_words);
                    EXPECT_GT(greatest_speed(one.cells), 0.01f);
                }
}

TEST_F(FluidWays, TwoStepsAtOnceCountWhatHappens) {
    Setup setup = busy({70, 40, 1}, FluidMethod::two_stage, all_faces(FluidFace::periodic));
    setup.pass.steps = 2;
    setup.initial[1000].y = std::numeric_limits<float>::infinity();
    for (const std::size_t i : {1500u, 1501u, 1502u}) // the second one comes from the first
        setup.initial[i] = {100.0f, 0.0f, 0.0f, 50.0f};
    const Found one = after(setup);
    setup.pass.fused = 2;
    const Found two = after(setup);
    EXPECT_GT(one.status.clamped_densities, 1u);
    EXPECT_GT(one.status.clamped_speeds, 0u);
    EXPECT_EQ(one.status.not_finite, 1u);
    EXPECT_EQ(one.status_words, two.status_words);
}

TEST_F(FluidWays, WhatCannotBeFusedIsSteppedSingly) {
    FluidBoundary open = all_faces(FluidFace::wall);
    open.top = FluidFace::open;
    const struct {
        glm::uvec3 dims;
        FluidBoundary boundary;
    } alone[] = {{{30, 20, 1}, open}, {{12, 10, 7}, all_faces(FluidFace::periodic)}};
    for (const auto& [dims, boundary] : alone) {
        Setup setup = busy(dims, FluidMethod::two_stage, boundary);
        const Found one = after(setup);
        setup.pass.fused = 2;
        EXPECT_TRUE(one.stored == after(setup).stored);
    }
}

TEST_F(FluidWays, StepsThatAreDrawnAreThoseOfComputeToRounding) {
    FluidBoundary mixed = walls_and_wind();
    mixed.right = mixed.top = FluidFace::open;
    for (const FluidMethod method : kMethods)
        for (const FluidBoundary& boundary : {all_faces(FluidFace::periodic), mixed})
            for (const glm::uvec3 dims : {glm::uvec3(97, 61, 1), glm::uvec3(5, 3, 1)})
                for (const std::uint32_t steps : {1u, 20u}) {
                    if (steps > 1 && dims.x > 5) continue; // a pipeline each
                    Setup setup = busy(dims, method, boundary);
                    setup.pass.steps = steps;
                    const Found computed = after(setup);
                    setup.pass.solver.back_end = FluidBackEnd::raster;
                    const Found drawn = after(setup);
                    EXPECT_LT(greatest_apart(computed.cells, drawn.cells),
                              steps == 1 ? 2e-6f : 2e-5f);
                    EXPECT_EQ(drawn.status_words, computed.status_words);
                }
}

TEST_F(FluidWays, StepsThatAreDrawnCountAndAdaptAsThoseOfComputeDo) {
    Setup setup = busy({40, 30, 1}, FluidMethod::two_stage, all_faces(FluidFace::periodic));
    setup.pass.solver.adaptive = true;
    setup.initial[700].y = std::numeric_limits<float>::infinity();
    setup.initial[900] = {20.0f, 0.0f, 0.0f, 2.5f};
    const Found computed = after(setup);
    setup.pass.solver.back_end = FluidBackEnd::raster;
    const Found drawn = after(setup);
    EXPECT_EQ(drawn.status.not_finite, 1u);
    EXPECT_EQ(drawn.status.clamped_densities, computed.status.clamped_densities);
    EXPECT_GT(drawn.status.clamped_densities, 0u);
    EXPECT_NEAR(drawn.status.elapsed, computed.status.elapsed, 1e-6f);
    EXPECT_LT(drawn.status.elapsed, 3.5f * setup.pass.solver.dt);
}

TEST_F(FluidWays, DrawingRefusesWhatItCannotDo) {
    for (const bool flat : {true, false}) {
        Graph g = graph();
        Setup setup;
        setup.pass.dims = {8, 8, flat ? 1 : 8};
        if (flat) setup.pass.precision = FluidPrecision::half;
        setup.pass.solver.back_end = FluidBackEnd::raster;
        (void)added(g, setup);
        const GraphDesc desc = std::move(g).finish();
        ASSERT_EQ(desc.diagnostics.size(), 1u);
        EXPECT_EQ(desc.diagnostics[0].code, "fluid/raster");
    }
}

TEST_F(FluidWays, AdaptiveStepsAreThoseOfTheReferenceAndCrossNoMoreThanTheyMay) {
    // An impulsive force on a field of noise: ever faster, until the step is as short as it may be.
    for (const FluidMethod method : kMethods)
        for (const float courant : {1.0f, 0.5f}) {
            Setup setup = busy({29, 23, 1}, method, all_faces(FluidFace::periodic));
            setup.pass.force = {};
            setup.pass.steps = 1;
            FluidSolverParameters& solver = setup.pass.solver;
            solver.adaptive = true;
            solver.courant = courant;
            solver.min_dt = 0.04f;
            solver.force = {25.0f, 9.0f, 0.0f};
            Running running = started(setup);
            ASSERT_TRUE(running);
            FluidReference reference{.dims = glm::ivec3(setup.pass.dims),
                                     .cells = {},
                                     .solid = setup.solid,
                                     .motion = setup.motion,
                                     .solver = solver,
                                     .boundary = setup.pass.boundary,
                                     .emitters = setup.pass.emitters,
                                     .forces = {}};
            Cells before = setup.initial;
            float longest = 0.0f;
            float shortest = 1.0f;
            unsigned held = 0;
            for (int step = 0; step < 40; ++step) {
                running.execute();
                const Found now = found(running, FluidPrecision::full);
                const float dt = now.status.elapsed;
                const float speed = greatest_speed(before);
                const float wanted = speed * solver.dt > courant ? courant / speed : solver.dt;
                ASSERT_NEAR(dt, std::max(wanted, solver.min_dt), 1e-6f) << step;
                EXPECT_GE(dt, solver.min_dt);
                EXPECT_EQ(now.status.held_steps, speed * solver.min_dt > courant ? 1u : 0u);
                if (now.status.held_steps == 0) {
                    EXPECT_LE(speed * dt, courant * 1.000001f);
                }
                EXPECT_LE(speed * dt, 1.000001f);

                reference.start(before);
                reference.solver.dt = dt;
                reference.solver.stiffness = solver.stiffness * dt / solver.dt;
                reference.step();
                double apart = 0.0;
                for (std::size_t i = 0; i < now.cells.size(); ++i)
                    for (int c = 0; c < 4; ++c)
                        apart = std::max(apart,
                                         std::abs(double{now.cells[i][c]} - reference.cells[i][c]));
                ASSERT_LT(apart, 2e-6 * std::max(1.0, 4.0 * double{speed})) << step;
                held += now.status.held_steps;
                longest = std::max(longest, dt);
                shortest = std::min(shortest, dt);
                before = now.cells;
            }
            EXPECT_EQ(longest, solver.dt);
            EXPECT_EQ(shortest, solver.min_dt);
            EXPECT_EQ(held > 0, courant < 1.0f); // or speeds are held at a cell a step
        }
}

TEST_F(FluidWays, AdaptiveStepsBeginAnewWithTheFluid) {
    // What was fast before it was set to rest is not looked at.
    Setup setup;
    setup.pass.dims = {20, 20, 1};
    setup.pass.steps = 8;
    setup.pass.reset = true;
    setup.pass.boundary = all_faces(FluidFace::periodic);
    setup.pass.solver.adaptive = true;
    setup.pass.solver.force = {30.0f, 0.0f, 0.0f};
    Running running = started(setup);
    ASSERT_TRUE(running);
    running.execute();
    const Found once = found(running, FluidPrecision::full);
    running.execute(3);
    const Found again = found(running, FluidPrecision::full);
    EXPECT_LT(once.status.elapsed, 7.5f * setup.pass.solver.dt);
    EXPECT_TRUE(once.stored == again.stored);
    EXPECT_EQ(once.status_words, again.status_words);
}

TEST_F(FluidWays, SlowFluidsTakeWholeStepsAndWhatTheyCarryGoesAsFarAsTheyDo) {
    TUFF_ONLY_ON(lavapipe);
    for (const float speed : {0.4f, 30.0f})
        for (const FluidPrecision precision : {FluidPrecision::full, FluidPrecision::half})
            for (const glm::uvec3 dims : {glm::uvec3(31, 20, 1), glm::uvec3(12, 10, 9)}) {
                Setup setup;
                setup.pass.dims = dims;
                setup.pass.precision = precision;
                setup.pass.steps = 5;
                setup.pass.solver.adaptive = true;
                setup.pass.boundary = all_faces(FluidFace::periodic);
                setup.initial.assign(std::size_t{dims.x} * dims.y * dims.z,
                                     glm::vec4(speed, 0.25f * speed, 0.0f, 0.0f));
                Graph g = graph();
                const FluidField field = added(g, setup);
                Noise noise(9);
                const Cells dye = cells_of(dims, [&](glm::ivec3) {
                    return glm::vec4(noise(), noise(), noise(), noise()) + 1.0f;
                });
                const auto carry = [&](Graph& to, const FluidField& flow) {
                    return to
                        .add(passes::FluidAdvect{
                            .field = flow,
                            .before = {.cells = buffer_of(to, "dye", dye), .dims = dims},
                            .emitters = {{.position = 0.5f * glm::vec3(dims),
                                          .radius = 2.0f,
                                          .rate = 0.7f,
                                          .dye = {1, 2, 3, 4}}},
                            .dye = {.decay = 0.3f,
                                    .consumption = glm::vec4(0.05f),
                                    .diffusion = 0.02f}})
                        .after.cells;
                };
                const auto follow = [&](Graph& to, const FluidField& flow) {
                    return to.add(passes::FluidParticles{.field = flow, .count = 100})
                        .particles.positions;
                };
                output(g, "cells", field.cells);
                g.output("status", field.status);
                g.output("dye", carry(g, field));
                g.output("places", follow(g, field));
                Running running = run(std::move(g), 2);
                ASSERT_TRUE(running);
                const Found now = found(running, precision);
                const float wanted = 5 * std::min(1.0f / speed, 0.15f);
                EXPECT_NEAR(now.status.elapsed, wanted, 1e-3f * wanted); // uniform flow stays

                // The same flow for a time that the host knows.
                Graph h = graph();
                FluidField known = field_of(h, dims, now.cells, {}, setup.pass.boundary);
                known.elapsed = now.status.elapsed;
                h.output("dye", carry(h, known));
                h.output("places", follow(h, known));
                Running again = run(std::move(h), 2);
                ASSERT_TRUE(again);
                EXPECT_TRUE(running.buffer<std::uint32_t>("dye") ==
                            again.buffer<std::uint32_t>("dye"));
                EXPECT_TRUE(running.buffer<std::uint32_t>("places") ==
                            again.buffer<std::uint32_t>("places"));
            }
}

TEST_F(FluidWays, HalfPrecisionLosesTheEnergyOfATaylorGreenVortexAsFullDoes) {
    TUFF_ONLY_ON(swiftshader);
    constexpr int kSide = 64;
    const double k = 2.0 * std::numbers::pi / kSide;
    Setup setup;
    setup.pass.dims = {kSide, kSide, 1};
    setup.pass.steps = 400;
    setup.pass.boundary = all_faces(FluidFace::periodic);
    setup.initial = cells_of(setup.pass.dims, [&](glm::ivec3 p) {
        const double x = k * (p.x + 0.5);
        const double y = k * (p.y + 0.5);
        return glm::vec4(0.5 * std::sin(x) * std::cos(y), -0.5 * std::cos(x) * std::sin(y), 0, 0);
    });
    const auto energy = [](const Cells& cells) {
        double sum = 0.0;
        for (const glm::vec4& cell : cells)
            sum += double{cell.x} * double{cell.x} + double{cell.y} * double{cell.y};
        return sum;
    };
    for (const float viscosity : {0.25f, 0.55f}) {
        setup.pass.solver = {.method = FluidMethod::printed, .viscosity = viscosity};
        setup.pass.precision = FluidPrecision::full;
        const Found full = after(setup);
        setup.pass.precision = FluidPrecision::half;
        const Found half = after(setup);
        EXPECT_NEAR(energy(half.cells) / energy(full.cells), 1.0, 0.02);
        EXPECT_EQ(2 * half.stored.size(), full.stored.size());
        EXPECT_NE(energy(half.cells), energy(full.cells));
    }
}

TEST_F(FluidWays, HalfPrecisionIsThatOfFullToThreeDigits) {
    TUFF_ONLY_ON(lavapipe);
    for (const FluidMethod method : kMethods)
        for (const glm::uvec3 dims : {glm::uvec3(97, 61, 1), glm::uvec3(17, 13, 9)}) {
            Setup setup = busy(dims, method, walls_and_wind());
            setup.pass.steps = 2;
            const Found full = after(setup);
            setup.pass.precision = FluidPrecision::half;
            const Found half = after(setup);
            EXPECT_LT(greatest_apart(full.cells, half.cells), 3e-3f);
            EXPECT_TRUE(half.status.warnings().empty());

            setup.initial.assign(setup.initial.size(), glm::vec4(0.0f));
            setup.pass.boundary.inflow = {};
            setup.pass.emitters.clear();
            setup.motion = {};
            EXPECT_EQ(greatest_speed(after(setup, 5).cells), 0.0f); // rest stays at rest
        }
}

TEST_F(FluidWays, HalfPrecisionHoldsSpeedsThatItCanHold) {
    Setup setup;
    setup.pass.dims = {20, 20, 1};
    setup.pass.precision = FluidPrecision::half;
    setup.pass.steps = 3;
    setup.pass.solver.dt = 1e-6f; // a cell a step would be 1e6
    setup.pass.solver.stiffness = 1e-6f;
    setup.pass.solver.force = {5e10f, 0.0f, 0.0f};
    setup.pass.solver.unchecked = true;
    setup.pass.boundary = all_faces(FluidFace::periodic);
    const Found now = after(setup);
    EXPECT_EQ(now.status.not_finite, 0u);
    EXPECT_GT(now.status.clamped_speeds, 0u);
    EXPECT_EQ(greatest_speed(now.cells), 65504.0f);
}

TEST_F(FluidWays, WhoeverLooksAtAStateOfHalfPrecisionSeesItsNumbers) {
    for (const glm::uvec3 dims : {glm::uvec3(31, 20, 1), glm::uvec3(12, 10, 9)}) {
        Setup setup = busy(dims, FluidMethod::two_stage, all_faces(FluidFace::periodic));
        setup.pass.precision = FluidPrecision::half;
        const auto look = [](Graph& g, const FluidField& field) {
            for (const auto shown : {passes::FluidShown::speed, passes::FluidShown::density,
                                     passes::FluidShown::whirls}) {
                const passes::FluidView view{
                    .field = field, .width = 40, .height = 30, .shown = shown};
                g.output(std::string(ChoiceNames<passes::FluidShown>::names[std::size_t(shown)]),
                         g.add(view).result);
            }
            const passes::FluidForces forces{.field = field, .parameters = {.confinement = 0.5f}};
            g.output("forces", g.add(forces).forces);
            g.output("numbers", g.add(passes::FluidStats{.field = field}).numbers);
        };
        Graph g = graph();
        const FluidField field = added(g, setup);
        output(g, "cells", field.cells);
        g.output("status", field.status);
        look(g, field);
        Running half = run(std::move(g));
        ASSERT_TRUE(half);
        Graph h = graph();
        FluidField full = field_of(h, dims, found(half, FluidPrecision::half).cells, setup.solid,
                                   setup.pass.boundary);
        full.sound = field.sound;
        look(h, full);
        Running seen = run(std::move(h));
        ASSERT_TRUE(seen);
        for (const char* words : {"forces", "numbers"})
            EXPECT_TRUE(half.buffer<std::uint32_t>(words) == seen.buffer<std::uint32_t>(words));
        for (const char* shown : {"speed", "density", "whirls"})
            EXPECT_TRUE(half.image(shown).texels == seen.image(shown).texels) << shown;
    }
}

} // namespace
} // namespace tuff
