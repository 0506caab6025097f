#include "passes/oit/lists.hpp"

#include "passes/common/status.hpp"
#include "passes/common/warning.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tuff::passes {

OitStatus OitStatus::read(std::span<const std::uint32_t> words) {
    return status_from<OitStatus>(words);
}

Diagnostics OitStatus::warnings() const {
    Diagnostics all;
    if (lost > 0)
        all.push_back(warning("oit/full-pool",
                              fmt::format("{} of {} fragments found no room", lost, demand),
                              fmt::format("a pool for {} fragments would do", demand)));
    if (dropped > 0)
        all.push_back(
            warning("oit/bad-depth",
                    fmt::format("{} fragments are left out: their depth is no number", dropped),
                    "mend the mesh or the camera"));
    return all;
}

std::vector<PoolNeed> OitStatus::pool_needs() const {
    if (lost == 0) return {};
    return {{"fragments", demand}};
}

std::uint32_t words_of(FragmentPacking packing, FragmentLayout layout) {
    if (packing == FragmentPacking::tight) return 2;
    const std::uint32_t next = layout == FragmentLayout::linked ? 1 : 0;
    if (packing == FragmentPacking::compact) return 2 + next;
    return (packing == FragmentPacking::hdr ? 4u : 3u) + next;
}

std::uint64_t most_fragments(FragmentPacking packing, FragmentLayout layout) {
    constexpr std::uint64_t kWords = (std::uint64_t{1} << 30) - 1; // addressed in bytes by 32 bits
    const std::uint64_t most = kWords / words_of(packing, layout);
    return packing == FragmentPacking::tight ? std::min<std::uint64_t>(most, 0xffffff) : most;
}

void specialize_fragments(KernelNode& node, const OitLists& lists) {
    node.specialize("kPacking", static_cast<std::uint32_t>(lists.packing));
    node.specialize("kLayout", static_cast<std::uint32_t>(lists.layout));
    node.specialize("kSamples", lists.samples);
}

void bind_lists(KernelNode& node, const OitLists& lists) {
    specialize_fragments(node, lists);
    node.read("heads", lists.heads);
    node.read("fragments", lists.fragments);
    node.set("capacity", lists.capacity);
}

bool lists_fit(Graph& graph, const OitLists& lists, Image picture) {
    const Extent extent = graph.extent(picture);
    const glm::uvec2 end = lists.area.origin + lists.area.size;
    if (end.x <= extent.width && end.y <= extent.height) return true;
    graph.error("image/size-mismatch",
                fmt::format("the fragments are of {}x{} pixels, and the picture of {}x{}", end.x,
                            end.y, extent.width, extent.height));
    return false;
}

} // namespace tuff::passes
