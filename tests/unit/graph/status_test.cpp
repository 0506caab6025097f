// Statuses: which of them a plan makes outputs of, and that they change nothing else.

#include "sketch.hpp"
#include "tests/oracle/oracle.hpp"

namespace tuff {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::IsEmpty;

/// Finds its words wanting.
template <int kNumber>
struct Complaint {
    static Complaint read(std::span<const std::uint32_t>) { return {}; }
    Diagnostics warnings() const {
        return {{.code = "test/complaint", .message = std::to_string(kNumber)}};
    }
};

/// The statuses that are read after an execution, with what their readers say.
std::vector<std::string> statuses(const Plan& plan) {
    std::vector<std::string> all;
    for (const OutputDesc& output : plan.graph.outputs)
        if (output.reader)
            all.push_back(std::string(plan.graph.name(output.name)) + " " +
                          output.reader({})[0].message);
    return all;
}

/// Compiles and has the plan judged.
Plan sound_plan(Sketch& sketch) {
    const GraphDesc declared = sketch.graph.peek();
    Plan plan = sketch.plan();
    const auto findings = oracle::check(declared, plan);
    EXPECT_TRUE(findings.empty()) << (findings.empty() ? "" : findings.front().text);
    return plan;
}

TEST(Status, OfANodeThatRunsAnywayIsRead) {
    Sketch s;
    s.graph.push_scope("solve");
    auto node = s.graph.custom("solve");
    const Buffer result = node.write(s.buffer("result"), Access::storage_write);
    s.graph.status<Complaint<1>>(node.write(s.buffer("status"), Access::storage_write));
    s.graph.pop_scope();
    s.graph.output("result", result);
    EXPECT_THAT(statuses(sound_plan(s)), ElementsAre("solve 1"));
}

TEST(Status, KeepsNothingFromBeingCulled) {
    Sketch s;
    s.graph.status<Complaint<1>>(s.write("unused", s.buffer("status")));
    s.graph.output("result", s.write("used", s.buffer("result")));
    const Plan plan = sound_plan(s);
    EXPECT_THAT(statuses(plan), IsEmpty());
    EXPECT_EQ(plan.statistics.nodes, 1u);
}

TEST(Status, IsAsItWasBeforeTheNodesThatOnlyAddToIt) {
    Sketch s;
    auto node = s.graph.custom("work");
    const Buffer result = node.write(s.buffer("result"), Access::storage_write);
    const Buffer begun = node.write(s.buffer("status"), Access::storage_write);
    s.graph.status<Complaint<1>>(s.write("count", begun, Access::storage_read_write));
    s.graph.output("result", result);
    const Plan plan = sound_plan(s);
    EXPECT_THAT(statuses(plan), ElementsAre(" 1"));
    EXPECT_EQ(plan.statistics.nodes, 1u);
    EXPECT_EQ(plan.graph.name_of(plan.graph.versions[plan.graph.outputs[1].version.index].writer),
              "work");
}

TEST(Status, IsNotReadWhereItIsOverwrittenLater) {
    Sketch s;
    const Buffer first = s.write("first", s.buffer("status"));
    s.graph.status<Complaint<1>>(first);
    s.graph.output("result", s.write("second", first, Access::storage_read_write));
    EXPECT_THAT(statuses(sound_plan(s)), IsEmpty());
}

// The first of those that accumulate is culled, and the second overwrites what was before all the
// same:
//
//     begin -> status -+-> only_counts -> status'      nobody reads it
//                      +-> counts ------> status', other -> output
TEST(Status, IsNotReadWhereOneOfThoseThatAccumulateRuns) {
    for (const bool live_one_is_first : {false, true}) {
        Sketch s;
        auto begin = s.graph.custom("begin");
        const Buffer result = begin.write(s.buffer("result"), Access::storage_write);
        const Buffer begun = begin.write(s.buffer("status"), Access::storage_write);
        Buffer other;
        const auto count = [&](bool is_live) {
            auto node = s.graph.custom(is_live ? "counts" : "only_counts");
            const Buffer counted = node.write(begun, Access::accumulate, stage::kCompute);
            if (is_live) other = node.write(s.buffer("other"), Access::storage_write);
            return counted;
        };
        count(live_one_is_first);
        s.graph.status<Complaint<1>>(count(!live_one_is_first));
        s.graph.output("result", result);
        s.graph.output("other", other);
        const Plan plan = sound_plan(s);
        EXPECT_THAT(statuses(plan), IsEmpty());
        EXPECT_EQ(plan.statistics.nodes, 2u);
    }
}

TEST(Status, IsToldByTheOutermostPassThatNamesIt) {
    Sketch s;
    const Buffer words = s.write("write", s.buffer("status"));
    s.graph.push_scope("outer");
    s.graph.push_scope("inner");
    s.graph.status<Complaint<1>>(words);
    s.graph.pop_scope();
    s.graph.status<Complaint<2>>(words);
    s.graph.pop_scope();
    s.read("use", words);
    EXPECT_THAT(statuses(sound_plan(s)), ElementsAre("outer 2"));
}

TEST(Status, OfAHistoryOrOfNothingIsNone) {
    Sketch s;
    s.graph.status<Complaint<1>>(
        s.write("write", s.graph.history_buffer("state", {.size = 64}).current));
    s.graph.status<Complaint<2>>(Buffer{});
    EXPECT_THAT(statuses(sound_plan(s)), IsEmpty());
}

/// Pools: `Graph::pool`.
TEST(Status, TellsOfPoolsWhereItHasSome) {
    struct Full {
        static Full read(std::span<const std::uint32_t>) { return {}; }
        Diagnostics warnings() const { return {}; }
        std::vector<PoolNeed> pool_needs() const { return {{"nodes", 70}}; }
    };
    Sketch s;
    auto node = s.graph.custom("work");
    s.graph.output("result", node.write(s.buffer("result"), Access::storage_write));
    s.graph.status<Full>(node.write(s.buffer("full"), Access::storage_write));
    s.graph.status<Complaint<1>>(node.write(s.buffer("complaint"), Access::storage_write));
    const Plan plan = sound_plan(s);
    ASSERT_EQ(plan.graph.outputs.size(), 3u);
    ASSERT_TRUE(plan.graph.outputs[1].pools);
    EXPECT_EQ(plan.graph.outputs[1].pools({})[0].elements, 70u);
    EXPECT_FALSE(plan.graph.outputs[2].pools);
}

TEST(Pools, HaveWhatIsAskedForOrWasNeededAsFarAsADeviceHoldsIt) {
    Sketch s;
    DeviceCaps caps;
    caps.max_storage_buffer_bytes = 4000;
    caps.device_memory_bytes = 12000;
    s.graph.set_target(caps);
    s.graph.set_pools({{"glass/nodes", 500}, {"tiles/nodes", 5000}});
    s.graph.push_scope("glass");
    EXPECT_EQ(s.graph.pool("nodes", 100, 4), 500u);
    EXPECT_EQ(s.graph.pool("nodes", 600, 4), 600u);
    EXPECT_EQ(s.graph.pool("others", 100, 4), 100u);
    s.graph.pop_scope();
    s.graph.push_scope("tiles");
    EXPECT_EQ(s.graph.pool("nodes", 100, 4), 750u); // a quarter of the memory
    EXPECT_EQ(s.graph.pool("nodes", 900, 4), 900u); // whoever asks for more gets it
    caps.device_memory_bytes = 1 << 20;
    s.graph.set_target(caps);
    EXPECT_EQ(s.graph.pool("nodes", 100, 4), 1000u); // a buffer
    s.graph.pop_scope();
    EXPECT_EQ(s.graph.pool("nodes", 100, 4), 100u);
}

TEST(Status, DoesNotMakeAPlanOutOfDate) {
    const auto build = [](std::uint64_t size) {
        Sketch s;
        auto node = s.graph.custom("work");
        s.graph.output("result", node.write(s.buffer("result"), Access::storage_write));
        s.graph.status<Complaint<1>>(node.write(s.buffer("status", size), Access::storage_write));
        return std::move(s.graph).finish();
    };
    const auto plan = compile(build(64), DeviceCaps{});
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->graph.outputs.size(), 2u);
    EXPECT_TRUE(same_structure(plan->graph, build(64)));
    EXPECT_FALSE(same_structure(plan->graph, build(128)));
}

} // namespace
} // namespace tuff
