#pragma once

#include "gpu/execute/bound_resources.hpp"
#include "gpu/execute/parameters.hpp"
#include "gpu/memory/samplers.hpp"
#include "gpu/shader/pipelines.hpp"

namespace tuff {

class DescriptorWriter;

/// All descriptor sets of a plan, made and written once. A kernel has one series of sets for each
/// combination of what differs for it: frame slot (where it has parameters or touches imports),
/// history phase (where it touches history) and bind group.
class DescriptorSets {
  public:
    static Result<DescriptorSets> create(const DeviceImpl& device, const Plan& plan,
                                         const KernelNodes& kernels, const Pipelines& pipelines,
                                         std::uint32_t slots, std::uint32_t phases);

    /// What the sets of one frame slot refer to.
    struct Sources {
        const BoundResources* resources = nullptr;
        SamplerCache* samplers = nullptr;
        const ParameterLayout* parameters = nullptr;
        VkBuffer parameter_buffer = VK_NULL_HANDLE;
    };
    /// Fills the sets that belong to frame slot `slot` and refer to no import. Error:
    /// `gpu/missing-binding`.
    Result<void> write(const DeviceImpl& device, const Plan& plan, const KernelNodes& kernels,
                       std::uint32_t slot, const Sources& sources) const;
    /// Fills those of them that refer to one of the resources that are set in `changed`.
    Result<void> write_changed(const DeviceImpl& device, const Plan& plan,
                               const KernelNodes& kernels, std::uint32_t slot,
                               const std::vector<bool>& changed, const Sources& sources) const;

    /// The sets to bind, set 0 first.
    std::span<const VkDescriptorSet> sets(std::uint32_t kernel, std::uint32_t slot,
                                          std::uint32_t phase, std::uint32_t group) const;

  private:
    struct Series {
        std::uint32_t first = 0;  ///< into sets_
        std::uint32_t sets = 0;   ///< of the kernel
        std::uint32_t slots = 1;  ///< 1: the same for all slots
        std::uint32_t phases = 1; ///< 1: the same for all phases
        std::uint32_t groups = 1; ///< bind groups, the shared group 0 among them
        bool imports = false;
    };

    Result<void> write_kernel(DescriptorWriter& writer, const Plan& plan, NodeId node,
                              std::uint32_t kernel, std::uint32_t slot) const;

    std::vector<Series> series_; ///< per kernel
    OwnedDescriptorPool pool_;
    std::vector<VkDescriptorSet> sets_;
};

} // namespace tuff
