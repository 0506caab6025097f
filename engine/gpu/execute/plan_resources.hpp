#pragma once

#include "gpu/device/one_off.hpp"
#include "gpu/memory/constants.hpp"
#include "gpu/peer/lent_block.hpp"

#include <tuff/executor.hpp>
#include <tuff/plan.hpp>

namespace tuff {

class Timeline;

/// What stands behind a resource of a plan in one execution; one of the two is set.
struct ResourceHandle {
    VkImage image = VK_NULL_HANDLE;
    VkBuffer buffer = VK_NULL_HANDLE;
    friend bool operator==(const ResourceHandle&, const ResourceHandle&) = default;
};

/// The copies of a history between two executions.
struct HistoryCopies {
    std::vector<ResourceHandle> by_age; ///< as the next execution sees them
    Layout resting = Layout::undefined; ///< of all of them
};

/// All images and buffers of a plan but its imports.
class PlanResources {
  public:
    /// Creates the resources that live nodes use and uploads the constants. History copies still
    /// want `clear_history`. Errors: those of `Executor::create`.
    static Result<PlanResources> create(DeviceImpl& device, const Plan& plan,
                                        Timeline* timeline = nullptr);

    /// The object behind `resource` in an execution of phase `phase`. Empty for imports and for
    /// resources that no live node uses.
    ResourceHandle at(ResourceId resource, std::uint32_t phase) const;

    /// The bytes of a buffer in memory that the host maps.
    std::span<std::byte> mapped(const Plan& plan, ResourceId resource) const;

    /// Executions after which the history copies are where they were: 1 without history.
    std::uint32_t phases() const { return phases_; }

    /// Gives every history copy its clear value, and the layout that execution phase 0 expects.
    Result<void> clear_history(OneOff& one_off, const Plan& plan) const;

    /// Of a history that executions read, by its resource of age 0, before one of phase `phase`.
    HistoryCopies copies_of(const Plan& plan, ResourceId current, std::uint32_t phase) const;

    ExecutorMemory bytes() const { return bytes_; }

  private:
    struct Copy {
        Placement placement; ///< declared first: the memory goes after the object in it
        OwnedImage image;
        OwnedBuffer buffer;
    };
    /// The rotating copies of a history, and the resource of each age (none where unused).
    struct History {
        std::vector<Copy> copies;
        std::vector<ResourceId> ages;
    };
    /// What a resource is made of.
    struct Slot {
        OwnedImage image; ///< transient
        OwnedBuffer buffer;
        ResourceId object; ///< none, or whose image or buffer this transient uses
        std::shared_ptr<const ConstantObject> constant;
        std::uint32_t kept = ~0u;    ///< index into kept_
        std::uint32_t history = ~0u; ///< index into histories_
        std::uint32_t age = 0;
    };

    /// Memory of a block of the plan.
    struct Block {
        OwnedMemory memory;
        std::byte* mapped = nullptr;     ///< null: not mapped
        std::unique_ptr<LentBlock> lent; ///< the same place again, for messages of ranks
    };
    void lend_block(const DeviceImpl& device, const Plan& plan, std::uint32_t index);
    bool takes_lent(const DeviceImpl& device, const Plan& plan, std::uint32_t index) const;
    Result<void> create_block(const DeviceImpl& device, const Plan& plan, std::uint32_t index);
    Result<void> create_transients(const DeviceImpl& device, const Plan& plan);
    Result<void> create_transient(const DeviceImpl& device, const Plan& plan, ResourceId resource);
    Result<void> share_object(const Plan& plan, ResourceId resource);
    Result<void> create_constants(DeviceImpl& device, const Plan& plan);
    Result<void> create_kept(const DeviceImpl& device, const Plan& plan);
    Result<void> create_histories(const DeviceImpl& device, const Plan& plan);
    Result<void> create_copies(const DeviceImpl& device, const Plan& plan, History& history);
    void record_clear(const DeviceImpl& device, VkCommandBuffer commands, const Plan& plan,
                      const History& history, std::size_t copy) const;

    std::vector<Block> blocks_;        ///< before slots_: memory goes after what is bound to it
    std::vector<Communicator*> ranks_; ///< per resource: of messages that alone are in it
    std::vector<Slot> slots_;          ///< per resource
    std::vector<Copy> kept_;           ///< one for each of `Plan::kept`
    std::vector<History> histories_;
    std::vector<QueueMask> shared_; ///< `shared_queues`
    std::uint32_t phases_ = 1;
    ExecutorMemory bytes_;
};

} // namespace tuff
