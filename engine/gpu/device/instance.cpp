#include "gpu/device/instance.hpp"

#include "gpu/device/loader.hpp"
#include "gpu/device/vulkan_result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

namespace tuff {
namespace {

constexpr const char* kValidationLayer = "VK_LAYER_KHRONOS_validation";
/// Room for what the kernels of one submission print.
constexpr const char* kPrintBytes = "4194304";

/// Volk keeps its instance functions, and the loader its driver search, in memory of the whole
/// process; whoever creates an instance holds this.
std::mutex& process_mutex() {
    static std::mutex mutex;
    return mutex;
}

/// Gives volk its functions of instances. The engine uses those of Vulkan 1.3 itself, which are the
/// loader's own and the same for all instances, and other threads may be calling them: they are
/// written once.
void load_functions(VkInstance instance) {
    if (!vkGetPhysicalDeviceToolProperties) volkLoadInstanceOnly(instance);
}

/// The layer advises against copying from an image in the general layout. Plans do it where the
/// same contents are copied and sampled: a transition between the two would cost more.
bool is_layout_advice(VkDebugUtilsMessageTypeFlagsEXT type,
                      const VkDebugUtilsMessengerCallbackDataEXT& data) {
    return (type & VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT) != 0 && data.pMessageIdName &&
           std::strstr(data.pMessageIdName, "InvalidImageLayout") != nullptr;
}

/// What a kernel printed: the layer's message has it behind its own words, "... | MessageID = 0x9 |
/// ...".
std::string_view printed_text(std::string_view message) {
    const std::size_t id = message.find("MessageID = ");
    const std::size_t bar = id == message.npos ? id : message.find(" | ", id);
    return bar == message.npos ? message : message.substr(bar + 3);
}

VKAPI_ATTR VkBool32 VKAPI_CALL on_debug_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                                VkDebugUtilsMessageTypeFlagsEXT type,
                                                const VkDebugUtilsMessengerCallbackDataEXT* data,
                                                void* user) {
    auto& log = *static_cast<MessageLog*>(user);
    const bool printed =
        data->pMessageIdName && std::strstr(data->pMessageIdName, "DEBUG-PRINTF") != nullptr;
    if (printed) log.print(printed_text(data->pMessage));
    if (printed || severity < VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT ||
        is_layout_advice(type, *data))
        return VK_FALSE;
    log.add(data->pMessage);
    return VK_FALSE;
}

VkDebugUtilsMessengerCreateInfoEXT messenger_info(MessageLog& log, bool prints) {
    VkDebugUtilsMessengerCreateInfoEXT info{};
    info.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT;
    info.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                           VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
    if (prints) info.messageSeverity |= VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT;
    // Messages of type "general" come from the loader and speak of other drivers' troubles.
    info.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
                       VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT;
    info.pfnUserCallback = on_debug_message;
    info.pUserData = &log;
    return info;
}

Diagnostic no_driver() {
    return {.code = "device/no-driver",
            .severity = Severity::error,
            .message = "no Vulkan driver offers a device",
            .where = {},
            .hint = "install a GPU's driver, or a software one (mesa-vulkan-drivers for lavapipe, "
                    "chromium-common for SwiftShader); if VK_DRIVER_FILES or VK_ICD_FILENAMES is "
                    "set, check its path"};
}

bool layer_installed() {
    std::uint32_t count = 0;
    if (vkEnumerateInstanceLayerProperties(&count, nullptr) != VK_SUCCESS) return false;
    std::vector<VkLayerProperties> layers(count);
    if (vkEnumerateInstanceLayerProperties(&count, layers.data()) < VK_SUCCESS) return false;
    return std::ranges::any_of(layers, [](const VkLayerProperties& layer) {
        return std::strcmp(layer.layerName, kValidationLayer) == 0;
    });
}

std::vector<std::string> instance_extensions(const char* layer) {
    std::uint32_t count = 0;
    if (vkEnumerateInstanceExtensionProperties(layer, &count, nullptr) != VK_SUCCESS) return {};
    std::vector<VkExtensionProperties> found(count);
    if (vkEnumerateInstanceExtensionProperties(layer, &count, found.data()) < VK_SUCCESS) return {};
    std::vector<std::string> names;
    for (const VkExtensionProperties& extension : found)
        names.push_back(extension.extensionName);
    return names;
}

Result<void> check_loader() {
    const bool loaded = volkGetInstanceVersion() != 0;
    if (!loaded && !load_vulkan_loader())
        return fail("device/no-loader", "the Vulkan loader (libvulkan) is not installed",
                    "install the package libvulkan1");
    if (volkGetInstanceVersion() < VK_API_VERSION_1_3)
        return fail("device/no-loader",
                    fmt::format("the Vulkan loader is of version {}, 1.3 is needed",
                                version_string(volkGetInstanceVersion())),
                    "install a newer libvulkan1");
    return {};
}

Result<void> check_extensions(const std::vector<std::string>& wanted) {
    const std::vector<std::string> available = instance_extensions(nullptr);
    Diagnostics missing;
    for (const std::string& name : wanted) {
        if (std::ranges::find(available, name) != available.end()) continue;
        missing.push_back({.code = "device/missing-extension",
                           .severity = Severity::error,
                           .message = fmt::format("Vulkan lacks the instance extension {}", name),
                           .where = {},
                           .hint = {}});
    }
    if (!missing.empty()) return std::unexpected(std::move(missing));
    return {};
}

Instance::DebugUtils load_debug_utils(VkInstance instance) {
    const auto load = [&]<typename Function>(Function& function, const char* name) {
        function = reinterpret_cast<Function>(vkGetInstanceProcAddr(instance, name));
    };
    Instance::DebugUtils functions;
    load(functions.create_messenger, "vkCreateDebugUtilsMessengerEXT");
    load(functions.destroy_messenger, "vkDestroyDebugUtilsMessengerEXT");
    load(functions.set_object_name, "vkSetDebugUtilsObjectNameEXT");
    load(functions.begin_label, "vkCmdBeginDebugUtilsLabelEXT");
    load(functions.end_label, "vkCmdEndDebugUtilsLabelEXT");
    return functions;
}

bool has_debug_utils() {
    const std::vector<std::string> known = instance_extensions(nullptr);
    return std::ranges::find(known, VK_EXT_DEBUG_UTILS_EXTENSION_NAME) != known.end();
}

/// Whether a tool of any of these purposes is active.
bool has_tool(VkInstance instance, VkPhysicalDevice device, VkToolPurposeFlags purposes) {
    // Older layers answer to the extension's name alone.
    for (const char* name :
         {"vkGetPhysicalDeviceToolProperties", "vkGetPhysicalDeviceToolPropertiesEXT"}) {
        const auto tools_of = reinterpret_cast<PFN_vkGetPhysicalDeviceToolProperties>(
            vkGetInstanceProcAddr(instance, name));
        std::uint32_t count = 0;
        if (!tools_of || tools_of(device, &count, nullptr) != VK_SUCCESS) continue;
        VkPhysicalDeviceToolProperties empty{};
        empty.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TOOL_PROPERTIES;
        std::vector<VkPhysicalDeviceToolProperties> tools(count, empty);
        if (tools_of(device, &count, tools.data()) < VK_SUCCESS) continue;
        tools.resize(count);
        const auto serves = [purposes](const VkPhysicalDeviceToolProperties& tool) {
            return (tool.purposes & purposes) != 0;
        };
        if (std::ranges::any_of(tools, serves)) return true;
    }
    return false;
}

/// Whether a layer or a capture tool says that it makes something of names and labels.
bool tool_listens(VkInstance instance) {
    constexpr VkToolPurposeFlags kListening =
        VK_TOOL_PURPOSE_PROFILING_BIT | VK_TOOL_PURPOSE_TRACING_BIT |
        VK_TOOL_PURPOSE_DEBUG_REPORTING_BIT_EXT | VK_TOOL_PURPOSE_DEBUG_MARKERS_BIT_EXT;
    std::uint32_t count = 0;
    if (vkEnumeratePhysicalDevices(instance, &count, nullptr) != VK_SUCCESS) return false;
    std::vector<VkPhysicalDevice> devices(count);
    if (vkEnumeratePhysicalDevices(instance, &count, devices.data()) < VK_SUCCESS) return false;
    return std::ranges::any_of(devices, [&](VkPhysicalDevice device) {
        VkPhysicalDeviceProperties properties;
        vkGetPhysicalDeviceProperties(device, &properties);
        return properties.apiVersion >= VK_API_VERSION_1_3 &&
               has_tool(instance, device, kListening);
    });
}

} // namespace

void MessageLog::add(std::string text) {
    const std::lock_guard lock(mutex_);
    if (sink_) sink_(text);
    texts_.push_back(std::move(text));
}

void MessageLog::print(std::string_view text) {
    const std::lock_guard lock(mutex_);
    if (printed_) printed_(text);
}

std::vector<std::string> MessageLog::texts() const {
    const std::lock_guard lock(mutex_);
    return texts_;
}

Instance::Instance(MessageSink on_message, MessageSink on_print)
    : log_(std::make_unique<MessageLog>(std::move(on_message), std::move(on_print))) {}

Result<std::unique_ptr<Instance>> Instance::create(InstanceOptions options) {
    const std::lock_guard lock(process_mutex());
    const ScopedDriverSearch search(options.drivers);
    if (auto loader = check_loader(); !loader) return propagate(std::move(loader));
    const bool prints = static_cast<bool>(options.on_print);
    const bool layer = options.validation || prints;
    if (layer && !layer_installed())
        return fail("device/no-validation-layer",
                    fmt::format("{}, but {} is not installed",
                                options.validation ? "validation was asked for"
                                                   : "what kernels print was asked for",
                                kValidationLayer),
                    "install the package vulkan-validationlayers");
    // A capture tool that listens wants names and labels; whether there is one only the devices of
    // the instance say.
    const bool may_label = layer || options.debug_utils || has_debug_utils();
    if (may_label) options.extensions.emplace_back(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
    if (auto known = check_extensions(options.extensions); !known)
        return propagate(std::move(known));

    std::vector<const char*> extensions;
    for (const std::string& name : options.extensions)
        extensions.push_back(name.c_str());
    // The layer's own extension, hence not in the list checked above.
    if (layer) extensions.push_back(VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME);

    std::unique_ptr<Instance> instance(
        new Instance(std::move(options.on_message), std::move(options.on_print)));
    std::vector<VkValidationFeatureEnableEXT> enabled;
    if (options.validation)
        enabled.push_back(VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT);
    if (prints) {
        enabled.push_back(VK_VALIDATION_FEATURE_ENABLE_DEBUG_PRINTF_EXT);
        setenv("DEBUG_PRINTF_BUFFER_SIZE", kPrintBytes, 0); // the layer's own has room for little
    }
    // Where only prints are asked for, the layer checks nothing.
    const std::array disabled = {VK_VALIDATION_FEATURE_DISABLE_CORE_CHECKS_EXT,
                                 VK_VALIDATION_FEATURE_DISABLE_API_PARAMETERS_EXT,
                                 VK_VALIDATION_FEATURE_DISABLE_OBJECT_LIFETIMES_EXT,
                                 VK_VALIDATION_FEATURE_DISABLE_THREAD_SAFETY_EXT};
    // Chained to the instance's creation, the messenger also hears of its creation and destruction.
    const VkDebugUtilsMessengerCreateInfoEXT messenger = messenger_info(*instance->log_, prints);
    VkValidationFeaturesEXT validation{};
    validation.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT;
    validation.pNext = &messenger;
    validation.enabledValidationFeatureCount = static_cast<std::uint32_t>(enabled.size());
    validation.pEnabledValidationFeatures = enabled.data();
    if (!options.validation) {
        validation.disabledValidationFeatureCount = static_cast<std::uint32_t>(disabled.size());
        validation.pDisabledValidationFeatures = disabled.data();
    }

    VkApplicationInfo application{};
    application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
    application.pEngineName = "tuff";
    application.apiVersion = VK_API_VERSION_1_3;

    VkInstanceCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
    info.pNext = layer ? &validation : nullptr;
    info.pApplicationInfo = &application;
    info.enabledLayerCount = layer ? 1u : 0u;
    info.ppEnabledLayerNames = &kValidationLayer;
    info.enabledExtensionCount = static_cast<std::uint32_t>(extensions.size());
    info.ppEnabledExtensionNames = extensions.data();
    const VkResult created = vkCreateInstance(&info, nullptr, &instance->handle_);
    if (created == VK_ERROR_INCOMPATIBLE_DRIVER) return fail(no_driver());
    if (auto ok = check(created, "vkCreateInstance"); !ok) return propagate(std::move(ok));
    load_functions(instance->handle_);
    if (layer || options.debug_utils || (may_label && tool_listens(instance->handle_)))
        instance->debug_utils_ = load_debug_utils(instance->handle_);

    if (layer) {
        const VkResult listening = instance->debug_utils_.create_messenger(
            instance->handle_, &messenger, nullptr, &instance->messenger_);
        if (auto ok = check(listening, "vkCreateDebugUtilsMessengerEXT"); !ok)
            return propagate(std::move(ok));
    }
    return instance;
}

Result<std::unique_ptr<Instance>> Instance::adopt(VkInstance handle, bool debug_utils,
                                                  MessageSink on_message) {
    const std::lock_guard lock(process_mutex());
    if (auto loader = check_loader(); !loader) return propagate(std::move(loader));
    std::unique_ptr<Instance> instance(new Instance(std::move(on_message), {}));
    instance->handle_ = handle;
    instance->owned_ = false;
    load_functions(handle);
    if (debug_utils) instance->debug_utils_ = load_debug_utils(handle);
    return instance;
}

bool Instance::validates(VkPhysicalDevice device) const {
    return has_tool(handle_, device, VK_TOOL_PURPOSE_VALIDATION_BIT);
}

Instance::~Instance() {
    if (handle_ == VK_NULL_HANDLE || !owned_) return;
    if (messenger_ != VK_NULL_HANDLE) debug_utils_.destroy_messenger(handle_, messenger_, nullptr);
    vkDestroyInstance(handle_, nullptr);
}

Result<std::vector<VkPhysicalDevice>> Instance::physical_devices() const {
    std::uint32_t count = 0;
    const VkResult counted = vkEnumeratePhysicalDevices(handle_, &count, nullptr);
    // Drivers without their hardware make the loader answer "initialisation failed".
    if (counted == VK_ERROR_INITIALIZATION_FAILED || (counted >= VK_SUCCESS && count == 0))
        return fail(no_driver());
    if (auto ok = check(counted, "vkEnumeratePhysicalDevices"); !ok)
        return propagate(std::move(ok));
    std::vector<VkPhysicalDevice> devices(count);
    const VkResult listed = vkEnumeratePhysicalDevices(handle_, &count, devices.data());
    if (auto ok = check(listed, "vkEnumeratePhysicalDevices"); !ok) return propagate(std::move(ok));
    devices.resize(count);
    return devices;
}

} // namespace tuff
