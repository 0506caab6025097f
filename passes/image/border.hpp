#pragma once

#include <tuff/pass.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// What a window filter reads beyond the edge. The values are those of shaders/image/border.glsl.
enum class Border : std::uint8_t {
    clamp,  ///< the nearest texel of the image
    zero,   ///< zero in all channels
    mirror, ///< reflected about the edge, the edge texel repeated
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::Border> {
    static constexpr std::array<std::string_view, 3> names{"clamp", "zero", "mirror"};
};
