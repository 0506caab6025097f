#pragma once

#include "apps/bench/checks.hpp"
#include "passes/filter/problem.hpp"

#include <cmath>
#include <cstdint>
#include <span>

/// What convolutions are compared with: some of their results, in double precision.
namespace tuff::bench {

/// Of the sum of |number * weight| where sums are in single precision, of the greatest possible sum
/// where there are transforms, and with numbers of 8 or 16 bits.
struct FilterSumError {
    double of_own_sum = 0.0;
    double of_greatest = 0.0;
};

/// A result, number by number, and what its error is measured by.
struct ExactFilterSum {
    double value = 0.0;
    double magnitude = 0.0; ///< sum of |number * weight|
    double weights = 0.0;   ///< sum of |weight|: the greatest possible, numbers being at most 1
};
inline ExactFilterSum exact_filter_sum(const passes::FilterProblem& problem,
                                       std::span<const float> source, std::span<const float> kernel,
                                       std::uint64_t result) {
    const std::uint64_t each = passes::filter_count(problem.size);
    const std::uint64_t taps = passes::filter_count(problem.kernel_size);
    ExactFilterSum sum;
    for (std::uint64_t tap = 0; tap < taps; ++tap) {
        const double weight = static_cast<double>(kernel[result / each * taps + tap]);
        sum.weights += std::abs(weight);
        std::uint64_t rest = tap;
        std::uint64_t rest_of_place = result % each;
        std::uint64_t index = 0;
        std::uint64_t pitch = 1;
        bool inside = true;
        for (std::size_t axis = 0; axis < 4; ++axis) {
            const auto place = static_cast<std::int64_t>(rest_of_place % problem.size[axis]);
            const auto at = place + problem.kernel_size[axis] / 2 -
                            static_cast<std::int64_t>(rest % problem.kernel_size[axis]);
            inside = inside && at >= 0 && at < problem.size[axis];
            index += static_cast<std::uint64_t>(at) * pitch;
            pitch *= problem.size[axis];
            rest /= problem.kernel_size[axis];
            rest_of_place /= problem.size[axis];
        }
        if (!inside) continue;
        const double product = static_cast<double>(source[index]) * weight;
        sum.value += product;
        sum.magnitude += std::abs(product);
    }
    return sum;
}

/// Whether these are the results of one array with zeros around it. Some of them are compared: the
/// first, the last, and others that lie anywhere.
inline Verdict are_filter_sums(std::span<const float> got, const passes::FilterProblem& problem,
                               std::span<const float> source, std::span<const float> kernel,
                               const FilterSumError& error) {
    constexpr std::uint64_t kTried = 512;
    const std::uint64_t count = passes::filter_count(problem.size) * problem.filters;
    if (got.size() != count)
        return std::unexpected(
            fmt::format("there are {} results instead of {}", got.size(), count));
    for (std::uint64_t i = 0; i < kTried; ++i) {
        const std::uint64_t result = i == 0 ? 0 : i == 1 ? count - 1 : hash32(i) % count;
        const ExactFilterSum sum = exact_filter_sum(problem, source, kernel, result);
        const double most = error.of_own_sum * sum.magnitude + error.of_greatest * sum.weights;
        if (!(std::abs(static_cast<double>(got[result]) - sum.value) <= most))
            return std::unexpected(
                fmt::format("result {} is {} instead of {}", result, got[result], sum.value));
    }
    return {};
}

} // namespace tuff::bench
