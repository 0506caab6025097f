#pragma once

#include "gpu/execute/plan_resources.hpp"
#include "gpu/memory/memory.hpp"

#include <tuff/history.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tuff {

/// Brings copies of a history to the host and back, bit by bit, through one staging buffer of
/// bounded size. The bytes are those of one copy: an image's aspects one after the other, of each
/// mip by mip, layer by layer, without gaps. Images have one sample a texel.
class HistoryTransfer {
  public:
    /// `one_off` must outlive it.
    static Result<HistoryTransfer> create(OneOff& one_off, const HistoryInfo& history);

    /// `resting`: the layout that the copy is in before and afterwards. Waits.
    Result<void> read(const ResourceHandle& copy, Layout resting, std::span<std::byte> bytes);
    /// The same in the other direction.
    Result<void> write(const ResourceHandle& copy, Layout resting,
                       std::span<const std::byte> bytes);

  private:
    /// Bytes that one command copies.
    struct Piece {
        VkBufferImageCopy image{};
        std::uint64_t offset = 0; ///< of a buffer
        std::uint64_t bytes = 0;
    };
    /// As many as fit the staging buffer.
    struct Batch {
        std::vector<Piece> pieces;
        std::uint64_t bytes = 0;
    };

    void cut(const HistoryInfo& history);
    void cut_image(const ImageDesc& image);
    void cut_slice(VkBufferImageCopy region, Extent extent, std::uint64_t row);
    void add(Piece piece);
    Result<void> copy_batch(const Batch& batch, const ResourceHandle& copy, Layout resting,
                            bool to_host);

    OneOff* one_off_ = nullptr;
    HostBuffer staging_;
    std::vector<Batch> batches_;
    VkImageSubresourceRange whole_{};
};

} // namespace tuff
