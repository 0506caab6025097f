#pragma once

#include <tuff/buffer_elements.hpp>
#include <tuff/diagnostic.hpp>
#include <tuff/shared_struct.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

/// What solver/poisson reports of a solve.
namespace tuff::passes {

/// Words of `Poisson::status`; `PoissonReport` names them.
inline constexpr std::uint32_t kPoissonStatusWords = 16;

enum class PoissonStatus : std::uint32_t {
    running = 0,          ///< not a result
    converged = 1,        ///< the residual is within the tolerance
    not_converged = 2,    ///< `max_cycles` were not enough
    stagnated = 3,        ///< the residual became no smaller: rounding, or a pocket of cells whose
                          ///< right-hand side has no solution
    incompatible_rhs = 4, ///< nothing fixes the solution's mean, and that of the right-hand side
                          ///< was not zero: it was removed, and the rest converged
    bad_input = 5,        ///< not finite: the solution is zero
};

/// What a solution's status says, once it is on the host.
struct PoissonReport {
    PoissonStatus status = PoissonStatus::running;
    std::uint32_t cycles = 0;     ///< that ran; of jacobi, gauss_seidel and sor batches of sweeps
    float rhs_norm = 0.0f;        ///< Euclidean, over the unknown cells, without the mean removed
    float first_residual = 0.0f;  ///< norm before the first cycle
    float last_residual = 0.0f;   ///< norm of the solution's residual
    float rhs_mean = 0.0f;        ///< over the unknown cells
    std::uint32_t not_finite = 0; ///< numbers in the right-hand side and the guess
    std::uint32_t unknown_cells = 0; ///< none: everything is solid or fixed
    /// 1: nothing takes up the mean of the right-hand side. It was removed, however the solve of
    /// the rest ended.
    std::uint32_t incompatible_rhs = 0;

    static constexpr std::string_view kStructName = "PoissonReport";
    static constexpr auto members() {
        return std::array{shared_member<std::uint32_t>("status", offsetof(PoissonReport, status)),
                          TUFF_MEMBER(PoissonReport, cycles),
                          TUFF_MEMBER(PoissonReport, rhs_norm),
                          TUFF_MEMBER(PoissonReport, first_residual),
                          TUFF_MEMBER(PoissonReport, last_residual),
                          TUFF_MEMBER(PoissonReport, rhs_mean),
                          TUFF_MEMBER(PoissonReport, not_finite),
                          TUFF_MEMBER(PoissonReport, unknown_cells),
                          TUFF_MEMBER(PoissonReport, incompatible_rhs)};
    }
    /// Of at least kPoissonStatusWords words.
    static PoissonReport read(std::span<const std::uint32_t> words);
    /// Warnings, with a code each: of the right-hand side, and unless it converged.
    Diagnostics warnings() const;
};

/// What `Poisson::status` consists of: a `PoissonReport` and words that are the solver's own.
BufferElements poisson_status_elements();

/// What is wrong with a solve that is not meant to converge.
struct PoissonFaults {
    PoissonReport report;

    static constexpr std::string_view kStructName = "PoissonFaults";
    static constexpr auto members() { return PoissonReport::members(); }
    static PoissonFaults read(std::span<const std::uint32_t> words) {
        return {PoissonReport::read(words)};
    }
    /// Of the input alone.
    Diagnostics warnings() const;
};

} // namespace tuff::passes
