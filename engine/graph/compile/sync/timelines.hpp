#pragma once

#include "graph/compile/sync/scope_bits.hpp"

#include <array>
#include <cstdint>

namespace tuff {

/// What the global barriers so far have ordered on one queue. Points are numbered: 0 is before the
/// execution, n the nodes of the n-th level of the plan. For every stage the timelines tell up to
/// which point each other stage's work is done for it, so that a hazard which earlier barriers
/// cover, also one after another, costs nothing.
class Timelines {
  public:
    /// A global barrier after all points before `now`.
    void pass(StageBits source_stages, MemoryBits source_memory, StageBits destination_stages,
              MemoryBits destination_memory, std::uint32_t now);
    /// Everything before `now` is done, and seen by all but the host.
    void pass_all(std::uint32_t now) { everything_ = now; }

    /// Those stages of `before`, at work until `point`, that some stage of `after` has not waited
    /// for.
    StageBits unordered(StageBits before, std::uint32_t point, StageBits after) const;

    /// Those stages of `before` whose writes `memory`, made until `point`, some stage of `after`
    /// has not waited for until they were out of the caches.
    StageBits unavailable(StageBits before, MemoryBits memory, std::uint32_t point,
                          StageBits after) const;
    /// Those stages of `before` whose writes `memory`, made until `point`, some of `readers` does
    /// not see.
    StageBits unseen(StageBits before, MemoryBits memory, std::uint32_t point,
                     PairBits readers) const;
    /// Those stages of `before`, at work until `point`, after which no barrier has shown what that
    /// work could see to all of `accesses`.
    StageBits unshown(StageBits before, std::uint32_t point, PairBits accesses) const;

  private:
    /// Per stage: the points before this one.
    using Row = std::array<std::uint32_t, 16>;
    static_assert(kStageCount <= 16);
    static void raise(Row& row, const Row& other);
    /// The sources' own work before `now`.
    static void add_sources(Row& done, Row& available, StageBits source_stages,
                            MemoryBits source_memory, std::uint32_t now);
    void raise_destinations(const Row& done, const Row& available, StageBits destination_stages,
                            MemoryBits destination_memory);

    std::array<Row, kStageCount> done_{};      ///< for a stage: work that comes before it
    std::array<Row, kStageCount> available_{}; ///< for a stage: its writes, out of the caches
    std::array<Row, kPairCount> seen_{};       ///< for a pair: writes that it sees
    std::array<Row, kPairCount> shown_{};      ///< for a pair: work whose view it shares
    std::uint32_t everything_ = 0;
};

} // namespace tuff
