#include "apps/bench/checks.hpp"
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

template <passes::ColumnMode mode>
void saito_lattice(CaseBuilder& c) {
    const Image seed = lattice_seed(c).image;
    const Image field = c.add(passes::SaitoToriwaki{.seed = seed, .columns = mode}).field;
    check_lattice_field(c, field,
                        [](std::uint32_t dx, std::uint32_t dy) { return dx * dx + dy * dy; });
}

template <passes::GridMetric metric>
void grassfire_lattice(CaseBuilder& c) {
    const Image seed = lattice_seed(c).image;
    const Image field = c.add(passes::Grassfire{.seed = seed, .metric = metric}).field;
    check_lattice_field(c, field, [](std::uint32_t dx, std::uint32_t dy) {
        return metric == passes::GridMetric::manhattan ? dx + dy : std::max(dx, dy);
    });
}

} // namespace

void add_distance_cases(CaseList& cases) {
    cases.add({.pass = std::string(passes::DistanceSeed::kName),
               .name = "threshold",
               .build = threshold_seed});
    const std::string saito(passes::SaitoToriwaki::kName);
    cases.add({.pass = saito,
               .name = "bounded columns",
               .build = saito_lattice<passes::ColumnMode::bounded>});
    cases.add({.pass = saito,
               .name = "brute columns",
               .build = saito_lattice<passes::ColumnMode::brute>});
    const std::string fire(passes::Grassfire::kName);
    cases.add({.pass = fire,
               .name = "manhattan",
               .build = grassfire_lattice<passes::GridMetric::manhattan>});
    cases.add({.pass = fire,
               .name = "chessboard",
               .build = grassfire_lattice<passes::GridMetric::chessboard>});
}

} // namespace tuff::bench
