#pragma once

#include "passes/common/picture.hpp"
#include "passes/image/border.hpp"

#include <tuff/pass.hpp>

#include <string_view>

namespace tuff::passes {

/// The Laplacian over eight neighbours. See `describe`.
struct Highpass {
    static constexpr std::string_view kName = "image/highpass";

    Image source;
    float bias = 0.0f;
    Border border = Border::clamp;
    OutputFormat format = OutputFormat::same;
    Image result;

    static void describe(PassInfo<Highpass>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
