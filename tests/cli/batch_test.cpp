// `tuff run` with frame ranges, sweeps, shards and manifests.

#include "run_tuff.hpp"
#include "small_config.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <json/json.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace tuff::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

using Arguments = std::vector<std::string>;

Json::Value parsed_manifest(const std::string& text) {
    Json::Value value;
    std::string problem;
    const std::unique_ptr<Json::CharReader> reader(Json::CharReaderBuilder().newCharReader());
    EXPECT_TRUE(reader->parse(text.data(), text.data() + text.size(), &value, &problem)) << problem;
    return value;
}

/// A picture that goes on: each frame adds a tenth.
constexpr std::string_view kGrowingConfig = R"json({
    "tuff": 1,
    "size": [8, 4],
    "params": {"step": 0.1},
    "assets": {"board": {"generate": "checker", "size": [8, 4], "cell": 2}},
    "history": {"sum": {"from": "add.result", "format": "rgba32_sfloat", "size": [8, 4],
                        "clear": [0, 0, 0, 0]}},
    "nodes": {"add": {"pass": "image/map", "in": {"source": "board", "other": "sum"},
                      "params": {"expression": "y + p.x", "p": ["$step", 0, 0, 0],
                                 "format": "rgba32_sfloat"}}},
    "outputs": {"sum_now": {"from": "add.result", "file": "sum_%d.pfm"}}
})json";

class Batch : public testing::Test {
  protected:
    Batch() { folder.write("graph.json", kGoodConfig); }

    CommandResult run(Arguments arguments, int exit_code = 0,
                      const std::map<std::string, std::string>& environment = {}) {
        arguments.insert(arguments.begin(), "run");
        const CommandResult result = run_tuff(arguments, folder.path(), environment);
        EXPECT_EQ(result.exit_code, exit_code) << result.errors;
        return result;
    }
    Json::Value manifest(const std::string& name = "manifest.json") const {
        return parsed_manifest(folder.read(name));
    }
    /// How many of the runs that a command would make are finished.
    std::ptrdiff_t finished(Arguments arguments) {
        arguments.push_back("--list-runs");
        const std::string list = run(arguments).output;
        std::ptrdiff_t count = 0;
        for (std::size_t at = list.find("finished"); at != std::string::npos;
             at = list.find("finished", at + 1))
            ++count;
        return count;
    }

    WorkFolder folder;
};

/// Three by four runs, in three shards.
class TwelveRuns : public Batch {
  protected:
    Arguments sweep(const Arguments& more = {}) const {
        Arguments arguments = {
            "graph.json", "--sweep", "exposure=-1,0,2", "--sweep", "blur.sigma=1:2.5:4",
            "--out-dir",  "out"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return arguments;
    }
    static std::string shard_file(int shard) {
        return fmt::format("out/manifest-{}of3.json", shard);
    }
    void run_shards() {
        for (const std::string shard : {"1/3", "2/3", "3/3"})
            (void)run(sweep({"--shard", shard}));
    }
};

TEST_F(TwelveRuns, in_three_shards_have_a_manifest_each_that_tells_of_all_that_was_made) {
    run_shards();
    std::set<std::string> names;
    for (int shard = 1; shard <= 3; ++shard) {
        const Json::Value told = manifest(shard_file(shard));
        EXPECT_EQ(told["tuff_manifest"], 1);
        EXPECT_EQ(told["shard"]["index"], shard);
        EXPECT_EQ(told["shard"]["count"], 3);
        ASSERT_EQ(told["runs"].size(), 4u);
        for (const Json::Value& one : told["runs"]) {
            names.insert(one["name"].asString());
            EXPECT_EQ(one["run"]["config"], "graph.json");
            EXPECT_EQ(fmt::format("{}", one["parameters"]["exposure"].asDouble()),
                      one["run"]["settings"]["exposure"].asString());
            EXPECT_NE(one["device"].asString(), "");
            EXPECT_NE(one["driver"].asString(), "");
            EXPECT_GT(one["seconds"].asDouble(), 0.0);
            EXPECT_THAT(one["started"].asString(), testing::MatchesRegex("20..-..-..T..:..:..Z"));
            ASSERT_EQ(one["outputs"].size(), 1u);
            const Json::Value& output = one["outputs"][0];
            EXPECT_EQ(output["output"], "picture");
            EXPECT_EQ(output["file"].asString(), one["name"].asString() + "/picture.png");
            EXPECT_EQ(output["bytes"].asUInt64(),
                      folder.read("out/" + output["file"].asString()).size());
            // Another program's opinion.
            const CommandResult sum =
                run_program({"sha256sum", "out/" + output["file"].asString()}, folder.path());
            EXPECT_EQ(output["sha256"].asString(), sum.output.substr(0, 64));
            ASSERT_EQ(one["inputs"].size(), 1u);
            EXPECT_EQ(fs::path(one["inputs"][0]["file"].asString()).filename(), "graph.json");
            EXPECT_EQ(one["inputs"][0]["bytes"].asUInt64(), kGoodConfig.size());
        }
    }
    EXPECT_THAT(names, SizeIs(12));
    EXPECT_THAT(names, testing::Contains("exposure=-1,blur.sigma=1.5"));
    EXPECT_THAT(folder.files(), SizeIs(1 + 3 + 12));
}

TEST_F(TwelveRuns, compile_one_plan_for_each_structure) {
    (void)run(sweep()); // sigma decides how wide the kernel is, exposure is a number in it
    std::map<std::string, unsigned> plans;
    const Json::Value told = manifest("out/manifest.json");
    for (const Json::Value& one : told["runs"])
        plans[one["run"]["settings"]["blur.sigma"].asString()] += one["compiled_plans"].asUInt();
    EXPECT_THAT(plans, SizeIs(4));
    for (const auto& [sigma, count] : plans)
        EXPECT_EQ(count, 1u) << sigma;
}

TEST_F(TwelveRuns, write_what_single_runs_write) {
    (void)run(sweep());
    (void)run({"graph.json", "--set", "exposure=2", "--set", "blur.sigma=2", "--out", "one.png"});
    EXPECT_EQ(folder.read("out/exposure=2,blur.sigma=2/picture.png"), folder.read("one.png"));
}

TEST_F(TwelveRuns, are_skipped_where_they_are_finished_also_by_other_shards) {
    run_shards();
    const auto written =
        fs::last_write_time(folder.path() / "out/exposure=0,blur.sigma=1/picture.png");
    EXPECT_THAT(run(sweep({"--shard", "2/3"})).output, HasSubstr("skipped 4 runs"));
    EXPECT_EQ(finished(sweep()), 12);
    const CommandResult all = run(sweep());
    EXPECT_THAT(all.output, AllOf(HasSubstr("skipped 12 runs"), Not(HasSubstr("wrote"))));
    EXPECT_EQ(manifest("out/manifest.json")["runs"].size(), 12u);
    EXPECT_EQ(fs::last_write_time(folder.path() / "out/exposure=0,blur.sigma=1/picture.png"),
              written);
    EXPECT_THAT(run(sweep({"--force"})).output,
                AllOf(Not(HasSubstr("skipped")), HasSubstr("wrote")));
}

TEST_F(TwelveRuns, are_repeated_where_something_has_changed) {
    (void)run(sweep());
    fs::remove(folder.path() / "out/exposure=0,blur.sigma=1/picture.png");
    folder.write("out/exposure=2,blur.sigma=1/picture.png", "not what was written");
    EXPECT_EQ(finished(sweep()), 10);
    EXPECT_THAT(run(sweep()).output, HasSubstr("skipped 10 runs"));
    EXPECT_EQ(finished(sweep()), 12);
    EXPECT_EQ(finished(sweep({"--set", "width=40"})), 0) << "a parameter";
    EXPECT_EQ(finished(sweep({"--frames", "1:2"})), 0) << "the frame";
    EXPECT_EQ(finished(sweep({"--fps", "30"})), 0);
    folder.write("graph.json", spoiled("\"cell\": 4", "\"cell\": 2"));
    EXPECT_EQ(finished(sweep()), 0) << "the config";
}

TEST_F(Batch, a_changed_asset_repeats_the_runs_that_read_it) {
    (void)run({"graph.json", "--out", "board.png"});
    folder.write("asset.json", spoiled(R"({"generate": "checker", "size": [32, 16], "cell": 4})",
                                       R"({"image": "board.png"})"));
    const Arguments sweep = {"asset.json", "--sweep", "exposure=0,1"};
    (void)run(sweep);
    const Json::Value inputs = manifest()["runs"][0]["inputs"];
    ASSERT_EQ(inputs.size(), 2u);
    EXPECT_EQ(fs::path(inputs[1]["file"].asString()).filename(), "board.png");
    EXPECT_EQ(finished(sweep), 2);
    (void)run({"graph.json", "--set", "exposure=1", "--out", "board.png"});
    EXPECT_EQ(finished(sweep), 0);
    (void)run(sweep);
    EXPECT_EQ(finished(sweep), 2);
}

TEST_F(Batch, another_file_for_an_input_is_another_run) {
    folder.write("one.csv", "1\n2\n");
    folder.write("other.csv", "30\n40\n");
    folder.write("table.json", R"({"tuff": 1, "inputs": {"numbers": "Buffer"},
                                   "outputs": {"same": {"from": "numbers", "file": "same.csv"}}})");
    (void)run({"table.json", "--input", "numbers=one.csv", "--manifest"});
    EXPECT_EQ(manifest()["runs"][0]["run"]["files"]["numbers"], "one.csv");
    EXPECT_EQ(finished({"table.json", "--input", "numbers=one.csv", "--manifest"}), 1);
    EXPECT_EQ(finished({"table.json", "--input", "numbers=other.csv", "--manifest"}), 0);
    (void)run({"table.json", "--input", "numbers=other.csv", "--manifest"});
    EXPECT_EQ(folder.read("same.csv"), "30\n40\n");
}

TEST_F(Batch, sweeps_of_one_folder_keep_what_the_others_have_noted) {
    (void)run({"graph.json", "--sweep", "exposure=0,1"});
    (void)run({"graph.json", "--sweep", "exposure=1,2"});
    EXPECT_EQ(manifest()["runs"].size(), 3u);
    EXPECT_EQ(finished({"graph.json", "--sweep", "exposure=0,1,2"}), 3);
}

TEST_F(Batch, names_of_files_may_hold_the_values) {
    (void)run({"graph.json", "--sweep", "exposure=0,1", "--sweep", "blur.sigma=1,2", "--out",
               "{blur.sigma}/tone_{exposure}.png", "--out", "soft=soft.exr"});
    EXPECT_THAT(folder.files(),
                ElementsAre("1/tone_0.png", "1/tone_1.png", "2/tone_0.png", "2/tone_1.png",
                            "exposure=0,blur.sigma=1/soft.exr", "exposure=0,blur.sigma=2/soft.exr",
                            "exposure=1,blur.sigma=1/soft.exr", "exposure=1,blur.sigma=2/soft.exr",
                            "graph.json", "manifest.json"));
}

TEST_F(Batch, files_of_the_command_line_go_into_a_folder_of_the_run_in_theirs) {
    fs::create_directory(folder.path() / "made");
    (void)run({"graph.json", "--sweep", "exposure=0,1", "--out", "made/one.png"});
    EXPECT_THAT(folder.files(), ElementsAre("graph.json", "made/exposure=0/one.png",
                                            "made/exposure=1/one.png", "manifest.json"));
    EXPECT_THAT(
        run({"graph.json", "--sweep", "exposure=2,3", "--out", "not_made/one.png"}, 1).errors,
        HasSubstr("error[cli/unwritable]"));
}

TEST_F(Batch, values_that_are_texts_or_lists_make_names_without_separators) {
    folder.write("text.json", spoiled(R"("params": {"exposure": "$exposure"}})",
                                      R"("params": {"operator": "aces"}})"));
    (void)run({"text.json", "--sweep", "tone.operator=\"reinhard\",aces"});
    EXPECT_THAT(folder.files(), ElementsAre("graph.json", "manifest.json", "text.json",
                                            "tone.operator=aces/picture.png",
                                            "tone.operator=reinhard/picture.png"));
}

TEST_F(Batch, list_runs_prints_what_would_be_run_and_writes_nothing) {
    const CommandResult list = run(
        {"graph.json", "--sweep", "exposure=0:1:3", "--shard", "2/2", "--list-runs"}, 0, kNoDevice);
    EXPECT_THAT(list.output, AllOf(HasSubstr("exposure=0.5/picture.png"), HasSubstr("to run"),
                                   Not(HasSubstr("exposure=1/"))));
    EXPECT_THAT(folder.files(), ElementsAre("graph.json"));
}

TEST_F(Batch, without_a_device_nothing_is_written) {
    (void)run({"graph.json", "--sweep", "exposure=0,1", "--out-dir", "out"}, 1, kNoDevice);
    EXPECT_THAT(folder.files(), ElementsAre("graph.json"));
    EXPECT_FALSE(fs::exists(folder.path() / "out"));
}

TEST_F(Batch, a_single_run_has_a_manifest_where_it_is_asked_for) {
    (void)run({"graph.json"});
    EXPECT_FALSE(fs::exists(folder.path() / "manifest.json"));
    (void)run({"graph.json", "--manifest"});
    EXPECT_EQ(manifest()["runs"][0]["outputs"][0]["file"], "picture.png");
    EXPECT_THAT(run({"graph.json", "--manifest"}).output, HasSubstr("skipped 1 run:"));
    EXPECT_THAT(run({"graph.json"}).output, HasSubstr("wrote picture.png"));
}

TEST_F(Batch, manifests_hold_the_warnings_of_their_run) {
    folder.write("bright.json",
                 spoiled(R"({"pass": "image/tonemap", "in": {"source": "blur.result"},
                 "params": {"exposure": "$exposure"}})",
                         R"({"pass": "image/map", "in": {"source": "blur.result"},
                 "params": {"expression": "x + p.x", "p": ["$exposure", 0, 0, 0],
                            "format": "rgba32_sfloat"}})"));
    (void)run({"bright.json", "--sweep", "exposure=0,3"});
    const Json::Value runs = manifest()["runs"];
    EXPECT_TRUE(runs[0]["warnings"].empty());
    ASSERT_EQ(runs[1]["warnings"].size(), 1u);
    EXPECT_EQ(runs[1]["warnings"][0]["code"], "cli/clipped");
}

TEST_F(Batch, slurm_numbers_its_jobs_as_it_likes) {
    const std::map<std::string, std::string> job = {{"SLURM_ARRAY_TASK_ID", "9"},
                                                    {"SLURM_ARRAY_TASK_MIN", "5"},
                                                    {"SLURM_ARRAY_TASK_STEP", "2"},
                                                    {"SLURM_ARRAY_TASK_COUNT", "4"}};
    const Arguments arguments = {"graph.json", "--sweep", "exposure=0,1,2,3", "--shard", "slurm"};
    (void)run(arguments, 0, job);
    EXPECT_TRUE(fs::exists(folder.path() / "manifest-3of4.json"));
    EXPECT_TRUE(fs::exists(folder.path() / "exposure=2/picture.png"));
    EXPECT_FALSE(fs::exists(folder.path() / "exposure=1/picture.png"));
}

TEST_F(Batch, shards_of_a_single_run_share_out_its_frames) {
    for (const std::string shard : {"1/3", "2/3", "3/3"})
        (void)run({"graph.json", "--frames", "10:14", "--out", "f_%d.png", "--shard", shard});
    EXPECT_THAT(folder.files(),
                ElementsAre("f_10.png", "f_11.png", "f_12.png", "f_13.png", "graph.json",
                            "manifest-1of3.json", "manifest-2of3.json", "manifest-3of3.json"));
    EXPECT_EQ(manifest("manifest-2of3.json")["runs"][0]["run"]["first_frame"], 11);
    // More shards than frames: some have nothing to do.
    (void)run({"graph.json", "--frames", "1", "--out", "f_%d.png", "--shard", "1/2"});
    EXPECT_TRUE(manifest("manifest-1of2.json")["runs"].empty());
}

TEST_F(Batch, frames_and_times_are_half_open_ranges) {
    (void)run({"graph.json", "--frames", "2:4", "--out", "f_%d.png"});
    EXPECT_THAT(folder.files(), ElementsAre("f_2.png", "f_3.png", "graph.json"));
    (void)run({"graph.json", "--time", "0.1:0.2", "--fps", "30", "--out", "t_%d.png"});
    EXPECT_THAT(folder.files(),
                ElementsAre("f_2.png", "f_3.png", "graph.json", "t_3.png", "t_4.png", "t_5.png"));
    (void)run({"graph.json", "--time", "0.5", "--fps", "30", "--out", "p_%d.png"});
    EXPECT_TRUE(fs::exists(folder.path() / "p_15.png"));
}

TEST_F(Batch, frames_before_the_first_are_run_where_the_graph_depends_on_them) {
    folder.write("growing.json", kGrowingConfig);
    (void)run({"growing.json", "--frames", "6"});
    const std::string whole = folder.read("sum_5.pfm");
    fs::remove(folder.path() / "sum_5.pfm");
    const CommandResult part = run({"growing.json", "--frames", "5:6", "--out-dir", "part"});
    EXPECT_THAT(part.errors, AllOf(HasSubstr("note[cli/earlier-frames]"), HasSubstr("0 to 4")));
    EXPECT_EQ(folder.read("part/sum_5.pfm"), whole);
    EXPECT_FALSE(fs::exists(folder.path() / "part/sum_4.pfm"));
    EXPECT_THAT(run({"graph.json", "--frames", "5:6"}).errors, Not(HasSubstr("earlier-frames")));
}

TEST_F(Batch, each_run_of_a_sweep_begins_its_history_again) {
    folder.write("growing.json", kGrowingConfig);
    (void)run({"growing.json", "--frames", "3", "--sweep", "step=0.5,0.25"});
    for (const std::string step : {"0.5", "0.25"}) {
        (void)run({"growing.json", "--frames", "3", "--set", "step=" + step, "--out-dir", "one"});
        EXPECT_EQ(folder.read("step=" + step + "/sum_2.pfm"), folder.read("one/sum_2.pfm"));
    }
    EXPECT_EQ(manifest()["runs"][1]["compiled_plans"], 0);
}

TEST_F(Batch, a_damaged_manifest_is_told_and_its_runs_are_repeated) {
    const Arguments sweep = {"graph.json", "--sweep", "exposure=0,1"};
    (void)run(sweep);
    const std::string whole = folder.read("manifest.json");
    for (const std::string& damaged :
         {whole.substr(0, whole.size() / 2), std::string(), std::string(3000, '['),
          std::string(R"({"tuff_manifest": 1, "runs": [7]})"),
          std::string(R"({"tuff_manifest": 1, "runs": [{"run": {}, "inputs": [{"file": [3]}]}]})"),
          std::string(R"({"tuff_manifest": 2})")}) {
        folder.write("manifest.json", damaged);
        const CommandResult again = run(sweep);
        EXPECT_THAT(again.errors, HasSubstr("warning[cli/bad-manifest]")) << damaged.substr(0, 80);
        EXPECT_THAT(again.output, Not(HasSubstr("skipped")));
        EXPECT_EQ(finished(sweep), 2);
    }
}

TEST_F(Batch, a_manifest_of_another_program_is_not_overwritten) {
    folder.write("manifest.json", R"({"name": "an extension of a browser"})");
    const CommandResult result = run({"graph.json", "--sweep", "exposure=0,1"}, 2);
    EXPECT_THAT(result.errors, HasSubstr("error[cli/bad-manifest]"));
    EXPECT_THAT(folder.files(), ElementsAre("graph.json", "manifest.json"));
}

TEST_F(Batch, ctrl_c_leaves_finished_runs_finished) {
    const CommandResult result = run_program(
        {"bash", "-c",
         fmt::format("'{}' run graph.json --sweep exposure=-4:4:3000 --out-dir out & "
                     "until [ -e out/manifest.json ] || ! kill -0 $!; do sleep 0.01; done; "
                     "kill -INT $!; wait $!",
                     TUFF_TEST_BINARY)},
        folder.path());
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.errors, HasSubstr("error[cli/interrupted]"));
    const auto made = static_cast<std::ptrdiff_t>(manifest("out/manifest.json")["runs"].size());
    EXPECT_GT(made, 0);
    EXPECT_LT(made, 3000);
    EXPECT_EQ(finished({"graph.json", "--sweep", "exposure=-4:4:3000", "--out-dir", "out"}), made);
}

TEST_F(Batch, pictures_carry_config_parameters_frame_and_version) {
    (void)run({"graph.json", "--set", "exposure=0.5", "--frames", "3:4", "--out", "p.png", "--out",
               "soft=s.exr"});
    (void)run({"graph.json", "--set", "exposure=0.5", "--frames", "3:4", "--out", "p.jpg"});
    for (const char* file : {"p.png", "s.exr", "p.jpg"})
        EXPECT_THAT(folder.read(file),
                    AllOf(HasSubstr("tuff.config"), HasSubstr("graph.json"),
                          HasSubstr("tuff.parameters"), HasSubstr(R"({"exposure":0.5})"),
                          HasSubstr("tuff.frame"), HasSubstr("Software"), HasSubstr("tuff 0.")))
            << file;
}

struct BatchError {
    std::string name;
    Arguments arguments;
    std::string code;
    std::string mention;
    std::map<std::string, std::string> environment = {};
};

void PrintTo(const BatchError& error, std::ostream* stream) {
    *stream << error.name;
}

class BatchErrors : public testing::TestWithParam<BatchError> {};

TEST_P(BatchErrors, are_told_before_anything_is_written) {
    const BatchError& error = GetParam();
    const WorkFolder folder;
    folder.write("graph.json", kGoodConfig);
    Arguments arguments = {"run", "graph.json"};
    arguments.insert(arguments.end(), error.arguments.begin(), error.arguments.end());
    const CommandResult result = run_tuff(arguments, folder.path(), error.environment);
    EXPECT_EQ(result.exit_code, 2) << result.errors;
    EXPECT_THAT(result.errors,
                AllOf(HasSubstr("error[" + error.code + "]"), HasSubstr(error.mention)));
    EXPECT_THAT(result.output, IsEmpty());
    EXPECT_THAT(folder.files(), ElementsAre("graph.json"));
}

const std::vector<BatchError> kBatchErrors = {
    {"frames_backwards", {"--frames", "200:100"}, "cli/usage", "100:200"},
    {"frames_empty", {"--frames", "7:7"}, "cli/usage", "empty"},
    {"frames_not_whole", {"--frames", "0.5:2"}, "cli/usage", "whole numbers"},
    {"frames_negative", {"--frames=-1:2"}, "cli/usage", "from 0"},
    {"frames_too_many", {"--frames", "2000000000"}, "cli/usage", "1000000000"},
    {"frames_open", {"--frames", "5:"}, "cli/usage", "whole numbers"},
    {"time_backwards", {"--time", "2:1"}, "cli/usage", "1:2"},
    {"time_of_no_frame", {"--time", "0.1:0.2", "--fps", "1"}, "cli/usage", "no frame"},
    {"time_and_frames", {"--time", "1", "--frames", "2"}, "cli/usage", "--frames"},
    {"shard_beyond", {"--shard", "4/3"}, "cli/usage", "3/3"},
    {"shard_zero", {"--shard", "0/3"}, "cli/usage", "1/3"},
    {"shard_no_number", {"--shard", "third"}, "cli/usage", "3/16"},
    {"shard_without_slurm", {"--shard", "slurm"}, "cli/usage", "SLURM_ARRAY_TASK_ID"},
    {"shard_of_slurm_with_gaps",
     {"--shard", "slurm"},
     "cli/usage",
     "without gaps",
     {{"SLURM_ARRAY_TASK_ID", "7"},
      {"SLURM_ARRAY_TASK_MIN", "1"},
      {"SLURM_ARRAY_TASK_COUNT", "3"}}},
    {"shards_of_one_file", {"--shard", "1/2", "--frames", "2"}, "cli/same-file", "picture.png"},
    {"runs_of_one_file",
     {"--sweep", "exposure=0,1", "--sweep", "blur.sigma=1,2", "--out", "{exposure}.png"},
     "cli/same-file",
     "{blur.sigma}"},
    {"outputs_of_one_file", {"--out", "soft=picture.png"}, "cli/same-file", "picture.png"},
    {"sweep_without_values", {"--sweep", "exposure"}, "cli/bad-sweep", "NAME=VALUES"},
    {"sweep_of_nothing", {"--sweep", "exposure="}, "cli/bad-sweep", "missing"},
    {"sweep_with_a_hole", {"--sweep", "exposure=1,,2"}, "cli/bad-sweep", "missing"},
    {"sweep_twice_a_value", {"--sweep", "exposure=1,1"}, "cli/bad-sweep", "twice"},
    {"sweep_twice", {"--sweep", "exposure=1", "--sweep", "exposure=2"}, "cli/bad-sweep", "twice"},
    {"sweep_and_set", {"--sweep", "exposure=1", "--set", "exposure=2"}, "cli/bad-sweep", "--set"},
    {"sweep_backwards", {"--sweep", "exposure=2:1:3"}, "cli/bad-sweep", "1:2:3"},
    {"sweep_of_one_point", {"--sweep", "exposure=1:1:3"}, "cli/bad-sweep", "differ"},
    {"sweep_of_no_values", {"--sweep", "exposure=1:2:0"}, "cli/bad-sweep", "FIRST:LAST:COUNT"},
    {"sweep_of_half_a_value", {"--sweep", "exposure=1:2:1.5"}, "cli/bad-sweep", "FIRST:LAST:COUNT"},
    {"sweep_unknown", {"--sweep", "exposre=1,2"}, "config/unknown-parameter", "exposure"},
    {"sweep_unknown_of_a_node", {"--sweep", "blur.sgma=1,2"}, "config/unknown-parameter", "sigma"},
    {"sweep_out_of_range",
     {"--sweep", "exposure=0,9"},
     "config/out-of-range",
     "--sweep exposure=9"},
    {"sweep_of_a_wrong_kind", {"--sweep", "exposure=0,dim"}, "config/wrong-type", "dim"},
    {"sweep_beyond_the_pass", {"--sweep", "blur.sigma=1,-3"}, "pass/out-of-range", "-3"},
    {"too_many_values", {"--sweep", "exposure=0:1:20000"}, "cli/too-many-runs", "10000"},
    {"too_many_runs",
     {"--sweep", "exposure=0:1:200", "--sweep", "blur.sigma=1:2:200"},
     "cli/too-many-runs",
     "40000"},
    {"name_of_no_parameter",
     {"--sweep", "exposure=0,1", "--out", "{exposre}.png"},
     "cli/bad-sweep",
     "--out {exposre}.png"},
    {"name_without_end",
     {"--sweep", "exposure=0,1", "--out", "{exposure.png"},
     "cli/bad-sweep",
     "exposure"},
};

INSTANTIATE_TEST_SUITE_P(Table, BatchErrors, testing::ValuesIn(kBatchErrors),
                         [](const auto& test) { return test.param.name; });

} // namespace
} // namespace tuff::test
