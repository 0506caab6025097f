#pragma once

#include <tuff/format.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace tuff::testing_distance {

/// A seed and its name: texels that are not 0 are objects.
struct ExactSeed {
    std::string name;
    Extent extent;
    std::vector<std::uint8_t> texels;

    ExactSeed(std::string called, Extent size)
        : name(std::move(called)), extent(size),
          texels(std::size_t{size.width} * size.height * size.depth) {}
    std::size_t index(std::uint32_t x, std::uint32_t y, std::uint32_t z = 0) const {
        return (std::size_t{z} * extent.height + y) * extent.width + x;
    }
    void put(std::uint32_t x, std::uint32_t y, std::uint32_t z = 0) { texels[index(x, y, z)] = 1; }
};

/// Squared distance and index of the nearest object, the lowest of several; both are the largest
/// number where there is none.
struct ExactTexel {
    std::uint32_t squared = std::numeric_limits<std::uint32_t>::max();
    std::size_t nearest = std::numeric_limits<std::size_t>::max();
};

/// Every texel against every texel whose being an object is `value`.
inline std::vector<ExactTexel> brute_force(const ExactSeed& seed, bool value = true) {
    struct Place {
        std::int32_t x, y, z;
        std::size_t index;
    };
    std::vector<Place> objects;
    std::vector<Place> all;
    for (std::uint32_t z = 0; z < seed.extent.depth; ++z)
        for (std::uint32_t y = 0; y < seed.extent.height; ++y)
            for (std::uint32_t x = 0; x < seed.extent.width; ++x) {
                const std::size_t i = seed.index(x, y, z);
                all.push_back({static_cast<std::int32_t>(x), static_cast<std::int32_t>(y),
                               static_cast<std::int32_t>(z), i});
                if ((seed.texels[i] != 0) == value) objects.push_back(all.back());
            }
    std::vector<ExactTexel> result(all.size());
    for (const Place& at : all) {
        ExactTexel& texel = result[at.index];
        for (const Place& object : objects) {
            const std::int32_t dx = at.x - object.x;
            const std::int32_t dy = at.y - object.y;
            const std::int32_t dz = at.z - object.z;
            const auto squared = static_cast<std::uint32_t>(dx * dx + dy * dy + dz * dz);
            if (squared < texel.squared) texel = {squared, object.index};
        }
    }
    return result;
}

} // namespace tuff::testing_distance
