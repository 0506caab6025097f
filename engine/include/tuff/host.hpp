#pragma once

// Tuff inside a program that has its own Vulkan device: a game, an editor. Define
// VK_NO_PROTOTYPES before including this if Vulkan's functions come from volk or another loader.
//
//     const auto needs = DeviceNeeds::of(instance, physical_device);   // before the device is made
//     ... vkCreateDevice with needs->features() and needs->extensions() among its own ...
//     auto device = adopt_device({.instance = instance, ...});
//     auto executor = Executor::create(*device, shaders, plan);
//     bind_import(*executor, "color", {...});   // the host's image and its description
//
//     every frame, one of:
//     execute(*executor, {acquired}, {done});   // submitted on the host's queue
//     record(*executor, commands);              // into the host's own command buffer
//     output_image(*executor, "picture");       // in the layout that the graph leaves it in
//
// Mistakes are diagnostics and have no side effects. The host can control queue access, host memory
// and messages: HostQueue::lock, HostDevice::allocator, HostDevice::on_message.

#include <tuff/vulkan.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tuff {

/// Features and extensions to turn on in a device for Tuff: all that the core tier needs, and
/// the optional ones that the device has.
class DeviceNeeds {
  public:
    /// Errors: `device/no-loader`, `device/host` (a handle is null), `device/missing-feature`, one
    /// for each missing feature.
    static Result<DeviceNeeds> of(VkInstance instance, VkPhysicalDevice physical_device);

    DeviceNeeds(DeviceNeeds&&) noexcept;
    DeviceNeeds& operator=(DeviceNeeds&&) noexcept;
    ~DeviceNeeds();

    /// A chain for `VkDeviceCreateInfo::pNext`, or to be merged into the host's own. Lives as long
    /// as this object.
    const VkPhysicalDeviceFeatures2& features() const;
    /// Device extensions to enable.
    std::span<const char* const> extensions() const;
    /// A family whose queues draw and compute, for `HostDevice::queue`.
    std::uint32_t queue_family() const;

  private:
    struct Impl;
    explicit DeviceNeeds(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

/// A queue of the host. Only one thread can use a Vulkan queue at a time: if the host uses it from
/// other threads than Tuff, both must hold one lock, which `lock` takes and `unlock` releases.
struct HostQueue {
    VkQueue handle = VK_NULL_HANDLE;   ///< of the adopted device
    std::uint32_t family = 0;          ///< its family
    std::function<void()> lock = {};   ///< takes the lock; empty: none is needed
    std::function<void()> unlock = {}; ///< releases it
};

/// A device of the host. All of it must outlive the `Device` that adopts it.
struct HostDevice {
    VkInstance instance = VK_NULL_HANDLE;              ///< of Vulkan 1.3 or later
    VkPhysicalDevice physical_device = VK_NULL_HANDLE; ///< of `instance`
    VkDevice device = VK_NULL_HANDLE;                  ///< of `physical_device`
    HostQueue queue = {};                              ///< draws and computes
    /// Optional queue for asynchronous work: computes and copies, of another family
    /// than `queue`.
    std::optional<HostQueue> compute = {};
    std::optional<HostQueue> transfer = {}; ///< copies
    /// The chain that the device was made with: Tuff uses only features that it turns on.
    const VkPhysicalDeviceFeatures2* features = nullptr;
    std::vector<std::string> extensions = {}; ///< that the device was made with
    /// The instance was made with VK_EXT_debug_utils: objects get names, commands labels.
    bool debug_names = false;
    /// Allocates the host memory of all of Tuff's objects on the device; null: the driver's own.
    const VkAllocationCallbacks* allocator = nullptr;
    /// Receives messages of Tuff that no call can return; the validation layer's messages go to the
    /// host's own messenger.
    MessageSink on_message = {};
};

/// Makes a `Device` from one that the host made. The host's handles are never destroyed. Errors:
/// `device/no-loader`, `device/host` (a handle is missing, a queue's family cannot do its work,
/// two queues are the same, the device lacks an extension of the list),
/// `device/missing-feature` (the host has not turned on a feature that Tuff needs).
Result<Device> adopt_device(const HostDevice& host);

/// A semaphore of the host, of either type.
struct HostSemaphore {
    VkSemaphore handle = VK_NULL_HANDLE; ///< binary or timeline
    std::uint64_t value = 0;             ///< of timeline semaphores; ignored for binary ones
    /// Stages that wait, or that must have finished.
    VkPipelineStageFlags2 stages = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
};

/// `Executor::execute` between semaphores of the host: the first work on the graphics queue waits
/// for all of `wait`, and the last signals all of `signal`. Imports and outputs are used on that
/// queue. Errors: those of `execute`, and `gpu/host-handle` (a semaphore is null).
Result<void> execute(Executor& executor, std::span<const HostSemaphore> wait,
                     std::span<const HostSemaphore> signal);

/// Records one execution into `commands`, a primary command buffer in the recording state and
/// outside of rendering, which the host submits to `HostDevice::queue` and waits for.
/// Bound state is lost. After the first call the executor can only be used this way, and
/// its executions are not timed. The host must ensure that
///  - recordings are submitted in their order, each once;
///  - recording n begins after n - `ExecutorOptions::frames_in_flight` has finished;
///  - all have finished before an output is read on the CPU or the history is reset (error
///    `gpu/host-in-flight`), or the executor ends: if one ends sooner, it reports to
///    `HostDevice::on_message` and waits for the queue.
/// `family` is the queue family of the command pool of `commands`; give it to have it checked.
/// Errors: `gpu/plan-queues` (the plan was compiled for several queues), `gpu/import-missing`,
/// `gpu/host-driven` (the executor has submitted executions itself), `gpu/host-handle` (`commands`
/// is null, or of another family than `HostDevice::queue`), `gpu/host-in-flight` (recording n -
/// `frames_in_flight` has not finished, or was never submitted), `gpu/out-of-memory`,
/// `gpu/device-lost`. If it fails nothing was recorded, unless a custom node failed.
Result<void> record(Executor& executor, VkCommandBuffer commands,
                    std::uint32_t family = VK_QUEUE_FAMILY_IGNORED);

/// An image output on the device.
struct OutputImage {
    VkImage handle = VK_NULL_HANDLE;       ///< owned by the executor
    VkFormat format = VK_FORMAT_UNDEFINED; ///< of its texels
    VkExtent3D extent{};                   ///< texels of mip 0
    std::uint32_t mips = 1;                ///< mip levels
    std::uint32_t layers = 1;              ///< array layers
    std::uint32_t samples = 1;             ///< a texel
    /// After each execution: the layout for the access given to `Graph::output`.
    VkImageLayout layout = VK_IMAGE_LAYOUT_UNDEFINED;
};

/// The image of an output; the same for all executions. Each overwrites it: read it with
/// commands between one execution and the next on the same queue, in the stages of the access
/// given to the graph, and leave it in the same layout. Errors: `gpu/unknown-output`,
/// `gpu/output-kind`.
Result<OutputImage> output_image(Executor& executor, std::string_view output);

/// A buffer output on the device.
struct OutputBuffer {
    VkBuffer handle = VK_NULL_HANDLE; ///< owned by the executor
    std::uint64_t size = 0;           ///< bytes
};
/// The buffer of an output; see `output_image`. Errors: `gpu/unknown-output`, `gpu/output-kind`.
Result<OutputBuffer> output_buffer(Executor& executor, std::string_view output);

} // namespace tuff
