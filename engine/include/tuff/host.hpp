#pragma once

// Tuff inside a program that has a Vulkan device of its own: a game, an editor. Define
// VK_NO_PROTOTYPES before including this where Vulkan's functions come from volk or another loader.
//
//     const auto needs = DeviceNeeds::of(instance, physical_device);   // before the device is made
//     ... vkCreateDevice with needs->features() and needs->extensions() among its own ...
//     auto device = adopt_device({.instance = instance, ...});
//     auto executor = Executor::create(*device, shaders, plan);
//     bind_import(*executor, "color", {...});   // the host's image, with what is known of it
//
//     every frame, one of:
//     execute(*executor, {acquired}, {done});   // submitted on the host's queue
//     record(*executor, commands);              // into the host's own command buffer
//     output_image(*executor, "picture");       // in the layout that the graph leaves it in
//
// Mistakes are diagnostics, and nothing has happened then. The host may keep queue, memory and
// messages to itself: HostQueue::lock, HostDevice::allocator, HostDevice::on_message.

#include <tuff/vulkan.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tuff {

/// What a host turns on when it makes a device for Tuff: everything that the core tier takes, and
/// of the optional features those that the device has.
class DeviceNeeds {
  public:
    /// Errors: `device/no-loader`, `device/host` (a handle is null), `device/missing-feature`, one
    /// for each thing that it lacks.
    static Result<DeviceNeeds> of(VkInstance instance, VkPhysicalDevice physical_device);

    DeviceNeeds(DeviceNeeds&&) noexcept;
    DeviceNeeds& operator=(DeviceNeeds&&) noexcept;
    ~DeviceNeeds();

    /// A chain for `VkDeviceCreateInfo::pNext`, or to be merged into the host's own. Lives as long
    /// as this object.
    const VkPhysicalDeviceFeatures2& features() const;
    /// Extensions to enable, of the device.
    std::span<const char* const> extensions() const;
    /// A family whose queues draw and compute, as `HostDevice::queue` has to.
    std::uint32_t queue_family() const;

  private:
    struct Impl;
    explicit DeviceNeeds(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

/// A queue of the host's. Vulkan lets one thread use a queue at a time: where the host uses it from
/// other threads than Tuff does, both hold one lock, which `lock` takes and `unlock` gives back.
struct HostQueue {
    VkQueue handle = VK_NULL_HANDLE;   ///< of the adopted device
    std::uint32_t family = 0;          ///< its family
    std::function<void()> lock = {};   ///< takes the lock; empty: there is none
    std::function<void()> unlock = {}; ///< gives it back
};

/// A device of the host's. Everything here outlives the `Device` that adopts it.
struct HostDevice {
    VkInstance instance = VK_NULL_HANDLE;              ///< of Vulkan 1.3 or later
    VkPhysicalDevice physical_device = VK_NULL_HANDLE; ///< of `instance`
    VkDevice device = VK_NULL_HANDLE;                  ///< of `physical_device`
    HostQueue queue = {};                              ///< draws and computes
    /// For asynchronous work, where the host has some to spare: computes, but of another family
    /// than `queue`; and copies.
    std::optional<HostQueue> compute = {};
    std::optional<HostQueue> transfer = {}; ///< copies
    /// The chain that the device was made with: what is not turned on there Tuff does not use.
    const VkPhysicalDeviceFeatures2* features = nullptr;
    std::vector<std::string> extensions = {}; ///< that the device was made with
    /// The instance was made with VK_EXT_debug_utils: objects get names, commands labels.
    bool debug_names = false;
    /// For the host memory of all that Tuff makes on the device; null: the driver's own.
    const VkAllocationCallbacks* allocator = nullptr;
    /// What Tuff has to say where no call can return it; the validation layer's messages go to the
    /// host's own messenger.
    MessageSink on_message = {};
};

/// Makes a `Device` of one that the host has made. The host's handles are never destroyed. Errors:
/// `device/no-loader`, `device/host` (a handle is missing, a queue's family cannot do what it is
/// for, two queues are one, the device cannot have been made with an extension),
/// `device/missing-feature` (the host has not turned on something that Tuff needs).
Result<Device> adopt_device(const HostDevice& host);

/// A semaphore of the host's, of either type.
struct HostSemaphore {
    VkSemaphore handle = VK_NULL_HANDLE; ///< binary or timeline
    std::uint64_t value = 0;             ///< of timeline semaphores; ignored for binary ones
    /// What waits, or what must have ended.
    VkPipelineStageFlags2 stages = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
};

/// `Executor::execute` between semaphores of the host's: the graphics queue's first work waits for
/// all of `wait`, and its last signals all of `signal`. Imports are used and outputs left there.
/// Errors as there, and `gpu/host-handle` (a semaphore is null).
Result<void> execute(Executor& executor, std::span<const HostSemaphore> wait,
                     std::span<const HostSemaphore> signal);

/// Records one execution into `commands`, a primary command buffer in the recording state and
/// outside of rendering, whose submission to `HostDevice::queue` and end are the host's business.
/// Bound state is lost. An executor that is used so once is used in no other way from then on, and
/// its executions are not timed. The host sees to it that
///  - recordings are submitted in their order, each once;
///  - recording n is begun when n - `ExecutorOptions::frames_in_flight` has finished;
///  - all have finished before an output is read on the CPU or the history is reset (error
///    `gpu/host-in-flight`), or the executor ends: one that ends sooner says so to
///    `HostDevice::on_message` and waits for the queue.
/// `family` is that of the pool which `commands` come from, for a host that wants it checked.
/// Errors: `gpu/plan-queues` (the plan was compiled for several queues), `gpu/import-missing`,
/// `gpu/host-driven` (the executor has submitted executions itself), `gpu/host-handle` (`commands`
/// is null, or of another family than `HostDevice::queue`), `gpu/host-in-flight` (recording n -
/// `frames_in_flight` has not finished, or was never submitted), `gpu/out-of-memory`,
/// `gpu/device-lost`. Where it fails nothing has been recorded, unless a custom node failed.
Result<void> record(Executor& executor, VkCommandBuffer commands,
                    std::uint32_t family = VK_QUEUE_FAMILY_IGNORED);

/// An image output where it lies on the device.
struct OutputImage {
    VkImage handle = VK_NULL_HANDLE;       ///< owned by the executor
    VkFormat format = VK_FORMAT_UNDEFINED; ///< of its texels
    VkExtent3D extent{};                   ///< texels of mip 0
    std::uint32_t mips = 1;                ///< mip levels
    std::uint32_t layers = 1;              ///< array layers
    std::uint32_t samples = 1;             ///< a texel
    /// That each execution leaves it in: of the access that `Graph::output` was given.
    VkImageLayout layout = VK_IMAGE_LAYOUT_UNDEFINED;
};

/// The image of an output; the same for all executions. Each overwrites it: whoever reads it does
/// so by commands between one execution and the next on the same queue, in the stages of the access
/// that the graph was told, and leaves it in the same layout. Errors: `gpu/unknown-output`,
/// `gpu/output-kind`.
Result<OutputImage> output_image(Executor& executor, std::string_view output);

/// Likewise of a buffer.
struct OutputBuffer {
    VkBuffer handle = VK_NULL_HANDLE; ///< owned by the executor
    std::uint64_t size = 0;           ///< bytes
};
/// The buffer of an output; see `output_image`. Errors: `gpu/unknown-output`, `gpu/output-kind`.
Result<OutputBuffer> output_buffer(Executor& executor, std::string_view output);

} // namespace tuff
