#pragma once

#include "passes/bodies/clock.hpp"
#include "passes/common/fixed_steps.hpp"

#include <span>
#include <vector>

namespace tuff::passes {

/// Arrays of bodies/simulate that go on from execution to execution.
class LastingBodies {
  public:
    LastingBodies(Graph& graph, bool reset);

    /// What the execution begins with.
    Buffer begin(std::string_view name, Buffer initial, std::uint64_t bytes);
    /// What the execution before left, as it is: for arrays of which others tell whether they
    /// count. Nothing is copied.
    Buffer before(std::string_view name, std::uint64_t bytes);
    /// The clock of an execution, which is kept at once.
    BodyClock begin_clock(const FixedStepsRequest& request);
    /// Keeps what there is now of what was begun, in that order.
    void end(std::span<const Buffer> last);

  private:
    Graph& graph_;
    bool reset_;
    BufferHistory age_; ///< a word: executions since the beginning
    std::vector<BufferHistory> histories_;
};

} // namespace tuff::passes
