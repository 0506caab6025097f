#pragma once

#include "passes/common/picture.hpp"

#include <tuff/pass.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace tuff::passes {

enum class GrayWeights : std::uint8_t {
    mean,   ///< (r + g + b) / 3
    rec709, ///< luminance of linear Rec. 709 / sRGB colours; luma of encoded ones
};

/// Colour to grey. See `describe`.
struct Grayscale {
    static constexpr std::string_view kName = "image/grayscale";

    Image source;
    GrayWeights weights = GrayWeights::mean;
    OutputFormat format = OutputFormat::same;
    Image result;

    static void describe(PassInfo<Grayscale>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::GrayWeights> {
    static constexpr std::array<std::string_view, 2> names{"mean", "rec709"};
};
