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

UploadLayout::Contents UploadLayout::contents(const GraphDesc& graph) const {
    Contents contents;
    for (const auto& [node, offset] : offsets_)
        contents.push_back(std::get<UploadNode>(payload_of(graph, node)).bytes);
    return contents;
}

void UploadLayout::write(const Contents& contents, std::span<std::byte> buffer) const {
    for (std::size_t i = 0; i < offsets_.size(); ++i) {
        const std::vector<std::byte>& bytes = *contents[i];
        // The host may have changed the bytes, not their number.
        const std::uint64_t offset = offsets_[i].second;
        const std::uint64_t room = buffer.size() - offset;
        std::memcpy(buffer.data() + offset, bytes.data(),
                    std::min<std::uint64_t>(bytes.size(), room));
    }
}

} // namespace tuff
