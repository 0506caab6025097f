#include <tuff/format.hpp>

#include <algorithm>
#include <array>

namespace tuff {
namespace {

using enum NumericKind;

constexpr std::array kFormats = {
    FormatInfo{Format::undefined, "undefined", 0, 0, none, false, false},
    FormatInfo{Format::r8_unorm, "r8_unorm", 1, 1, unorm, false, false},
    FormatInfo{Format::r8_uint, "r8_uint", 1, 1, uint, false, false},
    FormatInfo{Format::rg8_unorm, "rg8_unorm", 2, 2, unorm, false, false},
    FormatInfo{Format::rgba8_unorm, "rgba8_unorm", 4, 4, unorm, false, false},
    FormatInfo{Format::rgba8_snorm, "rgba8_snorm", 4, 4, snorm, false, false},
    FormatInfo{Format::rgba8_uint, "rgba8_uint", 4, 4, uint, false, false},
    FormatInfo{Format::rgba8_srgb, "rgba8_srgb", 4, 4, srgb, false, false},
    FormatInfo{Format::bgra8_unorm, "bgra8_unorm", 4, 4, unorm, false, false},
    FormatInfo{Format::bgra8_srgb, "bgra8_srgb", 4, 4, srgb, false, false},
    FormatInfo{Format::a2b10g10r10_unorm, "a2b10g10r10_unorm", 4, 4, unorm, false, false},
    FormatInfo{Format::r16_unorm, "r16_unorm", 2, 1, unorm, false, false},
    FormatInfo{Format::r16_uint, "r16_uint", 2, 1, uint, false, false},
    FormatInfo{Format::r16_sfloat, "r16_sfloat", 2, 1, sfloat, false, false},
    FormatInfo{Format::rg16_uint, "rg16_uint", 4, 2, uint, false, false},
    FormatInfo{Format::rg16_sfloat, "rg16_sfloat", 4, 2, sfloat, false, false},
    FormatInfo{Format::rgba16_unorm, "rgba16_unorm", 8, 4, unorm, false, false},
    FormatInfo{Format::rgba16_uint, "rgba16_uint", 8, 4, uint, false, false},
    FormatInfo{Format::rgba16_sfloat, "rgba16_sfloat", 8, 4, sfloat, false, false},
    FormatInfo{Format::r32_uint, "r32_uint", 4, 1, uint, false, false},
    FormatInfo{Format::r32_sint, "r32_sint", 4, 1, sint, false, false},
    FormatInfo{Format::r32_sfloat, "r32_sfloat", 4, 1, sfloat, false, false},
    FormatInfo{Format::rg32_uint, "rg32_uint", 8, 2, uint, false, false},
    FormatInfo{Format::rg32_sfloat, "rg32_sfloat", 8, 2, sfloat, false, false},
    FormatInfo{Format::rgba32_uint, "rgba32_uint", 16, 4, uint, false, false},
    FormatInfo{Format::rgba32_sint, "rgba32_sint", 16, 4, sint, false, false},
    FormatInfo{Format::rgba32_sfloat, "rgba32_sfloat", 16, 4, sfloat, false, false},
    FormatInfo{Format::b10g11r11_ufloat, "b10g11r11_ufloat", 4, 3, ufloat, false, false},
    FormatInfo{Format::d16_unorm, "d16_unorm", 2, 1, unorm, true, false},
    FormatInfo{Format::d32_sfloat, "d32_sfloat", 4, 1, sfloat, true, false},
    FormatInfo{Format::s8_uint, "s8_uint", 1, 1, uint, false, true},
    FormatInfo{Format::d24_unorm_s8_uint, "d24_unorm_s8_uint", 4, 1, unorm, true, true},
    FormatInfo{Format::d32_sfloat_s8_uint, "d32_sfloat_s8_uint", 8, 1, sfloat, true, true},
};

/// Number of a format -> its place in `kFormats`, 0 for unknown ones.
constexpr auto kPlaces = [] {
    std::array<std::uint8_t, static_cast<std::size_t>(kFormats.back().format) + 1> places{};
    for (std::size_t i = 0; i < kFormats.size(); ++i)
        places[static_cast<std::size_t>(kFormats[i].format)] = static_cast<std::uint8_t>(i);
    return places;
}();

} // namespace

const FormatInfo& info(Format format) {
    const auto number = static_cast<std::size_t>(format);
    return kFormats[number < kPlaces.size() ? kPlaces[number] : 0];
}

std::optional<Format> parse_format(std::string_view name) {
    const auto* found = std::ranges::find(kFormats, name, &FormatInfo::name);
    if (found == kFormats.end() || found->format == Format::undefined) return std::nullopt;
    return found->format;
}

std::span<const FormatInfo> all_formats() {
    return kFormats;
}

} // namespace tuff
