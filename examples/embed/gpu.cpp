#include "gpu.hpp"

#include <cstdio>
#include <stdexcept>

void must(VkResult result, const char* what) {
    if (result != VK_SUCCESS)
        throw std::runtime_error(std::string(what) + " failed: " + std::to_string(result));
}

namespace {

VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT,
                                          VkDebugUtilsMessageTypeFlagsEXT,
                                          const VkDebugUtilsMessengerCallbackDataEXT* data,
                                          void* count) {
    std::fprintf(stderr, "validation: %s\n", data->pMessage);
    ++*static_cast<int*>(count);
    return VK_FALSE;
}

template <typename Function>
Function instance_function(VkInstance instance, const char* name) {
    return reinterpret_cast<Function>(vkGetInstanceProcAddr(instance, name));
}

} // namespace

Gpu::Gpu(const Wishes& wishes) {
    make_instance(wishes);
    make_device(wishes);
    vkGetDeviceQueue(device, family, 0, &queue);
}

Gpu::~Gpu() {
    vkDestroyDevice(device, nullptr);
    if (messenger_ != VK_NULL_HANDLE)
        instance_function<PFN_vkDestroyDebugUtilsMessengerEXT>(
            instance, "vkDestroyDebugUtilsMessengerEXT")(instance, messenger_, nullptr);
    vkDestroyInstance(instance, nullptr);
}

void Gpu::make_instance(const Wishes& wishes) {
    std::vector<const char*> names = wishes.instance_extensions;
    const char* const layer = "VK_LAYER_KHRONOS_validation";
    if (wishes.validation) names.push_back(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
    VkApplicationInfo application{.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                  .pApplicationName = "city",
                                  .apiVersion = VK_API_VERSION_1_3};
    const VkValidationFeatureEnableEXT checks[] = {
        VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT};
    const VkValidationFeaturesEXT validation{.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
                                             .enabledValidationFeatureCount = 1,
                                             .pEnabledValidationFeatures = checks};
    VkInstanceCreateInfo info{.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                              .pNext = wishes.validation ? &validation : nullptr,
                              .pApplicationInfo = &application,
                              .enabledLayerCount = wishes.validation ? 1u : 0u,
                              .ppEnabledLayerNames = &layer,
                              .enabledExtensionCount = static_cast<std::uint32_t>(names.size()),
                              .ppEnabledExtensionNames = names.data()};
    must(vkCreateInstance(&info, nullptr, &instance), "vkCreateInstance");
    if (!wishes.validation) return;
    const VkDebugUtilsMessengerCreateInfoEXT listen{
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                           VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
        .pfnUserCallback = on_message,
        .pUserData = &messages};
    must(instance_function<PFN_vkCreateDebugUtilsMessengerEXT>(
             instance, "vkCreateDebugUtilsMessengerEXT")(instance, &listen, nullptr, &messenger_),
         "vkCreateDebugUtilsMessengerEXT");
}

void Gpu::make_device(const Wishes& wishes) {
    std::uint32_t count = 0;
    must(vkEnumeratePhysicalDevices(instance, &count, nullptr), "vkEnumeratePhysicalDevices");
    std::vector<VkPhysicalDevice> devices(count);
    must(vkEnumeratePhysicalDevices(instance, &count, devices.data()),
         "vkEnumeratePhysicalDevices");

    // The first device that can do what Tuff needs; a game would have wishes of its own as well.
    tuff::Diagnostics why;
    for (const VkPhysicalDevice candidate : devices) {
        auto found = tuff::DeviceNeeds::of(instance, candidate);
        if (!found) {
            why = std::move(found.error());
            continue;
        }
        physical = candidate;
        needs_.emplace(std::move(*found));
        break;
    }
    if (!needs_) throw std::runtime_error("no device will do\n" + tuff::to_string(why));

    family = needs_->queue_family();
    std::vector<const char*> names(needs_->extensions().begin(), needs_->extensions().end());
    if (wishes.presents) names.push_back(VK_KHR_SWAPCHAIN_EXTENSION_NAME);
    const float priority = 1.0f;
    const VkDeviceQueueCreateInfo queue_info{.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                             .queueFamilyIndex = family,
                                             .queueCount = 1,
                                             .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info{.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                  .pNext = &needs_->features(),
                                  .queueCreateInfoCount = 1,
                                  .pQueueCreateInfos = &queue_info,
                                  .enabledExtensionCount = static_cast<std::uint32_t>(names.size()),
                                  .ppEnabledExtensionNames = names.data()};
    must(vkCreateDevice(physical, &info, nullptr, &device), "vkCreateDevice");
    extensions.assign(names.begin(), names.end());
}

std::uint32_t Gpu::memory_type(std::uint32_t allowed, VkMemoryPropertyFlags wanted) const {
    VkPhysicalDeviceMemoryProperties memory{};
    vkGetPhysicalDeviceMemoryProperties(physical, &memory);
    for (std::uint32_t i = 0; i < memory.memoryTypeCount; ++i)
        if ((allowed >> i & 1u) != 0 && (memory.memoryTypes[i].propertyFlags & wanted) == wanted)
            return i;
    throw std::runtime_error("no memory of the wanted kind");
}

GpuImage::GpuImage(const Gpu& gpu, VkFormat format, VkExtent2D extent, VkImageUsageFlags usage,
                   VkImageAspectFlags aspect)
    : info{.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
           .imageType = VK_IMAGE_TYPE_2D,
           .format = format,
           .extent = {extent.width, extent.height, 1},
           .mipLevels = 1,
           .arrayLayers = 1,
           .samples = VK_SAMPLE_COUNT_1_BIT,
           .usage = usage},
      gpu_(gpu) {
    must(vkCreateImage(gpu.device, &info, nullptr, &handle), "vkCreateImage");
    VkMemoryRequirements needs{};
    vkGetImageMemoryRequirements(gpu.device, handle, &needs);
    const VkMemoryAllocateInfo allocate{
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = needs.size,
        .memoryTypeIndex =
            gpu.memory_type(needs.memoryTypeBits, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT)};
    must(vkAllocateMemory(gpu.device, &allocate, nullptr, &memory_), "vkAllocateMemory");
    must(vkBindImageMemory(gpu.device, handle, memory_, 0), "vkBindImageMemory");
    const VkImageViewCreateInfo view_info{.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                          .image = handle,
                                          .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                          .format = format,
                                          .subresourceRange = {aspect, 0, 1, 0, 1}};
    must(vkCreateImageView(gpu.device, &view_info, nullptr, &view), "vkCreateImageView");
}

GpuImage::~GpuImage() {
    vkDestroyImageView(gpu_.device, view, nullptr);
    vkDestroyImage(gpu_.device, handle, nullptr);
    vkFreeMemory(gpu_.device, memory_, nullptr);
}
