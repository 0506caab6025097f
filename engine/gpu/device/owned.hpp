#pragma once

#include "gpu/device/device_impl.hpp"

#include <utility>

namespace tuff {

/// Owns one Vulkan object of a device; `kDestroy` is the member of VolkDeviceTable that ends it.
template <typename Handle, auto kDestroy>
class Owned {
  public:
    Owned() = default;
    Owned(const DeviceImpl& device, Handle handle) : device_(&device), handle_(handle) {}
    Owned(Owned&& other) noexcept
        : device_(other.device_), handle_(std::exchange(other.handle_, Handle{VK_NULL_HANDLE})) {}
    Owned& operator=(Owned&& other) noexcept {
        std::swap(device_, other.device_);
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~Owned() {
        if (handle_ != VK_NULL_HANDLE)
            (device_->vk.*kDestroy)(device_->handle, handle_, device_->allocator);
    }

    Handle get() const { return handle_; }
    explicit operator bool() const { return handle_ != VK_NULL_HANDLE; }

  private:
    const DeviceImpl* device_ = nullptr;
    Handle handle_ = VK_NULL_HANDLE;
};

using OwnedMemory = Owned<VkDeviceMemory, &VolkDeviceTable::vkFreeMemory>;
using OwnedBuffer = Owned<VkBuffer, &VolkDeviceTable::vkDestroyBuffer>;
using OwnedImage = Owned<VkImage, &VolkDeviceTable::vkDestroyImage>;
using OwnedImageView = Owned<VkImageView, &VolkDeviceTable::vkDestroyImageView>;
using OwnedSampler = Owned<VkSampler, &VolkDeviceTable::vkDestroySampler>;
using OwnedSetLayout = Owned<VkDescriptorSetLayout, &VolkDeviceTable::vkDestroyDescriptorSetLayout>;
using OwnedDescriptorPool = Owned<VkDescriptorPool, &VolkDeviceTable::vkDestroyDescriptorPool>;
using OwnedPipelineLayout = Owned<VkPipelineLayout, &VolkDeviceTable::vkDestroyPipelineLayout>;
using OwnedPipeline = Owned<VkPipeline, &VolkDeviceTable::vkDestroyPipeline>;
using OwnedShaderModule = Owned<VkShaderModule, &VolkDeviceTable::vkDestroyShaderModule>;
using OwnedCommandPool = Owned<VkCommandPool, &VolkDeviceTable::vkDestroyCommandPool>;
using OwnedSemaphore = Owned<VkSemaphore, &VolkDeviceTable::vkDestroySemaphore>;
using OwnedEvent = Owned<VkEvent, &VolkDeviceTable::vkDestroyEvent>;
using OwnedFence = Owned<VkFence, &VolkDeviceTable::vkDestroyFence>;
using OwnedQueryPool = Owned<VkQueryPool, &VolkDeviceTable::vkDestroyQueryPool>;
using OwnedAcceleration =
    Owned<VkAccelerationStructureKHR, &VolkDeviceTable::vkDestroyAccelerationStructureKHR>;

} // namespace tuff
