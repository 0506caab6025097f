#include "passes/sparse/audit.hpp"

#include "passes/common/status.hpp"
#include "passes/common/warning.hpp"
#include "passes/primitives/elements.hpp"

#include <fmt/format.h>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kSeries = 4;

/// What one execution is found to be.
struct AuditCounts {
    std::uint32_t broken = 0;
    std::uint32_t active_places = 0; ///< of the map
    std::uint32_t used_places = 0;
};

BufferDesc words(std::uint64_t count) {
    return {.size = 4 * count, .stride = 4};
}

/// Whether list, map and neighbours say the same, and no slot is given twice.
Buffer audit(Graph& graph, const SparseBricks& bricks) {
    Buffer counts =
        graph.fill(graph.buffer("counts", words(sizeof(AuditCounts) / 4)), 0, "no_counts");
    ComputeNodeBuilder slots = graph.compute("sparse/audit_slots");
    bind_map(slots, bricks);
    bind_neighbors(slots, bricks);
    slots.read("brick_list", bricks.list);
    slots.set("capacity", bricks.shape.capacity);
    counts = slots.write("counts", counts);
    (void)slots.write("owners",
                      graph.fill(array(graph, "audited", bricks.shape.capacity), 0, "no_owners"));
    slots.dispatch_each(bricks.shape.capacity);

    ComputeNodeBuilder map = graph.compute("sparse/audit_map");
    bind_map(map, bricks);
    counts = map.write("counts", counts);
    const std::uint64_t places =
        graph.desc(bricks.map).size / (bricks.shape.table_bits == 0 ? 4 : 8);
    map.dispatch_each(static_cast<std::uint32_t>(places));
    return counts;
}

} // namespace

SparseTotals SparseTotals::read(std::span<const std::uint32_t> words) {
    return status_from<SparseTotals>(words);
}

Diagnostics SparseTotals::warnings() const {
    Diagnostics all;
    if (broken > 0)
        all.push_back(
            warning("sparse/broken",
                    fmt::format("list, map, neighbours and slots of a sparse store do not "
                                "agree: {} times in {} executions",
                                broken, executions),
                    "report a bug: the store is at fault"));
    if (grown != 0)
        all.push_back(warning("sparse/growing",
                              fmt::format("up to {} bricks were active in the last window of "
                                          "\"kept\" executions, and up to {} in the second "
                                          "window",
                                          last_most, early_most),
                              "increase \"growth\", or emit less"));
    return all;
}

void SparseAudit::describe(PassInfo<SparseAudit>& info) {
    info.summary("Counts what a sparse store does over executions, and finds leaks")
        .details(
            "Each execution compares the list of active bricks with the map, the neighbours and "
            "the slots: each listed brick must be in the map with its slot, no slot may be "
            "used twice, and the map may have no other brick with a slot. So active bricks and "
            "free slots make up the pool. Errors are counted and give a warning "
            "(sparse/broken).\n\n"
            "\"active\", \"fresh\", \"refused\" and \"evicted\" have a number for each of the "
            "last \"kept\" executions, the last one at the end, for image/plot. Executions "
            "before the first are 0.\n\n"
            "With \"growth\", the pass compares windows of \"kept\" executions: the largest "
            "number of active bricks in the last window with that in the second. A window "
            "should be one or more periods of the animation (sparse/growing).")
        .complexity("O(active bricks + words of the map)")
        .cost([](const SparseAudit& pass, const Graph& graph) {
            const double map = static_cast<double>(graph.desc(pass.bricks.map).size);
            return Cost{.bytes = map + 24.0 * pass.bricks.shape.capacity + 32.0 * pass.kept,
                        .operations = map};
        });
    info.input("bricks", &SparseAudit::bricks, "the store, \"atlas\" or \"full\"");
    info.parameter("kept", &SparseAudit::kept,
                   "number of executions that the outputs show; "
                   "also the length of a window")
        .range(1, 1u << 20)
        .structural();
    info.parameter("growth", &SparseAudit::growth,
                   "allowed ratio of active bricks to those in the second window; 0: no limit")
        .range(0.0, 1e6);
    info.output("totals", &SparseAudit::totals, "sums over all executions")
        .elements<SparseTotals>();
    info.output("active", &SparseAudit::active, "f32: active bricks").elements<float>();
    info.output("fresh", &SparseAudit::fresh, "f32: bricks that got a new slot").elements<float>();
    info.output("refused", &SparseAudit::refused, "f32: bricks that did not get a slot")
        .elements<float>();
    info.output("evicted", &SparseAudit::evicted, "f32: bricks that lost their slot to others")
        .elements<float>();
}

void SparseAudit::build(Graph& graph) {
    const std::uint32_t count = kSeries * kept;
    const BufferHistory before = graph.history_buffer("totals", words(sizeof(SparseTotals) / 4));
    const BufferHistory series_before = graph.history_buffer("series", words(count));
    ComputeNodeBuilder node = graph.compute("sparse/audit");
    node.read("status", bricks.status);
    node.read("counts", audit(graph, bricks));
    node.read("before", before.previous[0]);
    node.read("series_before", series_before.previous[0]);
    node.set("kept", kept);
    node.set("growth", growth);
    const Buffer now = node.write("totals", before.current);
    const Buffer series = node.write("series", series_before.current);
    node.dispatch_each(count);
    totals = graph.copy(now, graph.buffer("totals", words(sizeof(SparseTotals) / 4)), "totals");
    graph.status<SparseTotals>(totals);
    const auto series_of = [&](std::uint32_t which, std::string_view name) {
        return graph.copy(
            BufferView(series, std::uint64_t{4} * kept * which, std::uint64_t{4} * kept),
            graph.buffer(name, words(kept)), name);
    };
    active = series_of(0, "active");
    fresh = series_of(1, "fresh");
    refused = series_of(2, "refused");
    evicted = series_of(3, "evicted");
}

TUFF_PASS(SparseAudit)

} // namespace tuff::passes
