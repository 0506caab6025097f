#include "passes/mpi/exchange_bricks.hpp"

#include "passes/mpi/bricks.hpp"

#include <algorithm>

namespace tuff::passes {
namespace {

std::uint32_t brick_words(const SparseShape& shape, SparseCell cell) {
    return shape.cells() * words_of(cell);
}

/// The store and its field with the copies of `border`.
template <typename Pass>
void add_copies(Graph& graph, Pass& pass, const BrickBorder& border) {
    const SharedClaims shared = share_bricks(graph, border, pass.source.list, pass.source.map);
    pass.bricks = allocate_bricks(graph, shared.claims);
    if (!pass.field) return;
    const Buffer field = field_with_room(graph, border, pass.field, 4 * words_of(pass.cell));
    pass.result = fill_copies(graph, border, shared.lists, pass.bricks, field,
                              brick_words(border.shape, pass.cell));
}

template <typename Pass>
void describe_bricks(PassInfo<Pass>& info) {
    info.input("source", &Pass::source, "the bricks of the rank's store");
    info.optional_input("field", &Pass::field, "one \"cell\" for each cell of a slot")
        .elements_from("\"cell\"", [](const Pass& pass) { return elements_of(pass.cell); });
    info.parameter("cell", &Pass::cell, "data of a cell").structural();
}

template <typename Pass>
Cost border_cost(const Pass& pass, std::uint64_t bricks) {
    const SparseShape& shape = pass.source.shape;
    const double words = pass.field ? brick_words(shape, pass.cell) : 1;
    return {.bytes = 200.0 * shape.capacity + 16.0 * words * static_cast<double>(bricks)};
}

} // namespace

void ExchangeBricks::describe(PassInfo<ExchangeBricks>& info) {
    info.summary("Gives a rank's sparse store copies of the bricks of other ranks that touch its "
                 "part")
        .details(
            "The bricks of the domain are divided among the ranks of the graph, as the cells of a "
            "field are. Each rank has a store with the size of the whole domain, and decides which "
            "bricks of its part are active. The pass adds a halo one brick wide, corners too: "
            "copies of the active bricks of other ranks, and of no others. Bricks outside of the "
            "part that their rank does not have are freed, and other bricks keep their slots. So "
            "kernels read across the border of a part as in a store of one rank, and a brick of "
            "eight cells serves eight steps that look at the next cell. Which bricks of the halo "
            "are new is not known: they count as new where they had no slot here.\n\n"
            "A message has room for \"border\" bricks, and carries only active ones. What does "
            "not fit is left out, and a warning says so (mpi/border-full). The store needs slots "
            "for the copies, too (sparse/pool-full).\n\n"
            "With one rank nothing travels. Along periodic axes the bricks at one end become "
            "neighbours of those at the other one.")
        .complexity("O(slots + bricks at the border)")
        .cost([](const ExchangeBricks& pass, const Graph& graph) -> Cost {
            return border_cost(pass, graph.ranks().size() > 1 ? pass.border : 0);
        });
    describe_bricks(info);
    info.parameter("border", &ExchangeBricks::border, "most bricks that go to one other rank")
        .range(1, 1u << 20)
        .structural();
    info.parameter("periodic_x", &ExchangeBricks::periodic_x,
                   "whether the domain goes on at its other end along x; it then has whole bricks")
        .structural();
    info.parameter("periodic_y", &ExchangeBricks::periodic_y, "the same along y").structural();
    info.parameter("periodic_z", &ExchangeBricks::periodic_z, "the same along z").structural();
    info.output("bricks", &ExchangeBricks::bricks, "the bricks of the part and of its halo");
    info.output("result", &ExchangeBricks::result,
                "the field with the halo's bricks, if there is one")
        .elements_from("\"cell\"",
                       [](const ExchangeBricks& pass) { return elements_of(pass.cell); });
}

void ExchangeBricks::build(Graph& graph) {
    SparseShape shape = source.shape;
    shape.periodic =
        std::uint32_t(periodic_x) | std::uint32_t(periodic_y) << 1 | std::uint32_t(periodic_z) << 2;
    if (field && !holds_slots(graph, "field", field, cell, shape)) return;
    // The copies need slots as well.
    if (shape.storage == SparseStorage::atlas) {
        const std::uint64_t slots =
            graph.pool(kSparsePool, shape.capacity, std::uint64_t{4} * brick_words(shape, cell));
        shape.capacity = static_cast<std::uint32_t>(
            std::min(std::max<std::uint64_t>(shape.capacity, slots), shape.bricks()));
    }
    const auto halo = halo_border(graph, shape, border);
    if (halo) add_copies(graph, *this, *halo);
}

void GatherBricks::describe(PassInfo<GatherBricks>& info) {
    info.summary("Puts the bricks that ranks have in parts together, on rank 0")
        .details(
            "Rank 0 gets a store with the active bricks of all parts, and the field of all of "
            "them, for passes that draw or save the whole. Other ranks get the bricks of their "
            "part, without halo. A message has room for \"capacity\" bricks, and carries only "
            "active ones. What does not fit is left out, and a warning says so "
            "(mpi/border-full).")
        .complexity("O(slots + bricks of the domain)")
        .cost([](const GatherBricks& pass, const Graph& graph) -> Cost {
            const std::uint64_t others = graph.ranks().size() - 1;
            return border_cost(pass, others * pass.capacity);
        });
    describe_bricks(info);
    info.parameter("capacity", &GatherBricks::capacity, "most bricks that one rank sends")
        .range(1, 1u << 24)
        .structural();
    info.output("bricks", &GatherBricks::bricks, "on rank 0 all bricks, else those of the part");
    info.output("result", &GatherBricks::result, "the field of these bricks, if there is one")
        .elements_from("\"cell\"", [](const GatherBricks& pass) { return elements_of(pass.cell); });
}

void GatherBricks::build(Graph& graph) {
    if (field && !holds_slots(graph, "field", field, cell, source.shape)) return;
    const auto whole = gather_border(graph, source.shape, capacity);
    if (whole) add_copies(graph, *this, *whole);
}

TUFF_PASS(ExchangeBricks)
TUFF_PASS(GatherBricks)

} // namespace tuff::passes
