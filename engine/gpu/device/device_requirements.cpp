#include "gpu/device/device_requirements.hpp"

#include "gpu/device/clocks.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>

namespace tuff {
namespace {

enum class Need : std::uint8_t { core, optional };

/// A feature bit. What the device has of this table is also what gets enabled.
struct FeatureRow {
    const char* name;
    Need need;
    VkBool32& (*flag)(FeatureChain&);
    const char* reason;
    const char* extension = nullptr; ///< that the feature belongs to; null: Vulkan 1.3 itself
};

/// A limit of the core tier.
struct LimitRow {
    const char* name;
    std::uint64_t (*value)(const DeviceFacts&);
    std::uint64_t at_least;
    const char* reason;
};

// clang-format off
#define TUFF_FLAG(member) [](FeatureChain& chain) -> VkBool32& { return chain.member; }
constexpr FeatureRow kFeatures[] = {
    {"dynamicRendering", Need::core, TUFF_FLAG(v13.dynamicRendering), "raster nodes draw without render passes"},
    {"synchronization2", Need::core, TUFF_FLAG(v13.synchronization2), "the plan's barriers"},
    {"maintenance4", Need::core, TUFF_FLAG(v13.maintenance4), "kernels give their local size by constants"},
    {"timelineSemaphore", Need::core, TUFF_FLAG(v12.timelineSemaphore), "order between frames and queues"},
    {"hostQueryReset", Need::core, TUFF_FLAG(v12.hostQueryReset), "timestamps of every pass"},
    {"robustBufferAccess", Need::core, TUFF_FLAG(core.features.robustBufferAccess), "an index out of range must not bring the device down"},
    {"independentBlend", Need::core, TUFF_FLAG(core.features.independentBlend), "a blend mode for each attachment"},
    {"multiDrawIndirect", Need::core, TUFF_FLAG(core.features.multiDrawIndirect), "many meshes in one draw"},
    {"drawIndirectFirstInstance", Need::core, TUFF_FLAG(core.features.drawIndirectFirstInstance), "instances of indirect draws"},
    {"fragmentStoresAndAtomics", Need::core, TUFF_FLAG(core.features.fragmentStoresAndAtomics), "fragment lists and voxelisation"},
    {"sampleRateShading", Need::core, TUFF_FLAG(core.features.sampleRateShading), "layers that are transparent, sample by sample"},
    {"vertexPipelineStoresAndAtomics", Need::core, TUFF_FLAG(core.features.vertexPipelineStoresAndAtomics), "vertex stages that write buffers"},
    {"shaderStorageImageExtendedFormats", Need::core, TUFF_FLAG(core.features.shaderStorageImageExtendedFormats), "storage images of all formats"},
    {"shaderStorageImageWriteWithoutFormat", Need::core, TUFF_FLAG(core.features.shaderStorageImageWriteWithoutFormat), "kernels that write an image of any format"},
    {"imageCubeArray", Need::optional, TUFF_FLAG(core.features.imageCubeArray), "several environment maps in one binding"},
    {"occlusionQueryPrecise", Need::optional, TUFF_FLAG(core.features.occlusionQueryPrecise), "samples that draws have passed, counted exactly"},
    {"logicOp", Need::optional, TUFF_FLAG(core.features.logicOp), "voxels gathered as bits of attachments"},
    {"fillModeNonSolid", Need::optional, TUFF_FLAG(core.features.fillModeNonSolid), "wireframes"},
    {"samplerAnisotropy", Need::optional, TUFF_FLAG(core.features.samplerAnisotropy), "sharper textures at grazing angles"},
    {"shaderStorageImageReadWithoutFormat", Need::optional, TUFF_FLAG(core.features.shaderStorageImageReadWithoutFormat), "kernels that load an image of any format"},
    {"shaderSampledImageArrayDynamicIndexing", Need::optional, TUFF_FLAG(core.features.shaderSampledImageArrayDynamicIndexing), "arrays of textures"},
    {"shaderSampledImageArrayNonUniformIndexing", Need::optional, TUFF_FLAG(v12.shaderSampledImageArrayNonUniformIndexing), "arrays of textures"},
    {"shaderInt64", Need::optional, TUFF_FLAG(core.features.shaderInt64), "64-bit keys"},
    {"shaderFloat64", Need::optional, TUFF_FLAG(core.features.shaderFloat64), "double-precision solvers"},
    {"scalarBlockLayout", Need::optional, TUFF_FLAG(v12.scalarBlockLayout), "tightly packed buffers"},
    {"shaderFloat16", Need::optional, TUFF_FLAG(v12.shaderFloat16), "half-precision arithmetic"},
    {"storageBuffer16BitAccess", Need::optional, TUFF_FLAG(v11.storageBuffer16BitAccess), "half-precision buffers"},
    {"shaderBufferInt64Atomics", Need::optional, TUFF_FLAG(v12.shaderBufferInt64Atomics), "64-bit atomics"},
    {"vulkanMemoryModel", Need::optional, TUFF_FLAG(v12.vulkanMemoryModel), "matrix units"},
    {"vulkanMemoryModelDeviceScope", Need::optional, TUFF_FLAG(v12.vulkanMemoryModelDeviceScope), "matrix units"},
    {"bufferDeviceAddress", Need::optional, TUFF_FLAG(v12.bufferDeviceAddress), "ray-tracing pipelines"},
    {"subgroupSizeControl", Need::optional, TUFF_FLAG(v13.subgroupSizeControl), "kernels tuned to a subgroup size"},
    {"computeFullSubgroups", Need::optional, TUFF_FLAG(v13.computeFullSubgroups), "kernels tuned to a subgroup size"},
    {"shaderBufferFloat32AtomicAdd", Need::optional, TUFF_FLAG(atomic_float.shaderBufferFloat32AtomicAdd), "accumulation without a retry loop", VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME},
    {"cooperativeMatrix", Need::optional, TUFF_FLAG(cooperative_matrix.cooperativeMatrix), "matrix units", VK_NV_COOPERATIVE_MATRIX_EXTENSION_NAME},
    {"meshShader", Need::optional, TUFF_FLAG(mesh.meshShader), "mesh shaders", VK_EXT_MESH_SHADER_EXTENSION_NAME},
    {"taskShader", Need::optional, TUFF_FLAG(mesh.taskShader), "mesh shaders", VK_EXT_MESH_SHADER_EXTENSION_NAME},
    {"accelerationStructure", Need::optional, TUFF_FLAG(acceleration.accelerationStructure), "ray-tracing pipelines", VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME},
    {"rayTracingPipeline", Need::optional, TUFF_FLAG(ray_tracing.rayTracingPipeline), "ray-tracing pipelines", VK_KHR_RAY_TRACING_PIPELINE_EXTENSION_NAME},
    {"rayTracingPipelineTraceRaysIndirect", Need::optional, TUFF_FLAG(ray_tracing.rayTracingPipelineTraceRaysIndirect), "as many rays as paths go on", VK_KHR_RAY_TRACING_PIPELINE_EXTENSION_NAME},
    {"rayQuery", Need::optional, TUFF_FLAG(ray_query.rayQuery), "rays through the device's own hierarchies", VK_KHR_RAY_QUERY_EXTENSION_NAME},
    {"nullDescriptor", Need::optional, TUFF_FLAG(robustness2.nullDescriptor), "optional bindings that are not connected", VK_EXT_ROBUSTNESS_2_EXTENSION_NAME},
    {"deviceFault", Need::optional, TUFF_FLAG(fault.deviceFault), "what a lost device says of its end", VK_EXT_DEVICE_FAULT_EXTENSION_NAME},
};
#undef TUFF_FLAG

constexpr LimitRow kLimits[] = {
    {"queues for graphics and compute", [](const DeviceFacts& f) -> std::uint64_t { return queue_families(f).graphics != ~0u; }, 1, "one queue runs every node"},
    {"maxComputeWorkGroupInvocations", [](const DeviceFacts& f) -> std::uint64_t { return f.properties.limits.maxComputeWorkGroupInvocations; }, 256, "groups of 256 invocations"},
    {"maxComputeWorkGroupSize[0]", [](const DeviceFacts& f) -> std::uint64_t { return f.properties.limits.maxComputeWorkGroupSize[0]; }, 256, "groups of 256 invocations"},
    {"maxComputeSharedMemorySize", [](const DeviceFacts& f) -> std::uint64_t { return f.properties.limits.maxComputeSharedMemorySize; }, 32 * 1024, "tiles in shared memory"},
    {"maxPushConstantsSize", [](const DeviceFacts& f) -> std::uint64_t { return f.properties.limits.maxPushConstantsSize; }, 128, "push constants"},
    {"maxImageDimension2D", [](const DeviceFacts& f) -> std::uint64_t { return f.properties.limits.maxImageDimension2D; }, 4096, "images"},
    {"maxPerStageDescriptorStorageBuffers", [](const DeviceFacts& f) -> std::uint64_t { return f.properties.limits.maxPerStageDescriptorStorageBuffers; }, 16, "kernels with many buffers"},
    {"maxPerStageDescriptorStorageImages", [](const DeviceFacts& f) -> std::uint64_t { return f.properties.limits.maxPerStageDescriptorStorageImages; }, 8, "kernels with many images"},
    {"subgroupSize", [](const DeviceFacts& f) -> std::uint64_t { return f.v11.subgroupSize; }, 4, "scans and reductions"},
    {"subgroup operations in compute", [](const DeviceFacts& f) -> std::uint64_t {
         constexpr VkSubgroupFeatureFlags kWanted = VK_SUBGROUP_FEATURE_BASIC_BIT | VK_SUBGROUP_FEATURE_VOTE_BIT | VK_SUBGROUP_FEATURE_ARITHMETIC_BIT | VK_SUBGROUP_FEATURE_BALLOT_BIT | VK_SUBGROUP_FEATURE_SHUFFLE_BIT;
         return (f.v11.subgroupSupportedStages & VK_SHADER_STAGE_COMPUTE_BIT) != 0 && (f.v11.subgroupSupportedOperations & kWanted) == kWanted;
     }, 1, "scans and reductions"},
};
// clang-format on

/// An extension of use without a feature of its own, which users choose devices by.
struct ExtensionRow {
    const char* name;
    const char* reason;
};
constexpr ExtensionRow kSharing[] = {
    {VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME, "memory shared with other programs"},
    {VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME, "semaphores shared with other programs"},
};

/// The row's flag as the device offers it. Reading goes through the accessor that writing uses.
bool offers(const DeviceFacts& facts, const FeatureRow& row) {
    return row.flag(const_cast<FeatureChain&>(facts.features)) == VK_TRUE;
}

} // namespace

DeviceReport report(const DeviceFacts& facts, std::uint32_t index) {
    DeviceReport result;
    result.index = index;
    result.caps = gather_caps(facts);
    if (facts.properties.apiVersion < VK_API_VERSION_1_3) {
        // Everything else was not asked for, and would only repeat this.
        result.missing.push_back({.name = "Vulkan 1.3",
                                  .reason = "the engine is written for it",
                                  .found = version_string(facts.properties.apiVersion)});
        return result;
    }
    for (const FeatureRow& row : kFeatures) {
        const DeviceFeature feature{.name = row.name, .reason = row.reason, .found = {}};
        if (row.need == Need::core) {
            if (!offers(facts, row)) result.missing.push_back(feature);
        } else {
            (offers(facts, row) ? result.optional_present : result.optional_missing)
                .push_back(feature);
        }
    }
    for (const ExtensionRow& row : kSharing) {
        const DeviceFeature extension{.name = row.name, .reason = row.reason, .found = {}};
        (facts.has(row.name) ? result.optional_present : result.optional_missing)
            .push_back(extension);
    }
    for (const LimitRow& row : kLimits) {
        const std::uint64_t value = row.value(facts);
        if (value >= row.at_least) continue;
        result.missing.push_back(
            {.name = row.name,
             .reason = row.reason,
             .found = fmt::format("{}, at least {} is needed", value, row.at_least)});
    }
    if (result.missing.empty()) result.tier = DeviceTier::core;
    return result;
}

Diagnostics missing_features(const DeviceReport& report) {
    Diagnostics all;
    for (const DeviceFeature& feature : report.missing) {
        const std::string found = feature.found.empty() ? "" : fmt::format(" ({})", feature.found);
        all.push_back(
            {.code = "device/missing-feature",
             .severity = Severity::error,
             .message = fmt::format("device \"{}\" lacks {}{}, needed for: {}", report.caps.name,
                                    feature.name, found, feature.reason),
             .where = {},
             .hint = "a newer driver may have it; `tuff devices` lists the others"});
    }
    return all;
}

void drop_without_extension(DeviceFacts& facts) {
    for (const FeatureRow& row : kFeatures)
        if (row.extension && !facts.has(row.extension)) row.flag(facts.features) = VK_FALSE;
}

std::vector<const char*> enable_features(const DeviceFacts& facts, FeatureChain& wanted) {
    std::vector<const char*> extensions;
    for (const FeatureRow& row : kFeatures) {
        if (!offers(facts, row)) continue;
        row.flag(wanted) = VK_TRUE;
        const bool listed = !extensions.empty() && extensions.back() == row.extension;
        if (row.extension && !listed) extensions.push_back(row.extension);
    }
    // Of use without a feature of their own.
    for (const char* name :
         {VK_EXT_MEMORY_BUDGET_EXTENSION_NAME, VK_EXT_CONSERVATIVE_RASTERIZATION_EXTENSION_NAME,
          VK_KHR_DEFERRED_HOST_OPERATIONS_EXTENSION_NAME, kCalibratedTimestamps,
          VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME, VK_AMD_BUFFER_MARKER_EXTENSION_NAME,
          VK_NV_DEVICE_DIAGNOSTIC_CHECKPOINTS_EXTENSION_NAME,
          VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME, VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME})
        if (facts.has(name)) extensions.push_back(name);
    return extensions;
}

} // namespace tuff
