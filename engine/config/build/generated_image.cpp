#include "config/build/generated_image.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tuff {
namespace {

/// PCG XSH-RR 64/32 (O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good
/// Algorithms for Random Number Generation", 2014).
class Pcg32 {
  public:
    explicit Pcg32(std::uint64_t seed) {
        next();
        state_ += seed;
        next();
    }

    std::uint32_t next() {
        const std::uint64_t old = state_;
        state_ = old * 6364136223846793005ull + 1442695040888963407ull;
        const auto shifted = static_cast<std::uint32_t>(((old >> 18) ^ old) >> 27);
        const auto rotation = static_cast<std::uint32_t>(old >> 59);
        return (shifted >> rotation) | (shifted << ((32 - rotation) & 31));
    }

    /// Uniform in [0, 1); 24 bits, all that a float's mantissa holds.
    float uniform() { return static_cast<float>(next() >> 8) * 0x1p-24f; }

  private:
    std::uint64_t state_ = 0;
};

float zone_plate(float x, float y, float width, float height) {
    const double dx = static_cast<double>(x) - 0.5 * static_cast<double>(width);
    const double dy = static_cast<double>(y) - 0.5 * static_cast<double>(height);
    const double side = static_cast<double>(std::min(width, height));
    const double phase = std::numbers::pi * (dx * dx + dy * dy) / side;
    return static_cast<float>(0.5 + 0.5 * std::cos(phase));
}

} // namespace

HostImage generate_image(const AssetSpec& spec) {
    const auto [width, height] = spec.size;
    HostImage image = make_image(spec.format, {width, height, 1});
    Pcg32 random(spec.seed);
    const auto w = static_cast<float>(width);
    const auto h = static_cast<float>(height);
    for (std::uint32_t row = 0; row < height; ++row) {
        for (std::uint32_t column = 0; column < width; ++column) {
            const float x = static_cast<float>(column) + 0.5f;
            const float y = static_cast<float>(row) + 0.5f;
            std::array<float, 4> texel = spec.color;
            switch (spec.generator) {
            case Generator::checker: {
                const float v = (column / spec.cell + row / spec.cell) % 2 == 0 ? 1.0f : 0.0f;
                texel = {v, v, v, 1.0f};
                break;
            }
            case Generator::gradient: texel = {x / w, y / h, 0.0f, 1.0f}; break;
            case Generator::noise: {
                const float r = random.uniform();
                const float g = random.uniform();
                const float b = random.uniform();
                texel = {r, g, b, 1.0f};
                break;
            }
            case Generator::zone_plate: {
                const float v = zone_plate(x, y, w, h);
                texel = {v, v, v, 1.0f};
                break;
            }
            case Generator::constant: break;
            }
            image.set_texel(texel, column, row);
        }
    }
    return image;
}

} // namespace tuff
