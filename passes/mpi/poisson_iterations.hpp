#pragma once

#include "passes/mpi/poisson_cycles.hpp"

namespace tuff::passes {

/// The iterations of mpi/poisson: V-cycles, or conjugate residuals with these as preconditioner.
/// Arrays are those of the finest grid of `levels`, with unfilled halos.
class PartIterations {
  public:
    struct Options {
        bool by_gradients = false;
        float tolerance = 0.0f; ///< 0: all cycles run, without sums
        std::uint32_t max_cycles = 1;
    };
    /// `kinds` of cells, with those beside the part; not connected: all are unknown.
    PartIterations(Graph& graph, const PoissonLevels& levels, Buffer kinds, Options options);

    PartCycles& cycles() { return cycles_; }
    /// Whether the cycles end at a tolerance.
    bool decides() const { return options_.tolerance > 0.0f; }

    /// The status before the first cycle, from sums of `mpi/poisson_rhs_norm`. Needed where a
    /// tolerance decides; else a status is of use for means.
    void begin(PoissonCycles::PartialSums parts, bool singular);
    /// The solution from `guess`, or from 0.
    Buffer solve(Buffer rhs, Buffer guess);

    Buffer status() const { return status_; }
    Buffer residuals() const { return residuals_; }

  private:
    Buffer with_halo(Buffer solution) {
        return cycles_.filled(solution, PartCycles::kSolutionHalo);
    }
    Buffer iterations(Buffer guess);
    Buffer gradients(Buffer guess);
    /// One word: non-zero where there is nothing left to do. As of solver/poisson.
    Buffer test_convergence(const PoissonCycles::PartialSums& sums, std::uint32_t cycle);

    Graph& graph_;
    Options options_;
    Buffer kinds_;
    PartCycles cycles_;
    Buffer rhs_;
    Buffer rhs_norm_; ///< what there is to solve, of all ranks
    Buffer status_;
    Buffer residuals_;
};

} // namespace tuff::passes
