#pragma once

#include "gpu/execute/acceleration.hpp"
#include "gpu/execute/plan_resources.hpp"
#include "gpu/memory/views.hpp"

namespace tuff {

/// Every resource of a plan as one execution sees it: the plan's own by phase, imports by what the
/// slot was given. Views of imports live in a cache of their own, which goes with the import.
class BoundResources {
  public:
    BoundResources(const DeviceImpl& device, const Plan& plan, const PlanResources& own,
                   ViewCache& views, AccelerationCache& accelerations,
                   std::span<const ResourceHandle> imports, ViewCache& import_views)
        : device_(&device), plan_(&plan), own_(&own), views_(&views),
          accelerations_(&accelerations), imports_(imports), import_views_(&import_views) {}

    ResourceHandle at(ResourceId resource, std::uint32_t phase) const {
        return is_import(resource) ? imports_[resource.index] : own_->at(resource, phase);
    }
    Result<VkImageView> view(ResourceId resource, const ViewRequest& request) const {
        return (is_import(resource) ? import_views_ : views_)->get(*device_, request);
    }
    /// The structure that fills the first `bytes` of a buffer of the plan's own.
    Result<VkAccelerationStructureKHR> acceleration(VkBuffer buffer, std::uint64_t bytes,
                                                    VkAccelerationStructureTypeKHR type) const {
        return accelerations_->get(*device_, buffer, bytes, type);
    }

  private:
    bool is_import(ResourceId resource) const {
        return plan_->graph.resources[resource.index].lifetime == Lifetime::imported;
    }

    const DeviceImpl* device_;
    const Plan* plan_;
    const PlanResources* own_;
    ViewCache* views_;
    AccelerationCache* accelerations_;
    std::span<const ResourceHandle> imports_; ///< per resource
    ViewCache* import_views_;
};

} // namespace tuff
