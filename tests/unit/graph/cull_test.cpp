#include "sketch.hpp"

namespace tuff {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::UnorderedElementsAre;

std::vector<std::string> culled_nodes(const Plan& plan) {
    std::vector<std::string> names;
    for (std::uint32_t n = 0; n < plan.graph.nodes.size(); ++n)
        if (plan.culled[n] != CullReason::none) names.emplace_back(plan.graph.name_of(NodeId{n}));
    return names;
}

TEST(Cull, KeepsWhatAnOutputNeedsAndDropsTheRest) {
    Sketch s;
    const Buffer a = s.write("a", s.buffer("a"));
    const Buffer b = s.step("b", a, s.buffer("b"));
    (void)s.step("unused", b, s.buffer("unused"));
    s.graph.output("result", b);
    const Plan plan = s.plan();
    EXPECT_THAT(culled_nodes(plan), ElementsAre("unused"));
    EXPECT_EQ(plan.statistics.culled, 1u);
    EXPECT_EQ(plan.statistics.nodes, 2u);
    EXPECT_EQ(plan.usages[resource_named(plan.graph, "unused").index], 0u);
}

TEST(Cull, DropsAWholeUnusedChain) {
    Sketch s;
    const Buffer a = s.write("a", s.buffer("a"));
    const Buffer b = s.step("b", a, s.buffer("b"));
    (void)s.step("c", b, s.buffer("c"));
    EXPECT_THAT(culled_nodes(s.plan()), ElementsAre("a", "b", "c"));
}

TEST(Cull, SideEffectsAreKeptWithAllTheyNeed) {
    Sketch s;
    s.read("report", s.write("write", s.buffer("data")));
    EXPECT_THAT(culled_nodes(s.plan()), ElementsAre());
}

TEST(Cull, WritesOfImportsAndHistoriesOutliveTheExecution) {
    Sketch s;
    (void)s.write("import", s.graph.import_buffer("shared", {.size = 4}, {}));
    (void)s.write("history", s.graph.history_buffer("state", {.size = 4}).current);
    EXPECT_THAT(culled_nodes(s.plan()), ElementsAre());
}

TEST(Cull, AReaderOfAnImportAloneIsDropped) {
    Sketch s;
    s.graph.custom("read").read(s.graph.import_buffer("shared", {.size = 4}, {}),
                                Access::storage_read);
    EXPECT_THAT(culled_nodes(s.plan()), ElementsAre("read"));
}

TEST(Cull, AnOrderAloneKeepsNoOne) {
    Sketch s;
    const Buffer old = s.write("write", s.buffer("data"));
    s.graph.custom("read old").read(old, Access::storage_read); // ordered before `clear`
    s.graph.output("result", s.graph.fill(old, 0, "clear"));
    EXPECT_THAT(culled_nodes(s.plan()), ElementsAre("write", "read old"));
}

TEST(Cull, AWriteThatReplacesEverythingNeedsNoFormerContents) {
    for (const Access access : {Access::color_write, Access::clear_write, Access::resolve_write}) {
        Sketch s;
        const Image old = s.write("old", s.image("picture"));
        s.graph.output("result", s.write("new", old, access));
        EXPECT_THAT(culled_nodes(s.plan()), ElementsAre("old")) << name_of(access);
    }
    Sketch s;
    const ImageDesc depth{.format = Format::d32_sfloat, .extent = {8, 8}};
    const Image old = s.write("old", s.image("depth", depth), Access::depth_write);
    s.graph.output("result", s.write("new", old, Access::depth_write));
    EXPECT_THAT(culled_nodes(s.plan()), ElementsAre("old"));
}

TEST(Cull, AWriteThatMaySkipPartsKeepsTheFormerWriters) {
    for (const Access access : {Access::storage_write, Access::copy_write, Access::blit_write,
                                Access::storage_read_write, Access::color_read_write}) {
        Sketch s;
        const Image old = s.graph.clear(s.image("picture"), std::array<float, 4>{});
        s.graph.output("result", s.write("new", old, access));
        EXPECT_THAT(culled_nodes(s.plan()), ElementsAre()) << name_of(access);
    }
}

TEST(Cull, AWriterOfAnotherPartIsNotNeeded) {
    Sketch s;
    const Image top = s.write("top", mip(s.image("chain", mipped(2)), 0));
    const Image both = s.write("bottom", mip(top, 1));
    s.read("use top", mip(both, 0));
    EXPECT_THAT(culled_nodes(s.plan()), ElementsAre("bottom"));
}

TEST(Cull, AllThatAccumulateAreNeeded) {
    Sketch s;
    const Buffer zero = s.graph.fill(s.buffer("bins"), 0, "zero");
    (void)s.write("first", zero, Access::accumulate);
    s.graph.output("result", s.write("second", zero, Access::accumulate));
    EXPECT_THAT(culled_nodes(s.plan()), ElementsAre());
}

TEST(Cull, CulledNodesConstrainNothing) {
    Sketch s;
    const Buffer a = s.write("a", s.buffer("a"));
    const Buffer b = s.step("b", a, s.buffer("b"));
    (void)s.step("unused", b, s.buffer("unused"));
    s.graph.output("a", a);
    const Plan plan = s.plan();
    EXPECT_THAT(culled_nodes(plan), ElementsAre("b", "unused"));
    EXPECT_THAT(levels_of(plan), ElementsAre(ElementsAre("a")));
    EXPECT_EQ(place_of(plan, "b").block, ~0u);
}

} // namespace
} // namespace tuff
