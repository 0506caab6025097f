#include "core/lower_case.hpp"
#include "gpu/device/device_impl.hpp"
#include "gpu/device/device_requirements.hpp"
#include "gpu/execute/acceleration.hpp"

#include <tuff/device.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <limits>

namespace tuff {
namespace {

using Facts = std::unique_ptr<DeviceFacts>;

bool is_swiftshader(const DeviceFacts& facts) {
    return lower_case(facts.properties.deviceName).starts_with("swiftshader");
}
bool is_lavapipe(const DeviceFacts& facts) {
    return lower_case(facts.properties.deviceName).starts_with("llvmpipe");
}
bool is_software(const DeviceFacts& facts) {
    return facts.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
}

/// Mesa 22.3 keeps copies of kernels whose loops depend on parameters; 25.0 does not.
bool keeps_memory(const DeviceFacts& facts) {
    constexpr int kFirstGoodMesa = 25;
    constexpr std::string_view kMesa = "Mesa ";
    const std::string_view info = facts.v12.driverInfo;
    if (!is_lavapipe(facts) || !info.starts_with(kMesa)) return false;
    int version = 0;
    (void)std::from_chars(info.data() + kMesa.size(), info.data() + info.size(), version);
    return version < kFirstGoodMesa;
}

/// The lower the better. Devices that cannot be opened come after all that can.
int preference(const DeviceFacts& facts, std::uint64_t executions) {
    const int unfit = report(facts, 0).tier == DeviceTier::none ? 100 : 0;
    const bool few = executions > 0 && executions <= kFewExecutions;
    if (is_lavapipe(facts)) return unfit + (keeps_memory(facts) && !few ? 6 : 4);
    if (is_swiftshader(facts)) return unfit + 5;
    switch (facts.properties.deviceType) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU: return unfit + 0;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU: return unfit + 1;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU: return unfit + 2;
    case VK_PHYSICAL_DEVICE_TYPE_OTHER: return unfit + 3;
    default: return unfit + 7;
    }
}

/// Loads a single driver where the request names one: quicker, and deaf to what other drivers
/// print.
DriverSet drivers_for(std::string_view select) {
    if (select == "swiftshader") return DriverSet::swiftshader;
    if (select == "lavapipe") return DriverSet::lavapipe;
    return DriverSet::all;
}

std::optional<std::size_t> parse_index(std::string_view text) {
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
    if (error == std::errc::result_out_of_range) return std::numeric_limits<std::size_t>::max();
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return index;
}

Diagnostic unknown_device(std::string_view select, const std::vector<Facts>& devices) {
    std::string known;
    for (std::size_t i = 0; i < devices.size(); ++i)
        known +=
            fmt::format("{}{} \"{}\"", i == 0 ? "" : ", ", i, devices[i]->properties.deviceName);
    std::string hint = fmt::format("the devices are: {}", known);
    if (select == "swiftshader")
        hint += "; SwiftShader comes with the package chromium-common, or set TUFF_SWIFTSHADER_ICD "
                "to the full path of its vk_swiftshader_icd.json";
    if (select == "lavapipe") hint += "; lavapipe comes with the package mesa-vulkan-drivers";
    return {.code = "device/unknown",
            .severity = Severity::error,
            .message = fmt::format("no device matches \"{}\"", select),
            .where = {},
            .hint = hint};
}

/// Index into `devices` of what the request asks for.
Result<std::size_t> choose(const DeviceRequest& request, const std::vector<Facts>& devices) {
    const std::string_view select = request.select;
    if (const auto index = parse_index(select)) {
        if (*index < devices.size()) return *index;
        return fail(unknown_device(select, devices));
    }
    const auto matches = [select](const DeviceFacts& facts) {
        if (select == "auto") return true;
        if (select == "gpu") return !is_software(facts);
        if (select == "swiftshader") return is_swiftshader(facts);
        if (select == "lavapipe") return is_lavapipe(facts);
        return !select.empty() &&
               lower_case(facts.properties.deviceName).contains(lower_case(select));
    };
    const bool ranked = select == "auto" || select == "gpu";
    std::optional<std::size_t> best;
    int best_rank = std::numeric_limits<int>::max();
    for (std::size_t i = 0; i < devices.size(); ++i) {
        if (!matches(*devices[i])) continue;
        const int rank = ranked ? preference(*devices[i], request.executions) : 0;
        if (rank >= best_rank) continue;
        best = i;
        best_rank = rank;
    }
    if (best) return *best;
    return fail(unknown_device(select, devices));
}

Result<std::vector<Facts>> gather(const Instance& instance) {
    auto handles = instance.physical_devices();
    if (!handles) return propagate(std::move(handles));
    std::vector<Facts> devices;
    for (VkPhysicalDevice handle : *handles)
        devices.push_back(std::make_unique<DeviceFacts>(handle));
    return devices;
}

Result<std::vector<const char*>> extensions_for(const DeviceRequest& request,
                                                const DeviceFacts& facts,
                                                std::vector<const char*> extensions) {
    Diagnostics missing;
    for (const std::string& name : request.device_extensions) {
        extensions.push_back(name.c_str());
        if (facts.extensions.contains(name)) continue;
        missing.push_back({.code = "device/missing-extension",
                           .severity = Severity::error,
                           .message = fmt::format("device \"{}\" lacks the extension {}",
                                                  facts.properties.deviceName, name),
                           .where = {},
                           .hint = {}});
    }
    if (!missing.empty()) return std::unexpected(std::move(missing));
    return extensions;
}

std::unique_ptr<DeviceQueue> get_queue(const DeviceImpl& device, const DeviceFacts& facts,
                                       std::uint32_t family) {
    if (family == ~0u) return nullptr;
    VkQueue handle = VK_NULL_HANDLE;
    device.vk.vkGetDeviceQueue(device.handle, family, 0, &handle);
    return make_queue(handle, family, facts);
}

/// Creates the logical device, its queues and its pipeline cache in `device`.
Result<void> create_device(DeviceImpl& device, const DeviceRequest& request,
                           const DeviceFacts& facts) {
    FeatureChain wanted;
    auto extensions = extensions_for(request, facts, enable_features(facts, wanted));
    if (!extensions) return propagate(std::move(extensions));
    wanted.link({extensions->begin(), extensions->end()});

    const QueueFamilies families = queue_families(facts);
    const float priority = 1.0f;
    std::vector<VkDeviceQueueCreateInfo> queues;
    for (const std::uint32_t family : {families.graphics, families.compute, families.transfer}) {
        if (family == ~0u) continue;
        VkDeviceQueueCreateInfo queue{};
        queue.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
        queue.queueFamilyIndex = family;
        queue.queueCount = 1;
        queue.pQueuePriorities = &priority;
        queues.push_back(queue);
    }
    VkDeviceCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
    info.pNext = &wanted.core;
    info.queueCreateInfoCount = static_cast<std::uint32_t>(queues.size());
    info.pQueueCreateInfos = queues.data();
    info.enabledExtensionCount = static_cast<std::uint32_t>(extensions->size());
    info.ppEnabledExtensionNames = extensions->data();
    const VkResult created = vkCreateDevice(facts.handle, &info, nullptr, &device.handle);
    if (auto ok = check(created, "vkCreateDevice"); !ok) return ok;
    if (auto ok = device.complete(facts); !ok) return ok;

    device.graphics = get_queue(device, facts, families.graphics);
    device.compute = get_queue(device, facts, families.compute);
    device.transfer = get_queue(device, facts, families.transfer);
    if (request.queues == QueueSource::emulated) {
        device.emulates_queues = true;
        device.caps.async_compute = device.caps.transfer_queue = true;
    }
    return {};
}

} // namespace

std::string_view to_string(DeviceType type) {
    switch (type) {
    case DeviceType::other: return "other";
    case DeviceType::integrated: return "integrated GPU";
    case DeviceType::discrete: return "discrete GPU";
    case DeviceType::virtual_gpu: return "virtual GPU";
    case DeviceType::cpu: return "software";
    }
    return "unknown";
}

std::string_view to_string(DeviceTier tier) {
    return tier == DeviceTier::core ? "core" : "none";
}

std::string version_string(std::uint32_t api_version) {
    return fmt::format("{}.{}.{}", VK_API_VERSION_MAJOR(api_version),
                       VK_API_VERSION_MINOR(api_version), VK_API_VERSION_PATCH(api_version));
}

std::string default_device_selection() {
    const char* value = std::getenv("TUFF_DEVICE");
    return value && *value ? value : "auto";
}

Result<std::vector<DeviceReport>> list_devices() {
    auto instance = Instance::create({});
    if (!instance) return propagate(std::move(instance));
    auto devices = gather(**instance);
    if (!devices) return propagate(std::move(devices));
    std::vector<DeviceReport> reports;
    for (const Facts& facts : *devices)
        reports.push_back(report(*facts, static_cast<std::uint32_t>(reports.size())));
    return reports;
}

Result<Device> Device::open(const DeviceRequest& request) {
    auto instance = Instance::create({.drivers = drivers_for(request.select),
                                      .validation = request.validation,
                                      .debug_utils = request.debug_names,
                                      .extensions = request.instance_extensions,
                                      .on_message = request.on_message,
                                      .on_print = request.on_print});
    if (!instance) return propagate(std::move(instance));
    auto devices = gather(**instance);
    if (!devices) return propagate(std::move(devices));
    const auto chosen = choose(request, *devices);
    if (!chosen) return std::unexpected(chosen.error());
    const DeviceFacts& facts = *(*devices)[*chosen];
    const DeviceReport tested = report(facts, static_cast<std::uint32_t>(*chosen));
    if (tested.tier == DeviceTier::none) return std::unexpected(missing_features(tested));

    auto impl = std::make_unique<DeviceImpl>();
    impl->instance = std::move(*instance);
    impl->physical = facts.handle;
    impl->caps = tested.caps;
    impl->limits = facts.properties.limits;
    impl->memory = facts.memory;
    if (!request.null_descriptors) impl->caps.null_descriptors = false;
    if (auto created = create_device(*impl, request, facts); !created)
        return propagate(std::move(created));
    if (impl->caps.acceleration_structures)
        impl->caps.acceleration_sizes = acceleration_sizes(*impl);
    return Device(std::move(impl));
}

Device::Device(std::unique_ptr<DeviceImpl> impl) : impl_(std::move(impl)) {}
Device::Device(Device&&) noexcept = default;
Device& Device::operator=(Device&&) noexcept = default;
Device::~Device() = default;

const DeviceCaps& Device::caps() const {
    return impl_->caps;
}

std::vector<std::string> Device::validation_messages() const {
    return impl_->instance->messages().texts();
}

Result<void> Device::wait_idle() const {
    // vkDeviceWaitIdle counts as a use of every queue.
    std::unique_lock<QueueLock> locks[3];
    DeviceQueue* const queues[] = {impl_->graphics.get(), impl_->compute.get(),
                                   impl_->transfer.get()};
    for (std::size_t i = 0; i < std::size(queues); ++i)
        if (queues[i]) locks[i] = std::unique_lock(queues[i]->mutex);
    return check(impl_->vk.vkDeviceWaitIdle(impl_->handle), "vkDeviceWaitIdle");
}

} // namespace tuff
