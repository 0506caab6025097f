#pragma once

#include "gpu/device/owned.hpp"

#include <tuff/plan.hpp>

#include <cstdint>
#include <vector>

namespace tuff {

/// The occlusion queries of raster nodes that count samples. Executions in flight share them: a
/// reset, a query and the copy of its result come one after another on the graphics queue.
class SampleQueries {
  public:
    static constexpr std::uint32_t kNone = ~0u;

    /// Error: `gpu/out-of-memory`.
    static Result<SampleQueries> create(const DeviceImpl& device, const Plan& plan);

    VkQueryPool pool() const { return pool_.get(); }
    /// The query of a node; `kNone` where it counts nothing.
    std::uint32_t of(NodeId node) const {
        return node.index < query_of_.size() ? query_of_[node.index] : kNone;
    }

  private:
    OwnedQueryPool pool_;
    std::vector<std::uint32_t> query_of_; ///< per node; empty where none counts
};

} // namespace tuff
