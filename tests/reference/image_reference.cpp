#include "tests/reference/image_reference.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace tuff::reference {

Picture blank(int width, int height, Texel value) {
    return {width, height, std::vector<Texel>(static_cast<std::size_t>(width * height), value)};
}

Picture picture_of(const HostImage& image) {
    Picture picture =
        blank(static_cast<int>(image.extent.width), static_cast<int>(image.extent.height));
    for (std::uint32_t y = 0; y < image.extent.height; ++y)
        for (std::uint32_t x = 0; x < image.extent.width; ++x) {
            const std::array<float, 4> texel = image.texel(x, y);
            picture.at(static_cast<int>(x), static_cast<int>(y)) = {texel[0], texel[1], texel[2],
                                                                    texel[3]};
        }
    return picture;
}

HostImage noise(Format format, int width, int height, std::uint32_t seed, double low, double high) {
    HostImage image =
        make_image(format, {static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height)});
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> value(static_cast<float>(low), static_cast<float>(high));
    for (std::uint32_t y = 0; y < image.extent.height; ++y)
        for (std::uint32_t x = 0; x < image.extent.width; ++x)
            image.set_texel({value(random), value(random), value(random), value(random)}, x, y);
    return image;
}

HostImage constant(Format format, int width, int height, Texel value) {
    HostImage image =
        make_image(format, {static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height)});
    for (std::uint32_t y = 0; y < image.extent.height; ++y)
        for (std::uint32_t x = 0; x < image.extent.width; ++x)
            image.set_texel({static_cast<float>(value[0]), static_cast<float>(value[1]),
                             static_cast<float>(value[2]), static_cast<float>(value[3])},
                            x, y);
    return image;
}

Picture map(const Picture& source, const std::function<Texel(const Texel&)>& f) {
    Picture result = source;
    std::ranges::transform(source.texels, result.texels.begin(), f);
    return result;
}

Texel with_border(const Picture& source, int x, int y, passes::Border border) {
    const bool outside = x < 0 || y < 0 || x >= source.width || y >= source.height;
    if (outside && border == passes::Border::zero) return {};
    const auto inside = [border](int i, int size) {
        if (border == passes::Border::clamp) return std::clamp(i, 0, size - 1);
        while (i < 0 || i >= size)
            i = i < 0 ? -1 - i : 2 * size - 1 - i;
        return i;
    };
    return source.at(inside(x, source.width), inside(y, source.height));
}

Expected correlated(const Picture& source, std::span<const double> kernel, int width, int height,
                    passes::Border border) {
    const double taps = static_cast<double>(kernel.size());
    const double unit = 4.0 * std::exp2(-24.0) * std::max(std::log2(taps), 1.0);
    Expected result{source, blank(source.width, source.height)};
    for (int y = 0; y < source.height; ++y)
        for (int x = 0; x < source.width; ++x)
            for (std::size_t c = 0; c < 3; ++c) {
                double sum = 0.0;
                double magnitude = 0.0;
                for (int ky = 0; ky < height; ++ky)
                    for (int kx = 0; kx < width; ++kx) {
                        const double weight = kernel[static_cast<std::size_t>(ky * width + kx)];
                        const double value =
                            with_border(source, x + kx - width / 2, y + ky - height / 2, border)[c];
                        sum += weight * value;
                        magnitude += std::abs(weight * value);
                    }
                result.value.at(x, y)[c] = sum;
                result.bound.at(x, y)[c] = unit * magnitude;
            }
    return result;
}

Picture median(const Picture& source, int size, passes::Border border) {
    Picture result = source;
    for (int y = 0; y < source.height; ++y)
        for (int x = 0; x < source.width; ++x)
            for (std::size_t c = 0; c < 3; ++c) {
                std::vector<double> values;
                for (int dy = -size / 2; dy <= size / 2; ++dy)
                    for (int dx = -size / 2; dx <= size / 2; ++dx)
                        values.push_back(with_border(source, x + dx, y + dy, border)[c]);
                const auto middle = values.begin() + size * size / 2;
                std::ranges::nth_element(values, middle);
                result.at(x, y)[c] = *middle;
            }
    return result;
}

double storage_step(Format format, double value) {
    switch (format) {
    case Format::rgba8_unorm: return 1.0 / 255.0;
    case Format::rgba16_sfloat: return std::max(std::exp2(-10.0) * std::abs(value), 1e-7);
    default: return 0.0;
    }
}

} // namespace tuff::reference
