#pragma once

#include "passes/common/picture.hpp"

#include <tuff/pass.hpp>

#include <array>
#include <string_view>

namespace tuff::passes {

/// Scales an image. See `describe`.
struct Resize {
    static constexpr std::string_view kName = "image/resize";
    static constexpr int kMaxSize = 16384;

    Image source;
    int width = 0;  ///< texels; 0: from the height, keeping the aspect
    int height = 0; ///< texels; 0: from the width
    Filter filter = Filter::linear;
    Image result;

    static void describe(PassInfo<Resize>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::Filter> {
    static constexpr std::array<std::string_view, 2> names{"nearest", "linear"};
};
