#pragma once

#include <tuff/graph_desc.hpp>

#include <algorithm>
#include <cstdint>
#include <ostream>

/// Loops that the device ends, on the CPU.
namespace tuff::testing_gpu {

/// The buffer of a loop's number.
inline constexpr BufferDesc kWord{.size = 4, .stride = 4};

/// What a loop on the CPU leaves.
struct LoopReference {
    std::uint32_t value;
    std::uint32_t iterations;
    friend bool operator==(const LoopReference&, const LoopReference&) = default;
};
inline void PrintTo(const LoopReference& r, std::ostream* out) {
    *out << r.value << " after " << r.iterations;
}

/// The whole square root of `square`, by steps that end where they no longer fall.
inline LoopReference newton(std::uint32_t square, std::uint32_t start, std::uint32_t max) {
    std::uint32_t x = start;
    for (std::uint32_t i = 0; i < max; ++i) {
        const std::uint32_t next = (x + square / x) / 2;
        const bool done = next >= x;
        x = std::min(x, next);
        if (done) return {x, i + 1};
    }
    return {x, max};
}

/// Steps of Collatz's sequence until it is one.
inline LoopReference collatz(std::uint32_t n, std::uint32_t max) {
    for (std::uint32_t i = 0; i < max; ++i) {
        n = n % 2 == 0 ? n / 2 : 3 * n + 1;
        if (n == 1) return {n, i + 1};
    }
    return {n, max};
}

} // namespace tuff::testing_gpu
