#pragma once

#include "passes/filter/problem.hpp"

#include <optional>
#include <vector>

/// What the weights of kernels say about how to convolve, where the host knows them.
namespace tuff::passes {

/// A kernel as a product of one-dimensional ones. An axis of one weight has 1.
using FilterFactors = std::array<std::vector<float>, 4>;

/// The factors of each of the problem's kernels; nothing where one is no product, to within 1e-6 of
/// its greatest weight, or where the weights are not known.
std::optional<std::vector<FilterFactors>> filter_factors(const FilterProblem& problem);

/// What a kernel is when it is turned about its centre.
enum class FilterSymmetry : std::uint8_t {
    none,
    even, ///< itself
    odd,  ///< its negative
};

/// Of each kernel; empty where the weights are not known.
std::vector<FilterSymmetry> filter_symmetries(const FilterProblem& problem);

/// The first `count` numbers of a buffer whose contents never change; empty where they may.
std::vector<float> constant_numbers(const Graph& graph, Buffer buffer, std::uint64_t count);

} // namespace tuff::passes
