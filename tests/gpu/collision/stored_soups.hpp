#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

/// Soups of triangles with whole numbers for coordinates, what CGAL's exact predicates say of which
/// of them meet, and Embree's hierarchies of whose boxes do. Programs of tests/stored, which are no
/// part of the build, write the results.
namespace tuff::testing_gpu {

/// Two soups of `count` triangles each. Corners lie on a grid of `steps` along each side, those of
/// a triangle within `reach` steps of its first: the coarser the grid, the more only just touch.
struct StoredSoup {
    std::uint32_t seed = 0;
    std::uint32_t count = 0;
    std::uint32_t steps = 0;
    std::uint32_t reach = 0;
    std::uint32_t pairs = 0;      ///< that meet
    std::uint64_t digest = 0;     ///< `digest_of` all pairs in order
    std::uint32_t candidates = 0; ///< whose boxes meet, by Embree
};

/// Coordinates of corners, whole numbers below 2^10.
using SoupTriangle = std::array<std::array<std::int32_t, 3>, 3>;

inline std::vector<SoupTriangle> soup_of(const StoredSoup& soup, std::uint32_t which) {
    std::mt19937 random(2 * soup.seed + which);
    const auto below = [&](std::uint32_t n) {
        return static_cast<std::int32_t>((random() >> 4) % n);
    };
    std::vector<SoupTriangle> all(soup.count);
    for (SoupTriangle& triangle : all)
        for (std::size_t corner = 0; corner < 3; ++corner)
            for (std::size_t axis = 0; axis < 3; ++axis)
                triangle[corner][axis] = corner == 0
                                             ? below(soup.steps)
                                             : triangle[0][axis] + below(2 * soup.reach + 1) -
                                                   static_cast<std::int32_t>(soup.reach);
    return all;
}

inline bool has_area(const SoupTriangle& t) {
    std::array<std::int64_t, 3> u{}, v{};
    for (std::size_t i = 0; i < 3; ++i) {
        u[i] = t[1][i] - t[0][i];
        v[i] = t[2][i] - t[0][i];
    }
    return u[1] * v[2] != u[2] * v[1] || u[2] * v[0] != u[0] * v[2] || u[0] * v[1] != u[1] * v[0];
}

struct SoupBox {
    std::array<std::int32_t, 3> low, high;
};
inline SoupBox box_of(const SoupTriangle& t) {
    SoupBox box{t[0], t[0]};
    for (const auto& corner : t)
        for (std::size_t i = 0; i < 3; ++i) {
            box.low[i] = std::min(box.low[i], corner[i]);
            box.high[i] = std::max(box.high[i], corner[i]);
        }
    return box;
}
inline bool boxes_meet(const SoupBox& a, const SoupBox& b) {
    bool meet = true;
    for (std::size_t i = 0; i < 3; ++i)
        meet = meet && a.low[i] <= b.high[i] && b.low[i] <= a.high[i];
    return meet;
}

/// FNV-1a, number by number.
inline std::uint64_t digest_of(std::span<const std::array<std::uint32_t, 2>> pairs) {
    std::uint64_t digest = 0xcbf29ce484222325u;
    for (const auto& pair : pairs)
        for (const std::uint32_t number : pair)
            digest = (digest ^ number) * 0x100000001b3u;
    return digest;
}

// clang-format off
inline constexpr std::array kStoredSoups{
    StoredSoup{1, 1200, 512, 40, 346, 0x7a65951e94b0bdc0, 3065},
    StoredSoup{2, 1000, 64, 6, 564, 0x1f871473132c5488, 5036},
    StoredSoup{3, 700, 16, 3, 3186, 0x295eb6da88889823, 23109},
    StoredSoup{4, 300, 4, 2, 9689, 0xb05517e36b4468f0, 40830},
};
// clang-format on

} // namespace tuff::testing_gpu
