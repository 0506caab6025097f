#include "scene/image/stored_texels.hpp"

#include <fmt/format.h>

#include <utility>

namespace tuff {

std::optional<ElementType> stored_element(const FormatInfo& facts) {
    if (facts.channels == 0) return std::nullopt;
    const std::uint32_t bytes = facts.texel_bytes / facts.channels;
    switch (facts.kind) {
    case NumericKind::unorm:
    case NumericKind::srgb:
    case NumericKind::uint:
        return bytes == 1 ? ElementType::u8 : bytes == 2 ? ElementType::u16 : ElementType::u32;
    case NumericKind::snorm: return ElementType::i8;
    case NumericKind::sint: return ElementType::i32;
    case NumericKind::sfloat: return bytes == 2 ? ElementType::f16 : ElementType::f32;
    default: return std::nullopt;
    }
}

Result<StoredTexels> stored_texels(HostImage image) {
    if (image.format == Format::a2b10g10r10_unorm || image.format == Format::b10g11r11_ufloat) {
        image = convert(image, Format::rgba32_sfloat);
    } else if (image.format == Format::bgra8_unorm || image.format == Format::bgra8_srgb) {
        const bool srgb = image.format == Format::bgra8_srgb;
        image = convert(image, srgb ? Format::rgba8_srgb : Format::rgba8_unorm);
    }
    const FormatInfo& facts = info(image.format);
    const auto element = stored_element(facts);
    if (!element) return fail("image/unsupported", fmt::format("{} has no array form", facts.name));
    return StoredTexels{std::move(image), *element, facts.channels};
}

} // namespace tuff
