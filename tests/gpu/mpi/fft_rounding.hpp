#pragma once

#include "passes/fft/lengths.hpp"
#include "passes/mpi/fft_plan.hpp"

#include <cmath>
#include <cstdint>
#include <numbers>

namespace tuff::testing_gpu {

/// What rounding to single precision does to Fourier transforms: the norm of the error by that of
/// the result, counted for each axis. As in tests/gpu/fft, each of log2(n) levels of butterflies
/// rounds a product by a rounded root and a sum: two products of a part, a sum of them and a sum
/// of two numbers, of random sign and a root mean square of 2^-24 / sqrt(3) each, so less than
/// 2^-24 a level. Levels are added up, though errors of random sign add up to less.
struct FftRounding {
    static constexpr double kUnit = 0x1p-24;

    /// Lengths with greater factors than 7 are convolved with a chirp: three products, and
    /// transforms there and back of a greater length. The chirp has 2 n - 1 numbers of size 1, so
    /// its spectrum enlarges errors by the root of that, and numbers by the root of n.
    static double of_line(std::uint32_t length) {
        if (passes::has_small_factors(length)) return std::log2(length) * kUnit;
        const std::uint32_t padded = passes::next_fft_length(2 * length - 1);
        return std::numbers::sqrt2 * (2.0 * std::log2(padded) + 3.0) * kUnit;
    }
    /// Even lines of reals are half as many complex numbers, which are separated by two sums and a
    /// product.
    static double of_real_line(std::uint32_t length) {
        if (length % 2 != 0) return of_line(length);
        return of_line(length / 2) + 2.0 * kUnit;
    }
    /// Of a field, there or back, with one rounding more where the first level has roots that are
    /// no units.
    static double of_field(const passes::Cells& cells, passes::FieldNumbers numbers) {
        const bool reals = numbers == passes::FieldNumbers::reals;
        return (reals ? of_real_line(cells[0]) : of_line(cells[0])) + of_line(cells[1]) +
               of_line(cells[2]) + kUnit;
    }
    /// There and back, with a factor that is rounded.
    static double of_both_ways(const passes::Cells& cells, passes::FieldNumbers numbers) {
        return 2.0 * of_field(cells, numbers) + 2.0 * kUnit;
    }
};

} // namespace tuff::testing_gpu
