#include "graph/packing.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tuff {
namespace {

constexpr std::uint64_t align_up(std::uint64_t value, std::uint64_t alignment) {
    return (value + alignment - 1) / alignment * alignment;
}

struct Placed {
    std::uint64_t begin;
    std::uint64_t end;
    std::uint32_t last; ///< level of its life
};

enum class Fit : std::uint8_t { lowest, tightest };

/// The place for `needs` between `living`, which are sorted by where they begin.
std::uint64_t find_gap(std::span<const Placed> living, const MemoryRequirements& needs, Fit fit) {
    std::uint64_t offset = 0;
    std::uint64_t best = ~0ull;
    std::uint64_t least_room = ~0ull;
    for (const Placed& other : living) {
        if (other.begin >= offset && other.begin - offset >= needs.size) {
            if (fit == Fit::lowest) return offset;
            if (other.begin - offset < least_room) {
                least_room = other.begin - offset;
                best = offset;
            }
        }
        offset = std::max(offset, align_up(other.end, needs.alignment));
    }
    return best != ~0ull ? best : offset;
}

using Sequence = std::vector<std::uint32_t>;

/// The items by birth; those born together the largest first.
Sequence by_birth(std::span<const PackingItem> items) {
    Sequence sequence(items.size());
    std::iota(sequence.begin(), sequence.end(), 0u);
    const auto before = [&](std::uint32_t a, std::uint32_t b) {
        const PackingItem& x = items[a];
        const PackingItem& y = items[b];
        if (x.life.first != y.life.first) return x.life.first < y.life.first;
        if (x.needs.size != y.needs.size) return x.needs.size > y.needs.size;
        return a < b;
    };
    if (!std::ranges::is_sorted(sequence, before)) std::ranges::sort(sequence, before);
    return sequence;
}

/// Goes through time and knows only who is alive: linear where few live at once.
Packing pack_by_birth(std::span<const PackingItem> items, const Sequence& sequence, Fit fit) {
    Packing packing{.offsets = std::vector<std::uint64_t>(items.size())};
    std::vector<Placed> living; // by offset
    for (const std::uint32_t i : sequence) {
        const PackingItem& item = items[i];
        std::erase_if(living, [&](const Placed& p) { return p.last < item.life.first; });
        const std::uint64_t offset = find_gap(living, item.needs, fit);
        const Placed mine{offset, offset + item.needs.size, item.life.last};
        living.insert(std::ranges::upper_bound(living, offset, {}, &Placed::begin), mine);
        packing.offsets[i] = offset;
        packing.size = std::max(packing.size, mine.end);
    }
    return packing;
}

/// Items placed so far, found by the levels they live in.
class Neighbours {
  public:
    Neighbours(std::span<const PackingItem> items, std::uint32_t levels)
        : items_(items), alive_at_(levels, kEnd), born_at_(levels, kEnd) {
        links_.reserve(4 * items.size());
    }

    /// Those that live at the same time as `item`, sorted by where they begin: they are alive when
    /// it is born, or are born while it lives.
    std::span<const Placed> of(std::uint32_t item, std::span<const std::uint64_t> offsets) {
        found_.clear();
        const Life& life = items_[item].life;
        const auto collect = [&](std::uint32_t link) {
            for (; link != kEnd; link = links_[link].next) {
                const std::uint32_t other = links_[link].item;
                const std::uint64_t begin = offsets[other];
                const Placed placed{begin, begin + items_[other].needs.size, 0};
                found_.insert(std::ranges::upper_bound(found_, begin, {}, &Placed::begin), placed);
            }
        };
        collect(alive_at_[life.first]);
        for (std::uint32_t level = life.first + 1; level <= life.last; ++level)
            collect(born_at_[level]);
        return found_;
    }
    void add(std::uint32_t item) {
        const Life& life = items_[item].life;
        push(born_at_[life.first], item);
        for (std::uint32_t level = life.first; level <= life.last; ++level)
            push(alive_at_[level], item);
    }

  private:
    static constexpr std::uint32_t kEnd = ~0u;
    struct Link {
        std::uint32_t item;
        std::uint32_t next;
    };
    void push(std::uint32_t& head, std::uint32_t item) {
        links_.push_back({item, head});
        head = static_cast<std::uint32_t>(links_.size() - 1);
    }

    std::span<const PackingItem> items_;
    std::vector<std::uint32_t> alive_at_; ///< level -> first link
    std::vector<std::uint32_t> born_at_;  ///< level -> first link
    std::vector<Link> links_;
    std::vector<Placed> found_;
};

/// Places the items in the order of `sequence`, each at the lowest offset that no neighbour in time
/// occupies.
Packing pack_in_order(std::span<const PackingItem> items, const Sequence& sequence,
                      std::uint32_t levels) {
    Packing packing{.offsets = std::vector<std::uint64_t>(items.size())};
    Neighbours neighbours(items, levels);
    for (const std::uint32_t i : sequence) {
        const std::uint64_t offset =
            find_gap(neighbours.of(i, packing.offsets), items[i].needs, Fit::lowest);
        packing.offsets[i] = offset;
        packing.size = std::max(packing.size, offset + items[i].needs.size);
        neighbours.add(i);
    }
    return packing;
}

std::uint32_t level_count(std::span<const PackingItem> items) {
    std::uint32_t levels = 0;
    for (const PackingItem& item : items)
        levels = std::max(levels, item.life.last + 1);
    return levels;
}

/// What looking for neighbours level by level costs: lives times those alive meanwhile.
bool affordable(std::span<const PackingItem> items, std::uint32_t levels) {
    constexpr std::uint64_t kMostSteps = 4'000'000;
    std::vector<std::uint64_t> alive(std::size_t{levels} + 1, 0);
    std::uint64_t lived = 0;
    for (const PackingItem& item : items) {
        lived += item.life.last - item.life.first + 1;
        ++alive[item.life.first];
        --alive[item.life.last + 1];
    }
    std::uint64_t most = 0;
    std::uint64_t now = 0;
    for (const std::uint64_t change : alive)
        most = std::max(most, now += change);
    return lived * most <= kMostSteps;
}

/// Whether so many live at once that looking at each of them for each item takes seconds.
bool is_crowded(std::span<const PackingItem> items) {
    constexpr std::uint64_t kMostSteps = 50'000'000;
    const std::uint32_t levels = level_count(items);
    std::vector<std::uint64_t> births(std::size_t{levels} + 1, 0);
    std::vector<std::uint64_t> deaths(std::size_t{levels} + 1, 0);
    for (const PackingItem& item : items) {
        ++births[item.life.first];
        ++deaths[std::size_t{item.life.last} + 1];
    }
    std::uint64_t steps = 0;
    std::uint64_t alive = 0;
    for (std::uint32_t level = 0; level < levels; ++level) {
        alive += births[level] - deaths[level];
        steps += births[level] * alive;
    }
    return steps > kMostSteps;
}

} // namespace

std::uint64_t peak_of(std::span<const PackingItem> items) {
    std::vector<std::uint64_t> change(std::size_t{level_count(items)} + 1, 0); // wraps round
    for (const PackingItem& item : items) {
        change[item.life.first] += item.needs.size;
        change[std::size_t{item.life.last} + 1] -= item.needs.size;
    }
    std::uint64_t live = 0;
    std::uint64_t most = 0;
    for (const std::uint64_t c : change)
        most = std::max(most, live += c);
    return most;
}

Packing pack(std::span<const PackingItem> items, std::uint64_t peak) {
    if (is_crowded(items)) return pack_many(items);
    Sequence sequence = by_birth(items);
    Packing best = pack_by_birth(items, sequence, Fit::lowest);
    const auto keep_smaller = [&](Packing other) {
        if (other.size < best.size) best = std::move(other);
        return best.size <= peak;
    };
    if (best.size <= peak) return best;
    const std::uint32_t levels = level_count(items);
    if (!affordable(items, levels)) return best;

    // Large items first leave the smallest gaps; then those that stand in the way for long.
    const auto size = [&](std::uint32_t i) { return items[i].needs.size; };
    const auto length = [&](std::uint32_t i) {
        return std::uint64_t{items[i].life.last} - items[i].life.first + 1;
    };
    const auto area = [&](std::uint32_t i) {
        return static_cast<double>(size(i)) * static_cast<double>(length(i));
    };
    const auto try_sorted = [&](auto key) {
        std::ranges::stable_sort(sequence, std::ranges::greater{}, key);
        return keep_smaller(pack_in_order(items, sequence, levels));
    };
    if (try_sorted(size)) return best;
    if (try_sorted(area)) return best;
    if (try_sorted(length)) return best;
    keep_smaller(pack_by_birth(items, by_birth(items), Fit::tightest));
    return best;
}

Packing pack_side_by_side(std::span<const PackingItem> items) {
    Packing packing;
    packing.offsets.reserve(items.size());
    for (const PackingItem& item : items) {
        packing.offsets.push_back(align_up(packing.size, item.needs.alignment));
        packing.size = packing.offsets.back() + item.needs.size;
    }
    return packing;
}

} // namespace tuff
