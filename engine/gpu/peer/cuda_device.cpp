#include "gpu/peer/cuda_device.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <map>
#include <mutex>

namespace tuff::cuda {

// The binary interface of libcuda.so.1, as NVIDIA documents it; its headers are not needed.
constexpr int kSuccess = 0;
constexpr int kDescriptor = 1;   // CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR
constexpr int kReadAndWrite = 3; // CU_MEM_ACCESS_FLAGS_PROT_READWRITE
constexpr unsigned kStreamNonBlocking = 1;

struct Location { // CUmemLocation
    int type = 1; ///< a device
    int number = 0;
};
struct Allocation { // CUmemAllocationProp
    int type = 1;   ///< pinned
    int shared_by = kDescriptor;
    Location location;
    void* of_other_systems = nullptr;
    unsigned char flags[8] = {};
};
struct Access { // CUmemAccessDesc
    Location location;
    int flags = kReadAndWrite;
};

struct Functions {
    int (*init)(unsigned) = nullptr;
    int (*device_count)(int*) = nullptr;
    int (*device_at)(int*, int) = nullptr;
    int (*device_uuid)(Uuid*, int) = nullptr;
    int (*retain)(Context**, int) = nullptr;
    int (*push)(Context*) = nullptr;
    int (*pop)(Context**) = nullptr;
    int (*granularity)(std::size_t*, const Allocation*, int) = nullptr;
    int (*create)(std::uint64_t*, std::size_t, const Allocation*, unsigned long long) = nullptr;
    int (*release)(std::uint64_t) = nullptr;
    int (*export_handle)(void*, std::uint64_t, int, unsigned long long) = nullptr;
    int (*import_handle)(std::uint64_t*, void*, int) = nullptr;
    int (*reserve)(Address*, std::size_t, std::size_t, Address, unsigned long long) = nullptr;
    int (*unreserve)(Address, std::size_t) = nullptr;
    int (*map)(Address, std::size_t, std::size_t, std::uint64_t, unsigned long long) = nullptr;
    int (*unmap)(Address, std::size_t) = nullptr;
    int (*set_access)(Address, std::size_t, const Access*, std::size_t) = nullptr;
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
               get(pop, "cuCtxPopCurrent_v2") &&
               get(granularity, "cuMemGetAllocationGranularity") && get(create, "cuMemCreate") &&
               get(release, "cuMemRelease") && get(export_handle, "cuMemExportToShareableHandle") &&
               get(import_handle, "cuMemImportFromShareableHandle") &&
               get(reserve, "cuMemAddressReserve") && get(unreserve, "cuMemAddressFree") &&
               get(map, "cuMemMap") && get(unmap, "cuMemUnmap") &&
               get(set_access, "cuMemSetAccess") && get(copy, "cuMemcpyDtoDAsync_v2") &&
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
        return made ? std::make_unique<Device>(cuda, candidate, context, stream) : nullptr;
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
    if (is_mapped_) cuda.unmap(address_, size_);
    if (address_ != 0) cuda.unreserve(address_, size_);
    if (handle_ != 0) cuda.release(handle_);
}

Result<void> Device::map(Memory& memory) const {
    auto ok = functions_.check(functions_.reserve(&memory.address_, memory.size_, 0, 0, 0),
                               "cuMemAddressReserve");
    if (!ok) return ok;
    ok = functions_.check(functions_.map(memory.address_, memory.size_, 0, memory.handle_, 0),
                          "cuMemMap");
    if (!ok) return ok;
    memory.is_mapped_ = true;
    const Access access{.location = {.number = number_}};
    return functions_.check(functions_.set_access(memory.address_, memory.size_, &access, 1),
                            "cuMemSetAccess");
}

Result<std::unique_ptr<Memory>> Device::allocate(std::uint64_t bytes) const {
    const Current current(*this);
    const Allocation wanted{.location = {.number = number_}};
    constexpr int kRecommended = 1;
    std::size_t unit = 1;
    auto ok = functions_.check(functions_.granularity(&unit, &wanted, kRecommended),
                               "cuMemGetAllocationGranularity");
    if (!ok) return propagate(std::move(ok));
    const std::uint64_t size = (bytes + unit - 1) / unit * unit;
    std::unique_ptr<Memory> memory(new Memory(*this, size));
    ok = functions_.check(functions_.create(&memory->handle_, size, &wanted, 0), "cuMemCreate");
    if (ok) ok = map(*memory);
    if (!ok) return propagate(std::move(ok));
    return memory;
}

Result<int> Device::descriptor_of(const Memory& memory) const {
    const Current current(*this);
    int descriptor = -1;
    auto ok =
        functions_.check(functions_.export_handle(&descriptor, memory.handle_, kDescriptor, 0),
                         "cuMemExportToShareableHandle");
    if (!ok) return propagate(std::move(ok));
    return descriptor;
}

Result<std::unique_ptr<Memory>> Device::open(int descriptor, std::uint64_t size) const {
    const Current current(*this);
    std::unique_ptr<Memory> memory(new Memory(*this, size));
    auto ok = functions_.check(
        functions_.import_handle(&memory->handle_,
                                 reinterpret_cast<void*>(static_cast<std::intptr_t>(descriptor)),
                                 kDescriptor),
        "cuMemImportFromShareableHandle");
    close(descriptor); // CUDA keeps what it is of
    if (ok) ok = map(*memory);
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
