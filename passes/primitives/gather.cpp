#include "passes/primitives/gather.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tuff::passes {

void Gather::describe(PassInfo<Gather>& info) {
    info.summary("Fetches records by index: result[i] = source[indices[i]]")
        .details("A record is one to four words. An index beyond the source fetches its last "
                 "record.")
        .complexity("O(indices)")
        .cost([](const Gather& pass, const Graph& graph) {
            const double indices = static_cast<double>(capacity(graph, pass.indices));
            return Cost{.bytes = 4.0 * indices * (1 + 2 * pass.words), .operations = 0.0};
        });
    info.input("source", &Gather::source, "the records");
    info.input("indices", &Gather::indices, "u32: the index of the record to fetch")
        .elements<std::uint32_t>();
    describe_length(info);
    info.parameter("words", &Gather::words, "words of a record")
        .range(1, kMaxWords)
        .unit("words")
        .structural();
    info.output("result", &Gather::result, "a record for each index").elements_like("source");
}

void Gather::build(Graph& graph) {
    const std::optional<Length> n = length_of(graph, indices, length, count, "indices");
    if (!n) return;
    const auto record = static_cast<std::uint32_t>(words);
    // Where there are indices there is something to fetch.
    const Length least{.most = std::min(n->most, 1u), .count = {}};
    if (!holds_records(graph, source, record, least, "source")) return;
    constexpr std::uint32_t kItems = 4; // records of an invocation, as in the kernel
    ComputeNodeBuilder node = graph.compute("primitives/gather");
    bind_length(node, *n);
    node.specialize("record_words", record);
    const std::uint64_t room = capacity(graph, source) / record;
    node.set("last_record",
             static_cast<std::uint32_t>(std::clamp<std::uint64_t>(room, 1, kMaxElements) - 1));
    node.read("source", source);
    node.read("indices", indices);
    result = node.write("result", records(graph, "result", record, *n));
    groups_for(graph, *n, node.group_size()[0] * kItems).dispatch(node);
}

TUFF_PASS(Gather)

} // namespace tuff::passes
