#include "apps/bench/checks.hpp"
#include "passes/distance/cones.hpp"
#include "passes/distance/jump_flood.hpp"

#include <cmath>
#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace tuff::bench {
namespace {

using PointSeed = ImageInput<std::uint8_t>;

/// An object in each square of this side, somewhere.
constexpr std::uint32_t kPointSpacing = 16;
/// No texel is farther from one than this.
constexpr std::uint32_t kPointReach = 45;

PointSeed point_seed(CaseBuilder& c) {
    const Extent extent = c.extent();
    return c.image<std::uint8_t>("seed", Format::r8_uint, [extent](std::uint64_t i) {
        const std::uint64_t x = i % extent.width, y = i / extent.width;
        const std::uint64_t square = y / kPointSpacing * 65536 + x / kPointSpacing;
        const std::uint32_t at = hash32(square);
        // Squares that the picture cuts off may have none; the first texel is always one.
        const bool chosen = x % kPointSpacing == at % kPointSpacing &&
                            y % kPointSpacing == (at >> 8) % kPointSpacing;
        return chosen || i == 0 ? 1 : 0;
    });
}

std::vector<std::uint32_t> words_on_host(const HostImage& image) {
    std::vector<std::uint32_t> words(image.texels.size() / 4);
    if (!words.empty()) std::memcpy(words.data(), image.texels.data(), image.texels.size());
    return words;
}

/// The squared distance to the nearest object that is not farther than `reach`.
std::uint64_t nearest_within(const PointSeed& seed, std::int64_t x, std::int64_t y,
                             std::int64_t reach) {
    const std::int64_t width = seed.extent.width, height = seed.extent.height;
    std::int64_t least = reach * reach;
    for (std::int64_t v = std::max<std::int64_t>(y - reach, 0);
         v <= std::min(y + reach, height - 1); ++v)
        for (std::int64_t u = std::max<std::int64_t>(x - reach, 0);
             u <= std::min(x + reach, width - 1); ++u)
            if (seed.texels()[static_cast<std::size_t>(v * width + u)] != 0)
                least = std::min(least, (u - x) * (u - x) + (v - y) * (v - y));
    return static_cast<std::uint64_t>(least);
}

/// All sites are objects at the distance that the field says; of 256 texels, spread over the
/// picture, none is nearer than it can be, and none is farther by more than `excess` texels.
Verdict check_sites(const PointSeed& seed, std::span<const std::uint32_t> field,
                    std::span<const std::uint32_t> sites, double excess) {
    constexpr std::uint64_t kLookedAt = 256;
    const std::uint64_t width = seed.extent.width;
    const std::uint64_t texels = width * seed.extent.height;
    if (field.size() != texels || sites.size() != texels)
        return std::unexpected("there is no result");
    for (std::uint64_t i = 0; i < texels; ++i) {
        const std::uint64_t u = sites[i] & 0xffffu, v = sites[i] >> 16;
        if (u >= width || v >= seed.extent.height || seed.texels()[v * width + u] == 0)
            return std::unexpected(fmt::format("the site of texel {} is no object", i));
        const auto dx = static_cast<std::int64_t>(u) - static_cast<std::int64_t>(i % width);
        const auto dy = static_cast<std::int64_t>(v) - static_cast<std::int64_t>(i / width);
        if (dx * dx + dy * dy != field[i])
            return std::unexpected(fmt::format("texel {} has {}", i, field[i]));
    }
    for (std::uint64_t i = 0; i < std::min(texels, kLookedAt); ++i) {
        const std::uint64_t at = i * 2'654'435'761u % texels;
        const std::uint64_t exact =
            nearest_within(seed, static_cast<std::int64_t>(at % width),
                           static_cast<std::int64_t>(at / width), kPointReach);
        const double more = std::sqrt(field[at]) - std::sqrt(static_cast<double>(exact));
        if (field[at] < exact || more > excess)
            return std::unexpected(
                fmt::format("texel {} has {}, the nearest is at {}", at, field[at], exact));
    }
    return {};
}

template <typename Pass>
void add_site_case(CaseList& cases, std::string name, const Pass& pass, double excess) {
    cases.add({.pass = std::string(Pass::kName),
               .name = std::move(name),
               .build = [pass, excess](CaseBuilder& c) {
                   const PointSeed seed = point_seed(c);
                   Pass with_seed = pass;
                   with_seed.seed = seed.image;
                   with_seed = c.add(with_seed);
                   c.output("field", with_seed.field);
                   c.output("site", with_seed.site);
                   c.check([seed, excess](CaseResults& results) {
                       return check_sites(seed, words_on_host(results.read_image("field")),
                                          words_on_host(results.read_image("site")), excess);
                   });
               }});
}

} // namespace

void add_distance_site_cases(CaseList& cases) {
    using passes::JumpFlood, passes::JumpVariant;
    add_site_case(cases, "jfa", JumpFlood{.variant = JumpVariant::jfa}, 1.0);
    add_site_case(cases, "jfa plus 1", JumpFlood{.variant = JumpVariant::jfa_plus_1}, 1.0);
    add_site_case(cases, "jfa plus 2", JumpFlood{.variant = JumpVariant::jfa_plus_2}, 1.0);
    add_site_case(cases, "one plus jfa", JumpFlood{.variant = JumpVariant::one_plus_jfa}, 1.0);
    add_site_case(cases, "clamp", passes::DistanceCones{.clamp = kPointReach}, 0.6);
}

} // namespace tuff::bench
