#include "passes/sparse/audit.hpp"
#include "tests/gpu/fluid/sparse_fixture.hpp"
#include "tests/gpu/fluid/sparse_reference.hpp"

#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

/// fluid/sparse against closed forms: what advection, projection and confinement do by themselves.
namespace tuff {
namespace {

using passes::AdvectionMethod;
using passes::FluidBoundary;
using passes::FluidPrecision;
using passes::SmokePressure;
using passes::SparseFluid;
using passes::SparseStorage;
using testing_gpu::BrickSmokeReference;
using testing_gpu::Cells;
using testing_gpu::Noise;
using testing_gpu::Running;
using testing_gpu::SparseFluids;

constexpr FluidBoundary kWalls{};
/// Too short for anything to move: velocity and dye stay where they are to the last bits.
constexpr float kNoTime = 1e-6f;

using SparseChecks = SparseFluids;

TEST_F(SparseChecks, VelocitiesOfWholeCellsMoveDyeToTheBit) {
    const glm::uvec3 dims(24, 17, 20);
    Noise noise(3);
    const Cells dye = cells_of(
        dims, [&](glm::ivec3) { return glm::vec4(noise(), noise(), 100.0f * noise(), noise()); });
    constexpr int kSteps = 3;
    for (const glm::ivec3 way : {glm::ivec3(1, 0, 0), glm::ivec3(-2, 1, 3)}) {
        SCOPED_TRACE(way.y);
        const Cells velocity = cells_of(dims, [&](glm::ivec3) { return glm::vec4(way, 0); });
        Graph g = graph();
        const auto add = [&](const std::string& name, SparseStorage storage,
                             AdvectionMethod advection) {
            const SparseFluid pass{.dims = dims,
                                   .parameters = {.storage = storage},
                                   .advection = advection,
                                   .iterations = 1,
                                   .warm_start = false};
            g.output(name, carried(g, pass, velocity, dye, kSteps, name));
        };
        add("atlas", SparseStorage::atlas, AdvectionMethod::semi_lagrangian);
        add("dense", SparseStorage::dense, AdvectionMethod::semi_lagrangian);
        add("second", SparseStorage::atlas, AdvectionMethod::maccormack);
        Running running = run(std::move(g));
        ASSERT_TRUE(running);
        for (const std::string name : {"atlas", "dense", "second"}) {
            SCOPED_TRACE(name);
            const auto moved = running.buffer<glm::vec4>(name);
            ASSERT_EQ(moved.size(), dye.size());
            std::size_t compared = 0;
            for (std::size_t i = 0; i < moved.size(); ++i) {
                const glm::ivec3 p = place_of(i, dims);
                const glm::ivec3 from = p - kSteps * way;
                const bool inside = glm::all(glm::greaterThanEqual(from, glm::ivec3(0))) &&
                                    glm::all(glm::lessThan(from, glm::ivec3(dims)));
                // MacCormack looks back from where nothing is beyond the sides, on its way there.
                if (name == "second" && !inside) continue;
                const auto at = static_cast<std::size_t>(
                    (from.z * int(dims.y) + from.y) * int(dims.x) + from.x);
                const glm::ivec3 margin =
                    glm::min(glm::min(p, from), glm::ivec3(dims) - 1 - glm::max(p, from));
                if (name == "second" && std::min({margin.x, margin.y, margin.z}) < 4) continue;
                ASSERT_EQ(moved[i], inside ? dye[at] : glm::vec4(0.0f)) << i;
                ++compared;
            }
            EXPECT_GT(compared, 100u);
        }
    }
}

TEST_F(SparseChecks, AConeThatTurnsOnceIsThatOfTheReference) {
    constexpr int kSteps = 16;
    constexpr double kRadius = 10.0; // of the cone
    const glm::uvec3 dims(44, 44, 2);
    const glm::dvec2 middle(21.5, 21.5);
    const glm::dvec2 top = middle + glm::dvec2(9.0, 0.0);
    const double angle = 2.0 * std::numbers::pi / kSteps;
    // What takes each cell to where a turn by -angle has it: a whole turn ends where it began.
    const Cells velocity = cells_of(dims, [&](glm::ivec3 p) {
        const glm::dvec2 off = glm::dvec2(p) - middle;
        if (glm::length(off) > 20.5) return glm::vec4(0.0f);
        const double c = std::cos(angle);
        const double s = std::sin(angle);
        const glm::dvec2 from(c * off.x + s * off.y, c * off.y - s * off.x);
        return glm::vec4(glm::vec2(off - from), 0.0f, 0.0f);
    });
    const Cells dye = cells_of(dims, [&](glm::ivec3 p) {
        const double r = glm::length(glm::dvec2(p) - top);
        const auto cone = static_cast<float>(std::max(1.0 - r / kRadius, 0.0));
        return glm::vec4(cone, 0.5f * cone, r < 5.0 ? 1.0f : 0.0f, 0.0f);
    });
    struct Case {
        std::string name;
        AdvectionMethod advection;
        FluidPrecision precision;
        int steps;
        double tolerance;
    };
    // What MacCormack clamps to depends on roundings. Halves are rounded to 2^-11 of themselves, of
    // both velocity (7 cells, where the cone falls by a tenth a cell) and dye.
    const std::array<Case, 3> cases{
        Case{"first", AdvectionMethod::semi_lagrangian, FluidPrecision::full, kSteps, 1e-5},
        Case{"second", AdvectionMethod::maccormack, FluidPrecision::full, kSteps, 1e-4},
        Case{"half", AdvectionMethod::semi_lagrangian, FluidPrecision::half, 1, 2e-3}};
    Graph g = graph();
    SparseFluid pass{.dims = dims, .boundary = kWalls, .reach = 8, .iterations = 1};
    pass.warm_start = false;
    for (const Case& c : cases) {
        pass.advection = c.advection;
        pass.precision = c.precision;
        g.output(c.name, carried(g, pass, velocity, dye, c.steps, c.name));
    }
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    std::array<double, 3> peaks{};
    for (std::size_t k = 0; k < cases.size(); ++k) {
        const Case& c = cases[k];
        SCOPED_TRACE(c.name);
        BrickSmokeReference reference{.dims = glm::ivec3(dims), .pass = pass};
        for (const glm::vec4& v : velocity)
            reference.velocity.emplace_back(glm::vec3(v));
        for (const glm::vec4& d : dye)
            reference.dye.emplace_back(d);
        for (int i = 0; i < c.steps; ++i)
            reference.dye = c.advection == AdvectionMethod::maccormack
                                ? reference.corrected(reference.dye, 1.0)
                                : reference.carried(reference.dye, 1.0);
        const auto got = running.buffer<std::uint32_t>(c.name);
        const std::size_t words = c.precision == FluidPrecision::full ? 4 : 2;
        ASSERT_EQ(got.size(), words * dye.size());
        for (std::size_t i = 0; i < dye.size(); ++i) {
            glm::vec2 first;
            if (words == 4)
                first = {std::bit_cast<float>(got[4 * i]), std::bit_cast<float>(got[4 * i + 1])};
            else
                first = glm::unpackHalf2x16(got[2 * i]);
            ASSERT_NEAR(first.x, reference.dye[i].x, c.tolerance) << i;
            ASSERT_NEAR(first.y, reference.dye[i].y, c.tolerance) << i;
            peaks[k] = std::max(peaks[k], double{first.x});
        }
    }
    // Each step looks up linearly, which is the mean over a random walk of variance f (1 - f) <=
    // 1/4 an axis; a cone falls by distance / radius, and a mean distance is at most its root mean
    // square.
    EXPECT_GE(peaks[0], 1.0 - std::sqrt(kSteps / 2.0) / kRadius);
    EXPECT_GT(peaks[1], peaks[0]);
    EXPECT_LE(peaks[1], 1.0);
}

/// Products of cosines, which closed sides continue by themselves: all of a step's operators take
/// them to multiples of themselves.
struct Modes {
    int n;
    double a; ///< phase between cells along x and y
    double b; ///< along z

    double c(double phase, int i) const { return std::cos(phase * (i + 0.5)); }
    double s(double phase, int i) const { return std::sin(phase * (i + 0.5)); }
    /// No divergence: Taylor and Green's vortex.
    glm::dvec3 vortex(glm::ivec3 p) const {
        return {s(a, p.x) * c(a, p.y) * c(b, p.z), -c(a, p.x) * s(a, p.y) * c(b, p.z), 0.0};
    }
    /// The central differences of cos cos cos.
    glm::dvec3 gradient(glm::ivec3 p) const {
        return -glm::dvec3(std::sin(a) * s(a, p.x) * c(a, p.y) * c(b, p.z),
                           std::sin(a) * c(a, p.x) * s(a, p.y) * c(b, p.z),
                           std::sin(b) * c(a, p.x) * c(a, p.y) * s(b, p.z));
    }
    /// Of the gradient: times cos cos cos.
    double divergence() const {
        return -(2.0 * std::pow(std::sin(a), 2.0) + std::pow(std::sin(b), 2.0));
    }
    double laplacian() const { return 2.0 * (2.0 * std::cos(a) + std::cos(b) - 3.0); }
    /// What a sweep leaves of an error.
    double sweep() const { return (2.0 * std::cos(a) + std::cos(b)) / 3.0; }
};

TEST_F(SparseChecks, ProjectionKeepsAVortexAndTakesGradientsAsSweepsPredict) {
    const int n = 16;
    const glm::uvec3 dims(n);
    const double pi = std::numbers::pi;
    for (const Modes& modes :
         {Modes{n, pi / n, pi / n}, Modes{n, 2 * pi / n, 0.0}, Modes{n, 3 * pi / n, 2 * pi / n}}) {
        SCOPED_TRACE(modes.a);
        Start start;
        start.velocity = cells_of(dims, [&](glm::ivec3 p) {
            return glm::vec4(glm::vec3(modes.vortex(p) + 2.0 * modes.gradient(p)), 0.0f);
        });
        SparseFluid pass{.dims = dims, .boundary = kWalls, .dt = kNoTime, .warm_start = false};
        std::vector<SparseFluid> passes;
        for (const std::uint32_t iterations : {3u, 40u, 1000u}) {
            pass.iterations = iterations;
            passes.push_back(pass);
        }
        const std::vector<Result> results = after(passes, start, 1);
        for (std::size_t k = 0; k < passes.size(); ++k) {
            SCOPED_TRACE(passes[k].iterations);
            ASSERT_EQ(results[k].velocity.size(), start.velocity.size());
            const double solved = 1.0 - std::pow(modes.sweep(), passes[k].iterations);
            // What is solved for is the Laplacian of neighbours, what is subtracted are differences
            // over two cells: the text's projection does not take all away.
            const double left = 1.0 - solved * modes.divergence() / modes.laplacian();
            if (modes.a == pi / n && k == 2) {
                EXPECT_LT(std::abs(left), 0.02);
            }
            for (std::size_t i = 0; i < start.velocity.size(); ++i) {
                const glm::ivec3 p = place_of(i, dims);
                // Fluid before a wall does not flow into it: a rule of its own.
                if (std::min({p.x, p.y, p.z}) == 0 || std::max({p.x, p.y, p.z}) == n - 1) continue;
                const glm::dvec3 expected = modes.vortex(p) + 2.0 * left * modes.gradient(p);
                for (int axis = 0; axis < 3; ++axis)
                    ASSERT_NEAR(results[k].velocity[i][axis], expected[axis], 2e-5) << i;
            }
        }
    }
}

TEST_F(SparseChecks, RandomDivergenceFallsByTheSpectralRadius) {
    // Open sides: the pressure is 0 beyond, and a sweep leaves at most cos(pi / (n + 1)) of an
    // error.
    const int n = 16;
    const glm::uvec3 dims(n);
    SparseFluid pass{.dims = dims, .dt = kNoTime, .warm_start = false};
    const Start begun = random_start(dims, 12);
    BrickSmokeReference reference{.dims = glm::ivec3(n), .pass = pass};
    for (const glm::vec4& v : begun.velocity)
        reference.velocity.emplace_back(glm::vec3(v));
    std::vector<double> divergence(reference.count());
    for (std::size_t i = 0; i < divergence.size(); ++i)
        divergence[i] = reference.divergence(i);
    const auto norm = [](const std::vector<double>& values) {
        double sum = 0.0;
        for (const double value : values)
            sum += value * value;
        return std::sqrt(sum);
    };
    Graph g = graph();
    const std::array<std::uint32_t, 4> counts{50, 200, 300, 1000};
    for (const std::uint32_t count : counts) {
        pass.iterations = count;
        const std::string name = std::to_string(count);
        const SparseFluid added = add(g, pass, begun, name);
        g.output(name,
                 g.add(passes::SparseGather{.bricks = added.bricks, .field = added.smoke.pressure})
                     .result);
    }
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    std::array<double, 4> left{};
    for (std::size_t k = 0; k < counts.size(); ++k) {
        const auto got = running.buffer<float>(std::to_string(counts[k]));
        const std::vector<double> pressure(got.begin(), got.end());
        const std::vector<double> swept = reference.swept(pressure, divergence);
        std::vector<double> residual(pressure.size());
        for (std::size_t i = 0; i < residual.size(); ++i)
            residual[i] = 6.0 * (swept[i] - pressure[i]);
        left[k] = norm(residual) / norm(divergence);
    }
    const double radius = std::cos(std::numbers::pi / (n + 1));
    for (std::size_t k = 0; k < 3; ++k)
        EXPECT_LE(left[k], std::pow(radius, counts[k])) << counts[k];
    // The slowest waves are left alone by then: their rate is the radius. Later what the short step
    // moves shows.
    const double expected = std::pow(radius, 100.0);
    EXPECT_NEAR(left[2] / left[1], expected, 0.03 * expected);
    EXPECT_LT(left[3], 1e-3);
}

TEST_F(SparseChecks, ConfinementIsOfTheCurlAndAcrossIt) {
    // Along y a parabola in x: the curl is (0, 0, slope x), its size grows with |x|, and what is
    // added is strength (sign(x), 0, 0) x (0, 0, slope x) = (0, -strength slope |x|, 0). With the
    // text's undivided differences it would be twice that.
    const glm::uvec3 dims(20, 16, 8);
    constexpr double kSlope = 0.25;
    constexpr float kStrength = 0.5f;
    const auto off = [](glm::ivec3 p) { return p.x - 9.5; };
    Start begun;
    begun.velocity = cells_of(dims, [&](glm::ivec3 p) {
        return glm::vec4(0.0f, static_cast<float>(0.5 * kSlope * off(p) * off(p)), 0.0f, 0.0f);
    });
    SparseFluid still{.dims = dims, .dt = kNoTime, .iterations = 1, .warm_start = false};
    SparseFluid confined = still;
    confined.confinement = kStrength / kNoTime;
    // And a rigid turn, rate (-y, x, 0): its curl is 2 rate everywhere, which leaves no way to
    // push. It is so slow that what moves in the step does not reach the last bit.
    constexpr float kRate = 1.0f / 4096.0f;
    Start turning;
    turning.velocity = cells_of(dims, [&](glm::ivec3 p) {
        return kRate * glm::vec4(7.5f - static_cast<float>(p.y), static_cast<float>(p.x) - 9.5f,
                                 0.0f, 0.0f);
    });
    const std::vector<Result> parabola = after({still, confined}, begun, 1);
    const std::vector<Result> rigid = after({still, confined}, turning, 1);
    const Start noise = random_start(dims, 21);
    const std::vector<Result> any = after({still, confined}, noise, 1);
    BrickSmokeReference reference{.dims = glm::ivec3(dims), .pass = still};
    for (const glm::vec4& v : noise.velocity)
        reference.velocity.emplace_back(glm::vec3(v));
    const auto curl = [&](glm::ivec3 p) {
        glm::dvec3 slopes[3];
        for (int a = 0; a < 3; ++a)
            slopes[a] =
                0.5 * (reference.value(reference.velocity, p + BrickSmokeReference::unit(a)) -
                       reference.value(reference.velocity, p - BrickSmokeReference::unit(a)));
        return glm::dvec3(slopes[1].z - slopes[2].y, slopes[2].x - slopes[0].z,
                          slopes[0].y - slopes[1].x);
    };
    ASSERT_EQ(any[1].velocity.size(), begun.velocity.size());
    double most = 0.0;
    for (std::size_t i = 0; i < begun.velocity.size(); ++i) {
        const glm::ivec3 p = place_of(i, dims);
        const glm::ivec3 margin = glm::min(p, glm::ivec3(dims) - 1 - p);
        if (std::min({margin.x, margin.y, margin.z}) < 2) continue;
        const auto added = [&](const std::vector<Result>& of) {
            return glm::dvec3(of[1].velocity[i]) - glm::dvec3(of[0].velocity[i]);
        };
        const glm::dvec3 expected(0.0, -kStrength * kSlope * std::abs(off(p)), 0.0);
        ASSERT_LT(glm::length(added(parabola) - expected), 1e-5) << i;
        ASSERT_EQ(added(rigid), glm::dvec3(0.0)) << i;
        const glm::dvec3 force = added(any);
        glm::dvec3 slope(0.0);
        for (int a = 0; a < 3; ++a)
            slope[a] = glm::length(curl(p + BrickSmokeReference::unit(a))) -
                       glm::length(curl(p - BrickSmokeReference::unit(a)));
        const glm::dvec3 whirl = curl(p);
        most = std::max(most, glm::length(force));
        // Where the slope of the curl's size is small, its direction has its roundings.
        EXPECT_LT(std::abs(glm::dot(force, whirl)), 1e-4) << i;
        EXPECT_LT(std::abs(glm::dot(force, glm::normalize(slope))), 1e-4) << i;
        EXPECT_LE(glm::length(force), kStrength * glm::length(whirl) + 1e-5) << i;
    }
    EXPECT_GT(most, 0.3);
}

TEST_F(SparseChecks, ConfinementBeyondAllMeasureIsHeldToTheReach) {
    const glm::uvec3 dims(16);
    SparseFluid pass{.dims = dims, .dt = 0.5f, .reach = 3, .iterations = 4, .confinement = 1e5f};
    std::vector<SparseFluid> passes(2, pass);
    passes[1].precision = FluidPrecision::half;
    const float fastest = 3.0f / 0.5f;
    for (const Result& result : after(passes, random_start(dims, 6), 8)) {
        ASSERT_FALSE(result.velocity.empty());
        for (std::size_t i = 0; i < result.velocity.size(); ++i)
            for (int k = 0; k < 4; ++k) {
                ASSERT_TRUE(std::isfinite(result.dye[i][k])) << i;
                ASSERT_LE(std::abs(result.velocity[i][k]), fastest) << i;
            }
        EXPECT_GT(mass(result), 1.0);
        EXPECT_GT(result.status.clamped_speeds, 100u);
        EXPECT_EQ(result.status.not_finite, 0u);
    }
}

TEST_F(SparseChecks, SixtyFramesOfBricksAreThoseOfTheWholeDomain) {
    TUFF_ONLY_ON(lavapipe);
    constexpr std::uint32_t kBricks = 6 * 6 * 6;
    SparseFluid pass{.dims = glm::uvec3(48),
                     .parameters = {.brick = glm::uvec3(8), .capacity = kBricks},
                     .expansion = {.guard = 4, .least_speed = 2e-3f, .least_dye = 1e-3f},
                     .iterations = 4,
                     .confinement = 0.05f,
                     .buoyancy = {0.0f, 0.05f, 0.0f},
                     .drag = 0.05f,
                     .decay = glm::vec4(0.1f)};
    pass.emitters = {{.position = {24.0f, 12.0f, 24.0f},
                      .size = glm::vec3(2.5f),
                      .force = {0.05f, 0.1f, 0.0f},
                      .dye = {0.3f, 0.2f, 0.1f, 0.2f}}};
    std::vector<SparseFluid> passes(3, pass);
    passes[1].parameters.storage = SparseStorage::full;
    passes[2].parameters.storage = SparseStorage::dense;
    const std::vector<Result> results = after(passes, {}, 60);
    ASSERT_FALSE(results[2].dye.empty());
    EXPECT_EQ(results[0].dye, results[1].dye);
    EXPECT_EQ(results[0].velocity, results[1].velocity);
    EXPECT_EQ(results[0].numbers, results[1].numbers);
    // Most bricks stay inactive, so the cells there are those that the whole domain may differ in.
    EXPECT_LT(results[0].bricks.active_bricks, kBricks / 2);
    EXPECT_GT(results[0].bricks.active_bricks, 30u);
    double most = 0.0;
    for (std::size_t i = 0; i < results[2].dye.size(); ++i)
        for (int k = 0; k < 4; ++k)
            most = std::max(most, std::abs(double{results[0].dye[i][k]} - results[2].dye[i][k]));
    EXPECT_LE(most, 1e-3);
    EXPECT_GT(most, 0.0);
    EXPECT_GT(mass(results[2]), 3.0);
    EXPECT_NEAR(mass(results[0]), mass(results[2]), 5e-3 * mass(results[2]));
}

/// Bricks that are freed lie in an atlas where others come: what is in their slots must not show.
TEST_F(SparseChecks, SlotsThatOthersHadBeforeHoldWhatFullStorageHolds) {
    constexpr unsigned kSteps = 40;
    constexpr std::uint32_t kCapacity = 60;
    const auto build = [&](unsigned step) {
        Graph g = graph();
        SparseFluid pass{.dims = {64, 24, 24},
                         .parameters = {.brick = glm::uvec3(4), .capacity = kCapacity},
                         .expansion = {.guard = 1, .least_speed = 0.02f, .least_dye = 0.02f},
                         .iterations = 3,
                         .warm_start = true,
                         .confinement = 0.05f,
                         .drag = 0.5f,
                         .decay = glm::vec4(0.7f)};
        pass.emitters = {{.position = {6.0f + 1.3f * float(step), 12.0f, 12.0f},
                          .size = glm::vec3(2.5f),
                          .force = {0.3f, 0.1f, 0.0f},
                          .dye = {1.0f, 0.5f, 0.2f, 0.1f}}};
        const SparseFluid atlas = g.add(pass, "atlas");
        outputs(g, atlas, "atlas");
        output(
            g, "totals",
            g.add(passes::SparseAudit{.bricks = atlas.bricks, .kept = 2, .growth = 100.0f}, "audit")
                .totals);
        pass.parameters.storage = SparseStorage::full;
        outputs(g, g.add(pass, "full"), "full");
        return g;
    };
    Running running = start(build(0));
    ASSERT_TRUE(running);
    for (unsigned step = 0; step < kSteps; ++step) {
        SCOPED_TRACE(step);
        ASSERT_TRUE(running->set_parameters(build(step).finish().parameters));
        running.execute();
        if (step % 8 != 7) continue;
        const Result atlas = read(running, "atlas", FluidPrecision::full);
        const Result full = read(running, "full", FluidPrecision::full);
        ASSERT_FALSE(full.dye.empty());
        EXPECT_EQ(atlas.numbers, full.numbers);
        EXPECT_EQ(atlas.dye, full.dye);
        EXPECT_EQ(atlas.velocity, full.velocity);
        EXPECT_GT(mass(atlas), 5.0);
    }
    const auto totals = passes::SparseTotals::read(running.buffer<std::uint32_t>("totals"));
    EXPECT_EQ(totals.refused, 0u);
    EXPECT_EQ(totals.broken, 0u);
    // There are more bricks than slots, so slots have gone to others.
    EXPECT_GT(totals.given_back, 0u);
    EXPECT_GT(totals.fresh, 2 * kCapacity);
}

} // namespace
} // namespace tuff
