// A Vulkan layer for tests. RenderDoc shows devices without bufferDeviceAddressCaptureReplay as
// ones of Vulkan 1.2, software devices among them. Below RenderDoc this layer says that they have
// the feature, and does not turn it on: what uses no buffer addresses is captured all the same.

#include "tests/layers/chain.hpp"

#include <cstring>
#include <map>
#include <mutex>

namespace {

using tuff::test::key_of;
using tuff::test::link_of;

std::mutex mutex;
PFN_vkGetInstanceProcAddr next_instance_function = nullptr;
PFN_vkGetPhysicalDeviceFeatures2 next_features = nullptr;
VkInstance instance = VK_NULL_HANDLE;                      ///< the last one; tests have one
std::map<void*, PFN_vkGetDeviceProcAddr> device_functions; ///< by dispatch table

VkPhysicalDeviceVulkan12Features* features12(void* chain) {
    for (auto* s = static_cast<VkBaseOutStructure*>(chain); s; s = s->pNext)
        if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES)
            return reinterpret_cast<VkPhysicalDeviceVulkan12Features*>(s);
    return nullptr;
}

VKAPI_ATTR VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo* info,
                                               const VkAllocationCallbacks* allocator,
                                               VkInstance* made) {
    auto* const link = link_of<VkLayerInstanceCreateInfo>(
        info->pNext, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO);
    if (!link) return VK_ERROR_INITIALIZATION_FAILED;
    const std::lock_guard lock(mutex);
    next_instance_function = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    const auto create = reinterpret_cast<PFN_vkCreateInstance>(
        next_instance_function(VK_NULL_HANDLE, "vkCreateInstance"));
    const VkResult result = create(info, allocator, made);
    if (result != VK_SUCCESS) return result;
    instance = *made;
    // Later the loader would answer with the first layer's, which is this one's.
    next_features = reinterpret_cast<PFN_vkGetPhysicalDeviceFeatures2>(
        next_instance_function(instance, "vkGetPhysicalDeviceFeatures2"));
    return result;
}

VKAPI_ATTR void VKAPI_CALL get_features(VkPhysicalDevice device,
                                        VkPhysicalDeviceFeatures2* features) {
    next_features(device, features);
    if (auto* const own = features12(features->pNext))
        own->bufferDeviceAddressCaptureReplay = VK_TRUE;
}

VKAPI_ATTR VkResult VKAPI_CALL create_device(VkPhysicalDevice physical,
                                             const VkDeviceCreateInfo* info,
                                             const VkAllocationCallbacks* allocator,
                                             VkDevice* made) {
    auto* const link =
        link_of<VkLayerDeviceCreateInfo>(info->pNext, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO);
    if (!link) return VK_ERROR_INITIALIZATION_FAILED;
    const PFN_vkGetInstanceProcAddr next = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    const PFN_vkGetDeviceProcAddr functions = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    if (auto* const own = features12(const_cast<void*>(info->pNext)))
        own->bufferDeviceAddressCaptureReplay = VK_FALSE;
    const auto create = reinterpret_cast<PFN_vkCreateDevice>(next(instance, "vkCreateDevice"));
    const VkResult result = create(physical, info, allocator, made);
    const std::lock_guard lock(mutex);
    if (result == VK_SUCCESS) device_functions[key_of(*made)] = functions;
    return result;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL device_function(VkDevice device, const char* name) {
    if (std::strcmp(name, "vkGetDeviceProcAddr") == 0)
        return reinterpret_cast<PFN_vkVoidFunction>(device_function);
    const std::lock_guard lock(mutex);
    const auto found = device_functions.find(key_of(device));
    return found == device_functions.end() ? nullptr : found->second(device, name);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL instance_function(VkInstance of, const char* name) {
    const auto is = [&](const char* other) { return std::strcmp(name, other) == 0; };
    if (is("vkGetInstanceProcAddr")) return reinterpret_cast<PFN_vkVoidFunction>(instance_function);
    if (is("vkGetDeviceProcAddr")) return reinterpret_cast<PFN_vkVoidFunction>(device_function);
    if (is("vkCreateInstance")) return reinterpret_cast<PFN_vkVoidFunction>(create_instance);
    if (is("vkCreateDevice")) return reinterpret_cast<PFN_vkVoidFunction>(create_device);
    if (is("vkGetPhysicalDeviceFeatures2") || is("vkGetPhysicalDeviceFeatures2KHR"))
        return reinterpret_cast<PFN_vkVoidFunction>(get_features);
    return next_instance_function ? next_instance_function(of, name) : nullptr;
}

} // namespace

/// The only name that is seen from outside: a program may have variables of the names of Vulkan's
/// functions, which would take the place of functions here.
extern "C" VK_LAYER_EXPORT VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface* interface) {
    interface->loaderLayerInterfaceVersion = 2;
    interface->pfnGetInstanceProcAddr = instance_function;
    interface->pfnGetDeviceProcAddr = device_function;
    interface->pfnGetPhysicalDeviceProcAddr = nullptr;
    return VK_SUCCESS;
}
