#include "tests/oracle/weaken.hpp"

#include "tests/oracle/scopes.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tuff::oracle {
namespace {

/// The masks of either kind of barrier.
struct Masks {
    StageMask* source_stages;
    MemoryMask* source_memory;
    StageMask* destination_stages;
    MemoryMask* destination_memory;

    /// What the masks mean. Without accesses to flush the stages count as a scope of order alone.
    Dependency dependency() const {
        Dependency meaning{*source_stages, *source_memory, *destination_stages,
                           *destination_memory};
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

class Weakener {
  public:
    explicit Weakener(const Plan& plan) : plan_(plan) {}

    std::vector<WeakPlan> run() && {
        for (std::size_t level = 0; level <= plan_.levels.size(); ++level) {
            if (level_of(plan_, level).memory != MemoryBarrier{}) weaken_memory_barrier(level);
            const Level& batch = level_of(plan_, level);
            for (std::uint32_t i = 0; i < batch.image_barrier_count; ++i)
                weaken_image_barrier(level, batch.first_image_barrier + i);
        }
        move_allocations();
        return std::move(results_);
    }

  private:
    static const Level& level_of(const Plan& plan, std::size_t level) {
        return level < plan.levels.size() ? plan.levels[level] : plan.epilogue;
    }
    static Level& level_of(Plan& plan, std::size_t level) {
        return level < plan.levels.size() ? plan.levels[level] : plan.epilogue;
    }
    Plan& add(Weakening kind, std::string text) {
        results_.push_back({kind, std::move(text), plan_});
        return results_.back().plan;
    }
    std::string reasons(std::size_t level) const {
        const Level& batch = level_of(plan_, level);
        std::string text;
        for (std::uint32_t i = 0; i < batch.reason_count; ++i)
            text += fmt::format("{}{}", i == 0 ? "" : "; ",
                                describe(plan_, plan_.reasons[batch.first_reason + i]));
        return text;
    }

    void weaken_memory_barrier(std::size_t level) {
        const std::string what =
            fmt::format("level {}, memory barrier ({})", level, reasons(level));
        level_of(add(Weakening::no_memory_barrier, what), level).memory = {};
        weaken_masks(what, [level](Plan& p) { return masks_of(level_of(p, level).memory); });
    }

    void weaken_image_barrier(std::size_t level, std::uint32_t index) {
        const ImageBarrier& barrier = plan_.image_barriers[index];
        const std::string what =
            fmt::format("level {}, barrier of '{}' from {} to {} ({})", level,
                        plan_.graph.name_of(barrier.resource), name_of(barrier.from),
                        name_of(barrier.to), describe(plan_, plan_.reasons[barrier.reason]));
        Plan& without = add(Weakening::no_image_barrier, what);
        without.image_barriers.erase(without.image_barriers.begin() + index);
        --level_of(without, level).image_barrier_count;
        for (std::size_t l = level + 1; l <= plan_.levels.size(); ++l)
            --level_of(without, l).first_image_barrier;
        const Layout other =
            barrier.to == Layout::general ? Layout::shader_read_only : Layout::general;
        add(Weakening::wrong_layout, what).image_barriers[index].to = other;
        weaken_masks(what, [index](Plan& p) { return masks_of(p.image_barriers[index]); });
    }

    template <typename Find>
    void weaken_masks(const std::string& what, Find find) {
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
                Plan& weaker = add(kind, fmt::format("{}, without {:#x}", what, bit));
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
                if (r == other || all[r].block == ~0u || all[r].block != all[other].block ||
                    !together)
                    continue;
                const auto id = [](std::size_t i) {
                    return ResourceId{static_cast<std::uint32_t>(i)};
                };
                add(Weakening::moved_memory,
                    fmt::format("'{}' moved onto '{}'", plan_.graph.name_of(id(r)),
                                plan_.graph.name_of(id(other))))
                    .allocations[r]
                    .offset = all[other].offset;
            }
    }

    const Plan& plan_;
    std::vector<WeakPlan> results_;
};

} // namespace

std::vector<WeakPlan> weaken(const Plan& plan) {
    return Weakener(plan).run();
}

} // namespace tuff::oracle
