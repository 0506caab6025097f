#pragma once

#include "passes/fft/array.hpp"

namespace tuff::passes {

/// What is done along an axis of real numbers.
enum class RealTransform : std::uint8_t {
    none,
    cosine,         ///< DCT-II
    cosine_inverse, ///< what undoes it: DCT-III, scaled
    sine,           ///< DST-II
    sine_inverse,   ///< what undoes it: DST-III, scaled
    hartley,        ///< its own inverse, but for 1 / n
};

/// Transforms of real numbers into as many real numbers. See `describe`.
struct FftRealToReal {
    static constexpr std::string_view kName = "fft/real_to_real";

    Buffer source;
    glm::uvec4 size{0, 1, 1, 1};
    std::uint32_t batch = 1;
    RealTransform x = RealTransform::none;
    RealTransform y = RealTransform::none;
    RealTransform z = RealTransform::none;
    RealTransform w = RealTransform::none;
    Buffer result;

    static void describe(PassInfo<FftRealToReal>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::RealTransform> {
    static constexpr std::array<std::string_view, 6> names{"none", "cosine",       "cosine_inverse",
                                                           "sine", "sine_inverse", "hartley"};
};
