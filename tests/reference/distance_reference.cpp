#include "tests/reference/distance_reference.hpp"

#include <algorithm>
#include <cstdlib>

namespace tuff::reference {
namespace {

using Wide = std::int64_t;

/// Distance along the row to the nearest object of it; `far` where there is none.
std::vector<Wide> along_rows(const Seed& seed, Wide far) {
    std::vector<Wide> result(seed.texels.size());
    for (std::uint32_t y = 0; y < seed.height; ++y) {
        Wide* row = result.data() + std::size_t{y} * seed.width;
        Wide distance = far;
        for (std::uint32_t x = 0; x < seed.width; ++x)
            row[x] = distance = seed.at(x, y) ? 0 : std::min(far, distance + 1);
        distance = far;
        for (std::uint32_t x = seed.width; x-- > 0;) {
            distance = seed.at(x, y) ? 0 : std::min(far, distance + 1);
            row[x] = std::min(row[x], distance);
        }
    }
    return result;
}

} // namespace

bool Seed::empty_of_objects() const {
    return std::ranges::all_of(texels, [](std::uint8_t texel) { return texel == 0; });
}

Seed Seed::inverted() const {
    Seed other = *this;
    for (std::uint8_t& texel : other.texels)
        texel = texel == 0;
    return other;
}

std::vector<std::uint32_t> brute_distances(const Seed& seed, DistanceMetric metric,
                                           Outside outside) {
    const int width = static_cast<int>(seed.width), height = static_cast<int>(seed.height);
    std::vector<std::pair<int, int>> objects;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            if (seed.at(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y)))
                objects.emplace_back(x, y);
    const auto along = [&](int distance, int size) {
        return outside == Outside::wrap ? std::min(distance, size - distance) : distance;
    };
    std::vector<std::uint32_t> result;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            int least = static_cast<int>(kNoObject);
            if (outside == Outside::object) {
                const int straight = std::min({x + 1, width - x, y + 1, height - y});
                least = metric == DistanceMetric::squared_euclid ? straight * straight : straight;
            }
            for (const auto& [at_x, at_y] : objects) {
                const int dx = along(std::abs(x - at_x), width);
                const int dy = along(std::abs(y - at_y), height);
                const int distance = metric == DistanceMetric::squared_euclid ? dx * dx + dy * dy
                                     : metric == DistanceMetric::manhattan    ? dx + dy
                                                                              : std::max(dx, dy);
                least = std::min(least, distance);
            }
            result.push_back(static_cast<std::uint32_t>(least));
        }
    return result;
}

std::vector<std::uint32_t> squared_distances(const Seed& seed) {
    std::vector<std::uint32_t> result(seed.texels.size(), kNoObject);
    if (seed.empty_of_objects()) return result;
    const Wide height = seed.height;
    const Wide far = Wide{seed.width} + height;
    const std::vector<Wide> rows = along_rows(seed, far);
    std::vector<Wide> site, from; // parabolas of the envelope, and where each begins
    for (std::uint32_t x = 0; x < seed.width; ++x) {
        const auto g = [&](Wide y) { return rows[static_cast<std::size_t>(y) * seed.width + x]; };
        const auto value = [&](Wide y, Wide of) { return (y - of) * (y - of) + g(of) * g(of); };
        site.assign(1, 0), from.assign(1, 0);
        for (Wide y = 1; y < height; ++y) {
            while (!site.empty() && value(from.back(), site.back()) > value(from.back(), y))
                site.pop_back(), from.pop_back();
            if (site.empty()) {
                site.assign(1, y), from.assign(1, 0);
                continue;
            }
            const Wide of = site.back();
            // Not negative: the older parabola is no higher at from.back().
            const Wide begin = 1 + (y * y - of * of + g(y) * g(y) - g(of) * g(of)) / (2 * (y - of));
            if (begin < height) site.push_back(y), from.push_back(begin);
        }
        for (Wide y = height; y-- > 0;) {
            result[static_cast<std::size_t>(y) * seed.width + x] =
                static_cast<std::uint32_t>(value(y, site.back()));
            if (y == from.back()) site.pop_back(), from.pop_back();
        }
    }
    return result;
}

} // namespace tuff::reference
