#include "gpu/device/device_facts.hpp"

#include "gpu/device/vulkan_enums.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tuff {
namespace {

/// PCI ids of AMD, Intel and NVIDIA: see `DeviceCaps::forward_progress`.
constexpr std::array<std::uint32_t, 3> kFairVendors{0x1002, 0x8086, 0x10de};

std::set<std::string> device_extensions(VkPhysicalDevice device) {
    std::uint32_t count = 0;
    if (vkEnumerateDeviceExtensionProperties(device, nullptr, &count, nullptr) != VK_SUCCESS)
        return {};
    std::vector<VkExtensionProperties> found(count);
    if (vkEnumerateDeviceExtensionProperties(device, nullptr, &count, found.data()) < VK_SUCCESS)
        return {};
    std::set<std::string> names;
    for (const VkExtensionProperties& extension : found)
        names.insert(extension.extensionName);
    return names;
}

std::uint32_t find_family(const DeviceFacts& facts, VkQueueFlags with, VkQueueFlags without) {
    for (std::uint32_t i = 0; i < facts.families.size(); ++i) {
        const VkQueueFlags flags = facts.families[i].queueFlags;
        if (facts.families[i].queueCount > 0 && (flags & with) == with && (flags & without) == 0)
            return i;
    }
    return ~0u;
}

/// A family that copies and does nothing else, in whatever pieces of an image it is asked to.
std::uint32_t find_transfer_family(const DeviceFacts& facts) {
    constexpr VkQueueFlags kKernels = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
    for (std::uint32_t i = 0; i < facts.families.size(); ++i) {
        const VkQueueFamilyProperties& family = facts.families[i];
        const VkExtent3D& grain = family.minImageTransferGranularity;
        const bool fits = family.queueCount > 0 && (family.queueFlags & VK_QUEUE_TRANSFER_BIT) != 0;
        const bool free = grain.width == 1 && grain.height == 1 && grain.depth == 1;
        if (fits && free && (family.queueFlags & kKernels) == 0) return i;
    }
    return ~0u;
}

/// The tick length, where every queue that kernels run on can write timestamps.
double timestamp_period(const DeviceFacts& facts) {
    const std::uint32_t family = queue_families(facts).graphics;
    if (family == ~0u || facts.families[family].timestampValidBits == 0) return 0.0;
    return static_cast<double>(facts.properties.limits.timestampPeriod);
}

std::uint64_t largest_device_heap(const DeviceFacts& facts) {
    std::uint64_t largest = 0;
    for (std::uint32_t i = 0; i < facts.memory.memoryHeapCount; ++i)
        if (const VkMemoryHeap& heap = facts.memory.memoryHeaps[i];
            heap.flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT)
            largest = std::max<std::uint64_t>(largest, heap.size);
    return largest;
}

bool blends(const DeviceFacts& facts, VkFormat format) {
    VkFormatProperties properties{};
    vkGetPhysicalDeviceFormatProperties(facts.handle, format, &properties);
    return (properties.optimalTilingFeatures & VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT) != 0;
}

} // namespace

void FeatureChain::link(const std::set<std::string>& extensions) {
    core.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
    v11.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES;
    v12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
    v13.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES;
    atomic_float.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT;
    cooperative_matrix.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_NV;
    mesh.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT;
    acceleration.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR;
    ray_tracing.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_FEATURES_KHR;
    ray_query.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_QUERY_FEATURES_KHR;
    robustness2.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT;
    fault.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_EXT;

    void** tail = &core.pNext;
    const auto chain = [&tail](auto& structure) {
        *tail = &structure;
        tail = &structure.pNext;
        *tail = nullptr;
    };
    chain(v11);
    chain(v12);
    chain(v13);
    if (extensions.contains(VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME)) chain(atomic_float);
    if (extensions.contains(VK_NV_COOPERATIVE_MATRIX_EXTENSION_NAME)) chain(cooperative_matrix);
    if (extensions.contains(VK_EXT_MESH_SHADER_EXTENSION_NAME)) chain(mesh);
    if (extensions.contains(VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME)) chain(acceleration);
    if (extensions.contains(VK_KHR_RAY_TRACING_PIPELINE_EXTENSION_NAME)) chain(ray_tracing);
    if (extensions.contains(VK_KHR_RAY_QUERY_EXTENSION_NAME)) chain(ray_query);
    if (extensions.contains(VK_EXT_ROBUSTNESS_2_EXTENSION_NAME)) chain(robustness2);
    if (extensions.contains(VK_EXT_DEVICE_FAULT_EXTENSION_NAME)) chain(fault);
}

DeviceFacts::DeviceFacts(VkPhysicalDevice device) : handle(device) {
    vkGetPhysicalDeviceProperties(device, &properties);
    vkGetPhysicalDeviceMemoryProperties(device, &memory);
    std::uint32_t count = 0;
    vkGetPhysicalDeviceQueueFamilyProperties(device, &count, nullptr);
    families.resize(count);
    vkGetPhysicalDeviceQueueFamilyProperties(device, &count, families.data());
    extensions = device_extensions(device);
    if (properties.apiVersion < VK_API_VERSION_1_3) return; // does not know the structures below

    features.link(extensions);
    vkGetPhysicalDeviceFeatures2(device, &features.core);
    // Without that scope the memory model forbids the device-wide atomics that kernels have.
    if (!features.v12.vulkanMemoryModelDeviceScope) features.v12.vulkanMemoryModel = VK_FALSE;

    v11.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES;
    v12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES;
    v13.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES;
    v11.pNext = &v12;
    v12.pNext = &v13;
    VkPhysicalDeviceProperties2 all{};
    all.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
    all.pNext = &v11;
    vkGetPhysicalDeviceProperties2(device, &all);
}

QueueFamilies queue_families(const DeviceFacts& facts) {
    constexpr VkQueueFlags kBoth = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
    return {.graphics = find_family(facts, kBoth, 0),
            .compute = find_family(facts, VK_QUEUE_COMPUTE_BIT, VK_QUEUE_GRAPHICS_BIT),
            .transfer = find_transfer_family(facts)};
}

DeviceCaps gather_caps(const DeviceFacts& facts) {
    const VkPhysicalDeviceLimits& limits = facts.properties.limits;
    const FeatureChain& features = facts.features;
    const QueueFamilies families = queue_families(facts);
    DeviceCaps caps;
    caps.name = facts.properties.deviceName;
    caps.driver = fmt::format("{}{}{}", facts.v12.driverName, *facts.v12.driverInfo ? " " : "",
                              facts.v12.driverInfo);
    caps.api_version = facts.properties.apiVersion;
    caps.vendor_id = facts.properties.vendorID;
    caps.device_id = facts.properties.deviceID;
    caps.type = from_vk(facts.properties.deviceType);

    caps.max_group_invocations = limits.maxComputeWorkGroupInvocations;
    caps.max_shared_bytes = limits.maxComputeSharedMemorySize;
    caps.max_push_bytes = limits.maxPushConstantsSize;
    caps.max_image_2d = limits.maxImageDimension2D;
    caps.max_image_3d = limits.maxImageDimension3D;
    caps.max_image_layers = limits.maxImageArrayLayers;
    std::ranges::copy(limits.maxComputeWorkGroupCount, caps.max_group_count);
    caps.max_storage_buffer_bytes = limits.maxStorageBufferRange;
    caps.max_uniform_buffer_bytes = limits.maxUniformBufferRange;
    caps.max_stage_textures =
        std::min({limits.maxPerStageDescriptorSampledImages, limits.maxPerStageDescriptorSamplers,
                  limits.maxDescriptorSetSampledImages, limits.maxDescriptorSetSamplers});
    caps.max_stage_bindings = limits.maxPerStageResources;
    caps.uniform_offset_alignment =
        static_cast<std::uint32_t>(limits.minUniformBufferOffsetAlignment);
    caps.storage_offset_alignment =
        static_cast<std::uint32_t>(limits.minStorageBufferOffsetAlignment);
    caps.buffer_image_granularity = limits.bufferImageGranularity;
    caps.sample_counts = limits.framebufferColorSampleCounts & limits.framebufferDepthSampleCounts;
    caps.subgroup_size = facts.v11.subgroupSize;
    caps.min_subgroup_size = facts.v13.minSubgroupSize;
    caps.max_subgroup_size = facts.v13.maxSubgroupSize;
    caps.timestamp_period_ns = timestamp_period(facts);
    caps.device_memory_bytes = largest_device_heap(facts);

    caps.int64 = features.core.features.shaderInt64;
    caps.int64_buffer_atomics = caps.int64 && features.v12.shaderBufferInt64Atomics;
    caps.fp16 = features.v12.shaderFloat16 && features.v11.storageBuffer16BitAccess;
    caps.fp64 = features.core.features.shaderFloat64;
    caps.float_atomic_add = features.atomic_float.shaderBufferFloat32AtomicAdd;
    caps.anisotropy = features.core.features.samplerAnisotropy;
    caps.max_anisotropy = caps.anisotropy ? limits.maxSamplerAnisotropy : 1.0f;
    caps.async_compute = families.compute != ~0u;
    caps.transfer_queue = families.transfer != ~0u;
    caps.cooperative_matrix = features.cooperative_matrix.cooperativeMatrix &&
                              features.v12.vulkanMemoryModel &&
                              features.v12.vulkanMemoryModelDeviceScope;
    caps.mesh_shaders = features.mesh.meshShader && features.mesh.taskShader;
    const bool acceleration = features.acceleration.accelerationStructure &&
                              features.v12.bufferDeviceAddress &&
                              facts.has(VK_KHR_DEFERRED_HOST_OPERATIONS_EXTENSION_NAME);
    caps.ray_tracing_pipelines = features.ray_tracing.rayTracingPipeline &&
                                 features.ray_tracing.rayTracingPipelineTraceRaysIndirect &&
                                 acceleration;
    caps.acceleration_structures = acceleration;
    caps.null_descriptors = features.robustness2.nullDescriptor;
    caps.ray_query = features.ray_query.rayQuery && acceleration;
    caps.texture_arrays = features.core.features.shaderSampledImageArrayDynamicIndexing &&
                          features.v12.shaderSampledImageArrayNonUniformIndexing;
    caps.logic_op = features.core.features.logicOp;
    caps.conservative_raster = facts.has(VK_EXT_CONSERVATIVE_RASTERIZATION_EXTENSION_NAME);
    caps.float32_blending =
        blends(facts, VK_FORMAT_R32_SFLOAT) && blends(facts, VK_FORMAT_R32G32B32A32_SFLOAT);
    caps.exact_sample_counts = features.core.features.occlusionQueryPrecise;
    caps.memory_budget = facts.has(VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);
    caps.forward_progress = caps.type != DeviceType::cpu &&
                            std::ranges::find(kFairVendors, caps.vendor_id) != kFairVendors.end();
    caps.unbounded_loops = facts.v12.driverID != VK_DRIVER_ID_MESA_LLVMPIPE;
    caps.unified_layouts =
        caps.type != DeviceType::cpu && (facts.v12.driverID == VK_DRIVER_ID_NVIDIA_PROPRIETARY ||
                                         facts.has("VK_KHR_unified_image_layouts"));
    caps.seamless_cubes = facts.v12.driverID != VK_DRIVER_ID_GOOGLE_SWIFTSHADER;
    caps.barriers_in_branches = facts.v12.driverID != VK_DRIVER_ID_MESA_LLVMPIPE;
    return caps;
}

} // namespace tuff
