#pragma once

#include <cstdint>

namespace tuff::testing_gpu {

/// What rounding to single precision does to steps of the damped Jacobi method, for a coupling that
/// is a power of two.
struct JacobiRounding {
    static constexpr double kUnit = 0x1p-24;

    double axes = 2.0;
    double coupling = 1.0; ///< 1 / spacing^2
    double omega = 1.0;    ///< at most 1
    double solution = 0.0; ///< greatest absolute number of all steps
    double source = 0.0;   ///< greatest absolute number

    /// Of a solution after so many steps. A step rounds a sum of 2 axes numbers, by (axes + 1/2)
    /// numbers once divided, the source, the quotient, and three numbers of up to 2, 2 and 1. Its
    /// weights add up to 1 at most, so errors of earlier steps do not grow.
    double after(std::uint32_t steps) const {
        const double relaxed = (axes + 5.5) * solution + source / (axes * coupling);
        return steps * kUnit * (omega * relaxed + solution);
    }
    /// Of a cell's residual: of each of its terms as large as all of them.
    double of_residual() const {
        return (2.0 * axes + 3.0) * kUnit * (4.0 * axes * coupling * solution + source);
    }
};

} // namespace tuff::testing_gpu
