#pragma once

#include "passes/solver/poisson_grid.hpp"

#include <tuff/graph.hpp>

#include <glm/vec4.hpp>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

/// The kernels of solver/poisson on one grid, and the cycles through many. Built by `Poisson`.
namespace tuff::passes {

/// The relaxation factor that suits the sweeps of cycles on most grids, found by measuring; see the
/// tests of the convergence factors.
inline constexpr float kCycleOmega = 1.15f;

/// Groups that walk over all cells, each with a part of a sum.
std::uint32_t walking_groups(const ComputeNodeBuilder& node, std::uint64_t cells);

/// An order of the two colours.
enum class PoissonOrder : std::uint8_t { red_first, black_first };

class PoissonCycles {
  public:
    struct Sweeps {
        std::uint32_t before = 1;
        std::uint32_t after = 1;
        float omega = 1.0f;
        /// Of the sweeps after a correction. Red first converges faster; black first mirrors the
        /// sweeps before, so that the cycle is a symmetric operator.
        PoissonOrder after_order = PoissonOrder::red_first;
        std::uint32_t corrections = 1; ///< of each grid by the next coarser one: 2, a W-cycle
        bool fused = true; ///< off: no kernel does several of these; tests compare the two
    };

    /// With `cells`, that are solid or fixed, all operators are symmetric.
    PoissonCycles(Graph& graph, const PoissonGrid& finest, Buffer cells, Sweeps sweeps);
    /// What couples the cells of a grid, as shaders/solver/weigh.comp has it; not connected: there
    /// are no special cells.
    struct CellWeights {
        Buffer buffer;
    };
    PoissonCycles(Graph& graph, const PoissonGrid& finest, CellWeights weights, Sweeps sweeps);

    /// What is taken off right-hand sides on the finest grid stands in this status; not connected:
    /// nothing is. To be called before all that follows.
    void look_at(Buffer status) { status_ = status; }

    /// Parts of sums, a vec4 each.
    struct PartialSums {
        Buffer buffer;
        std::uint32_t count = 0;
    };
    /// A field, and what a kernel has summed up meanwhile.
    struct Measured {
        Buffer field;
        PartialSums partial_sums;
    };

    /// One cycle for `rhs` on the finest grid, from `start` (0 where it is not connected). The
    /// result is in `target` if that is connected and the cycle has two sweeps or more.
    Buffer cycle(Buffer rhs, Buffer start, Buffer target) {
        return cycle(0, rhs, start, target).field;
    }
    /// The same, and sums of the residual's squares and of the solution.
    Measured measured_cycle(Buffer rhs, Buffer start, Buffer target);
    /// From the coarsest grid up, with one cycle on each but the finest; there, the start of one.
    Buffer full(Buffer rhs, Buffer start) { return full(0, rhs, start); }

    /// Sweeps without coarser grids; of Jacobi's method where `jacobi`.
    Buffer relax(Buffer rhs, Buffer start, Buffer target, std::uint32_t sweeps, float omega);
    Buffer jacobi(Buffer rhs, Buffer start, Buffer target, std::uint32_t sweeps, float omega);

    /// Of the residual's squares, and of the solution.
    PartialSums residual(Buffer rhs, Buffer solution);
    /// The same, and the residual.
    Measured kept_residual(Buffer rhs, Buffer solution);
    /// -laplace(source), and parts of its dot products with `image`, itself and `residual`.
    Measured laplace(Buffer source, Buffer image, Buffer residual);

    /// An array like those of the finest grid.
    Buffer field(std::string_view name) { return field(name, grids_.front()); }
    std::uint64_t count() const { return grids_.front().count(); }
    bool weighted() const { return !weights_.empty(); }

  private:
    void weigh_coarse_grids();
    PartialSums residual_by_walks(Buffer rhs, Buffer solution);
    /// The kernel's variant for this problem.
    ComputeNodeBuilder kernel(std::string_view shader, std::size_t level,
                              ShaderVariant variant = {}, std::string_view name = {});
    void set_right_side(ComputeNodeBuilder& node, std::size_t level, Buffer rhs);
    Buffer small_solve(Buffer rhs);
    /// Dispatches a kernel that walks over all cells, and gives it room for its parts.
    PartialSums parts_of(ComputeNodeBuilder& node);
    /// Without parts where no kernel of the cycle makes them.
    Measured cycle(std::size_t level, Buffer rhs, Buffer start, Buffer target);
    /// What lies on both sides of the correction by the coarser grid.
    struct Descent {
        Buffer field;
        Buffer coarse_rhs;
    };
    Descent descend(std::size_t level, Buffer rhs, Buffer start);
    Measured ascend(std::size_t level, Buffer rhs, Buffer start, Buffer coarse, Buffer target);
    /// Of a cycle, of the next coarser grid.
    std::uint32_t visits_from(std::size_t level) const;
    /// Where so many are asked for.
    std::uint32_t sweeps_on(std::size_t level, std::uint32_t sweeps) const;
    /// Few cells, and not regular.
    bool is_uneven(std::size_t level) const;
    bool has_regular(std::size_t level) const;
    /// Those that a kernel for regular cells is to make at once, of this many.
    std::uint32_t fused_sweeps(std::size_t level, std::uint32_t sweeps) const;
    /// Of a cycle: towards coarser grids, or back.
    enum class Leg : std::uint8_t { down, up };
    ComputeNodeBuilder regular_kernel(Leg leg, std::size_t level, Buffer rhs, Buffer start,
                                      std::uint32_t sweeps);
    /// Dispatches it; the number of groups.
    std::uint32_t dispatch_regular(ComputeNodeBuilder& node, std::size_t level,
                                   std::uint32_t sweeps);
    Buffer full(std::size_t level, Buffer rhs, Buffer start);
    Buffer field(std::string_view name, const PoissonGrid& grid);
    Buffer sweep(std::size_t level, Buffer rhs, Buffer start, Buffer target, PoissonOrder order,
                 float omega, Buffer coarse = {});
    Buffer restricted(std::size_t level, Buffer rhs, Buffer start);
    Buffer coarse_solve(Buffer rhs, Buffer start);
    Graph& graph_;
    std::vector<PoissonGrid> grids_; ///< the finest first
    std::size_t coarse_ = 0;         ///< from here on, all in one kernel
    std::vector<glm::vec4> modes_;   ///< of the coarsest grid, where there are no special cells
    std::vector<Buffer> weights_;    ///< of each grid, where there are special cells
    Buffer status_;
    Sweeps sweeps_;
};

} // namespace tuff::passes
