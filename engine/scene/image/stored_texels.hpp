#pragma once

#include <tuff/buffer_elements.hpp>
#include <tuff/image.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tuff {

/// An image whose texels are plain numbers, one after the other.
struct StoredTexels {
    HostImage image;
    ElementType type = ElementType::u8; ///< of each number
    std::uint32_t channels = 1;
};

/// The numbers of an image: those that are stored, sRGB still encoded. BGRA becomes RGBA, packed
/// formats become floats. Error: image/unsupported.
Result<StoredTexels> stored_texels(HostImage image);

/// The type of the numbers that a texel of a format is made of, each `texel_bytes / channels` long.
std::optional<ElementType> stored_element(const FormatInfo& facts);

/// Three numbers a texel become four: an alpha of 1, as numbers of that type stand for it in texels.
std::vector<std::byte> with_alpha(std::span<const std::byte> numbers, ElementType type);

} // namespace tuff
