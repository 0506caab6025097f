#include "gpu/parameters.hpp"

#include <algorithm>
#include <array>

namespace tuff {
namespace {

constexpr std::uint64_t kLineBytes = 64;
/// What is compared and copied at once: GraphDesc::parameters aligns blocks to that.
constexpr std::uint64_t kWordBytes = 16;

/// Makes what is known of a line, and the line itself if need be, what it is `now`. Sizes are known
/// when this is compiled, so that the line goes through registers: it never reads what it has just
/// written in other pieces.
template <std::size_t words>
void update_line(const std::byte* now, std::byte* known, std::byte* line) {
    constexpr std::size_t kBytes = words * kWordBytes;
    if (std::memcmp(known, now, kBytes) == 0) return;
    std::array<std::byte, kBytes> changed;
    std::memcpy(changed.data(), now, kBytes);
    std::memcpy(known, changed.data(), kBytes);
    std::memcpy(line, changed.data(), kBytes);
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
    static_assert(kLineBytes == 4 * kWordBytes);
    for (const Line& line : lines_) {
        const std::byte* const now = parameters.data() + line.source;
        std::byte* const known = buffer.contents.data() + line.destination;
        std::byte* const memory = buffer.memory.bytes.data() + line.destination;
        switch (line.words) {
        case 1: update_line<1>(now, known, memory); break;
        case 2: update_line<2>(now, known, memory); break;
        case 3: update_line<3>(now, known, memory); break;
        default: update_line<4>(now, known, memory); break;
        }
    }
}

} // namespace tuff
