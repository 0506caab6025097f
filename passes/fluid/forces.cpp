#include "passes/fluid/forces.hpp"

#include "passes/fluid/parts.hpp"

namespace tuff::passes {
namespace {

/// In parts for as much of the halo as others are known for.
void go_over(ComputeNodeBuilder& node, const FluidField& field, std::int32_t unknown) {
    const CellRange cells = cells_around(field, halo_of(field) - unknown);
    set_grid(node, field, cells);
    node.dispatch_over(extent_of(field, cells));
}

} // namespace

void FluidForces::describe(PassInfo<FluidForces>& info) {
    info.summary("Computes vorticity confinement and buoyancy as a force on each cell")
        .details("Confinement is e (N x w), where w is the curl of the velocity, and N the "
                 "direction in which |w| grows. Buoyancy is the fourth number of the dye at the "
                 "cell (the mean of its cells if the dye is finer) times a vector. Forces are 0 in "
                 "solids.")
        .source("Guay, Colin and Egli, \"Simple and Fast Fluids\", GPU Pro 2, 2011; Fedkiw, Stam "
                "and Jensen, \"Visual Simulation of Smoke\", SIGGRAPH 2001")
        .complexity("O(cells)")
        .cost([](const FluidForces& pass, const Graph&) {
            const double cells = static_cast<double>(pass.field.count());
            return Cost{.bytes = 64.0 * cells, .operations = 80.0 * cells};
        });
    info.input("field", &FluidForces::field, "the flow");
    info.optional_input("dye", &FluidForces::dye,
                        "the dye; its fourth number is the heat that "
                        "causes lift");
    info.group("force", &FluidForces::parameters);
    info.output("forces", &FluidForces::forces, "one vec4 a cell: an acceleration")
        .elements<glm::vec4>();
}

void FluidForces::build(Graph& graph) {
    if (!is_valid_in_parts(graph, field, "field") || (dye && !is_valid(graph, dye, field, "dye")) ||
        !has_halo(graph, field, 2, "confinement"))
        return;
    ComputeNodeBuilder curl = graph.compute("fluid/curl");
    bind_flow(curl, field);
    go_over(curl, field, 1);
    const Buffer whirls = curl.write("curl", graph.buffer("curl", cells_desc(field.held())));

    ComputeNodeBuilder node = graph.compute("fluid/forces");
    bind_obstacles(node, field.solid);
    go_over(node, field, 2);
    node.read("curl", whirls);
    node.read_optional("dye", dye ? dye.cells : Buffer{});
    node.set("scale", static_cast<std::int32_t>(dye.scale));
    node.set("confinement", parameters.confinement);
    node.set("buoyancy", parameters.buoyancy);
    forces = node.write("forces", graph.buffer("forces", cells_desc(field.held())));
}

TUFF_PASS(FluidForces)

} // namespace tuff::passes
