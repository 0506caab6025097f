#include "passes/fluid/simple.hpp"
#include "passes/fluid/stats.hpp"
#include "tests/gpu/fluid/fluid_test.hpp"

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

/// What a flow is like, in numbers.
namespace tuff {
namespace {

using passes::FluidBoundary;
using passes::FluidFace;
using passes::FluidField;
using passes::FluidReport;
using passes::FluidStats;
using passes::SimpleFluid;
using testing::ElementsAre;
using testing_gpu::all_faces;
using testing_gpu::Cells;
using testing_gpu::Noise;
using testing_gpu::Running;
using testing_gpu::SolidAt;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinite = std::numeric_limits<float>::infinity();

bool is_finite(const glm::vec4& v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z) && std::isfinite(v.w);
}

/// The numbers in double precision, from their definition; and the sum of magnitudes of densities,
/// to which the error of their sum is relative.
struct Expected {
    double speed = 0, least_density = 1, greatest_density = 1, mass = 0, energy = 0;
    double divergence = 0, curl = 0, mach = 0, magnitudes = 0;
    std::uint32_t cells = 0, not_finite = 0;
};

struct Flow {
    glm::uvec3 dims;
    Cells cells;
    FluidBoundary boundary = {};
    SolidAt solid = {};
    float sound = 0.0f;

    glm::dvec3 velocity(glm::ivec3 p) const {
        const std::array<FluidFace, 3> low{boundary.left, boundary.bottom, boundary.back};
        for (int axis = 0; axis < 3; ++axis) {
            const int size = static_cast<int>(dims[axis]);
            if (low[static_cast<std::size_t>(axis)] == FluidFace::periodic)
                p[axis] = (p[axis] + size) % size;
            else
                p[axis] = std::clamp(p[axis], 0, size - 1);
        }
        const glm::ivec3 d(dims);
        return glm::dvec3(cells[static_cast<std::size_t>((p.z * d.y + p.y) * d.x + p.x)]);
    }
    glm::dvec3 slope(glm::ivec3 p, int axis) const {
        if (dims[axis] == 1) return glm::dvec3(0.0);
        glm::ivec3 along(0);
        along[axis] = 1;
        const glm::dvec3 found = (velocity(p + along) - velocity(p - along)) / 2.0;
        return is_finite(glm::vec4(found, 0.0)) ? found : glm::dvec3(0.0);
    }
};

class FlowStats : public testing_gpu::FluidTest {
  protected:
    static Expected expected(const Flow& flow) {
        Expected e{.least_density = 1e30, .greatest_density = -1e30};
        for (std::size_t i = 0; i < flow.cells.size(); ++i) {
            const glm::ivec3 p = place_of(i, flow.dims);
            if (flow.solid && flow.solid(p)) continue;
            if (!is_finite(flow.cells[i])) {
                ++e.not_finite;
                continue;
            }
            ++e.cells;
            const glm::dvec4 own(flow.cells[i]);
            const glm::dvec3 x = flow.slope(p, 0), y = flow.slope(p, 1), z = flow.slope(p, 2);
            const glm::dvec3 curl(y.z - z.y, z.x - x.z, x.y - y.x);
            const double divergence = x.x + y.y + z.z;
            e.speed = std::max({e.speed, std::abs(own.x), std::abs(own.y), std::abs(own.z)});
            e.least_density = std::min(e.least_density, 1.0 + own.w);
            e.greatest_density = std::max(e.greatest_density, 1.0 + own.w);
            e.mass += own.w;
            e.magnitudes += std::abs(own.w);
            e.energy += 0.5 * (1.0 + own.w) * glm::dot(glm::dvec3(own), glm::dvec3(own));
            e.divergence += divergence * divergence;
            e.curl += glm::dot(curl, curl);
        }
        if (e.cells == 0) return {.not_finite = e.not_finite};
        e.divergence = std::sqrt(e.divergence / e.cells);
        e.curl = std::sqrt(e.curl / e.cells);
        e.mach = flow.sound > 0.0f ? e.speed / double{flow.sound} : 0.0;
        return e;
    }
    FluidField field(Graph& g, const Flow& flow) {
        FluidField made = field_of(g, flow.dims, flow.cells, flow.solid, flow.boundary);
        made.sound = flow.sound;
        return made;
    }
    /// All at once: each kernel is compiled once.
    std::vector<FluidReport> reports(const std::vector<Flow>& flows) {
        Graph g = graph();
        for (std::size_t i = 0; i < flows.size(); ++i) {
            const std::string name = "numbers" + std::to_string(i);
            g.output(name, g.add(FluidStats{.field = field(g, flows[i])}, name).numbers);
        }
        Running running = run(std::move(g));
        std::vector<FluidReport> found;
        for (std::size_t i = 0; running && i < flows.size(); ++i) {
            const auto words = running.buffer<std::uint32_t>("numbers" + std::to_string(i));
            found.push_back(FluidReport::read(words));
        }
        found.resize(flows.size());
        return found;
    }
    static void expect(const FluidReport& got, const Expected& e, double tolerance = 1e-6) {
        const auto near = [&](float value, double wanted, double size, const char* what) {
            EXPECT_NEAR(double{value}, wanted, tolerance * size) << what;
        };
        EXPECT_EQ(got.cells, e.cells);
        EXPECT_EQ(got.not_finite, e.not_finite);
        EXPECT_EQ(double{got.speed}, e.speed);
        near(got.least_density, e.least_density, std::abs(e.least_density), "least density");
        near(got.greatest_density, e.greatest_density, std::abs(e.greatest_density), "greatest");
        near(got.mass, e.mass, e.magnitudes, "mass");
        near(got.energy, e.energy, e.energy, "energy");
        near(got.divergence, e.divergence, e.divergence, "divergence");
        near(got.curl, e.curl, e.curl, "curl");
        near(got.mach, e.mach, e.mach, "mach");
    }
    static Cells noisy(glm::uvec3 dims, std::uint32_t seed) {
        Noise noise(seed);
        return cells_of(dims, [&](glm::ivec3) {
            return glm::vec4(noise(), noise(), dims.z > 1 ? noise() : 0.0f, 0.3f * noise());
        });
    }
    static Flow vortex(std::uint32_t side, double speed) {
        const double k = 2.0 * std::numbers::pi / side;
        Flow flow{.dims = {side, side, 1}, .boundary = all_faces(FluidFace::periodic)};
        flow.cells = cells_of(flow.dims, [&](glm::ivec3 p) {
            const glm::dvec2 at = k * (glm::dvec2(p) + 0.5);
            return glm::vec4(speed * std::sin(at.x) * std::cos(at.y),
                             -speed * std::cos(at.x) * std::sin(at.y), 0.0, 0.0);
        });
        return flow;
    }
};

TEST_F(FlowStats, AreThoseOfTheReferenceInFieldsOfManySizes) {
    TUFF_ONLY_ON(lavapipe);
    const SolidAt ball = [](glm::ivec3 p) {
        return glm::distance(glm::vec3(p), glm::vec3(9.0f, 6.0f, 4.0f)) < 4.5f;
    };
    const FluidBoundary tunnel{.left = FluidFace::inflow,
                               .right = FluidFace::open,
                               .bottom = FluidFace::periodic,
                               .top = FluidFace::periodic,
                               .inflow = {0.7f, 0.0f, 0.0f}};
    std::vector<Flow> flows;
    std::uint32_t seed = 0;
    // The last three have more tiles than there are groups.
    for (const glm::uvec3 dims :
         {glm::uvec3(1), glm::uvec3(2, 1, 1), glm::uvec3(1, 3, 1), glm::uvec3(1, 1, 5),
          glm::uvec3(31, 7, 1), glm::uvec3(33, 9, 2), glm::uvec3(64, 64, 1), glm::uvec3(97, 61, 1),
          glm::uvec3(33, 17, 9), glm::uvec3(1, 16384, 1), glm::uvec3(3000, 5, 1),
          glm::uvec3(1, 3, 2500), glm::uvec3(65, 75, 81), glm::uvec3(1030, 569, 1)}) {
        ++seed;
        flows.push_back({.dims = dims, .cells = noisy(dims, seed), .sound = 1.5f});
        if (dims.x > 1000 || dims.z > 1000) continue;
        flows.push_back({.dims = dims,
                         .cells = noisy(dims, seed + 100),
                         .boundary = all_faces(FluidFace::periodic)});
        flows.push_back({.dims = dims,
                         .cells = noisy(dims, seed + 200),
                         .boundary = tunnel,
                         .solid = ball,
                         .sound = 0.25f});
    }
    const std::vector<FluidReport> got = reports(flows);
    for (std::size_t i = 0; i < flows.size(); ++i) {
        const glm::uvec3 d = flows[i].dims;
        SCOPED_TRACE(fmt::format("{} x {} x {}, flow {}", d.x, d.y, d.z, i));
        expect(got[i], expected(flows[i]));
    }
}

TEST_F(FlowStats, LeaveOutCellsThatAreNotFiniteAndSolidOnes) {
    const SolidAt left = [](glm::ivec3 p) { return p.x < 20; };
    std::vector<Flow> flows;
    for (const glm::uvec3 dims : {glm::uvec3(50, 40, 1), glm::uvec3(40, 11, 6)}) {
        Flow flow{.dims = dims, .cells = noisy(dims, 5), .solid = left, .sound = 1.0f};
        for (std::size_t i = 0; i < flow.cells.size(); i += 37)
            flow.cells[i][static_cast<int>(i % 4)] = i % 2 == 0 ? kNan : -kInfinite;
        flows.push_back(flow);
        flow.solid = {};
        flows.push_back(flow);
    }
    // Nothing is left: all numbers are those of no cells.
    flows.push_back({.dims = {7, 5, 1},
                     .cells = noisy({7, 5, 1}, 6),
                     .solid = [](glm::ivec3) { return true; },
                     .sound = 1.0f});
    flows.push_back({.dims = {7, 5, 1}, .cells = Cells(35, glm::vec4(kNan)), .sound = 1.0f});
    const std::vector<FluidReport> got = reports(flows);
    for (std::size_t i = 0; i < flows.size(); ++i) {
        SCOPED_TRACE(i);
        const Expected e = expected(flows[i]);
        expect(got[i], e);
        EXPECT_EQ(got[i].warnings().size(),
                  (e.not_finite > 0 ? 1u : 0u) + (e.mach > 0.5 ? 1u : 0u));
    }
    EXPECT_GT(got[0].not_finite, 10u);
    EXPECT_EQ(got[4].cells, 0u);
    EXPECT_EQ(got[4].least_density, 1.0f);
    EXPECT_EQ(got[5].not_finite, 35u);
    EXPECT_EQ(got[5].greatest_density, 1.0f);
}

TEST_F(FlowStats, OfATaylorGreenVortexAreTheClosedForms) {
    // Central differences see sin(k) of a wave of k a cell.
    std::vector<Flow> flows;
    for (const std::uint32_t side : {32u, 64u, 128u})
        flows.push_back(vortex(side, 0.5));
    const std::vector<FluidReport> got = reports(flows);
    for (std::size_t i = 0; i < flows.size(); ++i) {
        const double cells = static_cast<double>(flows[i].cells.size());
        const double k = std::sin(2.0 * std::numbers::pi / flows[i].dims.x);
        EXPECT_NEAR(got[i].energy, 0.25 * 0.5 * 0.5 * cells, 1e-6 * cells);
        EXPECT_NEAR(got[i].curl, 0.5 * k, 1e-6 * k); // 2 k speed / 2
        EXPECT_LT(got[i].divergence, 1e-7f);
        EXPECT_NEAR(got[i].mass, 0.0, 1e-9 * cells);
    }
}

TEST_F(FlowStats, OfAUniformFlowHaveNoSlopesAndNearlyExactSums) {
    TUFF_ONLY_ON(lavapipe);
    // Where all cells are alike, rounding goes the same way each time.
    const glm::vec4 wind(0.7f, -0.9f, 0.0f, 1e-3f);
    const glm::uvec3 dims(1500, 700, 1);
    const Cells cells(std::size_t{dims.x} * dims.y, wind);
    const double count = static_cast<double>(cells.size());
    const double energy =
        count * 0.5 * (1.0 + double{wind.w}) * glm::dot(glm::dvec3(wind), glm::dvec3(wind));
    std::vector<Flow> flows;
    for (const FluidFace face : {FluidFace::periodic, FluidFace::wall})
        flows.push_back({.dims = dims, .cells = cells, .boundary = all_faces(face)});
    for (const FluidReport& got : reports(flows)) {
        EXPECT_EQ(got.divergence, 0.0f);
        EXPECT_EQ(got.curl, 0.0f);
        EXPECT_EQ(got.speed, 0.9f);
        EXPECT_EQ(got.cells, cells.size());
        EXPECT_NEAR(got.mass, count * double{wind.w}, 3e-7 * count * double{wind.w});
        EXPECT_NEAR(got.energy, energy, 5e-7 * energy);
        EXPECT_EQ(got.least_density, got.greatest_density);
    }
}

TEST_F(FlowStats, AreTheSameBitsEachTime) {
    const auto words = [&] {
        Graph g = graph();
        const Flow flow{.dims = {700, 900, 1}, .cells = noisy({700, 900, 1}, 8)};
        g.output("numbers", g.add(FluidStats{.field = field(g, flow)}).numbers);
        return run(std::move(g)).buffer<std::uint32_t>("numbers");
    };
    const auto once = words();
    ASSERT_EQ(once.size(), passes::kFluidNumbers);
    EXPECT_EQ(words(), once);
}

TEST_F(FlowStats, KeepTheNumbersOfTheLastExecutions) {
    Graph g = graph();
    const Flow initial = vortex(32, 0.4);
    const SimpleFluid fluid{.initial = buffer_of(g, "initial", initial.cells),
                            .dims = initial.dims,
                            .steps = 3,
                            .boundary = initial.boundary};
    const FluidField field = g.add(fluid).field;
    const FluidStats stats = g.add(FluidStats{.field = field, .kept = 4});
    g.output("numbers", stats.numbers);
    g.output("speeds", stats.speeds);
    g.output("masses", stats.masses);
    g.output("energies", stats.energies);
    g.output("divergences", stats.divergences);
    g.output("curls", stats.curls);
    const FluidStats now = g.add(FluidStats{.field = field}, "now");
    g.output("energy", now.energies);
    Running running = start(std::move(g));
    std::vector<FluidReport> all;
    for (std::size_t execution = 0; running && execution < 6; ++execution) {
        running.execute();
        all.push_back(FluidReport::read(running.buffer<std::uint32_t>("numbers")));
        const auto expect_series = [&](const std::string& name, float FluidReport::*number) {
            const auto series = running.buffer<float>(name);
            ASSERT_EQ(series.size(), 4u) << name;
            for (std::size_t i = 0; i < 4; ++i) {
                const std::size_t of = execution + i; // 3 executions earlier at i = 0
                if (of < 3)
                    EXPECT_TRUE(std::isnan(series[i])) << name << ' ' << i;
                else
                    EXPECT_EQ(series[i], all[of - 3].*number) << name << ' ' << i;
            }
        };
        expect_series("speeds", &FluidReport::speed);
        expect_series("masses", &FluidReport::mass);
        expect_series("energies", &FluidReport::energy);
        expect_series("divergences", &FluidReport::divergence);
        expect_series("curls", &FluidReport::curl);
        EXPECT_THAT(running.buffer<float>("energy"), ElementsAre(all.back().energy));
    }
    // The vortex loses energy; sound is sqrt(stiffness / dt).
    ASSERT_EQ(all.size(), 6u);
    EXPECT_LT(all[5].energy, all[0].energy);
    EXPECT_NEAR(all[0].mach, double{all[0].speed} / std::sqrt(0.2 / 0.15), 1e-6);
}

TEST_F(FlowStats, WarnOfFlowsThatAreTooFastAndOfCellsThatAreNotFinite) {
    const auto codes = [&](float speed, float bad) {
        Graph g = graph();
        Flow flow{.dims = {8, 8, 1}, .cells = Cells(64, glm::vec4(speed, 0, 0, 0)), .sound = 2.0f};
        flow.cells[9].x = bad;
        g.output("numbers", g.add(FluidStats{.field = field(g, flow)}, "stats").numbers);
        Running running = run(std::move(g));
        std::vector<std::string> found;
        const auto warnings = running->warnings();
        if (!warnings) return found;
        for (const Diagnostic& warning : *warnings)
            found.push_back(warning.code);
        return found;
    };
    EXPECT_THAT(codes(0.9f, 0.9f), ElementsAre());
    EXPECT_THAT(codes(1.1f, 0.9f), ElementsAre("fluid/mach"));
    EXPECT_THAT(codes(0.9f, kInfinite), ElementsAre("fluid/diverged"));
    EXPECT_THAT(codes(1.1f, kNan), ElementsAre("fluid/mach", "fluid/diverged"));
}

TEST_F(FlowStats, AreRefusedWithoutAFlowOrWithNothingKept) {
    const auto code_of = [&](bool connected, std::uint32_t kept) {
        Graph g = graph();
        FluidStats stats{.kept = kept};
        if (connected)
            stats.field = field(g, {.dims = {4, 4, 1}, .cells = Cells(16, glm::vec4(0))});
        static_cast<void>(g.add(stats));
        const Diagnostics found = std::move(g).finish().diagnostics;
        return found.empty() ? std::string() : found.front().code;
    };
    EXPECT_EQ(code_of(true, 1), "");
    EXPECT_EQ(code_of(false, 1), "graph/unconnected");
    EXPECT_EQ(code_of(true, 0), "pass/out-of-range");
    EXPECT_EQ(code_of(true, 70'000), "pass/out-of-range");
}

} // namespace
} // namespace tuff
