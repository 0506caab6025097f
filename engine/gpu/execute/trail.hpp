#pragma once

#include "gpu/device/device_impl.hpp"

#include <tuff/plan.hpp>

#include <cstddef>
#include <span>
#include <string>

namespace tuff {

/// Marks that nodes leave in memory of the host's as they begin and end, so that a lost device tells
/// how far each queue got. A node waits for the marks of the one before it: nothing overlaps.
class Trail {
  public:
    /// Of an execution's marks, all 0 before it.
    static constexpr std::uint64_t kBytes = 2 * sizeof(std::uint32_t) * kQueueCount;

    /// To be recorded before and after a node that stands at `position` of Plan::order.
    static void begin(const DeviceImpl& device, VkCommandBuffer commands, VkBuffer marks,
                      Queue queue, std::uint32_t position);
    static void end(const DeviceImpl& device, VkCommandBuffer commands, VkBuffer marks, Queue queue,
                    std::uint32_t position);

    /// For each queue that has work: which node ended last, and which one began after it.
    static std::string text(const Plan& plan, std::span<const std::byte> marks);
};

} // namespace tuff
