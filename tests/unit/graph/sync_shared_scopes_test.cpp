#include "sketch.hpp"

/// Uses that no node orders among themselves share layouts and barriers.
namespace tuff {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

TEST(SyncSharedScopes, ReadersOfOneVersionAreServedByOneBarrier) {
    Sketch s;
    const Buffer data = s.write("write", s.buffer("data"));
    s.read("first", data, Access::uniform_read, stage::kVertexShader);
    s.read("second", data, Access::storage_read, stage::kFragmentShader);
    const Plan plan = s.plan();
    ASSERT_THAT(levels_of(plan), ElementsAre(ElementsAre("write"), ElementsAre("first", "second")));
    EXPECT_EQ(plan.levels[1].memory, (MemoryBarrier{stage::kCompute, memory::kStorageWrite,
                                                    stage::kVertexShader | stage::kFragmentShader,
                                                    memory::kUniformRead | memory::kStorageRead}));
}

TEST(SyncSharedScopes, AReaderInALaterLevelNeedsNoBarrierOfItsOwn) {
    Sketch s;
    const Buffer data = s.write("write", s.buffer("data"));
    const Buffer other = s.step("early", data, s.buffer("other"));
    auto late = s.graph.custom("late");
    late.read(data, Access::uniform_read, stage::kFragmentShader);
    late.read(other, Access::storage_read, stage::kCompute);
    late.keep();
    const Plan plan = s.plan();
    ASSERT_THAT(levels_of(plan),
                ElementsAre(ElementsAre("write"), ElementsAre("early"), ElementsAre("late")));
    // The barrier before `late` is about `other` alone.
    EXPECT_THAT(explanations(plan, batch_before(plan, "late")),
                ElementsAre("early writes other, late reads it"));
    EXPECT_EQ(batch_before(plan, "late").memory,
              (MemoryBarrier{stage::kCompute, memory::kStorageWrite, stage::kCompute,
                             memory::kStorageRead}));
}

TEST(SyncSharedScopes, ReadersThatWantTheSameLayoutGetIt) {
    Sketch s;
    const Image picture = s.write("write", s.image("picture"));
    s.read("first", picture, Access::sampled);
    s.read("second", picture, Access::sampled, stage::kFragmentShader);
    const Plan plan = s.plan();
    EXPECT_EQ(layout_in(plan, "first"), Layout::shader_read_only);
    EXPECT_EQ(layout_in(plan, "second"), Layout::shader_read_only);
    EXPECT_THAT(image_barriers(plan, plan.levels[1]), SizeIs(1));
}

TEST(SyncSharedScopes, NoTransitionEverSeparatesTwoReads) {
    Sketch s;
    const Image picture = s.write("write", s.image("picture"));
    const Image mask = s.step("sample", picture, s.image("mask"), Access::sampled);
    auto both = s.graph.custom("copy");
    both.read(picture, Access::copy_read);
    both.read(mask, Access::storage_read, stage::kCompute);
    both.keep();
    const Plan plan = s.plan();
    EXPECT_EQ(layout_in(plan, "sample"), Layout::general);
    EXPECT_EQ(layout_in(plan, "copy"), Layout::general);
    // Two first uses out of undefined; written and read in general, neither changes again.
    EXPECT_EQ(plan.statistics.image_barriers, 2u);
}

TEST(SyncSharedScopes, CulledReadersHaveNoSay) {
    Sketch s;
    const Image picture = s.write("write", s.image("picture"));
    s.graph.custom("unused").read(picture, Access::copy_read);
    s.read("sample", picture, Access::sampled);
    const Plan plan = s.plan();
    ASSERT_TRUE(is_culled(plan, "unused"));
    EXPECT_EQ(layout_in(plan, "sample"), Layout::shader_read_only);
    EXPECT_EQ(
        plan.access_layouts[plan.graph.nodes[node_named(plan.graph, "unused").index].first_access],
        Layout::undefined);
}

//   clear -> v1 --- sample mip 0
//             \-- write mip 1 -> v2 --- copy mip 0        `sample` and `copy` see the same texels
TEST(SyncSharedScopes, ReadersOfTexelsThatAPartialWriteLeavesAloneShareALayout) {
    Sketch s;
    const Image v1 = s.graph.clear(s.image("chain", mipped(2)), std::array<float, 4>{});
    s.read("sample", mip(v1, 0), Access::sampled);
    const Image v2 = s.write("write mip 1", mip(v1, 1));
    s.read("copy", mip(v2, 0), Access::copy_read);
    const Plan plan = s.plan();
    ASSERT_EQ(level_index(plan, "sample"), level_index(plan, "copy"));
    EXPECT_EQ(layout_in(plan, "sample"), layout_in(plan, "copy"));
    EXPECT_EQ(layout_in(plan, "sample"), Layout::general);
    int changes_of_mip_0 = 0;
    for (const ImageBarrier& barrier : image_barriers(plan, batch_before(plan, "sample")))
        changes_of_mip_0 += barrier.range.mip == 0 ? 1 : 0;
    EXPECT_EQ(changes_of_mip_0, 1);
}

TEST(SyncSharedScopes, AnOutputHasItsSayAmongAllThatShareALayout) {
    Sketch s;
    const Image v1 = s.graph.clear(s.image("chain", mipped(2)), std::array<float, 4>{});
    s.read("early", mip(v1, 0), Access::sampled);
    const Image v2 = s.write("write mip 1", mip(v1, 1));
    s.read("late", mip(v2, 0), Access::sampled);
    s.graph.output("chain", v2);
    const Plan plan = s.plan();
    ASSERT_EQ(level_index(plan, "early"), level_index(plan, "late"));
    EXPECT_EQ(layout_in(plan, "early"), layout_in(plan, "late"));
}

TEST(SyncSharedScopes, ReadersBeforeAndAfterAWriteOfTheTexelsKeepTheirOwnLayouts) {
    Sketch s;
    const Image v1 = s.graph.clear(s.image("chain", mipped(2)), std::array<float, 4>{});
    s.read("sample", mip(v1, 1), Access::sampled);
    const Image v2 = s.write("write mip 1", mip(v1, 1));
    s.read("copy", mip(v2, 1), Access::copy_read);
    const Plan plan = s.plan();
    EXPECT_EQ(layout_in(plan, "sample"), Layout::shader_read_only);
    EXPECT_EQ(layout_in(plan, "copy"), Layout::transfer_source);
}

TEST(SyncSharedScopes, NodesThatAccumulateIntoOneVersionRunSideBySideBehindOneBarrier) {
    Sketch s;
    const Buffer zero = s.graph.fill(s.buffer("bins"), 0);
    const Buffer once = s.write("count pixels", zero, Access::accumulate, stage::kCompute);
    const Buffer same = s.write("count edges", zero, Access::accumulate, stage::kFragmentShader);
    EXPECT_EQ(once, same);
    s.read("report", once);
    const Plan plan = s.plan();
    ASSERT_THAT(levels_of(plan),
                ElementsAre(ElementsAre("fill"), ElementsAre("count pixels", "count edges"),
                            ElementsAre("report")));
    // Before both: the fill, made visible to both stages.
    EXPECT_EQ(plan.levels[1].memory,
              (MemoryBarrier{stage::kClear | stage::kCopy, memory::kTransferWrite,
                             stage::kCompute | stage::kFragmentShader,
                             memory::kStorageRead | memory::kStorageWrite}));
    // After both.
    EXPECT_EQ(plan.levels[2].memory,
              (MemoryBarrier{stage::kCompute | stage::kFragmentShader, memory::kStorageWrite,
                             stage::kCompute, memory::kStorageRead}));
}

TEST(SyncSharedScopes, AccumulationOverSeveralLevelsNeedsNoBarrierInside) {
    Sketch s;
    const Buffer zero = s.graph.fill(s.buffer("bins"), 0);
    const Buffer key = s.write("make key", s.buffer("key"));
    const Buffer keys = s.step("sort keys", key, s.buffer("keys"));
    (void)s.write("first", zero, Access::accumulate);
    auto second = s.graph.custom("second");
    second.read(keys, Access::storage_read, stage::kCompute);
    const Buffer bins = second.write(zero, Access::accumulate, stage::kCompute);
    s.read("report", bins);
    const Plan plan = s.plan();
    ASSERT_LT(level_index(plan, "first"), level_index(plan, "second"));
    EXPECT_THAT(explanations(plan, batch_before(plan, "second")),
                ElementsAre("sort keys writes keys, second reads it"));
}

TEST(SyncSharedScopes, AccumulationThatFollowsAnotherWaitsForIt) {
    Sketch s;
    const Buffer zero = s.graph.fill(s.buffer("bins"), 0);
    const Buffer once = s.write("first", zero, Access::accumulate);
    const Buffer twice = s.write("second", once, Access::accumulate);
    s.read("report", twice);
    const Plan plan = s.plan();
    EXPECT_THAT(levels_of(plan), SizeIs(4));
    EXPECT_EQ(batch_before(plan, "second").memory,
              (MemoryBarrier{stage::kCompute, memory::kStorageWrite, stage::kCompute,
                             memory::kStorageRead | memory::kStorageWrite}));
}

} // namespace
} // namespace tuff
