#include "gpu/device/host_features.hpp"

namespace tuff {
namespace {

/// `structure` as what its type says it is.
template <typename Structure>
const Structure& as(const VkBaseInStructure& structure) {
    return reinterpret_cast<const Structure&>(structure);
}

/// Turns on what is on in either: hosts may use the structures of versions or of extensions.
void add(VkBool32& flag, VkBool32 also) {
    flag = flag || also ? VK_TRUE : VK_FALSE;
}

void read_version_structures(const VkBaseInStructure& s, FeatureChain& f) {
    switch (s.sType) {
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES:
        f.v11 = as<VkPhysicalDeviceVulkan11Features>(s);
        break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES:
        f.v12 = as<VkPhysicalDeviceVulkan12Features>(s);
        break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES:
        f.v13 = as<VkPhysicalDeviceVulkan13Features>(s);
        break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT:
        f.atomic_float = as<VkPhysicalDeviceShaderAtomicFloatFeaturesEXT>(s);
        break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_NV:
        f.cooperative_matrix = as<VkPhysicalDeviceCooperativeMatrixFeaturesNV>(s);
        break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT:
        f.mesh = as<VkPhysicalDeviceMeshShaderFeaturesEXT>(s);
        break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR:
        f.acceleration = as<VkPhysicalDeviceAccelerationStructureFeaturesKHR>(s);
        break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_FEATURES_KHR:
        f.ray_tracing = as<VkPhysicalDeviceRayTracingPipelineFeaturesKHR>(s);
        break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_QUERY_FEATURES_KHR:
        f.ray_query = as<VkPhysicalDeviceRayQueryFeaturesKHR>(s);
        break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT:
        f.robustness2 = as<VkPhysicalDeviceRobustness2FeaturesEXT>(s);
        break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_EXT:
        f.fault = as<VkPhysicalDeviceFaultFeaturesEXT>(s);
        break;
    default: break;
    }
}

void read_single_structures(const VkBaseInStructure& s, FeatureChain& f) {
    switch (s.sType) {
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES:
        add(f.v13.dynamicRendering,
            as<VkPhysicalDeviceDynamicRenderingFeatures>(s).dynamicRendering);
        break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES:
        add(f.v13.synchronization2,
            as<VkPhysicalDeviceSynchronization2Features>(s).synchronization2);
        break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_FEATURES:
        add(f.v13.maintenance4, as<VkPhysicalDeviceMaintenance4Features>(s).maintenance4);
        break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES: {
        const auto& own = as<VkPhysicalDeviceSubgroupSizeControlFeatures>(s);
        add(f.v13.subgroupSizeControl, own.subgroupSizeControl);
        add(f.v13.computeFullSubgroups, own.computeFullSubgroups);
        break;
    }
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES:
        add(f.v12.timelineSemaphore,
            as<VkPhysicalDeviceTimelineSemaphoreFeatures>(s).timelineSemaphore);
        break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES:
        add(f.v12.hostQueryReset, as<VkPhysicalDeviceHostQueryResetFeatures>(s).hostQueryReset);
        break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SCALAR_BLOCK_LAYOUT_FEATURES:
        add(f.v12.scalarBlockLayout,
            as<VkPhysicalDeviceScalarBlockLayoutFeatures>(s).scalarBlockLayout);
        break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES:
        add(f.v12.shaderFloat16, as<VkPhysicalDeviceShaderFloat16Int8Features>(s).shaderFloat16);
        break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_INT64_FEATURES:
        add(f.v12.shaderBufferInt64Atomics,
            as<VkPhysicalDeviceShaderAtomicInt64Features>(s).shaderBufferInt64Atomics);
        break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES:
        add(f.v12.vulkanMemoryModel,
            as<VkPhysicalDeviceVulkanMemoryModelFeatures>(s).vulkanMemoryModel);
        add(f.v12.vulkanMemoryModelDeviceScope,
            as<VkPhysicalDeviceVulkanMemoryModelFeatures>(s).vulkanMemoryModelDeviceScope);
        break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_FEATURES:
        add(f.v12.shaderSampledImageArrayNonUniformIndexing,
            as<VkPhysicalDeviceDescriptorIndexingFeatures>(s)
                .shaderSampledImageArrayNonUniformIndexing);
        break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES:
        add(f.v12.bufferDeviceAddress,
            as<VkPhysicalDeviceBufferDeviceAddressFeatures>(s).bufferDeviceAddress);
        break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES:
        add(f.v11.storageBuffer16BitAccess,
            as<VkPhysicalDevice16BitStorageFeatures>(s).storageBuffer16BitAccess);
        break;
    default: break;
    }
}

} // namespace

void read_enabled_features(const VkPhysicalDeviceFeatures2& chain, FeatureChain& features) {
    features.core.features = chain.features;
    features.v11 = {};
    features.v12 = {};
    features.v13 = {};
    features.atomic_float = {};
    features.cooperative_matrix = {};
    features.mesh = {};
    features.acceleration = {};
    features.ray_tracing = {};
    features.ray_query = {};
    features.robustness2 = {};
    const auto first = static_cast<const VkBaseInStructure*>(chain.pNext);
    // Those of versions replace what they find, so they come first.
    for (const VkBaseInStructure* s = first; s; s = s->pNext)
        read_version_structures(*s, features);
    for (const VkBaseInStructure* s = first; s; s = s->pNext)
        read_single_structures(*s, features);
    // The host's chain is not ours to follow.
    features.v11.pNext = features.v12.pNext = features.v13.pNext = nullptr;
    features.atomic_float.pNext = features.cooperative_matrix.pNext = features.mesh.pNext = nullptr;
    features.acceleration.pNext = features.ray_tracing.pNext = nullptr;
    features.ray_query.pNext = features.robustness2.pNext = nullptr;
}

} // namespace tuff
