#include "apps/bench/checks.hpp"
#include "passes/isosurface/dual_contouring.hpp"
#include "passes/isosurface/marching_cubes.hpp"
#include "passes/isosurface/metaballs.hpp"
#include "passes/sparse/bricks.hpp"
#include "passes/sparse/field.hpp"

#include <glm/geometric.hpp>
#include <glm/vec4.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

/// Surfaces of fields of as many texels as the case has elements, in a cube: 2^27 are 512^3.
namespace tuff::bench {
namespace {

using passes::DualContouring;
using passes::IsosurfaceForm;
using passes::MarchingCubes;
using passes::SurfaceInside;

std::uint32_t cube_side(const CaseBuilder& c) {
    return std::max(2u, static_cast<std::uint32_t>(std::cbrt(double(c.size())) + 1e-6));
}

/// A torus, as a distance field in the cube from -1 to 1.
struct TorusField {
    static constexpr double kRing = 0.62;
    static constexpr double kTube = 0.27;

    std::uint32_t side = 2;

    float step() const { return 2.0f / static_cast<float>(side - 1); }
    float operator()(std::uint64_t texel) const {
        const auto at = [&](std::uint64_t i) { return -1.0f + step() * static_cast<float>(i); };
        const glm::vec3 p(at(texel % side), at(texel / side % side), at(texel / side / side));
        return std::hypot(std::hypot(p.x, p.y) - static_cast<float>(kRing), p.z) -
               static_cast<float>(kTube);
    }
    static double distance(glm::dvec3 p) {
        return std::hypot(std::hypot(p.x, p.y) - kRing, p.z) - kTube;
    }
    static double area() { return 4.0 * std::numbers::pi * std::numbers::pi * kRing * kTube; }
    static double volume() { return 0.5 * area() * kTube; }
};

/// Brings the values into bricks of 8 x 8 x 8, where cells are near the torus.
template <typename Pass>
void into_bricks(CaseBuilder& c, const TorusField& field, Pass& pass) {
    const std::uint32_t bricks = (field.side + 7) / 8;
    // Half a brick's diagonal, and what a vertex and its normal look at.
    const double reach = (4.0 * std::numbers::sqrt3 + 3.0) * double{field.step()};
    std::vector<glm::vec4> middles;
    for (std::uint32_t i = 0; i < bricks * bricks * bricks; ++i) {
        const glm::uvec3 brick(i % bricks, i / bricks % bricks, i / bricks / bricks);
        const glm::dvec3 middle = 8.0 * glm::dvec3(brick) + 3.5;
        if (std::abs(TorusField::distance(-1.0 + double{field.step()} * middle)) < reach)
            middles.emplace_back(glm::min(middle, double(field.side - 1)), 0.0);
    }
    const auto points = c.input<glm::vec4>("middles", middles.size(),
                                           [middles](std::uint64_t i) { return middles[i]; });
    const auto store = c.graph().add(
        passes::SparseBricksPass{
            .points = points.buffer,
            .dims = glm::uvec3(field.side),
            .bricks_parameters = {.capacity = static_cast<std::uint32_t>(middles.size())},
            .keep = false},
        "store");
    pass.values =
        c.graph()
            .add(passes::SparseScatter{.bricks = store.bricks, .source = pass.values}, "cells")
            .field;
    pass.bricks = store.bricks;
}

template <typename Pass>
void torus(CaseBuilder& c, Pass pass, bool in_bricks = false) {
    const TorusField field{cube_side(c)};
    pass.values =
        c.input<float>("values", std::uint64_t{field.side} * field.side * field.side, field).buffer;
    pass.dims = glm::uvec3(field.side);
    pass.iso = 0.0f;
    pass.inside = SurfaceInside::below;
    pass.closed = false;
    pass.spacing = glm::vec3(field.step());
    pass.origin = glm::vec3(-1.0f);
    if (in_bricks) into_bricks(c, field, pass);
    const Pass found = c.add(pass, "surface");
    if (in_bricks) c.time_only("surface/");
    c.output("positions", found.mesh.positions);
    c.output("indices", found.mesh.indices);
    c.output("status", found.status);
    c.check([field](CaseResults& results) -> Verdict {
        const auto status = passes::IsosurfaceStatus::read(results.read<std::uint32_t>("status"));
        const std::vector<glm::vec3> positions = results.read<glm::vec3>("positions");
        std::vector<glm::uvec3> triangles = results.read<glm::uvec3>("indices");
        if (!status.warnings().empty()) return std::unexpected(status.warnings()[0].message);
        if (status.triangles == 0) return std::unexpected("there are no triangles");
        triangles.resize(status.triangles);
        results.set_remark(fmt::format("{} triangles", status.triangles));
        double area = 0.0;
        double volume = 0.0;
        double farthest = 0.0;
        for (const glm::uvec3 t : triangles) {
            const glm::dvec3 a(positions[t.x]);
            const glm::dvec3 b(positions[t.y]);
            const glm::dvec3 d(positions[t.z]);
            area += 0.5 * glm::length(glm::cross(b - a, d - a));
            volume += glm::dot(a, glm::cross(b, d)) / 6.0;
            farthest = std::max(farthest, std::abs(TorusField::distance(a)));
        }
        const double error =
            double{field.step()} * field.step() / (TorusField::kTube * TorusField::kTube);
        if (farthest > std::max(0.5 * error * TorusField::kTube, 1e-5))
            return std::unexpected(fmt::format("a vertex is {} off the torus", farthest));
        if (auto good = near(area, TorusField::area(), {.relative = std::max(0.4 * error, 1e-4)});
            !good)
            return good;
        return near(volume, TorusField::volume(), {.relative = std::max(0.6 * error, 1e-4)});
    });
}

void sum_of_balls(CaseBuilder& c) {
    const std::uint32_t side = cube_side(c);
    const float step = 2.0f / static_cast<float>(side);
    const auto balls = c.input<glm::vec4>("balls", 256, [](std::uint64_t i) {
        const auto number = [&](std::uint64_t k) { return 2.0f * hash_unit(8 * i + k) - 1.0f; };
        return glm::vec4(number(0), number(1), number(2), 0.1f + 0.1f * hash_unit(8 * i + 3));
    });
    const passes::Metaballs made = c.add(passes::Metaballs{.balls = balls.buffer,
                                                           .dims = glm::uvec3(side),
                                                           .spacing = glm::vec3(step),
                                                           .origin = glm::vec3(-1.0f)});
    c.check("field", made.field, [balls, side, step](const HostImage& field) -> Verdict {
        constexpr std::uint32_t kTried = 2000;
        double greatest = 0.0;
        for (std::uint32_t k = 0; k < kTried; ++k) {
            const glm::uvec3 texel(hash32(3 * k) % side, hash32(3 * k + 1) % side,
                                   hash32(3 * k + 2) % side);
            const glm::dvec3 at = glm::dvec3(-1.0) + double{step} * glm::dvec3(texel);
            double sum = 0.0;
            for (const glm::vec4 ball : balls.values()) {
                const double away = glm::length(at - glm::dvec3(ball)) / double{ball.w};
                sum += std::pow(std::max(1.0 - away * away, 0.0), 3.0);
            }
            greatest = std::max(greatest, sum);
            if (auto good = near(field.texel(texel.x, texel.y, texel.z)[0], sum,
                                 {.absolute = 1e-4 * (1.0 + sum)});
                !good)
                return good;
        }
        if (greatest < 0.5) return std::unexpected("no texel that was tried is in a ball");
        return {};
    });
}

} // namespace

void add_isosurface_cases(CaseList& cases) {
    const auto add = [&](std::string_view pass, std::string name,
                         std::function<void(CaseBuilder&)> build, std::uint64_t most) {
        cases.add({.pass = std::string(pass),
                   .name = std::move(name),
                   .build = std::move(build),
                   .least = 1u << 12,
                   .most = most});
    };
    constexpr std::uint64_t kMax = std::uint64_t{1} << 27;
    add(
        MarchingCubes::kName, "torus", [](CaseBuilder& c) { torus(c, MarchingCubes{}); }, kMax);
    add(
        MarchingCubes::kName, "torus by streams",
        [](CaseBuilder& c) { torus(c, MarchingCubes{.form = IsosurfaceForm::streams}); }, kMax);
    add(
        MarchingCubes::kName, "torus in bricks",
        [](CaseBuilder& c) { torus(c, MarchingCubes{}, true); }, kMax);
    add(
        DualContouring::kName, "torus", [](CaseBuilder& c) { torus(c, DualContouring{}); }, kMax);
    add(passes::Metaballs::kName, "256 balls", sum_of_balls, kMax);
}

} // namespace tuff::bench
