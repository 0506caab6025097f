#pragma once

#include <tuff/buffer_elements.hpp>
#include <tuff/image.hpp>

#include <cstdint>
#include <optional>

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

} // namespace tuff
