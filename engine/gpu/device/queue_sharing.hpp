#pragma once

#include "gpu/device/device_impl.hpp"

#include <tuff/plan.hpp>

#include <array>
#include <vector>

namespace tuff {

/// Queues as bits.
using QueueMask = std::uint8_t;
constexpr QueueMask mask_of(Queue queue) {
    return static_cast<QueueMask>(1u << static_cast<unsigned>(queue));
}

/// All queues of the device that `plan` uses.
QueueMask queues_of(const Plan& plan);

/// Per resource of `plan`: the queues that share it without transfers of ownership; 0: it belongs
/// to one queue at a time. All resources of one object, or of one history, have the same.
std::vector<QueueMask> shared_queues(const Plan& plan);

/// The distinct families of some queues, as the creation of images and buffers wants them.
class SharingFamilies {
  public:
    SharingFamilies(const DeviceImpl& device, QueueMask queues);

    /// Makes `info` (VkImageCreateInfo, VkBufferCreateInfo) concurrent, where there are several
    /// families. It refers to this object then.
    template <typename Info>
    void apply_to(Info& info) const {
        if (count_ < 2) return;
        info.sharingMode = VK_SHARING_MODE_CONCURRENT;
        info.queueFamilyIndexCount = count_;
        info.pQueueFamilyIndices = families_.data();
    }

  private:
    std::array<std::uint32_t, kQueueCount> families_{};
    std::uint32_t count_ = 0;
};

} // namespace tuff
