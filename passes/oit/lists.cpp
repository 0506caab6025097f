#include "passes/oit/lists.hpp"

#include "passes/common/status.hpp"
#include "passes/common/warning.hpp"

#include <fmt/format.h>

namespace tuff::passes {

OitStatus OitStatus::read(std::span<const std::uint32_t> words) {
    return status_from<OitStatus>(words);
}

Diagnostics OitStatus::warnings() const {
    Diagnostics all;
    if (lost > 0)
        all.push_back(warning("oit/full-pool",
                              fmt::format("{} of {} fragments had no room", lost, demand),
                              fmt::format("a pool for {} fragments would do", demand)));
    if (dropped > 0)
        all.push_back(warning("oit/bad-depth",
                              fmt::format("{} fragments are left out: their depth is NaN", dropped),
                              "check the mesh and the camera"));
    return all;
}

std::vector<PoolNeed> OitStatus::pool_needs() const {
    if (lost == 0) return {};
    return {{"fragments", demand}};
}

void specialize_fragments(KernelNode& node, const FragmentLists& lists) {
    node.specialize("kPayload", static_cast<std::uint32_t>(lists.payload));
    node.specialize("kLayout", static_cast<std::uint32_t>(lists.layout));
    node.specialize("kSamples", lists.samples);
}

void bind_lists(KernelNode& node, const FragmentLists& lists) {
    specialize_fragments(node, lists);
    node.read("heads", lists.heads);
    node.read("fragments", lists.fragments);
    node.set("capacity", lists.capacity);
}

bool have_colors(Graph& graph, const FragmentLists& lists) {
    if (lists.payload <= FragmentPayload::tight) return true;
    const bool triangles = lists.payload == FragmentPayload::triangle;
    graph.error(
        "oit/no-colors",
        fmt::format("the fragments hold {} and no colors", triangles ? "triangles" : "media"),
        triangles ? "shade them with oit/shade" : "render them with volume/fragments");
    return false;
}

} // namespace tuff::passes
