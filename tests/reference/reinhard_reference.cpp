#include "tests/reference/reinhard_reference.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace tuff::reference {
namespace {

using Color = std::array<double, 3>;

Color color_of(const HostImage& picture, std::uint32_t x, std::uint32_t y) {
    Color color{};
    for (std::size_t c = 0; c < 3; ++c)
        color[c] = std::clamp(static_cast<double>(picture.texel(x, y)[c]), 0.0, 65504.0);
    return color;
}

double luminance(const Color& color) {
    return 0.2126 * color[0] + 0.7152 * color[1] + 0.0722 * color[2];
}

} // namespace

Luminances luminances(const HostImage& picture) {
    Luminances all;
    for (std::uint32_t y = 0; y < picture.extent.height; ++y)
        for (std::uint32_t x = 0; x < picture.extent.width; ++x) {
            const double value = luminance(color_of(picture, x, y));
            all.log_average += std::log(std::max(value, 1e-6));
            all.maximum = std::max(all.maximum, value);
        }
    all.log_average /= static_cast<double>(picture.extent.width) * picture.extent.height;
    return all;
}

void expect_reinhard(const HostImage& result, const HostImage& picture, double key, double white,
                     double tolerance) {
    ASSERT_FALSE(result.empty());
    const Luminances all = luminances(picture);
    const double scale = key / std::exp(all.log_average);
    const double at_one = white > 0.0 ? white : scale * all.maximum;
    for (std::uint32_t y = 0; y < picture.extent.height; ++y)
        for (std::uint32_t x = 0; x < picture.extent.width; ++x) {
            const Color color = color_of(picture, x, y);
            const double l = scale * luminance(color);
            const double factor = scale * (1.0 + l / (at_one * at_one)) / (1.0 + l);
            for (std::size_t c = 0; c < 3; ++c)
                ASSERT_NEAR(result.texel(x, y)[c], std::min(color[c] * factor, 1.0), tolerance)
                    << x << ", " << y;
        }
}

} // namespace tuff::reference
