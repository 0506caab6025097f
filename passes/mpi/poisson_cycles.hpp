#pragma once

#include "passes/mpi/poisson_levels.hpp"
#include "passes/solver/poisson_cycle.hpp"

#include <tuff/graph.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tuff::passes {

/// The V-cycles of mpi/poisson, with one sweep of Gauss-Seidel before each correction and one after
/// it. Ranks exchange wide halos, and relax the cells of others that they need: so each grid but
/// the last has two exchanges, of the right-hand side on the way down and of the coarse solution on
/// the way up. On the last grid all ranks do the same, by the kernels of solver/poisson.
///
/// Arrays are those of `PoissonLevels::layout`; of what is passed on the cells of the part count.
class PartCycles {
  public:
    /// `kinds` is what the cells are, see `kinds_in`; not connected: all are unknown.
    PartCycles(Graph& graph, const PoissonLevels& levels, Buffer kinds, PoissonOrder after_order);

    /// From here on messages travel only while the first word of `status` is 0; not connected:
    /// always. For cycles that the device may skip.
    void send_until(Buffer status) { over_ = status; }

    /// Cells of halos that are filled: of right-hand sides and of solutions for a cycle, and for
    /// the operator.
    static constexpr std::uint32_t kRhsHalo = 3;
    static constexpr std::uint32_t kSolutionHalo = 4;
    static constexpr std::uint32_t kOperatorHalo = 1;
    /// Fills so many cells of the halo, in place.
    Buffer filled(Buffer array, std::uint32_t width) { return filled(0, array, width); }

    /// A cycle from `start`; both have their halos. The result is in `target` if that is connected.
    Buffer cycle(Buffer rhs, Buffer start, Buffer target);
    /// A cycle from 0.
    Buffer cycle(Buffer rhs) { return cycle(0, rhs); }

    /// Sums of the residual's squares and of the solution over all ranks. The solution has its
    /// halo.
    PoissonCycles::PartialSums residual(Buffer rhs, Buffer solution);
    /// The same, and the residual.
    PoissonCycles::Measured kept_residual(Buffer rhs, Buffer solution);
    /// -laplace(source), and dot products of it over all ranks, as of PoissonCycles. `source` has
    /// its halo.
    PoissonCycles::Measured laplace(Buffer source, Buffer image, Buffer residual);

    /// What all ranks have summed up in `parts` parts: `vectors` vec4 of each rank, in their order.
    PoissonCycles::PartialSums of_all_ranks(PoissonCycles::PartialSums parts,
                                            std::uint32_t vectors);
    /// Dispatches a kernel that sums up on all cells of the part; the sums of all ranks.
    PoissonCycles::PartialSums summed(ComputeNodeBuilder& node);
    /// An array of the finest grid.
    Buffer field(std::string_view name) { return field(name, 0); }
    /// Sets what grid_params.glsl and part_params.glsl declare of the finest grid.
    void set_part(ComputeNodeBuilder& node) { set_part(node, 0); }

  private:
    Buffer cycle(std::size_t level, Buffer rhs);
    /// From a solution that holds two cells of the halo, to one without.
    Buffer corrected(std::size_t level, Buffer rhs, Buffer start, Buffer target);
    Buffer restricted(std::size_t level, Buffer rhs, Buffer solution);
    Buffer half_sweep(std::size_t level, Buffer rhs, Buffer start, Buffer target,
                      std::uint32_t reach, std::uint32_t color);
    Buffer filled(std::size_t level, Buffer array, std::uint32_t width, std::uint32_t words = 1);
    /// What makes the arrays of a level of what each rank has made from its part of the finer one.
    Buffer gathered(std::size_t level, Buffer own, std::uint32_t words = 1);
    /// What couples the cells of each grid.
    std::vector<Buffer> weights_of(Buffer kinds);
    /// The kernel's variant for this problem, on a level that is not the last.
    ComputeNodeBuilder kernel(std::string_view shader, std::size_t level,
                              ShaderVariant variant = {}, std::string_view name = {});
    Buffer field(std::string_view name, std::size_t level);
    void set_part(ComputeNodeBuilder& node, std::size_t level);
    void set_coarse(ComputeNodeBuilder& node, std::size_t level, const PartLayout& coarse);
    void dispatch(ComputeNodeBuilder& node, const PartLayout& layout);

    Graph& graph_;
    const PoissonLevels& levels_;
    PoissonOrder after_order_;
    Buffer over_;
    std::vector<Buffer> weights_; ///< of each grid, where there are special cells
    PoissonCycles last_;          ///< on the last grid
};

} // namespace tuff::passes
