#pragma once

#include "passes/mpi/fft_parts.hpp"

#include <string_view>

namespace tuff::passes {

/// The field over ranks that a spectrum, or the product of two, belongs to. See `describe`.
struct FftInverseOfParts {
    static constexpr std::string_view kName = "mpi/fft_inverse";

    Buffer source;
    Buffer multiplier; ///< optional
    glm::ivec3 cells{1, 1, 1};
    FieldNumbers numbers = FieldNumbers::complexes;
    SpectrumLayout layout = SpectrumLayout::natural;
    std::int32_t halo = 0;
    FftScale scale = FftScale::by_count;
    bool conjugate = false;
    Buffer result;

    static void describe(PassInfo<FftInverseOfParts>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
