#include "passes/primitives/segmented_sort.hpp"
#include "tests/gpu/primitives/sort_reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace tuff {
namespace {

using passes::Element;
using passes::SegmentedSort;
using passes::SortKey;
using passes::SortOrder;
using testing_gpu::difference;
using testing_gpu::first;
using testing_gpu::gathered;
using testing_gpu::Known;
using testing_gpu::make_keys;
using testing_gpu::Pattern;
using testing_gpu::Running;
using testing_gpu::sorted_indices;
using testing_gpu::Words;

class SegmentedSortTest : public testing_gpu::PrimitiveTest {
  protected:
    void add(Graph& g, SegmentedSort pass, const Words& keys, const Words& offsets,
             Known known = Known::cpu) {
        Case c;
        const auto n = static_cast<std::uint32_t>(keys.size());
        c.permutation.resize(n);
        std::iota(c.permutation.begin(), c.permutation.end(), 0u);
        for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
            const std::uint32_t begin = std::min(offsets[s], n);
            const std::uint32_t end = std::min(offsets[s + 1], n);
            const Words segment = sorted_indices(
                keys, begin, end, {.type = static_cast<SortKey>(pass.type), .order = pass.order});
            std::ranges::copy(segment, c.permutation.begin() + begin);
        }
        c.keys = gathered(keys, c.permutation);
        const std::string name = fmt::format("case{}", cases_.size());
        const std::size_t more = known == Known::device ? 501 : 0;
        pass.keys = array(g, name + "_keys", keys, n + more);
        pass.offsets = array(g, name + "_offsets", offsets, offsets.size() + more);
        if (known == Known::device) {
            pass.count = count(g, n);
            pass.offset_count = count(g, static_cast<std::uint32_t>(offsets.size()));
        } else {
            pass.length = n;
            pass.offsets_length = static_cast<std::int64_t>(offsets.size());
        }
        pass.value_words = 2;
        Words values(2 * n);
        std::iota(values.begin(), values.end(), 3u);
        c.values = gathered(values, c.permutation, 2);
        pass.values = array(g, name + "_values", values, 2 * (n + more));
        const SegmentedSort sorted = g.add(pass, name);
        g.output(name + "_sorted_keys", sorted.sorted_keys);
        g.output(name + "_sorted_values", sorted.sorted_values);
        g.output(name + "_permutation", sorted.permutation);
        cases_.push_back(std::move(c));
    }

    void check(Graph g) {
        Running running = run(std::move(g));
        ASSERT_TRUE(running);
        for (std::size_t i = 0; i < cases_.size(); ++i) {
            const auto expect = [&](std::string_view what, const Words& expected) {
                const std::string name = fmt::format("case{}_{}", i, what);
                const Words got = running.buffer<std::uint32_t>(name);
                EXPECT_EQ(difference(first(got, expected.size()), expected), "") << name;
            };
            expect("sorted_keys", cases_[i].keys);
            expect("sorted_values", cases_[i].values);
            expect("permutation", cases_[i].permutation);
        }
        cases_.clear();
    }

  private:
    struct Case {
        Words keys, values, permutation; ///< expected
    };
    std::vector<Case> cases_;
};

TEST_F(SegmentedSortTest, SortsSegmentsOfAnyLength) {
    for (const Known known : testing_gpu::kKnown) {
        Graph g = graph();
        const Words keys = make_keys(SortKey::u32, 7001, Pattern::random);
        add(g, {}, keys, {0, 7001}, known);                      // one
        add(g, {}, keys, {0, 1, 2, 5, 5, 5, 4000, 7001}, known); // short, empty and long ones
        Words each(7002);
        std::iota(each.begin(), each.end(), 0u);
        add(g, {}, keys, each, known); // of one key
        Words tens(700);
        for (std::uint32_t i = 0; i < tens.size(); ++i)
            tens[i] = 10 * i;
        add(g, {}, keys, tens, known);
        check(std::move(g));
    }
}

TEST_F(SegmentedSortTest, LeavesWhatIsInNoSegment) {
    for (const Known known : testing_gpu::kKnown) {
        Graph g = graph();
        const Words keys = make_keys(SortKey::u32, 1000, Pattern::random);
        add(g, {}, keys, {100, 300, 800}, known);
        add(g, {}, keys, {500}, known);             // no segment
        add(g, {}, keys, {900, 2000, 4000}, known); // ends beyond the keys
        add(g, {}, {}, {0, 5}, known);              // no keys
        check(std::move(g));
    }
}

TEST_F(SegmentedSortTest, SortsEveryTypeAndPatternInBothDirections) {
    Graph g = graph();
    for (const Element type : {Element::i32, Element::f32})
        for (const SortOrder order : testing_gpu::kSortOrders)
            for (const Pattern pattern : {Pattern::special})
                add(g, {.type = type, .order = order},
                    make_keys(static_cast<SortKey>(type), 3001, pattern),
                    {0, 17, 1000, 1001, 3001});
    check(std::move(g));
}

TEST_F(SegmentedSortTest, MissingOffsetsAreReported) {
    Graph g = graph();
    g.output("sorted", g.add(SegmentedSort{.keys = array(g, "keys", Words(10))}).sorted_keys);
    const auto plan = compile(std::move(g).finish(), device().caps());
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().front().code, "graph/unconnected");
}

} // namespace
} // namespace tuff
