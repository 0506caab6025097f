#pragma once

#include "gpu/device/device_facts.hpp"
#include "gpu/device/instance.hpp"
#include "gpu/device/vulkan_result.hpp"

#include <tuff/device.hpp>
#include <tuff/plan.hpp>

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace tuff {

class ConstantCache;
class KernelLayouts;
class SpecializedKernels;
class StandIns;

/// What Vulkan asks of whoever submits to a queue or waits for it: among Tuff's threads, and where
/// the queue is a host's among the host's as well.
class QueueLock {
  public:
    void lock() {
        mutex_.lock();
        if (take_) take_();
    }
    void unlock() {
        if (give_back_) give_back_();
        mutex_.unlock();
    }
    void share(std::function<void()> take, std::function<void()> give_back) {
        take_ = std::move(take);
        give_back_ = std::move(give_back);
    }

  private:
    std::mutex mutex_;
    std::function<void()> take_, give_back_; ///< the host's
};

struct DeviceQueue {
    VkQueue handle = VK_NULL_HANDLE;
    std::uint32_t family = ~0u;
    std::uint32_t timestamp_bits = 0; ///< 0: it cannot measure time
    bool kernels = true;              ///< false: copies only
    QueueLock mutex;
};

/// `handle` is of the queue family `family`.
std::unique_ptr<DeviceQueue> make_queue(VkQueue handle, std::uint32_t family,
                                        const DeviceFacts& facts);

/// What the engine itself sees of an open device. Everything here lives as long as the Device.
struct DeviceImpl {
    std::unique_ptr<Instance> instance;
    VkPhysicalDevice physical = VK_NULL_HANDLE;
    VkDevice handle = VK_NULL_HANDLE;
    bool owned = true;                                ///< false: the host's, who ends it
    const VkAllocationCallbacks* allocator = nullptr; ///< for all objects of the device
    VolkDeviceTable vk{}; ///< call device functions through this: `device.vk.vkCreateImage(...)`

    DeviceCaps caps;
    VkPhysicalDeviceLimits limits{};
    VkPhysicalDeviceMemoryProperties memory{};

    std::unique_ptr<DeviceQueue> graphics; ///< graphics and compute; always there
    std::unique_ptr<DeviceQueue> compute;  ///< asynchronous compute, or null
    std::unique_ptr<DeviceQueue> transfer; ///< copies only, or null
    /// Work for the other queues goes to `graphics` (`QueueSource::emulated`).
    bool emulates_queues = false;
    VkPipelineCache pipeline_cache = VK_NULL_HANDLE;
    bool tells_clocks = false; ///< vkGetCalibratedTimestampsEXT knows its clock and the host's
    bool tells_faults = false; ///< vkGetDeviceFaultInfoEXT
    bool has_buffer_markers = false;          ///< vkCmdWriteBufferMarkerAMD
    bool has_checkpoints = false;             ///< vkCmdSetCheckpointNV
    std::unique_ptr<ConstantCache> constants; ///< shared by the device's executors, as are these
    std::unique_ptr<KernelLayouts> layouts;
    std::unique_ptr<SpecializedKernels> specialized;
    std::unique_ptr<StandIns> stand_ins;

    DeviceImpl();
    DeviceImpl(const DeviceImpl&) = delete;
    DeviceImpl& operator=(const DeviceImpl&) = delete;
    /// Waits until the device is idle and destroys it, unless it is the host's.
    ~DeviceImpl();

    /// What follows from `handle` once it is there, and from the extensions that it was made with:
    /// functions and the pipeline cache.
    Result<void> complete(const DeviceFacts& facts);

    /// Where work for `queue` is submitted; null where the device has no such queue.
    DeviceQueue* queue(Queue which) const;

    /// For what no call can return.
    void tell(const Diagnostics& diagnostics) const;

    /// A memory type out of `type_bits` that has all of `wanted`, the first if several; nothing
    /// where there is none.
    std::optional<std::uint32_t> find_memory_type(std::uint32_t type_bits,
                                                  VkMemoryPropertyFlags wanted) const;

    /// Names `object` in validation messages and frame debuggers; nothing without debug names.
    void set_debug_name(VkObjectType type, std::uint64_t object, const std::string& name) const;

    template <typename Handle>
    void set_debug_name(VkObjectType type, Handle object, const std::string& name) const {
        set_debug_name(type, reinterpret_cast<std::uint64_t>(object), name);
    }

    /// Opens and closes a labelled stretch of commands; nothing without debug names.
    bool has_labels() const { return instance->debug_utils().begin_label != nullptr; }
    void begin_label(VkCommandBuffer commands, const std::string& name) const;
    void end_label(VkCommandBuffer commands) const;
};

} // namespace tuff
