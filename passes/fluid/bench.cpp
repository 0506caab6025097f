#include "apps/bench/checks.hpp"
#include "passes/fluid/advect.hpp"
#include "passes/fluid/stable.hpp"
#include "passes/fluid/stats.hpp"
#include "passes/fluid/step.hpp"

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/packing.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <span>

namespace tuff::bench {
namespace {

using passes::FluidAdvect;
using passes::FluidFace;
using passes::FluidField;
using passes::FluidMethod;
using passes::FluidReport;
using passes::FluidStats;
using passes::FluidStep;
using passes::StableFluid;

constexpr passes::FluidBoundary kEndless{.left = FluidFace::periodic,
                                         .right = FluidFace::periodic,
                                         .bottom = FluidFace::periodic,
                                         .top = FluidFace::periodic,
                                         .back = FluidFace::periodic,
                                         .front = FluidFace::periodic};

/// A state of every cell, and how a check looks at it.
struct State {
    Input<glm::vec4> cells;
    glm::uvec3 dims{1};

    glm::dvec4 at(glm::ivec3 p) const {
        const glm::ivec3 d(dims);
        p = (p % d + d) % d;
        return glm::dvec4(
            cells.values()[static_cast<std::size_t>((std::int64_t{p.z} * d.y + p.y) * d.x + p.x)]);
    }
};

State noisy(CaseBuilder& c, glm::uvec3 dims) {
    const auto value = [&](std::uint64_t i) {
        const float z = dims.z > 1 ? hash_unit(4 * i + 2) - 0.5f : 0.0f;
        return glm::vec4(hash_unit(4 * i) - 0.5f, hash_unit(4 * i + 1) - 0.5f, z,
                         0.2f * hash_unit(4 * i + 3) - 0.1f);
    };
    return {c.input<glm::vec4>("state", std::uint64_t{dims.x} * dims.y * dims.z, value), dims};
}

/// The largest cube of at most so many cells with sides of a power of two.
std::uint32_t cube_side(std::uint64_t cells) {
    std::uint32_t side = 1;
    while (8ull * side * side * side <= cells)
        side *= 2;
    return side;
}

/// The density after a step, which only looks at the state before, in double precision; the
/// velocities are compared with the reference in the tests.
double next_density(const State& before, const passes::FluidSolverParameters& solver,
                    glm::ivec3 p) {
    const glm::dvec4 own = before.at(p);
    double flow = 0.0;
    for (int axis = 0; axis < (before.dims.z == 1 ? 2 : 3); ++axis) {
        glm::ivec3 along(0);
        along[axis] = 1;
        const glm::dvec4 low = before.at(p - along);
        const glm::dvec4 high = before.at(p + along);
        const glm::dvec4 across = 0.5 * (high - low);
        flow += across.w * own[axis] + (1.0 + own.w) * across[axis];
        if (solver.method == FluidMethod::two_stage)
            flow -= double{solver.viscosity} * (low.w + high.w - 2.0 * own.w);
    }
    return own.w - double{solver.dt} * flow;
}

float density_of(glm::vec4 cell) {
    return cell.w;
}
float density_of(glm::uvec2 cell) { // of a state of 16 bits
    return glm::unpackHalf2x16(cell.y).y;
}

template <typename Cell>
void check_densities(CaseBuilder& c, Buffer after, const State& before,
                     const passes::FluidSolverParameters& solver, double tolerance) {
    c.check<Cell>("cells", after, [=](std::span<const Cell> got) -> Verdict {
        const std::uint64_t count = before.cells.values().size();
        if (got.size() != count) return std::unexpected("there are too few cells");
        const glm::uvec3 d = before.dims;
        for (std::uint64_t k = 0; k < std::min<std::uint64_t>(count, 1u << 14); ++k) {
            const std::uint64_t i = k * 2'654'435'761u % count;
            const glm::ivec3 p(static_cast<int>(i % d.x), static_cast<int>(i / d.x % d.y),
                               static_cast<int>(i / (std::uint64_t{d.x} * d.y)));
            const double wanted = next_density(before, solver, p);
            const double density = density_of(got[i]);
            if (!near(density, wanted, {.absolute = tolerance}))
                return std::unexpected(
                    fmt::format("the density of cell {} is {} instead of {}", i, density, wanted));
        }
        return {};
    });
}

/// With `as_part` by the form of the kernel that ranks have for parts of a field; here the part is
/// all of it.
void step(CaseBuilder& c, FluidMethod method, bool flat, bool as_part) {
    const std::uint32_t side = flat ? c.side() : cube_side(c.size());
    const State before = noisy(c, {side, side, flat ? 1 : side});
    const passes::FluidPart whole{.cells = glm::ivec3(before.dims)};
    const FluidStep pass{.before = {.cells = before.cells.buffer,
                                    .dims = before.dims,
                                    .part = as_part ? whole : passes::FluidPart{},
                                    .boundary = kEndless},
                         .solver = {.method = method, .viscosity = 0.25f},
                         .boundary = kEndless};
    const Buffer after = c.add(pass, "measured").after.cells;
    c.time_only("measured/");
    check_densities<glm::vec4>(c, after, before, pass.solver, 1e-6);
}

/// Two steps by one kernel, to the bits of one after the other.
void two_steps(CaseBuilder& c, FluidMethod method) {
    const std::uint32_t side = c.side();
    const State before = noisy(c, {side, side, 1});
    const FluidStep pass{
        .before = {.cells = before.cells.buffer, .dims = before.dims, .boundary = kEndless},
        .solver = {.method = method, .viscosity = 0.25f},
        .boundary = kEndless};
    FluidStep both = pass;
    both.steps = 2;
    const Buffer fused = c.add(both, "measured").after.cells;
    FluidStep second = pass;
    second.before = c.graph().add(pass, "first").after;
    const Buffer wanted = c.graph().add(second, "second").after.cells;
    c.time_only("measured/");
    c.output("fused", fused);
    c.output("wanted", wanted);
    c.check([](CaseResults& results) -> Verdict {
        const auto got = results.read<glm::uvec4>("fused");
        const auto expected = results.read<glm::uvec4>("wanted");
        if (!got.empty() && std::ranges::equal(got, expected)) return {};
        return std::unexpected("two steps at once are not one after the other");
    });
}

/// A step of a state of 16 bits, whose rounding the densities' tolerance allows for.
void half_step(CaseBuilder& c, bool flat) {
    const std::uint32_t side = flat ? c.side() : cube_side(c.size());
    const glm::uvec3 dims(side, side, flat ? 1 : side);
    const State exact = noisy(c, dims);
    const auto packed = [&](std::uint64_t i) {
        const glm::vec4 cell = exact.cells.values()[i];
        return glm::uvec2(glm::packHalf2x16(cell), glm::packHalf2x16({cell.z, cell.w}));
    };
    const auto state = c.input<glm::uvec2>("half", exact.cells.values().size(), packed);
    const FluidStep pass{.before = {.cells = state.buffer,
                                    .dims = dims,
                                    .boundary = kEndless,
                                    .precision = passes::FluidPrecision::half},
                         .solver = {.viscosity = 0.25f},
                         .boundary = kEndless};
    const Buffer after = c.add(pass, "measured").after.cells;
    c.time_only("measured/");
    check_densities<glm::uvec2>(c, after, exact, pass.solver, 5e-4);
}

/// A Taylor-Green vortex of 64^2 or 128^2 cells, and all steps of it in one execution: how fast
/// small fields are, and whether they lose the energy that they should. The shares of it that are
/// left were measured in single precision apart from this project.
void many_steps(CaseBuilder& c, std::uint32_t at_once) {
    constexpr std::uint32_t kSteps = 400;
    constexpr float kViscosity = 0.55f;
    const std::uint32_t side = c.side() < 128 ? 64 : 128;
    const double left = side == 64 ? 0.237 : 0.686;
    const double k = 2.0 * std::numbers::pi / side;
    const auto vortex = [=](std::uint64_t i) {
        const double x = k * (static_cast<double>(i % side) + 0.5);
        const double y = k * (static_cast<double>(i / side) + 0.5);
        return glm::vec4(0.5 * std::sin(x) * std::cos(y), -0.5 * std::cos(x) * std::sin(y), 0, 0);
    };
    const auto start = c.input<glm::vec4>("vortex", std::uint64_t{1} * side * side, vortex);
    const FluidField before{
        .cells = start.buffer, .dims = glm::uvec3(side, side, 1), .boundary = kEndless};
    const FluidField after =
        c.graph().repeat("step", kSteps / at_once, before, [&](const FluidField& now, auto) {
            return c
                .add(FluidStep{.before = now,
                               .solver = {.method = FluidMethod::printed, .viscosity = kViscosity},
                               .boundary = kEndless,
                               .steps = at_once})
                .after;
        });
    c.check<glm::vec4>("cells", after.cells, [=](std::span<const glm::vec4> got) -> Verdict {
        const auto energy = [](std::span<const glm::vec4> cells) {
            double sum = 0.0;
            for (const glm::vec4& cell : cells)
                sum += glm::dot(glm::dvec2(cell), glm::dvec2(cell));
            return sum;
        };
        const double share = energy(got) / energy(start.values());
        if (near(share, left, {.relative = 0.01})) return {};
        return std::unexpected(
            fmt::format("{:.4f} of the energy is left instead of {}", share, left));
    });
}

/// What MacCormack's method makes of a dye in an even wind, by its definition.
struct WindReference {
    State before;
    glm::dvec3 way; ///< of the step, cells

    /// Of the cells around a place: `visit(cell, share)`.
    static void around(glm::dvec3 place, int corners, const auto& visit) {
        const glm::dvec3 low = glm::floor(place);
        const glm::dvec3 part = place - low;
        for (int i = 0; i < corners; ++i) {
            const glm::ivec3 side(i & 1, i >> 1 & 1, i >> 2);
            const glm::dvec3 share = glm::mix(1.0 - part, part, glm::dvec3(side));
            visit(glm::ivec3(low) + side, share.x * share.y * (corners == 8 ? share.z : 1.0));
        }
    }
    int corners() const { return before.dims.z == 1 ? 4 : 8; }
    glm::dvec4 forth(glm::ivec3 p) const {
        glm::dvec4 sum(0.0);
        around(glm::dvec3(p) - way, corners(),
               [&](glm::ivec3 q, double share) { sum += share * before.at(q); });
        return sum;
    }
    glm::dvec4 operator()(glm::ivec3 p) const {
        glm::dvec4 back(0.0);
        around(glm::dvec3(p) + way, corners(),
               [&](glm::ivec3 q, double share) { back += share * forth(q); });
        glm::dvec4 least(1e9), most(-1e9);
        around(glm::dvec3(p) - way, corners(), [&](glm::ivec3 q, double) {
            least = glm::min(least, before.at(q));
            most = glm::max(most, before.at(q));
        });
        return glm::clamp(forth(p) + 0.5 * (before.at(p) - back), least, most);
    }
};

void carry(CaseBuilder& c, bool flat) {
    const std::uint32_t side = flat ? c.side() : cube_side(c.size());
    const glm::uvec3 dims(side, side, flat ? 1 : side);
    const glm::vec3 wind(0.75f, -0.625f, flat ? 0.0f : 0.25f);
    const auto flow = c.input<glm::vec4>("flow", std::uint64_t{side} * side * dims.z,
                                         [=](std::uint64_t) { return glm::vec4(wind, 0.0f); });
    const State before = noisy(c, dims);
    const FluidAdvect pass{
        .field = {.cells = flow.buffer, .dims = dims, .boundary = kEndless, .elapsed = 1.0f},
        .before = {.cells = before.cells.buffer, .dims = dims, .scale = 1}};
    const Buffer after = c.add(pass, "measured").after.cells;
    c.time_only("measured/");
    c.check<glm::vec4>("cells", after, [=](std::span<const glm::vec4> got) -> Verdict {
        const WindReference wanted{before, wind};
        const std::uint64_t count = before.cells.values().size();
        if (got.size() != count) return std::unexpected("there are too few cells");
        for (std::uint64_t k = 0; k < std::min<std::uint64_t>(count, 1u << 12); ++k) {
            const std::uint64_t i = k * 2'654'435'761u % count;
            const glm::ivec3 p(static_cast<int>(i % side), static_cast<int>(i / side % side),
                               static_cast<int>(i / (std::uint64_t{side} * side)));
            const double value = std::max(wanted(p).w, 0.0);
            if (!near(static_cast<double>(got[i].w), value, {.absolute = 1e-5}))
                return std::unexpected(
                    fmt::format("the dye of cell {} is {} instead of {}", i, got[i].w, value));
        }
        return {};
    });
}

void project(CaseBuilder& c) {
    const std::uint32_t side = cube_side(c.size());
    const State before = noisy(c, glm::uvec3(side));
    const StableFluid added = c.add(StableFluid{.initial = before.cells.buffer,
                                                .dims = before.dims,
                                                .dt = 0.5f,
                                                .reset = true,
                                                .boundary = kEndless,
                                                .tolerance = 1e-3f,
                                                .max_cycles = 3}); // all of them are taken
    const Buffer faces =
        c.graph().copy(added.faces, c.graph().buffer("kept", c.graph().desc(added.faces)));
    c.time_only("stable/");
    c.check<float>("faces", faces, [=](std::span<const float> got) -> Verdict {
        const std::size_t cells = before.cells.values().size();
        if (got.size() != 3 * cells) return std::unexpected("there are too few faces");
        const auto at = [&](glm::uvec3 p) {
            p %= side;
            const std::size_t i = (std::size_t{p.z} * side + p.y) * side + p.x;
            return glm::dvec3(got[i], got[cells + i], got[2 * cells + i]);
        };
        double square = 0.0;
        double speed = 0.0;
        for (std::uint64_t i = 0; i < cells; ++i) {
            const glm::uvec3 p(i % side, i / side % side, i / (std::uint64_t{side} * side));
            const glm::dvec3 own = at(p);
            const double divergence = at(p + glm::uvec3(1, 0, 0)).x - own.x +
                                      at(p + glm::uvec3(0, 1, 0)).y - own.y +
                                      at(p + glm::uvec3(0, 0, 1)).z - own.z;
            square += divergence * divergence;
            speed += own.x * own.x + own.y * own.y + own.z * own.z;
        }
        if (!(std::sqrt(square) < 5e-3 * std::sqrt(speed)))
            return std::unexpected(fmt::format("the divergence is {} of the speed",
                                               std::sqrt(square / std::max(speed, 1e-30))));
        return {};
    });
}

void stats(CaseBuilder& c, bool flat) {
    const std::uint32_t side = flat ? c.side() : cube_side(c.size());
    const State flow = noisy(c, {side, side, flat ? 1 : side});
    const Buffer numbers =
        c.add(FluidStats{
                  .field = {.cells = flow.cells.buffer, .dims = flow.dims, .boundary = kEndless}})
            .numbers;
    c.check<std::uint32_t>(
        "numbers", numbers, [=](std::span<const std::uint32_t> words) -> Verdict {
            if (words.size() != passes::kFluidNumbers) return std::unexpected("there are too few");
            const FluidReport got = FluidReport::read(words);
            double mass = 0.0, mass_magnitudes = 0.0, energy = 0.0;
            for (const glm::vec4& cell : flow.cells.values()) {
                const glm::dvec4 own(cell);
                mass += own.w;
                mass_magnitudes += std::abs(own.w);
                energy += 0.5 * (1.0 + own.w) * glm::dot(glm::dvec3(own), glm::dvec3(own));
            }
            if (!near(static_cast<double>(got.mass), mass, {.absolute = 1e-6 * mass_magnitudes}))
                return std::unexpected(fmt::format("the mass is {} instead of {}", got.mass, mass));
            if (!near(static_cast<double>(got.energy), energy, {.relative = 1e-6}))
                return std::unexpected(
                    fmt::format("the energy is {} instead of {}", got.energy, energy));
            if (got.cells == static_cast<float>(flow.cells.values().size())) return {};
            return std::unexpected(fmt::format("{} cells are counted", got.cells));
        });
}

} // namespace

void add_fluid_cases(CaseList& cases) {
    const std::string step_pass(FluidStep::kName);
    const auto add = [&](std::string name, FluidMethod method, bool flat, bool as_part = false) {
        cases.add({.pass = step_pass,
                   .name = std::move(name),
                   .build = [=](CaseBuilder& c) { step(c, method, flat, as_part); },
                   .least = 64,
                   .most = std::uint64_t{1} << 26,
                   .most_on_software = std::uint64_t{1} << 16});
    };
    add("2D two-stage", FluidMethod::two_stage, true);
    add("2D printed", FluidMethod::printed, true);
    add("3D two-stage", FluidMethod::two_stage, false);
    add("3D printed", FluidMethod::printed, false);
    add("2D two-stage as a part", FluidMethod::two_stage, true, true);
    add("3D two-stage as a part", FluidMethod::two_stage, false, true);
    const auto add_way = [&](std::string name, std::function<void(CaseBuilder&)> build) {
        cases.add({.pass = step_pass,
                   .name = std::move(name),
                   .build = std::move(build),
                   .least = 64,
                   .most = std::uint64_t{1} << 26,
                   .most_on_software = std::uint64_t{1} << 16});
    };
    add_way("2D two-stage two at once",
            [](CaseBuilder& c) { two_steps(c, FluidMethod::two_stage); });
    add_way("2D printed two at once", [](CaseBuilder& c) { two_steps(c, FluidMethod::printed); });
    add_way("2D half precision", [](CaseBuilder& c) { half_step(c, true); });
    add_way("3D half precision", [](CaseBuilder& c) { half_step(c, false); });
    for (const std::uint32_t at_once : {1u, 2u})
        cases.add({.pass = step_pass,
                   .name = at_once == 1 ? "2D 400 steps of a vortex"
                                        : "2D 400 steps of a vortex two at once",
                   .build = [=](CaseBuilder& c) { many_steps(c, at_once); },
                   .least = 1u << 12,
                   .most = 1u << 14});
    for (const bool flat : {true, false})
        cases.add({.pass = std::string(FluidAdvect::kName),
                   .name = flat ? "2D MacCormack" : "3D MacCormack",
                   .build = [=](CaseBuilder& c) { carry(c, flat); },
                   .least = 64,
                   .most = std::uint64_t{1} << 26,
                   .most_on_software = std::uint64_t{1} << 16});
    for (const bool flat : {true, false})
        cases.add({.pass = std::string(FluidStats::kName),
                   .name = flat ? "2D numbers" : "3D numbers",
                   .build = [=](CaseBuilder& c) { stats(c, flat); },
                   .least = 64,
                   .most = std::uint64_t{1} << 26,
                   .most_on_software = std::uint64_t{1} << 20});
    cases.add({.pass = std::string(StableFluid::kName),
               .name = "3D with projection",
               .build = project,
               .least = 512,
               .most = std::uint64_t{1} << 24,
               .most_on_software = std::uint64_t{1} << 12});
}

} // namespace tuff::bench
