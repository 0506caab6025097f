#include "graph/compile/stages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace tuff {
namespace {

/// Names the nodes of one cycle among those that never became ready.
Diagnostic describe_cycle(const GraphDesc& graph, const Dependencies& dependencies,
                          const std::vector<std::uint32_t>& waiting, NodeId start) {
    std::vector<std::uint32_t> position(graph.nodes.size(), ~0u);
    std::vector<NodeId> path;
    NodeId node = start;
    while (position[node.index] == ~0u) {
        position[node.index] = static_cast<std::uint32_t>(path.size());
        path.push_back(node);
        for (const NodeId before : dependencies.before[node.index])
            if (waiting[before.index] != 0 && waiting[before.index] != ~0u) {
                node = before;
                break;
            }
    }
    std::string text = fmt::format("'{}'", graph.name_of(node));
    std::size_t shown = 0;
    for (std::size_t i = path.size(); i-- > position[node.index];) {
        if (++shown > 16) {
            text += " -> ...";
            break;
        }
        text += fmt::format(" -> '{}'", graph.name_of(path[i]));
    }
    return {.code = "graph/cycle",
            .message = "these nodes wait for each other: " + text,
            .hint = "a node reads contents that are overwritten in place by a node it depends on; "
                    "give the writer a copy"};
}

/// The first level in which each node of the order can be, and of those in level 0 the first at
/// which something uses them.
std::vector<std::uint32_t> find_earliest_levels(const Dependencies& dependencies, Order& order) {
    std::vector<std::uint32_t> earliest_use(order.level_of.size(), ~0u);
    for (const NodeId node : order.nodes) {
        const std::span<const NodeId> all_before = dependencies.before[node.index];
        std::uint32_t level = 0;
        std::uint32_t lowest = ~0u;
        for (const NodeId before : all_before) { // of a culled one the next level is 0
            const std::uint32_t other = order.level_of[before.index];
            level = std::max(level, other + 1);
            lowest = std::min(lowest, other);
        }
        order.level_of[node.index] = level;
        if (lowest != 0) continue;
        for (const NodeId before : all_before)
            earliest_use[before.index] = std::min(earliest_use[before.index], level);
    }
    return earliest_use;
}

/// A node with nothing before it, so in level 0, may as well run just before its first consumer,
/// which shortens the life of what it writes.
void delay_sources(std::span<const std::uint32_t> earliest_use, Order& order) {
    for (const NodeId node : order.nodes)
        if (order.level_of[node.index] == 0 && earliest_use[node.index] != ~0u)
            order.level_of[node.index] = earliest_use[node.index] - 1;
}

/// Levels of a fixed sequence: a node opens a new one when something it depends on is in the
/// current.
void split_into_levels(const Dependencies& dependencies, Order& order) {
    std::uint32_t level = 0;
    for (const NodeId node : order.nodes) {
        for (const NodeId before : dependencies.before[node.index])
            if (order.level_of[before.index] == level) {
                ++level;
                break;
            }
        order.level_of[node.index] = level;
    }
}

/// A sequence of all live nodes in which everything comes after what it depends on.
struct Sequence {
    std::vector<NodeId> nodes;
    std::vector<std::uint32_t> waiting; ///< 0; ~0u: culled; else caught in a cycle. May be empty
};

Sequence all_live(const std::vector<CullReason>& culled) {
    Sequence result;
    result.nodes.reserve(culled.size());
    for (std::uint32_t n = 0; n < culled.size(); ++n)
        if (culled[n] == CullReason::none) result.nodes.push_back({n});
    return result;
}

/// Ready nodes leave first come, first served.
Sequence any_sequence(Followers followers) {
    Sequence result{.nodes = {}, .waiting = std::move(followers.waiting)};
    result.nodes.reserve(result.waiting.size());
    for (std::uint32_t n = 0; n < result.waiting.size(); ++n)
        if (result.waiting[n] == 0) result.nodes.push_back({n});
    for (std::size_t next = 0; next < result.nodes.size(); ++next)
        for (const NodeId follower : followers.after[result.nodes[next].index])
            if (--result.waiting[follower.index] == 0) result.nodes.push_back(follower);
    return result;
}

/// Ready nodes leave in the order of declaration.
Sequence declared_sequence(Followers followers) {
    Sequence result{.nodes = {}, .waiting = std::move(followers.waiting)};
    std::priority_queue<NodeId, std::vector<NodeId>, std::greater<>> ready;
    for (std::uint32_t n = 0; n < result.waiting.size(); ++n)
        if (result.waiting[n] == 0) ready.push({n});
    while (!ready.empty()) {
        result.nodes.push_back(ready.top());
        ready.pop();
        for (const NodeId follower : followers.after[result.nodes.back().index])
            if (--result.waiting[follower.index] == 0) ready.push(follower);
    }
    return result;
}

} // namespace

Followers find_followers(const Dependencies& dependencies, const std::vector<CullReason>& culled) {
    const std::size_t count = culled.size();
    Followers result;
    result.waiting.assign(count, ~0u);
    result.after.starts.assign(count + 2, 0);
    const auto live = [&](NodeId node) { return culled[node.index] == CullReason::none; };
    for (std::uint32_t n = 0; n < count; ++n) {
        if (!live({n})) continue;
        result.waiting[n] = 0;
        for (const NodeId before : dependencies.before[n])
            if (live(before)) {
                ++result.waiting[n];
                ++result.after.starts[before.index + 2];
            }
    }
    // Counted two nodes ahead, so that filling leaves each start where it belongs.
    std::vector<std::uint32_t>& starts = result.after.starts;
    for (std::size_t n = 2; n < count + 2; ++n)
        starts[n] += starts[n - 1];
    result.after.items.resize(starts.back());
    for (std::uint32_t n = 0; n < count; ++n)
        if (live({n}))
            for (const NodeId before : dependencies.before[n])
                if (live(before)) result.after.items[starts[before.index + 1]++] = {n};
    starts.pop_back();
    return result;
}

std::vector<std::uint32_t> latest_levels(const Dependencies& dependencies, const Order& order) {
    std::vector<std::uint32_t> latest(order.level_of.size(), order.level_count - 1);
    for (std::size_t i = order.nodes.size(); i-- > 0;) {
        const NodeId node = order.nodes[i];
        for (const NodeId before : dependencies.before[node.index])
            latest[before.index] = std::min(latest[before.index], latest[node.index] - 1);
    }
    return latest;
}

void sort_by_level(Order& order) {
    order.level_count = 0;
    for (const NodeId node : order.nodes)
        order.level_count = std::max(order.level_count, order.level_of[node.index] + 1);
    const auto level_of = [&](NodeId node) { return std::pair(order.level_of[node.index], node); };
    if (std::ranges::is_sorted(order.nodes, {}, level_of)) return; // as in a chain
    std::vector<std::uint32_t> next(std::size_t{order.level_count} + 1, 0);
    for (const std::uint32_t level : order.level_of)
        if (level != ~0u) ++next[level + 1];
    for (std::size_t l = 1; l < next.size(); ++l)
        next[l] += next[l - 1];
    for (std::uint32_t n = 0; n < order.level_of.size(); ++n)
        if (order.level_of[n] != ~0u) order.nodes[next[order.level_of[n]]++] = {n};
}

Result<Order> order(const GraphDesc& graph, const Dependencies& dependencies,
                    const std::vector<CullReason>& culled, OrderMode mode) {
    Sequence sequence;
    if (dependencies.as_declared)
        sequence = all_live(culled);
    else if (mode == OrderMode::levels)
        sequence = any_sequence(find_followers(dependencies, culled));
    else
        sequence = declared_sequence(find_followers(dependencies, culled));
    for (std::uint32_t n = 0; n < sequence.waiting.size(); ++n)
        if (sequence.waiting[n] != 0 && sequence.waiting[n] != ~0u)
            return fail(describe_cycle(graph, dependencies, sequence.waiting, {n}));
    Order result{.nodes = std::move(sequence.nodes),
                 .level_of = std::vector<std::uint32_t>(graph.nodes.size(), ~0u)};
    if (mode == OrderMode::levels) {
        delay_sources(find_earliest_levels(dependencies, result), result);
        sort_by_level(result);
    } else {
        split_into_levels(dependencies, result);
        if (!result.nodes.empty())
            result.level_count = result.level_of[result.nodes.back().index] + 1;
    }
    return result;
}

} // namespace tuff
