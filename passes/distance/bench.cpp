#include "apps/bench/checks.hpp"
#include "passes/distance/cones.hpp"
#include "passes/distance/erosion.hpp"
#include "passes/distance/grassfire.hpp"
#include "passes/distance/saito.hpp"
#include "passes/distance/seed.hpp"

#include <algorithm>
#include <cstring>

namespace tuff::bench {
namespace {

void threshold_seed(CaseBuilder& c) {
    const auto source = c.image<std::uint32_t>("source", Format::rgba8_unorm, hash32);
    const Image seed =
        c.add(passes::DistanceSeed{.source = source.image, .threshold = 0.501f}).seed;
    c.check("result", seed, [source](const HostImage& got) -> Verdict {
        for (std::size_t i = 0; i < got.texels.size(); ++i)
            if (std::to_integer<unsigned>(got.texels[i]) !=
                ((source.texels()[i] & 255u) > 127u ? 1u : 0u))
                return std::unexpected("a texel is on the wrong side of the threshold");
        return {};
    });
}

/// Objects at the corners of squares of this side: each axis has its distance in closed form.
constexpr std::uint32_t kObjectSpacing = 23;

ImageInput<std::uint8_t> lattice_seed(CaseBuilder& c) {
    const std::uint64_t width = c.extent().width;
    return c.image<std::uint8_t>("seed", Format::r8_uint, [width](std::uint64_t i) {
        return i % width % kObjectSpacing == 0 && i / width % kObjectSpacing == 0 ? 1 : 0;
    });
}

std::uint32_t to_lattice(std::uint32_t at, std::uint32_t side) {
    const std::uint32_t before = at % kObjectSpacing;
    const std::uint32_t after = kObjectSpacing - before;
    return at + after < side ? std::min(before, after) : before;
}

/// Compares a field of 32 bits with `distance` of those along the axes.
template <typename Distance>
void check_lattice_field(CaseBuilder& c, Image field, Distance distance) {
    c.check("field", field, [size = c.extent(), distance](const HostImage& got) -> Verdict {
        for (std::uint32_t y = 0; y < size.height; ++y)
            for (std::uint32_t x = 0; x < size.width; ++x) {
                std::uint32_t value = 0;
                std::memcpy(&value, got.texels.data() + (std::size_t{y} * size.width + x) * 4, 4);
                if (value != distance(to_lattice(x, size.width), to_lattice(y, size.height)))
                    return std::unexpected(fmt::format("texel {}, {} is {}", x, y, value));
            }
        return {};
    });
}

std::uint32_t squared_euclid(std::uint32_t dx, std::uint32_t dy) {
    return dx * dx + dy * dy;
}

/// A pass whose field on the lattice is `distance` of the distances along the axes.
template <typename Pass, typename Distance>
Case lattice_case(std::string name, const Pass& pass, Distance distance) {
    return {.pass = std::string(Pass::kName),
            .name = std::move(name),
            .build = [pass, distance](CaseBuilder& c) {
                Pass with_seed = pass;
                with_seed.seed = lattice_seed(c).image;
                check_lattice_field(c, c.add(with_seed).field, distance);
            }};
}

/// More than the largest distance on the lattice, within its squares and at the picture's edges.
constexpr std::uint32_t kLatticeClamp = 34;

void add_saito_cases(CaseList& cases) {
    using passes::ColumnMode, passes::SquareMode, passes::SaitoToriwaki;
    const auto add = [&](std::string name, const SaitoToriwaki& pass) {
        cases.add(lattice_case(std::move(name), pass, squared_euclid));
    };
    add("bounded columns", {.columns = ColumnMode::bounded});
    add("brute columns", {.columns = ColumnMode::brute});
    add("split columns", {.columns = ColumnMode::split});
    add("rows in sections", {.clamp = kLatticeClamp, .rows = passes::RowMode::tiled});
    add("brute columns squares by a pass",
        {.columns = ColumnMode::brute, .squares = SquareMode::pass});
    add("brute columns squares by offsets",
        {.columns = ColumnMode::brute, .squares = SquareMode::offset});
    add("brute columns squares from a table",
        {.columns = ColumnMode::brute, .squares = SquareMode::table});
}

void add_grassfire_cases(CaseList& cases) {
    using passes::Grassfire, passes::GrassfireMethod, passes::GridMetric;
    const auto manhattan = [](std::uint32_t dx, std::uint32_t dy) { return dx + dy; };
    const auto chessboard = [](std::uint32_t dx, std::uint32_t dy) { return std::max(dx, dy); };
    cases.add(lattice_case("manhattan", Grassfire{}, manhattan));
    cases.add(lattice_case("chessboard", Grassfire{.metric = GridMetric::chessboard}, chessboard));
    for (const auto& [name, method] : {std::pair{"passes", GrassfireMethod::passes},
                                       {"in place", GrassfireMethod::in_place},
                                       {"raster", GrassfireMethod::raster},
                                       {"query", GrassfireMethod::query}}) {
        Case one =
            lattice_case(fmt::format("manhattan {}", name), Grassfire{.method = method}, manhattan);
        one.most = std::uint64_t{1} << 24; // loops have a node or more for each texel of a side
        cases.add(std::move(one));
    }
}

void add_erosion_cases(CaseList& cases) {
    using passes::ErosionDistance, passes::FieldStorage, passes::PassBackEnd;
    const auto add = [&](std::string name, const ErosionDistance& pass) {
        Case one = lattice_case(std::move(name), pass, squared_euclid);
        one.most = std::uint64_t{1} << 24; // loops have nodes for each texel of a side
        cases.add(std::move(one));
    };
    add("no clamp", {});
    add("clamp", {.clamp = kLatticeClamp});
    add("clamp raster", {.clamp = kLatticeClamp, .back_end = PassBackEnd::raster});
    add("clamp query", {.clamp = kLatticeClamp, .back_end = PassBackEnd::query});
}

} // namespace

void add_distance_cases(CaseList& cases) {
    cases.add({.pass = std::string(passes::DistanceSeed::kName),
               .name = "threshold",
               .build = threshold_seed});
    add_saito_cases(cases);
    add_grassfire_cases(cases);
    add_erosion_cases(cases);
    cases.add(
        lattice_case("clamp", passes::DistanceParticles{.clamp = kLatticeClamp}, squared_euclid));
}

} // namespace tuff::bench
