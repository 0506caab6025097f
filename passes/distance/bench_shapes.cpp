#include "apps/bench/checks.hpp"
#include "passes/distance/antialiased.hpp"
#include "passes/distance/cells.hpp"
#include "passes/distance/exact.hpp"
#include "passes/distance/normalize.hpp"
#include "passes/distance/shade.hpp"
#include "passes/distance/signed.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace tuff::bench {
namespace {

/// Stripes of this many texels of objects, then as many of background, from the left.
constexpr std::uint32_t kStripe = 12;

bool in_stripe(std::uint64_t x) {
    return x / kStripe % 2 == 0;
}

/// From the middle of a texel to the nearest edge of its stripe, negative within objects.
double to_stripe(std::uint32_t x, std::uint32_t width) {
    const std::uint32_t before = x % kStripe;
    const std::uint32_t first = x - before;
    double away = 1e9;
    if (first > 0) away = std::min(away, before + 0.5);
    if (first + kStripe < width) away = std::min(away, kStripe - before - 0.5);
    if (away == 1e9) away = 46340.95 - 0.5; // there is one stripe alone
    return in_stripe(x) ? -away : away;
}

ImageInput<std::uint8_t> striped_seed(CaseBuilder& c) {
    const std::uint64_t width = c.extent().width;
    return c.image<std::uint8_t>("seed", Format::r8_uint,
                                 [width](std::uint64_t i) { return in_stripe(i % width) ? 1 : 0; });
}

ImageInput<float> striped_field(CaseBuilder& c) {
    const std::uint32_t width = c.extent().width;
    return c.image<float>("field", Format::r32_sfloat, [width](std::uint64_t i) {
        return static_cast<float>(to_stripe(static_cast<std::uint32_t>(i % width), width));
    });
}

/// Compares the first channel with `value(x)`.
template <typename Value>
void check_columns(CaseBuilder& c, Image image, double tolerance, Value value) {
    c.check("result", image, [=](const HostImage& got) -> Verdict {
        for (std::uint32_t y = 0; y < got.extent.height; ++y)
            for (std::uint32_t x = 0; x < got.extent.width; ++x) {
                const double wanted = value(x);
                const double is = static_cast<double>(got.texel(x, y)[0]);
                if (!(std::abs(is - wanted) <= tolerance * std::max(1.0, std::abs(wanted))))
                    return std::unexpected(
                        fmt::format("texel {}, {} is {} instead of {}", x, y, is, wanted));
            }
        return {};
    });
}

void signed_stripes(CaseBuilder& c) {
    const Image field = c.add(passes::SignedDistance{.seed = striped_seed(c).image}).field;
    check_columns(c, field, 1e-5,
                  [width = c.extent().width](std::uint32_t x) { return to_stripe(x, width); });
}

void normalized_stripes(CaseBuilder& c) {
    const Image result =
        c.add(passes::NormalizeDistance{.field = striped_field(c).image, .scale = 0.04f}).result;
    check_columns(c, result, 1.5e-3, [width = c.extent().width](std::uint32_t x) {
        return 0.5 + 0.04 * to_stripe(x, width);
    });
}

/// Edges run through the middles of texels that are covered by a half.
void antialiased_stripes(CaseBuilder& c) {
    const std::uint32_t width = c.extent().width;
    const auto source = c.image<float>("source", Format::r32_sfloat, [width](std::uint64_t i) {
        const std::uint64_t x = i % width;
        return x % kStripe == 0 ? 0.5f : in_stripe(x) ? 1.0f : 0.0f;
    });
    const Image field = c.add(passes::AntialiasedDistance{.source = source.image}).field;
    check_columns(c, field, 1e-4, [width](std::uint32_t x) {
        const std::uint32_t before = x % kStripe;
        const std::uint32_t after = kStripe - before;
        const double away = x + after < width ? std::min(before, after) : before;
        return before != 0 && in_stripe(x) ? -away : away;
    });
}

template <passes::ShadeMethod method>
void shaded_stripes(CaseBuilder& c) {
    const Image result = c.add(passes::ShadeDistance{.field = striped_field(c).image,
                                                     .ground = {0.0f, 0.0f, 0.0f, 1.0f},
                                                     .method = method})
                             .result;
    // A pixel is a texel: half of one from the edge a ramp of a pixel to either side is at 3/4.
    check_columns(c, result, 0.01, [width = c.extent().width](std::uint32_t x) {
        const double t = std::clamp(0.5 + 0.5 * to_stripe(x, width), 0.0, 1.0);
        return 1.0 - t * t * (3.0 - 2.0 * t);
    });
}

/// All sites are the same but for their place: those of a column differ in colour alone.
void cells_of_one(CaseBuilder& c) {
    const auto site =
        c.image<std::uint32_t>("site", Format::r32_uint, [](std::uint64_t) { return 0u; });
    const std::uint64_t width = c.extent().width;
    const auto field = c.image<std::uint32_t>("field", Format::r32_uint, [=](std::uint64_t i) {
        const std::uint64_t x = i % width;
        const std::uint64_t y = i / width;
        return static_cast<std::uint32_t>(x * x + y * y);
    });
    const Image result =
        c.add(passes::DistanceCells{.site = site.image, .field = field.image, .contours = 16.0f})
            .result;
    c.check("result", result, [](const HostImage& got) -> Verdict {
        // The first texel is a dot; lines darken to 0.45 of the colour.
        const auto plain = got.texel(9, 0);
        for (std::uint32_t x = 0; x < got.extent.width; ++x) {
            const auto texel = got.texel(x, 0);
            const double turn = std::max(std::round(x / 16.0), 1.0);
            const double line = std::clamp(1.25 - std::abs(x - 16.0 * turn), 0.0, 1.0);
            const double dot = std::clamp(3.5 - x, 0.0, 1.0);
            const double wanted =
                static_cast<double>(plain[0]) * (1.0 - 0.55 * line) * (1.0 - dot) + 0.05 * dot;
            if (std::abs(static_cast<double>(texel[0]) - wanted) > 0.01)
                return std::unexpected(
                    fmt::format("texel {} is {} instead of {}", x, texel[0], wanted));
        }
        return {};
    });
}

std::shared_ptr<const std::vector<std::byte>> lattice_texels(std::uint32_t side,
                                                             std::uint32_t spacing) {
    std::vector<std::byte> texels(std::size_t{side} * side * side);
    for (std::size_t z = 0; z < side; z += spacing)
        for (std::size_t y = 0; y < side; y += spacing)
            for (std::size_t x = 0; x < side; x += spacing)
                texels[(z * side + y) * side + x] = std::byte{1};
    return std::make_shared<const std::vector<std::byte>>(std::move(texels));
}

/// A cube with objects at the corners of smaller ones: each axis has its distance in closed form.
void exact_lattice_volume(CaseBuilder& c) {
    constexpr std::uint32_t kSpacing = 19;
    const auto side = static_cast<std::uint32_t>(std::cbrt(static_cast<double>(c.size())) + 1e-6);
    const Extent extent{side, side, side};
    const Image seed = c.graph().constant_image(
        "seed", {.format = Format::r8_uint, .extent = extent, .shape = ImageShape::d3},
        lattice_texels(side, kSpacing));
    const Image field = c.add(passes::ExactDistance{.seed = seed}).field;
    c.check("field", field, [side](const HostImage& got) -> Verdict {
        const auto away = [side](std::uint32_t at) {
            const std::uint32_t before = at % kSpacing;
            const std::uint32_t after = kSpacing - before;
            return at + after < side ? std::min(before, after) : before;
        };
        for (std::uint32_t z = 0; z < side; ++z)
            for (std::uint32_t y = 0; y < side; ++y)
                for (std::uint32_t x = 0; x < side; ++x) {
                    std::uint32_t value = 0;
                    const std::size_t at = (std::size_t{z} * side + y) * side + x;
                    std::memcpy(&value, got.texels.data() + 4 * at, 4);
                    const std::uint32_t wanted =
                        away(x) * away(x) + away(y) * away(y) + away(z) * away(z);
                    if (value != wanted)
                        return std::unexpected(fmt::format("texel {}, {}, {} is {} instead of {}",
                                                           x, y, z, value, wanted));
                }
        return {};
    });
}

} // namespace

void add_distance_shapes_cases(CaseList& cases) {
    const auto add = [&](std::string_view pass, std::string name, void (*build)(CaseBuilder&)) {
        cases.add({.pass = std::string(pass), .name = std::move(name), .build = build});
    };
    add(passes::SignedDistance::kName, "stripes", signed_stripes);
    add(passes::NormalizeDistance::kName, "of signed distances", normalized_stripes);
    add(passes::AntialiasedDistance::kName, "stripes", antialiased_stripes);
    add(passes::ShadeDistance::kName, "antialiased", shaded_stripes<passes::ShadeMethod::compute>);
    add(passes::ShadeDistance::kName, "antialiased raster",
        shaded_stripes<passes::ShadeMethod::raster>);
    add(passes::DistanceCells::kName, "one cell", cells_of_one);
    const auto add_volume = [&](std::string name, void (*build)(CaseBuilder&)) {
        cases.add({.pass = std::string(passes::ExactDistance::kName),
                   .name = std::move(name),
                   .build = build,
                   .most = std::uint64_t{1} << 27}); // 512^3
    };
    add_volume("volume lattice", exact_lattice_volume);
}

} // namespace tuff::bench
