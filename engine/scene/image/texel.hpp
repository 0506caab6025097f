#pragma once

#include <tuff/format.hpp>
#include <tuff/image.hpp>

#include <array>
#include <cstddef>

namespace tuff {

/// One texel of `format` to RGBA and back; see HostImage::texel for the meaning of the numbers.
std::array<float, 4> decode_texel(Format format, const std::byte* bytes, Transfer transfer);
void encode_texel(Format format, std::array<float, 4> value, std::byte* bytes, Transfer transfer);

} // namespace tuff
