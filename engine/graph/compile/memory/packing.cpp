#include "graph/compile/memory/packing.hpp"

#include "graph/compile/memory/packing_rows.hpp"
#include "graph/compile/memory/sort_by_greatest.hpp"
#include "graph/compile/select.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <utility>

namespace tuff {
namespace {

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

/// Goes through time and knows only who is alive: linear where few live at once. Gives up once more
/// than `most` bytes are taken.
Packing pack_by_birth(std::span<const PackingItem> items, const Sequence& sequence, Fit fit,
                      std::uint64_t most = ~0ull) {
    Packing packing{.offsets = std::vector<std::uint64_t>(items.size())};
    std::vector<Placed> living; // by offset
    living.reserve(64);
    for (const std::uint32_t i : sequence) {
        const PackingItem& item = items[i];
        std::erase_if(living, [&](const Placed& p) { return p.last < item.life.first; });
        const std::uint64_t offset = find_gap(living, item.needs, fit);
        const Placed mine{offset, offset + item.needs.size, item.life.last};
        living.insert(std::ranges::upper_bound(living, offset, {}, &Placed::begin), mine);
        packing.offsets[i] = offset;
        packing.size = std::max(packing.size, mine.end);
        if (packing.size > most) break;
    }
    return packing;
}

/// The items in the order of their births, and which of them live at the same time.
class Neighbours {
  public:
    Neighbours(std::span<const PackingItem> items, const Sequence& by_birth);

    /// Places one after the other, each at the lowest offset that no neighbour occupies. `sequence`
    /// counts in the order of births, and so does the result.
    Packing place(const Sequence& sequence);

  private:
    /// Where an item is; what has not been placed is in nobody's way.
    struct Place {
        std::uint64_t begin = ~0ull;
        std::uint64_t end = 0;
    };
    static constexpr std::size_t kFew = 32;
    static constexpr std::size_t kStep = 8;
    std::uint64_t lowest_gap(std::uint32_t born);
    std::uint64_t climb(std::uint32_t born);

    std::vector<const PackingItem*> items_;
    std::vector<Place> places_;
    std::vector<std::uint32_t> end_; ///< of those that are born while the item lives
    Grouped<std::uint32_t> alive_;   ///< those that are alive when it is born
    std::vector<Placed> placed_;     ///< kept for its memory
    std::array<Place, kFew + kStep> near_;
};

Neighbours::Neighbours(std::span<const PackingItem> items, const Sequence& by_birth) {
    items_.reserve(items.size());
    end_.resize(items.size());
    alive_.starts.reserve(items.size() + 1);
    alive_.items.reserve(4 * items.size());
    std::vector<std::uint32_t> living;
    for (std::uint32_t born = 0; born < items.size(); ++born) {
        const PackingItem& item = items[by_birth[born]];
        items_.push_back(&item);
        // Nobody can guess who has died, so there is no branch.
        std::size_t survivors = 0;
        for (const std::uint32_t other : living) {
            const bool outlives = items_[other]->life.last >= item.life.first;
            end_[other] = select(outlives, end_[other], born);
            living[survivors] = other;
            survivors += select<std::size_t>(outlives, 1, 0);
        }
        living.resize(survivors);
        alive_.starts.push_back(static_cast<std::uint32_t>(alive_.items.size()));
        alive_.items.insert(alive_.items.end(), living.begin(), living.end());
        living.push_back(born);
    }
    for (const std::uint32_t survivor : living)
        end_[survivor] = static_cast<std::uint32_t>(items.size());
    alive_.starts.push_back(static_cast<std::uint32_t>(alive_.items.size()));
}

/// Among few neighbours the gap is found sooner than their order.
std::uint64_t Neighbours::lowest_gap(std::uint32_t born) {
    const std::span<const std::uint32_t> alive = alive_[born];
    if (alive.size() + end_[born] - born <= kFew) return climb(born);
    placed_.clear();
    const auto collect = [&](std::uint32_t other) {
        const Place& place = places_[other];
        if (place.begin < place.end) placed_.push_back({place.begin, place.end, 0});
    };
    std::ranges::for_each(alive, collect);
    for (std::uint32_t other = born + 1; other < end_[born]; ++other)
        collect(other);
    std::ranges::sort(placed_, {}, &Placed::begin);
    return find_gap(placed_, items_[born]->needs, Fit::lowest);
}

/// Goes up over neighbours in the way until none is. Nobody can guess who has been placed and who
/// is in the way, so there is no branch, and the numbers of neighbours are few.
std::uint64_t Neighbours::climb(std::uint32_t born) {
    std::size_t count = 0;
    const auto collect = [&](const Place& place) {
        near_[count] = place;
        count += place.begin < place.end ? 1 : 0;
    };
    for (const std::uint32_t other : alive_[born])
        collect(places_[other]);
    for (std::uint32_t other = born + 1; other < end_[born]; ++other)
        collect(places_[other]);
    std::fill_n(near_.begin() + static_cast<std::ptrdiff_t>(count), kStep, Place{});

    // No place below the end of one that is in the way is free, so all of a step may be asked at
    // once and the highest of them decides.
    const MemoryRequirements& needs = items_[born]->needs;
    std::uint64_t offset = 0;
    bool moved = true;
    while (std::exchange(moved, false))
        for (std::size_t i = 0; i < count; i += kStep) {
            std::uint64_t highest = offset;
            for (std::size_t j = i; j < i + kStep; ++j) {
                const Place& other = near_[j];
                const bool in_the_way = (other.begin < offset + needs.size) & (other.end > offset);
                const std::uint64_t end = select<std::uint64_t>(in_the_way, other.end, 0);
                highest = select(end > highest, end, highest);
            }
            moved |= highest != offset;
            offset = align_up(highest, needs.alignment);
        }
    return offset;
}

Packing Neighbours::place(const Sequence& sequence) {
    Packing packing{.offsets = std::vector<std::uint64_t>(items_.size())};
    places_.assign(items_.size(), {});
    for (const std::uint32_t born : sequence) {
        const std::uint64_t begin = lowest_gap(born);
        const std::uint64_t end = begin + items_[born]->needs.size;
        places_[born] = {begin, end};
        packing.offsets[born] = begin;
        packing.size = std::max(packing.size, end);
    }
    return packing;
}

std::uint32_t level_count(std::span<const PackingItem> items) {
    std::uint32_t levels = 0;
    for (const PackingItem& item : items)
        levels = std::max(levels, item.life.last + 1);
    return levels;
}

/// How many live at once, and what that costs.
struct Crowd {
    std::uint64_t most = 0;  ///< alive at one level
    std::uint64_t lived = 0; ///< levels, by all together
    std::uint64_t met = 0;   ///< by each when it is born, all together

    /// Whether looking at each of those alive for each item takes seconds.
    bool is_large() const { return met > 50'000'000; }
    /// Whether there is time to try several orders: lives times those alive meanwhile.
    bool is_small() const { return lived * most <= 4'000'000; }
};
Crowd survey(std::span<const PackingItem> items) {
    struct Change {
        std::uint32_t births = 0;
        std::uint32_t deaths = 0;
    };
    std::vector<Change> changes(std::size_t{level_count(items)} + 1);
    Crowd crowd;
    for (const PackingItem& item : items) {
        crowd.lived += item.life.last - item.life.first + 1;
        ++changes[item.life.first].births;
        ++changes[std::size_t{item.life.last} + 1].deaths;
    }
    std::uint64_t alive = 0;
    for (const Change& change : changes) {
        alive = alive + change.births - change.deaths;
        crowd.most = std::max(crowd.most, alive);
        crowd.met += change.births * alive;
    }
    return crowd;
}

std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b) {
    return a > ~0ull / b ? ~0ull : a * b;
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
    const Crowd crowd = survey(items);
    if (crowd.is_large()) return pack_many(items);
    const Sequence births = by_birth(items);
    if (Packing plain = pack_by_birth(items, births, Fit::lowest, peak); plain.size <= peak)
        return plain;
    if (!crowd.is_small()) return pack_by_birth(items, births, Fit::lowest);

    // Large items first leave the smallest gaps; then those that stand in the way for long.
    std::optional<PackingRows> rows = PackingRows::of(items, births);
    std::optional<Neighbours> neighbours;
    const auto place = [&](const Sequence& sequence) {
        if (rows)
            if (auto packing = rows->place(sequence)) return *std::move(packing);
        rows.reset();
        if (!neighbours) neighbours.emplace(items, births);
        return neighbours->place(sequence);
    };
    const auto size = [&](std::uint32_t i) { return items[births[i]].needs.size; };
    const auto length = [&](std::uint32_t i) {
        const LiveRange& life = items[births[i]].life;
        return std::uint64_t{life.last} - life.first + 1;
    };
    const auto area = [&](std::uint32_t i) { return saturating_product(size(i), length(i)); };
    Sequence sequence(items.size());
    std::iota(sequence.begin(), sequence.end(), 0u);
    Packing best{.size = ~0ull}; // offsets by birth
    const auto try_sorted = [&](auto key) {
        sort_by_greatest(sequence, key);
        Packing other = place(sequence);
        if (other.size < best.size) best = std::move(other);
        return best.size <= peak;
    };
    const bool perfect = try_sorted(size) || try_sorted(area) || try_sorted(length);
    Packing result{.offsets = std::vector<std::uint64_t>(items.size()), .size = best.size};
    for (std::size_t born = 0; born < births.size(); ++born)
        result.offsets[births[born]] = best.offsets[born];
    if (perfect) return result;
    Packing plain = pack_by_birth(items, births, Fit::lowest);
    if (plain.size <= result.size) result = std::move(plain);
    Packing tight = pack_by_birth(items, births, Fit::tightest);
    if (tight.size < result.size) result = std::move(tight);
    return result;
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
