#include "passes/octree/octree.hpp"

#include "passes/common/status.hpp"
#include "passes/common/warning.hpp"

#include <fmt/format.h>

namespace tuff::passes {

OctreeStatus OctreeStatus::read(std::span<const std::uint32_t> words) {
    return status_from<OctreeStatus>(words);
}

Diagnostics OctreeStatus::warnings() const {
    Diagnostics all;
    if (no_room > 0)
        all.push_back(warning("octree/no-room",
                              fmt::format("the pool has {} nodes, but {} more are needed: {} "
                                          "leaves are lost",
                                          std::uint64_t{kOctreeBlock} * room,
                                          std::uint64_t{kOctreeBlock} * no_room, lost),
                              "run several frames: the pool grows; or increase \"tree.nodes\", "
                              "or decrease \"tree.depth\""));
    if (cut_rays > 0)
        all.push_back(warning("octree/cut-rays",
                              fmt::format("{} rays crossed more than 2048 nodes, and their "
                                          "ends were not carved",
                                          cut_rays),
                              "carve at a coarser level: increase \"carve_levels\""));
    return all;
}

std::vector<PoolNeed> OctreeStatus::pool_needs() const {
    if (no_room == 0) return {};
    return {{kOctreePool, std::uint64_t{kOctreeBlock} * (std::uint64_t{blocks} + no_room)}};
}

std::vector<PortMember> Octree::members() const {
    return {{"nodes", nodes, BufferElements::of<glm::uvec2>()},
            {"blocks", blocks, BufferElements::of<std::uint32_t>()},
            {"free", free, BufferElements::of<std::uint32_t>()},
            {"status", status, BufferElements::of<OctreeStatus>()}};
}

bool is_valid(Graph& graph, const OctreeShape& shape) {
    const std::uint64_t most = graph.target().max_storage_buffer_bytes;
    const std::uint64_t bytes = std::uint64_t{8} * kOctreeBlock * shape.blocks();
    if (bytes <= most) return true;
    graph.error("octree/too-large",
                fmt::format("a pool of {} nodes takes {} bytes, but a buffer of the device "
                            "holds {}",
                            shape.nodes, bytes, most),
                "decrease \"tree.nodes\"");
    return false;
}

void specialize(KernelNode& node, const OctreeShape& shape) {
    node.specialize("kDepth", shape.depth);
    node.specialize("kKeyWords", shape.key_words());
}

std::uint32_t checked_points(Graph& graph, Buffer points) {
    const std::uint64_t count = graph.desc(points).size / sizeof(OctreePoint);
    if (count > 0 && count <= kMaxOctreePoints) return static_cast<std::uint32_t>(count);
    graph.error("octree/bad-points", fmt::format("\"points\" holds {} points of 16 bytes", count),
                fmt::format("connect a buffer of 1 to {} points", kMaxOctreePoints));
    return 0;
}

} // namespace tuff::passes
