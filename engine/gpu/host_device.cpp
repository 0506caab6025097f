// Devices that a host has made: what they need, and taking them over.

#include "gpu/acceleration.hpp"
#include "gpu/device_impl.hpp"
#include "gpu/device_requirements.hpp"
#include "gpu/host_features.hpp"

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

Diagnostic wrong(std::string message, std::string hint) {
    return {.code = "device/host", .message = std::move(message), .hint = std::move(hint)};
}

/// Appends what is wrong with a queue that is for work of all kinds in `flags`.
void check_queue(Diagnostics& mistakes, const HostQueue& queue, const DeviceFacts& facts,
                 std::string_view name, VkQueueFlags flags, std::string_view work) {
    if (queue.handle == VK_NULL_HANDLE) {
        mistakes.push_back(wrong(fmt::format("the host's \"{}\" has no handle", name), ""));
        return;
    }
    if (queue.family >= facts.families.size()) {
        mistakes.push_back(wrong(fmt::format("the host's \"{}\" is of family {}, and there are {}",
                                             name, queue.family, facts.families.size()),
                                 "give the family that the queue was taken from"));
        return;
    }
    if ((facts.families[queue.family].queueFlags & flags) != flags)
        mistakes.push_back(wrong(fmt::format("the host's \"{}\" is of family {}, which does not {}",
                                             name, queue.family, work),
                                 "DeviceNeeds::queue_family() is one for \"queue\""));
}

Diagnostics check_host(const HostDevice& host, const DeviceFacts& facts) {
    Diagnostics mistakes;
    check_queue(mistakes, host.queue, facts, "queue", VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT,
                "draw and compute");
    // Queues that compute copy, whether or not they say so.
    if (host.compute)
        check_queue(mistakes, *host.compute, facts, "compute", VK_QUEUE_COMPUTE_BIT, "compute");
    if (host.transfer && host.transfer->family < facts.families.size()) {
        const VkQueueFlags can = facts.families[host.transfer->family].queueFlags;
        const VkQueueFlags any =
            VK_QUEUE_TRANSFER_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_GRAPHICS_BIT;
        check_queue(mistakes, *host.transfer, facts, "transfer", can & any ? 0 : any, "copy");
    } else if (host.transfer) {
        check_queue(mistakes, *host.transfer, facts, "transfer", 0, "copy");
    }
    for (const auto* other : {&host.compute, &host.transfer})
        if (*other && (*other)->handle == host.queue.handle)
            mistakes.push_back(wrong("two of the host's queues are the same",
                                     "leave out what there is only one of"));
    return mistakes;
}

std::unique_ptr<DeviceQueue> adopt_queue(const HostQueue& host, const DeviceFacts& facts) {
    const VkQueueFamilyProperties& properties = facts.families[host.family];
    auto queue = std::make_unique<DeviceQueue>();
    queue->handle = host.handle;
    queue->family = host.family;
    queue->timestamp_bits = properties.timestampValidBits;
    queue->kernels = (properties.queueFlags & VK_QUEUE_COMPUTE_BIT) != 0;
    queue->mutex.share(host.lock, host.unlock);
    return queue;
}

} // namespace

DeviceNeeds::DeviceNeeds(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
DeviceNeeds::DeviceNeeds(DeviceNeeds&&) noexcept = default;
DeviceNeeds& DeviceNeeds::operator=(DeviceNeeds&&) noexcept = default;
DeviceNeeds::~DeviceNeeds() = default;

Result<DeviceNeeds> DeviceNeeds::of(VkInstance instance, VkPhysicalDevice physical_device) {
    auto adopted = Instance::adopt(instance, false);
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
        return fail(wrong("the host gives no instance, physical device or device", ""));
    if (!host.features)
        return fail(wrong("the host does not say which features it has turned on",
                          "\"features\" is the chain that the device was made with"));
    auto instance = Instance::adopt(host.instance, host.debug_names);
    if (!instance) return propagate(std::move(instance));

    // From here on the device can what the host has turned on, and no more.
    DeviceFacts facts(host.physical_device);
    facts.extensions = {host.extensions.begin(), host.extensions.end()};
    read_enabled_features(*host.features, facts.features);
    if (Diagnostics mistakes = check_host(host, facts); !mistakes.empty())
        return std::unexpected(std::move(mistakes));
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
    if (auto ok = impl->complete(); !ok) return propagate(std::move(ok));
    if (impl->caps.acceleration_structures)
        impl->caps.acceleration_sizes = acceleration_sizes(*impl);
    return Device(std::move(impl));
}

} // namespace tuff
