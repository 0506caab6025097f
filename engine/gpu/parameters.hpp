#pragma once

#include "gpu/kernel_nodes.hpp"
#include "gpu/memory.hpp"

#include <cstring>
#include <span>

namespace tuff {

/// Where the `Params` block of each kernel lies in a slot's parameter buffer.
class ParameterLayout {
  public:
    ParameterLayout() = default;
    ParameterLayout(const DeviceImpl& device, const Plan& plan, const KernelNodes& kernels);

    std::uint64_t bytes() const { return bytes_; }
    /// By index into KernelNodes::nodes.
    std::uint64_t offset(std::uint32_t kernel) const { return blocks_[kernel].destination; }

    /// Notes which blocks differ between the two, and that they do from `generation` on.
    void note_changes(std::span<const std::byte> from, std::span<const std::byte> to,
                      std::uint64_t generation);
    /// Copies the blocks that have changed since `known` out of GraphDesc::parameters into a
    /// parameter buffer, which is slow to write. With 0 all of them.
    void write(std::span<const std::byte> parameters, std::span<std::byte> buffer,
               std::uint64_t known) const;

    /// Calls `found` with each kernel whose push constants differ between the two, by index into
    /// KernelNodes::nodes.
    template <typename Found>
    void for_differing_pushes(std::span<const std::byte> a, std::span<const std::byte> b,
                              Found&& found) const {
        for (const Push& push : pushes_)
            if (std::memcmp(a.data() + push.source, b.data() + push.source, push.bytes) != 0)
                found(push.kernel);
    }

  private:
    struct Block {
        std::uint32_t source = 0;
        std::uint32_t bytes = 0;
        std::uint64_t destination = 0;
        std::uint64_t changed = 1; ///< the last generation that changed it
    };
    struct Push {
        std::uint32_t kernel = 0;
        std::uint64_t source = 0;
        std::uint64_t bytes = 0;
    };
    std::vector<Block> blocks_; ///< per kernel
    std::vector<Push> pushes_;
    std::uint64_t bytes_ = 0;
};

} // namespace tuff
