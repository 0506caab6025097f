#include "passes/fluid/clock.hpp"

#include "passes/common/div_round_up.hpp"
#include "passes/fluid/parts.hpp"
#include "passes/mpi/all_reduce.hpp"

#include <algorithm>
#include <cstddef>

namespace tuff::passes {

FluidField with_clock(Graph& graph, const FluidField& field, bool at_rest) {
    constexpr std::uint32_t kMaxGroups = 1024;
    const glm::uvec3 size = field.part ? glm::uvec3(field.part.cells) : field.dims;
    const std::uint32_t cells = size.x * size.y * size.z;
    ComputeNodeBuilder node = graph.compute("fluid/clock");
    set_part(node, field);
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

FluidField with_speed_of_all(Graph& graph, const FluidField& field) {
    const BufferView own(field.status,
                         offsetof(FluidStatus, fastest) + sizeof(std::uint32_t) * field.tick,
                         sizeof(std::uint32_t));
    const Buffer speed =
        graph.copy(own, graph.buffer("speed", {.size = own.range.size, .stride = 4}), "own_speed");
    // The bits of floats that are not negative have their order.
    const Buffer greatest =
        graph
            .add(AllReduce{
                .source = speed, .type = RankNumber::u32, .operation = RankOperation::max})
            .result;
    FluidField result = field;
    result.status = graph.copy(greatest, own, "speed_of_all");
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
