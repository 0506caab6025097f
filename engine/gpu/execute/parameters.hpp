#pragma once

#include "gpu/execute/kernel_nodes.hpp"
#include "gpu/memory/memory.hpp"

#include <cstring>
#include <span>

namespace tuff {

/// The parameter buffer of a frame slot. Such memory is slow to write and slower to read, so what
/// it holds is known from a copy.
struct ParameterBuffer {
    HostBuffer memory;
    std::vector<std::byte> contents; ///< of `memory`
};

/// Where the `Params` block of each kernel lies in a slot's parameter buffer. Blocks begin at lines
/// of the cache, and lines that differ are written whole: a GPU's memory takes a line in one
/// transaction, and each piece of one in a slower transaction of its own.
class ParameterLayout {
  public:
    ParameterLayout() = default;
    ParameterLayout(const DeviceImpl& device, const Plan& plan, const KernelNodes& kernels);

    /// Of a parameter buffer.
    std::uint64_t bytes() const { return bytes_; }
    /// By index into KernelNodes::nodes.
    std::uint64_t offset(std::uint32_t kernel) const { return offsets_[kernel]; }

    /// A copy of GraphDesc::parameters with some bytes behind it, which `write` needs.
    static std::vector<std::byte> padded(std::span<const std::byte> parameters);
    /// Writes what differs from the contents of the buffer. `parameters` are padded.
    void write(std::span<const std::byte> parameters, ParameterBuffer& buffer) const;

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
        std::uint64_t source = 0;
        std::uint64_t bytes = 0; ///< whole lines; what lies behind a block may be anything
        std::uint64_t destination = 0;
    };
    struct Push {
        std::uint32_t kernel = 0;
        std::uint64_t source = 0;
        std::uint64_t bytes = 0;
    };
    std::vector<std::uint64_t> offsets_; ///< per kernel
    std::vector<Block> blocks_;
    std::vector<Push> pushes_;
    std::uint64_t bytes_ = 0;
};

} // namespace tuff
