#pragma once

#include "passes/filter/ways.hpp"

#include <string>
#include <string_view>

/// Which way to convolve is the fastest.
namespace tuff::passes {

enum class FilterPath : std::uint8_t {
    automatic,
    plain,
    plain_unrolled,
    texture,
    texture_unrolled,
    tiled,
    separable,
    accumulated,
    vectors,
    packed,
    multipass,
    fft,
    tiles_fft,
    matrix,
};

/// A path, and why it was taken.
struct FilterChoice {
    FilterPath path = FilterPath::tiled;
    std::string reason; ///< completes "... is taken: "
};

/// For a problem whose weights, where they are known, it has.
FilterChoice choose_path(const DeviceCaps& target, const FilterProblem& problem);

/// The faster one of plain and tiled: on software devices, whose registers and shared memory are
/// memory like any other, and for kernels that no tile has room for, plain.
FilterPath direct_path(const DeviceCaps& target, const FilterProblem& problem);

/// As configs have it.
std::string_view name_of(FilterPath path);

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::FilterPath> {
    static constexpr std::array<std::string_view, 14> names{
        "auto",      "plain",     "plain_unrolled", "texture", "texture_unrolled",
        "tiled",     "separable", "accumulated",    "vectors", "packed",
        "multipass", "fft",       "tiles_fft",      "matrix"};
};
