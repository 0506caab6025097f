#pragma once

#include "passes/fft/array.hpp"

namespace tuff::passes {

/// The Fourier transform of complex numbers. See `describe`.
///
///     const Buffer spectrum = graph.add(FftForward{.source = field, .size = {512, 512, 1,
///     1}}).result;
struct FftForward {
    static constexpr std::string_view kName = "fft/forward";

    Buffer source;
    glm::uvec4 size{0, 1, 1, 1};
    std::uint32_t batch = 1;
    std::string axes = "xyzw";
    glm::uvec4 source_size{0};
    FftScale scale = FftScale::none;
    Buffer result;

    static void describe(PassInfo<FftForward>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
