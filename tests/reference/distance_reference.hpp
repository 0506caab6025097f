#pragma once

#include <cstdint>
#include <functional>
#include <vector>

/// Distances to the nearest object of a seed, on the CPU and in whole numbers.
namespace tuff::reference {

/// Row by row; not 0: an object.
struct Seed {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::vector<std::uint8_t> texels;

    bool at(std::uint32_t x, std::uint32_t y) const {
        return texels[std::size_t{y} * width + x] != 0;
    }
    bool empty_of_objects() const;
    Seed inverted() const;
};

/// Of a texel of an empty seed.
inline constexpr std::uint32_t kNoObject = 0x7fffffff;

enum class DistanceMetric : std::uint8_t { squared_euclid, manhattan, chessboard };

/// Looks at each pair of a texel and an object.
std::vector<std::uint32_t> brute_distances(const Seed& seed, DistanceMetric metric);

/// Squared Euclidean distances by lower envelopes of parabolas, O(texels). Source: Meijster,
/// Roerdink and Hesselink, "A General Algorithm for Computing Distance Transforms in Linear Time",
/// 2000.
std::vector<std::uint32_t> squared_distances(const Seed& seed);

} // namespace tuff::reference
