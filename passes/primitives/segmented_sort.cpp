#include "passes/primitives/segmented_sort.hpp"

#include "passes/primitives/gather.hpp"
#include "passes/primitives/radix_sort.hpp"
#include "passes/primitives/table.hpp"

#include <fmt/format.h>

#include <bit>
#include <optional>

namespace tuff::passes {

void SegmentedSort::describe(PassInfo<SegmentedSort>& info) {
    info.summary("Sorts the keys of each segment of an array by themselves")
        .details("\"offsets\" holds where each segment begins, in ascending order, and where the "
                 "last one ends: one more offset than segments. Segments may be empty or of any "
                 "length. Keys before the first offset, and from the last one on, stay where they "
                 "are; offsets beyond the keys are clamped to their number. The sort is stable; "
                 "floats are in their total order (primitives/radix_sort).\n\nOne radix sort by "
                 "segment and key does the work, so the time does not depend on how the keys are "
                 "spread over the segments.")
        .complexity("O(n) for each 8 bits of key and segment number")
        .cost([](const SegmentedSort& pass, const Graph& graph) {
            const double n = static_cast<double>(capacity(graph, pass.keys));
            const std::uint64_t offsets = capacity(graph, pass.offsets);
            const auto digits = static_cast<double>(4 + (std::bit_width(offsets) + 7) / 8);
            const double value = pass.values ? 8.0 * pass.value_words + 4.0 : 0.0;
            return Cost{.bytes = n * (12.0 + digits * 24.0 + 12.0 + value), .operations = 0.0};
        });
    info.input("keys", &SegmentedSort::keys, "the keys").elements_by("type");
    info.input("offsets", &SegmentedSort::offsets,
               "u32, ascending: where each segment begins, and the end of the last")
        .elements<std::uint32_t>();
    info.optional_input("values", &SegmentedSort::values,
                        "optional values, one for each key: they move with their keys");
    info.optional_input("offset_count", &SegmentedSort::offset_count,
                        "the first word is the number of offsets, at most \"offsets_length\"")
        .elements<std::uint32_t>();
    describe_type(info);
    describe_length(info);
    info.parameter("order", &SegmentedSort::order, "order of the sorted keys").structural();
    info.parameter("offsets_length", &SegmentedSort::offsets_length,
                   "number of offsets, or the limit of \"offset_count\"; -1: all that the buffer "
                   "holds")
        .range(-1, kMaxElements)
        .unit("elements")
        .structural();
    info.parameter("value_words", &SegmentedSort::value_words, "32-bit words of a value")
        .range(1, Gather::kMaxWords)
        .unit("words")
        .structural();
    info.output("sorted_keys", &SegmentedSort::sorted_keys, "the keys, each segment in order")
        .elements_by("type");
    info.output("sorted_values", &SegmentedSort::sorted_values,
                "the values in the order of their keys; only if there are values")
        .elements_like("values");
    info.output("permutation", &SegmentedSort::permutation,
                "u32: the index that each sorted key had before")
        .elements<std::uint32_t>();
}

void SegmentedSort::build(Graph& graph) {
    const std::optional<Length> n = length_of(graph, keys, length, count, "keys");
    if (!n) return;
    const std::optional<Length> bounds =
        length_of(graph, offsets, offsets_length, offset_count, "offsets");
    if (!bounds) return;
    const auto record = static_cast<std::uint32_t>(value_words);
    if (values && !holds_records(graph, values, record, *n, "values")) return;

    ComputeNodeBuilder number = graph.compute("primitives/segment_keys");
    specialize(number, static_cast<SortKey>(type), order);
    bind_length(number, *n);
    bind_table(number, *bounds);
    number.read("keys", keys);
    number.read("offsets", offsets);
    const Buffer pairs =
        number.write("pairs", records(graph, "pairs", key_words(SortKey::u64), *n));
    dispatch_each(graph, number, *n);

    const auto all = static_cast<std::int64_t>(n->most);
    permutation = graph
                      .add(RadixSort{.keys = pairs,
                                     .count = count,
                                     .type = SortKey::u64,
                                     .length = all,
                                     .end_bit = 32 + static_cast<int>(std::bit_width(bounds->most)),
                                     .with_permutation = true},
                           "sort")
                      .permutation;
    const auto fetch = [&](Buffer source, int words, std::string_view name) {
        return graph
            .add(Gather{.source = source,
                        .indices = permutation,
                        .count = count,
                        .length = all,
                        .words = words},
                 name)
            .result;
    };
    sorted_keys = fetch(keys, 1, "fetch_keys");
    if (values) sorted_values = fetch(values, value_words, "fetch_values");
}

TUFF_PASS(SegmentedSort)

} // namespace tuff::passes
