#pragma once

#include "passes/common/picture.hpp"

#include <tuff/pass.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// What a texel of the result is made from.
enum class ResizeFilter : std::uint8_t {
    nearest, ///< the nearest texel
    linear,  ///< the nearest four, weighted
    area,    ///< all that it covers, weighted by how much of them
};

/// Scales an image. See `describe`.
struct Resize {
    static constexpr std::string_view kName = "image/resize";
    static constexpr int kMaxSize = 16384;
    static constexpr double kMaxFactor = 1024;

    Image source;
    int width = 0;       ///< texels; 0: from the height, keeping the aspect
    int height = 0;      ///< texels; 0: from the width
    float factor = 0.0f; ///< instead of both; 0: none
    ResizeFilter filter = ResizeFilter::linear;
    Image result;

    static void describe(PassInfo<Resize>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::ResizeFilter> {
    static constexpr std::array<std::string_view, 3> names{"nearest", "linear", "area"};
};
