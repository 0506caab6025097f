// A Vulkan layer for tests: the device is lost at a call of vkQueueSubmit2, and from then on. Which
// call, counted from 1, is in TUFF_TEST_LOST_SUBMIT; TUFF_TEST_LOST_RANKS lists the ranks of Open
// MPI whose device it is, such as "0,2".

#include "tests/layers/chain.hpp"

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>

namespace {

using tuff::test::key_of;
using tuff::test::link_of;

struct DeviceFunctions {
    PFN_vkGetDeviceProcAddr find = nullptr;
    PFN_vkQueueSubmit2 submit = nullptr;
};

std::mutex mutex;
PFN_vkGetInstanceProcAddr next_instance_function = nullptr;
VkInstance instance = VK_NULL_HANDLE;              ///< the last one; tests have one
std::map<void*, DeviceFunctions> device_functions; ///< by dispatch table
std::atomic<std::uint64_t> submits = 0;

std::string variable(const char* name) {
    const char* const value = std::getenv(name);
    return value ? value : "";
}

bool is_lost() {
    static const std::string rank = variable("OMPI_COMM_WORLD_RANK");
    static const bool is_listed =
        ("," + variable("TUFF_TEST_LOST_RANKS") + ",").contains("," + rank + ",");
    static const std::uint64_t last =
        std::strtoull(variable("TUFF_TEST_LOST_SUBMIT").c_str(), nullptr, 10);
    return is_listed && last > 0 && ++submits >= last;
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
    if (result == VK_SUCCESS) instance = *made;
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL create_device(VkPhysicalDevice physical,
                                             const VkDeviceCreateInfo* info,
                                             const VkAllocationCallbacks* allocator,
                                             VkDevice* made) {
    auto* const link =
        link_of<VkLayerDeviceCreateInfo>(info->pNext, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO);
    if (!link) return VK_ERROR_INITIALIZATION_FAILED;
    const PFN_vkGetInstanceProcAddr next = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    const PFN_vkGetDeviceProcAddr find = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    const auto create = reinterpret_cast<PFN_vkCreateDevice>(next(instance, "vkCreateDevice"));
    const VkResult result = create(physical, info, allocator, made);
    if (result != VK_SUCCESS) return result;
    const std::lock_guard lock(mutex);
    device_functions[key_of(*made)] = {
        .find = find,
        .submit = reinterpret_cast<PFN_vkQueueSubmit2>(find(*made, "vkQueueSubmit2"))};
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL submit(VkQueue queue, std::uint32_t count,
                                      const VkSubmitInfo2* infos, VkFence fence) {
    if (is_lost()) return VK_ERROR_DEVICE_LOST;
    PFN_vkQueueSubmit2 next = nullptr;
    {
        const std::lock_guard lock(mutex);
        next = device_functions.at(key_of(queue)).submit; // queues have their device's table
    }
    return next(queue, count, infos, fence);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL device_function(VkDevice device, const char* name) {
    if (std::strcmp(name, "vkGetDeviceProcAddr") == 0)
        return reinterpret_cast<PFN_vkVoidFunction>(device_function);
    if (std::strcmp(name, "vkQueueSubmit2") == 0)
        return reinterpret_cast<PFN_vkVoidFunction>(submit);
    const std::lock_guard lock(mutex);
    const auto found = device_functions.find(key_of(device));
    return found == device_functions.end() ? nullptr : found->second.find(device, name);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL instance_function(VkInstance of, const char* name) {
    const auto is = [&](const char* other) { return std::strcmp(name, other) == 0; };
    if (is("vkGetInstanceProcAddr")) return reinterpret_cast<PFN_vkVoidFunction>(instance_function);
    if (is("vkGetDeviceProcAddr")) return reinterpret_cast<PFN_vkVoidFunction>(device_function);
    if (is("vkCreateInstance")) return reinterpret_cast<PFN_vkVoidFunction>(create_instance);
    if (is("vkCreateDevice")) return reinterpret_cast<PFN_vkVoidFunction>(create_device);
    if (is("vkQueueSubmit2")) return reinterpret_cast<PFN_vkVoidFunction>(submit);
    return next_instance_function ? next_instance_function(of, name) : nullptr;
}

} // namespace

/// The only name that is seen from outside.
extern "C" VK_LAYER_EXPORT VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface* interface) {
    interface->loaderLayerInterfaceVersion = 2;
    interface->pfnGetInstanceProcAddr = instance_function;
    interface->pfnGetDeviceProcAddr = device_function;
    interface->pfnGetPhysicalDeviceProcAddr = nullptr;
    return VK_SUCCESS;
}
