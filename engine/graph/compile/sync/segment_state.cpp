#include "graph/compile/sync/segment_state.hpp"

#include <algorithm>

namespace tuff {

void SegmentState::start_after(const LastUses& uses, Queue first, bool several_queues) {
    queue = first;
    StageBits stages = uses.readers | uses.writers;
    const std::uint32_t moment = uses.moments[static_cast<std::size_t>(first)];
    if (several_queues) {
        for (std::size_t q = 0; q < kQueueCount; ++q)
            if (static_cast<Queue>(q) != first && uses.moments[q] != 0)
                reads[q] = {kAllCommandBits, uses.moments[q]};
        // Other queues begin after all of the execution before.
        if (first != Queue::main && moment == 0) return;
        stages &= stages_on(first);
    }
    if (uses.written == 0) {
        reads[static_cast<std::size_t>(first)] = {stages, moment};
        unread = uses.unread;
        if (!several_queues) {
            write_stages = uses.read_writers;
            write_memory = uses.read_writes;
            write_moment = uses.read_written_at;
        }
    } else {
        write_stages = stages;
        write_memory = several_queues ? uses.written & accesses_in(stages) : uses.written;
        write_moment = moment;
    }
}

/// The stages of the last write that `scope` has not waited for, or whose writes it does not see.
StageBits SegmentState::missing_for(const ScopeBits& scope, const SyncClocks& clocks) const {
    const PairBits unshown = scope.pairs & ~seen_by;
    if (write_stages == 0 || (unshown == 0 && scope.pairs != 0)) return 0;
    return clocks.unseen(write_stages, write_memory, write_moment, unshown) |
           clocks.unavailable(write_stages, write_memory, write_moment, scope.stages);
}

void SegmentState::wait_for_others(Wait& wait, const Demand& demand,
                                   const QueueMoments& joined) const {
    const bool changes = demand.writes || wait.relayout;
    for (std::size_t q = 0; q < kQueueCount; ++q) {
        if (static_cast<Queue>(q) == demand.queue) continue;
        std::uint32_t moment = 0;
        if (static_cast<Queue>(q) == queue && write_stages != 0) moment = write_moment;
        if (changes && reads[q].stages != 0) moment = std::max(moment, reads[q].moment);
        if (moment == 0) continue;
        wait.after_semaphore = true;
        if (moment > joined[q]) wait.others[q] = moment;
    }
}

/// The stages of readers on `on` that see the last write, as some access of `scope` does not.
StageBits SegmentState::hidden_from(const ScopeBits& scope, Queue on,
                                    const SyncClocks& clocks) const {
    // The semaphore has shown it; but who had the memory before may have changed a layout on `on`.
    const bool is_tenants = !writer && !reader;
    if (queue != on && !is_tenants) return 0;
    const Reads& own = reads[static_cast<std::size_t>(on)];
    const PairBits unseen = scope.pairs & ~seen_by;
    const StageBits hidden = clocks.unshown(own.stages, own.moment, unseen);
    // A barrier may have shown it before the last of the readers came.
    const bool seen = hidden != 0 && write_stages != 0 &&
                      clocks.unseen(write_stages, write_memory, write_moment, unseen) == 0;
    return seen ? 0 : hidden;
}

/// The readers' own barrier has made the write available: they alone have to be waited for. But a
/// write has to see it, as a read has to: of two writes that do not see each other memory may keep
/// either.
void SegmentState::wait_for_readers(Wait& wait, const Demand& demand,
                                    const SyncClocks& clocks) const {
    const Reads& own = reads[static_cast<std::size_t>(demand.queue)];
    wait.moment = own.moment;
    if (wait.relayout) {
        wait.source_stages = own.stages;
        wait.memory = demand.scope.memory;
        return;
    }
    const StageBits hidden = hidden_from(demand.scope, demand.queue, clocks);
    wait.source_stages = clocks.unordered(own.stages, own.moment, demand.scope.stages) | hidden;
    // Where no reader has come, a write follows a write.
    if (unread && wait.source_stages == 0) wait.source_stages = own.stages;
    if (unread || hidden != 0) wait.memory = demand.scope.memory;
}

void SegmentState::wait_for_write(Wait& wait, const Demand& demand,
                                  const SyncClocks& clocks) const {
    wait.moment = write_moment;
    wait.source_stages = wait.relayout ? write_stages : missing_for(demand.scope, clocks);
    wait.source_memory = write_memory;
    // A barrier may not name writes that its stages do not make.
    if (wait.source_stages != write_stages) wait.source_memory &= writes_in(wait.source_stages);
    wait.memory = demand.scope.memory;
}

/// A use of what another queue used last, or uses too.
void SegmentState::wait_across_queues(Wait& wait, const Demand& demand, const SyncClocks& clocks,
                                      const QueueMoments& joined) const {
    wait_for_others(wait, demand, joined);
    const Reads& owner = reads[static_cast<std::size_t>(queue)];
    const Reads& own = reads[static_cast<std::size_t>(demand.queue)];
    const bool changes = demand.writes || wait.relayout;
    // Whoever has read it on another queue has waited for the last write.
    const bool read_elsewhere =
        changes && (writer || reader) &&
        std::ranges::any_of(reads, [&](const Reads& r) { return r.stages != 0 && &r != &own; });
    if (wait.transfers) {
        // The release waits for the former owner's own last uses.
        wait.moment = std::max(write_moment, owner.moment);
        wait.source_stages = owner.stages != 0 ? owner.stages : write_stages;
        wait.source_memory = owner.stages != 0 ? 0 : write_memory;
        wait.memory = demand.scope.memory;
    } else if (changes && own.stages != 0) {
        wait_for_readers(wait, demand, clocks);
    } else if (queue == demand.queue && !read_elsewhere && (write_stages != 0 || wait.relayout)) {
        wait_for_write(wait, demand, clocks);
    } else if (wait.relayout) {
        wait.memory = demand.scope.memory;
    } else if (queue != demand.queue && write_stages != 0 && (demand.scope.stages & kHostBit)) {
        // Semaphores between queues show nothing to the host.
        wait.source_stages = kAllCommandBits;
        wait.source_memory = kWriteBits;
        wait.memory = demand.scope.memory;
    }
    wait.after_reads = changes && (own.stages != 0 || read_elsewhere || owner.stages != 0);
}

Wait SegmentState::wait_for(const Demand& demand, const SyncClocks& clocks,
                            const QueueMoments* joined) const {
    const bool untouched = !writer && !reader;
    const bool transfers = changes_owner(demand);
    Wait wait{.stages = demand.scope.stages,
              .from = layout,
              .to = demand.scope.layout == Layout::undefined ? layout : demand.scope.layout,
              .relayout = transfers || changes_layout(demand),
              .transfers = transfers,
              .queue = queue};
    if (demand.accumulates && accumulating == demand.version && queue == demand.queue) return wait;
    // A host that names no stages waits for a semaphore.
    if (demand.hands_over && !wait.relayout && (untouched || demand.scope.stages == 0)) return wait;
    if (joined) {
        wait_across_queues(wait, demand, clocks, *joined);
    } else {
        wait.after_reads = (demand.writes || wait.relayout) && reads[0].stages != 0;
        if (wait.after_reads)
            wait_for_readers(wait, demand, clocks);
        else if (write_stages != 0 || wait.relayout)
            wait_for_write(wait, demand, clocks);
    }
    wait.needed = wait.source_stages != 0 || wait.relayout || wait.needs_semaphore();
    wait.before = wait.after_reads ? reader : writer;
    wait.hazard = hazard_of(wait, demand);
    if (untouched) wait.reused_from = former_tenant;
    return wait;
}

Hazard SegmentState::hazard_of(const Wait& wait, const Demand& demand) const {
    if (demand.hands_over) return Hazard::final_state;
    if (!wait.before) return origin;
    if (wait.after_reads) return demand.writes ? Hazard::write_after_read : Hazard::layout;
    return demand.writes ? Hazard::write_after_write : Hazard::read_after_write;
}

void SegmentState::advance(const Demand& demand) {
    if (demand.writes) {
        const bool joins =
            demand.accumulates && accumulating == demand.version && queue == demand.queue;
        const MemoryBits written = demand.scope.memory & kWriteBits;
        write_stages = joins ? write_stages | demand.scope.stages : demand.scope.stages;
        write_memory = joins ? write_memory | written : written;
        write_moment = demand.moment;
        queue = demand.queue;
        accumulating = demand.accumulates ? demand.version : VersionId{};
        writer = demand.node;
        reads = {};
        seen_by = 0;
    } else {
        if (changes_layout(demand) || changes_owner(demand)) {
            // The transition writes too; its own barrier shows that to these readers.
            write_stages = demand.scope.stages;
            write_memory = 0;
            write_moment = demand.moment;
            queue = demand.queue;
            seen_by = 0;
            reads = {};
        }
        if (queue == demand.queue) seen_by |= demand.scope.pairs;
        note_reader(demand);
    }
    unread = false;
    if (demand.scope.layout != Layout::undefined) layout = demand.scope.layout;
}

} // namespace tuff
