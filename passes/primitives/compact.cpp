#include "passes/primitives/compact.hpp"

#include "passes/primitives/compaction.hpp"

#include <fmt/format.h>

namespace tuff::passes {
namespace {

constexpr std::string_view kSource =
    "Horn, \"Stream Reduction Operations for GPGPU Applications\", GPU Gems 2, chapter 36, 2005; "
    "in one pass by the look-back of Merrill and Garland, NVIDIA NVR-2016-002, 2016";

constexpr std::string_view kKeeping =
    "The condition is the GLSL expression \"predicate\" of x (the element), i (its index), n (the "
    "number of elements) and p (the parameter \"p\", which may change every frame). It is compiled "
    "when the graph is built. If it is empty, an element is kept where its word of \"flags\" is "
    "not zero. The result beyond the number kept is undefined. An expression that does not compile "
    "is an error, and so is a pass with neither predicate nor flags.";

constexpr std::string_view kMethods =
    " \"look_back\" reads each element once and waits for earlier groups; \"three_pass\" reads "
    "each element twice and waits for nothing. \"auto\" takes look_back on devices that guarantee "
    "forward progress to started groups. llvmpipe ends long loops, so it always takes three_pass. "
    "The results are the same.";

/// At least half of what is read is written, or none: the traffic of half.
template <typename Pass>
Cost filter_cost(const Pass& pass, const Graph& graph, double written) {
    const double n = cost_elements(graph, pass.source, pass.length);
    return {.bytes = 4.0 * n * (1.0 + written), .operations = n};
}

/// Checks the inputs of Compact, Append and Partition.
template <typename Pass>
std::optional<CompactionRequest> request_of(Graph& graph, const Pass& pass) {
    const std::optional<Length> n = length_of(graph, pass.source, pass.length, pass.count);
    if (!n) return {};
    if (pass.predicate.empty() && !holds(graph, pass.flags, *n, "flags")) return {};
    CompactionRequest request;
    request.source = pass.source;
    request.length = *n;
    request.type = pass.type;
    request.keep.predicate = pass.predicate;
    request.keep.p = pass.p;
    if (pass.predicate.empty()) request.keep.flags = pass.flags;
    request.indices = pass.emits == Emits::indices;
    return request;
}

/// What is kept of a source.
template <typename Pass>
void describe_kept(OutputRefinement output) {
    output
        .elements_from("the source's type, or u32 of \"indices\"",
                       [](const Pass& pass) {
                           return pass.emits == Emits::indices ? BufferElements::of<std::uint32_t>()
                                                               : BufferElements{};
                       })
        .elements_like("source");
}

template <typename Pass>
void describe_filter(PassInfo<Pass>& info) {
    // Flags keep elements of any type: only a predicate looks at them.
    info.input("source", &Pass::source, "the elements")
        .elements_from("any type; with a predicate by \"type\"", [](const Pass& pass) {
            const auto index = static_cast<std::size_t>(pass.type);
            return pass.predicate.empty()
                       ? BufferElements{}
                       : BufferElements::named(ChoiceNames<Element>::names[index]);
        });
    info.optional_input("flags", &Pass::flags,
                        "a word for each element, zero where it is not kept; used if there is no "
                        "predicate")
        .template elements<std::uint32_t>();
    describe_length(info);
    describe_type(info);
    info.parameter("predicate", &Pass::predicate, "keeps an element: \"x > p.x && i % 2u == 0u\"")
        .structural();
    info.parameter("p", &Pass::p, "four numbers for the predicate");
    info.parameter("emits", &Pass::emits, "the elements, or their indices (u32)").structural();
}

} // namespace

void Compact::describe(PassInfo<Compact>& info) {
    info.summary("Keeps the elements that fulfil a condition, in order")
        .details(fmt::format("{}{}", kKeeping, kMethods))
        .source(kSource)
        .complexity("O(n)")
        .cost(
            [](const Compact& pass, const Graph& graph) { return filter_cost(pass, graph, 0.5); });
    describe_filter(info);
    info.parameter("method", &Compact::method, "how often memory is read; see the description")
        .structural();
    describe_kept<Compact>(
        info.output("result", &Compact::result, "the elements kept; as long as the source"));
    info.output("kept", &Compact::kept, "one word: how many are kept").elements<std::uint32_t>();
}

void Compact::build(Graph& graph) {
    auto request = request_of(graph, *this);
    if (!request) return;
    request->method = method;
    const auto done = compact(graph, *request);
    if (!done) return;
    result = done->kept;
    kept = done->kept_count;
}

void Append::describe(PassInfo<Append>& info) {
    info.summary("Keeps the elements that fulfil a condition, in any order")
        .details(fmt::format("{} Groups of {} elements are appended as they finish, so the order "
                             "of groups may differ from run to run; within a group the order is "
                             "kept. Elements are read once on every device, and no group waits for "
                             "another.",
                             kKeeping, kTile))
        .source(kSource)
        .complexity("O(n)")
        .cost([](const Append& pass, const Graph& graph) { return filter_cost(pass, graph, 0.5); });
    describe_filter(info);
    describe_kept<Append>(
        info.output("result", &Append::result, "the elements kept; as long as the source"));
    info.output("kept", &Append::kept, "one word: how many are kept").elements<std::uint32_t>();
}

void Append::build(Graph& graph) {
    auto request = request_of(graph, *this);
    if (!request) return;
    request->ordered = false;
    const auto done = compact(graph, *request);
    if (!done) return;
    result = done->kept;
    kept = done->kept_count;
}

void Partition::describe(PassInfo<Partition>& info) {
    info.summary("Separates the elements that fulfil a condition from the others, both in order")
        .details(
            fmt::format("{} Memory is read twice: the elements kept are counted first.", kKeeping))
        .source(kSource)
        .complexity("O(n)")
        .cost([](const Partition& pass, const Graph& graph) {
            return filter_cost(pass, graph, 1.0);
        });
    describe_filter(info);
    describe_kept<Partition>(
        info.output("result", &Partition::result, "the elements kept; as long as the source"));
    info.output("kept", &Partition::kept, "one word: how many are kept").elements<std::uint32_t>();
    describe_kept<Partition>(
        info.output("rejected", &Partition::rejected, "the other elements; as long as the source"));
    info.output("rejected_count", &Partition::rejected_count,
                "one word: how many elements are rejected")
        .elements<std::uint32_t>();
}

void Partition::build(Graph& graph) {
    auto request = request_of(graph, *this);
    if (!request) return;
    request->rejected = true;
    const auto done = compact(graph, *request);
    if (!done) return;
    result = done->kept;
    kept = done->kept_count;
    rejected = done->rejected;
    rejected_count = done->rejected_count;
}

void Unique::describe(PassInfo<Unique>& info) {
    info.summary("Keeps the first of each run of equal elements")
        .details("In a sorted array every value is kept once. Elements are equal if their bits are "
                 "equal: a NaN equals itself, and -0 differs from +0. The result beyond the number "
                 "kept is undefined.")
        .source(kSource)
        .complexity("O(n)")
        .cost([](const Unique& pass, const Graph& graph) { return filter_cost(pass, graph, 0.5); });
    info.input("source", &Unique::source, "the elements");
    describe_length(info);
    info.parameter("emits", &Unique::emits, "the elements, or their indices (u32)").structural();
    info.parameter("method", &Unique::method, "\"look_back\", \"three_pass\": as for compact")
        .structural();
    describe_kept<Unique>(
        info.output("result", &Unique::result, "the elements kept; as long as the source"));
    info.output("kept", &Unique::kept, "one word: how many are kept").elements<std::uint32_t>();
}

void Unique::build(Graph& graph) {
    const std::optional<Length> n = length_of(graph, source, length, count);
    if (!n) return;
    CompactionRequest request;
    request.source = source;
    request.length = *n;
    request.indices = emits == Emits::indices;
    request.method = method;
    const auto done = compact(graph, request);
    if (!done) return;
    result = done->kept;
    kept = done->kept_count;
}

TUFF_PASS(Append)
TUFF_PASS(Compact)
TUFF_PASS(Partition)
TUFF_PASS(Unique)

} // namespace tuff::passes
