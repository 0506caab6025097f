#include "apps/bench/checks.hpp"

namespace tuff::bench {
namespace {

/// Not a number is within no tolerance of anything.
bool is_near(double got, double expected, Tolerance tolerance) {
    return std::abs(got - expected) <= tolerance.absolute + tolerance.relative * std::abs(expected);
}

/// What does not depend on the order.
struct Contents {
    std::uint64_t sum = 0;
    std::uint64_t hashes = 0;
    friend bool operator==(const Contents&, const Contents&) = default;
};
Contents contents(std::span<const std::uint32_t> values) {
    Contents result;
    for (const std::uint32_t value : values) {
        result.sum += value;
        const std::uint64_t hash = hash32(value);
        result.hashes += hash * hash;
    }
    return result;
}

} // namespace

Verdict near(std::span<const float> got, std::span<const double> expected, Tolerance tolerance) {
    if (got.size() != expected.size())
        return std::unexpected(
            fmt::format("there are {} elements instead of {}", got.size(), expected.size()));
    for (std::size_t i = 0; i < got.size(); ++i)
        if (!is_near(got[i], expected[i], tolerance))
            return std::unexpected(
                fmt::format("element {} is {} instead of {}", i, got[i], expected[i]));
    return {};
}

Verdict near(double got, double expected, Tolerance tolerance) {
    if (is_near(got, expected, tolerance)) return {};
    return std::unexpected(fmt::format("the result is {} instead of {}", got, expected));
}

Verdict near(const HostImage& got, std::span<const std::array<double, 4>> expected,
             Tolerance tolerance) {
    const std::uint64_t texels = std::uint64_t{got.extent.width} * got.extent.height;
    if (texels != expected.size())
        return std::unexpected(
            fmt::format("there are {} texels instead of {}", texels, expected.size()));
    for (std::uint32_t y = 0; y < got.extent.height; ++y)
        for (std::uint32_t x = 0; x < got.extent.width; ++x) {
            const std::array<float, 4> texel = got.texel(x, y);
            const std::array<double, 4>& wanted = expected[std::size_t{y} * got.extent.width + x];
            for (std::size_t c = 0; c < 4; ++c)
                if (!is_near(texel[c], wanted[c], tolerance))
                    return std::unexpected(fmt::format("channel {} of texel ({}, {}) is {} instead "
                                                       "of {}",
                                                       c, x, y, texel[c], wanted[c]));
        }
    return {};
}

Verdict is_sorted_permutation(std::span<const std::uint32_t> got,
                              std::span<const std::uint32_t> source) {
    if (got.size() != source.size())
        return std::unexpected(
            fmt::format("there are {} elements instead of {}", got.size(), source.size()));
    for (std::size_t i = 1; i < got.size(); ++i)
        if (got[i - 1] > got[i])
            return std::unexpected(fmt::format("element {} is {}, which is greater than the next, "
                                               "{}",
                                               i - 1, got[i - 1], got[i]));
    if (contents(got) != contents(source))
        return std::unexpected("the elements are in order but not those of the input");
    return {};
}

} // namespace tuff::bench
