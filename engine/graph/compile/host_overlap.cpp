#include "graph/compile/stages.hpp"

#include <algorithm>
#include <cstddef>
#include <tuple>

namespace tuff {
namespace {

/// What the host does with a node's level, in the order in which these run.
enum class Turn : std::uint8_t {
    before_host, ///< the next host nodes wait for it
    host,
    beside_host, ///< runs while they work
};

/// Where a node runs: after so many host nodes in a row, on its turn, by its level so far.
struct Place {
    std::uint32_t host_nodes_before = 0; ///< on the longest path to it
    Turn turn = Turn::beside_host;
    std::uint32_t needed_after = ~0u; ///< by a host node behind so many others, that one first
    std::uint32_t level = 0;
    friend auto operator<=>(const Place&, const Place&) = default;
};

} // namespace

Order overlap_host_nodes(Order order, const Dependencies& dependencies,
                         std::span<const Queue> queues) {
    std::vector<Place> places(queues.size());
    const auto is_live = [&](NodeId node) { return order.level_of[node.index] != ~0u; };
    for (const NodeId node : order.nodes) {
        Place& place = places[node.index];
        place.level = order.level_of[node.index];
        if (queues[node.index] == Queue::host) place.turn = Turn::host;
        for (const NodeId before : dependencies.before[node.index]) {
            if (!is_live(before)) continue;
            const Place& other = places[before.index];
            place.host_nodes_before =
                std::max(place.host_nodes_before,
                         other.host_nodes_before + (other.turn == Turn::host ? 1 : 0));
        }
    }
    // What comes before a host node, and after as many others as that.
    for (auto node = order.nodes.rbegin(); node != order.nodes.rend(); ++node) {
        Place& place = places[node->index];
        if (place.turn == Turn::host) place.needed_after = place.host_nodes_before;
        for (const NodeId before : dependencies.before[node->index]) {
            if (!is_live(before)) continue;
            Place& other = places[before.index];
            other.needed_after = std::min(other.needed_after, place.needed_after);
            if (place.turn != Turn::beside_host &&
                other.host_nodes_before == place.host_nodes_before)
                other.turn = Turn::before_host;
        }
    }
    std::vector<Place> levels;
    levels.reserve(order.nodes.size());
    for (const NodeId node : order.nodes)
        levels.push_back(places[node.index]);
    std::ranges::sort(levels);
    levels.erase(std::ranges::unique(levels).begin(), levels.end());
    for (const NodeId node : order.nodes)
        order.level_of[node.index] = static_cast<std::uint32_t>(
            std::ranges::lower_bound(levels, places[node.index]) - levels.begin());
    sort_by_level(order);
    return order;
}

} // namespace tuff
