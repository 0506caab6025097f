#include "gpu/memory/uploads.hpp"

#include <algorithm>
#include <cstring>

namespace tuff {

UploadLayout::UploadLayout(const Plan& plan) {
    constexpr std::uint64_t kAlignment = 16;
    for (const NodeId node : plan.order) {
        const auto* upload = std::get_if<UploadNode>(&payload_of(plan.graph, node));
        if (!upload || !upload->bytes) continue;
        offsets_.emplace_back(node, bytes_);
        bytes_ += (upload->bytes->size() + kAlignment - 1) / kAlignment * kAlignment;
    }
}

std::uint64_t UploadLayout::offset(NodeId node) const {
    const auto found = std::ranges::find(offsets_, node, &std::pair<NodeId, std::uint64_t>::first);
    return found == offsets_.end() ? 0 : found->second;
}

void UploadLayout::write(const Plan& plan, std::span<std::byte> buffer) const {
    for (const auto& [node, offset] : offsets_) {
        const auto& bytes = *std::get<UploadNode>(payload_of(plan.graph, node)).bytes;
        // The host may have changed the bytes, not their number.
        const std::uint64_t room = buffer.size() - offset;
        std::memcpy(buffer.data() + offset, bytes.data(),
                    std::min<std::uint64_t>(bytes.size(), room));
    }
}

} // namespace tuff
