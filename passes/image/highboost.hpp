#pragma once

#include "passes/common/picture.hpp"
#include "passes/image/border.hpp"

#include <tuff/pass.hpp>

#include <string_view>

namespace tuff::passes {

/// Sharpening: the weighted image plus its high pass. See `describe`.
struct Highboost {
    static constexpr std::string_view kName = "image/highboost";
    static constexpr double kMaxWeight = 16.0;

    Image source;
    float weight = 1.5f;
    Border border = Border::clamp;
    OutputFormat format = OutputFormat::same;
    Image result;

    static void describe(PassInfo<Highboost>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
