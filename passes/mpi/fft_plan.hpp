#pragma once

#include "passes/mpi/division.hpp"

#include <cstdint>
#include <vector>

/// How the Fourier transform of a field over ranks goes: along which axes, and who has which cells
/// meanwhile. No GPU.
namespace tuff::passes {

/// What a field is made of.
enum class FieldNumbers : std::uint8_t {
    complexes,
    reals, ///< half the spectrum is stored, along x
};

/// How a spectrum is divided.
enum class SpectrumLayout : std::uint8_t {
    natural,  ///< by the domain's grid
    computed, ///< as the last transform leaves it
};

/// The transform along one axis, which no rank has in parts meanwhile. Sizes are those of the
/// forward transform: along x that of reals leaves fewer numbers.
struct FftStage {
    std::size_t axis = 0;
    Cells before{};
    Cells after{};
    Division division;
};

struct FftPlan {
    std::vector<FftStage> stages; ///< of the forward transform; the inverse one goes back
    Division spectrum;
};

/// The numbers of the spectrum of such a field.
Cells spectrum_size(const Cells& cells, FieldNumbers numbers);

/// The plan whose ranks have to wait least, the same on all ranks. Slabs or pencils: where an axis
/// is long enough for all ranks, cells mostly move once on the way.
FftPlan plan_fft(const Ranks& ranks, const Cells& cells, FieldNumbers numbers,
                 SpectrumLayout layout);

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::FieldNumbers> {
    static constexpr std::array<std::string_view, 2> names{"complexes", "reals"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::SpectrumLayout> {
    static constexpr std::array<std::string_view, 2> names{"natural", "computed"};
};
