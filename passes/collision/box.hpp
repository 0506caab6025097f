#pragma once

#include <tuff/shared_struct.hpp>

#include <array>
#include <string_view>

namespace tuff::passes {

/// A box of any orientation; `Box` of shaders/collision/box.glsl. The fourth components are unused.
struct OrientedBox {
    std::array<float, 4> middle{};
    std::array<float, 4> half_size{};               ///< half sizes along the axes
    std::array<float, 4> x{1.0f, 0.0f, 0.0f, 0.0f}; ///< unit axes; the third is their cross product
    std::array<float, 4> y{0.0f, 1.0f, 0.0f, 0.0f};

    static constexpr std::string_view kStructName = "OrientedBox";
    static constexpr auto members() {
        return std::array{TUFF_MEMBER(OrientedBox, middle), TUFF_MEMBER(OrientedBox, half_size),
                          TUFF_MEMBER(OrientedBox, x), TUFF_MEMBER(OrientedBox, y)};
    }
};
static_assert(sizeof(OrientedBox) == 64);

} // namespace tuff::passes
