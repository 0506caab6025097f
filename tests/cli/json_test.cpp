// What programs are told by --json and --junit, also when things go wrong.

#include "run_tuff.hpp"
#include "small_config.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <json/json.h>

#include <memory>

namespace tuff::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class JsonAnswer : public testing::Test {
  protected:
    JsonAnswer() { folder.write("graph.json", kGoodConfig); }

    /// The answer of a command, of which nothing else is printed.
    Json::Value answer_of(const std::vector<std::string>& arguments, int exit_code,
                          const std::map<std::string, std::string>& environment = {}) {
        const CommandResult result = run_tuff(arguments, folder.path(), environment);
        EXPECT_EQ(result.exit_code, exit_code) << result.output << result.errors;
        EXPECT_EQ(result.errors, "");
        Json::Value answer;
        std::string problem;
        Json::CharReaderBuilder builder;
        Json::CharReaderBuilder::strictMode(&builder.settings_);
        const std::unique_ptr<Json::CharReader> reader(builder.newCharReader());
        const std::string& text = result.output;
        EXPECT_TRUE(reader->parse(text.data(), text.data() + text.size(), &answer, &problem))
            << problem << text;
        EXPECT_EQ(answer["schema"], 1);
        EXPECT_EQ(answer["command"], arguments.front());
        EXPECT_EQ(answer["ok"].asBool(), exit_code == 0);
        EXPECT_EQ(answer["exit_code"], exit_code);
        EXPECT_TRUE(answer["diagnostics"].isArray());
        EXPECT_TRUE(answer["result"].isObject());
        return answer;
    }

    WorkFolder folder;
};

TEST_F(JsonAnswer, check_tells_each_config_and_each_mistake_with_its_place) {
    folder.write("bad.json", spoiled("\"blur.result\"},", "\"blurr.result\"},"));
    folder.write("open.json", R"({"tuff": 1, "inputs": {"source": "Image"}, "nodes": {
        "a": {"pass": "image/gaussian", "in": {"source": "source"}}}, "outputs": {"o": "a.result"}})");
    const Json::Value answer =
        answer_of({"check", "graph.json", "bad.json", "open.json", "--json"}, 2, kNoDevice);
    const Json::Value& configs = answer["result"]["configs"];
    ASSERT_EQ(configs.size(), 3u);
    EXPECT_EQ(configs[0]["config"], "graph.json");
    EXPECT_TRUE(configs[0]["ok"].asBool());
    EXPECT_EQ(configs[0]["outputs"], 2);
    EXPECT_FALSE(configs[1]["ok"].asBool());
    EXPECT_EQ(configs[2]["open_inputs"].size(), 1u);
    const Json::Value& mistake = answer["diagnostics"][0];
    EXPECT_EQ(mistake["severity"], "error");
    EXPECT_EQ(mistake["code"], "config/unknown-wire");
    EXPECT_THAT(mistake["message"].asString(), HasSubstr("blurr"));
    EXPECT_THAT(mistake["hint"].asString(), HasSubstr("blur"));
    EXPECT_EQ(mistake["place"]["file"], "bad.json");
    EXPECT_EQ(mistake["place"]["line"], 8);
    EXPECT_GT(mistake["place"]["column"].asInt(), 1);
}

TEST_F(JsonAnswer, devices_are_told_and_so_is_that_there_are_none) {
    const Json::Value answer = answer_of({"devices", "--json"}, 0);
    ASSERT_GE(answer["result"]["devices"].size(), 1u);
    const Json::Value& device = answer["result"]["devices"][0];
    EXPECT_EQ(device["index"], 0);
    EXPECT_FALSE(device["name"].asString().empty());
    EXPECT_EQ(device["tier"], "core");
    EXPECT_TRUE(device["optional_missing"].isArray());
    const Json::Value none = answer_of({"devices", "--json"}, 1, kNoDevice);
    EXPECT_THAT(none["diagnostics"][0]["code"].asString(), HasSubstr("device/"));
}

TEST_F(JsonAnswer, inspect_tells_size_format_and_statistics) {
    const Json::Value result = answer_of({"inspect", "graph.json", "board", "--json"}, 0)["result"];
    EXPECT_EQ(result["wire"], "board");
    EXPECT_EQ(result["kind"], "image");
    EXPECT_EQ(result["extent"][0], 32);
    EXPECT_EQ(result["extent"][1], 16);
    ASSERT_GE(result["channels"].size(), 3u);
    EXPECT_EQ(result["channels"][0]["finite"], 32 * 16);
    EXPECT_LT(result["channels"][0]["low"].asDouble(), result["channels"][0]["high"].asDouble());
    const Json::Value wrong = answer_of({"inspect", "graph.json", "nothing.at", "--json"}, 2);
    EXPECT_EQ(wrong["diagnostics"][0]["code"], "config/unknown-wire");
}

TEST_F(JsonAnswer, run_tells_its_device_its_files_and_its_times) {
    const Json::Value result = answer_of(
        {"run", "graph.json", "--device", "lavapipe", "--timings", "--frames", "2", "--json"},
        0)["result"];
    EXPECT_THAT(result["device"]["name"].asString(), HasSubstr("llvmpipe"));
    EXPECT_EQ(result["device"]["type"], "software");
    ASSERT_EQ(result["runs"].size(), 1u);
    EXPECT_EQ(result["runs"][0]["frames"], 2);
    ASSERT_EQ(result["runs"][0]["files"].size(), 1u);
    EXPECT_EQ(result["runs"][0]["files"][0]["output"], "picture");
    EXPECT_EQ(result["runs"][0]["files"][0]["file"], (folder.path() / "picture.png").string());
    const Json::Value& timings = result["timings"];
    ASSERT_GE(timings["nodes"].size(), 2u);
    double sum = 0.0;
    for (const Json::Value& node : timings["nodes"]) {
        EXPECT_FALSE(node["name"].asString().empty());
        EXPECT_EQ(node["queue"], "graphics");
        sum += node["milliseconds"].asDouble();
    }
    EXPECT_GT(sum, 0.0);
    EXPECT_LE(sum, timings["milliseconds"].asDouble() + 1e-6) << "parts of the whole";
}

TEST_F(JsonAnswer, runs_of_a_sweep_are_told_each_also_those_that_were_finished) {
    const std::vector<std::string> sweep = {"run",       "graph.json", "--sweep", "exposure=0,1",
                                            "--out-dir", "out",        "--json"};
    const Json::Value first = answer_of(sweep, 0)["result"]["runs"];
    ASSERT_EQ(first.size(), 2u);
    EXPECT_FALSE(first[1]["skipped"].asBool());
    EXPECT_EQ(first[1]["files"].size(), 1u);
    const Json::Value second = answer_of(sweep, 0)["result"]["runs"];
    ASSERT_EQ(second.size(), 2u);
    EXPECT_TRUE(second[0]["skipped"].asBool());
    EXPECT_EQ(second[0]["name"], first[0]["name"]);
    const Json::Value wrong = answer_of({"run", "graph.json", "--set", "exposure=9", "--json"}, 2);
    EXPECT_FALSE(wrong["diagnostics"].empty());
}

TEST_F(JsonAnswer, golden_tells_verdicts_here_and_as_junit) {
    const Json::Value missing = answer_of(
        {"golden", "graph.json", "--dir", "golden", "--json", "--junit", "results.xml"}, 1);
    ASSERT_EQ(missing["result"]["results"].size(), 1u);
    EXPECT_EQ(missing["result"]["results"][0]["name"], "graph picture");
    EXPECT_EQ(missing["result"]["results"][0]["verdict"], "missing");
    EXPECT_EQ(missing["diagnostics"][0]["code"], "cli/golden-differs");
    EXPECT_THAT(folder.read("results.xml"),
                AllOf(HasSubstr("tests=\"1\" failures=\"1\""),
                      HasSubstr("<testcase classname=\"graph\" name=\"picture\"><failure")));
    answer_of({"golden", "graph.json", "--dir", "golden", "--update", "--json"}, 0);
    const Json::Value same = answer_of(
        {"golden", "graph.json", "--dir", "golden", "--json", "--junit", "results.xml"}, 0);
    EXPECT_EQ(same["result"]["results"][0]["verdict"], "same");
    EXPECT_THAT(folder.read("results.xml"),
                AllOf(HasSubstr("failures=\"0\""),
                      HasSubstr("<testcase classname=\"graph\" name=\"picture\"/>")));
    EXPECT_EQ(run_tuff({"golden", "graph.json", "--dir", "golden", "--junit", "no/where.xml"},
                       folder.path())
                  .exit_code,
              1);
}

} // namespace
} // namespace tuff::test
