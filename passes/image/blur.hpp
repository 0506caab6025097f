#pragma once

#include "passes/common/picture.hpp"
#include "passes/image/border.hpp"
#include "passes/image/convolve.hpp"

#include <tuff/pass.hpp>

#include <string_view>

namespace tuff::passes {

/// A Gaussian blur of any width. See `describe`.
struct Blur {
    static constexpr std::string_view kName = "image/blur";
    static constexpr double kMaxSigma = 4096.0;

    Image source;
    float sigma = 8.0f;
    Border border = Border::clamp;
    AlphaUse alpha = AlphaUse::keep;
    OutputFormat format = OutputFormat::same;
    Image result;

    static void describe(PassInfo<Blur>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
