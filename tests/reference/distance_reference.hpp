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
/// What lies outside.
enum class Outside : std::uint8_t { background, object, wrap };

/// Looks at each pair of a texel and an object.
std::vector<std::uint32_t> brute_distances(const Seed& seed, DistanceMetric metric,
                                           Outside outside = Outside::background);

/// Squared Euclidean distances by lower envelopes of parabolas, O(texels). Source: Meijster,
/// Roerdink and Hesselink, "A General Algorithm for Computing Distance Transforms in Linear Time",
/// 2000.
std::vector<std::uint32_t> squared_distances(const Seed& seed);

/// How many passes an erosion takes along the rows, and then along the columns, those that find
/// nothing included. Squares above `most` are not stored.
struct ErosionPasses {
    std::uint32_t rows = 0;
    std::uint32_t columns = 0;
};
ErosionPasses erosion_passes(const Seed& seed, std::uint32_t most = kNoObject - 1);

/// Squared distances by vectors that are swept through the picture: not exact, but never less than
/// the distance. With eight neighbours at most 0.09 texels more; with four sqrt(10) - sqrt(8),
/// where ties fall badly. Source: Danielsson, "Euclidean Distance Mapping", Computer Graphics and
/// Image Processing 14, 1980.
enum class Neighbours : std::uint8_t { four, eight };
std::vector<std::uint32_t> danielsson_distances(const Seed& seed, Neighbours neighbours);

/// Squared distances by jump flooding with these jumps; of sites as near the first one is taken.
std::vector<std::uint32_t> jump_flood_distances(const Seed& seed, const std::vector<int>& jumps);

} // namespace tuff::reference
