#include "gpu/memory/memory.hpp"
#include "gpu/memory/resource_info.hpp"

#include <tuff/executor.hpp>

#include <map>
#include <mutex>
#include <tuple>
#include <utility>

namespace tuff {
namespace {

MemoryRequirements from_vk(const DeviceImpl& device, const VkMemoryRequirements& needs) {
    const std::uint64_t alignment = safe_alignment(device, needs.alignment);
    return {.size = align_up(needs.size, alignment),
            .alignment = alignment,
            .type_bits = needs.memoryTypeBits};
}

class DeviceMemoryModel final : public MemoryModel {
  public:
    explicit DeviceMemoryModel(const DeviceImpl& device) : device_(&device) {}

    MemoryRequirements image(const ImageDesc& desc, UsageMask usage) const override {
        const ImageKey key{desc.format,       desc.extent.width, desc.extent.height,
                           desc.extent.depth, desc.mips,         desc.layers,
                           desc.samples,      desc.shape,        usage};
        const std::lock_guard lock(mutex_);
        if (const auto known = images_.find(key); known != images_.end()) return known->second;
        // A driver need not answer for an image it cannot make. The executor reports that one; here
        // the texel count will do.
        if (!check_support(*device_, desc, usage, "")) return MemoryModel::image(desc, usage);
        const VkImageCreateInfo create = image_info(desc, usage);
        VkDeviceImageMemoryRequirements query{};
        query.sType = VK_STRUCTURE_TYPE_DEVICE_IMAGE_MEMORY_REQUIREMENTS;
        query.pCreateInfo = &create;
        VkMemoryRequirements2 answer{};
        answer.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2;
        device_->vk.vkGetDeviceImageMemoryRequirements(device_->handle, &query, &answer);
        return images_.emplace(key, from_vk(*device_, answer.memoryRequirements)).first->second;
    }

    MemoryRequirements buffer(const BufferDesc& desc, UsageMask usage) const override {
        const std::lock_guard lock(mutex_);
        const std::pair key{desc.size, usage};
        if (const auto known = buffers_.find(key); known != buffers_.end()) return known->second;
        const VkBufferCreateInfo create = buffer_info(desc, usage);
        VkDeviceBufferMemoryRequirements query{};
        query.sType = VK_STRUCTURE_TYPE_DEVICE_BUFFER_MEMORY_REQUIREMENTS;
        query.pCreateInfo = &create;
        VkMemoryRequirements2 answer{};
        answer.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2;
        device_->vk.vkGetDeviceBufferMemoryRequirements(device_->handle, &query, &answer);
        MemoryRequirements needs = from_vk(*device_, answer.memoryRequirements);
        if (usage & usage::kHost) needs.type_bits = types_for_host(needs.type_bits);
        return buffers_.emplace(key, needs).first->second;
    }

  private:
    using ImageKey = std::tuple<Format, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t,
                                std::uint32_t, std::uint32_t, ImageShape, UsageMask>;

    /// Types that the host maps, cached ones if there are any: it also reads.
    std::uint32_t types_for_host(std::uint32_t possible) const {
        constexpr VkMemoryPropertyFlags kMapped =
            VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
        const auto with = [&](VkMemoryPropertyFlags flags) {
            std::uint32_t types = 0;
            for (std::uint32_t i = 0; i < device_->memory.memoryTypeCount; ++i)
                if ((device_->memory.memoryTypes[i].propertyFlags & flags) == flags)
                    types |= 1u << i;
            return types & possible;
        };
        const std::uint32_t cached = with(kMapped | VK_MEMORY_PROPERTY_HOST_CACHED_BIT);
        return cached != 0 ? cached : with(kMapped);
    }

    const DeviceImpl* device_;
    mutable std::mutex mutex_;
    mutable std::map<ImageKey, MemoryRequirements> images_;
    mutable std::map<std::pair<std::uint64_t, UsageMask>, MemoryRequirements> buffers_;
};

} // namespace

std::unique_ptr<MemoryModel> memory_model(const Device& device) {
    return std::make_unique<DeviceMemoryModel>(device.impl());
}

Result<Plan> compile(GraphDesc graph, const Device& device, const CompileOptions& options) {
    CompileOptions asked = options;
    const DeviceMemoryModel memory(device.impl());
    if (!asked.memory) asked.memory = &memory;
    return compile(std::move(graph), device.caps(), asked);
}

} // namespace tuff
