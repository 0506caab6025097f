#pragma once

#include "passes/common/picture.hpp"
#include "passes/image/border.hpp"
#include "passes/image/kernel.hpp"

#include <tuff/pass.hpp>

#include <array>
#include <string_view>

namespace tuff::passes {

/// A Gaussian blur. See `describe`.
struct Gaussian {
    static constexpr std::string_view kName = "image/gaussian";
    static constexpr double kMinSigma = 0.05;
    static constexpr double kMaxSigma = 4.0;

    Image source;
    float sigma = 1.0f;
    int radius = 0; ///< 0: chosen from sigma
    GaussianScale scale = GaussianScale::sum_one;
    Border border = Border::clamp;
    OutputFormat format = OutputFormat::same;
    Image result;

    static void describe(PassInfo<Gaussian>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::GaussianScale> {
    static constexpr std::array<std::string_view, 2> names{"sum", "analytic"};
};
