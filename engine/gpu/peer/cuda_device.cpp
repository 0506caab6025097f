#include "gpu/peer/cuda_device.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <map>
#include <mutex>

namespace tuff::cuda {

// The binary interface of libcuda.so.1, as NVIDIA documents it; its headers are not needed.
constexpr int kSuccess = 0;
constexpr int kOpaqueDescriptor = 1;
constexpr unsigned kReachPeers = 1; // CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS
constexpr unsigned kStreamNonBlocking = 1;

struct ExternalHandle {
    int type = kOpaqueDescriptor;
    union {
        int descriptor;
        void* handle[2];
    } of{};
    unsigned long long bytes = 0;
    unsigned flags = 0;
    unsigned reserved[16] = {};
};
struct ExternalRange {
    unsigned long long offset = 0;
    unsigned long long bytes = 0;
    unsigned flags = 0;
    unsigned reserved[16] = {};
};

struct Functions {
    int (*init)(unsigned) = nullptr;
    int (*device_count)(int*) = nullptr;
    int (*device_at)(int*, int) = nullptr;
    int (*device_uuid)(Uuid*, int) = nullptr;
    int (*retain)(Context**, int) = nullptr;
    int (*push)(Context*) = nullptr;
    int (*pop)(Context**) = nullptr;
    int (*import)(void**, const ExternalHandle*) = nullptr;
    int (*map)(Address*, void*, const ExternalRange*) = nullptr;
    int (*destroy)(void*) = nullptr;
    int (*allocate)(Address*, std::size_t) = nullptr;
    int (*free)(Address) = nullptr;
    int (*window_handle)(WindowHandle*, Address) = nullptr;
    int (*open_window)(Address*, WindowHandle, unsigned) = nullptr;
    int (*close_window)(Address) = nullptr;
    int (*copy)(Address, Address, std::size_t, Stream*) = nullptr;
    int (*read)(void*, Address, std::size_t, Stream*) = nullptr;
    int (*write)(Address, const void*, std::size_t, Stream*) = nullptr;
    int (*make_stream)(Stream**, unsigned) = nullptr;
    int (*wait)(Stream*) = nullptr;
    int (*error_name)(int, const char**) = nullptr;

    /// False where one is missing.
    bool load(void* library) {
        const auto get = [&](auto& function, const char* name) {
            function =
                reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
            return function != nullptr;
        };
        return get(init, "cuInit") && get(device_count, "cuDeviceGetCount") &&
               get(device_at, "cuDeviceGet") && get(device_uuid, "cuDeviceGetUuid") &&
               get(retain, "cuDevicePrimaryCtxRetain") && get(push, "cuCtxPushCurrent_v2") &&
               get(pop, "cuCtxPopCurrent_v2") && get(import, "cuImportExternalMemory") &&
               get(map, "cuExternalMemoryGetMappedBuffer") &&
               get(destroy, "cuDestroyExternalMemory") && get(allocate, "cuMemAlloc_v2") &&
               get(free, "cuMemFree_v2") && get(window_handle, "cuIpcGetMemHandle") &&
               get(open_window, "cuIpcOpenMemHandle_v2") &&
               get(close_window, "cuIpcCloseMemHandle") && get(copy, "cuMemcpyDtoDAsync_v2") &&
               get(read, "cuMemcpyDtoHAsync_v2") && get(write, "cuMemcpyHtoDAsync_v2") &&
               get(make_stream, "cuStreamCreate") && get(wait, "cuStreamSynchronize") &&
               get(error_name, "cuGetErrorName");
    }

    Result<void> check(int code, const char* call) const {
        if (code == kSuccess) return {};
        const char* name = nullptr;
        error_name(code, &name);
        return fail("gpu/external-mismatch",
                    fmt::format("{} of CUDA: {}", call, name ? name : "unknown error"),
                    "--lend off sends messages through MPI");
    }
};

/// Makes the device's context that of the thread, for as long as this lives.
class Device::Current {
  public:
    explicit Current(const Device& device) : functions_(device.functions_) {
        pushed_ = functions_.push(device.context_) == kSuccess;
    }
    ~Current() {
        Context* former = nullptr;
        if (pushed_) functions_.pop(&former);
    }
    Current(const Current&) = delete;
    Current& operator=(const Current&) = delete;

  private:
    const Functions& functions_;
    bool pushed_ = false;
};

namespace {

/// Null where there is no CUDA. The library is never closed.
const Functions* functions() {
    static const std::unique_ptr<const Functions> loaded = [] {
        void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
        auto found = std::make_unique<Functions>();
        const bool works = library && found->load(library) && found->init(0) == kSuccess;
        return works ? std::move(found) : nullptr;
    }();
    return loaded.get();
}

std::unique_ptr<Device> open_device(const Functions& cuda, const Uuid& uuid) {
    int count = 0;
    cuda.device_count(&count);
    for (int i = 0; i < count; ++i) {
        int candidate = 0;
        Uuid found{};
        if (cuda.device_at(&candidate, i) != kSuccess ||
            cuda.device_uuid(&found, candidate) != kSuccess || found != uuid)
            continue;
        Context* context = nullptr;
        Stream* stream = nullptr;
        if (cuda.retain(&context, candidate) != kSuccess || cuda.push(context) != kSuccess)
            return nullptr;
        const bool made = cuda.make_stream(&stream, kStreamNonBlocking) == kSuccess;
        Context* former = nullptr;
        cuda.pop(&former);
        return made ? std::make_unique<Device>(cuda, context, stream) : nullptr;
    }
    return nullptr;
}

} // namespace

Device* Device::find(const Uuid& uuid) {
    static std::mutex mutex;
    static std::map<Uuid, std::unique_ptr<Device>> devices;
    const Functions* const cuda = functions();
    if (!cuda) return nullptr;
    const std::lock_guard lock(mutex);
    const auto [found, is_new] = devices.try_emplace(uuid);
    if (is_new) found->second = open_device(*cuda, uuid);
    return found->second.get();
}

Memory::~Memory() {
    const Functions& cuda = device_.functions_;
    const Device::Current current(device_);
    if (address_ != 0 && kind_ == Kind::opened) cuda.close_window(address_);
    if (address_ != 0 && kind_ != Kind::opened) cuda.free(address_);
    if (external_) cuda.destroy(external_);
}

Result<std::unique_ptr<Memory>> Device::import(int descriptor, std::uint64_t bytes) const {
    std::unique_ptr<Memory> memory(new Memory(*this, Memory::Kind::imported));
    const Current current(*this);
    ExternalHandle handle{.bytes = bytes};
    handle.of.descriptor = descriptor;
    void* external = nullptr;
    auto ok = functions_.check(functions_.import(&external, &handle), "cuImportExternalMemory");
    if (!ok) {
        close(descriptor);
        return propagate(std::move(ok));
    }
    memory->external_ = external;
    const ExternalRange whole{.bytes = bytes};
    ok = functions_.check(functions_.map(&memory->address_, external, &whole),
                          "cuExternalMemoryGetMappedBuffer");
    if (!ok) return propagate(std::move(ok));
    return memory;
}

Result<std::unique_ptr<Memory>> Device::make_window(std::uint64_t bytes) const {
    std::unique_ptr<Memory> memory(new Memory(*this, Memory::Kind::window));
    const Current current(*this);
    auto ok = functions_.check(functions_.allocate(&memory->address_, bytes), "cuMemAlloc");
    if (!ok) return propagate(std::move(ok));
    return memory;
}

Result<WindowHandle> Device::handle_of(const Memory& window) const {
    const Current current(*this);
    WindowHandle handle{};
    auto ok =
        functions_.check(functions_.window_handle(&handle, window.address_), "cuIpcGetMemHandle");
    if (!ok) return propagate(std::move(ok));
    return handle;
}

Result<std::unique_ptr<Memory>> Device::open_window(const WindowHandle& handle) const {
    std::unique_ptr<Memory> memory(new Memory(*this, Memory::Kind::opened));
    const Current current(*this);
    auto ok = functions_.check(functions_.open_window(&memory->address_, handle, kReachPeers),
                               "cuIpcOpenMemHandle");
    if (!ok) return propagate(std::move(ok));
    return memory;
}

// Also what comes from the host is waited for: cuMemcpyHtoD returns before a short copy has
// arrived.

Result<void> Device::finish(int code, const char* call) const {
    auto ok = functions_.check(code, call);
    if (!ok) return ok;
    return functions_.check(functions_.wait(stream_), "cuStreamSynchronize");
}

Result<void> Device::copy(Address to, Address from, std::uint64_t bytes) const {
    const Current current(*this);
    return finish(functions_.copy(to, from, bytes, stream_), "cuMemcpyDtoDAsync");
}

Result<void> Device::read(std::span<std::byte> to, Address from) const {
    const Current current(*this);
    return finish(functions_.read(to.data(), from, to.size(), stream_), "cuMemcpyDtoHAsync");
}

Result<void> Device::write(Address to, std::span<const std::byte> from) const {
    const Current current(*this);
    return finish(functions_.write(to, from.data(), from.size(), stream_), "cuMemcpyHtoDAsync");
}

} // namespace tuff::cuda
