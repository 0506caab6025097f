#include "graph/stages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <queue>

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

/// A node with nothing before it may as well run just before its first consumer, which shortens the
/// life of what it writes.
void delay_sources(const Dependencies& dependencies, Order& order) {
    std::vector<std::uint32_t> earliest_use(order.level_of.size(), ~0u);
    for (const NodeId node : order.nodes)
        for (const NodeId before : dependencies.before[node.index])
            earliest_use[before.index] =
                std::min(earliest_use[before.index], order.level_of[node.index]);
    for (const NodeId node : order.nodes) {
        const bool source =
            std::ranges::none_of(dependencies.before[node.index], [&](NodeId before) {
                return order.level_of[before.index] != ~0u;
            });
        if (source && earliest_use[node.index] != ~0u)
            order.level_of[node.index] = earliest_use[node.index] - 1;
    }
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

} // namespace

Result<Order> order(const GraphDesc& graph, const Dependencies& dependencies,
                    const std::vector<CullReason>& culled, OrderMode mode) {
    const std::size_t count = graph.nodes.size();
    std::vector<std::uint32_t> waiting(count, ~0u); // unfinished nodes before it; ~0u: culled
    Grouped<NodeId> after;
    after.starts.assign(count + 1, 0);
    const auto live = [&](NodeId node) { return culled[node.index] == CullReason::none; };
    for (std::uint32_t n = 0; n < count; ++n) {
        if (!live({n})) continue;
        waiting[n] = 0;
        for (const NodeId before : dependencies.before[n])
            if (live(before)) {
                ++waiting[n];
                ++after.starts[before.index + 1];
            }
    }
    for (std::size_t n = 0; n < count; ++n)
        after.starts[n + 1] += after.starts[n];
    after.items.resize(after.starts.back());
    std::vector<std::uint32_t> next(after.starts.begin(), after.starts.end() - 1);
    for (std::uint32_t n = 0; n < count; ++n)
        if (live({n}))
            for (const NodeId before : dependencies.before[n])
                if (live(before)) after.items[next[before.index]++] = {n};

    // Ready nodes leave by level, then in the order of declaration; `declared` looks at the latter
    // alone.
    struct Ready {
        std::uint32_t level;
        NodeId node;
        auto operator<=>(const Ready&) const = default;
    };
    std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready;
    Order result{.level_of = std::vector<std::uint32_t>(count, ~0u)};
    std::vector<std::uint32_t> level(count, 0);
    const auto push = [&](NodeId node) {
        ready.push({mode == OrderMode::levels ? level[node.index] : 0, node});
    };
    for (std::uint32_t n = 0; n < count; ++n)
        if (waiting[n] == 0) push({n});
    while (!ready.empty()) {
        const NodeId node = ready.top().node;
        ready.pop();
        result.nodes.push_back(node);
        result.level_of[node.index] = level[node.index];
        for (const NodeId follower : after[node.index]) {
            level[follower.index] = std::max(level[follower.index], level[node.index] + 1);
            if (--waiting[follower.index] == 0) push(follower);
        }
    }
    for (std::uint32_t n = 0; n < count; ++n)
        if (waiting[n] != 0 && waiting[n] != ~0u)
            return fail(describe_cycle(graph, dependencies, waiting, {n}));

    if (mode == OrderMode::levels) {
        delay_sources(dependencies, result);
        std::ranges::stable_sort(result.nodes, {}, [&](NodeId node) {
            return std::pair(result.level_of[node.index], node.index);
        });
    } else {
        split_into_levels(dependencies, result);
    }
    for (const NodeId node : result.nodes)
        result.level_count = std::max(result.level_count, result.level_of[node.index] + 1);
    return result;
}

} // namespace tuff
