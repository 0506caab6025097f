#pragma once

#include "gpu/execute/kernel_nodes.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace tuff {

/// Where the bytes of each upload node lie in a slot's staging buffer.
class UploadLayout {
  public:
    UploadLayout() = default;
    explicit UploadLayout(const Plan& plan);

    std::uint64_t bytes() const { return bytes_; }
    std::uint64_t offset(NodeId node) const;
    /// What the upload nodes of `graph` bring, in the plan's order. The graph is the plan's, or one
    /// of the same structure.
    using Contents = std::vector<std::shared_ptr<const std::vector<std::byte>>>;
    Contents contents(const GraphDesc& graph) const;
    /// Copies them into a staging buffer.
    void write(const Contents& contents, std::span<std::byte> buffer) const;

  private:
    std::vector<std::pair<NodeId, std::uint64_t>> offsets_; ///< in the plan's order
    std::uint64_t bytes_ = 0;
};

} // namespace tuff
