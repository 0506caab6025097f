#pragma once

// Memory and semaphores that a graph shares with other programs of the same host: another process
// with Tuff, CUDA, a program with a Vulkan device of its own. Both use one GPU and one driver.
//
//     // one program
//     auto field = ExternalBuffer::create(device, {.size = bytes});
//     ... graph.import_buffer("field", field->info().desc, external_state()) ...
//     bind_import(executor, "field", *field);
//     execute(executor, {.resources = {&*field}});     // writes it, and gives it back
//     send(socket, field->info(), *field->export_memory());   // the program's own code
//
//     // the other
//     auto field = ExternalBuffer::open(device, info, std::move(descriptor));
//     ... the same graph.import_buffer, bind_import and execute
//
// Between executions no device owns the resources: an execution acquires its resources and
// releases them at its end. The programs take turns, by messages of their own or by semaphores.

#include <tuff/executor.hpp>
#include <tuff/graph_desc.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace tuff {

struct ExternalResourceImpl;
struct ExternalSemaphoreImpl;

/// Owns a file descriptor of the operating system.
class FileDescriptor {
  public:
    FileDescriptor() = default; ///< none
    /// Takes over an open one.
    explicit FileDescriptor(int number) : number_(number) {}
    /// Takes it from another, which has none then.
    FileDescriptor(FileDescriptor&& other) noexcept : number_(other.release()) {}
    /// Takes it from another; its own is closed.
    FileDescriptor& operator=(FileDescriptor&& other) noexcept;
    /// Closes it.
    ~FileDescriptor();

    /// Its number; negative: none.
    int get() const { return number_; }
    /// Hands it over to the caller, who closes it.
    int release();

  private:
    int number_ = -1;
};

/// Which device and driver memory belongs to: `deviceUUID` and `driverUUID` of
/// VkPhysicalDeviceIDProperties, and `uuid` of CUDA's cudaDeviceProp. Only the same two share.
struct DeviceIdentity {
    std::array<std::uint8_t, 16> device{}; ///< the GPU
    std::array<std::uint8_t, 16> driver{}; ///< its driver, in that version
    friend bool operator==(const DeviceIdentity&, const DeviceIdentity&) = default;
};

/// What a device shares with other programs, by opaque file descriptors.
struct ExternalCaps {
    DeviceIdentity identity;          ///< to be compared with that of another device
    bool memory = false;              ///< buffers, and images of most formats
    bool binary_semaphores = false;   ///< `SemaphoreKind::binary`
    bool timeline_semaphores = false; ///< `SemaphoreKind::timeline`
};
/// Asks the driver. An adopted device shares what the host has turned on the extensions for
/// (`DeviceNeeds::extensions` has them).
ExternalCaps external_caps(const Device& device);

/// An allocation with a resource in it. Plain data, to be sent along with the descriptor.
struct ExternalMemory {
    DeviceIdentity identity;  ///< that it was allocated on
    std::uint64_t bytes = 0;  ///< of the allocation: `size` of CUDA's cudaExternalMemoryHandleDesc
    std::uint64_t offset = 0; ///< of the resource; 0 in what Tuff allocates
    std::uint32_t type = 0;   ///< index of Vulkan's memory type
    std::uint32_t dedicated = 0; ///< 1: to the resource, as `cudaExternalMemoryDedicated` says
};

/// A buffer as another program needs to know it. Plain data.
struct ExternalBufferInfo {
    BufferDesc desc;       ///< `Graph::import_buffer` takes it
    UsageMask usage = 0;   ///< that it can be used for
    ExternalMemory memory; ///< that holds it
};

/// An image as another program needs to know it. Plain data. Its Vulkan flags follow from `desc`
/// and `usage`; tiling is optimal.
struct ExternalImageInfo {
    ImageDesc desc;                  ///< `Graph::import_image` takes it
    UsageMask usage = 0;             ///< that it can be used for
    Layout layout = Layout::general; ///< between executions
    ExternalMemory memory;           ///< that holds it
};

/// What buffers are made for unless told otherwise.
inline constexpr UsageMask kExternalBufferUsage =
    usage::kStorage | usage::kUniform | usage::kIndex | usage::kIndirect | usage::kTransferSource |
    usage::kTransferDestination;
/// What images are made for unless told otherwise.
inline constexpr UsageMask kExternalImageUsage =
    usage::kSampled | usage::kStorage | usage::kTransferSource | usage::kTransferDestination;

/// For `Graph::import_buffer`, and with the layout of its `ExternalImageInfo` for `import_image`.
ImportState external_state(Layout layout = Layout::undefined);

/// Memory that can be shared, with a buffer or an image in it. The memory lives as long as any
/// program has it, or a descriptor of it. The device must outlive this object, which waits for the
/// graphics queue before it ends; executors that it is bound to must end before it, or
/// `forget_import` it.
class ExternalResource {
  public:
    ExternalResource(ExternalResource&&) noexcept;
    ExternalResource& operator=(ExternalResource&&) noexcept;
    ~ExternalResource();

    /// A descriptor for another program, a new one with each call. Errors: `gpu/no-external-memory`
    /// (the driver does not pass on what was opened), `gpu/call-failed`, `gpu/out-of-memory`.
    Result<FileDescriptor> export_memory() const;

    /// Internal data; its definition is not public.
    ExternalResourceImpl& impl() const { return *impl_; }

  protected:
    /// Takes over one that is complete.
    explicit ExternalResource(std::unique_ptr<ExternalResourceImpl> impl);

  private:
    std::unique_ptr<ExternalResourceImpl> impl_;
};

/// A buffer that programs share.
class ExternalBuffer : public ExternalResource {
  public:
    /// Makes one; its contents are undefined. Errors: `gpu/no-external-memory`,
    /// `gpu/external-mismatch` (no bytes, or a usage that buffers lack), `gpu/out-of-memory`.
    static Result<ExternalBuffer> create(Device& device, const BufferDesc& desc,
                                         UsageMask usage = kExternalBufferUsage);
    /// One that another program, or another device, has made. The descriptor is used up, also on
    /// errors. Errors: `gpu/no-external-memory`, `gpu/external-mismatch` (of another device or
    /// driver, too small, of another memory type, or not memory), `gpu/out-of-memory`.
    static Result<ExternalBuffer> open(Device& device, const ExternalBufferInfo& info,
                                       FileDescriptor memory);

    /// What to tell the other program.
    const ExternalBufferInfo& info() const;

  private:
    explicit ExternalBuffer(std::unique_ptr<ExternalResourceImpl> impl);
};

/// An image that programs share.
class ExternalImage : public ExternalResource {
  public:
    /// Makes one; its texels are undefined. Errors: `gpu/no-external-memory` (also where the
    /// driver does not share images of the format), `gpu/unsupported-format`,
    /// `gpu/external-mismatch` (impossible sizes or usage), `gpu/out-of-memory`.
    static Result<ExternalImage> create(Device& device, const ImageDesc& desc,
                                        UsageMask usage = kExternalImageUsage,
                                        Layout layout = Layout::general);
    /// As `ExternalBuffer::open`.
    static Result<ExternalImage> open(Device& device, const ExternalImageInfo& info,
                                      FileDescriptor memory);

    /// What to tell the other program.
    const ExternalImageInfo& info() const;

  private:
    explicit ExternalImage(std::unique_ptr<ExternalResourceImpl> impl);
};

/// `bind_import` of tuff/vulkan.hpp for a shared buffer. Errors: `gpu/unknown-import`,
/// `gpu/import-mismatch`, `gpu/external-mismatch` (it is of another device than the executor).
Result<void> bind_import(Executor& executor, std::string_view name, const ExternalBuffer& buffer);
/// The same for an image.
Result<void> bind_import(Executor& executor, std::string_view name, const ExternalImage& image);
/// Call it before a bound resource ends, unless the executor ends first.
void forget_import(Executor& executor, const ExternalResource& resource);

/// How a semaphore counts.
enum class SemaphoreKind : std::uint8_t {
    binary,   ///< each signal is waited for once, and the wait is submitted after the signal
    timeline, ///< counts upwards
};

/// A semaphore as another program needs to know it. Plain data.
struct ExternalSemaphoreInfo {
    DeviceIdentity identity;                    ///< that it was made on
    SemaphoreKind kind = SemaphoreKind::binary; ///< how it counts
};

/// A semaphore that programs share. The device must outlive it; it waits for the graphics queue
/// before it ends.
class ExternalSemaphore {
  public:
    /// Makes one; a timeline is at 0. Errors: `gpu/no-external-semaphore`, `gpu/out-of-memory`.
    static Result<ExternalSemaphore> create(Device& device, SemaphoreKind kind);
    /// One that another program, or another device, has made. The descriptor is used up, also on
    /// errors. Errors: `gpu/no-external-semaphore`, `gpu/external-mismatch`, `gpu/out-of-memory`.
    static Result<ExternalSemaphore> open(Device& device, const ExternalSemaphoreInfo& info,
                                          FileDescriptor semaphore);

    ExternalSemaphore(ExternalSemaphore&&) noexcept;
    ExternalSemaphore& operator=(ExternalSemaphore&&) noexcept;
    ~ExternalSemaphore();

    /// What to tell the other program.
    const ExternalSemaphoreInfo& info() const;
    /// A descriptor for another program, a new one with each call. Errors: `gpu/call-failed`,
    /// `gpu/out-of-memory`.
    Result<FileDescriptor> export_semaphore() const;

    /// Internal data; its definition is not public.
    ExternalSemaphoreImpl& impl() const { return *impl_; }

  private:
    explicit ExternalSemaphore(std::unique_ptr<ExternalSemaphoreImpl> impl);

    std::unique_ptr<ExternalSemaphoreImpl> impl_;
};

/// A semaphore to wait for or to signal.
struct SemaphorePoint {
    const ExternalSemaphore* semaphore = nullptr; ///< of the executor's device
    std::uint64_t value = 0;                      ///< of a timeline
};

/// What an execution shares with other programs.
struct ExternalUse {
    std::vector<const ExternalResource*> resources = {}; ///< acquired before it, released after it
    std::vector<SemaphorePoint> wait = {};               ///< before `resources` are acquired
    /// Once they are released. Without any, the call returns when that is done: then a message
    /// tells the other program, which devices without external semaphores need.
    std::vector<SemaphorePoint> signal = {};
};

/// One execution with resources that other programs use before and after it. A wait for a program
/// that has died never ends: have its signal announced by a message. Errors: those of
/// `Executor::execute` (the resources are released all the same, and nothing is signalled), and
/// `gpu/external-mismatch` (a resource or a semaphore is null or of another device).
Result<void> execute(Executor& executor, const ExternalUse& use);

} // namespace tuff
