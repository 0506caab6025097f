#pragma once

#include "passes/common/picture.hpp"
#include "passes/image/border.hpp"

#include <tuff/pass.hpp>

#include <string_view>

namespace tuff::passes {

/// The median of a 3x3 or 5x5 window, channel by channel. See `describe`.
struct Median {
    static constexpr std::string_view kName = "image/median";

    Image source;
    int window = 3; ///< 3 or 5
    Border border = Border::clamp;
    OutputFormat format = OutputFormat::same;
    Image result;

    static void describe(PassInfo<Median>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
