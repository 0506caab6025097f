#include "gpu/peer/cuda_driver.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

namespace tuff::cuda {

// The binary interface of libcuda.so.1, as NVIDIA documents it; its headers are not needed.
using Device = int;
constexpr int kSuccess = 0;
constexpr int kPeerAccessEnabled = 704;
constexpr int kOpaqueDescriptor = 1;
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
    int (*device_at)(Device*, int) = nullptr;
    int (*device_uuid)(Uuid*, Device) = nullptr;
    int (*retain)(Context**, Device) = nullptr;
    int (*push)(Context*) = nullptr;
    int (*pop)(Context**) = nullptr;
    int (*enable_peer)(Context*, unsigned) = nullptr;
    int (*import)(void**, const ExternalHandle*) = nullptr;
    int (*map)(std::uint64_t*, void*, const ExternalRange*) = nullptr;
    int (*destroy)(void*) = nullptr;
    int (*free)(std::uint64_t) = nullptr;
    int (*copy)(std::uint64_t, Context*, std::uint64_t, Context*, std::size_t, Stream*) = nullptr;
    int (*make_stream)(Stream**, unsigned) = nullptr;
    int (*end_stream)(Stream*) = nullptr;
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
               get(pop, "cuCtxPopCurrent_v2") && get(enable_peer, "cuCtxEnablePeerAccess") &&
               get(import, "cuImportExternalMemory") &&
               get(map, "cuExternalMemoryGetMappedBuffer") &&
               get(destroy, "cuDestroyExternalMemory") && get(free, "cuMemFree_v2") &&
               get(copy, "cuMemcpyPeerAsync") && get(make_stream, "cuStreamCreate") &&
               get(end_stream, "cuStreamDestroy_v2") && get(wait, "cuStreamSynchronize") &&
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

namespace {

/// Makes a context that of the thread, for as long as this lives.
class Current {
  public:
    Current(const Functions& functions, Context* context) : functions_(functions) {
        pushed_ = functions_.push(context) == kSuccess;
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

std::unique_ptr<Driver> load() {
    void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    auto functions = std::make_unique<Functions>();
    if (!library || !functions->load(library) || functions->init(0) != kSuccess) return nullptr;
    return std::make_unique<Driver>(std::move(functions));
}

} // namespace

Memory::~Memory() {
    if (!context_) return;
    const Current current(functions_, context_);
    if (stream_) functions_.end_stream(stream_);
    if (address_ != 0) functions_.free(address_);
    if (external_) functions_.destroy(external_);
}

Driver::Driver(std::unique_ptr<Functions> functions) : functions_(std::move(functions)) {}
Driver::~Driver() = default;

Driver* Driver::find() {
    static const std::unique_ptr<Driver> driver = load();
    return driver.get();
}

/// The primary context of a device, which is kept until the process ends.
Result<Context*> Driver::context_of(const Uuid& device) {
    const std::lock_guard lock(mutex_);
    if (const auto found = contexts_.find(device); found != contexts_.end()) return found->second;
    int count = 0;
    functions_->device_count(&count);
    for (int i = 0; i < count; ++i) {
        Device candidate = 0;
        Uuid uuid{};
        if (functions_->device_at(&candidate, i) != kSuccess ||
            functions_->device_uuid(&uuid, candidate) != kSuccess || uuid != device)
            continue;
        Context* context = nullptr;
        auto ok =
            functions_->check(functions_->retain(&context, candidate), "cuDevicePrimaryCtxRetain");
        if (!ok) return propagate(std::move(ok));
        // In both directions, so that copies go straight from GPU to GPU; where one of them cannot,
        // CUDA goes through the host.
        for (const auto& [known, other] : contexts_) {
            const Current of_new(*functions_, context);
            functions_->enable_peer(other, 0);
            const Current of_other(*functions_, other);
            functions_->enable_peer(context, 0);
        }
        contexts_.emplace(device, context);
        return context;
    }
    return fail("gpu/external-mismatch", "CUDA does not see the GPU of another rank",
                "let CUDA_VISIBLE_DEVICES name all GPUs of the host, or send messages through MPI "
                "by --lend off");
}

Result<std::unique_ptr<Memory>> Driver::open(const Uuid& device, int descriptor,
                                             std::uint64_t bytes) {
    auto context = context_of(device);
    if (!context) {
        close(descriptor);
        return std::unexpected(std::move(context.error()));
    }
    std::unique_ptr<Memory> memory(new Memory(*functions_));
    memory->context_ = *context;
    const Current current(*functions_, *context);
    ExternalHandle handle{.bytes = bytes};
    handle.of.descriptor = descriptor;
    auto ok = functions_->check(functions_->import(&memory->external_, &handle),
                                "cuImportExternalMemory");
    if (!ok) {
        memory->external_ = nullptr;
        close(descriptor);
        return propagate(std::move(ok));
    }
    const ExternalRange whole{.bytes = bytes};
    ok = functions_->check(functions_->map(&memory->address_, memory->external_, &whole),
                           "cuExternalMemoryGetMappedBuffer");
    if (ok)
        ok = functions_->check(functions_->make_stream(&memory->stream_, kStreamNonBlocking),
                               "cuStreamCreate");
    if (!ok) return propagate(std::move(ok));
    return memory;
}

Result<void> Driver::copy(const Place& from, const Place& to, std::uint64_t bytes) const {
    const Current current(*functions_, to.memory.context_);
    auto ok = functions_->check(functions_->copy(to.memory.address_ + to.offset, to.memory.context_,
                                                 from.memory.address_ + from.offset,
                                                 from.memory.context_, bytes, to.memory.stream_),
                                "cuMemcpyPeerAsync");
    if (!ok) return ok;
    return functions_->check(functions_->wait(to.memory.stream_), "cuStreamSynchronize");
}

} // namespace tuff::cuda
