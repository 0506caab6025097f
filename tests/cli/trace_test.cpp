// `tuff trace`: CPU and device on one timeline.

#include "run_tuff.hpp"
#include "small_config.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <json/json.h>

#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace tuff::test {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Pair;

Json::Value json_of(const std::string& text) {
    Json::Value value;
    std::string errors;
    std::istringstream stream(text);
    EXPECT_TRUE(Json::parseFromStream(Json::CharReaderBuilder(), stream, &value, &errors))
        << errors;
    return value;
}

class Trace : public testing::Test {
  protected:
    Trace() { folder.write("graph.json", kGoodConfig); }

    Json::Value trace(std::vector<std::string> more) {
        std::vector<std::string> words{"trace",  "graph.json", "--out",
                                       "t.json", "--constant", "each"};
        words.insert(words.end(), more.begin(), more.end());
        const CommandResult result = run_tuff(words, folder.path());
        EXPECT_EQ(result.exit_code, 0) << result.errors;
        return json_of(folder.read("t.json"));
    }
    static std::vector<Json::Value> slices(const Json::Value& trace, const std::string& category) {
        std::vector<Json::Value> found;
        for (const Json::Value& event : trace["traceEvents"])
            if (event["ph"] == "X" && event["cat"] == category) found.push_back(event);
        return found;
    }
    static double end_of(const Json::Value& slice) {
        return slice["ts"].asDouble() + slice["dur"].asDouble();
    }
    WorkFolder folder;
};

TEST_F(Trace, HasRowsOfTheCpuAndOfTheDevice) {
    const Json::Value all = trace({"--frames", "3"});
    std::multimap<std::string, std::string> names;
    for (const Json::Value& event : all["traceEvents"])
        if (event["ph"] == "M" && event["args"].isMember("name"))
            names.emplace(event["name"].asString(), event["args"]["name"].asString());
    EXPECT_THAT(names, Contains(Pair("process_name", "CPU")));
    EXPECT_THAT(names, Contains(Pair("process_name", HasSubstr("device: "))));
    for (const char* row : {"tuff", "graphics queue", "executions", "in flight 1", "in flight 2"})
        EXPECT_THAT(names, Contains(Pair("thread_name", row)));
    EXPECT_EQ(slices(all, "execution").size(), 3u);
    EXPECT_EQ(slices(all, "in flight").size(), 3u);
    EXPECT_GE(slices(all, "blur").size(), 6u) << "a gaussian has two nodes";
    std::set<std::string> work;
    for (const Json::Value& slice : slices(all, "cpu"))
        work.insert(slice["name"].asString());
    for (const char* name : {"build graph", "compile plan", "make executor", "compile kernels",
                             "upload", "record", "submit", "wait", "readback"})
        EXPECT_TRUE(work.contains(name)) << name;
}

TEST_F(Trace, SaysHowTheClocksWereAligned) {
    const Json::Value about = trace({"--frames", "2"})["otherData"];
    const bool calibrated = about["clock_calibrated"].asBool();
    EXPECT_THAT(about["clock"].asString(), HasSubstr(calibrated ? "calibrated" : "submissions"));
    EXPECT_EQ(calibrated, about["device"].asString().find("llvmpipe") != std::string::npos);
    EXPECT_GE(about["clock_uncertainty_us"].asDouble(), 0.0);
}

TEST_F(Trace, FramesOfARowDoNotOverlap) {
    const Json::Value all = trace({"--frames", "5", "--in-flight", "3"});
    std::map<int, double> ends;
    for (const Json::Value& slice : slices(all, "in flight")) {
        double& end = ends[slice["tid"].asInt()];
        EXPECT_GE(slice["ts"].asDouble() + 1.0, end);
        end = end_of(slice);
    }
    EXPECT_EQ(ends.size(), 3u);
}

TEST_F(Trace, NodesLieInTheirExecution) {
    const Json::Value all = trace({"--frames", "2"});
    std::map<std::string, Json::Value> executions;
    for (const Json::Value& slice : slices(all, "execution"))
        executions[slice["name"].asString()] = slice;
    for (const Json::Value& node : slices(all, "blur")) {
        const Json::Value& execution = executions[node["args"]["frame"].asString()];
        EXPECT_GE(node["ts"].asDouble() + 1.0, execution["ts"].asDouble());
        EXPECT_LE(end_of(node), end_of(execution) + 1.0);
    }
}

TEST_F(Trace, TheMemoryCounterIsThatOfThePlan) {
    const Json::Value all = trace({"--frames", "2"});
    const CommandResult explained = run_tuff(
        {"explain", "graph.json", "--constant", "each", "--format", "json"}, folder.path());
    ASSERT_EQ(explained.exit_code, 0) << explained.errors;
    const Json::Value plan = json_of(explained.output);
    std::vector<Json::Value> counters;
    for (const Json::Value& event : all["traceEvents"])
        if (event["ph"] == "C" && event["name"] == "device memory")
            counters.push_back(event["args"]);
    ASSERT_EQ(counters.size(), 1u) << "nothing changes";
    Json::UInt64 blocks = 0;
    for (const Json::Value& block : plan["blocks"])
        blocks += block.asUInt64();
    EXPECT_GT(blocks, 0u);
    EXPECT_EQ(counters[0]["transient"].asUInt64(), blocks);
}

} // namespace
} // namespace tuff::test
