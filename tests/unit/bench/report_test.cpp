// How `tuff bench` turns times into rates, and which sizes and cases it chooses.

#include "apps/bench/checks.hpp"
#include "apps/bench/report.hpp"
#include "apps/bench/sizes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <json/json.h>

#include <limits>
#include <set>

namespace tuff::bench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// 100 GB/s and 1,000 GFLOP/s.
Limits limits() {
    return {.bytes_per_second = 1e11, .operations_per_second = 1e12, .least_milliseconds = 0.002};
}

/// Ran for 1 ms.
Measurement measurement(Cost cost) {
    return {.pass = "domain/pass",
            .name = "case",
            .size = 1'000'000,
            .milliseconds = {.median = 1.0, .low = 0.9, .high = 1.1, .samples = 9},
            .cost = cost,
            .checked = Checked::yes};
}

TEST(BenchReport, ARateIsOfTheLimitThatIsNearer) {
    const Rate memory = rate_of(measurement({.bytes = 5e7, .operations = 1e8}), limits());
    EXPECT_EQ(memory.unit, "GB/s");
    EXPECT_DOUBLE_EQ(memory.value, 50.0);
    EXPECT_DOUBLE_EQ(memory.share, 0.5);
    const Rate arithmetic = rate_of(measurement({.bytes = 1e7, .operations = 9e8}), limits());
    EXPECT_EQ(arithmetic.unit, "GFLOP/s");
    EXPECT_DOUBLE_EQ(arithmetic.value, 900.0);
    EXPECT_DOUBLE_EQ(arithmetic.share, 0.9);
}

TEST(BenchReport, WithoutACostTheRateIsThatOfElements) {
    const Rate rate = rate_of(measurement({}), limits());
    EXPECT_EQ(rate.unit, "Gitem/s");
    EXPECT_DOUBLE_EQ(rate.value, 1.0);
    EXPECT_DOUBLE_EQ(rate.share, 0.0);
}

TEST(BenchReport, CsvHasALineAMeasurementAndNoneForWhatWasSkipped) {
    Measurement skipped = measurement({});
    skipped.milliseconds = {};
    skipped.remark = "needs more";
    Measurement wrong = measurement({.bytes = 5e7});
    wrong.checked = Checked::wrong;
    EXPECT_EQ(csv({measurement({.bytes = 5e7}), skipped, wrong}, limits()),
              "pass,case,size,milliseconds,rate,unit,share_of_limit,checked\n"
              "domain/pass,case,1000000,1,50,GB/s,0.5000,yes\n"
              "domain/pass,case,1000000,1,50,GB/s,0.5000,wrong\n");
}

TEST(BenchReport, JsonTellsWhatWasSkippedAndWhy) {
    Measurement skipped = measurement({});
    skipped.milliseconds = {};
    skipped.remark = "needs more";
    Measurement timed = measurement({.bytes = 5e7});
    timed.nodes = {{.name = "pass/node", .milliseconds = 0.75}};
    DeviceCaps caps;
    caps.name = "device";
    Json::Value root;
    ASSERT_TRUE(Json::Reader().parse(json({timed, skipped}, limits(), caps), root));
    EXPECT_EQ(root["device"].asString(), "device");
    ASSERT_EQ(root["rows"].size(), 1u);
    EXPECT_EQ(root["rows"][0]["samples"].asInt(), 9);
    EXPECT_EQ(root["rows"][0]["nodes"][0]["name"].asString(), "pass/node");
    ASSERT_EQ(root["skipped"].size(), 1u);
    EXPECT_EQ(root["skipped"][0]["reason"].asString(), "needs more");
}

TEST(BenchReport, TimesAreShownInTheUnitThatFits) {
    EXPECT_EQ(time_text(0.00125), "1.25 us");
    EXPECT_EQ(time_text(0.0999), "99.9 us");
    EXPECT_EQ(time_text(0.5), "500 us");
    EXPECT_EQ(time_text(1.0), "1.00 ms");
    EXPECT_EQ(time_text(12.34), "12.3 ms");
    EXPECT_EQ(time_text(1500.0), "1.50 s");
}

TEST(BenchSizes, AreWrittenAsNumbersOrPowersOfTwo) {
    EXPECT_EQ(parse_size("2^20"), 1u << 20);
    EXPECT_EQ(parse_size("1000000"), 1'000'000u);
    EXPECT_EQ(parse_size("1"), 1u);
    EXPECT_EQ(parse_size("2^32"), std::uint64_t{1} << 32);
    for (const char* bad : {"", "0", "-4", "2^", "2^33", "3^20", "20k", "2^20 ", "4294967297",
                            "99999999999999999999"})
        EXPECT_FALSE(parse_size(bad)) << bad;
    EXPECT_EQ(size_text(1u << 20), "2^20");
    EXPECT_EQ(size_text(512), "512");
    EXPECT_EQ(size_text(1'000'000), "1000000");
}

TEST(BenchSizes, DependOnTheKindOfDeviceAndTheCase) {
    DeviceCaps gpu;
    gpu.type = DeviceType::discrete;
    DeviceCaps software;
    software.type = DeviceType::cpu;
    EXPECT_EQ(default_sizes(gpu).front(), 1u << 16);
    EXPECT_EQ(default_sizes(gpu).back(), 1u << 28);
    EXPECT_EQ(default_sizes(software).front(), 1u << 12);
    EXPECT_EQ(default_sizes(software).back(), 1u << 20);
    const Case bounded{.least = 100, .most = 1000, .most_on_software = 300};
    EXPECT_THAT(sizes_for(bounded, {50, 100, 500, 2000}, gpu), ElementsAre(100, 500));
    EXPECT_THAT(sizes_for(bounded, {50, 100, 500, 2000}, software), ElementsAre(100));
}

TEST(BenchPatterns, AreFoundAnywhereAndKnowStars) {
    constexpr std::string_view kName = "primitives/scan exclusive sum u32";
    for (const char* pattern : {"", "scan", "SCAN", "primitives/", "scan*u32", "s?an", "*", "u32"})
        EXPECT_TRUE(matches(kName, pattern)) << pattern;
    for (const char* pattern : {"sort", "scan*f32", "s??an", "u32*scan"})
        EXPECT_FALSE(matches(kName, pattern)) << pattern;
}

TEST(BenchCases, HaveNamesThatFitIntoCsvAndAreFoundOnce) {
    const CaseList cases = all_cases();
    EXPECT_FALSE(cases.all().empty());
    std::set<std::string> names;
    for (const Case& one : cases.all()) {
        EXPECT_EQ(one.full_name().find_first_of(",\"\n"), std::string::npos) << one.full_name();
        EXPECT_TRUE(names.insert(one.full_name()).second) << one.full_name();
        EXPECT_LE(one.least, std::uint64_t{1} << 12) << one.full_name() << " runs in no test";
    }
}

TEST(BenchCases, GetSquaresAndImagesThatFitTheirSize) {
    Graph graph;
    const DeviceCaps caps;
    for (const std::uint64_t size : {1u, 2u, 1000u, 4096u, 8192u, 1u << 28}) {
        const CaseBuilder builder(graph, caps, size);
        const std::uint64_t side = builder.side();
        EXPECT_LE(side * side, size);
        EXPECT_GT((side + 1) * (side + 1), size);
        const Extent extent = builder.extent();
        EXPECT_GE(extent.height, 1u);
        EXPECT_LE(std::uint64_t{extent.width} * extent.height, size);
    }
    EXPECT_EQ(CaseBuilder(graph, caps, 8192).extent(), (Extent{128, 64}));
}

TEST(BenchChecks, FindTheFirstElementThatDiffers) {
    const std::vector<std::uint32_t> expected = {1, 2, 3};
    const std::vector<std::uint32_t> wrong = {1, 5, 4};
    EXPECT_TRUE(equal<std::uint32_t>(expected, expected));
    EXPECT_EQ(equal<std::uint32_t>(wrong, expected).error(), "element 1 is 5 instead of 2");
    EXPECT_THAT(equal<std::uint32_t>({}, expected).error(), HasSubstr("0 elements instead of 3"));
}

TEST(BenchChecks, ATolerancePassesNoNan) {
    const std::vector<float> got = {1.0f, 100.5f};
    const std::vector<double> expected = {1.0, 100.0};
    EXPECT_TRUE(near(got, expected, {.relative = 0.01}));
    EXPECT_FALSE(near(got, expected, {.absolute = 0.1}));
    EXPECT_FALSE(near(std::numeric_limits<double>::quiet_NaN(), 1.0, {.absolute = 1e9}));
}

TEST(BenchChecks, ASortedPermutationIsInOrderAndLosesNothing) {
    const std::vector<std::uint32_t> source = {3, 1, 2, 2};
    using Values = std::vector<std::uint32_t>;
    EXPECT_TRUE(is_sorted_permutation(Values{1, 2, 2, 3}, source));
    EXPECT_THAT(is_sorted_permutation(Values{1, 3, 2, 2}, source).error(), HasSubstr("greater"));
    // Of equal sum, too.
    EXPECT_THAT(is_sorted_permutation(Values{1, 1, 3, 3}, source).error(), HasSubstr("input"));
    EXPECT_FALSE(is_sorted_permutation(Values{1, 2, 3}, source));
}

} // namespace
} // namespace tuff::bench
