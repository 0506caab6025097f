#pragma once

#include "graph/compile/memory/last_uses.hpp"
#include "graph/compile/stages.hpp"
#include "graph/compile/sync/queue_waits.hpp"
#include "graph/compile/sync/sync_clocks.hpp"

#include <array>

namespace tuff {

/// What an access asks of a segment.
struct Demand {
    ResourceId resource;
    ScopeBits scope;
    StageBits own_stages = 0; ///< of the access itself, where `scope` speaks for others too
    std::uint32_t moment = 0; ///< see SyncClocks
    Queue queue = Queue::main;
    VersionId version; ///< read, or produced
    NodeId node;       ///< none: the end of the execution
    bool writes = false;
    bool accumulates = false;
    bool hands_over = false; ///< to the host or to the next execution
    bool owns = false;       ///< an image that one queue owns at a time
};

/// What has to be waited for before an access.
struct Wait {
    bool needed = false;         ///< otherwise the rest says nothing
    StageBits source_stages = 0; ///< none: nothing on the same queue
    MemoryBits source_memory = 0;
    std::uint32_t moment = 0; ///< the last of what is waited for on one queue
    StageBits stages = 0;     ///< that wait
    MemoryBits memory = 0;    ///< that has to see the last write; none: it does already
    Layout from = Layout::undefined;
    Layout to = Layout::undefined;
    bool relayout = false;        ///< takes an image barrier
    bool after_semaphore = false; ///< comes after work of other queues, now or already
    bool transfers = false;       ///< from `queue`, which owned the image
    bool after_reads = false;     ///< what comes before are reads
    Queue queue = Queue::main;    ///< of the former use
    QueueMoments others{};        ///< what other queues have to have done
    Hazard hazard = Hazard::read_after_write;
    NodeId before;          ///< as in BarrierReason
    ResourceId reused_from; ///< likewise

    bool needs_semaphore() const {
        std::uint32_t any = 0;
        for (const std::uint32_t other : others)
            any |= other;
        return any != 0;
    }
    friend bool operator==(const Wait& a, const Wait& b) {
        return a.needed == b.needed && a.source_stages == b.source_stages &&
               a.source_memory == b.source_memory && a.moment == b.moment && a.stages == b.stages &&
               a.memory == b.memory && a.from == b.from && a.relayout == b.relayout &&
               a.transfers == b.transfers && a.queue == b.queue && a.others == b.others;
    }
};

/// The state of one segment of a resource while the plan is walked.
/// Buffers have no layout, and nothing asks one of them.
struct SegmentState {
    struct Reads {
        StageBits stages = 0;
        std::uint32_t moment = 0;
    };
    Layout layout = Layout::undefined;
    /// The last write, or the barrier that stands for it; no stages: nothing to wait for.
    StageBits write_stages = 0;
    MemoryBits write_memory = 0;
    std::uint32_t write_moment = 0;
    Queue queue = Queue::main;         ///< of that write; where one queue owns the image, the owner
    Hazard origin = Hazard::first_use; ///< why to wait where no node has written yet
    bool unread = false;               ///< the readers before this execution may not have come
    PairBits seen_by = 0;              ///< to whom that write has been made visible on its queue
    std::array<Reads, kQueueCount> reads{}; ///< since that write
    VersionId accumulating;                 ///< the version being accumulated into, if any
    NodeId writer;
    NodeId reader;
    ResourceId former_tenant;

    /// At the start of the execution, last used by others so. `first` is the queue of the first
    /// use from now on.
    void start_after(const LastUses& uses, Queue first, bool several_queues);

    /// Before a demand that has not been served. `joined`: what the other queues have done for
    /// certain; null where there is one queue.
    Wait wait_for(const Demand& demand, const SyncClocks& clocks, const QueueMoments* joined) const;
    void advance(const Demand& demand);

    /// A barrier for this segment has served such a read already, as it has most.
    bool is_shown_to(const ScopeBits& scope, Queue to) const {
        return scope.pairs != 0 && queue == to && (scope.pairs & ~seen_by) == 0 &&
               !changes_layout(scope.layout);
    }
    bool is_shown_to(const Demand& demand) const {
        return !demand.writes && is_shown_to(demand.scope, demand.queue);
    }
    /// What is left of `advance` for such a read.
    void note_reader(NodeId node, StageBits own_stages, Queue on, std::uint32_t moment) {
        Reads& own = reads[static_cast<std::size_t>(on)];
        own.stages |= own_stages;
        own.moment = moment;
        reader = node;
        unread = false;
    }
    void note_reader(const Demand& demand) {
        note_reader(demand.node, demand.own_stages, demand.queue, demand.moment);
    }

  private:
    bool changes_layout(Layout wanted) const {
        return layout != wanted && wanted != Layout::undefined;
    }
    bool changes_layout(const Demand& demand) const { return changes_layout(demand.scope.layout); }
    bool changes_owner(const Demand& demand) const {
        return demand.owns && queue != demand.queue && layout != Layout::undefined;
    }
    void wait_across_queues(Wait& wait, const Demand& demand, const SyncClocks& clocks,
                            const QueueMoments& joined) const;
    Hazard hazard_of(const Wait& wait, const Demand& demand) const;
    void wait_for_others(Wait& wait, const Demand& demand, const QueueMoments& joined) const;
    void wait_for_readers(Wait& wait, const Demand& demand, const SyncClocks& clocks) const;
    StageBits hidden_from(const ScopeBits& scope, Queue on, const SyncClocks& clocks) const;
    void wait_for_write(Wait& wait, const Demand& demand, const SyncClocks& clocks) const;
    StageBits missing_for(const ScopeBits& scope, const SyncClocks& clocks) const;
};

} // namespace tuff
