#pragma once

#include "gpu/device/owned.hpp"

namespace tuff {

/// Commands that run once and are waited for: uploads at creation, readbacks. Reusable, one use at
/// a time.
class OneOff {
  public:
    static Result<OneOff> create(const DeviceImpl& device);

    /// Opens the command buffer for recording.
    Result<void> begin();
    VkCommandBuffer commands() const { return commands_; }
    /// Submits what was recorded and blocks until it has finished.
    Result<void> finish();

    /// The three in one; `record` gets the command buffer.
    template <typename Record>
    Result<void> run(Record&& record) {
        if (auto ok = begin(); !ok) return ok;
        record(commands_);
        return finish();
    }

    const DeviceImpl& device() const { return *device_; }

  private:
    const DeviceImpl* device_ = nullptr;
    OwnedCommandPool pool_;
    OwnedFence fence_;
    VkCommandBuffer commands_ = VK_NULL_HANDLE;
};

/// Both sides of a dependency, for the engine's own one-off work.
struct Dependency {
    VkPipelineStageFlags2 source_stages = 0;
    VkAccessFlags2 source_memory = 0;
    VkPipelineStageFlags2 destination_stages = 0;
    VkAccessFlags2 destination_memory = 0;
};

void record_memory_barrier(const DeviceImpl& device, VkCommandBuffer commands,
                           const Dependency& dependency);
void record_layout_change(const DeviceImpl& device, VkCommandBuffer commands, VkImage image,
                          const VkImageSubresourceRange& range, VkImageLayout from,
                          VkImageLayout to, const Dependency& dependency);

} // namespace tuff
