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

constexpr const char* kSmallGraph = R"({
  "tuff": 1,
  "assets": {"rings": {"generate": "zone_plate", "size": [64, 48]}},
  "nodes": {"blur": {"pass": "image/gaussian", "in": {"source": "rings"}}},
  "outputs": {"picture": "blur.result"}
})";

TEST(BenchCommand, puts_times_of_graphs_into_a_file_and_leaves_other_rows_alone) {
    const WorkFolder folder;
    folder.write("small.json", kSmallGraph);
    const auto bench = [&](const std::string& label, const std::string& frames) {
        const CommandResult run = run_tuff({"bench", "graphs", "small.json", "--frames", frames,
                                            "--label", label, "--csv", "times.csv"},
                                           folder.path());
        EXPECT_EQ(run.exit_code, 0) << run.errors;
        EXPECT_THAT(run.output, HasSubstr("64x48"));
    };
    bench("a machine, of two \"cores\"", "2");
    bench("another", "1");
    bench("another", "3");
    const std::vector<std::string> lines = split(folder.read("times.csv"), '\n');
    ASSERT_EQ(lines.size(), 3u) << folder.read("times.csv");
    EXPECT_EQ(lines[0], "graph,device,driver,date,width,height,gpu_milliseconds_per_frame,frames");
    EXPECT_THAT(lines[1], testing::StartsWith("small.json,\"a machine, of two \"\"cores\"\"\","));
    EXPECT_THAT(lines[1], testing::EndsWith(",2"));
    const std::vector<std::string> fields = split(lines[2], ',');
    ASSERT_EQ(fields.size(), 8u) << lines[2];
    EXPECT_EQ(fields[1], "another");
    EXPECT_THAT(fields[3], testing::MatchesRegex("20[0-9][0-9]-[0-9][0-9]-[0-9][0-9]"));
    EXPECT_EQ(fields[4], "64");
    EXPECT_EQ(fields[5], "48");
    EXPECT_GT(std::atof(fields[6].c_str()), 0.0);
    EXPECT_EQ(fields[7], "3");
}

TEST(BenchCommand, leaves_out_graphs_whose_pictures_are_not_there_and_says_which) {
    const WorkFolder folder;
    std::string text = kSmallGraph;
    const std::string generated = R"({"generate": "zone_plate", "size": [64, 48]})";
    text.replace(text.find(generated), generated.size(), R"({"image": "nowhere.png"})");
    folder.write("lacking.json", text);
    const CommandResult run =
        run_tuff({"bench", "graphs", "lacking.json", "--csv", "times.csv"}, folder.path());
    EXPECT_EQ(run.exit_code, 0) << run.errors;
    EXPECT_THAT(run.output, HasSubstr("lacking.json"));
    EXPECT_THAT(run.output, HasSubstr("left out: "));
    EXPECT_THAT(run.output, HasSubstr("nowhere.png"));
}

TEST(BenchCommand, leaves_a_file_alone_that_is_none_of_its_own) {
    const WorkFolder folder;
    folder.write("small.json", kSmallGraph);
    folder.write("notes.csv", "milk,2\n");
    const CommandResult run =
        run_tuff({"bench", "graphs", "small.json", "--csv", "notes.csv"}, folder.path());
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_THAT(run.errors, HasSubstr("cli/bad-times"));
    EXPECT_EQ(folder.read("notes.csv"), "milk,2\n");
}

TEST(BenchCommand, compiles_synthetic_graphs_without_a_device) {
    const WorkFolder folder;
    const CommandResult run =
        run_tuff({"bench", "compile", "--passes", "10", "--csv"}, folder.path(), kNoDevice);
    ASSERT_EQ(run.exit_code, 0) << run.errors;
    EXPECT_THAT(run.output, testing::StartsWith("graph,passes,mode,microseconds"));
}

/// All times of a file that `tuff bench --json` has written, times `factor`.
void scale_times(const WorkFolder& folder, const std::string& from, const std::string& to,
                 double factor) {
    Json::Value root;
    std::istringstream(folder.read(from)) >> root;
    for (Json::Value& row : root["rows"])
        for (const char* key : {"milliseconds", "milliseconds_low", "milliseconds_high"})
            row[key] = row[key].asDouble() * factor;
    folder.write(to, Json::writeString(Json::StreamWriterBuilder(), root));
}

TEST(BenchCommand, compares_with_an_earlier_run_and_fails_where_a_case_is_slower) {
    const WorkFolder folder;
    const std::vector<std::string> measure = {"bench", "image/grayscale", "--sizes",
                                              "2^12",  "--seconds",       "0"};
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), measure.begin(), measure.end());
        return run_tuff(more, folder.path());
    };
    ASSERT_EQ(with({"--json", "base.json"}).exit_code, 0);
    // Of these few microseconds a busy machine makes milliseconds.
    scale_times(folder, "base.json", "fast.json", 1e-7);
    scale_times(folder, "base.json", "slow.json", 1e7);

    const CommandResult faster = with({"--against", "slow.json", "--fail", "5%"});
    EXPECT_EQ(faster.exit_code, 0) << faster.errors;
    EXPECT_THAT(faster.output, HasSubstr("before"));
    EXPECT_THAT(faster.output, HasSubstr("-100.0 %"));
    const CommandResult slower = with({"--against", "fast.json", "--fail", "5%"});
    EXPECT_EQ(slower.exit_code, 1);
    EXPECT_THAT(slower.errors, HasSubstr("bench/slower"));
    EXPECT_THAT(slower.output, HasSubstr("slower"));
    EXPECT_EQ(with({"--against", "fast.json"}).exit_code, 0) << "without --fail it only says so";
    folder.write("other.json", "{\"rows\": []}");
    const CommandResult none = with({"--against", "other.json", "--fail", "5%"});
    EXPECT_EQ(none.exit_code, 0) << none.errors;
    EXPECT_THAT(none.errors, HasSubstr("bench/nothing-to-compare"));
}

TEST(BenchCommand, refuses_what_it_cannot_compare_with) {
    const WorkFolder folder;
    folder.write("rows.json", "{\"rows\": [{\"pass\": \"a\"}]}");
    folder.write("text.json", "milliseconds");
    const auto errors = [&](std::vector<std::string> more) {
        more.insert(more.begin(), {"bench", "image/grayscale"});
        const CommandResult run = run_tuff(more, folder.path(), kNoDevice);
        EXPECT_EQ(run.exit_code, 2);
        return run.errors;
    };
    EXPECT_THAT(errors({"--fail", "5%"}), HasSubstr("bench/no-baseline"));
    EXPECT_THAT(errors({"--against", "none.json"}), HasSubstr("config/not-found"));
    EXPECT_THAT(errors({"--against", "text.json"}), HasSubstr("config/syntax"));
    EXPECT_THAT(errors({"--against", "rows.json"}), HasSubstr("bench/bad-baseline"));
    for (const char* share : {"fast", "-1%", "5%%", "nan", "1e99"})
        EXPECT_THAT(errors({"--against", "rows.json", "--fail", share}),
                    HasSubstr("bench/bad-share"))
            << share;
}

} // namespace
} // namespace tuff::test
