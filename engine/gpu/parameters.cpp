#include "gpu/parameters.hpp"

#include <algorithm>

namespace tuff {

ParameterLayout::ParameterLayout(const DeviceImpl& device, const Plan& plan,
                                 const KernelNodes& kernels) {
    const std::uint64_t alignment =
        std::max<std::uint64_t>(device.caps.uniform_offset_alignment, 16);
    for (std::uint32_t k = 0; k < kernels.nodes.size(); ++k) {
        const KernelUse& kernel = *kernel_of(plan.graph, kernels.nodes[k]);
        Block block{.source = kernel.param_offset,
                    .bytes = kernel.shader->param_bytes,
                    .destination = bytes_};
        bytes_ = align_up(bytes_ + block.bytes, alignment);
        blocks_.push_back(block);
        if (kernel.shader->push_bytes != 0)
            pushes_.push_back({k, kernel.push_offset, kernel.shader->push_bytes});
    }
}

void ParameterLayout::note_changes(std::span<const std::byte> from, std::span<const std::byte> to,
                                   std::uint64_t generation) {
    for (Block& block : blocks_)
        if (block.bytes != 0 &&
            std::memcmp(from.data() + block.source, to.data() + block.source, block.bytes) != 0)
            block.changed = generation;
}

void ParameterLayout::write(std::span<const std::byte> parameters, std::span<std::byte> buffer,
                            std::uint64_t known) const {
    for (const Block& block : blocks_)
        if (block.changed > known && block.bytes != 0)
            std::memcpy(buffer.data() + block.destination, parameters.data() + block.source,
                        block.bytes);
}

} // namespace tuff
