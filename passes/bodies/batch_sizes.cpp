#include "passes/bodies/batch_sizes.hpp"

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMostShownBatches = 4096;

} // namespace

void BatchSizes::describe(PassInfo<BatchSizes>& info) {
    info.summary("Counts the constraints of each batch of a set of cells")
        .details("The constraints of a batch are solved at the same time, in all cells of a set; "
                 "batches that follow wait for it. The sizes show how parallel a step is, for "
                 "example as curves by image/plot.")
        .source("T. Harada, \"Two-Level Constraint Solver and Pipelined Local Batching for Rigid "
                "Body Simulation on GPUs\", GPU Pro 4, 2013")
        .complexity("O(cells * most)")
        .cost([](const BatchSizes& pass, const Graph&) {
            return Cost{.bytes = 32.0 * pass.batches.set_cells() * pass.most,
                        .operations = 50.0 * pass.batches.set_cells() * pass.most};
        });
    info.input("batches", &BatchSizes::batches, "batches, from bodies/batches or bodies/simulate");
    info.parameter("set", &BatchSizes::set,
                   "the set: the parities of the cell along the axes that are cut, x first, then "
                   "z, then y; a set that is not there has no constraints")
        .range(0, 7);
    info.parameter("most", &BatchSizes::most, "number of batches that are counted")
        .range(1, kMostShownBatches)
        .structural();
    info.output("sizes", &BatchSizes::sizes, "f32 a batch: number of its constraints")
        .elements<float>();
}

void BatchSizes::build(Graph& graph) {
    ComputeNodeBuilder node = graph.compute("bodies/batch_sizes");
    node.read("ordered_batches", batches.ordered_batches);
    node.read("ranges", batches.ranges);
    node.set("cells", batches.cells);
    node.set("set", set);
    node.set("set_cells", set < batches.sets() ? batches.set_cells() : 0u);
    sizes = node.write("sizes", body_array(graph, "sizes", most, 4));
    node.dispatch(most);
}

TUFF_PASS(BatchSizes)

} // namespace tuff::passes
