// Work of the host between work of the device.

#include "sketch.hpp"
#include "tests/oracle/oracle.hpp"

#include <tuff/explain.hpp>

#include <gmock/gmock.h>

namespace tuff {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr BufferDesc kBytes{.size = 256};

Result<void> nothing(const HostBuffers&) {
    return {};
}

Buffer step_on_host(Graph& graph, std::string_view name, Buffer source) {
    HostNodeBuilder node = graph.host(name, nothing);
    node.read(source);
    return node.write(graph.buffer(std::string(name) + "_result", kBytes));
}

Buffer step(Graph& graph, std::string_view name, const std::vector<Buffer>& sources) {
    CustomNodeBuilder node = graph.custom(name);
    for (const Buffer source : sources)
        node.read(source, Access::storage_read, stage::kCompute);
    return node.write(graph.buffer(std::string(name) + "_result", kBytes), Access::storage_write,
                      stage::kCompute);
}

/// pack -> exchange (on the host) -> border; interior depends on the first alone.
//
//   field ─┬─ pack ── exchange ── border ── join ── result
//          └─ interior ────────────────────┘
Graph halo() {
    Graph g;
    const Buffer field = step(g, "field", {});
    // Declared first, so that only the plan can put it behind what the host waits for.
    const Buffer interior = step(g, "interior", {field});
    const Buffer packed = step(g, "pack", {field});
    const Buffer received = step_on_host(g, "exchange", packed);
    const Buffer border = step(g, "border", {field, received});
    g.output("result", step(g, "join", {interior, border}));
    return g;
}

Plan plan_of(Graph graph, const CompileOptions& options = {}, const DeviceCaps& caps = {}) {
    const GraphDesc declared = std::move(graph).finish();
    auto plan = compile(declared, caps, options);
    if (!plan) {
        ADD_FAILURE() << to_string(plan.error());
        return {};
    }
    for (const oracle::Violation& violation : oracle::check(declared, *plan))
        ADD_FAILURE() << violation.text;
    return *std::move(plan);
}

std::uint32_t submission_of(const Plan& plan, std::string_view node) {
    return batch_before(plan, node).submission;
}

/// Whether `submission` waits for one of the host, itself or through others of its queue.
bool waits_for_host(const Plan& plan, std::uint32_t submission) {
    const Submission& s = plan.submissions[submission];
    for (std::uint32_t w = 0; w < s.wait_count; ++w)
        if (plan.submissions[plan.waits[s.first_wait + w]].queue == Queue::host) return true;
    return false;
}

TEST(HostNodes, RunOnTheHostBetweenSubmissionsOfTheDevice) {
    const Plan plan = plan_of(halo());
    EXPECT_EQ(batch_before(plan, "exchange").queue, Queue::host);
    EXPECT_FALSE(batch_before(plan, "exchange").has_barriers());
    const std::uint32_t exchange = submission_of(plan, "exchange");
    const Submission& host = plan.submissions[exchange];
    ASSERT_EQ(host.wait_count, 1u);
    EXPECT_EQ(plan.waits[host.first_wait], submission_of(plan, "pack"));
    EXPECT_TRUE(waits_for_host(plan, submission_of(plan, "border")));
}

TEST(HostNodes, LetWorkGoOnThatDoesNotDependOnThem) {
    const Plan plan = plan_of(halo());
    const std::uint32_t interior = submission_of(plan, "interior");
    // The host does not wait for the interior, nor the interior for the host.
    EXPECT_NE(interior, submission_of(plan, "pack"));
    EXPECT_FALSE(waits_for_host(plan, interior));
    // It is handed over before what waits for the host: a queue runs its work in order.
    EXPECT_LT(interior, submission_of(plan, "border"));
    EXPECT_GT(interior, submission_of(plan, "pack"));
}

TEST(HostNodes, LetWorkGoOnInEveryStepOfALoop) {
    Graph g;
    Buffer field = step(g, "field", {});
    std::vector<Buffer> interiors;
    (void)g.repeat("steps", 3, field, [&](Buffer state, std::uint32_t) {
        const Buffer interior = step(g, "interior", {state});
        const Buffer received = step_on_host(g, "exchange", step(g, "pack", {state}));
        field = step(g, "border", {state, received, interior});
        return field;
    });
    g.output("result", field);
    const Plan plan = plan_of(std::move(g));
    for (const std::string i : {"0", "1", "2"}) {
        const std::string scope = "steps[" + i + "]/";
        const std::uint32_t interior = submission_of(plan, scope + "interior");
        EXPECT_FALSE(waits_for_host(plan, interior)) << i;
        EXPECT_GT(interior, submission_of(plan, scope + "pack")) << i;
        EXPECT_LT(interior, submission_of(plan, scope + "border")) << i;
    }
}

/// Three slabs, each of which is made, travels and is used. While the first travels, the others are
/// made, and the second travels as soon as it is.
TEST(HostNodes, WaitForNothingThatALaterOneNeeds) {
    Graph g;
    std::vector<Buffer> made;
    for (const std::string slab : {"0", "1", "2"})
        made.push_back(step(g, "make" + slab, {}));
    std::vector<Buffer> used;
    for (std::size_t slab = 0; slab < made.size(); ++slab) {
        HostNodeBuilder node = g.host("send" + std::to_string(slab), nothing);
        node.read(made[slab]);
        const Buffer received = node.write(g.buffer("received" + std::to_string(slab), kBytes));
        g.order_messages(node);
        used.push_back(step(g, "use" + std::to_string(slab), {received}));
    }
    g.output("result", step(g, "join", used));
    const Plan plan = plan_of(std::move(g));
    std::vector<std::uint32_t> before;
    for (const std::string slab : {"0", "1", "2"}) {
        const std::uint32_t making = submission_of(plan, "make" + slab);
        const Submission& sending = plan.submissions[submission_of(plan, "send" + slab)];
        EXPECT_FALSE(waits_for_host(plan, making)) << slab;
        EXPECT_THAT(before, testing::Not(testing::Contains(making))) << slab;
        before.push_back(making);
        const auto first = plan.waits.begin() + sending.first_wait;
        EXPECT_THAT(std::vector(first, first + sending.wait_count), testing::Contains(making))
            << slab;
        EXPECT_LT(making, submission_of(plan, "use0")) << slab;
    }
}

TEST(HostNodes, BarriersAtTheEndsOfSubmissionsShowWritesToTheOtherSide) {
    const Plan plan = plan_of(halo());
    const MemoryBarrier to_host{stage::kAllCommands, memory::kMemoryWrite, stage::kHost,
                                memory::kHostRead | memory::kHostWrite};
    const MemoryBarrier from_host{stage::kHost, memory::kHostWrite, stage::kAllCommands,
                                  memory::kMemoryRead | memory::kMemoryWrite};
    EXPECT_EQ(plan.submissions[submission_of(plan, "pack")].to_host, to_host);
    EXPECT_EQ(plan.submissions[submission_of(plan, "pack")].from_host, MemoryBarrier{});
    EXPECT_EQ(plan.submissions[submission_of(plan, "border")].from_host, from_host);
    EXPECT_EQ(plan.submissions[submission_of(plan, "interior")].from_host, MemoryBarrier{});
    EXPECT_EQ(plan.submissions[submission_of(plan, "interior")].to_host, MemoryBarrier{});
}

TEST(HostNodes, BuffersOfTheHostShareNoBlockWithOthers) {
    const Plan plan = plan_of(halo());
    const auto block = [&](std::string_view name) {
        return plan.allocations[resource_named(plan.graph, name).index].block;
    };
    EXPECT_EQ(block("pack_result"), block("exchange_result"));
    EXPECT_TRUE(plan.blocks[block("pack_result")].host_visible);
    EXPECT_EQ(block("field_result"), block("interior_result"));
    EXPECT_NE(block("pack_result"), block("field_result"));
    EXPECT_FALSE(plan.blocks[block("field_result")].host_visible);
}

TEST(HostNodes, ShareMemoryAmongThemselves) {
    Graph g;
    Buffer field = step(g, "field", {});
    for (int i = 0; i < 4; ++i)
        field = step(g, "unpack" + std::to_string(i),
                     {step_on_host(g, "host" + std::to_string(i), field)});
    g.output("result", field);
    const Plan plan = plan_of(std::move(g));
    for (const MemoryBlock& block : plan.blocks)
        EXPECT_LE(block.size, 3 * kBytes.size);
}

TEST(HostNodes, NeedNoQueueOfTheDeviceAndRunInEveryMode) {
    DeviceCaps several;
    several.async_compute = several.transfer_queue = true;
    for (const DeviceCaps& caps : {DeviceCaps{}, several})
        for (const QueueMode mode : {QueueMode::one, QueueMode::hinted, QueueMode::automatic}) {
            const Plan plan = plan_of(halo(), {.queues = mode}, caps);
            EXPECT_EQ(batch_before(plan, "exchange").queue, Queue::host);
        }
    const Plan safe = plan_of(halo(), {.alias = AliasMode::off,
                                       .order = OrderMode::declared,
                                       .barriers = BarrierMode::full,
                                       .poison = true});
    EXPECT_EQ(batch_before(safe, "exchange").queue, Queue::host);
}

TEST(HostNodes, AreNeverConstantWork) {
    const Plan plan = plan_of(halo(), {.constant = ConstantWork::once});
    ASSERT_TRUE(plan.setup);
    EXPECT_EQ(plan.culled[node_named(plan.graph, "exchange").index], CullReason::none);
    EXPECT_EQ(plan.culled[node_named(plan.graph, "interior").index], CullReason::runs_once);
    EXPECT_EQ(plan.setup->submissions.size(), 1u);
}

TEST(HostNodes, AreCulledUnlessKept) {
    const auto statistics = [](bool keep) {
        Graph g;
        HostNodeBuilder node = g.host("send", nothing);
        node.read(step(g, "field", {}));
        if (keep) node.keep();
        g.output("other", step(g, "other", {}));
        return plan_of(std::move(g)).statistics;
    };
    EXPECT_EQ(statistics(false).nodes, 1u);
    EXPECT_EQ(statistics(true).nodes, 3u);
}

TEST(HostNodes, RefuseBuffersThatOutliveAnExecution) {
    Graph g;
    const BufferHistory history = g.history_buffer("history", kBytes);
    HostNodeBuilder node = g.host("host", nothing);
    node.read(history.previous[0]);
    (void)node.write(history.current);
    EXPECT_THAT(codes(compile(std::move(g).finish(), DeviceCaps{})),
                ElementsAre("graph/host-access", "graph/host-access"));
}

TEST(HostNodes, AloneHaveAccessesOfTheHost) {
    Graph g;
    CustomNodeBuilder node = g.custom("custom");
    g.output("result", node.write(g.buffer("buffer", kBytes), Access::host_node_write));
    EXPECT_THAT(codes(compile(std::move(g).finish(), DeviceCaps{})),
                ElementsAre("graph/host-access"));
}

class Comparable final : public HostTask {
  public:
    explicit Comparable(int value) : value_(value) {}
    Result<void> run(const HostBuffers&) override { return {}; }
    bool equals(const HostTask& other) const override {
        const auto* same = dynamic_cast<const Comparable*>(&other);
        return same && same->value_ == value_;
    }

  private:
    int value_;
};

TEST(HostNodes, HaveTheSameStructureWhereTheirWorkIsEqual) {
    const auto graph_with = [](std::shared_ptr<HostTask> work) {
        Graph g;
        HostNodeBuilder node = g.host("host", std::move(work));
        g.output("result", node.write(g.buffer("buffer", kBytes)));
        return std::move(g).finish();
    };
    const auto one = graph_with(std::make_shared<Comparable>(1));
    EXPECT_TRUE(same_structure(one, graph_with(std::make_shared<Comparable>(1))));
    EXPECT_FALSE(same_structure(one, graph_with(std::make_shared<Comparable>(2))));
    EXPECT_FALSE(same_structure(std::move(halo()).finish(), std::move(halo()).finish()))
        << "nobody can compare functions";
}

TEST(HostNodes, AreExplained) {
    const std::string text = explain(plan_of(halo()));
    EXPECT_THAT(text, HasSubstr("host queue"));
    EXPECT_THAT(text, HasSubstr("on the host, reads 256 B, writes 256 B"));
    EXPECT_THAT(text, HasSubstr("the host queue, after level"));
}

TEST(HostNodes, MoveNoBytesForTheirOrder) {
    Graph g;
    HostNodeBuilder node = g.host("send", std::make_shared<Comparable>(1));
    const Buffer result = node.write(g.buffer("buffer", kBytes));
    g.order_messages(node);
    HostNodeBuilder only = g.host("barrier", std::make_shared<Comparable>(2));
    g.order_messages(only);
    g.output("result", result);
    const std::string text = explain(plan_of(std::move(g)));
    EXPECT_THAT(text, HasSubstr("on the host, writes 256 B\n"));
    EXPECT_THAT(text, testing::ContainsRegex("barrier +on the host\n"));
}

} // namespace
} // namespace tuff
