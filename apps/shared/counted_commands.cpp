#include "apps/shared/counted_commands.hpp"

#include <atomic>

namespace tuff::cli {
namespace {

// Vulkan's functions take no context, so what they count and call can live nowhere else.
VolkDeviceTable driver;
std::atomic<std::uint32_t> buffers;
std::atomic<std::uint32_t> commands;
std::atomic<std::uint32_t> barriers;

VKAPI_ATTR VkResult VKAPI_CALL begin(VkCommandBuffer buffer, const VkCommandBufferBeginInfo* info) {
    ++buffers;
    return driver.vkBeginCommandBuffer(buffer, info);
}

VKAPI_ATTR void VKAPI_CALL barrier(VkCommandBuffer buffer, const VkDependencyInfo* info) {
    ++commands;
    ++barriers;
    driver.vkCmdPipelineBarrier2(buffer, info);
}

template <auto member, typename... Arguments>
VKAPI_ATTR void VKAPI_CALL count(Arguments... arguments) {
    ++commands;
    (driver.*member)(arguments...);
}

/// `device` calls `count` from now on, which goes on to the driver.
template <auto member, typename... Arguments>
void divert(VolkDeviceTable& device, void (VKAPI_PTR* VolkDeviceTable::*)(Arguments...)) {
    device.*member = count<member, Arguments...>;
}
template <auto... members>
void divert_all(VolkDeviceTable& device) {
    (divert<members>(device, members), ...);
}

} // namespace

void begin_counting(VolkDeviceTable& device) {
    driver = device;
    buffers = commands = barriers = 0;
    device.vkBeginCommandBuffer = begin;
    device.vkCmdPipelineBarrier2 = barrier;
    using Table = VolkDeviceTable;
    divert_all<&Table::vkCmdBindPipeline, &Table::vkCmdBindDescriptorSets,
               &Table::vkCmdPushConstants, &Table::vkCmdDispatch, &Table::vkCmdDispatchIndirect,
               &Table::vkCmdWriteTimestamp2, &Table::vkCmdResetQueryPool,
               &Table::vkCmdClearColorImage, &Table::vkCmdFillBuffer>(device);
}

CommandCounts end_counting(VolkDeviceTable& device) {
    device = driver;
    return {buffers, commands, barriers};
}

} // namespace tuff::cli
