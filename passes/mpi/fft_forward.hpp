#pragma once

#include "passes/mpi/fft_parts.hpp"

#include <string_view>

namespace tuff::passes {

/// The Fourier transform of a field over ranks. See `describe`.
struct FftForwardOfParts {
    static constexpr std::string_view kName = "mpi/fft_forward";

    Buffer source;
    glm::ivec3 cells{1, 1, 1};
    FieldNumbers numbers = FieldNumbers::complexes;
    SpectrumLayout layout = SpectrumLayout::natural;
    std::int32_t halo = 0;
    FftScale scale = FftScale::none;
    Buffer result;
    Buffer box;

    static void describe(PassInfo<FftForwardOfParts>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
