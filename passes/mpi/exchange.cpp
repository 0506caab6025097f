#include "passes/mpi/exchange.hpp"

#include "passes/mpi/field.hpp"
#include "passes/mpi/transfer.hpp"

namespace tuff::passes {
namespace {

/// The image itself, or a copy of one that outlives the execution.
Image writable(Graph& graph, Image source) {
    if (graph.peek().resource_of(source.version).lifetime == Lifetime::transient) return source;
    return graph.copy(source, graph.image("part", graph.desc(source)), "copy");
}

} // namespace

void HaloExchange::describe(PassInfo<HaloExchange>& info) {
    info.summary("Fills the halo of a rank's part of a field with cells of other ranks")
        .details(
            "A field of `cells` cells is divided among the ranks of the graph. The image of a rank "
            "has its part, and around it a halo of `halo` texels on every side, along z for "
            "volumes "
            "only. The pass fills the halo, corners too, from the ranks that have those cells, "
            "which may be further away than the next one. The part itself stays, and the image is "
            "filled in place: exchange it once, or a copy of it. Kernels that need "
            "no halo can read `source`: they run while the halo travels. With one rank nothing "
            "travels, and the field meets itself at periodic ends.")
        .source("Gropp, Lusk and Skjellum, \"Using MPI\", 3rd ed., MIT Press, 2014, chapter 4")
        .complexity("O(texels of the halo)")
        .cost([](const HaloExchange& pass, const Graph& graph) -> Cost {
            if (!pass.source) return {};
            const Field field = field_of(graph, pass.source, pass.cells, pass.halo);
            const Extent extent = graph.extent(pass.source);
            const Cells all{extent.width, extent.height, extent.depth};
            double texels = 1.0;
            double own = 1.0;
            for (std::size_t axis = 0; axis < 3; ++axis) {
                texels *= all[axis];
                own *= static_cast<double>(all[axis]) - 2.0 * field.halo[axis];
            }
            // Read, packed, unpacked and written.
            return {.bytes = (texels - own) * 2.0 *
                             (tuff::info(graph.desc(pass.source).format).texel_bytes +
                              static_cast<double>(packed_cell_bytes(graph, pass.source)))};
        });
    info.input("source", &HaloExchange::source,
               "the rank's part of the field, with room for the halo")
        .picture_or_volume();
    describe_field(info, &HaloExchange::cells, &HaloExchange::halo, 1);
    info.parameter("edge_x", &HaloExchange::edge_x,
                   "halo beyond the ends along x: the nearest cell, the other end of the field, or "
                   "what `source` has there")
        .structural();
    info.parameter("edge_y", &HaloExchange::edge_y, "the same along y").structural();
    info.parameter("edge_z", &HaloExchange::edge_z, "the same along z").structural();
    info.output("result", &HaloExchange::result, "the part and its halo");
}

void HaloExchange::build(Graph& graph) {
    const Field field = field_of(graph, source, cells, halo, {edge_x, edge_y, edge_z});
    if (!is_part_of(graph, source, field)) return;
    result = fill_halo(graph, writable(graph, source), field);
}

TUFF_PASS(HaloExchange)

} // namespace tuff::passes
