#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace tuff {

/// Texel formats of the core tier. The numbers are those of VkFormat.
enum class Format : std::uint32_t {
    undefined = 0,
    r8_unorm = 9,
    r8_uint = 13,
    rg8_unorm = 16,
    rgba8_unorm = 37,
    rgba8_snorm = 38,
    rgba8_uint = 41,
    rgba8_srgb = 43,
    bgra8_unorm = 44,
    bgra8_srgb = 50,
    a2b10g10r10_unorm = 64,
    r16_unorm = 70,
    r16_uint = 74,
    r16_sfloat = 76,
    rg16_uint = 81,
    rg16_sfloat = 83,
    rgba16_unorm = 91,
    rgba16_uint = 95,
    rgba16_sfloat = 97,
    r32_uint = 98,
    r32_sint = 99,
    r32_sfloat = 100,
    rg32_uint = 101,
    rg32_sfloat = 103,
    rgba32_uint = 107,
    rgba32_sint = 108,
    rgba32_sfloat = 109,
    b10g11r11_ufloat = 122,
    d16_unorm = 124,
    d32_sfloat = 126,
    s8_uint = 127,
    d24_unorm_s8_uint = 129,
    d32_sfloat_s8_uint = 130,
};

/// What the bits of a channel mean.
enum class NumericKind : std::uint8_t { none, unorm, snorm, uint, sint, sfloat, ufloat, srgb };

/// Facts about a format.
struct FormatInfo {
    Format format;             ///< the format
    std::string_view name;     ///< as configs and messages spell it, "rgba16_sfloat"
    std::uint32_t texel_bytes; ///< bytes of a texel
    std::uint32_t channels;    ///< colour channels, or one of depth
    NumericKind kind;          ///< of the colour channels, or of depth
    bool depth;                ///< has depth
    bool stencil;              ///< has a stencil
};

/// Facts about a format; `Format::undefined` and unknown numbers give the entry named "undefined".
const FormatInfo& info(Format format);
/// The format of a name as configs spell it, if there is one.
std::optional<Format> parse_format(std::string_view name);
/// All formats, `undefined` first.
std::span<const FormatInfo> all_formats();

/// Size in texels. Two-dimensional images have depth 1.
struct Extent {
    std::uint32_t width = 1;  ///< texels along x
    std::uint32_t height = 1; ///< texels along y
    std::uint32_t depth = 1;  ///< texels along z

    friend bool operator==(const Extent&, const Extent&) = default;
};

/// Extent of mip level `mip` of an image of extent `base`: halved and rounded down, at least 1.
constexpr Extent mip_extent(Extent base, std::uint32_t mip) {
    const auto halve = [mip](std::uint32_t v) {
        return mip > 31 || (v >> mip) == 0 ? 1u : v >> mip;
    };
    return {halve(base.width), halve(base.height), halve(base.depth)};
}

/// Number of levels of a full mip chain down to 1x1x1.
constexpr std::uint32_t full_mip_count(Extent base) {
    std::uint32_t largest = base.width > base.height ? base.width : base.height;
    largest = largest > base.depth ? largest : base.depth;
    std::uint32_t levels = 1;
    while (largest >>= 1)
        ++levels;
    return levels;
}

} // namespace tuff
