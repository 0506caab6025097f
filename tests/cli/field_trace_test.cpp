// How long ranks take and wait that have a field in parts: `tuff run --timings` and `tuff trace`.

#include "ranks_fixture.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tuff::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr int kSteps = 3;

class TimedField : public RunsOfRanks {
  protected:
    static Words config(const std::string& device) {
        return {TUFF_TEST_SOURCE_DIR "/examples/ranks/gray_scott.json",
                "--set",
                fmt::format("steps={}", kSteps),
                "--set",
                "width=48",
                "--set",
                "height=32",
                "--device",
                device};
    }
};

TEST_F(TimedField, prints_the_times_of_all_ranks_with_what_they_send) {
    for (const std::string& device : software_devices()) {
        const Words words = joined(config(device), {"--timings", "--out-dir", device});
        const CommandResult result = mpirun(joined(ranks(3), words));
        ASSERT_EQ(result.exit_code, 0) << result.errors;
        for (const char* text : {"least", "greatest", "slowest", "model[*]/halo/send_receive",
                                 "host; waited ", "whole execution", "rank "})
            EXPECT_THAT(result.output, HasSubstr(text)) << device;
        EXPECT_THAT(result.output, Not(HasSubstr("model[0]")));
        // One process alone has no loop summed up.
        const CommandResult alone = run_tuff(
            joined({"run"}, joined(config(device), {"--timings", "--out-dir", device + "1"})),
            folder.path());
        EXPECT_THAT(alone.output, HasSubstr("model[0]/inner"));
        EXPECT_THAT(alone.output, Not(HasSubstr("slowest")));
    }
}

TEST_F(TimedField, tells_programs_the_times_of_each_rank) {
    const std::string device = software_devices().front();
    const CommandResult result = mpirun(
        joined(ranks(3), joined(config(device), {"--timings", "--json", "--out-dir", "out"})));
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    const Json::Value timings = json_of(result.output)["result"]["rank_timings"];
    ASSERT_EQ(timings.size(), 3u);
    std::uint64_t sent = 0, received = 0;
    for (const Json::Value& rank : timings) {
        EXPECT_GT(rank["milliseconds"].asDouble(), 0.0);
        std::set<std::string> names;
        for (const Json::Value& node : rank["nodes"]) {
            const std::string name = node["name"].asString();
            EXPECT_TRUE(node["once"].asBool() || names.insert(name).second) << name;
            if (name != "model[*]/halo/send_receive") continue;
            EXPECT_EQ(node["times"].asInt(), kSteps);
            EXPECT_TRUE(node["host"].asBool());
            EXPECT_GE(node["waited"].asDouble(), 0.0);
            EXPECT_GT(node["milliseconds"].asDouble(), 0.0);
            sent += node["bytes_read"].asUInt64();
            received += node["bytes_written"].asUInt64();
        }
        EXPECT_TRUE(names.contains("model[*]/halo/send_receive"));
    }
    // Columns of the least surface, 1 x 3 or 3 x 1, each with two sides and four corners of 16
    // bytes a cell. What orders the messages has no bytes.
    EXPECT_EQ(sent, received);
    EXPECT_EQ(sent % (std::uint64_t{kSteps} * 16u), 0u);
    EXPECT_GT(sent, 0u);
}

/// The events of a trace, and what it says of its clocks.
class TracedField : public TimedField {
  protected:
    Json::Value trace(int count, const std::string& device) {
        const CommandResult result = mpirun(joined(
            {"-n", std::to_string(count), TUFF_TEST_BINARY, "trace"},
            joined(config(device), {"--frames", "4", "--out", "t.json", "--constant", "each"})));
        EXPECT_EQ(result.exit_code, 0) << result.errors;
        EXPECT_THAT(result.output, HasSubstr(fmt::format("{} ranks", count)));
        return json_of(folder.read("t.json"));
    }
    static double begin_of(const Json::Value& slice) { return slice["ts"].asDouble(); }
    static double end_of(const Json::Value& slice) {
        return begin_of(slice) + slice["dur"].asDouble();
    }
    /// The slices of each row of that name, by process.
    static std::map<int, std::vector<Json::Value>> rows(const Json::Value& trace,
                                                        const std::string& name) {
        std::set<std::pair<int, int>> places;
        std::map<int, std::vector<Json::Value>> slices;
        for (const Json::Value& event : trace["traceEvents"]) {
            const std::pair place(event["pid"].asInt(), event["tid"].asInt());
            if (event["name"] == "thread_name" && event["args"]["name"] == name)
                places.insert(place);
            if (event["ph"] == "X" && places.contains(place)) slices[place.first].push_back(event);
        }
        return slices;
    }
};

TEST_F(TracedField, has_all_ranks_in_order_of_time) {
    for (const std::string& device : software_devices()) {
        const Json::Value all = trace(3, device);
        std::vector<std::string> names;
        double last = 0.0; // the first begins then
        for (const Json::Value& event : all["traceEvents"]) {
            if (event["name"] == "process_name") names.push_back(event["args"]["name"].asString());
            if (!event.isMember("ts")) continue;
            EXPECT_GE(begin_of(event), last);
            last = begin_of(event);
        }
        EXPECT_THAT(names, ElementsAre(testing::StartsWith("rank 0 on "), HasSubstr("device: "),
                                       testing::StartsWith("rank 1 on "), HasSubstr("device: "),
                                       testing::StartsWith("rank 2 on "), HasSubstr("device: ")));
        ASSERT_EQ(all["otherData"]["ranks"].size(), 3u);
        for (const Json::Value& rank : all["otherData"]["ranks"])
            EXPECT_LE(rank["clock_uncertainty_us"].asDouble(),
                      all["otherData"]["clock_uncertainty_us"].asDouble());
    }
}

TEST_F(TracedField, has_nodes_of_a_queue_one_after_the_other) {
    for (const std::string& device : software_devices()) {
        const Json::Value all = trace(3, device);
        const double error = all["otherData"]["clock_uncertainty_us"].asDouble() + 1.0;
        for (const char* queue : {"graphics queue", "host queue"}) {
            const auto slices = rows(all, queue);
            EXPECT_EQ(slices.size(), 3u) << queue;
            for (const auto& [process, of_row] : slices) {
                double free = 0.0;
                for (const Json::Value& slice : of_row) {
                    EXPECT_GE(begin_of(slice) + error, free)
                        << device << ", " << queue << " of " << process << ": " << slice["name"];
                    free = std::max(free, end_of(slice));
                }
            }
        }
    }
}

/// All ranks of one host have one clock, so that the stated error is all that may be wrong.
TEST_F(TracedField, has_no_message_that_arrives_before_it_is_sent) {
    for (const std::string& device : software_devices()) {
        const Json::Value all = trace(3, device);
        const double error = all["otherData"]["rank_clock_uncertainty_us"].asDouble();
        EXPECT_GT(error, 0.0);
        EXPECT_LT(error, 1e5) << "a clock that is known to a tenth of a second is of no use";
        // Each rank exchanges with both others, once in each step of each frame.
        std::map<std::string, std::vector<Json::Value>> exchanges;
        for (const auto& [process, slices] : rows(all, "host queue"))
            for (const Json::Value& slice : slices) {
                EXPECT_TRUE(slice["args"].isMember("bytes_read")) << slice;
                EXPECT_GE(slice["args"]["waited_us"].asDouble(), 0.0);
                const std::string name = slice["name"].asString();
                if (name.ends_with("send_receive"))
                    exchanges[slice["args"]["frame"].asString() + " " + name].push_back(slice);
            }
        EXPECT_EQ(exchanges.size(), 4u * kSteps);
        for (const auto& [name, slices] : exchanges) {
            ASSERT_EQ(slices.size(), 3u) << name;
            for (const Json::Value& received : slices)
                for (const Json::Value& sent : slices)
                    EXPECT_GE(end_of(received) + 2.0 * error, begin_of(sent)) << name;
        }
    }
}

TEST_F(TracedField, is_refused_without_a_domain_and_where_ranks_differ) {
    const CommandResult none =
        mpirun({"-n", "2", TUFF_TEST_BINARY, "trace", "graph.json", "--out", "t.json"});
    EXPECT_EQ(none.exit_code, 2);
    EXPECT_THAT(none.errors, HasSubstr("config/no-domain"));
    EXPECT_EQ(none.errors.find("error["), none.errors.rfind("error[")) << none.errors;
    const auto with_frames = [&](const std::string& frames) {
        return joined(
            {"-n", "1", TUFF_TEST_BINARY, "trace"},
            joined(config(software_devices().front()), {"--out", "t.json", "--frames", frames}));
    };
    const CommandResult differ = mpirun(joined(joined(with_frames("2"), {":"}), with_frames("3")));
    EXPECT_EQ(differ.exit_code, 2);
    EXPECT_THAT(differ.errors, HasSubstr("mpi/disagreement"));
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "t.json"));
}

} // namespace
} // namespace tuff::test
