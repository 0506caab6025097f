#include "gpu/execute/plan_resources.hpp"

#include "gpu/execute/kernel_nodes.hpp"
#include "gpu/memory/resource_info.hpp"

#include <tuff/timeline.hpp>

#include <fmt/format.h>

#include <functional>

namespace tuff {
namespace {

Result<void> check_fit(const VkMemoryRequirements& needs, const Allocation& allocation,
                       const MemoryBlock& block, std::string_view name) {
    const bool fits = needs.size <= allocation.size && allocation.offset % needs.alignment == 0 &&
                      allocation.offset + needs.size <= block.size;
    const bool type_fits = (needs.memoryTypeBits & block.type_bits) == block.type_bits;
    if (fits && type_fits) return {};
    return fail("gpu/plan-memory",
                fmt::format("\"{}\" takes {} bytes aligned to {} of memory types {:#x} on this "
                            "device, but the plan gives it {} bytes at {} of types {:#x}",
                            name, needs.size, needs.alignment, needs.memoryTypeBits,
                            allocation.size, allocation.offset, block.type_bits),
                "compile it with compile(graph, device), or start it with Run");
}

/// Calls `visit` with each buffer of host nodes, and the ranks whose messages alone the node has in
/// it, if any.
void for_each_host_access(const Plan& plan,
                          const std::function<void(ResourceId, Communicator*)>& visit) {
    const GraphDesc& graph = plan.graph;
    for (const NodeId id : plan.order) {
        const auto* const host = std::get_if<HostNode>(&payload_of(graph, id));
        if (!host) continue;
        std::size_t reads = 0;
        std::size_t writes = 0;
        for (std::uint32_t a = 0; a < graph.nodes[id.index].access_count; ++a) {
            const AccessDesc& access = access_of(graph, id, a);
            const ResourceId resource = resource_of(graph, access);
            if (graph.resources[resource.index].orders_only) continue;
            const std::size_t number = access.written ? writes++ : reads++;
            Communicator* ranks = nullptr;
            if (host->task)
                ranks = access.written ? host->task->receives(number) : host->task->sends(number);
            visit(resource, ranks);
        }
    }
}

/// By resource: the ranks of the messages that are all that host nodes have in it, and in what
/// shares its object.
std::vector<Communicator*> ranks_of_messages(const Plan& plan) {
    const std::size_t count = plan.graph.resources.size();
    const auto object_of = [&](std::uint32_t resource) {
        const ResourceId object = plan.allocations[resource].object;
        return object ? object.index : resource;
    };
    std::vector<Communicator*> ranks(count, nullptr); // by object
    std::vector<bool> of_others(count, false);
    for_each_host_access(plan, [&](ResourceId resource, Communicator* of_access) {
        const std::uint32_t object = object_of(resource.index);
        if (!of_access || (ranks[object] && ranks[object] != of_access)) of_others[object] = true;
        ranks[object] = of_access;
    });
    std::vector<Communicator*> result(count, nullptr);
    for (std::uint32_t i = 0; i < count; ++i)
        if (!of_others[object_of(i)]) result[i] = ranks[object_of(i)];
    return result;
}

/// Whether a block has resources that are not for messages.
bool has_others(const Plan& plan, std::uint32_t block, const std::vector<Communicator*>& ranks) {
    for (std::uint32_t i = 0; i < ranks.size(); ++i)
        if (plan.allocations[i].block == block && plan.usages[i] != 0 && !ranks[i]) return true;
    return false;
}

} // namespace

Result<PlanResources> PlanResources::create(DeviceImpl& device, const Plan& plan,
                                            Timeline* timeline) {
    PlanResources result;
    result.slots_.resize(plan.graph.resources.size());
    result.shared_ = shared_queues(plan);
    if (auto ok = result.create_transients(device, plan); !ok) return propagate(std::move(ok));
    {
        const ScopedSpan uploading(timeline, HostWork::upload);
        if (auto ok = result.create_constants(device, plan); !ok) return propagate(std::move(ok));
    }
    if (auto ok = result.create_kept(device, plan); !ok) return propagate(std::move(ok));
    if (auto ok = result.create_histories(device, plan); !ok) return propagate(std::move(ok));
    return result;
}

ResourceHandle PlanResources::at(ResourceId resource, std::uint32_t phase) const {
    const Slot& own = slots_[resource.index];
    const Slot& slot = own.object ? slots_[own.object.index] : own;
    if (slot.constant) return {slot.constant->image.get(), slot.constant->buffer.get()};
    if (slot.kept != ~0u) return {kept_[slot.kept].image.get(), kept_[slot.kept].buffer.get()};
    if (slot.history == ~0u) return {slot.image.get(), slot.buffer.get()};
    const std::vector<Copy>& copies = histories_[slot.history].copies;
    const Copy& copy = copies[(phase + copies.size() - slot.age) % copies.size()];
    return {copy.image.get(), copy.buffer.get()};
}

std::span<std::byte> PlanResources::mapped(const Plan& plan, ResourceId resource) const {
    const Allocation& place = plan.allocations[resource.index];
    const Block& block = blocks_[place.block];
    const bool lent = block.lent && ranks_[resource.index];
    return {(lent ? block.lent->bytes() : block.mapped) + place.offset,
            static_cast<std::size_t>(plan.graph.resources[resource.index].buffer().size)};
}

Result<void> PlanResources::create_block(const DeviceImpl& device, const Plan& plan,
                                         std::uint32_t index) {
    const MemoryBlock& block = plan.blocks[index];
    blocks_.emplace_back();
    if (block.host_visible) lend_block(device, plan, index);
    if (blocks_[index].lent && !has_others(plan, index, ranks_)) return {};
    constexpr VkMemoryPropertyFlags kMapped =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    // Reading uncached memory is slower than reading cached memory by orders of magnitude.
    auto memory = block.host_visible
                      ? allocate_memory(device, block.size, block.type_bits,
                                        kMapped | VK_MEMORY_PROPERTY_HOST_CACHED_BIT, kMapped)
                      : allocate_memory(device, block.size, block.type_bits,
                                        VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    if (!memory) return propagate(std::move(memory));
    blocks_[index].memory = std::move(*memory);
    bytes_.transient += block.size;
    if (!block.host_visible) return {};
    void* mapped = nullptr;
    auto ok = check(device.vk.vkMapMemory(device.handle, blocks_[index].memory.get(), 0,
                                          VK_WHOLE_SIZE, 0, &mapped),
                    "vkMapMemory");
    blocks_[index].mapped = static_cast<std::byte*>(mapped);
    return ok;
}

/// Memory that ranks lend to each other, where messages are all that is in some buffers.
void PlanResources::lend_block(const DeviceImpl& device, const Plan& plan, std::uint32_t index) {
    const MemoryBlock& block = plan.blocks[index];
    for (std::uint32_t i = 0; i < ranks_.size(); ++i) {
        if (plan.allocations[i].block != index || !ranks_[i]) continue;
        blocks_[index].lent = LentBlock::allocate(device, *ranks_[i], block.size, block.type_bits);
        break;
    }
    if (!blocks_[index].lent) return;
    if (takes_lent(device, plan, index))
        bytes_.transient += block.size;
    else
        blocks_[index].lent.reset();
}

/// Whether buffers for such memory are as the plan has them: the driver may want more room for
/// them.
bool PlanResources::takes_lent(const DeviceImpl& device, const Plan& plan,
                               std::uint32_t index) const {
    for (std::uint32_t i = 0; i < ranks_.size(); ++i) {
        if (plan.allocations[i].block != index || !ranks_[i]) continue;
        auto buffer = create_lent_buffer(device, plan.graph.resources[i].buffer(), plan.usages[i],
                                         "", shared_[i]);
        if (!buffer) return false;
        const VkMemoryRequirements needs = requirements_of(device, {.buffer = buffer->get()});
        MemoryBlock block = plan.blocks[index];
        block.type_bits = blocks_[index].lent->type_bits();
        if (!check_fit(needs, plan.allocations[i], block, "")) return false;
    }
    return true;
}

Result<void> PlanResources::create_transients(const DeviceImpl& device, const Plan& plan) {
    ranks_ = ranks_of_messages(plan);
    for (std::uint32_t i = 0; i < plan.blocks.size(); ++i)
        if (auto ok = create_block(device, plan, i); !ok) return ok;
    for (std::uint32_t i = 0; i < slots_.size(); ++i) {
        const bool used = plan.usages[i] != 0 && plan.allocations[i].block != ~0u;
        if (!used || plan.graph.resources[i].lifetime != Lifetime::transient) continue;
        const ResourceId object = plan.allocations[i].object;
        const bool own = !object || object.index == i;
        auto ok = own ? create_transient(device, plan, {i}) : share_object(plan, {i});
        if (!ok) return ok;
    }
    return {};
}

Result<void> PlanResources::share_object(const Plan& plan, ResourceId resource) {
    const ResourceId object = plan.allocations[resource.index].object;
    const bool alike =
        plan.allocations[object.index].object == object &&
        plan.graph.resources[object.index].desc == plan.graph.resources[resource.index].desc &&
        plan.usages[object.index] == plan.usages[resource.index];
    if (!alike)
        return fail("gpu/plan-memory",
                    fmt::format("\"{}\" cannot be the object of \"{}\", from which it differs",
                                plan.graph.name_of(object), plan.graph.name_of(resource)));
    slots_[resource.index].object = object;
    return {};
}

Result<void> PlanResources::create_transient(const DeviceImpl& device, const Plan& plan,
                                             ResourceId resource) {
    const ResourceDesc& desc = plan.graph.resources[resource.index];
    const UsageMask usage = plan.usages[resource.index];
    const Allocation& allocation = plan.allocations[resource.index];
    const std::string_view name = plan.graph.name_of(resource);
    const QueueMask shared_by = shared_[resource.index];
    const Block& place = blocks_[allocation.block];
    const bool lent = place.lent && ranks_[resource.index];
    const VkDeviceMemory memory = lent ? place.lent->memory() : place.memory.get();
    MemoryBlock block = plan.blocks[allocation.block];
    if (lent) block.type_bits = place.lent->type_bits();
    Slot& slot = slots_[resource.index];
    if (desc.is_image()) {
        auto image = create_image(device, desc.image(), usage, name, shared_by);
        if (!image) return propagate(std::move(image));
        slot.image = std::move(*image);
    } else {
        auto buffer = lent ? create_lent_buffer(device, desc.buffer(), usage, name, shared_by)
                           : create_buffer(device, desc.buffer(), usage, name, shared_by);
        if (!buffer) return propagate(std::move(buffer));
        slot.buffer = std::move(*buffer);
    }
    const VkMemoryRequirements needs =
        requirements_of(device, {slot.image.get(), slot.buffer.get()});
    if (auto ok = check_fit(needs, allocation, block, name); !ok) return ok;
    if (desc.is_image())
        return check(
            device.vk.vkBindImageMemory(device.handle, slot.image.get(), memory, allocation.offset),
            "vkBindImageMemory");
    return check(
        device.vk.vkBindBufferMemory(device.handle, slot.buffer.get(), memory, allocation.offset),
        "vkBindBufferMemory");
}

Result<void> PlanResources::create_constants(DeviceImpl& device, const Plan& plan) {
    std::vector<ConstantRequest> requests;
    std::vector<std::uint32_t> resources;
    for (std::uint32_t i = 0; i < slots_.size(); ++i) {
        const ResourceDesc& resource = plan.graph.resources[i];
        if (resource.lifetime != Lifetime::constant || plan.usages[i] == 0) continue;
        requests.push_back({.name = plan.graph.name_of(ResourceId{i}),
                            .resource = &resource,
                            .usage = plan.usages[i],
                            .layout = plan.boundaries[i].first.layout,
                            .shared_by = shared_[i]});
        resources.push_back(i);
    }
    auto objects = device.constants->get(device, requests);
    if (!objects) return propagate(std::move(objects));
    for (std::size_t i = 0; i < resources.size(); ++i) {
        bytes_.constant += (*objects)[i]->placement.bytes;
        slots_[resources[i]].constant = std::move((*objects)[i]);
    }
    return {};
}

Result<void> PlanResources::create_kept(const DeviceImpl& device, const Plan& plan) {
    std::vector<Unplaced> unplaced;
    for (const KeptResult& kept : plan.kept) {
        const ResourceDesc& desc = plan.graph.resources[kept.resource.index];
        const std::string_view name = plan.graph.name_of(kept.resource);
        const QueueMask shared_by = shared_[kept.resource.index];
        Copy copy;
        if (desc.is_image()) {
            auto image = create_image(device, desc.image(), kept.usage, name, shared_by);
            if (!image) return propagate(std::move(image));
            copy.image = std::move(*image);
        } else {
            auto buffer = create_buffer(device, desc.buffer(), kept.usage, name, shared_by);
            if (!buffer) return propagate(std::move(buffer));
            copy.buffer = std::move(*buffer);
        }
        unplaced.push_back({copy.image.get(), copy.buffer.get()});
        slots_[kept.resource.index].kept = static_cast<std::uint32_t>(kept_.size());
        kept_.push_back(std::move(copy));
    }
    auto placements = place_together(device, unplaced);
    if (!placements) return propagate(std::move(placements));
    for (std::size_t i = 0; i < kept_.size(); ++i) {
        bytes_.kept += (*placements)[i].bytes;
        kept_[i].placement = std::move((*placements)[i]);
    }
    return {};
}

} // namespace tuff
