#include "gpu/peer/lent_block.hpp"

#include "gpu/external/external_impl.hpp"
#include "gpu/memory/resource_info.hpp"
#include "gpu/peer/cuda_lent_memory.hpp"
#include "gpu/peer/mapped_lent_memory.hpp"

namespace tuff {
namespace {

constexpr VkMemoryPropertyFlags kOfDevice = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
constexpr VkMemoryPropertyFlags kMapped = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                          VK_MEMORY_PROPERTY_HOST_COHERENT_BIT |
                                          VK_MEMORY_PROPERTY_HOST_CACHED_BIT;

bool shares_buffers(const DeviceImpl& device) {
    if (!device.vk.vkGetMemoryFdKHR) return false;
    VkPhysicalDeviceExternalBufferInfo query{};
    query.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_BUFFER_INFO;
    query.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                  VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    query.handleType = kMemoryHandle;
    VkExternalBufferProperties answer{};
    answer.sType = VK_STRUCTURE_TYPE_EXTERNAL_BUFFER_PROPERTIES;
    vkGetPhysicalDeviceExternalBufferProperties(device.physical, &query, &answer);
    constexpr VkExternalMemoryFeatureFlags kBoth =
        VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT | VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT;
    const VkExternalMemoryFeatureFlags has = answer.externalMemoryProperties.externalMemoryFeatures;
    return (has & kBoth) == kBoth && (has & VK_EXTERNAL_MEMORY_FEATURE_DEDICATED_ONLY_BIT) == 0;
}

struct Lent {
    OwnedMemory memory;
    std::uint32_t type = 0;
    std::shared_ptr<LentMemory> lent;
};

/// Memory of the host, which Vulkan allocates.
Result<Lent> lend_mapped(const DeviceImpl& device, std::uint64_t bytes, std::uint32_t type) {
    auto memory = allocate_exported(device, bytes, type);
    if (!memory) return propagate(std::move(memory));
    const auto mapped = map_memory(device, memory->get(), bytes);
    if (!mapped) return std::unexpected(mapped.error());
    auto lent = std::make_shared<MappedLentMemory>(device, memory->get(), *mapped, type);
    return Lent{std::move(*memory), type, std::move(lent)};
}

/// Memory of the GPU, which CUDA allocates and Vulkan imports.
Result<Lent> lend_by_cuda(const DeviceImpl& device, std::uint64_t bytes, std::uint32_t type) {
    auto lent = CudaLentMemory::create(device, bytes);
    if (!lent) return propagate(std::move(lent));
    const auto descriptor = (*lent)->descriptor();
    if (!descriptor) return std::unexpected(descriptor.error());
    auto memory = import_memory(device, *descriptor, (*lent)->bytes().size(), type);
    if (!memory) return propagate(std::move(memory));
    return Lent{std::move(*memory), type, std::move(*lent)};
}

} // namespace

LentBlock::LentBlock(OwnedMemory memory, std::uint32_t type_bits, std::shared_ptr<LentMemory> lent,
                     Communicator& communicator)
    : memory_(std::move(memory)), type_bits_(type_bits), lent_(std::move(lent)),
      communicator_(&communicator) {
    communicator_->lend(lent_);
}

LentBlock::~LentBlock() {
    communicator_->take_back(*lent_);
}

std::unique_ptr<LentBlock> LentBlock::allocate(const DeviceImpl& device, Communicator& communicator,
                                               std::uint64_t bytes, std::uint32_t type_bits) {
    if (!communicator.lends() || !shares_buffers(device)) return nullptr;
    const bool on_host = device.caps.type == DeviceType::cpu;
    // The plan has types that the host maps. Of a GPU it is any of its own: the host does not map
    // it.
    constexpr std::uint32_t kAnyType = ~0u;
    const auto type = on_host ? device.find_memory_type(type_bits, kMapped)
                              : device.find_memory_type(kAnyType, kOfDevice);
    if (!type) return nullptr;
    auto lent = on_host ? lend_mapped(device, bytes, *type) : lend_by_cuda(device, bytes, *type);
    if (!lent) return nullptr;
    return std::unique_ptr<LentBlock>(new LentBlock(std::move(lent->memory), 1u << lent->type,
                                                    std::move(lent->lent), communicator));
}

Result<OwnedBuffer> create_lent_buffer(const DeviceImpl& device, const BufferDesc& desc,
                                       UsageMask usage, std::string_view name,
                                       QueueMask shared_by) {
    VkExternalMemoryBufferCreateInfo external{};
    external.sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO;
    external.handleTypes = kMemoryHandle;
    return create_buffer(device, desc, usage, name, shared_by, &external);
}

} // namespace tuff
