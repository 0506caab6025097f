#include "passes/primitives/method.hpp"

namespace tuff::passes {

ScanMethod choose(ScanMethod method, const Graph& graph, bool repeatable) {
    const DeviceCaps& target = graph.target();
    // The threads of a CPU go on, whoever waits; of a GPU it has to be known.
    const bool goes_on = target.forward_progress || target.type == DeviceType::cpu;
    if (!target.unbounded_loops || !goes_on) return ScanMethod::three_pass;
    if (method != ScanMethod::automatic) return method;
    return target.forward_progress && !repeatable ? ScanMethod::look_back : ScanMethod::three_pass;
}

std::uint64_t look_back_words(const Length& length, const TileShape& shape) {
    return 2 * ((std::uint64_t{length.most} + shape.elements() - 1) / shape.elements() + 1);
}

Buffer look_back_states(Graph& graph, const Length& length, const TileShape& shape) {
    const Buffer states =
        graph.buffer("look_back", {.size = 4 * look_back_words(length, shape), .stride = 4});
    return graph.fill(states, 0, "clear_look_back");
}

void bind_look_back(ComputeNodeBuilder& node, const TileShape& shape, Buffer states) {
    node.specialize("local_size_x", shape.group);
    node.specialize("kQuads", shape.quads);
    static_cast<void>(node.write("look_back", states)); // of no use afterwards
}

} // namespace tuff::passes
