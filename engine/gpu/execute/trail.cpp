#include "gpu/execute/trail.hpp"

#include "gpu/device/one_off.hpp"
#include "graph/explain/describe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <vector>

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

void fill_mark(const DeviceImpl& device, VkCommandBuffer commands, VkBuffer marks,
               std::uint64_t offset, std::uint32_t position) {
    device.vk.vkCmdFillBuffer(commands, marks, offset, sizeof(std::uint32_t), position + 1);
    record_memory_barrier(device, commands,
                          {VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT,
                           VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_2_HOST_BIT,
                           VK_ACCESS_2_TRANSFER_WRITE_BIT | VK_ACCESS_2_HOST_READ_BIT});
}

void write_marker(const DeviceImpl& device, VkCommandBuffer commands, VkBuffer marks, Queue queue,
                  std::uint32_t position, bool ended) {
    device.vk.vkCmdWriteBufferMarkerAMD(
        commands, ended ? VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT : VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
        marks, offset_of(queue, ended), position + 1);
}

/// The queue of each position of Plan::order.
std::vector<Queue> queues_by_position(const Plan& plan) {
    std::vector<Queue> queues(plan.order.size(), Queue::graphics);
    for (const Level& level : plan.levels)
        for (std::uint32_t i = 0; i < level.node_count; ++i)
            queues[level.first_node + i] = plan.submissions[level.submission].queue;
    return queues;
}

/// Those of a queue, of each stage the last one that it has passed.
std::vector<VkCheckpointDataNV> checkpoints_of(const DeviceImpl& device, DeviceQueue& queue) {
    const std::lock_guard lock(queue.mutex);
    std::uint32_t count = 0;
    device.vk.vkGetQueueCheckpointDataNV(queue.handle, &count, nullptr);
    VkCheckpointDataNV empty{};
    empty.sType = VK_STRUCTURE_TYPE_CHECKPOINT_DATA_NV;
    std::vector<VkCheckpointDataNV> found(count, empty);
    device.vk.vkGetQueueCheckpointDataNV(queue.handle, &count, found.data());
    found.resize(count);
    return found;
}

/// Positions, counted from 1 as in marks.
struct Passed {
    std::uint32_t begun = 0;
    std::uint32_t ended = 0;

    /// A mark that has come to the end of the device's pipeline had all before it end, too.
    void count(std::uint32_t position, bool is_end, bool at_bottom, std::span<const Queue> queues) {
        begun = std::max(begun, position + 1);
        if (!at_bottom) return;
        std::uint32_t last = position + 1;
        if (!is_end) // the one before it on its queue
            do
                --last;
            while (last > 0 && queues[last - 1] != queues[position]);
        ended = std::max(ended, last);
    }
};

} // namespace

MarkWriter Trail::writer(const DeviceImpl& device, bool asked) {
    if (asked) return MarkWriter::fills;
    if (device.has_buffer_markers) return MarkWriter::markers;
    return device.has_checkpoints ? MarkWriter::checkpoints : MarkWriter::none;
}

void Trail::begin(const DeviceImpl& device, VkCommandBuffer commands, const MarkPlace& place,
                  Queue queue, std::uint32_t position) {
    switch (place.writer) {
    case MarkWriter::none: break;
    case MarkWriter::fills:
        fill_mark(device, commands, place.buffer, offset_of(queue, false), position);
        break;
    case MarkWriter::markers:
        write_marker(device, commands, place.buffer, queue, position, false);
        break;
    case MarkWriter::checkpoints:
        device.vk.vkCmdSetCheckpointNV(commands, place.checkpoints + 2 * std::size_t{position});
        break;
    }
}

void Trail::end(const DeviceImpl& device, VkCommandBuffer commands, const MarkPlace& place,
                Queue queue, std::uint32_t position) {
    switch (place.writer) {
    case MarkWriter::none: break;
    case MarkWriter::fills:
        record_memory_barrier(device, commands,
                              {VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, VK_ACCESS_2_NONE,
                               VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, VK_ACCESS_2_NONE});
        fill_mark(device, commands, place.buffer, offset_of(queue, true), position);
        break;
    case MarkWriter::markers:
        write_marker(device, commands, place.buffer, queue, position, true);
        break;
    case MarkWriter::checkpoints:
        device.vk.vkCmdSetCheckpointNV(commands, place.checkpoints + 2 * std::size_t{position} + 1);
        break;
    }
}

Trail::Marks Trail::read_checkpoints(const DeviceImpl& device, const Plan& plan,
                                     const std::byte* first) {
    const std::vector<Queue> queues = queues_by_position(plan);
    const std::byte* const last = first + 2 * queues.size();
    std::array<Passed, kQueueCount> passed{};
    for (std::size_t i = 0; i < kQueueCount; ++i) {
        DeviceQueue* const queue = device.queue(static_cast<Queue>(i));
        if (!queue) continue;
        for (const VkCheckpointDataNV& data : checkpoints_of(device, *queue)) {
            const auto* const mark = static_cast<const std::byte*>(data.pCheckpointMarker);
            // Others are of other executions, or of other executors.
            if (std::less<>()(mark, first) || !std::less<>()(mark, last)) continue;
            const auto index = static_cast<std::uint32_t>(mark - first);
            passed[static_cast<std::size_t>(queues[index / 2])].count(
                index / 2, index % 2 == 1, data.stage == VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT,
                queues);
        }
    }
    Marks marks{};
    for (std::size_t i = 0; i < kQueueCount; ++i) {
        const auto queue = static_cast<Queue>(i);
        std::memcpy(marks.data() + offset_of(queue, false), &passed[i].begun, 4);
        std::memcpy(marks.data() + offset_of(queue, true), &passed[i].ended, 4);
    }
    return marks;
}

std::string Trail::text(const Plan& plan, std::span<const std::byte> marks) {
    std::array<bool, kQueueCount> used{};
    for (const Submission& submission : plan.submissions)
        used[static_cast<std::size_t>(submission.queue)] = submission.queue != Queue::host;
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
