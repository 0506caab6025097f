#include "graph/compile/sync/queue_waits.hpp"

#include <algorithm>

namespace tuff {

QueueWaits::QueueWaits(const Order& order) : order_(order) {
    if (!order.queues.empty()) joined_at_.resize(std::size_t{order.level_count} + 1);
}

void QueueWaits::need(const QueuePoints& others) {
    for (std::size_t q = 0; q < kQueueCount; ++q)
        needed_[q] = std::max(needed_[q], others[q]);
}

void QueueWaits::need_everything() {
    for (std::uint32_t level = 0; level < order_.queues.size(); ++level)
        if (const Queue queue = order_.queues[level]; queue != Queue::graphics)
            needed_[static_cast<std::size_t>(queue)] = level + 1;
}

std::uint32_t QueueWaits::settle(std::uint32_t level, Queue queue) {
    if (joined_at_.empty()) return 0;
    QueuePoints& own = joined_[static_cast<std::size_t>(queue)];
    const auto at = [&](std::size_t q) -> const QueuePoints& { return joined_at_[needed_[q] - 1]; };
    QueuePoints reached = own;
    for (std::size_t q = 0; q < kQueueCount; ++q) {
        if (needed_[q] <= own[q]) continue;
        // Another queue that is waited for may have waited already.
        bool covered = false;
        for (std::size_t other = 0; other < kQueueCount; ++other)
            covered = covered ||
                      (other != q && needed_[other] > own[other] && at(other)[q] >= needed_[q]);
        if (!covered) pairs_.push_back({level, needed_[q] - 1});
        reached[q] = std::max(reached[q], needed_[q]);
        for (std::size_t other = 0; other < kQueueCount; ++other)
            reached[other] = std::max(reached[other], at(q)[other]);
    }
    needed_ = {};
    own = reached;
    joined_at_[level] = own;
    const std::uint32_t done = own[static_cast<std::size_t>(queue)];
    return done == 0 ? 0 : done + 1;
}

void QueueWaits::submit(Synchronization& result) const {
    if (order_.queues.empty()) { // all levels go out together
        result.submissions.push_back({});
        return;
    }
    constexpr std::uint32_t kNone = ~0u;
    std::vector<bool> awaited(result.levels.size(), false);
    for (const Pair& pair : pairs_)
        awaited[pair.awaited] = true;
    std::array<std::uint32_t, kQueueCount> open;
    open.fill(kNone);
    auto pair = pairs_.begin(); // by the waiting level
    const auto place = [&](std::uint32_t index, Level& level) {
        std::uint32_t& submission = open[static_cast<std::size_t>(level.queue)];
        const bool waits = pair != pairs_.end() && pair->waiting == index;
        if (waits || submission == kNone) {
            submission = static_cast<std::uint32_t>(result.submissions.size());
            result.submissions.push_back(
                {.queue = level.queue,
                 .first_wait = static_cast<std::uint32_t>(result.waits.size())});
            for (; pair != pairs_.end() && pair->waiting == index; ++pair)
                result.waits.push_back(result.levels[pair->awaited].submission);
            result.submissions.back().wait_count = static_cast<std::uint32_t>(result.waits.size()) -
                                                   result.submissions.back().first_wait;
        }
        level.submission = submission;
    };
    for (std::uint32_t index = 0; index < result.levels.size(); ++index) {
        place(index, result.levels[index]);
        if (awaited[index]) open[static_cast<std::size_t>(result.levels[index].queue)] = kNone;
    }
    place(static_cast<std::uint32_t>(result.levels.size()), result.epilogue);
    show_to_and_from_host(result);
}

/// Semaphores order the host and the device, but show neither the writes of the other: barriers at
/// the ends of the device's submissions do. So for the levels the host is one more queue.
void QueueWaits::show_to_and_from_host(Synchronization& result) {
    constexpr MemoryBarrier kFromHost{stage::kHost, memory::kHostWrite, stage::kAllCommands,
                                      memory::kMemoryRead | memory::kMemoryWrite};
    constexpr MemoryBarrier kToHost{stage::kAllCommands, memory::kMemoryWrite, stage::kHost,
                                    memory::kHostRead | memory::kHostWrite};
    const auto is_host = [](const Submission& s) { return s.queue == Queue::host; };
    if (std::ranges::none_of(result.submissions, is_host)) return;
    for (Submission& submission : result.submissions)
        for (std::uint32_t w = 0; w < submission.wait_count; ++w) {
            Submission& awaited = result.submissions[result.waits[submission.first_wait + w]];
            if (is_host(awaited)) submission.from_host = kFromHost;
            if (is_host(submission)) awaited.to_host = kToHost;
        }
    result.submissions.back().to_host = kToHost; // the host of the next execution waits for it
}

StageBits stages_on(Queue queue) {
    static const StageBits kCompute =
        narrow_stages(stage::kDrawIndirect | stage::kCompute | stage::kCopy | stage::kClear);
    static const StageBits kTransfer = narrow_stages(stage::kCopy);
    switch (queue) {
    case Queue::graphics: return kAllStageBits;
    case Queue::compute: return kCompute;
    case Queue::transfer: return kTransfer;
    case Queue::host: return kHostBit;
    }
    return kAllStageBits;
}

ScopeBits only_on(Queue queue, const ScopeBits& scope) {
    const StageBits stages = scope.stages & stages_on(queue);
    const MemoryBits memory = scope.memory & accesses_in(stages);
    return {stages, memory, scope.pairs & pairs_of(stages, memory), scope.layout};
}

ScopeBits without_host(const ScopeBits& scope) {
    const StageBits stages = scope.stages & kAllCommandBits;
    const MemoryBits memory = scope.memory & accesses_in(stages);
    return {stages, memory, scope.pairs & pairs_of(stages, memory), scope.layout};
}

} // namespace tuff
