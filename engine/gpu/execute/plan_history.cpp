// The history side of PlanResources: rotating copies and their first contents.

#include "gpu/execute/plan_enums.hpp"
#include "gpu/execute/plan_resources.hpp"
#include "gpu/memory/resource_info.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>

namespace tuff {
namespace {

/// The layout in which the plan expects age `age` before its execution. An age that no node uses
/// expects nothing: then the copy waits in the layout of the next age that is used.
Layout expected_layout(const Plan& plan, const std::vector<ResourceId>& ages, std::size_t age) {
    for (std::size_t a = age; a < ages.size(); ++a) {
        if (!ages[a]) continue;
        const Layout layout = plan.boundaries[ages[a].index].first.layout;
        if (layout != Layout::undefined) return layout;
    }
    return Layout::undefined;
}

} // namespace

Result<void> PlanResources::create_histories(const DeviceImpl& device, const Plan& plan) {
    std::map<std::uint32_t, std::uint32_t> by_group;
    for (std::uint32_t i = 0; i < slots_.size(); ++i) {
        const ResourceDesc& resource = plan.graph.resources[i];
        if (resource.lifetime != Lifetime::history) continue;
        const auto [place, fresh] = by_group.try_emplace(
            resource.history_group, static_cast<std::uint32_t>(histories_.size()));
        if (fresh) {
            histories_.emplace_back();
            histories_.back().ages.resize(resource.history_depth + 1);
        }
        slots_[i].history = place->second;
        slots_[i].age = resource.history_age;
        histories_[place->second].ages[resource.history_age] = ResourceId{i};
    }
    for (History& history : histories_) {
        if (auto ok = create_copies(device, plan, history); !ok) return ok;
        if (!history.copies.empty())
            phases_ = std::lcm(phases_, static_cast<std::uint32_t>(history.copies.size()));
    }
    // A history that no live node uses has no copies and nothing refers to it.
    for (Slot& slot : slots_)
        if (slot.history != ~0u && histories_[slot.history].copies.empty()) slot.history = ~0u;
    return {};
}

Result<void> PlanResources::create_copies(const DeviceImpl& device, const Plan& plan,
                                          History& history) {
    UsageMask usage = 0;
    ResourceId any;
    for (const ResourceId age : history.ages) {
        if (!age) continue;
        usage |= plan.usages[age.index];
        any = age;
    }
    if (usage == 0) return {};
    usage |= usage::kTransferDestination; // for the clear
    usage |= usage::kTransferSource;      // for whoever keeps it
    const ResourceDesc& desc = plan.graph.resources[any.index];
    const std::string name(plan.graph.name_of(any));
    const QueueMask shared_by = shared_[any.index];
    std::vector<Unplaced> unplaced;
    for (std::size_t i = 0; i < history.ages.size(); ++i) {
        Copy copy;
        if (desc.is_image()) {
            auto image = create_image(device, desc.image(), usage, name, shared_by);
            if (!image) return propagate(std::move(image));
            copy.image = std::move(*image);
        } else {
            auto buffer = create_buffer(device, desc.buffer(), usage, name, shared_by);
            if (!buffer) return propagate(std::move(buffer));
            copy.buffer = std::move(*buffer);
        }
        unplaced.push_back({copy.image.get(), copy.buffer.get()});
        history.copies.push_back(std::move(copy));
    }
    auto placements = place_together(device, unplaced);
    if (!placements) return propagate(std::move(placements));
    for (std::size_t i = 0; i < history.copies.size(); ++i) {
        bytes_.history += (*placements)[i].bytes;
        history.copies[i].placement = std::move((*placements)[i]);
    }
    return {};
}

void PlanResources::record_clear(const DeviceImpl& device, VkCommandBuffer commands,
                                 const Plan& plan, const History& history,
                                 std::size_t index) const {
    // Fills of buffers count as copies to some and as clears to others.
    constexpr VkPipelineStageFlags2 kClearing =
        VK_PIPELINE_STAGE_2_CLEAR_BIT | VK_PIPELINE_STAGE_2_COPY_BIT;
    constexpr Dependency kBefore{
        VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
        VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT,
        kClearing,
        VK_ACCESS_2_TRANSFER_WRITE_BIT,
    };
    constexpr Dependency kAfter{
        kClearing,
        VK_ACCESS_2_TRANSFER_WRITE_BIT,
        VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
        VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT,
    };
    const std::size_t count = history.copies.size();
    const std::size_t age = (count - index) % count; // of this copy in phase 0
    const auto known = std::ranges::find_if(history.ages, [](ResourceId id) { return bool(id); });
    const ResourceDesc& resource = plan.graph.resources[known->index];
    const Copy& copy = history.copies[index];
    if (!resource.is_image()) {
        record_memory_barrier(device, commands, kBefore);
        const VkClearColorValue value = color_value(resource.history_clear);
        device.vk.vkCmdFillBuffer(commands, copy.buffer.get(), 0, VK_WHOLE_SIZE, value.uint32[0]);
        record_memory_barrier(device, commands, kAfter);
        return;
    }
    const FormatInfo& format = info(resource.image().format);
    const VkImageSubresourceRange all = subresources(format.format, concrete(resource, {}));
    constexpr VkImageLayout kTarget = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
    record_layout_change(device, commands, copy.image.get(), all, VK_IMAGE_LAYOUT_UNDEFINED,
                         kTarget, kBefore);
    if (format.depth || format.stencil) {
        const VkClearDepthStencilValue value = depth_value(resource.history_clear);
        device.vk.vkCmdClearDepthStencilImage(commands, copy.image.get(), kTarget, &value, 1, &all);
    } else {
        const VkClearColorValue value = color_value(resource.history_clear);
        device.vk.vkCmdClearColorImage(commands, copy.image.get(), kTarget, &value, 1, &all);
    }
    const Layout layout = expected_layout(plan, history.ages, age);
    record_layout_change(device, commands, copy.image.get(), all, kTarget,
                         layout == Layout::undefined ? kTarget : to_vk(layout), kAfter);
}

HistoryCopies PlanResources::copies_of(const Plan& plan, ResourceId current,
                                       std::uint32_t phase) const {
    const History& history = histories_[slots_[current.index].history];
    const std::size_t count = history.copies.size();
    HistoryCopies copies{.resting = expected_layout(plan, history.ages, 0)};
    for (std::size_t age = 0; age < count; ++age) {
        const Copy& copy = history.copies[(phase + count - age) % count];
        copies.by_age.push_back({copy.image.get(), copy.buffer.get()});
    }
    return copies;
}

Result<void> PlanResources::clear_history(OneOff& one_off, const Plan& plan) const {
    if (histories_.empty()) return {};
    return one_off.run([&](VkCommandBuffer commands) {
        for (const History& history : histories_)
            for (std::size_t i = 0; i < history.copies.size(); ++i)
                record_clear(one_off.device(), commands, plan, history, i);
    });
}

} // namespace tuff
