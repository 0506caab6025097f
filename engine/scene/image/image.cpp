#include "scene/image/texel.hpp"

#include <tuff/image.hpp>

#include <algorithm>
#include <cmath>

namespace tuff {
namespace {

std::size_t texel_offset(const HostImage& image, std::uint32_t x, std::uint32_t y,
                         std::uint32_t z) {
    const std::size_t row = (std::size_t{z} * image.extent.height + y) * image.extent.width;
    return (row + x) * info(image.format).texel_bytes;
}

} // namespace

float srgb_to_linear(float encoded) {
    return encoded <= 0.04045f ? encoded / 12.92f : std::pow((encoded + 0.055f) / 1.055f, 2.4f);
}

float linear_to_srgb(float linear) {
    if (!(linear > 0.0f)) return 0.0f; // NaN too
    if (linear >= 1.0f) return 1.0f;
    return linear <= 0.0031308f ? linear * 12.92f : 1.055f * std::pow(linear, 1.0f / 2.4f) - 0.055f;
}

std::uint64_t byte_size(Format format, Extent extent) {
    return std::uint64_t{extent.width} * extent.height * extent.depth * info(format).texel_bytes;
}

HostImage make_image(Format format, Extent extent) {
    return {format, extent, std::vector<std::byte>(byte_size(format, extent))};
}

std::array<float, 4> HostImage::texel(std::uint32_t x, std::uint32_t y, std::uint32_t z,
                                      Transfer transfer) const {
    return decode_texel(format, texels.data() + texel_offset(*this, x, y, z), transfer);
}

void HostImage::set_texel(std::array<float, 4> value, std::uint32_t x, std::uint32_t y,
                          std::uint32_t z, Transfer transfer) {
    encode_texel(format, value, texels.data() + texel_offset(*this, x, y, z), transfer);
}

HostImage convert(const HostImage& image, Format format) {
    HostImage result = make_image(format, image.extent);
    const std::size_t from_bytes = info(image.format).texel_bytes;
    const std::size_t to_bytes = info(format).texel_bytes;
    if (from_bytes == 0 || to_bytes == 0) return result;
    for (std::size_t i = 0; i < image.texels.size() / from_bytes; ++i)
        encode_texel(format,
                     decode_texel(image.format, &image.texels[i * from_bytes], Transfer::linear),
                     &result.texels[i * to_bytes], Transfer::linear);
    return result;
}

} // namespace tuff
