#include "graph/compile/sync/timelines.hpp"

#include <algorithm>

namespace tuff {
namespace {

const PairBits kHostPairs = pairs_of(kHostBit, kReadBits | kWriteBits);

/// Those of `before`, at work until `point`, that lie ahead of what some row in `after` knows.
template <typename Rows, typename Bits>
StageBits behind(const Rows& rows, Bits after, StageBits before, std::uint32_t point) {
    StageBits result = 0;
    for_each_bit(after, [&](std::uint32_t row) {
        for_each_bit(before, [&](std::uint32_t b) {
            if (rows[row][b] <= point) result |= 1u << b;
        });
    });
    return result;
}

} // namespace

void Timelines::raise(Row& row, const Row& other) {
    for (std::size_t i = 0; i < row.size(); ++i)
        row[i] = std::max(row[i], other[i]);
}

void Timelines::add_sources(Row& done, Row& available, StageBits source_stages,
                            MemoryBits source_memory, std::uint32_t now) {
    for_each_bit(with_earlier(source_stages), [&](std::uint32_t s) { done[s] = now; });
    for_each_bit(source_stages, [&](std::uint32_t s) {
        const MemoryBits writes = writes_in(1u << s);
        if (writes != 0 && (writes & ~source_memory) == 0) available[s] = now;
    });
}

void Timelines::raise_destinations(const Row& done, const Row& available,
                                   StageBits destination_stages, MemoryBits destination_memory) {
    for_each_bit(with_later(destination_stages), [&](std::uint32_t d) {
        raise(done_[d], done);
        raise(available_[d], available);
    });
    for_each_bit(pairs_of(destination_stages, destination_memory), [&](std::uint32_t p) {
        raise(seen_[p], available);
        raise(shown_[p], done);
    });
}

void Timelines::pass(StageBits source_stages, MemoryBits source_memory,
                     StageBits destination_stages, MemoryBits destination_memory,
                     std::uint32_t now) {
    Row done{};
    Row available{};
    for_each_bit(with_earlier(source_stages), [&](std::uint32_t s) {
        raise(done, done_[s]);
        raise(available, available_[s]);
    });
    add_sources(done, available, source_stages, source_memory, now);
    raise_destinations(done, available, destination_stages, destination_memory);
}

StageBits Timelines::unordered(StageBits before, std::uint32_t point, StageBits after) const {
    if (point < everything_) after &= kHostBit;
    return behind(done_, after, before, point);
}

StageBits Timelines::unavailable(StageBits before, MemoryBits memory, std::uint32_t point,
                                 StageBits after) const {
    if (point < everything_) after &= kHostBit;
    if (after == 0) return 0;
    // A transition is available to whoever comes after it; of writes that no command makes in these
    // stages nothing is known.
    if (memory == 0) return unordered(before, point, after);
    if ((memory & ~writes_in(before)) != 0) return before;
    return behind(available_, after, before, point);
}

StageBits Timelines::unseen(StageBits before, MemoryBits memory, std::uint32_t point,
                            PairBits readers) const {
    if (point < everything_) readers &= kHostPairs;
    if (readers == 0) return 0;
    // Nothing is known of writes that no command makes in these stages.
    if (memory == 0 || (memory & ~writes_in(before)) != 0) return before;
    return behind(seen_, readers, before, point);
}

StageBits Timelines::unshown(StageBits before, std::uint32_t point, PairBits accesses) const {
    if (point < everything_) accesses &= kHostPairs;
    return behind(shown_, accesses, before, point);
}

} // namespace tuff
