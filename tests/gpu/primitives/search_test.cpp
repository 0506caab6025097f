#include "passes/primitives/search.hpp"
#include "tests/gpu/primitives/sort_reference.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tuff {
namespace {

using passes::BinarySearch;
using passes::BinarySearchGems;
using passes::LowerBound;
using passes::SortKey;
using passes::SortOrder;
using passes::UpperBound;
using testing_gpu::difference;
using testing_gpu::first;
using testing_gpu::gathered;
using testing_gpu::Known;
using testing_gpu::make_keys;
using testing_gpu::Pattern;
using testing_gpu::rank_of;
using testing_gpu::Running;
using testing_gpu::sorted_indices;
using testing_gpu::Words;

/// A sorted table, queries of all kinds, and where they belong by the standard library.
struct Table {
    Words keys;
    Words queries;
    Words lower, upper, found;
};

Table make_table(SortKey type, SortOrder order, std::size_t n, Pattern pattern) {
    Table table;
    const Words keys = make_keys(type, n, pattern);
    const std::size_t words = passes::key_words(type);
    table.keys = gathered(keys, sorted_indices(keys, {.type = type, .order = order}), words);
    // Keys that are there, and others: below, between, above.
    table.queries = make_keys(type, 101, Pattern::special, 5);
    table.queries.insert(table.queries.end(), keys.begin(),
                         keys.begin() +
                             static_cast<std::ptrdiff_t>(std::min<std::size_t>(n, 200) * words));
    std::vector<std::uint64_t> ranks;
    const std::uint64_t flip = order == SortOrder::ascending ? 0 : ~0ull;
    for (std::size_t i = 0; i < n; ++i)
        ranks.push_back(rank_of(table.keys, i, type) ^ flip);
    for (std::size_t i = 0; i < table.queries.size() / words; ++i) {
        const std::uint64_t rank = rank_of(table.queries, i, type) ^ flip;
        const auto equal = std::ranges::equal_range(ranks, rank);
        const auto index = [&](auto at) { return static_cast<std::uint32_t>(at - ranks.begin()); };
        table.lower.push_back(index(equal.begin()));
        table.upper.push_back(index(equal.end()));
        table.found.push_back(equal.empty() ? BinarySearch::kNotFound : index(equal.begin()));
    }
    return table;
}

class SearchTest : public testing_gpu::PrimitiveTest {
  protected:
    template <typename Search>
    void add(Graph& g, const Table& table, SortKey type, SortOrder order, Known known,
             const Words& expected) {
        const std::string name = fmt::format("case{}", expected_.size());
        const std::size_t words = passes::key_words(type);
        const auto keys = static_cast<std::uint32_t>(table.keys.size() / words);
        const auto queries = static_cast<std::uint32_t>(table.queries.size() / words);
        const std::size_t more = known == Known::device ? 301 : 0;
        Search search;
        search.type = type;
        search.order = order;
        search.table = array(g, name + "_table", table.keys, (keys + more) * words);
        search.queries = array(g, name + "_queries", table.queries, (queries + more) * words);
        if (known == Known::device) {
            search.table_count = count(g, keys);
            search.count = count(g, queries);
        } else {
            search.table_length = keys;
            search.length = queries;
        }
        g.output(name, g.add(search, name).result);
        expected_.push_back(expected);
    }
    template <typename Search>
    void add_each(Graph& g, const Table& table, SortKey type, SortOrder order) {
        for (const Known known : testing_gpu::kKnown)
            add<Search>(g, table, type, order, known, table.lower);
    }
    void check(Graph g) {
        Running running = run(std::move(g));
        ASSERT_TRUE(running);
        for (std::size_t i = 0; i < expected_.size(); ++i) {
            const auto name = fmt::format("case{}", i);
            EXPECT_EQ(difference(first(running.buffer<std::uint32_t>(name), expected_[i].size()),
                                 expected_[i]),
                      "")
                << name;
        }
        expected_.clear();
    }

  private:
    std::vector<Words> expected_;
};

// A row has 65,535 groups of 256 invocations. What lies behind the last query's result stays.
TEST_F(SearchTest, QueriesOfASecondRowOfGroupsAreAnswered) {
    constexpr std::uint32_t kQueries = 65'535 * 256 + 300;
    constexpr std::uint32_t kRoom = kQueries + 1000;
    constexpr std::uint32_t kGuard = ~0u; // CompileOptions::poison
    const Words keys{10, 20, 20, 70};
    Words queries(kRoom);
    for (std::uint32_t i = 0; i < kRoom; ++i)
        queries[i] = i * 2'654'435'761u >> 25;
    Graph g = graph();
    LowerBound search{.type = SortKey::u32};
    search.table = array(g, "table", keys);
    search.queries = array(g, "queries", queries);
    search.length = kQueries;
    g.output("cpu", g.add(search, "cpu").result);
    search.length = passes::kAllElements;
    search.count = count(g, kQueries);
    g.output("device", g.add(search, "device").result);
    Running running = start(compile_graph(std::move(g), {.poison = true}));
    running.execute();
    Words expected;
    for (std::uint32_t i = 0; i < kQueries; ++i)
        expected.push_back(
            static_cast<std::uint32_t>(std::ranges::lower_bound(keys, queries[i]) - keys.begin()));
    EXPECT_EQ(difference(running.buffer<std::uint32_t>("cpu"), expected), "");
    expected.resize(kRoom, kGuard);
    EXPECT_EQ(difference(running.buffer<std::uint32_t>("device"), expected), "");
}

TEST_F(SearchTest, FindsWhatTheStandardLibraryFindsInTablesOfAnyLength) {
    for (const Known known : testing_gpu::kKnown) {
        Graph g = graph();
        for (const std::uint32_t n : testing_gpu::few_lengths()) {
            const Table table = make_table(SortKey::u32, SortOrder::ascending, n, Pattern::random);
            add<LowerBound>(g, table, SortKey::u32, SortOrder::ascending, known, table.lower);
            add<UpperBound>(g, table, SortKey::u32, SortOrder::ascending, known, table.upper);
            add<BinarySearch>(g, table, SortKey::u32, SortOrder::ascending, known, table.found);
        }
        check(std::move(g));
    }
}

TEST_F(SearchTest, KnowsEveryTypeAndOrderAndManyEqualKeys) {
    Graph g = graph();
    for (const SortKey type : testing_gpu::kSortKeys)
        for (const SortOrder order : testing_gpu::kSortOrders)
            for (const Pattern pattern : {Pattern::few, Pattern::special}) {
                const Table table = make_table(type, order, 1000, pattern);
                add<LowerBound>(g, table, type, order, Known::cpu, table.lower);
                add<UpperBound>(g, table, type, order, Known::cpu, table.upper);
                add<BinarySearch>(g, table, type, order, Known::cpu, table.found);
            }
    check(std::move(g));
}

TEST_F(SearchTest, TheSearchOfTheBookFindsTheSameForAnyNumberOfKeys) {
    Graph g = graph();
    for (const std::uint32_t n : {0u, 1u, 2u, 3u, 4u, 5u, 7u, 8u, 9u, 1000u, 1024u, 1025u})
        for (const Pattern pattern : {Pattern::random, Pattern::few}) {
            const Table table = make_table(SortKey::f32, SortOrder::ascending, n, pattern);
            add_each<BinarySearchGems>(g, table, SortKey::f32, SortOrder::ascending);
        }
    check(std::move(g));
}

TEST_F(SearchTest, TheSearchOfTheBookRefusesKeysOfTwoWords) {
    Graph g = graph();
    const Buffer keys = array(g, "keys", Words(100));
    g.output("result",
             g.add(BinarySearchGems{.table = keys, .queries = keys, .type = SortKey::u64}).result);
    const auto plan = compile(std::move(g).finish(), device().caps());
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().front().code, "pass/out-of-range");
}

TEST_F(SearchTest, AMissingTableIsReported) {
    Graph g = graph();
    g.output("result", g.add(LowerBound{.queries = array(g, "queries", Words(100))}).result);
    const auto plan = compile(std::move(g).finish(), device().caps());
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().front().code, "graph/unconnected");
}

} // namespace
} // namespace tuff
