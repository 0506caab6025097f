// Devices that a host has made: what they need, and taking them over.

#include "gpu/device/device_impl.hpp"
#include "gpu/device/device_requirements.hpp"
#include "gpu/device/host_features.hpp"
#include "gpu/execute/acceleration.hpp"

#include <tuff/host.hpp>

#include <fmt/format.h>

namespace tuff {

struct DeviceNeeds::Impl {
    explicit Impl(VkPhysicalDevice device) : facts(device) {}

    DeviceFacts facts;
    FeatureChain features;
    std::vector<const char*> extensions;
};

namespace {

constexpr const char* kGiveHandles =
    "Tuff makes none when it adopts a device; Device::open makes all";

Diagnostic wrong(std::string message, std::string hint) {
    return {.code = "device/host", .message = std::move(message), .hint = std::move(hint)};
}

bool draws_and_computes(VkQueueFlags can) {
    return (can & VK_QUEUE_GRAPHICS_BIT) != 0 && (can & VK_QUEUE_COMPUTE_BIT) != 0;
}
bool computes(VkQueueFlags can) {
    return (can & VK_QUEUE_COMPUTE_BIT) != 0;
}
// Queues that draw or compute copy, whether or not they say so.
bool copies(VkQueueFlags can) {
    return (can & (VK_QUEUE_TRANSFER_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_GRAPHICS_BIT)) != 0;
}

/// A queue of the host's, and what it has to be able to do.
struct GivenQueue {
    const HostQueue* queue;
    std::string_view name;
    bool (*fits)(VkQueueFlags can);
    std::string_view work;
};

std::vector<GivenQueue> given_queues(const HostDevice& host) {
    std::vector<GivenQueue> all{{&host.queue, "queue", draws_and_computes, "draw and compute"}};
    if (host.compute) all.push_back({&*host.compute, "compute", computes, "compute"});
    if (host.transfer) all.push_back({&*host.transfer, "transfer", copies, "copy"});
    return all;
}

/// What is wrong with a queue; nothing where it is fine.
std::optional<Diagnostic> fault_of(const GivenQueue& given, const DeviceFacts& facts) {
    const HostQueue& queue = *given.queue;
    if (queue.handle == VK_NULL_HANDLE)
        return wrong(fmt::format("the host's \"{}\" has no handle", given.name),
                     "vkGetDeviceQueue returns it");
    if (queue.family >= facts.families.size())
        return wrong(fmt::format("the host's \"{}\" is of family {}, and there are {}", given.name,
                                 queue.family, facts.families.size()),
                     "give the family that the queue was taken from");
    if (!given.fits(facts.families[queue.family].queueFlags))
        return wrong(fmt::format("the host's \"{}\" is of family {}, which does not {}", given.name,
                                 queue.family, given.work),
                     "DeviceNeeds::queue_family() is one for \"queue\"");
    if (bool(queue.lock) != bool(queue.unlock))
        return wrong(
            fmt::format("the host's \"{}\" has one of \"lock\" and \"unlock\"", given.name),
            "give both, or none where one thread uses the queue");
    return std::nullopt;
}

void check_queues(const HostDevice& host, const DeviceFacts& facts, Diagnostics& mistakes) {
    const std::vector<GivenQueue> given = given_queues(host);
    for (std::size_t i = 0; i < given.size(); ++i) {
        if (auto fault = fault_of(given[i], facts)) {
            mistakes.push_back(std::move(*fault));
            continue;
        }
        for (std::size_t j = 0; j < i; ++j)
            if (given[i].queue->handle == given[j].queue->handle)
                mistakes.push_back(
                    wrong(fmt::format("the host's \"{}\" and \"{}\" are the same queue",
                                      given[j].name, given[i].name),
                          "leave the second one out"));
    }
}

void check_extensions(const HostDevice& host, const DeviceFacts& facts, Diagnostics& mistakes) {
    for (const std::string& name : host.extensions)
        if (!facts.extensions.contains(name))
            mistakes.push_back(
                wrong(fmt::format("the host lists the extension {}, which \"{}\" lacks", name,
                                  facts.properties.deviceName),
                      "list those that the device was made with"));
}

void check_allocator(const HostDevice& host, Diagnostics& mistakes) {
    const VkAllocationCallbacks* const allocator = host.allocator;
    if (!allocator) return;
    if (!allocator->pfnAllocation || !allocator->pfnReallocation || !allocator->pfnFree)
        mistakes.push_back(wrong("the host's \"allocator\" lacks a function",
                                 "give pfnAllocation, pfnReallocation and pfnFree"));
}

std::unique_ptr<DeviceQueue> adopt_queue(const HostQueue& host, const DeviceFacts& facts) {
    auto queue = make_queue(host.handle, host.family, facts);
    queue->mutex.share(host.lock, host.unlock);
    return queue;
}

} // namespace

DeviceNeeds::DeviceNeeds(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
DeviceNeeds::DeviceNeeds(DeviceNeeds&&) noexcept = default;
DeviceNeeds& DeviceNeeds::operator=(DeviceNeeds&&) noexcept = default;
DeviceNeeds::~DeviceNeeds() = default;

Result<DeviceNeeds> DeviceNeeds::of(VkInstance instance, VkPhysicalDevice physical_device) {
    if (instance == VK_NULL_HANDLE || physical_device == VK_NULL_HANDLE)
        return fail(wrong("the host gives no instance or physical device", kGiveHandles));
    auto adopted = Instance::adopt(instance, false, {});
    if (!adopted) return propagate(std::move(adopted));
    auto impl = std::make_unique<Impl>(physical_device);
    const DeviceReport tested = report(impl->facts, 0);
    if (tested.tier == DeviceTier::none) return std::unexpected(missing_features(tested));
    impl->extensions = enable_features(impl->facts, impl->features);
    impl->features.link({impl->extensions.begin(), impl->extensions.end()});
    return DeviceNeeds(std::move(impl));
}

const VkPhysicalDeviceFeatures2& DeviceNeeds::features() const {
    return impl_->features.core;
}

std::span<const char* const> DeviceNeeds::extensions() const {
    return impl_->extensions;
}

std::uint32_t DeviceNeeds::queue_family() const {
    return queue_families(impl_->facts).graphics;
}

Result<Device> adopt_device(const HostDevice& host) {
    if (host.instance == VK_NULL_HANDLE || host.physical_device == VK_NULL_HANDLE ||
        host.device == VK_NULL_HANDLE)
        return fail(wrong("the host gives no instance, physical device or device", kGiveHandles));
    if (!host.features)
        return fail(wrong("the host does not list the features that it turned on",
                          "\"features\" is the chain that the device was made with"));
    auto instance = Instance::adopt(host.instance, host.debug_names, host.on_message);
    if (!instance) return propagate(std::move(instance));

    DeviceFacts facts(host.physical_device);
    Diagnostics mistakes;
    check_queues(host, facts, mistakes);
    check_extensions(host, facts, mistakes);
    check_allocator(host, mistakes);
    if (!mistakes.empty()) return std::unexpected(std::move(mistakes));
    // From here on the device can what the host has turned on, and no more.
    facts.extensions = {host.extensions.begin(), host.extensions.end()};
    read_enabled_features(*host.features, facts.features);
    drop_without_extension(facts);
    const DeviceReport tested = report(facts, 0);
    if (tested.tier == DeviceTier::none) {
        Diagnostics missing = missing_features(tested);
        for (Diagnostic& one : missing)
            one.hint = "the host has to turn it on when it makes the device: see DeviceNeeds";
        return std::unexpected(std::move(missing));
    }

    auto impl = std::make_unique<DeviceImpl>();
    impl->instance = std::move(*instance);
    impl->physical = host.physical_device;
    impl->handle = host.device;
    impl->owned = false;
    impl->allocator = host.allocator;
    impl->caps = tested.caps;
    impl->caps.async_compute = host.compute.has_value();
    impl->caps.transfer_queue = host.transfer.has_value();
    impl->limits = facts.properties.limits;
    impl->memory = facts.memory;
    impl->graphics = adopt_queue(host.queue, facts);
    if (host.compute) impl->compute = adopt_queue(*host.compute, facts);
    if (host.transfer) impl->transfer = adopt_queue(*host.transfer, facts);
    if (auto ok = impl->complete(facts); !ok) return propagate(std::move(ok));
    if (impl->caps.acceleration_structures)
        impl->caps.acceleration_sizes = acceleration_sizes(*impl);
    return Device(std::move(impl));
}

} // namespace tuff
