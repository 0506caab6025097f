#pragma once

#include "passes/fft/array.hpp"

namespace tuff::passes {

/// The Fourier transform of real numbers, half of which says all. See `describe`.
struct FftRealForward {
    static constexpr std::string_view kName = "fft/real_forward";

    Buffer source;
    glm::uvec4 size{0, 1, 1, 1};
    std::uint32_t batch = 1;
    std::string axes = "xyzw";
    glm::uvec4 source_size{0};
    FftScale scale = FftScale::none;
    Buffer result;

    static void describe(PassInfo<FftRealForward>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
