#include "passes/fluid/gather.hpp"

#include "passes/fluid/parts.hpp"

namespace tuff::passes {

void FluidGather::describe(PassInfo<FluidGather>& info) {
    info.summary("Puts the parts of a flow together on rank 0, for passes that need the whole")
        .details(
            "In a graph of several ranks each has a part of a flow. On "
            "rank 0 the results have all cells; on other ranks they have the same size and are "
            "zero. With one rank the results are the inputs.")
        .complexity("O(cells)")
        .cost([](const FluidGather& pass, const Graph&) {
            // Read, packed, unpacked and written.
            const auto cells = [](glm::uvec3 dims) {
                return static_cast<double>(dims.x) * dims.y * dims.z;
            };
            if (!pass.field.part) return Cost{};
            return Cost{.bytes = 64.0 * (cells(pass.field.dims) + cells(pass.dye.dims))};
        });
    info.input("field", &FluidGather::field, "the flow");
    info.optional_input("dye", &FluidGather::dye, "its dye");
    info.output("field", &FluidGather::whole_field, "the whole flow");
    info.output("dye", &FluidGather::whole_dye, "the whole dye, if there is one");
}

void FluidGather::build(Graph& graph) {
    if (!is_valid_in_parts(graph, field, "field") || (dye && !is_valid(graph, dye, field, "dye")))
        return;
    whole_field = field.part ? passes::whole_field(graph, field) : field;
    if (dye) whole_dye = dye.part ? passes::whole_dye(graph, field, dye) : dye;
}

TUFF_PASS(FluidGather)

} // namespace tuff::passes
