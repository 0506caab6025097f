#include "command_log.hpp"

#include <fmt/format.h>

#include <map>
#include <mutex>

namespace tuff::testing_gpu {
namespace {

// Vulkan's functions take no context, so what they write down and call can live nowhere else.
struct Log {
    std::mutex mutex;
    VolkDeviceTable driver;
    std::map<VkCommandBuffer, std::vector<std::string>> recorded;
    std::vector<std::string> submitted;
    std::size_t command_buffers = 0;

    void add(VkCommandBuffer commands, std::string text) {
        const std::lock_guard lock(mutex);
        recorded[commands].push_back(std::move(text));
    }
};
Log log;

VKAPI_ATTR VkResult VKAPI_CALL begin(VkCommandBuffer commands,
                                     const VkCommandBufferBeginInfo* info) {
    {
        const std::lock_guard lock(log.mutex);
        log.recorded[commands].clear();
    }
    return log.driver.vkBeginCommandBuffer(commands, info);
}

VKAPI_ATTR VkResult VKAPI_CALL submit(VkQueue queue, std::uint32_t count,
                                      const VkSubmitInfo2* infos, VkFence fence) {
    {
        const std::lock_guard lock(log.mutex);
        for (std::uint32_t i = 0; i < count; ++i) {
            log.command_buffers += infos[i].commandBufferInfoCount;
            for (std::uint32_t k = 0; k < infos[i].commandBufferInfoCount; ++k)
                for (const std::string& line :
                     log.recorded[infos[i].pCommandBufferInfos[k].commandBuffer])
                    log.submitted.push_back(line);
        }
    }
    return log.driver.vkQueueSubmit2(queue, count, infos, fence);
}

VKAPI_ATTR void VKAPI_CALL barrier(VkCommandBuffer commands, const VkDependencyInfo* info) {
    std::string text = "barrier";
    for (std::uint32_t i = 0; i < info->memoryBarrierCount; ++i) {
        const VkMemoryBarrier2& b = info->pMemoryBarriers[i];
        text += fmt::format(" {:x}.{:x}>{:x}.{:x}", b.srcStageMask, b.srcAccessMask, b.dstStageMask,
                            b.dstAccessMask);
    }
    for (std::uint32_t i = 0; i < info->imageMemoryBarrierCount; ++i) {
        const VkImageMemoryBarrier2& b = info->pImageMemoryBarriers[i];
        text += fmt::format(" {:x}.{:x}>{:x}.{:x} {}>{}", b.srcStageMask, b.srcAccessMask,
                            b.dstStageMask, b.dstAccessMask, static_cast<int>(b.oldLayout),
                            static_cast<int>(b.newLayout));
    }
    log.add(commands, std::move(text));
    log.driver.vkCmdPipelineBarrier2(commands, info);
}

VKAPI_ATTR void VKAPI_CALL timestamp(VkCommandBuffer commands, VkPipelineStageFlags2 stage,
                                     VkQueryPool pool, std::uint32_t query) {
    log.add(commands, fmt::format("timestamp {}", query));
    log.driver.vkCmdWriteTimestamp2(commands, stage, pool, query);
}

VKAPI_ATTR void VKAPI_CALL reset(VkCommandBuffer commands, VkQueryPool pool, std::uint32_t first,
                                 std::uint32_t count) {
    log.add(commands, fmt::format("reset {} {}", first, count));
    log.driver.vkCmdResetQueryPool(commands, pool, first, count);
}

VKAPI_ATTR void VKAPI_CALL push(VkCommandBuffer commands, VkPipelineLayout layout,
                                VkShaderStageFlags stages, std::uint32_t offset, std::uint32_t size,
                                const void* values) {
    std::string text = "push";
    for (std::uint32_t i = 0; i < size; ++i)
        text += fmt::format(" {:02x}", static_cast<const unsigned char*>(values)[i]);
    log.add(commands, std::move(text));
    log.driver.vkCmdPushConstants(commands, layout, stages, offset, size, values);
}

VKAPI_ATTR void VKAPI_CALL dispatch(VkCommandBuffer commands, std::uint32_t x, std::uint32_t y,
                                    std::uint32_t z) {
    log.add(commands, fmt::format("dispatch {} {} {}", x, y, z));
    log.driver.vkCmdDispatch(commands, x, y, z);
}

VKAPI_ATTR void VKAPI_CALL copy(VkCommandBuffer commands, VkBuffer source, VkBuffer destination,
                                std::uint32_t count, const VkBufferCopy* regions) {
    log.add(commands, fmt::format("copy {} {} {}", regions[0].srcOffset, regions[0].dstOffset,
                                  regions[0].size));
    log.driver.vkCmdCopyBuffer(commands, source, destination, count, regions);
}

VKAPI_ATTR void VKAPI_CALL fill(VkCommandBuffer commands, VkBuffer buffer, VkDeviceSize offset,
                                VkDeviceSize size, std::uint32_t word) {
    log.add(commands, fmt::format("fill {} {} {}", offset, size, word));
    log.driver.vkCmdFillBuffer(commands, buffer, offset, size, word);
}

VKAPI_ATTR void VKAPI_CALL begin_rendering(VkCommandBuffer commands, const VkRenderingInfo* info) {
    log.add(commands, fmt::format("rendering {}x{} {}", info->renderArea.extent.width,
                                  info->renderArea.extent.height, info->colorAttachmentCount));
    log.driver.vkCmdBeginRendering(commands, info);
}

VKAPI_ATTR void VKAPI_CALL draw(VkCommandBuffer commands, std::uint32_t vertices,
                                std::uint32_t instances, std::uint32_t first,
                                std::uint32_t first_instance) {
    log.add(commands, fmt::format("draw {} {} {} {}", vertices, instances, first, first_instance));
    log.driver.vkCmdDraw(commands, vertices, instances, first, first_instance);
}

} // namespace

CommandLog::CommandLog(DeviceImpl& device) : device_(&device), original_(device.vk) {
    log.driver = device.vk;
    log.recorded.clear();
    log.submitted.clear();
    log.command_buffers = 0;
    VolkDeviceTable& vk = device.vk;
    vk.vkBeginCommandBuffer = begin;
    vk.vkQueueSubmit2 = submit;
    vk.vkCmdPipelineBarrier2 = barrier;
    vk.vkCmdWriteTimestamp2 = timestamp;
    vk.vkCmdResetQueryPool = reset;
    vk.vkCmdPushConstants = push;
    vk.vkCmdDispatch = dispatch;
    vk.vkCmdCopyBuffer = copy;
    vk.vkCmdFillBuffer = fill;
    vk.vkCmdBeginRendering = begin_rendering;
    vk.vkCmdDraw = draw;
}

CommandLog::~CommandLog() {
    device_->vk = original_;
}

std::vector<std::string> CommandLog::submitted() const {
    const std::lock_guard lock(log.mutex);
    return log.submitted;
}

std::size_t CommandLog::command_buffers() const {
    const std::lock_guard lock(log.mutex);
    return log.command_buffers;
}

} // namespace tuff::testing_gpu
