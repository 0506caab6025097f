#include "apps/bench/synthetic_graphs.hpp"

#include <tuff/plan.hpp>

#include <gtest/gtest.h>

/// What the compiler makes of the graphs of `tuff bench compile`: counts and bytes, never times.
namespace tuff {
namespace {

constexpr std::uint64_t kScreenBytes = 1920 * 1080 * 4;

PlanStatistics compiled(bench::Shape shape, std::uint32_t passes, std::uint64_t budget = 0) {
    const Result<Plan> plan = compile(bench::build(bench::make_outline(shape, passes)),
                                      DeviceCaps{}, {.memory_budget = budget});
    EXPECT_TRUE(plan.has_value());
    return plan ? plan->statistics : PlanStatistics{};
}

TEST(SyntheticGraphs, AChainTakesABatchAPassAndTwoPictures) {
    const PlanStatistics s = compiled(bench::Shape::chain, 1000);
    EXPECT_EQ(s.batches, 1000u);
    EXPECT_EQ(s.image_barriers, 1999u); // each picture twice; nobody reads the last
    EXPECT_EQ(s.transient_bytes, 2 * kScreenBytes);
    EXPECT_EQ(s.naive_bytes, 1000 * kScreenBytes);
}

TEST(SyntheticGraphs, ADagOfMixedSizesIsPackedIntoItsPeak) {
    const PlanStatistics s = compiled(bench::Shape::dag, 100);
    EXPECT_LE(s.batches, 100u);
    EXPECT_LE(s.image_barriers, 199u);
    EXPECT_EQ(s.transient_bytes, s.peak_bytes);
    EXPECT_LE(s.transient_bytes, 60'700'000u); // 57.8 MiB
}

TEST(SyntheticGraphs, AWideGraphTakesTheFewestLevelsAndThenLessMemory) {
    const PlanStatistics s = compiled(bench::Shape::wide, 100);
    EXPECT_EQ(s.levels, 19u); // the longest path
    EXPECT_LE(s.batches, 19u);
    EXPECT_LE(s.transient_bytes, 15 * kScreenBytes); // every chain at once: 16
}

/// 99 levels are the fewest for 100 nodes and three pictures. Every picture has one reader, and a
/// step of a chain holds two. Before the first join at most two chains can have begun, for three
/// heads leave no room for a step; so one pair at most shares a level: the start of the second with
/// the start or a step of the first. From the first join on its result is alive too, and two nodes
/// in a level hold four pictures, or are two starts after which nothing can go on.
TEST(SyntheticGraphs, AWideGraphFitsIntoThreePicturesWhereItMust) {
    const PlanStatistics s = compiled(bench::Shape::wide, 100, 3 * kScreenBytes);
    EXPECT_EQ(s.transient_bytes, 3 * kScreenBytes);
    EXPECT_LE(s.batches, 99u);
}

TEST(SyntheticGraphs, ABudgetThatNothingFitsGetsTheLeastMemory) {
    const PlanStatistics s = compiled(bench::Shape::wide, 100, 1);
    EXPECT_EQ(s.transient_bytes, 3 * kScreenBytes);
    EXPECT_LE(s.batches, 99u);
}

TEST(SyntheticGraphs, BudgetsBetweenTradeMemoryForBatches) {
    const PlanStatistics five = compiled(bench::Shape::wide, 100, 5 * kScreenBytes);
    EXPECT_LE(five.transient_bytes, 5 * kScreenBytes);
    EXPECT_LE(five.batches, 51u);
    const PlanStatistics fourteen = compiled(bench::Shape::wide, 100, 14 * kScreenBytes);
    EXPECT_LE(fourteen.transient_bytes, 14 * kScreenBytes);
    EXPECT_LE(fourteen.batches, 20u);
}

} // namespace
} // namespace tuff
