#pragma once

#include "gpu/device/owned.hpp"
#include "gpu/device/queue_sharing.hpp"

#include <tuff/communicator.hpp>
#include <tuff/graph_desc.hpp>

#include <cstdint>
#include <memory>
#include <string_view>

namespace tuff {

/// Memory for the messages of a plan, which ranks of this host copy out of each other's: by CUDA
/// from GPU to GPU, by a mapping where the device is the CPU.
class LentBlock {
  public:
    /// Null where the ranks, the device or the driver do not allow it; messages then go through
    /// MPI. `communicator` outlives the block.
    static std::unique_ptr<LentBlock> allocate(const DeviceImpl& device, Communicator& communicator,
                                               std::uint64_t bytes, std::uint32_t type_bits);
    ~LentBlock();
    LentBlock(const LentBlock&) = delete;
    LentBlock& operator=(const LentBlock&) = delete;

    VkDeviceMemory memory() const { return memory_.get(); }
    std::byte* bytes() const { return lent_->bytes().data(); }
    std::uint32_t type_bits() const { return type_bits_; }

  private:
    LentBlock(OwnedMemory memory, std::uint32_t type_bits, std::shared_ptr<LentMemory> lent,
              Communicator& communicator);

    OwnedMemory memory_; ///< before what is made of it
    std::uint32_t type_bits_;
    std::shared_ptr<LentMemory> lent_;
    Communicator* communicator_;
};

/// A buffer that may be bound to such memory.
Result<OwnedBuffer> create_lent_buffer(const DeviceImpl& device, const BufferDesc& desc,
                                       UsageMask usage, std::string_view name, QueueMask shared_by);

} // namespace tuff
