#include "passes/primitives/radix_sort.hpp"
#include "tests/gpu/primitives/sort_reference.hpp"

#include <fmt/format.h>

#include <numeric>

namespace tuff {
namespace {

using passes::RadixMethod;
using passes::RadixSort;
using passes::SortKey;
using passes::SortOrder;
using testing_gpu::difference;
using testing_gpu::first;
using testing_gpu::gathered;
using testing_gpu::Known;
using testing_gpu::make_keys;
using testing_gpu::Pattern;
using testing_gpu::Running;
using testing_gpu::SortBy;
using testing_gpu::sorted_indices;
using testing_gpu::Words;

/// One sort of a test and what it must give.
struct Case {
    std::string name;
    std::size_t words = 1; ///< of a key
    std::size_t value_words = 1;
    Words keys, values, permutation; ///< expected
};

class RadixSortTest : public testing_gpu::PrimitiveTest,
                      public testing::WithParamInterface<RadixMethod> {
  protected:
    /// Adds a sort of `keys` with the settings of `pass`; with `value_words`, of values too.
    void add(Graph& g, RadixSort pass, const Words& keys, Known known,
             std::size_t value_words = 0) {
        Case c;
        c.name = fmt::format("case{}", cases_.size());
        c.words = passes::key_words(pass.type);
        c.value_words = value_words;
        const std::size_t n = keys.size() / c.words;
        const SortBy by{.type = pass.type,
                        .order = pass.order,
                        .first_bit = static_cast<unsigned>(pass.first_bit),
                        .end_bit = pass.end_bit < 0 ? 64u : static_cast<unsigned>(pass.end_bit)};
        c.permutation = sorted_indices(keys, by);
        c.keys = gathered(keys, c.permutation, c.words);

        if (pass.method == RadixMethod::automatic) pass.method = GetParam();
        const std::size_t room = known == Known::device ? n + 4099 : n;
        pass.keys = array(g, c.name + "_keys", keys, room * c.words);
        if (known == Known::device)
            pass.count = count(g, static_cast<std::uint32_t>(n));
        else
            pass.length = static_cast<std::int64_t>(n);
        if (value_words > 0) {
            Words values(n * value_words);
            std::iota(values.begin(), values.end(), 7u);
            c.values = gathered(values, c.permutation, value_words);
            pass.values = array(g, c.name + "_values", values, room * value_words);
            pass.value_words = static_cast<int>(value_words);
        }
        const RadixSort sorted = g.add(pass, c.name);
        g.output(c.name + "_sorted_keys", sorted.sorted_keys);
        if (value_words > 0) g.output(c.name + "_sorted_values", sorted.sorted_values);
        if (pass.with_permutation) g.output(c.name + "_permutation", sorted.permutation);
        cases_.push_back(std::move(c));
    }

    void check(Graph g) {
        Running running = run(std::move(g), 2); // the second finds what the first has left
        ASSERT_TRUE(running);
        for (const Case& c : cases_) {
            SCOPED_TRACE(fmt::format("{} of {} keys", c.name, c.keys.size() / c.words));
            expect(running, c.name + "_sorted_keys", c.keys);
            if (c.value_words > 0) expect(running, c.name + "_sorted_values", c.values);
            if (with_permutation_) expect(running, c.name + "_permutation", c.permutation);
        }
        cases_.clear();
    }

    bool with_permutation_ = false;

  private:
    static void expect(Running& running, const std::string& output, const Words& expected) {
        const Words got = first(running.buffer<std::uint32_t>(output), expected.size());
        EXPECT_EQ(difference(got, expected), "") << output;
    }

    std::vector<Case> cases_;
};

INSTANTIATE_TEST_SUITE_P(Methods, RadixSortTest,
                         testing::Values(RadixMethod::counted, RadixMethod::onesweep),
                         [](const auto& method) {
                             return method.param == RadixMethod::counted ? "Counted" : "Onesweep";
                         });

// Software devices take longer to make a pipeline than to sort, and each digit has its own: where
// one digit shows a property, one is sorted by.
TEST_P(RadixSortTest, SortsAnyNumberOfKeysByADigit) {
    for (const Known known : testing_gpu::kKnown) {
        Graph g = graph();
        for (const std::uint32_t n : testing_gpu::few_lengths())
            add(g, {.end_bit = 6}, make_keys(SortKey::u32, n, Pattern::random), known, 1);
        check(std::move(g));
    }
}

TEST_P(RadixSortTest, SortsByWholeKeys) {
    Graph g = graph();
    add(g, {}, make_keys(SortKey::u32, 100003, Pattern::random), Known::cpu);
    add(g, {}, make_keys(SortKey::u32, 65536, Pattern::random), Known::device);
    check(std::move(g));
}

TEST_P(RadixSortTest, SortsKeysOfEveryTypeAndPattern) {
    constexpr std::pair<SortKey, SortOrder> kCases[] = {
        {SortKey::u32, SortOrder::ascending}, {SortKey::i32, SortOrder::descending},
        {SortKey::f32, SortOrder::ascending}, {SortKey::f32, SortOrder::descending},
        {SortKey::i64, SortOrder::ascending}, {SortKey::f64, SortOrder::descending}};
    for (const auto& [type, order] : kCases) {
        SCOPED_TRACE(fmt::format("type {}", static_cast<int>(type)));
        Words keys; // all patterns, one after the other
        for (const Pattern pattern : testing_gpu::kPatterns) {
            const Words some = make_keys(type, 1501, pattern);
            keys.insert(keys.end(), some.begin(), some.end());
        }
        Graph g = graph();
        add(g, {.type = type, .order = order}, keys, Known::cpu);
        check(std::move(g));
    }
}

TEST_P(RadixSortTest, KeysOfOnePatternAlone) {
    Graph g = graph();
    for (const Pattern pattern : {Pattern::sorted, Pattern::reversed, Pattern::equal})
        add(g, {.first_bit = 24}, make_keys(SortKey::u32, 9001, pattern), Known::cpu, 1);
    check(std::move(g));
}

TEST_P(RadixSortTest, ValuesOfOneToFourWordsMoveWithTheirKeysAndEqualKeysKeepTheirOrder) {
    for (const Known known : testing_gpu::kKnown) {
        Graph g = graph();
        for (std::size_t words = 1; words <= 4; ++words) {
            add(g, {.end_bit = 6}, make_keys(SortKey::u32, 9001, Pattern::few), known, words);
            add(g, {.type = SortKey::u64, .first_bit = 29, .end_bit = 35},
                make_keys(SortKey::u64, 5003, Pattern::few), known, words);
        }
        check(std::move(g));
    }
}

TEST_P(RadixSortTest, StableInDescendingOrderToo) {
    Graph g = graph();
    add(g, {.order = SortOrder::descending}, make_keys(SortKey::u32, 9001, Pattern::few),
        Known::cpu, 1);
    check(std::move(g));
}

TEST_P(RadixSortTest, GivesThePermutation) {
    with_permutation_ = true;
    for (const SortKey type : {SortKey::f32, SortKey::i64}) {
        Graph g = graph();
        add(g, {.type = type, .with_permutation = true}, make_keys(type, 4999, Pattern::special),
            Known::cpu);
        add(g, {.type = type, .with_permutation = true}, make_keys(type, 4999, Pattern::few),
            Known::device, 2);
        check(std::move(g));
    }
}

TEST_P(RadixSortTest, SortsByPartOfTheKeyOnly) {
    Graph g = graph();
    const Words keys = make_keys(SortKey::u32, 5003, Pattern::random);
    for (const auto& [from, to] : {std::pair{0, 1}, {31, 32}, {5, 9}, {0, 8}, {3, 29}})
        add(g, {.first_bit = from, .end_bit = to}, keys, Known::cpu, 1);
    const Words wide = make_keys(SortKey::u64, 5003, Pattern::random);
    for (const auto& [from, to] : {std::pair{28, 36}, {30, 34}, {63, 64}, {1, 33}})
        add(g, {.type = SortKey::u64, .first_bit = from, .end_bit = to}, wide, Known::cpu, 1);
    check(std::move(g));
}

TEST_P(RadixSortTest, ACountBeyondTheRoomSortsAllThereIsRoomFor) {
    Graph g = graph();
    const Words keys = make_keys(SortKey::u32, 5003, Pattern::random);
    const RadixSort sorted = g.add(
        RadixSort{.keys = array(g, "keys", keys), .count = count(g, ~0u), .method = GetParam()});
    g.output("sorted", sorted.sorted_keys);
    EXPECT_EQ(difference(run(std::move(g)).buffer<std::uint32_t>("sorted"),
                         gathered(keys, sorted_indices(keys, {}))),
              "");
}

using OnesweepTest = RadixSortTest;
INSTANTIATE_TEST_SUITE_P(Method, OnesweepTest, testing::Values(RadixMethod::onesweep));

TEST_P(OnesweepTest, TilesThatNobodyWaitsForAreCountedInstead) {
    for (const SortKey type : {SortKey::u32, SortKey::u64}) {
        Graph g = graph();
        for (const std::uint32_t n : {4097u, 20011u})
            add(g, {.type = type, .end_bit = 12, .spin_limit = 0},
                make_keys(type, n, Pattern::random), Known::cpu, 1);
        check(std::move(g));
    }
}

TEST_P(OnesweepTest, OneLookAtATileIsEnough) {
    Graph g = graph();
    add(g, {.spin_limit = 1}, make_keys(SortKey::u32, 50021, Pattern::random), Known::cpu, 1);
    check(std::move(g));
}

TEST_P(OnesweepTest, SortsWhereTheSizeOfASubgroupIsNotKnown) {
    DeviceCaps caps = device().caps();
    caps.max_subgroup_size = 2 * caps.min_subgroup_size;
    Graph g = graph();
    g.set_target(caps);
    add(g, {}, make_keys(SortKey::u32, 20011, Pattern::random), Known::cpu, 1);
    check(std::move(g));
}

class RadixSortMistakes : public testing_gpu::PrimitiveTest {
  protected:
    /// The code of what is first found wrong with a sort of 100 keys.
    std::string mistake(RadixSort pass) {
        Graph g = graph();
        if (!pass.keys) pass.keys = array(g, "keys", Words(100));
        if (pass.value_words > 1) pass.values = array(g, "values", Words(100));
        g.output("sorted", g.add(pass).sorted_keys);
        const auto plan = compile(std::move(g).finish(), device().caps());
        return plan ? std::string() : plan.error().front().code;
    }
};

TEST_F(RadixSortMistakes, AreReported) {
    EXPECT_EQ(mistake({.length = 101}), "primitives/too-long");
    EXPECT_EQ(mistake({.type = SortKey::u64, .length = 51}), "primitives/too-long");
    EXPECT_EQ(mistake({.value_words = 2}), "primitives/too-short");
    EXPECT_EQ(mistake({.value_words = 5}), "pass/out-of-range");
    EXPECT_EQ(mistake({.first_bit = 8, .end_bit = 8}), "pass/out-of-range");
    EXPECT_EQ(mistake({.end_bit = 33}), "pass/out-of-range");
}

TEST_F(RadixSortMistakes, ForgettingTheKeysIsOne) {
    Graph g = graph();
    g.output("sorted", g.add(RadixSort{}).sorted_keys);
    const auto plan = compile(std::move(g).finish(), device().caps());
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().front().code, "graph/unconnected");
}

} // namespace
} // namespace tuff
