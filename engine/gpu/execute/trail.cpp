#include "gpu/execute/trail.hpp"

#include "gpu/device/one_off.hpp"
#include "graph/explain/describe.hpp"

#include <fmt/format.h>

#include <array>
#include <cstring>

namespace tuff {
namespace {

std::uint64_t offset_of(Queue queue, bool ended) {
    return sizeof(std::uint32_t) * (2 * static_cast<std::uint64_t>(queue) + (ended ? 1 : 0));
}

std::uint32_t mark_of(std::span<const std::byte> marks, Queue queue, bool ended) {
    std::uint32_t mark = 0;
    std::memcpy(&mark, marks.subspan(offset_of(queue, ended)).data(), sizeof(mark));
    return mark;
}

void leave_mark(const DeviceImpl& device, VkCommandBuffer commands, VkBuffer marks,
                std::uint64_t offset, std::uint32_t position) {
    device.vk.vkCmdFillBuffer(commands, marks, offset, sizeof(std::uint32_t), position + 1);
    record_memory_barrier(device, commands,
                          {VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT,
                           VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_2_HOST_BIT,
                           VK_ACCESS_2_TRANSFER_WRITE_BIT | VK_ACCESS_2_HOST_READ_BIT});
}

} // namespace

void Trail::begin(const DeviceImpl& device, VkCommandBuffer commands, VkBuffer marks, Queue queue,
                  std::uint32_t position) {
    leave_mark(device, commands, marks, offset_of(queue, false), position);
}

void Trail::end(const DeviceImpl& device, VkCommandBuffer commands, VkBuffer marks, Queue queue,
                std::uint32_t position) {
    record_memory_barrier(device, commands,
                          {VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, VK_ACCESS_2_NONE,
                           VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, VK_ACCESS_2_NONE});
    leave_mark(device, commands, marks, offset_of(queue, true), position);
}

std::string Trail::text(const Plan& plan, std::span<const std::byte> marks) {
    std::array<bool, kQueueCount> used{};
    for (const Submission& submission : plan.submissions)
        used[static_cast<std::size_t>(submission.queue)] = true;
    const auto name_at = [&](std::uint32_t mark) {
        return plan.graph.name_of(plan.order[mark - 1]);
    };
    std::string text;
    for (std::size_t i = 0; i < kQueueCount; ++i) {
        if (!used[i]) continue;
        const auto queue = static_cast<Queue>(i);
        const std::uint32_t begun = mark_of(marks, queue, false);
        const std::uint32_t ended = mark_of(marks, queue, true);
        if (begun > plan.order.size() || ended > plan.order.size()) continue; // no marks of ours
        if (!text.empty()) text += "; ";
        text += fmt::format("on the queue \"{}\" ", name_of(queue));
        if (begun == 0)
            text += "no node had begun";
        else if (begun == ended)
            text += fmt::format("node '{}' had ended and none begun after it", name_at(ended));
        else if (ended == 0)
            text += fmt::format("node '{}' had begun and none ended", name_at(begun));
        else
            text += fmt::format("node '{}' had begun, and '{}' ended before it", name_at(begun),
                                name_at(ended));
    }
    return text;
}

} // namespace tuff
