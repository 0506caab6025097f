#include "gpu/execute/parameters.hpp"

#include <algorithm>
#include <array>

namespace tuff {
namespace {

constexpr std::uint64_t kLineBytes = 64;
using Line = std::array<std::uint64_t, kLineBytes / sizeof(std::uint64_t)>;

Line load_line(const std::byte* from) {
    Line line;
    std::memcpy(line.data(), from, kLineBytes);
    return line;
}

/// Without branches, so that it is a few wide instructions.
bool differ(const Line& a, const Line& b) {
    std::uint64_t difference = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        difference |= a[i] ^ b[i];
    return difference != 0;
}

} // namespace

ParameterLayout::ParameterLayout(const DeviceImpl& device, const Plan& plan,
                                 const KernelNodes& kernels) {
    const std::uint64_t alignment =
        std::max<std::uint64_t>(device.caps.uniform_offset_alignment, kLineBytes);
    for (std::uint32_t k = 0; k < kernels.nodes.size(); ++k) {
        const KernelUse& kernel = *kernel_of(plan.graph, kernels.nodes[k]);
        const std::uint32_t block_bytes = kernel.shader->param_bytes;
        offsets_.push_back(bytes_);
        if (block_bytes != 0)
            blocks_.push_back({.source = kernel.param_offset,
                               .bytes = align_up(block_bytes, kLineBytes),
                               .destination = bytes_});
        bytes_ = align_up(bytes_ + block_bytes, alignment);
        if (kernel.shader->push_bytes != 0)
            pushes_.push_back({k, kernel.push_offset, kernel.shader->push_bytes});
    }
}

std::vector<std::byte> ParameterLayout::padded(std::span<const std::byte> parameters) {
    std::vector<std::byte> result(parameters.begin(), parameters.end());
    result.resize(parameters.size() + kLineBytes - 1);
    return result;
}

void ParameterLayout::write(std::span<const std::byte> parameters, ParameterBuffer& buffer) const {
    for (const Block& block : blocks_) {
        const std::byte* const now = parameters.data() + block.source;
        std::byte* const known = buffer.contents.data() + block.destination;
        std::byte* const memory = buffer.memory.bytes.data() + block.destination;
        for (std::uint64_t at = 0; at < block.bytes; at += kLineBytes) {
            const Line line = load_line(now + at);
            if (!differ(line, load_line(known + at))) continue;
            std::memcpy(known + at, line.data(), kLineBytes);
            std::memcpy(memory + at, line.data(), kLineBytes);
        }
    }
}

} // namespace tuff
