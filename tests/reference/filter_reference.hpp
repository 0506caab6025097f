#pragma once

#include "passes/filter/problem.hpp"

#include <cstdint>
#include <span>
#include <vector>

/// Convolutions on the CPU, in double precision, as sums over all weights.
namespace tuff::reference {

/// One result, and the magnitude that its rounding error is measured by.
struct FilterSum {
    double value = 0.0;
    double magnitude = 0.0; ///< sum of |number * weight|
};

/// The result at `place` (of the result) for array `array` and kernel `filter`.
FilterSum convolved_at(const passes::FilterProblem& problem, std::span<const float> source,
                       std::span<const float> kernel, std::uint32_t array, std::uint32_t filter,
                       const passes::FilterSize& place);

/// All results in their order.
std::vector<FilterSum> convolved(const passes::FilterProblem& problem,
                                 std::span<const float> source, std::span<const float> kernel);

} // namespace tuff::reference
