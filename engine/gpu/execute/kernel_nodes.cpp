#include "gpu/execute/kernel_nodes.hpp"

namespace tuff {

KernelNodes kernel_nodes(const Plan& plan) {
    KernelNodes result;
    result.index_of.assign(plan.graph.nodes.size(), ~0u);
    for (const NodeId node : plan.order) {
        if (!kernel_of(plan.graph, node)) continue;
        result.index_of[node.index] = static_cast<std::uint32_t>(result.nodes.size());
        result.nodes.push_back(node);
    }
    return result;
}

const NodePayload& payload_of(const GraphDesc& graph, NodeId node) {
    static const NodePayload kEmpty = EmptyNode{};
    const std::uint32_t index = graph.nodes[node.index].payload;
    return index == ~0u ? kEmpty : graph.payloads[index];
}

const KernelUse* kernel_of(const GraphDesc& graph, NodeId node) {
    const NodePayload& payload = payload_of(graph, node);
    if (const auto* compute = std::get_if<ComputeNode>(&payload)) return &compute->kernel;
    if (const auto* raster = std::get_if<RasterNode>(&payload)) return &raster->kernel;
    if (const auto* rays = std::get_if<RayNode>(&payload)) return &rays->kernel;
    return nullptr;
}

} // namespace tuff
