#include "passes/primitives/method.hpp"

namespace tuff::passes {

ScanMethod choose(ScanMethod method, const Graph& graph, bool repeatable) {
    if (method != ScanMethod::automatic) return method;
    return graph.target().forward_progress && !repeatable ? ScanMethod::look_back
                                                          : ScanMethod::three_pass;
}

Buffer look_back_states(Graph& graph, std::uint64_t tiles) {
    const Buffer states = graph.buffer("look_back", {.size = 8 * (tiles + 1), .stride = 4});
    return graph.fill(states, 0, "clear_look_back");
}

} // namespace tuff::passes
