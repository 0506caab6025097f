#include "scene/image/texel.hpp"

#include <Imath/half.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace tuff {
namespace {

template <typename T>
T load(const std::byte* bytes) {
    T value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
}

template <typename T>
void store(std::byte* bytes, T value) {
    std::memcpy(bytes, &value, sizeof value);
}

/// Rounds to the nearest value of T; NaN becomes 0, as Vulkan allows for fixed-point conversion.
template <typename T>
T round_to(double value) {
    if (std::isnan(value)) return 0;
    const double low = static_cast<double>(std::numeric_limits<T>::lowest());
    const double high = static_cast<double>(std::numeric_limits<T>::max());
    return static_cast<T>(std::clamp(std::nearbyint(value), low, high));
}

double unit(float value) {
    return std::isnan(value) ? 0.0 : std::clamp<double>(value, 0.0, 1.0);
}

float decode_channel(NumericKind kind, std::size_t bytes_each, const std::byte* at) {
    switch (kind) {
    case NumericKind::unorm:
    case NumericKind::srgb:
        return bytes_each == 1 ? static_cast<float>(load<std::uint8_t>(at)) / 255.0f
                               : static_cast<float>(load<std::uint16_t>(at)) / 65535.0f;
    case NumericKind::snorm:
        return std::max(static_cast<float>(load<std::int8_t>(at)) / 127.0f, -1.0f);
    case NumericKind::uint:
        if (bytes_each == 1) return static_cast<float>(load<std::uint8_t>(at));
        if (bytes_each == 2) return static_cast<float>(load<std::uint16_t>(at));
        return static_cast<float>(load<std::uint32_t>(at));
    case NumericKind::sint: return static_cast<float>(load<std::int32_t>(at));
    case NumericKind::sfloat:
        return bytes_each == 2 ? imath_half_to_float(load<std::uint16_t>(at)) : load<float>(at);
    default: return 0.0f;
    }
}

void encode_channel(NumericKind kind, std::size_t bytes_each, float value, std::byte* at) {
    switch (kind) {
    case NumericKind::unorm:
    case NumericKind::srgb:
        if (bytes_each == 1)
            store(at, round_to<std::uint8_t>(unit(value) * 255.0));
        else
            store(at, round_to<std::uint16_t>(unit(value) * 65535.0));
        break;
    case NumericKind::snorm:
        store(at, round_to<std::int8_t>(std::clamp<double>(value, -1.0, 1.0) * 127.0));
        break;
    case NumericKind::uint:
        if (bytes_each == 1)
            store(at, round_to<std::uint8_t>(value));
        else if (bytes_each == 2)
            store(at, round_to<std::uint16_t>(value));
        else
            store(at, round_to<std::uint32_t>(value));
        break;
    case NumericKind::sint: store(at, round_to<std::int32_t>(value)); break;
    case NumericKind::sfloat:
        if (bytes_each == 2)
            store(at, imath_float_to_half(value));
        else
            store(at, value);
        break;
    default: break;
    }
}

/// The unsigned small floats of b10g11r11: 5 exponent bits as in a half, `mantissa_bits` below, no
/// sign. They are the top bits of a positive half, so the half conversion does the work.
float decode_small_float(std::uint32_t bits, int mantissa_bits) {
    return imath_half_to_float(static_cast<imath_half_bits_t>(bits << (10 - mantissa_bits)));
}

std::uint32_t encode_small_float(float value, int mantissa_bits) {
    const int shift = 10 - mantissa_bits;
    if (std::isnan(value)) return 0x7fffu >> shift;
    if (value <= 0.0f) return 0;
    const std::uint32_t infinity = 0x7c00u >> shift;
    if (std::isinf(value)) return infinity;
    const std::uint32_t half = imath_float_to_half(value);
    const std::uint32_t rounded = (half + (1u << (shift - 1))) >> shift;
    return std::min(rounded, infinity - 1); // finite values saturate
}

std::array<float, 4> decode_packed(Format format, std::uint32_t word) {
    if (format == Format::a2b10g10r10_unorm) {
        return {static_cast<float>(word & 1023u) / 1023.0f,
                static_cast<float>((word >> 10) & 1023u) / 1023.0f,
                static_cast<float>((word >> 20) & 1023u) / 1023.0f,
                static_cast<float>(word >> 30) / 3.0f};
    }
    return {decode_small_float(word & 0x7ffu, 6), decode_small_float((word >> 11) & 0x7ffu, 6),
            decode_small_float(word >> 22, 5), 1.0f};
}

std::uint32_t encode_packed(Format format, const std::array<float, 4>& value) {
    if (format == Format::a2b10g10r10_unorm) {
        return round_to<std::uint32_t>(unit(value[0]) * 1023.0) |
               round_to<std::uint32_t>(unit(value[1]) * 1023.0) << 10 |
               round_to<std::uint32_t>(unit(value[2]) * 1023.0) << 20 |
               round_to<std::uint32_t>(unit(value[3]) * 3.0) << 30;
    }
    return encode_small_float(value[0], 6) | encode_small_float(value[1], 6) << 11 |
           encode_small_float(value[2], 5) << 22;
}

bool is_packed(Format format) {
    return format == Format::a2b10g10r10_unorm || format == Format::b10g11r11_ufloat;
}

bool is_bgra(Format format) {
    return format == Format::bgra8_unorm || format == Format::bgra8_srgb;
}

/// Depth and stencil formats seen as the one-channel colour format of the same bytes.
Format as_colour(Format format) {
    switch (format) {
    case Format::d16_unorm: return Format::r16_unorm;
    case Format::d32_sfloat: return Format::r32_sfloat;
    case Format::s8_uint: return Format::r8_uint;
    default: return format;
    }
}

} // namespace

std::array<float, 4> decode_texel(Format format, const std::byte* bytes, Transfer transfer) {
    std::array<float, 4> value = {0.0f, 0.0f, 0.0f, 1.0f};
    if (is_packed(format)) return decode_packed(format, load<std::uint32_t>(bytes));
    const FormatInfo& facts = info(as_colour(format));
    if (facts.channels == 0 || facts.depth || facts.stencil) return value;
    const std::size_t bytes_each = facts.texel_bytes / facts.channels;
    for (std::size_t c = 0; c < facts.channels; ++c)
        value[c] = decode_channel(facts.kind, bytes_each, bytes + c * bytes_each);
    if (is_bgra(format)) std::swap(value[0], value[2]);
    if (facts.kind == NumericKind::srgb && transfer == Transfer::linear)
        for (std::size_t c = 0; c < 3; ++c)
            value[c] = srgb_to_linear(value[c]);
    return value;
}

void encode_texel(Format format, std::array<float, 4> value, std::byte* bytes, Transfer transfer) {
    if (is_packed(format)) {
        store(bytes, encode_packed(format, value));
        return;
    }
    const FormatInfo& facts = info(as_colour(format));
    if (facts.channels == 0 || facts.depth || facts.stencil) return;
    if (facts.kind == NumericKind::srgb && transfer == Transfer::linear)
        for (std::size_t c = 0; c < 3; ++c)
            value[c] = linear_to_srgb(value[c]);
    if (is_bgra(format)) std::swap(value[0], value[2]);
    const std::size_t bytes_each = facts.texel_bytes / facts.channels;
    for (std::size_t c = 0; c < facts.channels; ++c)
        encode_channel(facts.kind, bytes_each, value[c], bytes + c * bytes_each);
}

} // namespace tuff
