#include "tests/unit/oracle/hand_plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// Resources that have one image or buffer in turn; sound and damaged.
namespace tuff {
namespace {

using oracle::Fault;
using test::Around;
using test::HandPlan;
using test::kFull;

constexpr ImageDesc kObjectImage{.extent = {16, 16, 1}};
constexpr Around kFullBarrier{.memory = kFull};

Image paint(Graph& graph, std::string_view name, std::string_view target,
            const std::vector<Image>& sources = {}) {
    CustomNodeBuilder node = graph.custom(name);
    for (const Image source : sources)
        node.read(source, Access::storage_read, stage::kCompute);
    return node.write(graph.image(target, kObjectImage), Access::storage_write, stage::kCompute);
}

/// a -> b -> c, where c is the image that a was. Only a starts from `undefined`.
HandPlan ping_pong() {
    Graph graph;
    const Image a = paint(graph, "first", "a");
    const Image b = paint(graph, "second", "b", {a});
    graph.output("c", paint(graph, "third", "c", {b}));
    HandPlan plan(std::move(graph));
    plan.unite("c", "a");
    plan.submit(Queue::graphics);
    plan.level({"first"}, {.memory = kFull, .before = {plan.first_use("a")}, .after = {}});
    plan.level({"second"}, {.memory = kFull, .before = {plan.first_use("b")}, .after = {}});
    plan.level({"third"}, kFullBarrier);
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
        plan.submit(Queue::graphics);
        std::vector<ImageBarrier> first_uses;
        for (const char* image : {"a", "b", "c", "d"})
            if (!united || image != std::string_view("c"))
                first_uses.push_back(plan.first_use(image));
        plan.level({"first"}, {.memory = kFull, .before = first_uses, .after = {}});
        plan.level({"second"}, kFullBarrier);
        plan.level({"third"}, kFullBarrier);
        plan.level({"late"}, kFullBarrier);
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
