#include "passes/bodies/jacobi.hpp"

#include "passes/primitives/radix_sort.hpp"

#include <algorithm>
#include <bit>

namespace tuff::passes {
namespace {

constexpr std::uint64_t kSplitGroups = 20; // bytes: where the tally has groups for constraints

} // namespace

SplitMasses split_masses(Graph& graph, const BodyBatches& batches, const BodyPairs& pairs,
                         std::uint32_t bodies) {
    const std::uint32_t most = 2 * std::max(pairs.most(), 1u);
    ComputeNodeBuilder ends = graph.compute("bodies/incidences");
    ends.read("tally", pairs.tally);
    ends.read("keys", batches.keys);
    ends.read("ordered", batches.ordered);
    ends.read("ends", batches.ends);
    ends.set("all_cells", batches.cell_count());
    ends.set("count", bodies);
    const Buffer unsorted = ends.write("incident", body_array(graph, "incident", most, 4));
    const Buffer count = ends.write("twice", body_array(graph, "twice", 1, 4));
    ends.dispatch_indirect(pairs.tally, kSplitGroups);
    const RadixSort sorted =
        graph.add(RadixSort{.keys = unsorted,
                            .count = count,
                            .length = most,
                            .end_bit = static_cast<int>(std::bit_width(bodies)),
                            .with_permutation = true});
    ComputeNodeBuilder ranges = graph.compute("bodies/incidence_ranges");
    ranges.read("twice", count);
    ranges.read("incident", sorted.sorted_keys);
    ranges.set("count", bodies);
    SplitMasses split{.incidences = sorted.permutation};
    split.offsets =
        ranges.write("offsets", graph.fill(body_array(graph, "incidence_ranges", bodies, 8), 0,
                                           "no_incidences"));
    ranges.dispatch_each(most);
    ComputeNodeBuilder shares = graph.compute("bodies/shares");
    shares.read("offsets", split.offsets);
    shares.set("count", bodies);
    split.shares = shares.write("shares", body_array(graph, "shares", bodies, 4));
    shares.dispatch_each(bodies);
    return split;
}

} // namespace tuff::passes
