#include "model/compare.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace tuff::viewer {
namespace {

/// The texels of `image` that are nearest to those of a picture of that size.
HostImage resized(const HostImage& image, Extent extent) {
    HostImage result = make_image(image.format, extent);
    const std::size_t bytes = result.texels.size() / (std::size_t{extent.width} * extent.height);
    for (std::uint32_t y = 0; y < extent.height; ++y)
        for (std::uint32_t x = 0; x < extent.width; ++x) {
            const std::size_t from_x = std::uint64_t{x} * image.extent.width / extent.width;
            const std::size_t from_y = std::uint64_t{y} * image.extent.height / extent.height;
            std::memcpy(result.texels.data() + (std::size_t{y} * extent.width + x) * bytes,
                        image.texels.data() + (from_y * image.extent.width + from_x) * bytes,
                        bytes);
        }
    return result;
}

/// Linear light: the viewer takes fixed point for the numbers of a screen.
HostImage linear(const HostImage& image) {
    HostImage result = convert(image, Format::rgba32_sfloat);
    const FormatInfo& format = info(image.format);
    const bool encoded = format.kind == NumericKind::unorm && !format.depth;
    if (!encoded) return result;
    for (std::uint32_t y = 0; y < image.extent.height; ++y)
        for (std::uint32_t x = 0; x < image.extent.width; ++x) {
            std::array<float, 4> texel = image.texel(x, y, 0, Transfer::stored);
            for (std::size_t c = 0; c < 3; ++c)
                texel[c] = srgb_to_linear(texel[c]);
            result.set_texel(texel, x, y);
        }
    return result;
}

HostImage split(const HostImage& a, const HostImage& b, float line) {
    HostImage result = b;
    const auto columns = static_cast<std::size_t>(
        std::lround(std::clamp(line, 0.0f, 1.0f) * static_cast<float>(b.extent.width)));
    const std::size_t row = b.texels.size() / b.extent.height;
    const std::size_t bytes = row / b.extent.width * columns;
    if (bytes == 0) return result;
    for (std::size_t y = 0; y < b.extent.height; ++y)
        std::memcpy(result.texels.data() + y * row, a.texels.data() + y * row, bytes);
    return result;
}

HostImage difference(const HostImage& a, const HostImage& b) {
    HostImage result = make_image(Format::rgba32_sfloat, b.extent);
    for (std::uint32_t y = 0; y < b.extent.height; ++y)
        for (std::uint32_t x = 0; x < b.extent.width; ++x) {
            const std::array<float, 4> p = a.texel(x, y, 0, Transfer::stored);
            std::array<float, 4> q = b.texel(x, y, 0, Transfer::stored);
            for (std::size_t c = 0; c < 3; ++c)
                q[c] = std::abs(p[c] - q[c]);
            q[3] = 1.0f;
            result.set_texel(q, x, y);
        }
    return result;
}

} // namespace

HostImage compared(const HostImage& a, const HostImage& b, Comparison how, float line) {
    if (how == Comparison::off) return b;
    const HostImage as_large = a.extent == b.extent ? a : resized(a, b.extent);
    const bool same = a.format == b.format;
    if (how == Comparison::split)
        return same ? split(as_large, b, line) : split(linear(as_large), linear(b), line);
    return same ? difference(as_large, b) : difference(linear(as_large), linear(b));
}

DifferenceSummary difference_summary(const HostImage& image) {
    DifferenceSummary summary;
    double sum = 0.0;
    for (std::uint32_t y = 0; y < image.extent.height; ++y)
        for (std::uint32_t x = 0; x < image.extent.width; ++x) {
            const std::array<float, 4> texel = image.texel(x, y, 0, Transfer::stored);
            bool differs = false;
            for (std::size_t c = 0; c < 3; ++c) {
                const auto value = static_cast<double>(texel[c]);
                differs |= !(value == 0.0);
                sum += value;
                summary.most = std::max(summary.most, value);
            }
            summary.texels += differs;
        }
    const double count = 3.0 * image.extent.width * image.extent.height;
    summary.mean = count > 0.0 ? sum / count : 0.0;
    return summary;
}

} // namespace tuff::viewer
