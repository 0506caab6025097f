#include "object_ledger.hpp"

#include "call_name.hpp"

#include <mutex>

namespace tuff::testing_gpu {
namespace {

// Vulkan's functions take no context, so what they count and call can live nowhere else.
struct Books {
    std::mutex mutex;
    VolkDeviceTable driver{};
    const VkAllocationCallbacks* allocator = nullptr;
    std::uint64_t made = 0;
    std::uint64_t strangers = 0;
    std::map<std::string, std::int64_t> left;
    std::map<VkDeviceMemory, std::int64_t> memory;
    std::int64_t bytes = 0;

    void add(const char* kind, std::int64_t count, const VkAllocationCallbacks* with) {
        const std::lock_guard lock(mutex);
        if (count > 0) made += static_cast<std::uint64_t>(count);
        left[kind] += count;
        if (with != allocator) ++strangers;
    }
};
Books books;

template <auto kCreate, auto kDestroy, Name kName, typename Info, typename Handle>
struct Counted {
    static VKAPI_ATTR VkResult VKAPI_CALL create(VkDevice device, const Info* info,
                                                 const VkAllocationCallbacks* allocator,
                                                 Handle* handle) {
        const VkResult result = (books.driver.*kCreate)(device, info, allocator, handle);
        if (result == VK_SUCCESS) books.add(kName.text, 1, allocator);
        return result;
    }
    static VKAPI_ATTR void VKAPI_CALL destroy(VkDevice device, Handle handle,
                                              const VkAllocationCallbacks* allocator) {
        if (handle != VK_NULL_HANDLE) books.add(kName.text, -1, allocator);
        (books.driver.*kDestroy)(device, handle, allocator);
    }
};

/// Replaces the pair of functions in `vk`.
template <Name kName, auto kCreate, auto kDestroy, typename Info, typename Handle>
void count(VolkDeviceTable& vk,
           VkResult (VKAPI_PTR* VolkDeviceTable::*)(VkDevice, const Info*,
                                                    const VkAllocationCallbacks*, Handle*)) {
    using Pair = Counted<kCreate, kDestroy, kName, Info, Handle>;
    vk.*kCreate = Pair::create;
    vk.*kDestroy = Pair::destroy;
}
template <Name kName, auto kCreate, auto kDestroy>
void count(VolkDeviceTable& vk) {
    count<kName, kCreate, kDestroy>(vk, kCreate);
}

template <auto kCreate, typename Info>
VKAPI_ATTR VkResult VKAPI_CALL create_pipelines(VkDevice device, VkPipelineCache cache,
                                                std::uint32_t number, const Info* infos,
                                                const VkAllocationCallbacks* allocator,
                                                VkPipeline* handles) {
    const VkResult result =
        (books.driver.*kCreate)(device, cache, number, infos, allocator, handles);
    if (result == VK_SUCCESS) books.add("pipeline", number, allocator);
    return result;
}

VKAPI_ATTR void VKAPI_CALL destroy_pipeline(VkDevice device, VkPipeline pipeline,
                                            const VkAllocationCallbacks* allocator) {
    if (pipeline != VK_NULL_HANDLE) books.add("pipeline", -1, allocator);
    books.driver.vkDestroyPipeline(device, pipeline, allocator);
}

VKAPI_ATTR VkResult VKAPI_CALL allocate_memory(VkDevice device, const VkMemoryAllocateInfo* info,
                                               const VkAllocationCallbacks* allocator,
                                               VkDeviceMemory* memory) {
    const VkResult result = books.driver.vkAllocateMemory(device, info, allocator, memory);
    if (result != VK_SUCCESS) return result;
    books.add("memory", 1, allocator);
    const std::lock_guard lock(books.mutex);
    const auto bytes = static_cast<std::int64_t>(info->allocationSize);
    books.memory[*memory] = bytes;
    books.bytes += bytes;
    return result;
}

VKAPI_ATTR void VKAPI_CALL free_memory(VkDevice device, VkDeviceMemory memory,
                                       const VkAllocationCallbacks* allocator) {
    if (memory != VK_NULL_HANDLE) {
        books.add("memory", -1, allocator);
        const std::lock_guard lock(books.mutex);
        books.bytes -= books.memory[memory];
        books.memory.erase(memory);
    }
    books.driver.vkFreeMemory(device, memory, allocator);
}

} // namespace

ObjectLedger::ObjectLedger(DeviceImpl& device) {
    using Vk = VolkDeviceTable;
    Vk& vk = device.vk;
    books.driver = vk;
    books.allocator = device.allocator;
    books.made = books.strangers = 0;
    books.left = {{"pipeline cache", 1}}; // came with the device
    books.memory.clear();
    books.bytes = 0;
    count<"buffer", &Vk::vkCreateBuffer, &Vk::vkDestroyBuffer>(vk);
    count<"image", &Vk::vkCreateImage, &Vk::vkDestroyImage>(vk);
    count<"image view", &Vk::vkCreateImageView, &Vk::vkDestroyImageView>(vk);
    count<"sampler", &Vk::vkCreateSampler, &Vk::vkDestroySampler>(vk);
    count<"set layout", &Vk::vkCreateDescriptorSetLayout, &Vk::vkDestroyDescriptorSetLayout>(vk);
    count<"descriptor pool", &Vk::vkCreateDescriptorPool, &Vk::vkDestroyDescriptorPool>(vk);
    count<"pipeline layout", &Vk::vkCreatePipelineLayout, &Vk::vkDestroyPipelineLayout>(vk);
    count<"pipeline cache", &Vk::vkCreatePipelineCache, &Vk::vkDestroyPipelineCache>(vk);
    count<"shader module", &Vk::vkCreateShaderModule, &Vk::vkDestroyShaderModule>(vk);
    count<"command pool", &Vk::vkCreateCommandPool, &Vk::vkDestroyCommandPool>(vk);
    count<"semaphore", &Vk::vkCreateSemaphore, &Vk::vkDestroySemaphore>(vk);
    count<"event", &Vk::vkCreateEvent, &Vk::vkDestroyEvent>(vk);
    count<"fence", &Vk::vkCreateFence, &Vk::vkDestroyFence>(vk);
    count<"query pool", &Vk::vkCreateQueryPool, &Vk::vkDestroyQueryPool>(vk);
    vk.vkCreateComputePipelines =
        create_pipelines<&Vk::vkCreateComputePipelines, VkComputePipelineCreateInfo>;
    vk.vkCreateGraphicsPipelines =
        create_pipelines<&Vk::vkCreateGraphicsPipelines, VkGraphicsPipelineCreateInfo>;
    vk.vkDestroyPipeline = destroy_pipeline;
    vk.vkAllocateMemory = allocate_memory;
    vk.vkFreeMemory = free_memory;
}

std::uint64_t ObjectLedger::made() const {
    const std::lock_guard lock(books.mutex);
    return books.made;
}

std::map<std::string, std::int64_t> ObjectLedger::left() const {
    const std::lock_guard lock(books.mutex);
    std::map<std::string, std::int64_t> result = books.left;
    std::erase_if(result, [](const auto& entry) { return entry.second == 0; });
    return result;
}

std::int64_t ObjectLedger::device_bytes() const {
    const std::lock_guard lock(books.mutex);
    return books.bytes;
}

std::uint64_t ObjectLedger::strangers() const {
    const std::lock_guard lock(books.mutex);
    return books.strangers;
}

} // namespace tuff::testing_gpu
