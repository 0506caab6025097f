#include "tests/oracle/weaken.hpp"

#include "tests/oracle/parts.hpp"
#include "tests/oracle/scopes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace tuff::oracle {
namespace {

/// The masks of either kind of barrier.
struct Masks {
    StageMask* source_stages;
    MemoryMask* source_memory;
    StageMask* destination_stages;
    MemoryMask* destination_memory;
    bool ignores_destination = false;
    bool ignores_source_memory = false;

    /// What the masks mean. Without accesses to flush the stages count as a scope of order alone.
    Dependency dependency() const {
        Dependency meaning{*source_stages, ignores_source_memory ? 0 : *source_memory,
                           ignores_destination ? 0 : *destination_stages, *destination_memory};
        if (meaning.first_memory == 0) meaning.first_stages = 0;
        return meaning;
    }
};
Masks masks_of(MemoryBarrier& b) {
    return {&b.source_stages, &b.source_memory, &b.destination_stages, &b.destination_memory};
}
Masks masks_of(ImageBarrier& b) {
    return {&b.source_stages, &b.source_memory, &b.destination_stages, &b.destination_memory};
}

std::string_view name_of(Hazard hazard) {
    static constexpr std::array<std::string_view, 8> kNames = {
        "read after write",  "write after read",
        "write after write", "layout",
        "first use",         "reuse",
        "final state",       "forced"};
    return kNames[static_cast<std::size_t>(hazard)];
}

/// Calls `visit(first, count)` with every range of image barriers that is a batch.
template <typename Visit>
void for_each_batch(Plan& plan, Visit visit) {
    const auto level = [&](Level& l) {
        visit(l.first_image_barrier, l.image_barrier_count);
        visit(l.first_release, l.release_count);
    };
    for (Level& l : plan.levels)
        level(l);
    level(plan.epilogue);
}

void erase_image_barrier(Plan& plan, std::uint32_t index) {
    plan.image_barriers.erase(plan.image_barriers.begin() + index);
    for_each_batch(plan, [index](std::uint32_t& first, std::uint32_t& count) {
        if (index >= first && index < first + count)
            --count;
        else if (first > index)
            --first;
    });
}

class Weakener {
  public:
    explicit Weakener(const Plan& plan) : plan_(plan) {}

    std::vector<WeakPlan> run() && {
        for (std::size_t level = 0; level <= plan_.levels.size(); ++level) {
            const Level& batch = level_of(plan_, level);
            const Place place{fmt::format("level {}", level), reasons(batch)};
            if (batch.memory != MemoryBarrier{})
                weaken_memory_barrier(place,
                                      [level](Plan& p) { return &level_of(p, level).memory; });
            for (std::uint32_t i = 0; i < batch.image_barrier_count; ++i)
                weaken_image_barrier(place.text, batch.first_image_barrier + i, batch.queue);
            for (std::uint32_t i = 0; i < batch.release_count; ++i)
                weaken_image_barrier(place.text, batch.first_release + i, batch.queue);
        }
        drop_host_barriers();
        drop_waits();
        move_allocations();
        return std::move(results_);
    }

  private:
    /// Where something stands, and why: in words, and as kinds of hazard.
    struct Reasons {
        std::string text;
        std::string hazards;
    };
    struct Place {
        std::string text;
        Reasons reasons;
    };

    static const Level& level_of(const Plan& plan, std::size_t level) {
        return level < plan.levels.size() ? plan.levels[level] : plan.epilogue;
    }
    static Level& level_of(Plan& plan, std::size_t level) {
        return level < plan.levels.size() ? plan.levels[level] : plan.epilogue;
    }
    Plan& add(Weakening kind, std::string text, std::string sort) {
        results_.push_back({kind, std::move(text), std::move(sort), plan_});
        return results_.back().plan;
    }
    template <typename Batch>
    Reasons reasons(const Batch& batch) const {
        Reasons result;
        std::set<std::string_view> hazards;
        for (std::uint32_t i = 0; i < batch.reason_count; ++i) {
            const BarrierReason& reason = plan_.reasons[batch.first_reason + i];
            result.text += fmt::format("{}{}", i == 0 ? "" : "; ", describe(plan_, reason));
            hazards.insert(name_of(reason.hazard));
        }
        for (const std::string_view hazard : hazards)
            result.hazards += fmt::format("{}{}", result.hazards.empty() ? "" : ", ", hazard);
        return result;
    }

    template <typename Find>
    void weaken_memory_barrier(const Place& place, Find find) {
        const std::string what =
            fmt::format("{}, memory barrier ({})", place.text, place.reasons.text);
        const std::string sort = fmt::format("memory barrier ({})", place.reasons.hazards);
        *find(add(Weakening::no_memory_barrier, what, sort)) = {};
        weaken_masks(what, sort, [find](Plan& p) { return masks_of(*find(p)); });
    }

    void weaken_image_barrier(const std::string& place, std::uint32_t index, Queue queue) {
        const ImageBarrier& barrier = plan_.image_barriers[index];
        const bool transfer = barrier.from_queue != barrier.to_queue;
        const bool releases = transfer && barrier.from_queue == queue;
        const BarrierReason& reason = plan_.reasons[barrier.reason];
        const std::string sort =
            fmt::format("image barrier {} -> {} ({})", tuff::name_of(barrier.from),
                        tuff::name_of(barrier.to), name_of(reason.hazard));
        const std::string what =
            fmt::format("{}, '{}', {} ({})", place, plan_.graph.name_of(barrier.resource), sort,
                        describe(plan_, reason));
        const Weakening without = !transfer  ? Weakening::no_image_barrier
                                  : releases ? Weakening::no_release
                                             : Weakening::no_acquisition;
        erase_image_barrier(add(without, what, sort), index);
        const Layout other =
            barrier.to == Layout::general ? Layout::shader_read_only : Layout::general;
        add(Weakening::wrong_layout, what, sort).image_barriers[index].to = other;
        weaken_masks(what, sort, [=](Plan& p) {
            Masks masks = masks_of(p.image_barriers[index]);
            // Nothing follows a release, and nothing is flushed by an acquisition.
            masks.ignores_destination = releases;
            masks.ignores_source_memory = transfer && !releases;
            return masks;
        });
    }

    void drop_host_barriers() {
        const auto drop = [&](std::uint32_t s, MemoryBarrier Submission::*barrier,
                              std::string_view where) {
            if (plan_.submissions[s].*barrier == MemoryBarrier{}) return;
            Plan& weaker =
                add(Weakening::no_host_barrier, fmt::format("submission {}, {}", s, where),
                    fmt::format("barrier {} the host", where));
            weaker.submissions[s].*barrier = {};
        };
        for (std::uint32_t s = 0; s < plan_.submissions.size(); ++s) {
            drop(s, &Submission::from_host, "from");
            drop(s, &Submission::to_host, "to");
        }
    }

    void drop_waits() {
        for (std::uint32_t s = 0; s < plan_.submissions.size(); ++s)
            for (std::uint32_t i = 0; i < plan_.submissions[s].wait_count; ++i) {
                const std::uint32_t wait = plan_.submissions[s].first_wait + i;
                const std::uint32_t other = plan_.waits[wait];
                Plan& weaker =
                    add(Weakening::no_wait,
                        fmt::format("submission {} of queue {} waits for {} of queue {}", s,
                                    static_cast<int>(plan_.submissions[s].queue), other,
                                    static_cast<int>(plan_.submissions[other].queue)),
                        fmt::format("wait of queue {} for queue {}",
                                    static_cast<int>(plan_.submissions[s].queue),
                                    static_cast<int>(plan_.submissions[other].queue)));
                weaker.waits.erase(weaker.waits.begin() + wait);
                --weaker.submissions[s].wait_count;
                for (Submission& later : weaker.submissions)
                    if (later.first_wait > wait) --later.first_wait;
            }
    }

    template <typename Find>
    void weaken_masks(const std::string& what, const std::string& sort, Find find) {
        const auto weaken_mask = [&](Weakening kind, std::uint64_t* Masks::*mask) {
            Plan copy = plan_;
            const Masks original = find(copy);
            const std::uint64_t bits = *(original.*mask);
            for (std::uint64_t bit = 1; bit != 0 && bit <= bits; bit <<= 1) {
                if ((bits & bit) == 0) continue;
                *(original.*mask) = bits & ~bit;
                const bool same = original.dependency() == find_dependency(find);
                *(original.*mask) = bits;
                if (same) continue;
                Plan& weaker = add(kind, fmt::format("{}, without {:#x}", what, bit),
                                   fmt::format("{:#x} of {}", bit, sort));
                *(find(weaker).*mask) = bits & ~bit;
            }
        };
        weaken_mask(Weakening::source_stage, &Masks::source_stages);
        weaken_mask(Weakening::source_memory, &Masks::source_memory);
        weaken_mask(Weakening::destination_stage, &Masks::destination_stages);
        weaken_mask(Weakening::destination_memory, &Masks::destination_memory);
    }
    template <typename Find>
    Dependency find_dependency(Find find) const {
        Plan copy = plan_;
        return find(copy).dependency();
    }

    /// Onto each neighbour that is alive at the same time, or, from the lowest place, out of it.
    void move_allocations() {
        const auto& all = plan_.allocations;
        for (std::size_t r = 0; r < all.size(); ++r)
            for (std::size_t other = 0; other < all.size(); ++other) {
                const bool together = all[r].first_level <= all[other].last_level &&
                                      all[other].first_level <= all[r].last_level;
                const bool apart = object_holder(plan_, id(r)) != object_holder(plan_, id(other));
                if (r == other || !apart || !together || all[r].block == ~0u ||
                    all[r].block != all[other].block)
                    continue;
                Plan& moved = add(Weakening::moved_memory,
                                  fmt::format("'{}' moved onto '{}'", plan_.graph.name_of(id(r)),
                                              plan_.graph.name_of(id(other))),
                                  "memory");
                for (std::size_t alias = 0; alias < all.size(); ++alias)
                    if (object_holder(plan_, id(alias)) == object_holder(plan_, id(r)))
                        moved.allocations[alias].offset = all[other].offset;
            }
    }
    static ResourceId id(std::size_t i) { return ResourceId{static_cast<std::uint32_t>(i)}; }

    const Plan& plan_;
    std::vector<WeakPlan> results_;
};

} // namespace

std::vector<WeakPlan> weaken(const Plan& plan) {
    return Weakener(plan).run();
}

} // namespace tuff::oracle
