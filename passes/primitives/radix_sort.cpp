#include "passes/primitives/radix_sort.hpp"

#include "passes/primitives/gather.hpp"
#include "passes/primitives/radix_kernels.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tuff::passes {
namespace {

constexpr double kSortedWordBytes = 4.0;
constexpr double kSectorBytes = 32.0; // least that a random access moves

bool is_onesweep(const Graph& graph, RadixMethod method) {
    if (method != RadixMethod::automatic) return method == RadixMethod::onesweep;
    return graph.target().forward_progress;
}

/// Bytes of an element that its value costs where it moves in every pass.
double carried_bytes(std::uint32_t passes, std::uint32_t value_words) {
    return passes * 2 * kSortedWordBytes * value_words;
}
/// Where its index moves instead, and the value is fetched in the end.
double fetched_bytes(std::uint32_t passes, std::uint32_t value_words) {
    return carried_bytes(passes, 1) + kSortedWordBytes +
           std::max(kSectorBytes, kSortedWordBytes * value_words) + kSortedWordBytes * value_words;
}

} // namespace

void RadixSort::describe(PassInfo<RadixSort>& info) {
    info.summary("Sorts keys, and values along with them")
        .details("The sort is stable in both directions: elements with equal keys keep their "
                 "order. Keys are 32-bit numbers, or 64-bit numbers of two words, the low word "
                 "first. Floats sort in their total order: -NaN, -inf, ..., -0, +0, ..., +inf, "
                 "NaN. \"first_bit\" and \"end_bit\" sort by part of a key: bits of the unsigned "
                 "number that has the key's order (signed keys with the sign flipped).\n\nValues "
                 "of one or two words move with their keys. Where it saves bytes, an index moves "
                 "instead and the values are fetched at the end. With a \"count\", the results "
                 "beyond it are undefined.\n\n\"counted\" runs on every device: for each digit it "
                 "counts, scans and moves. \"onesweep\" reads and writes each key once for each "
                 "digit of 8 bits (fewer with small subgroups); a tile looks back at earlier tiles "
                 "and counts their keys itself if they make no progress, so it ends on every "
                 "device. The results are the same. \"auto\" takes onesweep on devices known to "
                 "guarantee forward progress.")
        .source("A. Adinets and D. Merrill, \"Onesweep: A Faster Least Significant Digit Radix "
                "Sort for GPUs\", 2022")
        .complexity("O(n) for each digit of the key: 4 passes for 32 bits")
        .cost([](const RadixSort& pass, const Graph& graph) {
            const std::uint32_t words = key_words(pass.type);
            const double n = static_cast<double>(capacity(graph, pass.keys) / words);
            const int end = pass.end_bit < 0 ? static_cast<int>(key_bits(pass.type)) : pass.end_bit;
            const auto digits =
                static_cast<std::uint32_t>(std::max(end - pass.first_bit + 7, 0)) / 8;
            double bytes = (2.0 * digits + 1.0) * kSortedWordBytes * words;
            const auto value_words = static_cast<std::uint32_t>(std::max(pass.value_words, 0));
            if (pass.values)
                bytes += std::min(carried_bytes(digits, value_words),
                                  fetched_bytes(digits, value_words));
            return Cost{.bytes = n * bytes, .operations = 0.0};
        });
    info.input("keys", &RadixSort::keys, "the keys").elements_by("type");
    info.optional_input("values", &RadixSort::values,
                        "optional values, one for each key: they move with their keys");
    describe_length(info);
    info.parameter("type", &RadixSort::type, "type of the keys").structural();
    info.parameter("order", &RadixSort::order, "order of the sorted keys").structural();
    info.parameter("value_words", &RadixSort::value_words, "32-bit words of a value")
        .range(1, kMaxValueWords)
        .unit("words")
        .structural();
    info.parameter("first_bit", &RadixSort::first_bit, "the least significant bit to sort by")
        .range(0, 63)
        .structural();
    info.parameter("end_bit", &RadixSort::end_bit,
                   "the bit after the most significant one to sort by; -1: the whole key")
        .range(-1, 64)
        .structural();
    info.parameter("with_permutation", &RadixSort::with_permutation,
                   "whether to give the output \"permutation\"")
        .structural();
    info.parameter("method", &RadixSort::method, "the algorithm; see the description").structural();
    info.output("sorted_keys", &RadixSort::sorted_keys, "the keys in order").elements_by("type");
    info.output("sorted_values", &RadixSort::sorted_values,
                "the values in the order of their keys; only if there are values")
        .elements_like("values");
    info.output("permutation", &RadixSort::permutation,
                "u32: the index that each sorted key had before; only \"with_permutation\"")
        .elements<std::uint32_t>();
}

void RadixSort::build(Graph& graph) {
    const std::uint32_t words = key_words(type);
    const std::optional<Length> n = records_of(graph, keys, words, length, count, "keys");
    if (!n) return;
    const int end = end_bit < 0 ? static_cast<int>(key_bits(type)) : end_bit;
    if (first_bit < 0 || first_bit >= end || end > static_cast<int>(key_bits(type))) {
        graph.error(
            "pass/out-of-range",
            fmt::format("bits {} to {} of a key of {} bits", first_bit, end - 1, key_bits(type)),
            "\"end_bit\" is the bit after the last, and greater than \"first_bit\"");
        return;
    }
    const auto record = static_cast<std::uint32_t>(value_words);
    if (values && !holds_records(graph, values, record, *n, "values")) return;

    RadixJob job{.length = *n,
                 .type = type,
                 .order = order,
                 .first_bit = static_cast<std::uint32_t>(first_bit),
                 .end_bit = static_cast<std::uint32_t>(end)};
    const bool onesweep = is_onesweep(graph, method);
    const DeviceCaps& target = graph.target();
    const std::uint32_t digits =
        (onesweep ? onesweep_shape(target, job) : counted_shape(target, job)).passes(job);
    const std::uint32_t most_carried = words == 1 ? 2 : 1; // words, of which there are kernels
    const bool fetched = values && (with_permutation || record > most_carried ||
                                    fetched_bytes(digits, record) < carried_bytes(digits, record));
    job.index_values = with_permutation || fetched;
    if (job.index_values)
        job.value_words = 1;
    else if (values)
        job.value_words = record;

    const SortArrays arrays{.keys = keys, .values = job.index_values ? Buffer{} : values};
    const SortArrays sorted =
        onesweep ? sort_onesweep(graph, job, arrays, spin_limit) : sort_counted(graph, job, arrays);
    sorted_keys = sorted.keys;
    if (with_permutation) permutation = sorted.values;
    if (fetched)
        sorted_values = graph
                            .add(Gather{.source = values,
                                        .indices = sorted.values,
                                        .count = count,
                                        .length = static_cast<std::int64_t>(n->most),
                                        .words = value_words},
                                 "fetch_values")
                            .result;
    else if (values)
        sorted_values = sorted.values;
}

TUFF_PASS(RadixSort)

} // namespace tuff::passes
