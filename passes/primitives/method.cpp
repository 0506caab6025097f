#include "passes/primitives/method.hpp"

namespace tuff::passes {

ScanMethod choose(ScanMethod method, const Graph& graph, bool repeatable) {
    if (method != ScanMethod::automatic) return method;
    return graph.target().forward_progress && !repeatable ? ScanMethod::look_back
                                                          : ScanMethod::three_pass;
}

void specialize_accesses(Graph& graph, ComputeNodeBuilder& node) {
    node.specialize("plain_accesses", graph.target().forward_progress ? 1u : 0u);
}

void bind_look_back(Graph& graph, ComputeNodeBuilder& node, Buffer states) {
    specialize_accesses(graph, node);
    static_cast<void>(node.write("look_back", states)); // of no use afterwards
}

Buffer look_back_states(Graph& graph, std::uint64_t tiles) {
    const Buffer states = graph.buffer("look_back", {.size = 8 * (tiles + 1), .stride = 4});
    return graph.fill(states, 0, "clear_look_back");
}

} // namespace tuff::passes
