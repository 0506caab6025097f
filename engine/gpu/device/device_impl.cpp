#include "gpu/device/device_impl.hpp"

#include "gpu/device/clocks.hpp"
#include "gpu/memory/constants.hpp"
#include "gpu/memory/stand_ins.hpp"
#include "gpu/shader/kernel_layouts.hpp"
#include "gpu/shader/specialized_kernels.hpp"

namespace tuff {

std::unique_ptr<DeviceQueue> make_queue(VkQueue handle, std::uint32_t family,
                                        const DeviceFacts& facts) {
    const VkQueueFamilyProperties& properties = facts.families[family];
    auto queue = std::make_unique<DeviceQueue>();
    queue->handle = handle;
    queue->family = family;
    queue->timestamp_bits = properties.timestampValidBits;
    queue->kernels = (properties.queueFlags & VK_QUEUE_COMPUTE_BIT) != 0;
    return queue;
}

DeviceImpl::DeviceImpl()
    : constants(std::make_unique<ConstantCache>()), layouts(std::make_unique<KernelLayouts>()),
      specialized(std::make_unique<SpecializedKernels>()), stand_ins(std::make_unique<StandIns>()) {
}

DeviceImpl::~DeviceImpl() {
    if (handle == VK_NULL_HANDLE) return;
    // A host may have work of its own under way, and all of ours has been waited for.
    if (owned) vk.vkDeviceWaitIdle(handle);
    constants.reset();
    layouts.reset();
    stand_ins.reset();
    vk.vkDestroyPipelineCache(handle, pipeline_cache, allocator);
    if (owned) vk.vkDestroyDevice(handle, nullptr);
}

Result<void> DeviceImpl::complete(const DeviceFacts& facts) {
    volkLoadDeviceTable(&vk, handle);
    load_clocks(*this, facts);
    tells_faults = facts.features.fault.deviceFault && vk.vkGetDeviceFaultInfoEXT;
    // Marks in one place follow each other without a barrier, which would keep nodes apart: the
    // last of them is looked for, and a layer that checks synchronisation cannot know that.
    has_buffer_markers = facts.has(VK_AMD_BUFFER_MARKER_EXTENSION_NAME) &&
                         vk.vkCmdWriteBufferMarkerAMD && !instance->validates(physical);
    has_checkpoints = facts.has(VK_NV_DEVICE_DIAGNOSTIC_CHECKPOINTS_EXTENSION_NAME) &&
                      vk.vkCmdSetCheckpointNV && vk.vkGetQueueCheckpointDataNV;
    // A driver may have the functions of extensions that are off.
    if (!facts.has(VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME)) vk.vkGetMemoryFdKHR = nullptr;
    if (!facts.has(VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME)) vk.vkGetSemaphoreFdKHR = nullptr;
    VkPipelineCacheCreateInfo cache{};
    cache.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO;
    return check(vk.vkCreatePipelineCache(handle, &cache, allocator, &pipeline_cache),
                 "vkCreatePipelineCache");
}

DeviceQueue* DeviceImpl::queue(Queue which) const {
    if (which == Queue::host) return nullptr;
    if (which == Queue::graphics || emulates_queues) return graphics.get();
    return which == Queue::compute ? compute.get() : transfer.get();
}

void DeviceImpl::tell(const Diagnostics& diagnostics) const {
    for (const Diagnostic& diagnostic : diagnostics)
        instance->messages().add(to_string(diagnostic));
}

std::optional<std::uint32_t> DeviceImpl::find_memory_type(std::uint32_t type_bits,
                                                          VkMemoryPropertyFlags wanted) const {
    for (std::uint32_t i = 0; i < memory.memoryTypeCount; ++i) {
        if ((type_bits >> i & 1u) == 0) continue;
        if ((memory.memoryTypes[i].propertyFlags & wanted) == wanted) return i;
    }
    return std::nullopt;
}

// Debug-utils functions are instance functions to volk, hence not in the device's table.
void DeviceImpl::set_debug_name(VkObjectType type, std::uint64_t object,
                                const std::string& name) const {
    const auto set_object_name = instance->debug_utils().set_object_name;
    if (!set_object_name) return;
    VkDebugUtilsObjectNameInfoEXT info{};
    info.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT;
    info.objectType = type;
    info.objectHandle = object;
    info.pObjectName = name.c_str();
    set_object_name(handle, &info);
}

void DeviceImpl::begin_label(VkCommandBuffer commands, const std::string& name) const {
    const auto begin = instance->debug_utils().begin_label;
    if (!begin) return;
    VkDebugUtilsLabelEXT label{};
    label.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT;
    label.pLabelName = name.c_str();
    begin(commands, &label);
}

void DeviceImpl::end_label(VkCommandBuffer commands) const {
    if (const auto end = instance->debug_utils().end_label) end(commands);
}

} // namespace tuff
