#pragma once

#include "apps/bench/case.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

/// Comparisons for the checks of benchmark cases.
namespace tuff::bench {

/// Element for element; names the first that differs. Floating-point numbers are compared by value.
template <typename T>
Verdict equal(std::span<const T> got, std::type_identity_t<std::span<const T>> expected) {
    if (got.size() != expected.size())
        return std::unexpected(
            fmt::format("there are {} elements instead of {}", got.size(), expected.size()));
    for (std::size_t i = 0; i < got.size(); ++i)
        if (got[i] != expected[i])
            return std::unexpected(
                fmt::format("element {} is {} instead of {}", i, got[i], expected[i]));
    return {};
}

/// How far a floating-point result may lie from the reference: |got - expected| <= absolute +
/// relative |expected|.
struct Tolerance {
    double absolute = 0.0;
    double relative = 0.0;
};
Verdict near(std::span<const float> got, std::span<const double> expected, Tolerance tolerance);
Verdict near(double got, double expected, Tolerance tolerance);

/// A picture of real numbers against RGBA values in rows; names the first texel that is off.
Verdict near(const HostImage& got, std::span<const std::array<double, 4>> expected,
             Tolerance tolerance);

/// Whether `got` is in ascending order and has the elements of `source`, each as often: the order
/// is checked in full, the elements by number, sum and the sum of their hashes.
Verdict is_sorted_permutation(std::span<const std::uint32_t> got,
                              std::span<const std::uint32_t> source);

} // namespace tuff::bench
