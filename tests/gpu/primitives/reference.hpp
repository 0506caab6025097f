#pragma once

#include "passes/primitives/elements.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

/// What the primitives compute, on the CPU, one element after another.
namespace tuff::testing_gpu {

template <typename T>
T identity_of(passes::Combine operation) {
    using Limits = std::numeric_limits<T>;
    if (operation == passes::Combine::sum) return T{0};
    if (Limits::has_infinity)
        return operation == passes::Combine::min ? Limits::infinity() : -Limits::infinity();
    return operation == passes::Combine::min ? Limits::max() : Limits::min();
}

/// Integers wrap; minima and maxima pass over NaN, and -0 is less than +0.
template <typename T>
T combined(passes::Combine operation, T a, T b) {
    if (operation == passes::Combine::sum) {
        if constexpr (std::same_as<T, float>)
            return a + b;
        else
            return static_cast<T>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
    }
    if constexpr (std::same_as<T, float>) {
        if (std::isnan(b)) return a;
        if (a == b) return std::signbit(a) == (operation == passes::Combine::min) ? a : b;
    }
    return (operation == passes::Combine::min) == (b < a) ? b : a;
}

template <typename T>
std::vector<T> scan_of(const std::vector<T>& values, passes::Combine operation, bool inclusive) {
    std::vector<T> result;
    T sum = identity_of<T>(operation);
    for (const T value : values) {
        const T next = combined(operation, sum, value);
        result.push_back(inclusive ? next : sum);
        sum = next;
    }
    return result;
}

template <typename T>
T reduction_of(const std::vector<T>& values, passes::Combine operation) {
    T sum = identity_of<T>(operation);
    for (const T value : values)
        sum = combined(operation, sum, value);
    return sum;
}

} // namespace tuff::testing_gpu
