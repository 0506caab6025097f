#include "passes/primitives/search.hpp"

#include "passes/primitives/table.hpp"

#include <bit>
#include <optional>
#include <string>

namespace tuff::passes {
namespace {

/// The numbers are those of primitives/search.glsl.
enum class SearchFor : std::uint8_t { first_not_before, first_after, equal };

template <typename Search>
void describe_search(PassInfo<Search>& info) {
    info.complexity("O(queries * log(keys)): one read for each halving")
        .cost([](const Search& pass, const Graph& graph) {
            const std::uint32_t words = key_words(pass.type);
            const std::uint64_t queries = capacity(graph, pass.queries) / words;
            const std::uint64_t keys = capacity(graph, pass.table) / words;
            const auto steps = static_cast<double>(std::bit_width(keys));
            // Each key is read at least once, or as many as the queries look at.
            const double looked_at = static_cast<double>(queries) * steps;
            const double read = std::min(static_cast<double>(keys), looked_at);
            return Cost{.bytes = 4.0 * (words * (read + static_cast<double>(queries)) +
                                        static_cast<double>(queries)),
                        .operations = looked_at};
        });
    info.input("table", &Search::table, "the keys, sorted").elements_by("type");
    info.input("queries", &Search::queries, "the numbers to look for, of the type of the keys")
        .elements_by("type");
    info.optional_input("table_count", &Search::table_count,
                        "the first word is the number of keys, at most \"table_length\"")
        .template elements<std::uint32_t>();
    describe_length(info);
    info.parameter("type", &Search::type, "type of keys and queries").structural();
    info.parameter("order", &Search::order, "order of the keys").structural();
    info.parameter("table_length", &Search::table_length,
                   "number of keys, or the limit of \"table_count\"; -1: all that the buffer holds")
        .range(-1, kMaxElements)
        .unit("elements")
        .structural();
    info.output("result", &Search::result, "u32: an index for each query")
        .template elements<std::uint32_t>();
}

/// Binds the fields that all searches have, and dispatches.
template <typename Search>
void build_search(Graph& graph, Search& pass, const std::string& kernel,
                  std::optional<SearchFor> find) {
    const std::uint32_t words = key_words(pass.type);
    const std::optional<Length> queries =
        records_of(graph, pass.queries, words, pass.length, pass.count, "queries");
    if (!queries) return;
    const std::optional<Length> keys =
        records_of(graph, pass.table, words, pass.table_length, pass.table_count, "table");
    if (!keys) return;
    ComputeNodeBuilder node = graph.compute(kernel, "search");
    specialize(node, pass.type, pass.order);
    if (find) node.specialize("find", static_cast<std::uint32_t>(*find));
    bind_length(node, *queries);
    bind_table(node, *keys);
    node.read("table", pass.table);
    node.read("queries", pass.queries);
    pass.result = node.write("result", array(graph, "result", queries->most));
    dispatch_each(graph, node, *queries);
}

template <typename Search>
void build_search(Graph& graph, Search& pass, SearchFor find) {
    build_search(graph, pass,
                 ShaderVariant{{"KEY_WORDS", key_words(pass.type)}}.name_of("primitives/search"),
                 find);
}

constexpr std::string_view kOrderDetails =
    " Keys are compared as primitives/radix_sort orders them, floats in their total order: a "
    "search for NaN finds NaN of the same bits, and -0 comes before +0.";

} // namespace

void bind_table(ComputeNodeBuilder& node, const Length& table) {
    node.read_optional("table_count", BufferView(table.count, 0, kWordBytes));
    node.set("table_length", table.most);
}

void LowerBound::describe(PassInfo<LowerBound>& info) {
    info.summary("Finds the place of each query in a sorted table, before all equal keys")
        .details("The result is that of std::lower_bound: the index of the first key that does not "
                 "come before the query, or the number of keys if all do." +
                 std::string(kOrderDetails));
    describe_search(info);
}
void LowerBound::build(Graph& graph) {
    build_search(graph, *this, SearchFor::first_not_before);
}

void UpperBound::describe(PassInfo<UpperBound>& info) {
    info.summary("Finds the place of each query in a sorted table, after all equal keys")
        .details("The result is that of std::upper_bound: the index of the first key that comes "
                 "after the query, or the number of keys if none does." +
                 std::string(kOrderDetails));
    describe_search(info);
}
void UpperBound::build(Graph& graph) {
    build_search(graph, *this, SearchFor::first_after);
}

void BinarySearch::describe(PassInfo<BinarySearch>& info) {
    info.summary("Finds queries in a sorted table")
        .details("The result is the index of the first key that equals the query, or 4294967295 "
                 "(all bits set) where none does." +
                 std::string(kOrderDetails));
    describe_search(info);
}
void BinarySearch::build(Graph& graph) {
    build_search(graph, *this, SearchFor::equal);
}

void BinarySearchGems::describe(PassInfo<BinarySearchGems>& info) {
    info.summary("primitives/lower_bound as in GPU Gems, for comparison")
        .details("The search starts in the middle and halves its step each time, takes one more "
                 "step of 1, and corrects. The book's addresses are floats: they are exact up to "
                 "2^24, wrong earlier if a width is not a power of two, and a query after every "
                 "key gets one more than the number of keys. Here addresses are integers, and the "
                 "results equal those of lower_bound for any number of keys. Keys have 32 bits." +
                 std::string(kOrderDetails))
        .source("I. Buck and T. Purcell, \"A Toolkit for Computation on GPUs\", GPU Gems, chapter "
                "37, listings 37-4 and 37-5");
    describe_search(info);
}
void BinarySearchGems::build(Graph& graph) {
    if (key_words(type) != 1) {
        graph.error("pass/out-of-range", "the search of GPU Gems takes only keys of 32 bits",
                    "use primitives/lower_bound, which takes all types");
        return;
    }
    build_search(graph, *this, "primitives/search_gems", {});
}

TUFF_PASS(BinarySearch)
TUFF_PASS(BinarySearchGems)
TUFF_PASS(LowerBound)
TUFF_PASS(UpperBound)

} // namespace tuff::passes
