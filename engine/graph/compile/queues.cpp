#include "graph/compile/ranges.hpp"
#include "graph/compile/stages.hpp"
#include "graph/compile/sync/queue_waits.hpp"

#include <algorithm>

namespace tuff {
namespace {

bool has(const DeviceCaps& caps, Queue queue) {
    switch (queue) {
    case Queue::graphics: return true;
    case Queue::compute: return caps.async_compute;
    case Queue::transfer: return caps.transfer_queue;
    case Queue::host: return true;
    }
    return false;
}

Queue wanted(QueueHint hint) {
    switch (hint) {
    case QueueHint::compute: return Queue::compute;
    case QueueHint::transfer: return Queue::transfer;
    case QueueHint::automatic:
    case QueueHint::graphics: break;
    }
    return Queue::graphics;
}

/// What the node does, and to what, is possible on `queue`.
bool can_run_on(Queue queue, const GraphDesc& graph, const NodeDesc& node) {
    if (node.payload != ~0u && std::holds_alternative<RasterNode>(graph.payloads[node.payload]))
        return false;
    const StageBits possible = stages_on(queue);
    for (std::uint32_t a = 0; a < node.access_count; ++a) {
        const AccessDesc& access = graph.accesses[node.first_access + a];
        const ResourceDesc& resource = graph.resource_of(access.read);
        if (resource.lifetime == Lifetime::imported) return false;
        const bool is_image = resource.is_image();
        const Scope scope = scope_of(access.access, access.shader_stages, is_image);
        if ((narrow_stages(scope.stages) & ~possible) != 0) return false;
        // Copies of depth need the graphics queue, and so does clearing it.
        const bool moves = access.access == Access::copy_read ||
                           access.access == Access::copy_write ||
                           access.access == Access::clear_write;
        if (moves && is_image && info(resource.image().format).depth) return false;
        // Parts of images may not be copied to the texel there.
        if (queue == Queue::transfer && is_image && access.range != whole(resource)) return false;
    }
    return true;
}

/// A dispatch or a copy: what is worth a queue of its own without being told.
bool is_work(const GraphDesc& graph, const NodeDesc& node) {
    if (node.payload == ~0u) return false;
    const NodePayload& payload = graph.payloads[node.payload];
    return std::holds_alternative<ComputeNode>(payload) ||
           std::holds_alternative<CopyNode>(payload);
}

bool is_host_node(const GraphDesc& graph, NodeId node) {
    const std::uint32_t payload = graph.nodes[node.index].payload;
    return payload != ~0u && std::holds_alternative<HostNode>(graph.payloads[payload]);
}

/// The queue of each node with work of the host; empty: there is none.
std::vector<Queue> assign_host_nodes(const GraphDesc& graph, const Order& order) {
    std::vector<Queue> queues;
    for (const NodeId node : order.nodes) {
        if (!is_host_node(graph, node)) continue;
        queues.resize(graph.nodes.size(), Queue::graphics);
        queues[node.index] = Queue::host;
    }
    return queues;
}

} // namespace

std::vector<Queue> assign_queues(const GraphDesc& graph, const Dependencies& dependencies,
                                 const Order& order, const DeviceCaps& caps, QueueMode mode) {
    const bool several = caps.async_compute || caps.transfer_queue;
    std::vector<Queue> queues = assign_host_nodes(graph, order);
    if (mode == QueueMode::one || !several || order.nodes.empty()) return queues;
    constexpr std::uint32_t kWorthASemaphore = 2; // levels
    const auto move = [&](NodeId node, Queue queue) {
        if (!has(caps, queue) || !can_run_on(queue, graph, graph.nodes[node.index])) return;
        queues.resize(graph.nodes.size(), Queue::graphics);
        queues[node.index] = queue;
    };
    std::vector<std::uint32_t> latest;
    if (mode == QueueMode::automatic) latest = latest_levels(dependencies, order);
    for (const NodeId node : order.nodes) {
        const NodeDesc& desc = graph.nodes[node.index];
        if (is_host_node(graph, node)) continue;
        if (desc.queue != QueueHint::automatic) {
            if (const Queue queue = wanted(desc.queue); queue != Queue::graphics) move(node, queue);
        } else if (mode == QueueMode::automatic && is_work(graph, desc) &&
                   latest[node.index] - order.level_of[node.index] >= kWorthASemaphore) {
            move(node, Queue::compute);
        }
    }
    return queues;
}

Order split_by_queue(Order order, std::span<const Queue> queues) {
    Order result{.nodes = {}, .level_of = order.level_of};
    result.nodes.reserve(order.nodes.size());
    constexpr std::array kMainLast = {Queue::host, Queue::transfer, Queue::compute,
                                      Queue::graphics};
    for (auto begin = order.nodes.begin(); begin != order.nodes.end();) {
        const std::uint32_t level = order.level_of[begin->index];
        const auto end = std::find_if(begin, order.nodes.end(), [&](NodeId node) {
            return order.level_of[node.index] != level;
        });
        for (const Queue queue : kMainLast) {
            const std::size_t before = result.nodes.size();
            for (auto node = begin; node != end; ++node)
                if (queues[node->index] == queue) {
                    result.level_of[node->index] = result.level_count;
                    result.nodes.push_back(*node);
                }
            if (result.nodes.size() == before) continue;
            ++result.level_count;
            result.queues.push_back(queue);
        }
        begin = end;
    }
    return result;
}

std::vector<Sharing> find_sharing(const GraphDesc& graph, const Order& order,
                                  const AccessIndex& index) {
    std::vector<Sharing> sharing(graph.resources.size(), Sharing::exclusive);
    if (order.queues.empty()) return sharing;
    // The host is of no queue family.
    const auto bit_of = [&](std::uint32_t access) {
        const std::uint32_t level = order.level_of[index.node_of[access].index];
        const Queue queue = order.queue_of(level);
        return queue == Queue::host ? 0u : 1u << static_cast<std::uint32_t>(queue);
    };
    for (std::uint32_t r = 0; r < graph.resources.size(); ++r) {
        const ResourceDesc& resource = graph.resources[r];
        std::uint32_t all = 0;
        bool at_once = !resource.is_image() || resource.lifetime != Lifetime::transient ||
                       index.segments.count({r}) > 1;
        for (const VersionId version : index.chains[r]) {
            std::uint32_t readers = 0;
            std::uint32_t writers = 0;
            for (const std::uint32_t a : index.readers[version.index])
                readers |= bit_of(a);
            for (const std::uint32_t a : index.writers[version.index])
                writers |= bit_of(a);
            // Outputs are handed over on the graphics queue.
            if (!index.outputs[version.index].empty()) readers |= 1u;
            if (resource.lifetime != Lifetime::transient) all |= 1u;
            at_once = at_once || std::popcount(readers) > 1 || std::popcount(writers) > 1;
            all |= readers | writers;
        }
        if (std::popcount(all) > 1 && at_once) sharing[r] = Sharing::concurrent;
    }
    // The copies of a history rotate, so what goes for one goes for all.
    const auto is_history = [&](std::size_t r) {
        return graph.resources[r].lifetime == Lifetime::history;
    };
    std::vector<bool> shared(graph.resources.size(), false); // per history group
    for (std::size_t r = 0; r < sharing.size(); ++r)
        if (is_history(r) && sharing[r] == Sharing::concurrent)
            shared[graph.resources[r].history_group] = true;
    for (std::size_t r = 0; r < sharing.size(); ++r)
        if (is_history(r) && shared[graph.resources[r].history_group])
            sharing[r] = Sharing::concurrent;
    return sharing;
}

void widen_live_ranges(std::vector<LiveRange>& live_ranges, const GraphDesc& graph,
                       const Dependencies& dependencies, const Order& order,
                       const AccessIndex& index) {
    // Per node of another queue: the levels that may run at the same time.
    std::vector<LiveRange> span(graph.nodes.size());
    const auto elsewhere = [&](NodeId node) {
        return order.queue_of(order.level_of[node.index]) != Queue::graphics;
    };
    for (const NodeId node : order.nodes) {
        if (!elsewhere(node)) continue;
        span[node.index] = {0, order.level_count};
        for (const NodeId before : dependencies.before[node.index])
            if (order.level_of[before.index] != ~0u)
                span[node.index].first =
                    std::max(span[node.index].first, order.level_of[before.index] + 1);
    }
    for (std::size_t i = order.nodes.size(); i-- > 0;) {
        const NodeId node = order.nodes[i];
        for (const NodeId before : dependencies.before[node.index])
            if (order.level_of[before.index] != ~0u && elsewhere(before))
                span[before.index].last =
                    std::min(span[before.index].last, order.level_of[node.index] - 1);
    }
    for (std::uint32_t a = 0; a < graph.accesses.size(); ++a) {
        const NodeId node = index.node_of[a];
        if (!node || order.level_of[node.index] == ~0u || !elsewhere(node)) continue;
        LiveRange& life = live_ranges[graph.versions[graph.accesses[a].read.index].resource.index];
        life.first = std::min(life.first, span[node.index].first);
        life.last = std::max(life.last, span[node.index].last);
    }
}

} // namespace tuff
