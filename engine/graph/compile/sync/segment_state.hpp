#pragma once

#include "graph/compile/memory/last_uses.hpp"
#include "graph/compile/stages.hpp"
#include "graph/compile/sync/queue_waits.hpp"
#include "graph/compile/sync/timelines.hpp"

#include <array>

namespace tuff {

/// What an access asks of a segment.
struct AccessNeed {
    ResourceId resource;
    ScopeBits scope;
    StageBits own_stages = 0; ///< of the access itself, where `scope` speaks for others too
    std::uint32_t point = 0;  ///< see Timelines
    Queue queue = Queue::graphics;
    VersionId version; ///< read, or produced
    NodeId node;       ///< none: the end of the execution
    bool writes = false;
    bool accumulates = false;
    bool hands_over = false; ///< to the host or to the next execution
    bool owns = false;       ///< an image that one queue owns at a time
};

/// What has to be waited for before an access.
struct Dependency {
    bool needed = false;         ///< otherwise the rest says nothing
    StageBits source_stages = 0; ///< none: nothing on the same queue
    MemoryBits source_memory = 0;
    std::uint32_t point = 0; ///< the last of what is waited for on one queue
    StageBits stages = 0;    ///< that wait
    MemoryBits memory = 0;   ///< that has to see the last write; none: it does already
    Layout from = Layout::undefined;
    Layout to = Layout::undefined;
    bool relayout = false;         ///< takes an image barrier
    bool after_semaphore = false;  ///< comes after work of other queues, now or already
    bool transfers = false;        ///< from `queue`, which owned the image
    bool after_reads = false;      ///< what comes before are reads
    Queue queue = Queue::graphics; ///< of the former use
    QueuePoints others{};          ///< what other queues have to have done
    Hazard hazard = Hazard::read_after_write;
    NodeId before;          ///< as in BarrierReason
    ResourceId reused_from; ///< likewise

    bool needs_semaphore() const {
        std::uint32_t any = 0;
        for (const std::uint32_t other : others)
            any |= other;
        return any != 0;
    }
    friend bool operator==(const Dependency& a, const Dependency& b) {
        return a.needed == b.needed && a.source_stages == b.source_stages &&
               a.source_memory == b.source_memory && a.point == b.point && a.stages == b.stages &&
               a.memory == b.memory && a.from == b.from && a.relayout == b.relayout &&
               a.transfers == b.transfers && a.queue == b.queue && a.others == b.others;
    }
};

/// The state of one segment of a resource while the plan is walked.
/// Buffers have no layout, and nothing asks one of them.
struct SegmentState {
    struct Reads {
        StageBits stages = 0;
        std::uint32_t point = 0;
    };
    Layout layout = Layout::undefined;
    /// The last write, or the barrier that stands for it; no stages: nothing to wait for.
    StageBits write_stages = 0;
    MemoryBits write_memory = 0;
    std::uint32_t write_point = 0;
    Queue queue = Queue::graphics;     ///< of that write; where one queue owns the image, the owner
    Hazard origin = Hazard::first_use; ///< why to wait where no node has written yet
    bool unread = false;               ///< the readers before this execution may not have come
    PairBits seen_by = 0;              ///< to whom that write has been made visible on its queue
    std::array<Reads, kQueueCount> reads{}; ///< since that write
    VersionId accumulating;                 ///< the version being accumulated into, if any
    NodeId writer;
    NodeId reader;
    ResourceId previous_alias;

    /// At the start of the execution, last used by others so. `first` is the queue of the first
    /// use from now on.
    void start_after(const LastUses& uses, Queue first, bool several_queues);

    /// Before a need that has not been served. `joined`: what the other queues have done for
    /// certain; null where there is one queue.
    Dependency wait_for(const AccessNeed& need, const Timelines& timelines,
                        const QueuePoints* joined) const;
    void advance(const AccessNeed& need);

    /// A barrier for this segment has served such a read already, as it has most.
    bool is_shown_to(const ScopeBits& scope, Queue to) const {
        return scope.pairs != 0 && queue == to && (scope.pairs & ~seen_by) == 0 &&
               !changes_layout(scope.layout);
    }
    bool is_shown_to(const AccessNeed& need) const {
        return !need.writes && is_shown_to(need.scope, need.queue);
    }
    /// What is left of `advance` for such a read.
    void note_reader(NodeId node, StageBits own_stages, Queue on, std::uint32_t point) {
        Reads& own = reads[static_cast<std::size_t>(on)];
        own.stages |= own_stages;
        own.point = point;
        reader = node;
        unread = false;
    }
    void note_reader(const AccessNeed& need) {
        note_reader(need.node, need.own_stages, need.queue, need.point);
    }

  private:
    bool changes_layout(Layout wanted) const {
        return layout != wanted && wanted != Layout::undefined;
    }
    bool changes_layout(const AccessNeed& need) const { return changes_layout(need.scope.layout); }
    bool changes_owner(const AccessNeed& need) const {
        return need.owns && queue != need.queue && layout != Layout::undefined;
    }
    void wait_across_queues(Dependency& wait, const AccessNeed& need, const Timelines& timelines,
                            const QueuePoints& joined) const;
    Hazard hazard_of(const Dependency& wait, const AccessNeed& need) const;
    void wait_for_others(Dependency& wait, const AccessNeed& need, const QueuePoints& joined) const;
    void wait_for_readers(Dependency& wait, const AccessNeed& need,
                          const Timelines& timelines) const;
    StageBits hidden_from(const ScopeBits& scope, Queue on, const Timelines& timelines) const;
    void wait_for_write(Dependency& wait, const AccessNeed& need, const Timelines& timelines) const;
    StageBits missing_for(const ScopeBits& scope, const Timelines& timelines) const;
};

} // namespace tuff
