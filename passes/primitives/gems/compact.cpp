#include "passes/primitives/gems/compact.hpp"

namespace tuff::passes {

void CompactGems2::describe(PassInfo<CompactGems2>& info) {
    info.summary("Keeps flagged elements in order, by a scan of log2(n) passes and a search")
        .details("What graphics hardware could do that gathers but does not scatter: the elements "
                 "that are not kept are counted by the scan of Hillis and Steele, and each output "
                 "searches for its element by steps that are halved each time. For comparison with "
                 "primitives/compact, whose results it gives with \"text\" \"corrected\". The "
                 "chapter prints a scan that compares strictly (\"printed_scan\"), so that the "
                 "element whose index is the stride misses the first one, and a search that rounds "
                 "its steps down (\"printed_search\"), so that it stops before it has arrived: "
                 "both give wrong results, and are here to show that tests find them.")
        .source("Horn, \"Stream Reduction Operations for GPGPU Applications\", GPU Gems 2, chapter "
                "36, 2005")
        .complexity("O(n log n)")
        .cost([](const CompactGems2& pass, const Graph& graph) {
            const double n = cost_elements(graph, pass.source, pass.length);
            return Cost{.bytes = 6.0 * n, .operations = n};
        });
    info.input("source", &CompactGems2::source, "the elements");
    info.input("flags", &CompactGems2::flags, "a word for each element, zero where it is not kept")
        .elements<std::uint32_t>();
    describe_length(info);
    info.parameter("text", &CompactGems2::text, "the algorithm as it must be, or as printed")
        .structural();
    info.output("result", &CompactGems2::result, "what is kept; room for as many as the source has")
        .elements_like("source");
    info.output("kept", &CompactGems2::kept, "one word: how many are kept")
        .elements<std::uint32_t>();
}

void CompactGems2::build(Graph& graph) {
    const std::optional<Length> n = length_of(graph, source, length, count);
    if (!n || !holds(graph, flags, *n, "flags")) return;
    ComputeNodeBuilder nulls = graph.compute("primitives/gems_null_counts", "null_counts");
    nulls.read("flags", flags);
    bind_length(nulls, *n);
    Buffer counts = nulls.write("counts", array(graph, "counts", n->most));
    const Groups groups = groups_for(graph, *n, nulls.group_size()[0]);
    groups.dispatch(nulls);

    for (std::uint64_t stride = 1; stride < n->most; stride *= 2) {
        ComputeNodeBuilder step = graph.compute("primitives/gems_scan_step", "scan_step");
        step.specialize("strict", text == GemsText::printed_scan ? 1u : 0u);
        step.read("source", counts);
        bind_length(step, *n);
        step.set("stride", static_cast<std::uint32_t>(stride));
        counts = step.write("sums", array(graph, "counts", n->most));
        groups.dispatch(step);
    }

    ComputeNodeBuilder search = graph.compute("primitives/gems_compact_search", "search");
    search.specialize("floored", text == GemsText::printed_search ? 1u : 0u);
    search.read("source", source);
    search.read("flags", flags);
    search.read("nulls", counts);
    bind_length(search, *n);
    result = search.write("result", array(graph, "result", n->most));
    kept = search.write("kept", array(graph, "kept", 1));
    groups.dispatch(search);
}

TUFF_PASS(CompactGems2)

} // namespace tuff::passes
