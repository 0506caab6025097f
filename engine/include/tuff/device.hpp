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

/// Receives messages of the validation layer, and what Tuff has to say where no call can return it:
/// that work was lost, or still under way, when an executor ended. One call per message, from any
/// thread. Tuff itself prints nothing.
using MessageSink = std::function<void(std::string_view)>;

/// Where the queues beside the main one come from.
enum class QueueSource : std::uint8_t {
    device, ///< those that the device has
    /// All work goes to the graphics queue, but is submitted apart and ordered by semaphores, as if
    /// the device had a compute and a transfer queue too: so such plans run, and are tested,
    /// anywhere.
    emulated,
};

/// How to choose and open a device.
struct DeviceRequest {
    /// `auto`: a discrete GPU, else an integrated or virtual one, else lavapipe, else SwiftShader,
    /// and among equals the first that meets the core tier. SwiftShader comes before a lavapipe
    /// older than Mesa 25, which loses memory with each execution, unless `executions` says that
    /// there are few. `gpu`: the same without the software
    /// devices. `swiftshader`, `lavapipe`: that software device. A number: the index that
    /// `list_devices()` gives. Anything else: the first device whose name contains the text, in
    /// whatever case.
    std::string select = "auto";
    /// How many executions there will be; 0: any number.
    std::uint64_t executions = 0;

    QueueSource queues = QueueSource::device; ///< the device's own, or emulated
    /// False: as if the device had no null descriptors (`DeviceCaps::null_descriptors`), so that
    /// what stands in for them is tested anywhere.
    bool null_descriptors = true;

    /// Turns on the Khronos validation layer with synchronisation validation, and debug names.
    bool validation = false;
    /// Names objects and labels commands for frame debuggers; implied by `validation`, and by a
    /// layer or a capture tool that says it makes use of them.
    bool debug_names = false;
    MessageSink on_message = {}; ///< may be empty
    /// Receives what kernels print by debugPrintfEXT (GL_EXT_debug_printf), a text for each
    /// invocation that does, once the host waits for the execution. Needs the Khronos validation
    /// layer, which patches kernels for it; without a sink nothing is printed.
    MessageSink on_print = {};

    /// Extensions beyond the engine's own: those that a window system needs. A missing one is an
    /// error.
    std::vector<std::string> instance_extensions = {};
    std::vector<std::string> device_extensions = {}; ///< of the device, likewise
};

/// The executions that are few to `DeviceRequest`.
inline constexpr std::uint64_t kFewExecutions = 60;

/// Whether a device can be used.
enum class DeviceTier : std::uint8_t {
    none, ///< lacks something that every kernel relies on; cannot be opened
    core, ///< runs everything
};

/// A feature or limit that a device was tested for.
struct DeviceFeature {
    std::string name;   ///< Vulkan's name, "timelineSemaphore"
    std::string reason; ///< what the engine uses it for
    std::string found;  ///< for limits: what the device has and what is wanted; else empty
};

/// What `tuff devices` prints of one device.
struct DeviceReport {
    std::uint32_t index = 0;            ///< what `DeviceRequest::select` takes
    DeviceCaps caps;                    ///< name, driver, type, limits and optional abilities
    DeviceTier tier = DeviceTier::none; ///< whether it can be used
    std::vector<DeviceFeature> missing; ///< of the core tier; empty when it is met
    std::vector<DeviceFeature> optional_present; ///< faster paths that the device can take
    std::vector<DeviceFeature> optional_missing; ///< faster paths that it cannot take
};

/// "discrete GPU", as `tuff devices` prints it.
std::string_view to_string(DeviceType type);
/// "core", likewise.
std::string_view to_string(DeviceTier tier);

/// "1.3.239" of a packed Vulkan version.
std::string version_string(std::uint32_t api_version);

/// Every device of every driver, software devices included, in the loader's order.
/// Errors: `device/no-loader`, `device/no-driver`.
Result<std::vector<DeviceReport>> list_devices();

/// The value of the environment variable TUFF_DEVICE, or `auto` where it is unset or empty.
std::string default_device_selection();

/// An open Vulkan device with its queues. Several may live in one process. The object may be moved
/// between threads; what uses the device keeps a reference to it, so it must outlive all of that.
class Device {
  public:
    /// While it runs it may set VK_DRIVER_FILES or VK_ADD_DRIVER_FILES, which is how the Vulkan
    /// loader is told of SwiftShader; where the user has set VK_DRIVER_FILES, that stands.
    /// Errors: `device/no-loader`, `device/no-driver`, `device/unknown` (names the devices there
    /// are), `device/missing-feature` (one for each thing that the chosen device lacks),
    /// `device/missing-extension`, `device/no-validation-layer`, `gpu/*` where Vulkan fails.
    static Result<Device> open(const DeviceRequest& request = {});

    Device(Device&&) noexcept;
    Device& operator=(Device&&) noexcept;
    ~Device();

    /// What it can do.
    const DeviceCaps& caps() const;

    /// All messages so far, whether or not somebody receives them: see `MessageSink`.
    std::vector<std::string> validation_messages() const;

    /// Blocks until the device has finished all work. Errors: `gpu/device-lost`,
    /// `gpu/out-of-memory`.
    Result<void> wait_idle() const;

    /// The engine's own side of the device; its definition is not public.
    DeviceImpl& impl() const { return *impl_; }

  private:
    friend Result<Device> adopt_device(const HostDevice& host); // tuff/host.hpp
    explicit Device(std::unique_ptr<DeviceImpl> impl);

    std::unique_ptr<DeviceImpl> impl_;
};

} // namespace tuff
