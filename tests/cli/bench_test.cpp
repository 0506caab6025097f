// `tuff bench`: what it lists, prints and writes. The device is whichever the tests run on.

#include "run_tuff.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <json/json.h>

#include <cstdlib>
#include <sstream>

namespace tuff::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, separator);)
        parts.push_back(part);
    return parts;
}

const std::map<std::string, std::string> kNoDevice = {
    {"VK_DRIVER_FILES", "/nonexistent"},
    {"VK_ICD_FILENAMES", "/nonexistent"},
    {"TUFF_SWIFTSHADER_ICD", "/nonexistent"},
    {"TUFF_LAVAPIPE_ICD", "/nonexistent"},
};

TEST(BenchCommand, lists_cases_without_a_device) {
    const WorkFolder folder;
    const CommandResult all = run_tuff({"bench", "--list"}, folder.path(), kNoDevice);
    ASSERT_EQ(all.exit_code, 0) << all.errors;
    EXPECT_THAT(all.output, HasSubstr("image/resize"));
    EXPECT_THAT(all.output, HasSubstr("image/median"));
    const CommandResult some = run_tuff({"bench", "--list", "resize"}, folder.path(), kNoDevice);
    ASSERT_EQ(some.exit_code, 0) << some.errors;
    EXPECT_THAT(some.output, HasSubstr("image/resize"));
    EXPECT_THAT(some.output, Not(HasSubstr("image/median")));
}

TEST(BenchCommand, writes_checked_rows_as_csv_and_json_and_prints_them) {
    const WorkFolder folder;
    const CommandResult run =
        run_tuff({"bench", "image/resize", "image/grayscale", "--sizes", "2^12", "--seconds", "0",
                  "--csv", "bench.csv", "--json", "bench.json"},
                 folder.path());
    ASSERT_EQ(run.exit_code, 0) << run.errors;
    EXPECT_THAT(run.errors, testing::IsEmpty());
    EXPECT_THAT(run.output, HasSubstr("image/resize"));
    EXPECT_THAT(run.output, HasSubstr("GB/s"));

    const std::vector<std::string> lines = split(folder.read("bench.csv"), '\n');
    ASSERT_EQ(lines.size(), 5u); // two of them what the device can do
    EXPECT_EQ(lines[0], "pass,case,size,milliseconds,rate,unit,share_of_limit,checked");
    for (std::size_t i = 1; i < lines.size(); ++i) {
        const std::vector<std::string> fields = split(lines[i], ',');
        ASSERT_EQ(fields.size(), 8u) << lines[i];
        EXPECT_GT(std::atof(fields[3].c_str()), 0.0) << lines[i];
        EXPECT_GT(std::atof(fields[4].c_str()), 0.0) << lines[i];
        EXPECT_GT(std::atof(fields[6].c_str()), 0.0) << lines[i];
        EXPECT_EQ(fields[7], "yes") << lines[i];
    }
    EXPECT_THAT(split(lines[3], ','), testing::Contains("4096"));

    Json::Value json;
    ASSERT_TRUE(Json::Reader().parse(folder.read("bench.json"), json));
    ASSERT_EQ(json["rows"].size(), 4u);
    EXPECT_GT(json["limits"]["gigabytes_per_second"].asDouble(), 0.0);
    EXPECT_EQ(json["rows"][2]["nodes"].size(), 1u);
}

TEST(BenchCommand, sizes_no_case_is_meant_for_leave_the_limits_alone) {
    const WorkFolder folder;
    const CommandResult run =
        run_tuff({"bench", "image/resize", "--sizes", "2^32", "--seconds", "0", "--csv", "a.csv"},
                 folder.path());
    ASSERT_EQ(run.exit_code, 0) << run.errors;
    EXPECT_EQ(split(folder.read("a.csv"), '\n').size(), 3u);
}

TEST(BenchCommand, compiles_synthetic_graphs_without_a_device) {
    const WorkFolder folder;
    const CommandResult run =
        run_tuff({"bench", "compile", "--passes", "10", "--csv"}, folder.path(), kNoDevice);
    ASSERT_EQ(run.exit_code, 0) << run.errors;
    EXPECT_THAT(run.output, testing::StartsWith("graph,passes,mode,microseconds"));
}

} // namespace
} // namespace tuff::test
