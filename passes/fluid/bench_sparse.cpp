#include "apps/bench/checks.hpp"
#include "passes/fluid/sparse.hpp"
#include "passes/fluid/sparse_gather.hpp"

#include <algorithm>
#include <cmath>
#include <string>

/// Smoke in bricks: sizes are cells that are stepped.
namespace tuff::bench {
namespace {

using passes::FluidPrecision;
using passes::SmokeShape;
using passes::SmokeStatus;
using passes::SparseFluid;
using passes::SparseStatus;
using passes::SparseStorage;

/// Fills its boxes evenly, so that the bricks there stay active.
passes::SmokeEmitter filling(glm::vec3 low, glm::vec3 high) {
    return {.shape = SmokeShape::box,
            .position = 0.5f * (low + high),
            .size = 0.5f * (high - low),
            .force = {0.002f, 0.003f, -0.001f},
            .dye = glm::vec4(0.01f)};
}

void check_smoke(CaseBuilder& c, const SparseFluid& pass, std::uint32_t bricks) {
    c.output("status", pass.status);
    c.output("bricks", pass.brick_status);
    c.check([bricks](CaseResults& results) -> Verdict {
        const auto status = SmokeStatus::read(results.read<std::uint32_t>("status"));
        const auto active = SparseStatus::read(results.read<std::uint32_t>("bricks"));
        if (active.active_bricks != bricks || active.refused != 0)
            return std::unexpected(fmt::format("{} bricks are active", active.active_bricks));
        if (!(status.total_mass() > 0.0) || status.not_finite != 0)
            return std::unexpected("there is no smoke");
        results.set_remark(fmt::format("{} bricks", bricks));
        return {};
    });
}

SparseFluid smoke(FluidPrecision precision) {
    return {.expansion = {.ahead = 0.0f, .guard = 0, .least_dye = 1e-5f},
            .precision = precision,
            .iterations = 10,
            .confinement = 0.1f,
            .drag = 0.01f,
            .decay = glm::vec4(0.01f)};
}

/// A cube whose cells are all active.
void cube(CaseBuilder& c, SparseStorage storage, glm::uvec3 brick, FluidPrecision precision) {
    const auto side = static_cast<std::uint32_t>(std::cbrt(double(c.size())) + 1e-6);
    SparseFluid pass = smoke(precision);
    pass.dims = glm::uvec3(side);
    const glm::uvec3 grid = (pass.dims + brick - 1u) / brick;
    const bool dense = storage == SparseStorage::dense;
    const std::uint32_t bricks = dense ? 1 : grid.x * grid.y * grid.z;
    pass.parameters = {.brick = brick, .capacity = bricks, .storage = storage};
    pass.emitters = {filling(glm::vec3(0.0f), glm::vec3(pass.dims))};
    check_smoke(c, c.add(pass, "smoke"), bricks);
}

/// Some bricks of 32 x 16 x 16 cells of a large domain: 443 are 3,629,056 cells.
void few(CaseBuilder& c, FluidPrecision precision) {
    constexpr glm::uvec3 kBrick{32, 16, 16};
    constexpr std::uint32_t kRow = 8;
    const auto bricks = static_cast<std::uint32_t>(std::max<std::uint64_t>(c.size() / 8192, 1));
    SparseFluid pass = smoke(precision);
    pass.dims = glm::uvec3(1024);
    pass.parameters = {.brick = kBrick, .capacity = std::max(2 * bricks, 512u)};
    const auto add = [&](glm::uvec3 low, glm::uvec3 size) {
        if (size.x * size.y * size.z > 0)
            pass.emitters.push_back(
                filling(glm::vec3(low * kBrick), glm::vec3((low + size) * kBrick)));
    };
    const std::uint32_t layers = bricks / (kRow * kRow);
    const std::uint32_t rest = bricks % (kRow * kRow);
    add({0, 0, 0}, {kRow, kRow, layers});
    add({0, 0, layers}, {kRow, rest / kRow, 1});
    add({0, rest / kRow, layers}, {rest % kRow, 1, 1});
    check_smoke(c, c.add(pass, "smoke"), bricks);
}

/// A step of a cube of smoke, and what gathers it: with one rank nothing.
void step_and_gather(CaseBuilder& c) {
    const auto side = static_cast<std::uint32_t>(std::cbrt(double(c.size())) + 1e-6);
    const glm::uvec3 grid((side + 7) / 8);
    SparseFluid pass = smoke(FluidPrecision::full);
    pass.dims = glm::uvec3(side);
    pass.parameters.capacity = grid.x * grid.y * grid.z;
    pass.emitters = {filling(glm::vec3(0.0f), glm::vec3(pass.dims))};
    SparseFluid step = c.add(pass, "smoke");
    const auto whole = c.add(passes::SmokeGather{.source = step.smoke}, "whole");
    step.status = whole.smoke.status;
    step.brick_status = whole.smoke.bricks.status;
    check_smoke(c, step, pass.parameters.capacity);
}

} // namespace

void add_fluid_sparse_cases(CaseList& cases) {
    cases.add({.pass = std::string(passes::SmokeGather::kName),
               .name = "a step and what gathers it",
               .build = step_and_gather,
               .least = 4096,
               .most = std::uint64_t{1} << 25,
               .most_on_software = std::uint64_t{1} << 15});
    const auto add = [&](std::string name, std::function<void(CaseBuilder&)> build,
                         std::uint64_t most) {
        cases.add({.pass = std::string(SparseFluid::kName),
                   .name = std::move(name),
                   .build = std::move(build),
                   .least = 4096,
                   .most = most,
                   .most_on_software = std::uint64_t{1} << 15});
    };
    constexpr std::uint64_t kMaxCells = std::uint64_t{1} << 25;
    for (const FluidPrecision precision : {FluidPrecision::full, FluidPrecision::half}) {
        const std::string of = precision == FluidPrecision::full ? "full" : "half";
        add(
            "dense " + of,
            [=](CaseBuilder& c) { cube(c, SparseStorage::dense, glm::uvec3(8), precision); },
            kMaxCells);
        add(
            "all bricks of 8 x 8 x 8 " + of,
            [=](CaseBuilder& c) { cube(c, SparseStorage::atlas, glm::uvec3(8), precision); },
            kMaxCells);
        add(
            "all bricks of 32 x 16 x 16 " + of,
            [=](CaseBuilder& c) {
                cube(c, SparseStorage::atlas, {32, 16, 16}, precision);
            },
            kMaxCells);
        add(
            "bricks of 32 x 16 x 16 in 1024^3 " + of, [=](CaseBuilder& c) { few(c, precision); },
            kMaxCells);
    }
}

} // namespace tuff::bench
