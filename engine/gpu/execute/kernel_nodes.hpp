#pragma once

#include <tuff/plan.hpp>

#include <vector>

namespace tuff {

/// Index of a node among the live kernel nodes (compute and raster) of a plan; ~0u for others.
struct KernelNodes {
    std::vector<NodeId> nodes;           ///< in the plan's order
    std::vector<std::uint32_t> index_of; ///< per node of the graph
};

KernelNodes kernel_nodes(const Plan& plan);

/// The payload of a node; an empty node where it has none.
const NodePayload& payload_of(const GraphDesc& graph, NodeId node);
/// The kernel of a compute or raster node, else null.
const KernelUse* kernel_of(const GraphDesc& graph, NodeId node);
/// The access at `index` among the node's.
inline const AccessDesc& access_of(const GraphDesc& graph, NodeId node, std::uint32_t index) {
    return graph.accesses[graph.nodes[node.index].first_access + index];
}
/// The resource that an access touches.
inline ResourceId resource_of(const GraphDesc& graph, const AccessDesc& access) {
    return graph.versions[(access.read ? access.read : access.written).index].resource;
}

} // namespace tuff
