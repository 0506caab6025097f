// Which changes against an earlier run `tuff bench --fail` takes for real.

#include "apps/bench/comparison.hpp"

#include <gtest/gtest.h>

namespace tuff::bench {
namespace {

Comparison comparison(Summary before, Summary now) {
    return {.before = before, .now = now};
}

TEST(BenchComparison, ACaseIsSlowerBeyondTheShareAndBeyondTheSpreadOfBothRuns) {
    const Summary before{.median = 1.0, .low = 0.95, .high = 1.05, .samples = 9};
    EXPECT_TRUE(comparison(before, {.median = 1.2, .low = 1.1, .high = 1.3}).slower_than(0.05));
    EXPECT_FALSE(comparison(before, {.median = 1.2, .low = 1.1, .high = 1.3}).slower_than(0.25));
    EXPECT_FALSE(comparison(before, {.median = 1.2, .low = 1.0, .high = 1.3}).slower_than(0.05))
        << "some samples are as fast as before";
    EXPECT_FALSE(comparison(before, {.median = 0.5, .low = 0.4, .high = 0.6}).slower_than(0.0));
    EXPECT_DOUBLE_EQ(comparison(before, {.median = 1.2}).ratio(), 1.2);
    EXPECT_DOUBLE_EQ(comparison({}, {.median = 1.2}).ratio(), 1.0) << "of no time before";
}

TEST(BenchComparison, FindsTheSameCaseAtTheSameSize) {
    const auto baseline = Baseline::parse("base.json", R"({"device": "d", "driver": "1", "rows": [
        {"pass": "a/b", "case": "c", "size": 64, "milliseconds": 2.0, "milliseconds_low": 1.5,
         "milliseconds_high": 2.5},
        {"pass": "a/b", "case": "c", "size": 128, "milliseconds": 4.0, "milliseconds_low": 3.5,
         "milliseconds_high": 4.5}]})");
    ASSERT_TRUE(baseline.has_value());
    EXPECT_EQ(baseline->device(), "d");
    const auto of = [](std::string name, std::uint64_t size) {
        return Measurement{.pass = "a/b",
                           .name = std::move(name),
                           .size = size,
                           .milliseconds = {.median = 6.0, .low = 5.9, .high = 6.1, .samples = 3}};
    };
    Measurement skipped = of("c", 64);
    skipped.milliseconds.samples = 0;
    const auto all = compare({of("c", 128), of("other", 64), of("c", 32), skipped}, *baseline);
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].size, 128u);
    EXPECT_DOUBLE_EQ(all[0].ratio(), 1.5);
    const std::string table = comparison_table(all, 0.05);
    EXPECT_NE(table.find("+50.0 %"), std::string::npos) << table;
    EXPECT_NE(table.find("slower"), std::string::npos) << table;
}

TEST(BenchComparison, SaysWhereAFileIsNotOfABenchmark) {
    const auto wrong = Baseline::parse("x.json", "{\"rows\":\n [1]}");
    ASSERT_FALSE(wrong.has_value());
    EXPECT_EQ(wrong.error().front().code, "bench/bad-baseline");
    EXPECT_EQ(wrong.error().front().where.line, 2u);
    EXPECT_FALSE(Baseline::parse("x.json", "[]").has_value());
}

TEST(BenchComparison, ReadsPercentages) {
    EXPECT_DOUBLE_EQ(parse_share("5%").value(), 0.05);
    EXPECT_DOUBLE_EQ(parse_share("2.5").value(), 0.025);
    EXPECT_DOUBLE_EQ(parse_share("0").value(), 0.0);
    for (const char* text : {"", "%", "5 %", "-1", "inf", "nan", "5%%"})
        EXPECT_FALSE(parse_share(text).has_value()) << text;
}

} // namespace
} // namespace tuff::bench
