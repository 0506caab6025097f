#include "model/texels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace tuff::viewer {
namespace {

template <typename T>
T load(std::span<const std::byte> bytes, std::size_t index) {
    T value;
    std::memcpy(&value, bytes.data() + index * sizeof(T), sizeof(T));
    return value;
}

double number_at(std::span<const std::byte> bytes, Elements elements, std::size_t i) {
    switch (elements) {
    case Elements::f32: return static_cast<double>(load<float>(bytes, i));
    case Elements::i32: return load<std::int32_t>(bytes, i);
    case Elements::u8: return load<std::uint8_t>(bytes, i);
    case Elements::u32:
    case Elements::hex: return load<std::uint32_t>(bytes, i);
    }
    return 0.0;
}

/// Two walks over `count` values, of which those of `channels` take turns: their range, then how
/// they are spread over it.
template <typename Value>
ValueSummary summary_of(std::size_t count, std::size_t channels, const Value& value) {
    ValueSummary summary;
    summary.channels.resize(channels);
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (std::size_t i = 0; i < count; ++i) {
        const double v = value(i);
        if (std::isnan(v)) {
            ++summary.not_numbers;
        } else if (std::isinf(v)) {
            ++summary.infinite;
        } else {
            ++summary.finite;
            low = std::min(low, v);
            high = std::max(high, v);
        }
    }
    if (summary.finite == 0) return summary;
    summary.low = low;
    summary.high = high;
    constexpr double bins = ValueSummary::kBins;
    const double scale = high > low ? bins / (high - low) : 0.0;
    for (std::size_t i = 0; i < count; ++i) {
        const double v = value(i);
        if (!std::isfinite(v)) continue;
        const auto bin = static_cast<std::size_t>(std::min((v - low) * scale, bins - 1.0));
        ++summary.channels[i % channels][bin];
    }
    return summary;
}

} // namespace

HostImage slice_of(const HostImage& image, std::uint32_t slice) {
    if (image.extent.depth == 1) return image;
    HostImage flat = make_image(image.format, {image.extent.width, image.extent.height, 1});
    std::memcpy(flat.texels.data(), image.texels.data() + flat.texels.size() * slice,
                flat.texels.size());
    return flat;
}

std::string texel_text(const HostImage& image, std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    const std::array<float, 4> value = image.texel(x, y, z, Transfer::stored);
    std::string text;
    for (std::uint32_t c = 0; c < std::clamp(info(image.format).channels, 1u, 4u); ++c)
        text += fmt::format("{}{:.6g}", c ? "  " : "", value[c]);
    return text;
}

ValueSummary summarize(const HostImage& image) {
    const Extent extent = image.extent;
    const std::uint32_t channels = std::clamp(info(image.format).channels, 1u, 3u);
    std::vector<float> values;
    values.reserve(std::size_t{extent.width} * extent.height * channels);
    for (std::uint32_t y = 0; y < extent.height; ++y)
        for (std::uint32_t x = 0; x < extent.width; ++x) {
            const std::array<float, 4> texel = image.texel(x, y, 0, Transfer::stored);
            values.insert(values.end(), texel.begin(), texel.begin() + channels);
        }
    return summary_of(values.size(), channels,
                      [&](std::size_t i) { return static_cast<double>(values[i]); });
}

std::uint32_t element_bytes(Elements elements) {
    return elements == Elements::u8 ? 1 : 4;
}

ValueSummary summarize(std::span<const std::byte> bytes, Elements elements) {
    return summary_of(bytes.size() / element_bytes(elements), 1,
                      [&](std::size_t i) { return number_at(bytes, elements, i); });
}

std::string element_text(std::span<const std::byte> bytes, Elements elements, std::size_t index) {
    switch (elements) {
    case Elements::f32: return fmt::format("{:.6g}", load<float>(bytes, index));
    case Elements::u32: return fmt::format("{}", load<std::uint32_t>(bytes, index));
    case Elements::i32: return fmt::format("{}", load<std::int32_t>(bytes, index));
    case Elements::u8: return fmt::format("{}", load<std::uint8_t>(bytes, index));
    case Elements::hex: return fmt::format("{:08x}", load<std::uint32_t>(bytes, index));
    }
    return {};
}

} // namespace tuff::viewer
