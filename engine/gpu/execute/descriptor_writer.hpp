#pragma once

#include "gpu/execute/descriptors.hpp"

#include <deque>

namespace tuff {

/// Gathers the writes of one kernel's sets for one slot, phase and bind group.
class DescriptorWriter {
  public:
    DescriptorWriter(const DeviceImpl& device, const Plan& plan,
                     const DescriptorSets::Sources& sources)
        : device_(&device), plan_(&plan), sources_(&sources) {}

    /// Adds the writes for the sets of `node`. Elements of an arrayed binding that the graph leaves
    /// out repeat the first one given, for a kernel may touch them as far as Vulkan knows.
    /// Error: `gpu/missing-binding`.
    Result<void> add(NodeId node, std::uint32_t kernel, std::uint32_t phase, std::uint32_t group,
                     std::span<const VkDescriptorSet> sets);
    /// Sends the writes to the device and starts over.
    void flush();

  private:
    Result<void> add_binding(NodeId node, std::uint32_t binding, std::uint32_t phase,
                             std::uint32_t group, VkDescriptorSet set);
    Result<VkDescriptorImageInfo> image_of(NodeId node, const BindingUse& use,
                                           const ShaderBinding& binding, std::uint32_t phase);
    Result<VkDescriptorBufferInfo> buffer_of(NodeId node, const BindingUse& use,
                                             const ShaderBinding& binding,
                                             std::uint32_t phase) const;
    Result<VkDescriptorBufferInfo> no_buffer(const ShaderBinding& binding) const;
    Result<VkDescriptorImageInfo> no_image(const ShaderBinding& binding) const;

    Result<VkAccelerationStructureKHR> acceleration_of(NodeId node, const BindingUse& use,
                                                       std::uint32_t phase) const;

    const DeviceImpl* device_;
    const Plan* plan_;
    const DescriptorSets::Sources* sources_;
    std::vector<VkWriteDescriptorSet> writes_;
    // Deques: the writes point into them.
    std::deque<std::vector<VkDescriptorImageInfo>> images_;
    std::deque<std::vector<VkDescriptorBufferInfo>> buffers_;
    std::deque<std::vector<VkAccelerationStructureKHR>> accelerations_;
    std::deque<VkWriteDescriptorSetAccelerationStructureKHR> acceleration_writes_;
};

} // namespace tuff
