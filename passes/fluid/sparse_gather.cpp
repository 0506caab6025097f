#include "passes/fluid/sparse_gather.hpp"

#include "passes/fluid/sparse_step.hpp"
#include "passes/mpi/bricks.hpp"

namespace tuff::passes {

void SmokeGather::describe(PassInfo<SmokeGather>& info) {
    info.summary("Puts the smoke that ranks have in parts together on rank 0")
        .details(
            "Rank 0 gets all bricks with their velocity, dye and pressure, for passes that "
            "draw the smoke. Other ranks get the bricks of their part. \"status\" stays that of "
            "the rank. A message has room for \"capacity\" bricks, and carries only "
            "active ones. What does not fit is left out, and a warning says so (mpi/border-full). "
            "With one rank the smoke stays as it is.")
        .complexity("O(slots + bricks of the domain)")
        .cost([](const SmokeGather& pass, const Graph& graph) -> Cost {
            const double others = graph.ranks().size() - 1.0;
            const double bytes = 2.0 * smoke_cell_bytes(pass.source.precision) + 4.0;
            return {.bytes =
                        4.0 * others * pass.capacity * bytes * pass.source.bricks.shape.cells()};
        });
    info.input("source", &SmokeGather::source, "the rank's smoke, from fluid/sparse");
    info.parameter("capacity", &SmokeGather::capacity, "most bricks that one rank sends")
        .range(1, 1u << 24)
        .structural();
    info.output("smoke", &SmokeGather::smoke, "on rank 0 all of the smoke, else the rank's");
}

void SmokeGather::build(Graph& graph) {
    smoke = source;
    if (graph.ranks().size() == 1) return;
    const auto border = gather_border(graph, source.bricks.shape, capacity);
    if (!border) return;
    const SharedClaims shared = share_bricks(graph, *border, source.bricks.list, source.bricks.map);
    smoke.bricks = allocate_bricks(graph, shared.claims);
    const auto together = [&](Buffer field, std::uint32_t cell_bytes) {
        return fill_copies(graph, *border, shared.lists, smoke.bricks,
                           field_with_room(graph, *border, field, cell_bytes),
                           border->shape.cells() * cell_bytes / 4);
    };
    smoke.velocity = together(source.velocity, smoke_cell_bytes(source.precision));
    smoke.dye = together(source.dye, smoke_cell_bytes(source.precision));
    smoke.pressure = together(source.pressure, 4);
}

TUFF_PASS(SmokeGather)

} // namespace tuff::passes
