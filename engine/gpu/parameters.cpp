#include "gpu/parameters.hpp"

#include <algorithm>
#include <array>

namespace tuff {
namespace {

constexpr std::uint64_t kLineBytes = 64;
/// What is compared and copied at once: GraphDesc::parameters aligns blocks to that.
constexpr std::uint64_t kWordBytes = 16;

/// Makes the word at `known` what it is at `now`. Zero if it is already.
std::uint64_t update_word(std::byte* known, const std::byte* now) {
    std::array<std::uint64_t, 2> a;
    std::array<std::uint64_t, 2> b;
    static_assert(sizeof(a) == kWordBytes);
    std::memcpy(a.data(), known, kWordBytes);
    std::memcpy(b.data(), now, kWordBytes);
    std::memcpy(known, b.data(), kWordBytes);
    return (a[0] ^ b[0]) | (a[1] ^ b[1]);
}

} // namespace

ParameterLayout::ParameterLayout(const DeviceImpl& device, const Plan& plan,
                                 const KernelNodes& kernels) {
    const std::uint64_t alignment = std::max<std::uint64_t>(device.caps.uniform_offset_alignment, kLineBytes);
    for (std::uint32_t k = 0; k < kernels.nodes.size(); ++k) {
        const KernelUse& kernel = *kernel_of(plan.graph, kernels.nodes[k]);
        const std::uint32_t block_bytes = kernel.shader->param_bytes;
        offsets_.push_back(bytes_);
        for (std::uint32_t at = 0; at < block_bytes; at += kLineBytes) {
            const std::uint64_t in_line = std::min<std::uint64_t>(block_bytes - at, kLineBytes);
            lines_.push_back(
                {.source = kernel.param_offset + at,
                 .words = static_cast<std::uint32_t>(align_up(in_line, kWordBytes) / kWordBytes),
                 .destination = bytes_ + at});
        }
        bytes_ = align_up(bytes_ + block_bytes, alignment);
        if (kernel.shader->push_bytes != 0)
            pushes_.push_back({k, kernel.push_offset, kernel.shader->push_bytes});
    }
}

std::vector<std::byte> ParameterLayout::padded(std::span<const std::byte> parameters) {
    std::vector<std::byte> result(parameters.begin(), parameters.end());
    result.resize(parameters.size() + kWordBytes - 1);
    return result;
}

void ParameterLayout::write(std::span<const std::byte> parameters, ParameterBuffer& buffer) const {
    for (const Line& line : lines_) {
        const std::byte* const now = parameters.data() + line.source;
        std::byte* const known = buffer.contents.data() + line.destination;
        std::uint64_t differs = 0;
        for (std::uint64_t at = 0; at < line.words * kWordBytes; at += kWordBytes)
            differs |= update_word(known + at, now + at);
        if (differs != 0)
            std::memcpy(buffer.memory.bytes.data() + line.destination, known, kLineBytes);
    }
}

} // namespace tuff
