#pragma once

#include "passes/common/picture.hpp"
#include "passes/image/border.hpp"

#include <tuff/pass.hpp>

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tuff::passes {

/// How a kernel given by the user is scaled.
enum class Normalisation : std::uint8_t {
    none,
    sum, ///< divided by the sum of the weights, unless that is 0
};

/// What a filter does to alpha.
enum class AlphaUse : std::uint8_t {
    keep,   ///< copied from the source
    filter, ///< filtered as the colours are
};

/// Whether a convolution runs as two one-dimensional passes.
enum class Separation : std::uint8_t {
    automatic, ///< where the kernel allows it and has 25 weights or more
    on,        ///< always; an error where the kernel does not allow it
    off,
};

/// Correlation or convolution with a kernel of up to 17x17 weights. See `describe`.
struct Convolve {
    static constexpr std::string_view kName = "image/convolve";

    Image source;
    std::vector<float> kernel = {0, 0, 0, 0, 1, 0, 0, 0, 0};
    int width = 3;
    int height = 3;
    bool flip = false;
    Normalisation normalisation = Normalisation::none;
    float bias = 0.0f;
    Border border = Border::clamp;
    bool clamp_result = false;
    AlphaUse alpha = AlphaUse::keep;
    Separation separable = Separation::automatic;
    OutputFormat format = OutputFormat::same;
    Image result;

    static void describe(PassInfo<Convolve>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::Normalisation> {
    static constexpr std::array<std::string_view, 2> names{"none", "sum"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::AlphaUse> {
    static constexpr std::array<std::string_view, 2> names{"keep", "filter"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::Separation> {
    static constexpr std::array<std::string_view, 3> names{"auto", "on", "off"};
};
