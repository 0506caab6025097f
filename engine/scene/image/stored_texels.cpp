#include "scene/image/stored_texels.hpp"

#include <fmt/format.h>

#include <cstring>
#include <utility>

namespace tuff {
namespace {

/// The stored bits that stand for alpha 1.
std::vector<std::byte> opaque_number(ElementType type) {
    std::vector<std::byte> bytes(element_bytes(type), std::byte{0xff});
    const auto put = [&](auto one) { std::memcpy(bytes.data(), &one, sizeof one); };
    switch (type) {
    case ElementType::f16: put(std::uint16_t{0x3c00}); break;
    case ElementType::f32: put(1.0f); break;
    case ElementType::u32:
    case ElementType::i32: put(std::uint32_t{1}); break;
    default: break; // a share of the greatest number
    }
    return bytes;
}

} // namespace

std::vector<std::byte> with_alpha(std::span<const std::byte> numbers, ElementType type) {
    const std::vector<std::byte> alpha = opaque_number(type);
    const std::size_t texel = 3 * alpha.size();
    std::vector<std::byte> result;
    result.reserve(numbers.size() / 3 * 4);
    for (std::size_t at = 0; at < numbers.size(); at += texel) {
        const auto numbers_here = numbers.subspan(at, texel);
        result.insert(result.end(), numbers_here.begin(), numbers_here.end());
        result.insert(result.end(), alpha.begin(), alpha.end());
    }
    return result;
}

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
