#pragma once

#include "passes/bodies/solve.hpp"

namespace tuff::passes {

/// Sweeps over all cells in one dispatch: shaders/bodies/solve_flow.comp.
class CellFlow {
  public:
    CellFlow(const Graph& graph, const BodyBatches& batches, SweepMethod method);

    /// Whether there is an order among cells, and it can be kept in a dispatch.
    explicit operator bool() const { return flows_; }
    /// Whether a sweep of so many iterations can be counted.
    bool takes(std::uint32_t times) const;
    /// Words that are to be 0 at first: see `Progress` in solve_flow.comp.
    std::uint32_t words() const { return flows_ ? batches_.cell_count() + 1 : 0; }
    void start(Buffer zeros) { progress_ = zeros; }
    /// Sets what the kernel needs for a sweep over constraints of these bodies, and dispatches it.
    void run(ComputeNodeBuilder& node, std::uint32_t times, const Bodies& bodies);

  private:
    std::uint32_t groups_for(std::uint32_t times) const;

    const BodyBatches& batches_;
    bool flows_ = false;
    bool waits_ = false; ///< groups wait for each other
    Buffer progress_;
    std::uint32_t tickets_ = 0; ///< that earlier sweeps have taken
    std::uint32_t solved_ = 0;  ///< how often they have solved each cell
};

} // namespace tuff::passes
