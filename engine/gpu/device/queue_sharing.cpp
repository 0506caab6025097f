#include "gpu/device/queue_sharing.hpp"

#include "gpu/execute/kernel_nodes.hpp"

#include <algorithm>
#include <bit>

namespace tuff {
namespace {

/// The queues whose nodes use each resource.
std::vector<QueueMask> queues_that_use(const Plan& plan) {
    std::vector<QueueMask> users(plan.graph.resources.size(), 0);
    for (const Level& level : plan.levels)
        for (std::uint32_t i = 0; i < level.node_count && level.queue != Queue::host; ++i) {
            const NodeId node = plan.order[level.first_node + i];
            const NodeDesc& desc = plan.graph.nodes[node.index];
            for (std::uint32_t a = 0; a < desc.access_count; ++a)
                users[resource_of(plan.graph, access_of(plan.graph, node, a)).index] |=
                    mask_of(level.queue);
        }
    // The executor itself fills constants and histories, and reads outputs, on the graphics queue.
    for (std::size_t i = 0; i < users.size(); ++i)
        if (plan.graph.resources[i].lifetime != Lifetime::transient)
            users[i] |= mask_of(Queue::graphics);
    // So does the setup fill what is kept.
    for (const KeptResult& kept : plan.kept)
        users[kept.resource.index] |= mask_of(Queue::graphics);
    for (const OutputDesc& output : plan.graph.outputs)
        users[plan.graph.versions[output.version.index].resource.index] |= mask_of(Queue::graphics);
    return users;
}

/// Whether the plan transfers no ownership of the resource: images only ever change hands where it
/// says so, and constants, which are never written again, not at all.
bool is_shared(const Plan& plan, std::size_t resource) {
    const ResourceDesc& desc = plan.graph.resources[resource];
    return !desc.is_image() || desc.lifetime == Lifetime::constant ||
           plan.sharing[resource] == Sharing::concurrent;
}

} // namespace

QueueMask queues_of(const Plan& plan) {
    QueueMask queues = mask_of(Queue::graphics);
    for (const Submission& submission : plan.submissions)
        if (submission.queue != Queue::host) queues |= mask_of(submission.queue);
    return queues;
}

std::vector<QueueMask> shared_queues(const Plan& plan) {
    const std::size_t count = plan.graph.resources.size();
    if (std::has_single_bit(queues_of(plan))) return std::vector<QueueMask>(count, 0);
    std::vector<QueueMask> shared = queues_that_use(plan);
    for (std::size_t i = 0; i < count; ++i)
        if (!is_shared(plan, i)) shared[i] = 0;
    std::vector<QueueMask> of_group(count, 0); // by object, and by history group
    const auto group_of = [&](std::size_t i) -> std::size_t {
        const ResourceDesc& resource = plan.graph.resources[i];
        if (resource.lifetime == Lifetime::history) {
            const auto first = std::ranges::find_if(plan.graph.resources, [&](const auto& other) {
                return other.lifetime == Lifetime::history &&
                       other.history_group == resource.history_group;
            });
            return static_cast<std::size_t>(first - plan.graph.resources.begin());
        }
        const ResourceId object = plan.allocations[i].object;
        return object ? object.index : i;
    };
    for (std::size_t i = 0; i < count; ++i)
        of_group[group_of(i)] |= shared[i];
    for (std::size_t i = 0; i < count; ++i)
        shared[i] = of_group[group_of(i)];
    return shared;
}

SharingFamilies::SharingFamilies(const DeviceImpl& device, QueueMask queues) {
    for (const Queue queue : {Queue::graphics, Queue::compute, Queue::transfer}) {
        if ((queues & mask_of(queue)) == 0) continue;
        const std::uint32_t family = device.queue(queue)->family;
        const auto end = families_.begin() + count_;
        if (std::find(families_.begin(), end, family) == end) families_[count_++] = family;
    }
}

} // namespace tuff
