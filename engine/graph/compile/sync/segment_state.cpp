#include "graph/compile/sync/segment_state.hpp"

#include <algorithm>

namespace tuff {

void SegmentState::start_after(const LastUses& uses, Queue first, bool several_queues) {
    queue = first;
    StageBits stages = uses.readers | uses.writers;
    const std::uint32_t point = uses.points[static_cast<std::size_t>(first)];
    if (several_queues) {
        for (std::size_t q = 0; q < kQueueCount; ++q)
            if (static_cast<Queue>(q) != first && uses.points[q] != 0)
                reads[q] = {kAllCommandBits, uses.points[q]};
        // Other queues begin after all of the execution before.
        if (first != Queue::graphics && point == 0) return;
        stages &= stages_on(first);
    }
    if (uses.written == 0) {
        reads[static_cast<std::size_t>(first)] = {stages, point};
        unread = uses.unread;
        if (!several_queues) {
            write_stages = uses.read_writers;
            write_memory = uses.read_writes;
            write_point = uses.read_written_at;
        }
    } else {
        write_stages = stages;
        write_memory = several_queues ? uses.written & accesses_in(stages) : uses.written;
        write_point = point;
    }
}

/// The stages of the last write that `scope` has not waited for, or whose writes it does not see.
StageBits SegmentState::missing_for(const ScopeBits& scope, const Timelines& timelines) const {
    const PairBits unshown = scope.pairs & ~seen_by;
    if (write_stages == 0 || (unshown == 0 && scope.pairs != 0)) return 0;
    return timelines.unseen(write_stages, write_memory, write_point, unshown) |
           timelines.unavailable(write_stages, write_memory, write_point, scope.stages);
}

void SegmentState::wait_for_others(Dependency& wait, const AccessNeed& need,
                                   const QueuePoints& joined) const {
    const bool changes = need.writes || wait.relayout;
    for (std::size_t q = 0; q < kQueueCount; ++q) {
        if (static_cast<Queue>(q) == need.queue) continue;
        std::uint32_t point = 0;
        if (static_cast<Queue>(q) == queue && write_stages != 0) point = write_point;
        if (changes && reads[q].stages != 0) point = std::max(point, reads[q].point);
        if (point == 0) continue;
        wait.after_semaphore = true;
        if (point > joined[q]) wait.others[q] = point;
    }
}

/// The stages of readers on `on` that see the last write, as some access of `scope` does not.
StageBits SegmentState::hidden_from(const ScopeBits& scope, Queue on,
                                    const Timelines& timelines) const {
    // The semaphore has shown it; but who had the memory before may have changed a layout on `on`.
    const bool is_of_alias = !writer && !reader;
    if (queue != on && !is_of_alias) return 0;
    const Reads& own = reads[static_cast<std::size_t>(on)];
    const PairBits unseen = scope.pairs & ~seen_by;
    const StageBits hidden = timelines.unshown(own.stages, own.point, unseen);
    // A barrier may have shown it before the last of the readers came.
    const bool seen = hidden != 0 && write_stages != 0 &&
                      timelines.unseen(write_stages, write_memory, write_point, unseen) == 0;
    return seen ? 0 : hidden;
}

/// The readers' own barrier has made the write available: they alone have to be waited for. But a
/// write has to see it, as a read has to: of two writes that do not see each other memory may keep
/// either.
void SegmentState::wait_for_readers(Dependency& wait, const AccessNeed& need,
                                    const Timelines& timelines) const {
    const Reads& own = reads[static_cast<std::size_t>(need.queue)];
    wait.point = own.point;
    if (wait.relayout) {
        wait.source_stages = own.stages;
        wait.memory = need.scope.memory;
        return;
    }
    const StageBits hidden = hidden_from(need.scope, need.queue, timelines);
    wait.source_stages = timelines.unordered(own.stages, own.point, need.scope.stages) | hidden;
    // Where no reader has come, a write follows a write.
    if (unread && wait.source_stages == 0) wait.source_stages = own.stages;
    if (unread || hidden != 0) wait.memory = need.scope.memory;
}

void SegmentState::wait_for_write(Dependency& wait, const AccessNeed& need,
                                  const Timelines& timelines) const {
    wait.point = write_point;
    wait.source_stages = wait.relayout ? write_stages : missing_for(need.scope, timelines);
    wait.source_memory = write_memory;
    // A barrier may not name writes that its stages do not make.
    if (wait.source_stages != write_stages) wait.source_memory &= writes_in(wait.source_stages);
    wait.memory = need.scope.memory;
}

/// A use of what another queue used last, or uses too.
void SegmentState::wait_across_queues(Dependency& wait, const AccessNeed& need,
                                      const Timelines& timelines, const QueuePoints& joined) const {
    wait_for_others(wait, need, joined);
    const Reads& owner = reads[static_cast<std::size_t>(queue)];
    const Reads& own = reads[static_cast<std::size_t>(need.queue)];
    const bool changes = need.writes || wait.relayout;
    // Whoever has read it on another queue has waited for the last write.
    const bool read_elsewhere =
        changes && (writer || reader) &&
        std::ranges::any_of(reads, [&](const Reads& r) { return r.stages != 0 && &r != &own; });
    if (wait.transfers) {
        // The release waits for the former owner's own last uses.
        wait.point = std::max(write_point, owner.point);
        wait.source_stages = owner.stages != 0 ? owner.stages : write_stages;
        wait.source_memory = owner.stages != 0 ? 0 : write_memory;
        wait.memory = need.scope.memory;
    } else if (changes && own.stages != 0) {
        wait_for_readers(wait, need, timelines);
    } else if (queue == need.queue && !read_elsewhere && (write_stages != 0 || wait.relayout)) {
        wait_for_write(wait, need, timelines);
    } else if (wait.relayout) {
        wait.memory = need.scope.memory;
    } else if (queue != need.queue && write_stages != 0 && (need.scope.stages & kHostBit)) {
        // Semaphores between queues show nothing to the host.
        wait.source_stages = kAllCommandBits;
        wait.source_memory = kWriteBits;
        wait.memory = need.scope.memory;
    }
    wait.after_reads = changes && (own.stages != 0 || read_elsewhere || owner.stages != 0);
}

Dependency SegmentState::wait_for(const AccessNeed& need, const Timelines& timelines,
                                  const QueuePoints* joined) const {
    const bool untouched = !writer && !reader;
    const bool transfers = changes_owner(need);
    Dependency wait{.stages = need.scope.stages,
                    .from = layout,
                    .to = need.scope.layout == Layout::undefined ? layout : need.scope.layout,
                    .relayout = transfers || changes_layout(need),
                    .transfers = transfers,
                    .queue = queue};
    if (need.accumulates && accumulating == need.version && queue == need.queue) return wait;
    // A host that names no stages waits for a semaphore.
    if (need.hands_over && !wait.relayout && (untouched || need.scope.stages == 0)) return wait;
    if (joined && need.queue == Queue::host) { // semaphores alone, and barriers of others at these
        wait_for_others(wait, need, *joined);
        wait.after_reads =
            need.writes && std::ranges::any_of(reads, [](const Reads& r) { return r.stages != 0; });
    } else if (joined) {
        wait_across_queues(wait, need, timelines, *joined);
    } else {
        wait.after_reads = (need.writes || wait.relayout) && reads[0].stages != 0;
        if (wait.after_reads)
            wait_for_readers(wait, need, timelines);
        else if (write_stages != 0 || wait.relayout)
            wait_for_write(wait, need, timelines);
    }
    wait.needed = wait.source_stages != 0 || wait.relayout || wait.needs_semaphore();
    wait.before = wait.after_reads ? reader : writer;
    wait.hazard = hazard_of(wait, need);
    if (untouched) wait.reused_from = previous_alias;
    return wait;
}

Hazard SegmentState::hazard_of(const Dependency& wait, const AccessNeed& need) const {
    if (need.hands_over) return Hazard::final_state;
    if (!wait.before) return origin;
    if (wait.after_reads) return need.writes ? Hazard::write_after_read : Hazard::layout;
    return need.writes ? Hazard::write_after_write : Hazard::read_after_write;
}

void SegmentState::advance(const AccessNeed& need) {
    if (need.writes) {
        const bool joins = need.accumulates && accumulating == need.version && queue == need.queue;
        const MemoryBits written = need.scope.memory & kWriteBits;
        write_stages = joins ? write_stages | need.scope.stages : need.scope.stages;
        write_memory = joins ? write_memory | written : written;
        write_point = need.point;
        queue = need.queue;
        accumulating = need.accumulates ? need.version : VersionId{};
        writer = need.node;
        reads = {};
        seen_by = 0;
    } else {
        if (changes_layout(need) || changes_owner(need)) {
            // The transition writes too; its own barrier shows that to these readers.
            write_stages = need.scope.stages;
            write_memory = 0;
            write_point = need.point;
            queue = need.queue;
            seen_by = 0;
            reads = {};
        }
        if (queue == need.queue) seen_by |= need.scope.pairs;
        note_reader(need);
    }
    unread = false;
    if (need.scope.layout != Layout::undefined) layout = need.scope.layout;
}

} // namespace tuff
