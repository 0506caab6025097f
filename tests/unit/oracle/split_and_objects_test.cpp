#include "tests/unit/oracle/hand_plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// Split barriers, and resources that have one image or buffer in turn; sound and damaged.
namespace tuff {
namespace {

using oracle::Fault;
using test::Around;
using test::HandPlan;
using test::kFull;

constexpr ImageDesc kSplitImage{.extent = {16, 16, 1}};
constexpr Around kSplitBarrier{.memory = kFull};

Image paint(Graph& graph, std::string_view name, std::string_view target,
            const std::vector<Image>& sources = {}) {
    CustomNodeBuilder node = graph.custom(name);
    for (const Image source : sources)
        node.read(source, Access::storage_read, stage::kCompute);
    return node.write(graph.image(target, kSplitImage), Access::storage_write, stage::kCompute);
}

// --- split barriers ------------------------------------------------------------------------------

/// "first" makes a, "middle" makes b meanwhile, "last" reads both.
HandPlan spanned(std::uint32_t set_after, std::uint32_t wait_before) {
    Graph graph;
    const Image a = paint(graph, "first", "a");
    const Image b = paint(graph, "middle", "b");
    graph.output("c", paint(graph, "last", "c", {a, b}));
    HandPlan plan(std::move(graph));
    plan.submit(Queue::main);
    plan.level({"first"},
               {.memory = {},
                .before = {plan.first_use("a"), plan.first_use("b"), plan.first_use("c")},
                .after = {}});
    plan.level({"middle"});
    const auto only = [&](std::string_view image) {
        ImageBarrier barrier = plan.first_use(image);
        barrier.from = Layout::general;
        return barrier;
    };
    plan.level({"last"}, {.memory = {}, .before = {only("b")}, .after = {}});
    plan.split(set_after, wait_before, {}, {only("a")});
    plan.end();
    return plan;
}

TEST(SplitBarrierOracle, AcceptsAnEventOverOtherWork) {
    EXPECT_EQ(spanned(0, 2).text(), "");
}

TEST(SplitBarrierOracle, SeesEventsThatCannotBeWaitedFor) {
    EXPECT_EQ(spanned(2, 2).fault(), Fault::bad_split);
    EXPECT_EQ(spanned(0, 4).fault(), Fault::bad_split);
    EXPECT_EQ(spanned(0, 3).fault(), Fault::unordered) << "waited for by the epilogue";
    HandPlan two_submissions = spanned(0, 2);
    two_submissions.submit(Queue::main);
    two_submissions.plan.levels[1].submission = 1;
    two_submissions.plan.levels[2].submission = 1;
    two_submissions.plan.epilogue.submission = 1;
    EXPECT_EQ(two_submissions.fault(), Fault::bad_split);
}

TEST(SplitBarrierOracle, MissesAnEventThatIsWaitedForTooLate) {
    Graph graph;
    const Image a = paint(graph, "first", "a");
    const Image b = paint(graph, "middle", "b", {a});
    graph.output("c", paint(graph, "last", "c", {b}));
    const auto plan_of = [&](std::uint32_t wait_before) {
        HandPlan plan{Graph(graph)};
        plan.submit(Queue::main);
        plan.level({"first"},
                   {.memory = {},
                    .before = {plan.first_use("a"), plan.first_use("b"), plan.first_use("c")},
                    .after = {}});
        plan.level({});
        plan.level({"middle"});
        plan.level({"last"}, kSplitBarrier);
        plan.split(0, wait_before, kFull);
        plan.end();
        return plan;
    };
    EXPECT_EQ(plan_of(2).text(), "");
    EXPECT_EQ(plan_of(3).fault(), Fault::unordered);
}

/// What comes between the halves is not covered.
TEST(SplitBarrierOracle, MissesWorkAfterTheEventIsSet) {
    Graph graph;
    const Image a = paint(graph, "first", "a");
    const Image b = paint(graph, "middle", "b");
    graph.output("c", paint(graph, "last", "c", {a, b}));
    const auto plan_of = [&](std::uint32_t set_after) {
        HandPlan plan{Graph(graph)};
        plan.submit(Queue::main);
        plan.level({"first"},
                   {.memory = {},
                    .before = {plan.first_use("a"), plan.first_use("b"), plan.first_use("c")},
                    .after = {}});
        plan.level({"middle"});
        plan.level({});
        plan.level({"last"});
        plan.split(set_after, 3, kFull);
        plan.end();
        return plan;
    };
    EXPECT_EQ(plan_of(1).text(), "");
    EXPECT_EQ(plan_of(0).fault(), Fault::unordered);
    EXPECT_THAT(plan_of(0).text(), testing::HasSubstr("the write of 'middle'"));
}

/// The layout may change as soon as the event is set.
TEST(SplitBarrierOracle, SeesAUseBesideALayoutChange) {
    Graph graph;
    const Image a = paint(graph, "first", "a");
    CustomNodeBuilder peek = graph.custom("peek");
    peek.read(a, Access::storage_read, stage::kCompute);
    peek.keep();
    CustomNodeBuilder last = graph.custom("last");
    last.read(a, Access::sampled, stage::kCompute);
    graph.output("c", last.write(graph.image("c", kSplitImage), Access::storage_write));
    const auto plan_of = [&](std::uint32_t set_after) {
        HandPlan plan{Graph(graph)};
        plan.plan.access_layouts[2] = Layout::shader_read_only;
        plan.submit(Queue::main);
        plan.level(
            {"first"},
            {.memory = {}, .before = {plan.first_use("a"), plan.first_use("c")}, .after = {}});
        plan.level({"peek"}, kSplitBarrier);
        plan.level({});
        plan.level({"last"});
        ImageBarrier change = plan.first_use("a");
        change.from = Layout::general;
        change.to = Layout::shader_read_only;
        plan.split(set_after, 3, {}, {change});
        plan.end();
        return plan;
    };
    EXPECT_EQ(plan_of(1).text(), "");
    EXPECT_EQ(plan_of(0).fault(), Fault::unordered) << plan_of(0).text();
    EXPECT_THAT(plan_of(0).text(), testing::HasSubstr("does not wait for the read of 'peek'"));
}

// --- objects -------------------------------------------------------------------------------------

/// a -> b -> c, where c is the image that a was. Only a starts from `undefined`.
HandPlan ping_pong() {
    Graph graph;
    const Image a = paint(graph, "first", "a");
    const Image b = paint(graph, "second", "b", {a});
    graph.output("c", paint(graph, "third", "c", {b}));
    HandPlan plan(std::move(graph));
    plan.unite("c", "a");
    plan.submit(Queue::main);
    plan.level({"first"}, {.memory = kFull, .before = {plan.first_use("a")}, .after = {}});
    plan.level({"second"}, {.memory = kFull, .before = {plan.first_use("b")}, .after = {}});
    plan.level({"third"}, kSplitBarrier);
    plan.end();
    return plan;
}

TEST(ObjectOracle, LetsALayoutPassFromOneTenantToTheNext) {
    EXPECT_EQ(ping_pong().text(), "");
}

TEST(ObjectOracle, AsksForALayoutOfImagesThatOnlyShareMemory) {
    HandPlan plan = ping_pong();
    plan.plan.allocations[plan.id("c").index].object = plan.id("c");
    EXPECT_EQ(plan.fault(), Fault::wrong_layout) << plan.text();
}

TEST(ObjectOracle, SeesThatATenantExpectsAnotherLayout) {
    HandPlan plan = ping_pong();
    const auto third = plan.graph.nodes[2].first_access + 1;
    plan.plan.access_layouts[third] = Layout::shader_read_only;
    EXPECT_EQ(plan.fault(), Fault::wrong_layout) << plan.text();
}

TEST(ObjectOracle, SeesThatTenantsDiffer) {
    const auto with = [](auto change) {
        HandPlan plan = ping_pong();
        change(plan);
        return plan.fault();
    };
    EXPECT_EQ(with([](HandPlan& p) { p.plan.usages[p.id("c").index] = usage::kStorage; }),
              Fault::placement);
    EXPECT_EQ(with([](HandPlan& p) { p.share("c"); }), Fault::placement);
    EXPECT_EQ(with([](HandPlan& p) { p.place("c", "b"); }), Fault::placement);
    EXPECT_EQ(with([](HandPlan& p) {
                  for (GraphDesc* graph : {&p.graph, &p.plan.graph})
                      graph->resources[p.id("c").index].desc =
                          ImageDesc{.format = Format::r32_uint, .extent = {16, 16, 1}};
              }),
              Fault::placement);
    EXPECT_EQ(with([](HandPlan& p) { p.plan.allocations[p.id("c").index].object = {77}; }),
              Fault::malformed);
}

/// 'late' still reads a when c has its image.
TEST(ObjectOracle, SeesThatTheLivesOfTenantsMeet) {
    Graph graph;
    const Image a = paint(graph, "first", "a");
    const Image b = paint(graph, "second", "b", {a});
    const Image c = paint(graph, "third", "c", {b});
    graph.output("d", paint(graph, "late", "d", {a, c}));
    const auto plan_of = [&](bool united) {
        HandPlan plan{Graph(graph)};
        if (united) plan.unite("c", "a");
        plan.submit(Queue::main);
        std::vector<ImageBarrier> first_uses;
        for (const char* image : {"a", "b", "c", "d"})
            if (!united || image != std::string_view("c"))
                first_uses.push_back(plan.first_use(image));
        plan.level({"first"}, {.memory = kFull, .before = first_uses, .after = {}});
        plan.level({"second"}, kSplitBarrier);
        plan.level({"third"}, kSplitBarrier);
        plan.level({"late"}, kSplitBarrier);
        plan.end();
        return plan;
    };
    EXPECT_EQ(plan_of(false).text(), "");
    EXPECT_EQ(plan_of(true).fault(), Fault::undefined_contents) << plan_of(true).text();
}

TEST(ObjectOracle, KeepsTenantsInOrderLikeAnyWrites) {
    HandPlan plan = ping_pong();
    plan.plan.levels[2].memory = {stage::kCopy, memory::kTransferWrite, stage::kCompute,
                                  memory::kStorageRead};
    EXPECT_EQ(plan.fault(), Fault::unordered) << plan.text();
}

} // namespace
} // namespace tuff
