#pragma once

#include "graph/compile/stages.hpp"
#include "graph/compile/sync/scope_bits.hpp"

#include <array>
#include <vector>

namespace tuff {

/// Per queue, a point (see Timelines) up to which its work is done. 0: nothing of this execution.
using QueuePoints = std::array<std::uint32_t, kQueueCount>;

/// Which levels of one queue wait for levels of another, each for as little as it must: what a
/// former wait covers, also through a third queue, costs nothing.
class QueueWaits {
  public:
    explicit QueueWaits(const Order& order);

    /// What levels of `queue` know to be done when they begin.
    const QueuePoints& joined(Queue queue) const {
        return joined_[static_cast<std::size_t>(queue)];
    }
    /// The level at hand has to come after `others`.
    void need(const QueuePoints& others);
    /// The level at hand is the end of the execution.
    void need_everything();
    /// Ends a level, or the epilogue, `level` being the number of levels then. Returns the point
    /// before which all of its own queue is done, as other queues have waited for that; 0: unknown.
    std::uint32_t settle(std::uint32_t level, Queue queue);

    /// Cuts the levels into submissions.
    void submit(Synchronization& result) const;

  private:
    static void show_to_and_from_host(Synchronization& result);

    struct Pair {
        std::uint32_t waiting; ///< level
        std::uint32_t awaited; ///< level, of another queue
    };

    const Order& order_;
    QueuePoints needed_{}; ///< by the level at hand
    std::array<QueuePoints, kQueueCount> joined_{};
    std::vector<QueuePoints> joined_at_; ///< per level; none where there is one queue
    std::vector<Pair> pairs_;
};

/// What commands of `queue` may name in barriers.
StageBits stages_on(Queue queue);
ScopeBits only_on(Queue queue, const ScopeBits& scope);
/// What commands of any queue do of it.
ScopeBits without_host(const ScopeBits& scope);

} // namespace tuff
