#include "gpu/peer/device_lent_memory.hpp"

#include <cstring>

namespace tuff {
namespace {

static_assert(std::is_trivially_copyable_v<ExternalMemory>);

class MappedBytes final : public LentMemory::Opened {
  public:
    MappedBytes(OwnedMemory memory, std::span<const std::byte> bytes)
        : memory_(std::move(memory)), bytes_(bytes) {}
    Result<void> copy(std::uint64_t offset, std::span<std::byte> into) override {
        std::memcpy(into.data(), bytes_.subspan(offset, into.size()).data(), into.size());
        return {};
    }

  private:
    OwnedMemory memory_;
    std::span<const std::byte> bytes_;
};

} // namespace

DeviceLentMemory::DeviceLentMemory(const DeviceImpl& device, VkDeviceMemory memory,
                                   std::span<std::byte> bytes, std::uint32_t type)
    : device_(device), memory_(memory),
      bytes_(bytes), info_{.identity = identity_of(device.physical),
                           .bytes = bytes.size(),
                           .type = type} {}

std::vector<std::byte> DeviceLentMemory::description() const {
    std::vector<std::byte> text(sizeof(info_));
    std::memcpy(text.data(), &info_, sizeof(info_));
    return text;
}

Result<int> DeviceLentMemory::descriptor() const {
    VkMemoryGetFdInfoKHR query{};
    query.sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR;
    query.memory = memory_;
    query.handleType = kMemoryHandle;
    int number = -1;
    auto ok =
        check(device_.vk.vkGetMemoryFdKHR(device_.handle, &query, &number), "vkGetMemoryFdKHR");
    if (!ok) return propagate(std::move(ok));
    return number;
}

Result<ExternalMemory> DeviceLentMemory::read(std::span<const std::byte> description) {
    ExternalMemory info;
    if (description.size() != sizeof(info))
        return external_mismatch("memory that a rank lends has another description than here",
                                 "start one version of Tuff on all ranks");
    std::memcpy(&info, description.data(), sizeof(info));
    return info;
}

Result<std::unique_ptr<LentMemory::Opened>>
MappedLentMemory::open(std::span<const std::byte> description, int descriptor) const {
    FileDescriptor file(descriptor);
    const auto other = read(description);
    if (!other) return std::unexpected(other.error());
    if (auto same = check_identity(device(), other->identity, "memory of a rank"); !same)
        return propagate(std::move(same));
    VkImportMemoryFdInfoKHR imported{};
    imported.sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR;
    imported.handleType = kMemoryHandle;
    imported.fd = file.get();
    VkMemoryAllocateInfo allocate{};
    allocate.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
    allocate.pNext = &imported;
    allocate.allocationSize = other->bytes;
    allocate.memoryTypeIndex = other->type;
    HandedOver handed(file);
    VkDeviceMemory handle = VK_NULL_HANDLE;
    const VkResult result =
        device().vk.vkAllocateMemory(device().handle, &allocate, device().allocator, &handle);
    handed.settle(result >= VK_SUCCESS);
    if (auto ok = check(result, "vkAllocateMemory"); !ok) return propagate(std::move(ok));
    OwnedMemory memory(device(), handle);
    void* mapped = nullptr;
    auto ok = check(device().vk.vkMapMemory(device().handle, handle, 0, VK_WHOLE_SIZE, 0, &mapped),
                    "vkMapMemory");
    if (!ok) return propagate(std::move(ok));
    const std::span<const std::byte> bytes(static_cast<const std::byte*>(mapped),
                                           static_cast<std::size_t>(other->bytes));
    return std::make_unique<MappedBytes>(std::move(memory), bytes);
}

} // namespace tuff
