#pragma once

#include <tuff/device_caps.hpp>
#include <tuff/diagnostic.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tuff {

struct DeviceImpl;
struct HostDevice;

/// Receives messages of the validation layer, and those of Tuff that no call can return: that work
/// was lost, or still in flight, when an executor ended. One call per message, from any
/// thread. Tuff itself prints nothing.
using MessageSink = std::function<void(std::string_view)>;

/// Where the queues beside the graphics queue come from.
enum class QueueSource : std::uint8_t {
    device, ///< the queues of the device
    /// All work goes to the graphics queue, in separate submissions with semaphores, as if the
    /// device also had a compute and a transfer queue: so such plans run on every device.
    emulated,
};

/// How to choose and open a device.
struct DeviceRequest {
    /// `auto`: a discrete GPU, else an integrated or virtual one, else lavapipe, else SwiftShader,
    /// and among equals the first that meets the core tier. SwiftShader comes before a lavapipe
    /// older than Mesa 25, which leaks memory with each execution, unless `executions` is
    /// small (`kFewExecutions`). `gpu`: the same without the software
    /// devices. `swiftshader`, `lavapipe`: that software device. A number: the index from
    /// `list_devices()`. Anything else: the first device whose name contains the text, ignoring
    /// case.
    std::string select = "auto";
    /// Expected number of executions; 0: unknown.
    std::uint64_t executions = 0;

    QueueSource queues = QueueSource::device; ///< the device's own, or emulated
    /// False: as if the device had no null descriptors (`DeviceCaps::null_descriptors`), to test
    /// their replacement on every device.
    bool null_descriptors = true;

    /// Turns on the Khronos validation layer with synchronisation validation, and debug names.
    bool validation = false;
    /// Names objects and labels commands for frame debuggers; implied by `validation`, and by a
    /// layer or a capture tool that reports that it uses them.
    bool debug_names = false;
    MessageSink on_message = {}; ///< may be empty
    /// Receives the output of debugPrintfEXT in kernels (GL_EXT_debug_printf), one text for each
    /// call, once the host waits for the execution. Needs the Khronos validation
    /// layer, which patches kernels for it; without a sink nothing is printed.
    MessageSink on_print = {};

    /// More instance extensions, for example those that a window system needs. A missing one is an
    /// error.
    std::vector<std::string> instance_extensions = {};
    std::vector<std::string> device_extensions = {}; ///< a missing one is an error
};

/// Largest `DeviceRequest::executions` for which `auto` prefers an old lavapipe.
inline constexpr std::uint64_t kFewExecutions = 60;

/// Whether a device can be used.
enum class DeviceTier : std::uint8_t {
    none, ///< lacks a feature that every kernel needs; cannot be opened
    core, ///< runs everything
};

/// A feature or limit that a device was tested for.
struct DeviceFeature {
    std::string name;   ///< Vulkan's name, "timelineSemaphore"
    std::string reason; ///< what the engine uses it for
    std::string found;  ///< for limits: the device's value and the required one; else empty
};

/// What `tuff devices` prints about one device.
struct DeviceReport {
    std::uint32_t index = 0;            ///< for `DeviceRequest::select`
    DeviceCaps caps;                    ///< name, driver, type, limits and optional features
    DeviceTier tier = DeviceTier::none; ///< whether it can be used
    std::vector<DeviceFeature> missing; ///< of the core tier; empty if it is met
    std::vector<DeviceFeature> optional_present; ///< faster paths that the device can take
    std::vector<DeviceFeature> optional_missing; ///< faster paths that it cannot take
};

/// "discrete GPU", as `tuff devices` prints it.
std::string_view to_string(DeviceType type);
/// "core", as `tuff devices` prints it.
std::string_view to_string(DeviceTier tier);

/// Text of a packed Vulkan version: "1.3.239".
std::string version_string(std::uint32_t api_version);

/// Every device of every driver, software devices included, in the loader's order.
/// Errors: `device/no-loader`, `device/no-driver`.
Result<std::vector<DeviceReport>> list_devices();

/// The value of the environment variable TUFF_DEVICE, or `auto` if it is unset or empty.
std::string default_device_selection();

/// An open Vulkan device with its queues. A process can have several. The object can be moved
/// between threads. Its users keep a reference to it, so it must outlive them.
class Device {
  public:
    /// While it runs it may set VK_DRIVER_FILES or VK_ADD_DRIVER_FILES, to show SwiftShader to the
    /// Vulkan loader; a VK_DRIVER_FILES of the user is kept.
    /// Errors: `device/no-loader`, `device/no-driver`, `device/unknown` (lists the devices),
    /// `device/missing-feature` (one for each feature that the chosen device lacks),
    /// `device/missing-extension`, `device/no-validation-layer`, `gpu/*` if Vulkan fails.
    static Result<Device> open(const DeviceRequest& request = {});

    Device(Device&&) noexcept;
    Device& operator=(Device&&) noexcept;
    ~Device();

    /// Its limits and features.
    const DeviceCaps& caps() const;

    /// All messages so far, with or without a sink: see `MessageSink`.
    std::vector<std::string> validation_messages() const;

    /// Blocks until the device has finished all work. Errors: `gpu/device-lost`,
    /// `gpu/out-of-memory`.
    Result<void> wait_idle() const;

    /// Internal data of the device; its definition is not public.
    DeviceImpl& impl() const { return *impl_; }

  private:
    friend Result<Device> adopt_device(const HostDevice& host); // tuff/host.hpp
    explicit Device(std::unique_ptr<DeviceImpl> impl);

    std::unique_ptr<DeviceImpl> impl_;
};

} // namespace tuff
