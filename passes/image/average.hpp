#pragma once

#include "passes/common/picture.hpp"
#include "passes/image/border.hpp"

#include <tuff/pass.hpp>

#include <string_view>

namespace tuff::passes {

/// The mean of a square window. See `describe`.
struct Average {
    static constexpr std::string_view kName = "image/average";

    Image source;
    int window = 3;
    Border border = Border::clamp;
    OutputFormat format = OutputFormat::same;
    Image result;

    static void describe(PassInfo<Average>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
