#include "passes/distance/grassfire.hpp"
#include "tests/gpu/distance/distance_test.hpp"

#include <algorithm>

namespace tuff {
namespace {

using passes::FieldStorage;
using passes::Grassfire;
using passes::GridMetric;

class GrassfireTest : public DistanceTest {
  protected:
    passes::DistanceStatus expect_field(const NamedSeed& one, Grassfire pass,
                                        const std::vector<std::uint32_t>& expected) {
        Graph g = graph();
        pass.seed = image_of(g, one.seed);
        pass = g.add(pass);
        g.output("field", pass.field);
        g.output("status", pass.status);
        testing_gpu::Running running = run(std::move(g));
        EXPECT_EQ(whole_numbers(running.image("field")), expected) << one.name;
        return passes::DistanceStatus::read(running.buffer<std::uint32_t>("status"));
    }
    static std::vector<std::uint32_t> expected_of(const NamedSeed& one, GridMetric metric) {
        return reference::brute_distances(one.seed, metric == GridMetric::manhattan
                                                        ? reference::DistanceMetric::manhattan
                                                        : reference::DistanceMetric::chessboard);
    }
};

TEST_F(GrassfireTest, Check2And4ExactWithTheLeastNumberOfPasses) {
    for (const NamedSeed& one : seeds_of_all_kinds())
        for (const GridMetric metric : {GridMetric::manhattan, GridMetric::chessboard}) {
            const auto expected = expected_of(one, metric);
            const auto status = expect_field(one, {.metric = metric}, expected);
            const std::uint32_t farthest = *std::ranges::max_element(expected);
            // With the pass that finds nothing, which a loop of the longest way has room for.
            EXPECT_EQ(status.passes, farthest + 1) << one.name;
            EXPECT_EQ(status.codes, 0u) << one.name;
            if (one.name == "corner") {
                EXPECT_EQ(status.passes, metric == GridMetric::manhattan ? 111u : 64u);
            }
        }
}

TEST_F(GrassfireTest, Check2TexelsOfEightBitsFlattenAt254AndSaySo) {
    const NamedSeed end{"end", seed_where(300, 3, [](auto x, auto y) { return x == 0 && y == 0; })};
    auto expected = expected_of(end, GridMetric::chessboard);
    for (std::uint32_t& value : expected)
        value = std::min(value, 254u);
    const auto status = expect_field(
        end, {.metric = GridMetric::chessboard, .storage = FieldStorage::u8}, expected);
    EXPECT_EQ(status.codes, passes::kFlattened);
}

// A distance of 254 fits, so nothing is lost; and passes may be just enough, without one that finds
// nothing.
TEST_F(GrassfireTest, ExactFieldsAreNotWarnedOf) {
    const NamedSeed end{"end", seed_where(255, 2, [](auto x, auto y) { return x == 0 && y == 0; })};
    const auto expected = expected_of(end, GridMetric::chessboard);
    for (const std::uint32_t passes : {0u, 254u}) {
        const Grassfire pass{
            .metric = GridMetric::chessboard, .storage = FieldStorage::u8, .max_passes = passes};
        EXPECT_EQ(expect_field(end, pass, expected).codes, 0u) << passes;
    }
}

TEST_F(GrassfireTest, TooFewPassesLeaveAPartialFieldAndSaySo) {
    const NamedSeed one{"middle",
                        seed_where(97, 61, [](auto x, auto y) { return x == 48 && y == 30; })};
    auto expected = expected_of(one, GridMetric::manhattan);
    for (std::uint32_t& value : expected)
        if (value > 5) value = passes::kUnreached16;
    const auto status =
        expect_field(one, {.storage = FieldStorage::u16, .max_passes = 5}, expected);
    EXPECT_EQ(status.passes, 5u);
    EXPECT_EQ(status.codes, passes::kUnfinished);
}

TEST_F(GrassfireTest, AnEmptySeedEndsAtOnceAndSaysSo) {
    const NamedSeed empty{"empty", seed_where(37, 21, [](auto, auto) { return false; })};
    const auto status = expect_field(
        empty, {}, std::vector<std::uint32_t>(empty.seed.texels.size(), passes::kUnreached32));
    EXPECT_EQ(status.passes, 1u);
    EXPECT_EQ(status.codes, passes::kEmptySeed);
}

} // namespace
} // namespace tuff
