#pragma once

#include "passes/fft/array.hpp"
#include "passes/mpi/fft_plan.hpp"
#include "passes/mpi/field.hpp"

#include <tuff/pass.hpp>

#include <fmt/format.h>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

/// Fourier transforms of fields over ranks: what the passes for them are made of. Each line is
/// transformed by the kernels that one rank takes for the whole field, in the same order of axes,
/// and so has the same bits.
namespace tuff::passes {

/// Parameters that the passes have in common.
struct FieldOfNumbers {
    glm::ivec3 cells{1, 1, 1};
    FieldNumbers numbers = FieldNumbers::complexes;
    SpectrumLayout layout = SpectrumLayout::natural;
    std::int32_t halo = 0;
};

/// A field whose parts are arrays, and how its transforms go.
struct PlannedFft {
    Cells cells{};
    Cells halo{}; ///< along z only where the field has more than one cell
    FieldNumbers numbers = FieldNumbers::complexes;
    FftPlan plan;
    /// So much is worth a message: what moves between two axes goes in slabs of about that, or
    /// more.
    std::uint64_t slab_bytes = std::uint64_t{32} << 20;
    /// Where a rank sends so much and slabs suffice, there are no cuts.
    std::uint64_t uncut_bytes = std::uint64_t{256} << 20;

    std::uint32_t words() const { return numbers == FieldNumbers::reals ? 1 : 2; }
    Cells spectrum() const { return spectrum_size(cells, numbers); }
    /// What the sums are multiplied by.
    float factor(FftScale scale) const;
};

/// Reports, and returns nothing: `mpi/too-many-ranks`, `fft/too-large`.
std::optional<PlannedFft> planned_fft(Graph& graph, const FieldOfNumbers& field);

/// The rank's part of the field, or of its spectrum, in `buffer`. Reports `mpi/part-size` and
/// returns nothing where it is too short.
std::optional<DividedArray> field_part(Graph& graph, const PlannedFft& fft, Buffer buffer);
std::optional<DividedArray> spectrum_part(Graph& graph, const PlannedFft& fft, Buffer buffer);

/// Nothing where a transform was refused.
std::optional<DividedArray> forward_of_parts(Graph& graph, const PlannedFft& fft,
                                             DividedArray field, float scale);

/// Another spectrum that the one of an inverse transform is multiplied by.
struct SpectrumFactors {
    std::optional<DividedArray> numbers;
    bool conjugate = false;
};
/// The result has the halo of `fft`, of zeros.
std::optional<DividedArray> inverse_of_parts(Graph& graph, const PlannedFft& fft,
                                             DividedArray spectrum, float scale,
                                             const SpectrumFactors& factors = {});

/// What a pass hands out as a rank's part: a rank without cells has one number, which is 0.
Buffer never_empty(Graph& graph, const DividedArray& array);

/// Declares "cells", "numbers" and "layout" of a pass.
template <typename Pass>
void describe_spectrum(PassInfo<Pass>& info) {
    info.parameter("cells", &Pass::cells, "size of the whole field along x, y, z")
        .range(1, 1e9)
        .unit("cells")
        .structural();
    info.parameter("numbers", &Pass::numbers,
                   "what the field is made of; of reals half the spectrum is stored, cells.x / 2 + "
                   "1 numbers along x")
        .structural();
    info.parameter("layout", &Pass::layout,
                   "which part of the spectrum a rank has: its box of the domain's grid (natural), "
                   "or what the last transform leaves it (computed), which saves moving it")
        .structural();
}

/// Declares "halo" of a pass whose field is in arrays.
template <typename Pass>
void describe_array_halo(PassInfo<Pass>& info, std::string_view doc) {
    info.parameter("halo", &Pass::halo,
                   fmt::format("{}; along z only where the field has more than one cell", doc))
        .range(0, kMaxHalo)
        .unit("cells")
        .structural();
}

/// Elements of an array of a field.
BufferElements elements_of(FieldNumbers numbers);

/// At least: what is read, what is written, and the sums.
Cost cost_of_parts(const Graph& graph, Buffer source, Buffer result, glm::ivec3 cells);

} // namespace tuff::passes
