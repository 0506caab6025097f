#pragma once

#include "gpu/device/vulkan.hpp"

#include <tuff/device.hpp>
#include <tuff/device_caps.hpp>

#include <set>
#include <string>
#include <vector>

namespace tuff {

/// Vulkan's feature structures that the engine looks at or turns on. `link` chains them; a struct
/// of an extension is chained only when the device has that extension.
struct FeatureChain {
    VkPhysicalDeviceFeatures2 core{};
    VkPhysicalDeviceVulkan11Features v11{};
    VkPhysicalDeviceVulkan12Features v12{};
    VkPhysicalDeviceVulkan13Features v13{};
    VkPhysicalDeviceShaderAtomicFloatFeaturesEXT atomic_float{};
    VkPhysicalDeviceCooperativeMatrixFeaturesNV cooperative_matrix{};
    VkPhysicalDeviceMeshShaderFeaturesEXT mesh{};
    VkPhysicalDeviceAccelerationStructureFeaturesKHR acceleration{};
    VkPhysicalDeviceRayTracingPipelineFeaturesKHR ray_tracing{};
    VkPhysicalDeviceRayQueryFeaturesKHR ray_query{};
    VkPhysicalDeviceRobustness2FeaturesEXT robustness2{};
    VkPhysicalDeviceFaultFeaturesEXT fault{};

    FeatureChain() = default;
    FeatureChain(const FeatureChain&) = delete; // the chain holds addresses of its members
    FeatureChain& operator=(const FeatureChain&) = delete;

    void link(const std::set<std::string>& extensions);
};

/// Everything asked of one physical device, once.
struct DeviceFacts {
    VkPhysicalDevice handle = VK_NULL_HANDLE;
    VkPhysicalDeviceProperties properties{};
    VkPhysicalDeviceVulkan11Properties v11{};
    VkPhysicalDeviceVulkan12Properties v12{};
    VkPhysicalDeviceVulkan13Properties v13{};
    VkPhysicalDeviceMemoryProperties memory{};
    FeatureChain features; ///< as the device offers them; all false below Vulkan 1.3
    std::set<std::string> extensions;
    std::vector<VkQueueFamilyProperties> families;

    /// Asks `device`. Volk's instance functions must be loaded.
    explicit DeviceFacts(VkPhysicalDevice device);

    bool has(const char* extension) const { return extensions.contains(extension); }
};

/// Index of a queue family, or ~0u where the device has none of the sort.
struct QueueFamilies {
    std::uint32_t graphics = ~0u; ///< graphics and compute
    std::uint32_t compute = ~0u;  ///< compute without graphics
    std::uint32_t transfer = ~0u; ///< any transfer, but neither graphics nor compute
};

QueueFamilies queue_families(const DeviceFacts& facts);

DeviceCaps gather_caps(const DeviceFacts& facts);

} // namespace tuff
