#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace tuff::test {

/// A PNG file of 16 bits, grey, not compressed: as depth cameras and height maps have them.
std::string grey_png(std::uint32_t width, std::uint32_t height,
                     std::span<const std::uint16_t> grey);

} // namespace tuff::test
