#include "passes/fluid/clock.hpp"

#include "passes/common/div_round_up.hpp"

#include <algorithm>

namespace tuff::passes {

FluidField with_clock(Graph& graph, const FluidField& field, bool at_rest) {
    constexpr std::uint32_t kMaxGroups = 1024;
    const auto cells = static_cast<std::uint32_t>(field.count());
    ComputeNodeBuilder node = graph.compute("fluid/clock");
    bind_flow(node, field);
    node.set("cells", cells);
    node.set("from_rest", std::uint32_t(at_rest));
    node.set("elapsed", field.elapsed);
    FluidField result = field;
    result.status = node.write("status", field.status);
    result.clocked = true;
    result.tick = 0;
    node.dispatch(std::min(div_round_up(cells, node.group_size()[0]), kMaxGroups));
    return result;
}

void set_time(ComputeNodeBuilder& node, const FluidField& field) {
    node.set("dt", field.elapsed);
    // Read even where it is not looked at. As an optional binding it would be right, too, but then
    // barriers of an image alone order the memory that a dye takes over from it, and the validation
    // layer (1.3.239) does not follow these to a buffer: it reports SYNC-HAZARD-WRITE-AFTER-READ.
    node.specialize("kClocked", std::uint32_t(field.clocked));
    node.read("status", field.status ? field.status : field.cells);
}

} // namespace tuff::passes
