#include "apps/bench/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tuff::bench {
namespace {

TEST(BenchStatistics, TheMedianOfAnEvenNumberLiesHalfwayBetweenTheMiddleTwo) {
    EXPECT_DOUBLE_EQ(summarise({4.0, 1.0, 3.0, 2.0}).median, 2.5);
    EXPECT_DOUBLE_EQ(summarise({5.0, 1.0, 3.0}).median, 3.0);
}

TEST(BenchStatistics, OneSampleIsAllThereIsToSay) {
    const Summary one = summarise({7.0});
    EXPECT_DOUBLE_EQ(one.median, 7.0);
    EXPECT_DOUBLE_EQ(one.low, 7.0);
    EXPECT_DOUBLE_EQ(one.high, 7.0);
    EXPECT_DOUBLE_EQ(one.spread(), 0.0);
    EXPECT_EQ(one.samples, 1u);
}

TEST(BenchStatistics, NoSamplesGiveZeros) {
    const Summary none = summarise({});
    EXPECT_EQ(none.samples, 0u);
    EXPECT_DOUBLE_EQ(none.median, 0.0);
    EXPECT_DOUBLE_EQ(none.spread(), 0.0);
}

TEST(BenchStatistics, QuantilesInterpolateBetweenNeighbours) {
    const std::vector<double> sorted = {0.0, 10.0, 20.0, 30.0, 40.0};
    EXPECT_DOUBLE_EQ(quantile(sorted, 0.0), 0.0);
    EXPECT_DOUBLE_EQ(quantile(sorted, 0.1), 4.0);
    EXPECT_DOUBLE_EQ(quantile(sorted, 0.5), 20.0);
    EXPECT_DOUBLE_EQ(quantile(sorted, 0.9), 36.0);
    EXPECT_DOUBLE_EQ(quantile(sorted, 1.0), 40.0);
}

TEST(BenchStatistics, AnOutlierMovesTheMeanButNotTheMedian) {
    std::vector<double> samples(20, 1.0);
    samples.push_back(1000.0);
    const Summary summary = summarise(samples);
    EXPECT_DOUBLE_EQ(summary.median, 1.0);
    EXPECT_DOUBLE_EQ(summary.spread(), 0.0);
}

TEST(BenchStatistics, TheSpreadIsHalfTheRangeOfTheMiddleEightTenths) {
    std::vector<double> samples;
    for (int i = 0; i <= 100; ++i)
        samples.push_back(100.0 + i);
    EXPECT_DOUBLE_EQ(summarise(samples).spread(), (190.0 - 110.0) / 2.0 / 150.0);
}

} // namespace
} // namespace tuff::bench
