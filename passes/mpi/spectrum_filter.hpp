#pragma once

#include "passes/mpi/fft_parts.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// What the numbers of a spectrum are multiplied by, k being the length of their wave vector.
/// The numbers are those of shaders/mpi/spectrum_filter.comp.
enum class SpectrumShape : std::uint8_t {
    gaussian,          ///< exp(-(sigma k)^2 / 2): a blur
    power,             ///< k^exponent, 0 for the mean
    inverse_laplacian, ///< -1 / k^2, 0 for the mean, with k of differences between neighbours
};

/// A spectrum over ranks times a function of the frequency. See `describe`.
struct SpectrumFilter {
    static constexpr std::string_view kName = "mpi/spectrum_filter";

    Buffer source;
    glm::ivec3 cells{1, 1, 1};
    FieldNumbers numbers = FieldNumbers::complexes;
    SpectrumLayout layout = SpectrumLayout::natural;
    SpectrumShape shape = SpectrumShape::gaussian;
    float sigma = 1.0f;
    float exponent = -1.0f;
    float cell = 1.0f;
    Buffer result;

    static void describe(PassInfo<SpectrumFilter>& info);
    void build(Graph& graph);
};

/// A function of the wave vector.
struct SpectrumFunction {
    SpectrumShape shape = SpectrumShape::gaussian;
    float sigma = 1.0f;
    float exponent = -1.0f;
    float cell = 1.0f;
};
/// The spectrum times the function.
DividedArray filtered(Graph& graph, const PlannedFft& fft, const DividedArray& spectrum,
                      const SpectrumFunction& function);

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::SpectrumShape> {
    static constexpr std::array<std::string_view, 3> names{"gaussian", "power",
                                                           "inverse_laplacian"};
};
