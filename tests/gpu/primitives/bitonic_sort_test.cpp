#include "passes/primitives/bitonic_sort.hpp"
#include "tests/gpu/primitives/sort_reference.hpp"

#include <fmt/format.h>

#include <numeric>

namespace tuff {
namespace {

using passes::BitonicSort;
using passes::BitonicSortGems2;
using passes::Element;
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

template <typename Sort>
class BitonicSortTest : public testing_gpu::PrimitiveTest {
  protected:
    void add(Graph& g, Sort pass, std::uint32_t n, Pattern pattern, Known known,
             std::size_t value_words = 0) {
        const std::string name = fmt::format("case{}", cases_.size());
        const auto type = static_cast<SortKey>(pass.type);
        const Words keys = make_keys(type, n, pattern);
        Case c;
        c.value_words = value_words;
        c.permutation = sorted_indices(keys, {.type = type, .order = pass.order});
        c.keys = gathered(keys, c.permutation);
        const std::size_t room = known == Known::device ? n + 2999 : n;
        pass.keys = this->array(g, name + "_keys", keys, room);
        if (known == Known::device)
            pass.count = this->count(g, n);
        else
            pass.length = n;
        if (value_words > 0) {
            Words values(n * value_words);
            std::iota(values.begin(), values.end(), 7u);
            c.values = gathered(values, c.permutation, value_words);
            pass.values = this->array(g, name + "_values", values, room * value_words);
            pass.value_words = static_cast<int>(value_words);
        }
        const Sort sorted = g.add(pass, name);
        g.output(name + "_sorted_keys", sorted.sorted_keys);
        g.output(name + "_permutation", sorted.permutation);
        if (value_words > 0) g.output(name + "_sorted_values", sorted.sorted_values);
        cases_.push_back(std::move(c));
    }

    void check(Graph g) {
        Running running = this->run(std::move(g));
        ASSERT_TRUE(running);
        for (std::size_t i = 0; i < cases_.size(); ++i) {
            const Case& c = cases_[i];
            SCOPED_TRACE(fmt::format("case {} of {} keys", i, c.keys.size()));
            const auto expect = [&](std::string_view what, const Words& expected) {
                const Words got = running.buffer<std::uint32_t>(fmt::format("case{}_{}", i, what));
                EXPECT_EQ(difference(first(got, expected.size()), expected), "") << what;
            };
            expect("sorted_keys", c.keys);
            expect("permutation", c.permutation);
            if (c.value_words > 0) expect("sorted_values", c.values);
        }
        cases_.clear();
    }

  private:
    struct Case {
        std::size_t value_words = 0;
        Words keys, values, permutation; ///< expected
    };
    std::vector<Case> cases_;
};

using Sorts = testing::Types<BitonicSort, BitonicSortGems2>;
TYPED_TEST_SUITE(BitonicSortTest, Sorts);

TYPED_TEST(BitonicSortTest, SortsAnyNumberOfKeys) {
    for (const Known known : testing_gpu::kKnown) {
        Graph g = this->graph();
        for (const std::uint32_t n : {0u, 1u, 3u, 33u, 2047u, 2049u, 4097u})
            this->add(g, {}, n, Pattern::random, known);
        this->check(std::move(g));
    }
}

TYPED_TEST(BitonicSortTest, SortsKeysOfEveryTypeAndPatternInBothDirections) {
    for (const SortOrder order : testing_gpu::kSortOrders) {
        Graph g = this->graph();
        for (const Element type : {Element::u32, Element::i32, Element::f32})
            for (const Pattern pattern : {Pattern::reversed, Pattern::few, Pattern::special})
                this->add(g, {.type = type, .order = order}, 300, pattern, Known::cpu);
        this->check(std::move(g));
    }
}

TYPED_TEST(BitonicSortTest, ValuesMoveWithTheirKeysAndEqualKeysKeepTheirOrder) {
    Graph g = this->graph();
    for (std::size_t words = 1; words <= 4; ++words)
        for (const Known known : testing_gpu::kKnown)
            this->add(g, {}, 301, Pattern::few, known, words);
    this->check(std::move(g));
}

using BitonicSortPasses = testing_gpu::PrimitiveTest;

TEST_F(BitonicSortPasses, OfTheBookAreHalfOfLogTimesLogPlusOne) {
    for (const auto& [n, expected] : {std::pair{256u, 36}, {4096u, 78}, {1u << 20, 210}}) {
        Graph g = graph();
        const Buffer keys = g.buffer("keys", {.size = n * 4ull, .stride = 4});
        g.output("sorted", g.add(BitonicSortGems2{.keys = g.fill(keys, 1)}).sorted_keys);
        const GraphDesc desc = std::move(g).finish();
        int stages = 0;
        for (const NodeDesc& node : desc.nodes)
            stages += desc.name(node.name).find("/stage[") != std::string_view::npos ? 1 : 0;
        EXPECT_EQ(stages, expected) << n << " keys";
    }
}

} // namespace
} // namespace tuff
