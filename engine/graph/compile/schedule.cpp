#include "graph/compile/stages.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <queue>
#include <tuple>
#include <utility>

namespace tuff {
namespace {

/// Bytes at each level of an order.
struct LevelBytes {
    std::vector<std::uint64_t> live;
    std::vector<std::uint64_t> born;
    std::uint64_t peak = 0;
};

struct Candidate {
    Order order;
    std::uint64_t peak = 0;
};

class Scheduler {
  public:
    Scheduler(const GraphDesc& graph, const Dependencies& dependencies, const AccessIndex& index,
              const std::vector<CullReason>& culled, std::span<const std::uint64_t> bytes)
        : graph_(graph), dependencies_(dependencies), index_(index), bytes_(bytes),
          followers_(find_followers(dependencies, culled)) {}

    Order shorten_live_ranges(Order earliest);
    Order fit(Order earliest, std::uint64_t budget);

  private:
    LevelBytes bytes_of(const Order& order) const;
    Candidate measured(Order order) const {
        const std::uint64_t peak = bytes_of(order).peak;
        return {std::move(order), peak};
    }
    std::vector<std::uint32_t> frugal_sequence(const Order& order) const;
    Order list_schedule(const Order& shape, std::span<const std::uint32_t> priority,
                        std::uint32_t width) const;
    Order merge_levels(Order order, std::uint64_t budget) const;

    const GraphDesc& graph_;
    const Dependencies& dependencies_;
    const AccessIndex& index_;
    std::span<const std::uint64_t> bytes_; ///< per resource; 0 where it is not transient
    const Followers followers_;
};

LevelBytes Scheduler::bytes_of(const Order& order) const {
    const std::vector<LiveRange> live_ranges = lifetimes(graph_, order, index_);
    LevelBytes result;
    result.live.assign(std::size_t{order.level_count} + 2, 0);
    result.born.assign(std::size_t{order.level_count} + 1, 0);
    for (std::size_t r = 0; r < live_ranges.size(); ++r) {
        if (!live_ranges[r].alive() || bytes_[r] == 0) continue;
        result.born[live_ranges[r].first] += bytes_[r];
        result.live[live_ranges[r].first] += bytes_[r];
        result.live[std::size_t{live_ranges[r].last} + 1] -=
            bytes_[r]; // wraps round, and back below
    }
    for (std::size_t level = 1; level < result.live.size(); ++level)
        result.live[level] += result.live[level - 1];
    result.peak = std::ranges::max(result.live);
    return result;
}

/// The position of each node in a sequence that needs little memory: depth first from the results,
/// the branch that needs most before the others, so that only its result waits for them (Sethi and
/// Ullman, "The generation of optimal code for arithmetic expressions", 1970).
std::vector<std::uint32_t> Scheduler::frugal_sequence(const Order& order) const {
    const std::size_t count = order.level_of.size();
    std::vector<std::uint64_t> result_bytes(count, 0);
    for (std::uint32_t a = 0; a < graph_.accesses.size(); ++a)
        if (const NodeId node = index_.node_of[a]; node && graph_.accesses[a].written) {
            const VersionId read = graph_.accesses[a].read;
            result_bytes[node.index] += bytes_[graph_.versions[read.index].resource.index];
        }
    std::vector<std::uint64_t> need(count, 0);
    std::vector<NodeId> branches;
    const auto sort_branches = [&](NodeId node) {
        branches.clear();
        for (const NodeId before : dependencies_.before[node.index])
            if (order.level_of[before.index] != ~0u) branches.push_back(before);
        std::ranges::stable_sort(branches, std::greater{}, [&](NodeId branch) {
            return need[branch.index] - std::min(need[branch.index], result_bytes[branch.index]);
        });
    };
    for (const NodeId node : order.nodes) { // whatever it depends on comes first
        sort_branches(node);
        std::uint64_t held = 0;
        for (const NodeId branch : branches) {
            need[node.index] = std::max(need[node.index], held + need[branch.index]);
            held += result_bytes[branch.index];
        }
        need[node.index] = std::max(need[node.index], held + result_bytes[node.index]);
    }

    std::vector<std::uint32_t> position(count, ~0u);
    std::vector<bool> opened(count, false);
    std::vector<NodeId> pending;
    std::uint32_t next = 0;
    for (const NodeId result : order.nodes) {
        if (!followers_.after[result.index].empty()) continue;
        pending.push_back(result);
        while (!pending.empty()) {
            const NodeId node = pending.back();
            if (opened[node.index]) {
                pending.pop_back();
                if (position[node.index] == ~0u) position[node.index] = next++;
                continue;
            }
            opened[node.index] = true;
            sort_branches(node);
            for (std::size_t b = branches.size(); b-- > 0;)
                if (!opened[branches[b].index]) pending.push_back(branches[b]);
        }
    }
    return position;
}

/// Level by level takes the `width` ready nodes that come first by `priority`.
Order Scheduler::list_schedule(const Order& shape, std::span<const std::uint32_t> priority,
                               std::uint32_t width) const {
    using Ready = std::pair<std::uint32_t, NodeId>;
    std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready;
    std::vector<std::uint32_t> waiting = followers_.waiting;
    Order order{.nodes = shape.nodes, .level_of = shape.level_of};
    for (const NodeId node : shape.nodes)
        if (waiting[node.index] == 0) ready.emplace(priority[node.index], node);
    std::vector<NodeId> level_nodes;
    for (std::uint32_t level = 0; !ready.empty(); ++level) {
        level_nodes.clear();
        for (; level_nodes.size() < width && !ready.empty(); ready.pop())
            level_nodes.push_back(ready.top().second);
        for (const NodeId node : level_nodes) {
            order.level_of[node.index] = level;
            for (const NodeId follower : followers_.after[node.index])
                if (--waiting[follower.index] == 0)
                    ready.emplace(priority[follower.index], follower);
        }
    }
    sort_by_level(order);
    return order;
}

/// Joins levels that follow each other, need nothing from each other and fit the budget together.
Order Scheduler::merge_levels(Order order, std::uint64_t budget) const {
    const LevelBytes bytes = bytes_of(order);
    std::uint32_t merged = 0;   // the level that is being filled
    std::uint32_t first = 0;    // the first of those in it
    std::uint64_t live = ~0ull; // in it; the very first level opens it
    auto node = order.nodes.begin();
    std::vector<std::uint32_t> level_of = order.level_of;
    for (std::uint32_t level = 0; level < order.level_count; ++level) {
        const auto begin = node;
        while (node != order.nodes.end() && order.level_of[node->index] == level)
            ++node;
        const bool needs_it = std::any_of(begin, node, [&](NodeId n) {
            return std::ranges::any_of(dependencies_.before[n.index], [&](NodeId before) {
                return order.level_of[before.index] != ~0u && order.level_of[before.index] >= first;
            });
        });
        const bool fits = live != ~0ull && live + bytes.born[level] <= budget;
        if (needs_it || !fits) {
            if (level > 0) ++merged;
            first = level;
            live = bytes.live[level];
        } else {
            live += bytes.born[level];
        }
        for (auto n = begin; n != node; ++n)
            level_of[n->index] = merged;
    }
    order.level_of = std::move(level_of);
    sort_by_level(order);
    return order;
}

std::uint32_t widest_level(const Order& order) {
    std::vector<std::uint32_t> width(order.level_count, 0);
    for (const NodeId node : order.nodes)
        ++width[order.level_of[node.index]];
    return std::ranges::max(width);
}

/// Without more levels, the fewest nodes side by side: whoever can wait does. Taken where that
/// needs less memory.
Order Scheduler::shorten_live_ranges(Order earliest) {
    const std::vector<std::uint32_t> latest = latest_levels(dependencies_, earliest);
    const auto nodes = static_cast<std::uint32_t>(earliest.nodes.size());
    std::uint32_t enough = widest_level(earliest);
    std::uint32_t low = (nodes + earliest.level_count - 1) / earliest.level_count;
    std::optional<Order> narrowest;
    while (low < enough) {
        const std::uint32_t width = low + (enough - low) / 2;
        Order order = list_schedule(earliest, latest, width);
        if (order.level_count <= earliest.level_count) {
            enough = width;
            narrowest = std::move(order);
        } else {
            low = width + 1;
        }
    }
    if (!narrowest || bytes_of(*narrowest).peak >= bytes_of(earliest).peak) return earliest;
    return *std::move(narrowest);
}

/// Tries orders from the narrowest to the widest, and takes the one of fewest levels that fits; if
/// none does, the one that needs least.
Order Scheduler::fit(Order earliest, std::uint64_t budget) {
    Candidate best = measured(earliest);
    const auto consider = [&](Order order) {
        Candidate candidate = measured(merge_levels(std::move(order), budget));
        const auto rank = [&](const Candidate& c) {
            return c.peak <= budget ? std::tuple(0, std::uint64_t{c.order.level_count}, c.peak)
                                    : std::tuple(1, c.peak, std::uint64_t{c.order.level_count});
        };
        if (rank(candidate) < rank(best)) best = std::move(candidate);
    };
    consider(shorten_live_ranges(earliest));
    const std::vector<std::uint32_t> latest = latest_levels(dependencies_, earliest);
    const std::vector<std::uint32_t> frugal = frugal_sequence(earliest);
    const std::uint32_t widest = widest_level(earliest);
    for (std::uint32_t width = 1; width <= widest; width += 1 + width / 8) {
        consider(list_schedule(earliest, frugal, width));
        consider(list_schedule(earliest, latest, width));
    }
    // What nothing fits is asked again for as little as was found: levels may merge within that.
    if (best.peak > budget) return fit(std::move(earliest), best.peak);
    return std::move(best.order);
}

} // namespace

Order schedule(const GraphDesc& graph, const Dependencies& dependencies, const AccessIndex& index,
               const std::vector<CullReason>& culled, std::span<const std::uint64_t> bytes,
               Order earliest, std::uint64_t budget) {
    // One node a level: nothing is left to choose.
    if (earliest.nodes.size() == earliest.level_count) return earliest;
    Scheduler scheduler(graph, dependencies, index, culled, bytes);
    return budget == 0 ? scheduler.shorten_live_ranges(std::move(earliest))
                       : scheduler.fit(std::move(earliest), budget);
}

} // namespace tuff
