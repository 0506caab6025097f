#pragma once

#include "gpu/execute/kernel_nodes.hpp"

#include <cstddef>
#include <span>
#include <utility>

namespace tuff {

/// Where the bytes of each upload node lie in a slot's staging buffer.
class UploadLayout {
  public:
    UploadLayout() = default;
    explicit UploadLayout(const Plan& plan);

    std::uint64_t bytes() const { return bytes_; }
    std::uint64_t offset(NodeId node) const;
    /// Copies the bytes of all upload nodes into a staging buffer.
    void write(const Plan& plan, std::span<std::byte> buffer) const;

  private:
    std::vector<std::pair<NodeId, std::uint64_t>> offsets_; ///< in the plan's order
    std::uint64_t bytes_ = 0;
};

} // namespace tuff
