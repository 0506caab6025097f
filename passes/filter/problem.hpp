#pragma once

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

/// What all ways to convolve share: which numbers, which kernels, what lies beyond the border.
namespace tuff::passes {

/// What a filter of arrays reads beyond the border.
enum class FilterBorder : std::uint8_t {
    zero,   ///< zeros
    clamp,  ///< the nearest number of the array
    mirror, ///< reflected about the border, the last number repeated
    wrap,   ///< the array repeats
    valid,  ///< nothing: the result has the places alone whose whole neighbourhood exists
};

/// The numbers along x, y, z and w; x is fastest in memory.
using FilterSize = std::array<std::uint32_t, 4>;

/// A convolution of `batch` arrays, one behind the other, with each of `filters` kernels. The
/// results of an array follow one another, those of the next array behind them.
struct FilterProblem {
    FilterSize size{1, 1, 1, 1};
    std::uint32_t batch = 1;
    FilterSize kernel_size{1, 1, 1, 1}; ///< odd
    std::uint32_t filters = 1;
    FilterBorder border = FilterBorder::zero;
    bool correlate = false;       ///< the kernel is not turned: result[p] = sum in[p + f] k[f]
    std::vector<float> weights{}; ///< of all filters; empty where the device makes them
};

/// The size of one result.
FilterSize filter_result_size(const FilterProblem& problem);

/// The product of these extents.
std::uint64_t filter_count(const FilterSize& size);

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::FilterBorder> {
    static constexpr std::array<std::string_view, 5> names{"zero", "clamp", "mirror", "wrap",
                                                           "valid"};
};
