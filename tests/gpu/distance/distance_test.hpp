#pragma once

#include "passes/distance/field.hpp"
#include "tests/gpu/gpu_fixture.hpp"
#include "tests/reference/distance_reference.hpp"

#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace tuff {

struct NamedSeed {
    std::string name;
    reference::Seed seed;
};

/// A seed whose objects are those of a predicate.
template <typename IsObject>
reference::Seed seed_where(std::uint32_t width, std::uint32_t height, IsObject is_object) {
    reference::Seed seed{width, height, {}};
    for (std::uint32_t y = 0; y < height; ++y)
        for (std::uint32_t x = 0; x < width; ++x)
            seed.texels.push_back(is_object(x, y) ? 1 : 0);
    return seed;
}
/// Each texel an object with this probability; always at least one.
reference::Seed random_seed(std::uint32_t width, std::uint32_t height, double density,
                            std::uint32_t number = 1);
/// Those of the checks of exactness: one object in a corner or the middle, all, random ones, a
/// diagonal, a checkerboard, a row and a column without any, lines, sides that groups do not
/// divide.
std::vector<NamedSeed> seeds_of_all_kinds();

class DistanceTest : public testing_gpu::GpuTest {
  protected:
    Image image_of(Graph& g, const reference::Seed& seed) {
        return g.constant_image(
            "seed",
            {.format = Format::r8_uint, .extent = {.width = seed.width, .height = seed.height}},
            testing_gpu::bytes_of(seed.texels));
    }
};

/// The first channel of each texel of an image of whole numbers.
std::vector<std::uint32_t> whole_numbers(const HostImage& image);

} // namespace tuff
