#include "passes/fluid/stable.hpp"
#include "passes/solver/poisson.hpp"
#include "tests/gpu/fluid/fluid_test.hpp"

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

/// The incompressible fluid on a staggered grid.
namespace tuff {
namespace {

using passes::FluidBoundary;
using passes::FluidFace;
using passes::SolidMotion;
using passes::StableFluid;
using testing_gpu::all_faces;
using testing_gpu::Cells;
using testing_gpu::Noise;
using testing_gpu::Running;
using testing_gpu::SolidAt;

class StableFluids : public testing_gpu::FluidTest {
  protected:
    struct Result {
        Cells faces, centers, dye;
        passes::FluidStatus status;
        passes::PoissonReport solver;
    };
    struct Case {
        StableFluid pass;
        Cells initial = {};
        SolidAt solid = {};
        SolidMotion motion = {};
    };
    /// Several at once: each kernel is compiled once.
    std::vector<Result> after(const std::vector<Case>& cases, unsigned executions) {
        Graph g = graph();
        for (std::size_t i = 0; i < cases.size(); ++i) {
            const std::string name = std::to_string(i);
            StableFluid pass = cases[i].pass;
            if (!cases[i].initial.empty()) pass.initial = buffer_of(g, "initial", cases[i].initial);
            if (cases[i].solid) pass.obstacles = obstacles_of(g, pass.dims, cases[i].solid);
            pass.obstacles.motion = cases[i].motion;
            const StableFluid added = g.add(pass, "fluid" + name);
            output(g, "faces" + name, added.faces);
            output(g, "centers" + name, added.field.cells);
            output(g, "dye" + name, added.dye.cells);
            output(g, "solver" + name, added.solver_status);
            g.output("status" + name, added.field.status);
        }
        Running running = run(std::move(g), executions);
        std::vector<Result> results(cases.size());
        for (std::size_t i = 0; running && i < cases.size(); ++i) {
            const std::string name = std::to_string(i);
            results[i] = {
                .faces = vectors(running.buffer<float>("faces" + name), cases[i].pass.dims),
                .centers = running.buffer<glm::vec4>("centers" + name),
                .dye = running.buffer<glm::vec4>("dye" + name),
                .status = passes::FluidStatus::read(running.buffer<std::uint32_t>("status" + name)),
                .solver =
                    passes::PoissonReport::read(running.buffer<std::uint32_t>("solver" + name))};
        }
        return results;
    }
    Result after(const StableFluid& pass, const Cells& initial, const SolidAt& solid,
                 unsigned executions) {
        return after({{pass, initial, solid}}, executions)[0];
    }
    /// A vec4 a cell from an array for each axis.
    static Cells vectors(const std::vector<float>& values, glm::uvec3 dims) {
        Cells cells(std::size_t{dims.x} * dims.y * dims.z, glm::vec4(0.0f));
        for (std::size_t i = 0; i < values.size(); ++i)
            cells[i % cells.size()][static_cast<int>(i / cells.size())] = values[i];
        return cells;
    }
    /// The greatest divergence of any cell that is not solid, and not at a side whose face is not
    /// among those of cells.
    static double greatest_divergence(const Cells& faces, glm::uvec3 dims,
                                      const FluidBoundary& boundary, const SolidAt& solid) {
        const std::array<bool, 3> periodic{boundary.left == FluidFace::periodic,
                                           boundary.bottom == FluidFace::periodic,
                                           boundary.back == FluidFace::periodic};
        const std::array<FluidFace, 3> high_sides{boundary.right, boundary.top, boundary.front};
        double most = 0.0;
        for (std::size_t i = 0; i < faces.size(); ++i) {
            const glm::ivec3 p = place_of(i, dims);
            if (solid && solid(p)) continue;
            double sum = 0.0;
            for (int axis = 0; axis < (dims.z == 1 ? 2 : 3); ++axis) {
                const int size = static_cast<int>(dims[axis]);
                glm::ivec3 q = p;
                q[axis] += 1;
                double high = 0.0;
                const bool at_end = q[axis] >= size;
                if (at_end && high_sides[static_cast<std::size_t>(axis)] == FluidFace::open) {
                    sum = 0.0;
                    break;
                }
                if (at_end && high_sides[static_cast<std::size_t>(axis)] == FluidFace::inflow)
                    high = double{boundary.inflow[axis]};
                if (!at_end || periodic[static_cast<std::size_t>(axis)]) {
                    q[axis] %= size;
                    const glm::ivec3 d(dims);
                    high = double{
                        faces[static_cast<std::size_t>((q.z * d.y + q.y) * d.x + q.x)][axis]};
                }
                sum += high - double{faces[i][axis]};
            }
            most = std::max(most, std::abs(sum));
        }
        return most;
    }
};

TEST_F(StableFluids, HaveNoDivergenceAndDoNotFlowThroughSolids) {
    TUFF_ONLY_ON(lavapipe);
    struct Sized {
        glm::uvec3 dims;
        FluidBoundary boundary;
        bool blocked;
    };
    const FluidBoundary tunnel{.left = FluidFace::periodic, .right = FluidFace::periodic};
    const Sized sizes[] = {{{36, 25, 1}, tunnel, true},
                           {{13, 11, 12}, tunnel, true},
                           {{24, 24, 1}, all_faces(FluidFace::periodic), false}};
    std::vector<Case> cases;
    for (const auto& [dims, boundary, blocked] : sizes) {
        Noise noise(4);
        const glm::vec3 middle = 0.5f * glm::vec3(dims);
        const SolidAt solid = [=](glm::ivec3 p) {
            return glm::distance(glm::vec3(p) + 0.5f, middle) < 4.0f;
        };
        const Cells initial = cells_of(dims, [&](glm::ivec3) {
            return glm::vec4(noise(), noise(), dims.z > 1 ? noise() : 0.0f, 0.0f);
        });
        cases.push_back(
            {{.dims = dims, .dt = 0.5f, .boundary = boundary, .tolerance = 1e-5f, .max_cycles = 12},
             initial,
             blocked ? solid : SolidAt{}});
    }
    const std::vector<Result> results = after(cases, 1);
    for (std::size_t k = 0; k < cases.size(); ++k) {
        SCOPED_TRACE(k);
        const Result& got = results[k];
        const auto& [dims, boundary, blocked] = sizes[k];
        const SolidAt& solid = cases[k].solid;
        ASSERT_EQ(got.faces.size(), cases[k].initial.size());
        EXPECT_LT(greatest_divergence(got.faces, dims, boundary, solid), 1e-3);
        float fastest = 0.0f;
        for (std::size_t i = 0; i < got.faces.size(); ++i) {
            const glm::ivec3 p = place_of(i, dims);
            fastest = std::max(fastest, glm::length(got.faces[i]));
            if (blocked && solid(p)) {
                EXPECT_EQ(got.faces[i], glm::vec4(0.0f));
                EXPECT_EQ(got.centers[i].w, 0.0f);
            }
        }
        EXPECT_GT(fastest, 0.1f);
    }
}

TEST_F(StableFluids, FlowRoundASolidAsItMoves) {
    TUFF_ONLY_ON(lavapipe);
    // A ball that moves and turns in a closed box drives all that is around it.
    std::vector<Case> cases;
    for (const glm::uvec3 dims : {glm::uvec3(26, 21, 1), glm::uvec3(13, 14, 12)}) {
        const glm::vec3 middle = 0.5f * glm::vec3(dims);
        const SolidAt solid = [=](glm::ivec3 p) {
            return glm::distance(glm::vec3(p) + 0.5f, middle) < 4.0f;
        };
        const SolidMotion motion{.velocity = {0.5f, 0.25f, dims.z == 1 ? 0.0f : -0.5f},
                                 .spin = {0.0f, 0.0f, 0.1f},
                                 .pivot = middle};
        cases.push_back({{.dims = dims, .tolerance = 1e-5f, .max_cycles = 12}, {}, solid, motion});
    }
    const std::vector<Result> results = after(cases, 1);
    for (std::size_t k = 0; k < cases.size(); ++k) {
        const auto& [pass, initial, solid, motion] = cases[k];
        const Result& got = results[k];
        const glm::uvec3 dims = pass.dims;
        const bool flat = dims.z == 1;
        ASSERT_EQ(got.faces.size(), std::size_t{dims.x} * dims.y * dims.z);
        EXPECT_LT(greatest_divergence(got.faces, dims, pass.boundary, solid), 1e-3);
        double fastest_below = 0.0;
        for (std::size_t i = 0; i < got.faces.size(); ++i) {
            const glm::ivec3 p = place_of(i, dims);
            if (p.y < 5) fastest_below = std::max(fastest_below, std::abs(double{got.faces[i].x}));
            for (int axis = 0; axis < (flat ? 2 : 3); ++axis) {
                glm::ivec3 low = p;
                low[axis] -= 1;
                if (!solid(p) && !solid(low)) continue;
                glm::vec3 face = glm::vec3(p) + 0.5f;
                face[axis] -= 0.5f;
                const glm::vec3 wanted =
                    motion.velocity + glm::cross(motion.spin, face - motion.pivot);
                ASSERT_NEAR(got.faces[i][axis], wanted[axis], 1e-5f) << i << ' ' << axis;
            }
        }
        EXPECT_GT(fastest_below, 0.02); // far from it too
    }
}

TEST_F(StableFluids, LetAsMuchOutAsComesIn) {
    TUFF_ONLY_ON(lavapipe);
    // Past a ball in a channel the flux is the same through every cross-section; a plug without.
    struct Channel {
        glm::uvec3 dims;
        FluidBoundary boundary;
        int axis;
        bool blocked;
    };
    const Channel channels[] = {
        {{28, 14, 1},
         {.left = FluidFace::inflow, .right = FluidFace::open, .inflow = {0.75f, 0, 0}},
         0,
         true},
        {{13, 22, 1},
         {.bottom = FluidFace::open, .top = FluidFace::inflow, .inflow = {0, -0.5f, 0}},
         1,
         true},
        {{9, 9, 14},
         {.left = FluidFace::periodic,
          .right = FluidFace::periodic,
          .back = FluidFace::inflow,
          .front = FluidFace::open,
          .inflow = {0, 0, 0.5f}},
         2,
         true},
        {{24, 9, 1},
         {.left = FluidFace::inflow, .right = FluidFace::open, .inflow = {0.75f, 0, 0}},
         0,
         false}};
    std::vector<Case> cases;
    for (const auto& [dims, boundary, axis, blocked] : channels) {
        const glm::vec3 middle = 0.5f * glm::vec3(dims) + 0.3f;
        const SolidAt solid = [=](glm::ivec3 p) {
            return glm::distance(glm::vec3(p) + 0.5f, middle) < 3.5f;
        };
        cases.push_back({{.dims = dims, .boundary = boundary, .tolerance = 1e-5f, .max_cycles = 12},
                         {},
                         blocked ? solid : SolidAt{}});
    }
    const std::vector<Result> results = after(cases, 2);
    for (std::size_t k = 0; k < cases.size(); ++k) {
        const auto& [dims, boundary, axis, blocked] = channels[k];
        const Result& got = results[k];
        ASSERT_EQ(got.faces.size(), std::size_t{dims.x} * dims.y * dims.z);
        EXPECT_LT(greatest_divergence(got.faces, dims, boundary, cases[k].solid), 1e-3);
        std::vector<double> flux(dims[axis]);
        for (std::size_t i = 0; i < got.faces.size(); ++i)
            flux[static_cast<std::size_t>(place_of(i, dims)[axis])] += double{got.faces[i][axis]};
        const double area = static_cast<double>(got.faces.size()) / dims[axis];
        const double wind = double{boundary.inflow[axis]};
        for (std::size_t at = 0; at < flux.size(); ++at)
            EXPECT_NEAR(flux[at], wind * area, 1e-3 * area) << "axis " << axis << " at " << at;
        for (const glm::vec4& cell : got.centers) {
            if (blocked) continue;
            ASSERT_LT(glm::distance(cell, glm::vec4(boundary.inflow, 0.0f)), 1e-3f);
        }
    }
}

TEST_F(StableFluids, AreSteadyInAPocketThatSolidsEnclose) {
    TUFF_ONLY_ON(lavapipe);
    const glm::uvec3 dims(36, 24, 1);
    // Two rooms: in the right one an emitter, in the left one another.
    const SolidAt wall = [](glm::ivec3 p) { return p.x >= 11 && p.x < 13; };
    const auto emitter = [](float x) {
        return passes::EmitterShape{.position = {x, 12, 0},
                                    .radius = 3.0f,
                                    .velocity = {0.3f, 0.6f, 0},
                                    .rate = 5.0f,
                                    .dye = {1, 1, 1, 1}};
    };
    StableFluid pass{.emitters = {emitter(6), emitter(24)}, .dims = dims};
    pass.tolerance = 1e-5f;
    pass.max_cycles = 12;
    StableFluid with_outlet = pass;
    with_outlet.boundary = {.right = FluidFace::open, .inflow = {}};
    // The wall moves: one room has to grow and the other one to shrink, which it cannot.
    const std::vector<Result> results = after(
        {{pass, {}, wall}, {with_outlet, {}, wall}, {pass, {}, wall, {.velocity = {0.25f, 0, 0}}}},
        3);
    for (const bool open : {false, true}) {
        const Result& got = results[open ? 1 : 0];
        ASSERT_EQ(got.faces.size(), std::size_t{36} * 24);
        EXPECT_LT(
            greatest_divergence(got.faces, dims, open ? with_outlet.boundary : pass.boundary, wall),
            1e-3)
            << open;
        EXPECT_EQ(got.solver.status, passes::PoissonStatus::converged) << open;
    }
    const Result& pushed = results[2];
    double fastest = 0.0;
    for (const glm::vec4& cell : pushed.faces)
        fastest = std::max({fastest, std::abs(double{cell.x}), std::abs(double{cell.y})});
    EXPECT_LT(fastest, 10.0);
    EXPECT_FALSE(pushed.solver.warnings().empty());
}

TEST_F(StableFluids, LeaveAFlowThatHasNoDivergenceAndGoNowhereAlone) {
    TUFF_ONLY_ON(lavapipe);
    // Uniform flow in an endless box stays, with the steps of any length.
    for (const glm::uvec3 dims : {glm::uvec3(16, 20, 1), glm::uvec3(8, 10, 12)}) {
        const glm::vec4 wind(0.75f, -0.5f, dims.z > 1 ? 0.25f : 0.0f, 0.0f);
        const StableFluid pass{
            .dims = dims, .dt = 7.3f, .boundary = all_faces(FluidFace::periodic)};
        const Cells initial(std::size_t{dims.x} * dims.y * dims.z, wind);
        const Result got = after(pass, initial, {}, 4);
        ASSERT_EQ(got.faces.size(), initial.size());
        for (const glm::vec4& cell : got.faces)
            EXPECT_LT(glm::distance(cell, wind), 1e-5f);
        for (const glm::vec4& cell : got.centers)
            EXPECT_LT(glm::distance(cell, wind), 1e-5f);
    }
}

TEST_F(StableFluids, LoseLessEnergyOfATaylorGreenVortexOnFinerGrids) {
    TUFF_ONLY_ON(lavapipe);
    const auto kept = [&](int side) {
        const double k = 2.0 * std::numbers::pi / side;
        const auto vortex = [&](glm::ivec3 p) {
            return glm::vec4(0.5 * std::sin(k * p.x) * std::cos(k * (p.y + 0.5)),
                             -0.5 * std::cos(k * (p.x + 0.5)) * std::sin(k * p.y), 0.0, 0.0);
        };
        const auto dims = glm::uvec3(side, side, 1);
        const Cells initial = cells_of(dims, vortex);
        StableFluid pass{.dims = dims, .boundary = all_faces(FluidFace::periodic)};
        pass.tolerance = 1e-5f;
        pass.max_cycles = 20;
        const Result got = after(pass, initial, {}, 8);
        double before = 0.0, now = 0.0;
        for (std::size_t i = 0; i < got.faces.size(); ++i) {
            before += double{glm::dot(initial[i], initial[i])};
            now += double{glm::dot(got.faces[i], got.faces[i])};
        }
        return now / before;
    };
    const double coarse = kept(24);
    const double fine = kept(48);
    EXPECT_GT(coarse, 0.7);
    EXPECT_LT(fine, 1.0 + 1e-4);
    EXPECT_LT(1.0 - fine, 0.5 * (1.0 - coarse));
}

TEST_F(StableFluids, GoOnFromExecutionToExecutionAndStayFinite) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    StableFluid pass{.emitters = {{.position = {8, 12, 0},
                                   .radius = 3.0f,
                                   .velocity = {0, 1, 0},
                                   .rate = 5.0f,
                                   .dye = {1, 1, 1, 1}}},
                     .dims = {24, 32, 1},
                     .gravity = {0.0f, -0.01f, 0.0f},
                     .force = {.confinement = 0.1f, .buoyancy = {0.0f, 0.05f, 0.0f}}};
    const auto carried = [](const Result& result) {
        double sum = 0.0;
        for (const glm::vec4& cell : result.dye)
            sum += double{cell.x};
        return sum;
    };
    const Result once = after(pass, {}, {}, 1);
    const Result later = after(pass, {}, {}, 5);
    EXPECT_GT(carried(later), 1.1 * carried(once));
    pass.reset = true;
    EXPECT_EQ(after(pass, {}, {}, 3).faces, once.faces);

    Cells bad(24 * 32, glm::vec4(0.0f));
    bad[100].x = nan;
    pass.reset = false;
    const Result mended = after(pass, bad, {}, 2);
    EXPECT_EQ(after(pass, bad, {}, 1).status.warnings().size(), 1u);
    for (const glm::vec4& cell : mended.faces)
        ASSERT_TRUE(std::isfinite(cell.x) && std::isfinite(cell.y));
    // Solid all over: nothing moves, and nothing breaks.
    const Result full = after(
        pass, {}, [](glm::ivec3) { return true; }, 2);
    EXPECT_EQ(std::ranges::count(full.faces, glm::vec4(0.0f)), 24 * 32);

    pass.boundary.left = FluidFace::inflow;
    pass.boundary.inflow = {0.5f, 0.0f, 0.0f};
    Graph g = graph();
    (void)g.add(pass);
    const Diagnostics found = std::move(g).finish().diagnostics;
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].code, "fluid/no-outlet");
}

} // namespace
} // namespace tuff
