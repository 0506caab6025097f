#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace tuff {

/// The different values among few, each with how often it was added.
class ValueCounts {
  public:
    static constexpr std::size_t kMax = 64;
    struct Entry {
        std::uint64_t value = 0;
        std::uint32_t count = 0; ///< 0: the entry is free
    };

    /// The entry of `value`, or nothing where there are too many values.
    Entry* add(std::uint64_t value) {
        for (std::size_t i = hash(value);; i = (i + 1) % entries_.size()) {
            Entry& entry = entries_[i];
            if (entry.count == 0) {
                if (used_++ == kMax) return nullptr;
                entry.value = value;
            }
            if (entry.value != value) continue;
            ++entry.count;
            return &entry;
        }
    }
    /// Turns the counts into places in a sequence that begins with the greatest value.
    void order_greatest_first() {
        std::array<Entry*, kMax> used;
        std::size_t count = 0;
        for (Entry& entry : entries_)
            if (entry.count != 0) used[count++] = &entry;
        std::sort(used.begin(), used.begin() + count,
                  [](const Entry* a, const Entry* b) { return a->value > b->value; });
        std::uint32_t place = 0;
        for (std::size_t i = 0; i < count; ++i)
            place += std::exchange(used[i]->count, place);
    }

  private:
    static std::size_t hash(std::uint64_t value) { // Fibonacci hashing
        return static_cast<std::size_t>(value * 0x9e37'79b9'7f4a'7c15ull >> 57);
    }
    std::array<Entry, 128> entries_{};
    std::size_t used_ = 0;
};

/// Sorts by `key(item)`, the greatest first; items with equal keys stay in their order. Sizes and
/// lengths of life have few different values as a rule: then the items are dealt out to these.
template <typename Key>
void sort_by_greatest(std::vector<std::uint32_t>& sequence, Key key) {
    ValueCounts counts;
    std::vector<ValueCounts::Entry*> entries(sequence.size());
    for (std::size_t i = 0; i < sequence.size(); ++i) {
        entries[i] = counts.add(key(sequence[i]));
        if (entries[i]) continue;
        std::ranges::stable_sort(sequence, std::ranges::greater{}, key);
        return;
    }
    counts.order_greatest_first();
    const std::vector<std::uint32_t> before = sequence;
    for (std::size_t i = 0; i < before.size(); ++i)
        sequence[entries[i]->count++] = before[i];
}

} // namespace tuff
