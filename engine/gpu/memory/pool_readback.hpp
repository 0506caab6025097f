#pragma once

#include "gpu/execute/bound_resources.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace tuff {

/// The statuses that tell of pools. Each execution copies their words to memory of its slot that
/// the host sees, so that looking at them later costs nothing.
class PoolReadback {
  public:
    PoolReadback() = default;
    explicit PoolReadback(const Plan& plan);

    /// Of a slot's memory; 0 where there are no pools.
    std::uint64_t bytes() const { return bytes_; }
    /// To be recorded after the epilogue, which leaves outputs ready to be copied.
    void record(const DeviceImpl& device, const BoundResources& resources, VkCommandBuffer commands,
                VkBuffer destination) const;
    /// Adds the pools that were too small.
    void read(std::span<const std::byte> memory, PoolSizes& needs) const;

  private:
    struct Status {
        ResourceId resource;
        PoolReader reader = nullptr;
        std::string_view pass; ///< lives as long as the plan
        std::uint64_t offset = 0;
        std::uint64_t size = 0;
    };
    std::vector<Status> statuses_;
    std::uint64_t bytes_ = 0;
};

} // namespace tuff
