#include "apps/bench/checks.hpp"
#include "passes/distance/exact.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace tuff::bench {
namespace {

using SeedInput = ImageInput<std::uint8_t>;

/// Whether the disc around (x, y) holds no object nearer than sqrt(squared).
bool disc_is_empty(const SeedInput& seed, std::int64_t x, std::int64_t y, std::int64_t squared) {
    const auto width = static_cast<std::int64_t>(seed.extent.width);
    const auto height = static_cast<std::int64_t>(seed.extent.height);
    for (std::int64_t row = 0; row < height; ++row) {
        const std::int64_t left = squared - (row - y) * (row - y);
        if (left <= 0) continue;
        const auto reach =
            static_cast<std::int64_t>(std::ceil(std::sqrt(static_cast<double>(left)))) + 1;
        const std::int64_t end = std::min(x + reach, width - 1);
        for (std::int64_t column = std::max<std::int64_t>(x - reach, 0); column <= end; ++column)
            if ((column - x) * (column - x) < left &&
                seed.texels()[static_cast<std::size_t>(row * width + column)] != 0)
                return false;
    }
    return true;
}

/// Every site is an object at the distance that the field says; for 256 texels, spread over the
/// picture, no object is nearer.
Verdict check_exact(const SeedInput& seed, std::span<const std::uint32_t> field,
                    std::span<const std::uint32_t> sites) {
    constexpr std::uint64_t kLookedAt = 256;
    const std::uint64_t width = seed.extent.width;
    const std::uint64_t texels = width * seed.extent.height;
    if (field.size() != texels || sites.size() != texels)
        return std::unexpected("there is no result");
    for (std::uint64_t i = 0; i < texels; ++i) {
        const std::uint64_t column = sites[i] & 0xffffu;
        const std::uint64_t row = sites[i] >> 16;
        if (column >= width || row >= seed.extent.height ||
            seed.texels()[row * width + column] == 0)
            return std::unexpected(fmt::format("the site of texel {} is no object", i));
        const auto dx = static_cast<std::int64_t>(column) - static_cast<std::int64_t>(i % width);
        const auto dy = static_cast<std::int64_t>(row) - static_cast<std::int64_t>(i / width);
        if (dx * dx + dy * dy != field[i])
            return std::unexpected(
                fmt::format("texel {} has {} instead of {}", i, field[i], dx * dx + dy * dy));
    }
    for (std::uint64_t i = 0; i < std::min(texels, kLookedAt); ++i) {
        const std::uint64_t at = i * 2'654'435'761u % texels;
        if (!disc_is_empty(seed, static_cast<std::int64_t>(at % width),
                           static_cast<std::int64_t>(at / width), field[at]))
            return std::unexpected(fmt::format("an object is nearer to texel {}", at));
    }
    return {};
}

std::vector<std::uint32_t> words_of(const HostImage& image) {
    std::vector<std::uint32_t> words(image.texels.size() / 4);
    if (!words.empty()) std::memcpy(words.data(), image.texels.data(), image.texels.size());
    return words;
}

/// `holds(x, y, extent)` says where objects are.
void exact_case(CaseBuilder& c,
                const std::function<bool(std::uint64_t, std::uint64_t, Extent)>& holds) {
    const Extent extent = c.extent();
    const SeedInput seed = c.image<std::uint8_t>("seed", Format::r8_uint, [&](std::uint64_t i) {
        return holds(i % extent.width, i / extent.width, extent) ? 1 : 0;
    });
    const passes::ExactDistance exact = c.add(passes::ExactDistance{.seed = seed.image});
    c.output("field", exact.field);
    c.output("site", exact.site);
    c.check([seed](CaseResults& results) {
        return check_exact(seed, words_of(results.read_image("field")),
                           words_of(results.read_image("site")));
    });
}

void add_exact_random(CaseList& cases, std::string name, double share) {
    const auto below = static_cast<std::uint32_t>(share * 0x1p32);
    cases.add({.pass = std::string(passes::ExactDistance::kName),
               .name = std::move(name),
               .build = [below](CaseBuilder& c) {
                   const auto holds = [below](std::uint64_t x, std::uint64_t y, Extent extent) {
                       return (x == 0 && y == 0) ||
                              hash32(y * extent.width + x) < below; // never none
                   };
                   exact_case(c, holds);
               }});
}

/// All objects are as far from the middle.
bool on_circle(std::uint64_t x, std::uint64_t y, Extent extent) {
    const double dx = static_cast<double>(x) - extent.width / 2.0;
    const double dy = static_cast<double>(y) - extent.height / 2.0;
    return std::abs(std::hypot(dx, dy) - 0.45 * std::min(extent.width, extent.height)) < 0.5;
}

} // namespace

void add_distance_exact_cases(CaseList& cases) {
    add_exact_random(cases, "0.01 % objects", 0.0001);
    add_exact_random(cases, "1 % objects", 0.01);
    add_exact_random(cases, "50 % objects", 0.5);
    cases.add({.pass = std::string(passes::ExactDistance::kName),
               .name = "circle",
               .build = [](CaseBuilder& c) { exact_case(c, on_circle); },
               .least = 64});
}

} // namespace tuff::bench
