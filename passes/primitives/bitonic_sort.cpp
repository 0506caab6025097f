#include "passes/primitives/bitonic_sort.hpp"

#include "passes/primitives/gather.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kPairTile = 2048; // as in shaders/primitives/bitonic_tile.glsl
constexpr std::uint32_t kPairWords = 2;

/// One node that works on pairs, without its buffers.
ComputeNodeBuilder pair_node(Graph& graph, std::string_view kernel, std::string_view name,
                             const Length& length) {
    ComputeNodeBuilder node = graph.compute(fmt::format("primitives/bitonic_{}", kernel), name);
    bind_length(node, length);
    return node;
}

/// Sets the constants of primitives/sort_key.glsl, in kernels that turn keys into pairs or back.
template <typename Sort>
void specialize_keys(ComputeNodeBuilder& node, const Sort& pass) {
    specialize(node, static_cast<SortKey>(pass.type), pass.order);
}

/// Sorted pairs of keys and indices, by few passes.
Buffer sort_pairs(Graph& graph, const BitonicSort& pass, const Length& n) {
    const Groups groups = groups_for(graph, n, kPairTile);
    const auto node_of = [&](std::string_view kernel, std::string_view name) {
        return pair_node(graph, kernel, name, n);
    };
    ComputeNodeBuilder first = node_of("sort_tile", "sort_tiles");
    specialize_keys(first, pass);
    first.read("keys", pass.keys);
    Buffer pairs = first.write("pairs", records(graph, "pairs", kPairWords, n));
    groups.dispatch(first);

    for (std::uint64_t block = 2 * kPairTile; block / 2 < n.most; block *= 2) {
        graph.push_scope(fmt::format("merge[{}]", block));
        const auto compare = [&](std::uint64_t stride, bool mirrored) {
            ComputeNodeBuilder node =
                node_of("merge", mirrored ? "mirrored" : fmt::format("stride[{}]", stride));
            node.set("stride", static_cast<std::uint32_t>(stride));
            node.set("mirrored", mirrored ? 1u : 0u);
            pairs = node.write("pairs", pairs);
            const std::uint64_t blocks = (n.most + 2 * stride - 1) / (2 * stride);
            node.dispatch_each(static_cast<std::uint32_t>(blocks * stride));
        };
        compare(block / 2, true);
        for (std::uint64_t stride = block / 4; stride >= kPairTile; stride /= 2)
            compare(stride, false);
        ComputeNodeBuilder last = node_of("merge_tile", "tiles");
        pairs = last.write("pairs", pairs);
        groups.dispatch(last);
        graph.pop_scope();
    }
    return pairs;
}

/// The same by a pass for each stage of each step, from one buffer into another.
Buffer sort_pairs(Graph& graph, const BitonicSortGems2& pass, const Length& n) {
    const std::uint32_t places = std::bit_ceil(std::max(n.most, 1u));
    const auto target = [&] {
        return records(graph, "pairs", kPairWords, {.most = places, .count = {}});
    };
    ComputeNodeBuilder pad = pair_node(graph, "pad", "pad", n);
    pad.set("places", places);
    specialize_keys(pad, pass);
    pad.read("keys", pass.keys);
    Buffer pairs = pad.write("pairs", target());
    pad.dispatch_each(places);
    for (std::uint64_t step = 2; step <= places; step *= 2) {
        graph.push_scope(fmt::format("step[{}]", step));
        for (std::uint64_t offset = step / 2; offset > 0; offset /= 2) {
            ComputeNodeBuilder node =
                graph.compute("primitives/bitonic_gems_stage", fmt::format("stage[{}]", offset));
            node.set("places", places);
            node.set("offset", static_cast<std::uint32_t>(offset));
            node.set("step", static_cast<std::uint32_t>(step));
            node.read("source", pairs);
            pairs = node.write("result", target());
            node.dispatch_each(places);
        }
        graph.pop_scope();
    }
    return pairs;
}

template <typename Sort>
void describe_sort(PassInfo<Sort>& info) {
    info.input("keys", &Sort::keys, "the keys").elements_by("type");
    info.optional_input("values", &Sort::values,
                        "optional values, one for each key: they move with their keys");
    describe_type(info);
    describe_length(info);
    info.parameter("order", &Sort::order, "order of the sorted keys").structural();
    info.parameter("value_words", &Sort::value_words, "32-bit words of a value")
        .range(1, Gather::kMaxWords)
        .unit("words")
        .structural();
    info.output("sorted_keys", &Sort::sorted_keys, "the keys in order").elements_by("type");
    info.output("sorted_values", &Sort::sorted_values,
                "the values in the order of their keys; only if there are values")
        .elements_like("values");
    info.output("permutation", &Sort::permutation, "u32: the index that each sorted key had before")
        .template elements<std::uint32_t>();
}

/// Bytes of `reads_and_writes` rounds over all pairs; every round compares each place once.
template <typename Sort>
Cost network_cost(const Sort& pass, const Graph& graph, double rounds, double comparisons) {
    const double n = static_cast<double>(capacity(graph, pass.keys));
    return {.bytes = n * 4.0 * (2 * kPairWords * rounds + 3), .operations = n * comparisons};
}

double log2_of_keys(const Graph& graph, Buffer keys) {
    const auto n = static_cast<std::uint32_t>(capacity(graph, keys));
    return static_cast<double>(std::bit_width(std::bit_ceil(std::max(n, 1u))) - 1);
}

template <typename Sort>
void build_sort(Graph& graph, Sort& pass) {
    const std::optional<Length> n = length_of(graph, pass.keys, pass.length, pass.count, "keys");
    if (!n) return;
    const auto record = static_cast<std::uint32_t>(pass.value_words);
    if (pass.values && !holds_records(graph, pass.values, record, *n, "values")) return;

    const Buffer pairs = sort_pairs(graph, pass, *n);
    ComputeNodeBuilder split = pair_node(graph, "split", "split", *n);
    specialize_keys(split, pass);
    split.read("pairs", pairs);
    pass.sorted_keys = split.write("sorted_keys", array(graph, "sorted_keys", n->most));
    pass.permutation = split.write("permutation", array(graph, "permutation", n->most));
    dispatch_each(graph, split, *n);
    if (!pass.values) return;
    const Gather fetched = graph.add(Gather{.source = pass.values,
                                            .indices = pass.permutation,
                                            .count = pass.count,
                                            .length = static_cast<std::int64_t>(n->most),
                                            .words = pass.value_words},
                                     "fetch_values");
    pass.sorted_values = fetched.result;
}

} // namespace

void BitonicSort::describe(PassInfo<BitonicSort>& info) {
    info.summary("Sorts keys of 32 bits by a bitonic network")
        .details("Use it for up to a few thousand keys; primitives/radix_sort is faster for "
                 "more.\n\nTiles of 2,048 keys are sorted in shared memory, then merged. Merge "
                 "steps that span more than a tile take a pass each; all others share one pass. "
                 "The sort is stable, because pairs of key and index are sorted. Floats are in "
                 "their total order (primitives/radix_sort). The number of keys need not be a "
                 "power of two. With a \"count\", the results beyond it are undefined.")
        .source("K. Batcher, \"Sorting networks and their applications\", 1968")
        .complexity("O(n log^2 n)")
        .cost([](const BitonicSort& pass, const Graph& graph) {
            const double l = log2_of_keys(graph, pass.keys);
            const double merges = std::max(l - 11.0, 0.0); // of more than a tile
            return network_cost(pass, graph, 1 + merges * (merges + 3) / 2, l * (l + 1) / 2);
        });
    describe_sort(info);
}
void BitonicSort::build(Graph& graph) {
    build_sort(graph, *this);
}

void BitonicSortGems2::describe(PassInfo<BitonicSortGems2>& info) {
    info.summary("Bitonic merge sort in many passes, as in the books, for comparison")
        .details("Every stage of every step is a pass from one buffer into another, in which each "
                 "place reads itself and its partner: log n (log n + 1) / 2 passes, 210 for a "
                 "million keys. The number of places is rounded up to a power of two; the added "
                 "places get the greatest key. The book sorts bare floats in a texture. This pass "
                 "sorts pairs of key and index, so the sort is stable, values can follow, and NaNs "
                 "are kept. The result equals that of primitives/bitonic_sort.")
        .source("I. Buck and T. Purcell, \"A Toolkit for Computation on GPUs\", GPU Gems, chapter "
                "37; D. Horn, \"Stream Reduction Operations for GPGPU Applications\", GPU Gems 2, "
                "chapter 36")
        .complexity("O(n log^2 n), in log n (log n + 1) / 2 passes")
        .cost([](const BitonicSortGems2& pass, const Graph& graph) {
            const double l = log2_of_keys(graph, pass.keys);
            return network_cost(pass, graph, 1.5 * l * (l + 1) / 2, l * (l + 1) / 2);
        });
    describe_sort(info);
}
void BitonicSortGems2::build(Graph& graph) {
    build_sort(graph, *this);
}

TUFF_PASS(BitonicSort)
TUFF_PASS(BitonicSortGems2)

} // namespace tuff::passes
