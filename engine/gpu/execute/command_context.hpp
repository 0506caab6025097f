#pragma once

#include "gpu/device/vulkan.hpp"
#include "gpu/execute/bound_resources.hpp"

#include <tuff/vulkan.hpp>

namespace tuff {

/// The context of one custom node while it records.
class NodeCommandContext final : public CommandContext {
  public:
    NodeCommandContext(const DeviceImpl& device, const Plan& plan, NodeId node,
                       const BoundResources& resources, std::uint32_t phase,
                       VkCommandBuffer commands)
        : device_(&device), plan_(&plan), node_(node), resources_(&resources), phase_(phase),
          commands_(commands) {}

    VkDevice device() const override { return device_->handle; }
    VkCommandBuffer commands() const override { return commands_; }
    VkImage image(std::uint32_t access) const override;
    VkImageView view(std::uint32_t access) override;
    VkImageLayout layout(std::uint32_t access) const override;
    VkBuffer buffer(std::uint32_t access) const override;
    Range range(std::uint32_t access) const override;

    /// What went wrong in `view`, if anything did.
    Result<void> take_error();

  private:
    ResourceId resource(std::uint32_t access) const;

    const DeviceImpl* device_;
    const Plan* plan_;
    NodeId node_;
    const BoundResources* resources_;
    std::uint32_t phase_;
    VkCommandBuffer commands_;
    Diagnostics errors_;
};

} // namespace tuff
