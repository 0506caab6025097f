#include "graph/compile/memory/packing.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace tuff {
namespace {

/// Free intervals of a line of bytes that is occupied below `top` and free above.
class FreeList {
  public:
    /// The beginning of the tightest interval for `needs`.
    std::uint64_t take(const MemoryRequirements& needs) {
        // Alignment may spoil an interval that is large enough. A few tries find another.
        constexpr int kTries = 8;
        auto candidate = by_size_.lower_bound({needs.size, 0});
        for (int i = 0; i < kTries && candidate != by_size_.end(); ++i, ++candidate) {
            const auto [size, begin] = *candidate;
            const std::uint64_t offset = align_up(begin, needs.alignment);
            if (offset + needs.size > begin + size) continue;
            remove(begin, size);
            add(begin, offset - begin);
            add(offset + needs.size, begin + size - offset - needs.size);
            return offset;
        }
        const std::uint64_t offset = align_up(top_, needs.alignment);
        add(top_, offset - top_);
        top_ = offset + needs.size;
        return offset;
    }

    /// Frees [begin, begin + size), joined with what is free beside it.
    void give(std::uint64_t begin, std::uint64_t size) {
        const auto after = by_offset_.find(begin + size);
        if (after != by_offset_.end()) {
            const auto [next, room] = *after;
            remove(next, room);
            size += room;
        }
        const auto above = by_offset_.lower_bound(begin);
        if (above != by_offset_.begin()) {
            const auto [before, room] = *std::prev(above);
            if (before + room == begin) {
                remove(before, room);
                begin = before;
                size += room;
            }
        }
        if (begin + size == top_)
            top_ = begin;
        else
            add(begin, size);
    }

  private:
    void add(std::uint64_t begin, std::uint64_t size) {
        if (size == 0) return;
        by_offset_.emplace(begin, size);
        by_size_.emplace(size, begin);
    }
    void remove(std::uint64_t begin, std::uint64_t size) {
        by_offset_.erase(begin);
        by_size_.erase({size, begin});
    }

    std::map<std::uint64_t, std::uint64_t> by_offset_; ///< begin -> size
    std::set<std::pair<std::uint64_t, std::uint64_t>> by_size_;
    std::uint64_t top_ = 0;
};

} // namespace

Packing pack_many(std::span<const PackingItem> items) {
    Packing packing{.offsets = std::vector<std::uint64_t>(items.size())};
    std::vector<std::uint32_t> births(items.size());
    std::iota(births.begin(), births.end(), 0u);
    std::vector<std::uint32_t> deaths = births;
    // Those born together the largest first, as they are the hardest to place.
    std::ranges::stable_sort(births, [&](std::uint32_t a, std::uint32_t b) {
        if (items[a].life.first != items[b].life.first)
            return items[a].life.first < items[b].life.first;
        return items[a].needs.size > items[b].needs.size;
    });
    std::ranges::stable_sort(deaths, {}, [&](std::uint32_t i) { return items[i].life.last; });
    FreeList free;
    auto dead = deaths.cbegin();
    for (const std::uint32_t i : births) {
        for (; items[*dead].life.last < items[i].life.first; ++dead)
            free.give(packing.offsets[*dead], items[*dead].needs.size);
        packing.offsets[i] = free.take(items[i].needs);
        packing.size = std::max(packing.size, packing.offsets[i] + items[i].needs.size);
    }
    return packing;
}

} // namespace tuff
