#include "sketch.hpp"

#include <fmt/format.h>

/// Which barriers separate the nodes of one execution: each graph with the barriers it must have,
/// and how many.
namespace tuff {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr MemoryMask kStorageBoth = memory::kStorageRead | memory::kStorageWrite;

TEST(Sync, ReadAfterWriteWaitsForTheWriteAndSeesIt) {
    Sketch s;
    const Buffer data = s.write("write", s.buffer("data"));
    s.read("read", data, Access::uniform_read, stage::kFragmentShader);
    const Plan plan = s.plan();
    EXPECT_EQ(batch_before(plan, "read").memory,
              (MemoryBarrier{stage::kCompute, memory::kStorageWrite, stage::kFragmentShader,
                             memory::kUniformRead}));
    EXPECT_THAT(explanations(plan, batch_before(plan, "read")),
                ElementsAre("write writes data, read reads as uniforms it"));
    // Before the write: the execution before, which used the same memory. Nothing at the end.
    EXPECT_EQ(plan.statistics.batches, 2u);
    EXPECT_EQ(plan.statistics.image_barriers, 0u);
}

TEST(Sync, ReadAfterWriteWithoutAChangeOfLayoutStillHasABarrier) {
    Sketch s;
    const Image picture = s.write("write", s.image("picture"));
    s.read("read", picture, Access::storage_read);
    const Plan plan = s.plan();
    ASSERT_EQ(layout_in(plan, "write"), Layout::general);
    ASSERT_EQ(layout_in(plan, "read"), Layout::general);
    EXPECT_THAT(transitions(plan, batch_before(plan, "read")), IsEmpty());
    EXPECT_EQ(batch_before(plan, "read").memory,
              (MemoryBarrier{stage::kCompute, memory::kStorageWrite, stage::kCompute,
                             memory::kStorageRead}));
}

TEST(Sync, AChangeOfLayoutIsAnImageBarrierAndNoGlobalOne) {
    Sketch s;
    const Image picture =
        s.write("draw", s.image("picture"), Access::color_write, stage::kFragmentShader);
    s.read("sample", picture, Access::sampled);
    const Plan plan = s.plan();
    EXPECT_THAT(transitions(plan, batch_before(plan, "sample")),
                ElementsAre(Transition{Layout::color_attachment, Layout::shader_read_only,
                                       stage::kColorOutput, memory::kColorWrite, stage::kCompute,
                                       memory::kSampledRead}));
    EXPECT_EQ(batch_before(plan, "sample").memory, MemoryBarrier{});
    EXPECT_EQ(plan.statistics.memory_barriers, 0u);
}

/// Ten pictures one after the other, which take turns in two images.
GraphDesc chain_of_pictures() {
    Sketch s;
    Image last = s.write("first", s.image("picture"));
    for (int i = 0; i < 9; ++i) {
        auto node = s.graph.custom(fmt::format("step{}", i));
        node.read(last, Access::sampled, stage::kCompute);
        last = node.write(s.image("picture"), Access::storage_write, stage::kCompute);
    }
    s.graph.output("last", last);
    return std::move(s.graph).finish();
}

TEST(Sync, InTheGeneralLayoutOnlyTheFirstUseOfAnImageIsABarrierOfItsOwn) {
    DeviceCaps unified;
    unified.unified_layouts = true;
    const auto image_barriers = [](const DeviceCaps& caps, LayoutMode layouts) {
        return compile(chain_of_pictures(), caps, {.layouts = layouts})->statistics.image_barriers;
    };
    EXPECT_EQ(image_barriers({}, LayoutMode::by_device), 20u);
    // Of the two that take turns, and of the last one, which nobody samples but the host wants to.
    EXPECT_EQ(image_barriers({}, LayoutMode::general), 4u);
    EXPECT_EQ(image_barriers(unified, LayoutMode::by_device), 4u);
    EXPECT_EQ(image_barriers(unified, LayoutMode::optimal), 20u);
}

TEST(Sync, WhatIsDrawnIntoKeepsItsOwnLayoutBesideTheGeneralOne) {
    Sketch s;
    const Image picture =
        s.write("draw", s.image("picture"), Access::color_write, stage::kFragmentShader);
    s.read("sample", picture, Access::sampled);
    const Plan plan = s.plan({.layouts = LayoutMode::general});
    EXPECT_EQ(layout_in(plan, "draw"), Layout::color_attachment);
    EXPECT_EQ(layout_in(plan, "sample"), Layout::general);
}

TEST(Sync, WriteAfterReadWaitsForTheReaderAndSeesTheFormerWrite) {
    Sketch s;
    const Buffer old = s.write("write", s.buffer("data"));
    s.read("read", old, Access::index_read);
    const Buffer updated = s.write("overwrite", old);
    s.read("use", updated);
    const Plan plan = s.plan();
    ASSERT_THAT(levels_of(plan), ElementsAre(ElementsAre("write"), ElementsAre("read"),
                                             ElementsAre("overwrite"), ElementsAre("use")));
    EXPECT_EQ(
        batch_before(plan, "overwrite").memory,
        (MemoryBarrier{stage::kIndexInput, memory::kNone, stage::kCompute, memory::kStorageWrite}));
    ASSERT_THAT(reasons(plan, batch_before(plan, "overwrite")), SizeIs(1));
    EXPECT_EQ(reasons(plan, batch_before(plan, "overwrite"))[0].hazard, Hazard::write_after_read);
}

TEST(Sync, WriteAfterWriteWaitsForTheFormerWrite) {
    Sketch s;
    const Buffer cleared = s.graph.fill(s.buffer("data"), 0);
    const Buffer written = s.write("write", cleared);
    s.read("read", written);
    const Plan plan = s.plan();
    EXPECT_EQ(batch_before(plan, "write").memory,
              (MemoryBarrier{stage::kClear | stage::kCopy, memory::kTransferWrite, stage::kCompute,
                             memory::kStorageWrite}));
    EXPECT_EQ(reasons(plan, batch_before(plan, "write"))[0].hazard, Hazard::write_after_write);
}

TEST(Sync, AnUpdateInPlaceSeesWhatItUpdates) {
    Sketch s;
    const Buffer data = s.write("write", s.buffer("data"));
    const Buffer updated = s.write("update", data, Access::storage_read_write);
    s.read("read", updated);
    const Plan plan = s.plan();
    EXPECT_EQ(
        batch_before(plan, "update").memory,
        (MemoryBarrier{stage::kCompute, memory::kStorageWrite, stage::kCompute, kStorageBoth}));
    EXPECT_EQ(batch_before(plan, "read").memory,
              (MemoryBarrier{stage::kCompute, memory::kStorageWrite, stage::kCompute,
                             memory::kStorageRead}));
}

TEST(Sync, AWriteThatChangesTheLayoutWaitsForTheReaders) {
    Sketch s;
    const Image old = s.write("write", s.image("picture"));
    s.read("sample", old, Access::sampled, stage::kFragmentShader);
    const Image updated = s.write("overwrite", old);
    s.read("read", updated);
    const Plan plan = s.plan();
    EXPECT_THAT(
        transitions(plan, batch_before(plan, "overwrite")),
        ElementsAre(Transition{Layout::shader_read_only, Layout::general, stage::kFragmentShader,
                               memory::kNone, stage::kCompute, memory::kStorageWrite}));
}

TEST(Sync, OneBatchServesAllThatALevelNeeds) {
    Sketch s;
    const Buffer a = s.write("write a", s.buffer("a"));
    const Buffer b = s.graph.fill(s.buffer("b"), 0, "fill b");
    s.read("read a", a, Access::uniform_read, stage::kVertexShader);
    s.read("read b", b, Access::index_read);
    const Plan plan = s.plan();
    ASSERT_EQ(plan.statistics.levels, 2u);
    EXPECT_EQ(plan.levels[1].memory, (MemoryBarrier{stage::kCompute | stage::kClear | stage::kCopy,
                                                    memory::kStorageWrite | memory::kTransferWrite,
                                                    stage::kVertexShader | stage::kIndexInput,
                                                    memory::kUniformRead | memory::kIndexRead}));
    EXPECT_THAT(explanations(plan, plan.levels[1]),
                ElementsAre("write a writes a, read a reads as uniforms it",
                            "fill b clears b, read b reads indices from it"));
}

TEST(Sync, IndirectArgumentsAndCountsAreAccesses) {
    Sketch s;
    const Buffer counts = s.write("count", s.buffer("counts"));
    s.read("dispatch", counts, Access::indirect_read);
    const Plan plan = s.plan();
    EXPECT_EQ(batch_before(plan, "dispatch").memory,
              (MemoryBarrier{stage::kCompute, memory::kStorageWrite, stage::kDrawIndirect,
                             memory::kIndirectRead}));
}

TEST(Sync, WhatIsReadByAnEarlierStageOfTheSamePipelineWaitsThere) {
    Sketch s;
    const Image depth =
        s.write("depth", s.image("depth", {.format = Format::d32_sfloat, .extent = {8, 8}}),
                Access::depth_write);
    s.read("test", depth, Access::depth_read);
    const Plan plan = s.plan();
    EXPECT_THAT(
        transitions(plan, batch_before(plan, "test")),
        ElementsAre(Transition{Layout::depth_attachment, Layout::depth_read_only,
                               stage::kEarlyDepth | stage::kLateDepth, memory::kDepthWrite,
                               stage::kEarlyDepth | stage::kLateDepth, memory::kDepthRead}));
}

// --- parts of resources --------------------------------------------------------------------------

TEST(SyncParts, ReadingOneMipAndWritingAnotherInOneNodeIsOrdinary) {
    Sketch s;
    const Image top = s.write("top", mip(s.image("chain", mipped(2)), 0));
    const Image chain = s.step("down", mip(top, 0), mip(top, 1), Access::sampled);
    s.read("use", chain, Access::sampled);
    const Plan plan = s.plan();
    EXPECT_EQ(layout_in(plan, "down", 0), Layout::shader_read_only);
    EXPECT_EQ(layout_in(plan, "down", 1), Layout::general);
    const std::vector<ImageBarrier> down = image_barriers(plan, batch_before(plan, "down"));
    ASSERT_THAT(down, SizeIs(2));
    EXPECT_EQ(down[0].range, (Range{0, 1, 0, 1, 0, 0}));
    EXPECT_EQ(down[0].to, Layout::shader_read_only);
    EXPECT_EQ(down[1].range, (Range{1, 1, 0, 1, 0, 0}));
    EXPECT_EQ(down[1].from, Layout::undefined);
    // Only the second mip still has to change for its reader.
    const std::vector<ImageBarrier> use = image_barriers(plan, batch_before(plan, "use"));
    ASSERT_THAT(use, SizeIs(1));
    EXPECT_EQ(use[0].range, (Range{1, 1, 0, 1, 0, 0}));
}

TEST(SyncParts, PartsInOneStateChangeInOneBarrier) {
    Sketch s;
    Image chain = s.image("chain", mipped(4));
    for (std::uint32_t level = 0; level < 4; ++level)
        chain = s.write("write", mip(chain, level));
    s.read("use", chain, Access::sampled);
    const Plan plan = s.plan();
    const std::vector<ImageBarrier> use = image_barriers(plan, batch_before(plan, "use"));
    ASSERT_THAT(use, SizeIs(1));
    EXPECT_EQ(use[0].range, (Range{0, 4, 0, 1, 0, 0}));
}

TEST(SyncParts, WritesOfDifferentPartsRunSideBySide) {
    Sketch s;
    const Buffer low = s.write("low", BufferView(s.buffer("data", 512), 0, 256));
    const Buffer both = s.write("high", BufferView(low, 256, 256));
    s.read("use", both);
    const Plan plan = s.plan();
    EXPECT_THAT(levels_of(plan), ElementsAre(ElementsAre("low", "high"), ElementsAre("use")));
}

TEST(SyncParts, AReaderOfAnUntouchedPartDoesNotWait) {
    Sketch s;
    const Buffer low = s.write("low", BufferView(s.buffer("data", 512), 0, 256));
    s.read("use low", BufferView(low, 0, 256));
    const Buffer both = s.write("high", BufferView(low, 256, 256));
    const Buffer again = s.write("high again", BufferView(both, 256, 256));
    s.read("use high", BufferView(again, 256, 256));
    s.read("use low later", BufferView(again, 0, 256));
    const Plan plan = s.plan();
    EXPECT_EQ(level_index(plan, "use low later"), 1u);
}

TEST(SyncParts, LayersHaveTheirOwnLayouts) {
    Sketch s;
    ImageDesc desc = kPicture;
    desc.layers = 2;
    desc.shape = ImageShape::d2_array;
    const Image first = s.write("first", ImageView(s.image("layers", desc)).layer(0));
    const Image both = s.write("second", ImageView(first).layer(1), Access::color_write);
    s.read("use", both, Access::sampled);
    const Plan plan = s.plan();
    const std::vector<ImageBarrier> use = image_barriers(plan, batch_before(plan, "use"));
    ASSERT_THAT(use, SizeIs(2));
    EXPECT_EQ(use[0].from, Layout::general);
    EXPECT_EQ(use[0].range, (Range{0, 1, 0, 1, 0, 0}));
    EXPECT_EQ(use[1].from, Layout::color_attachment);
    EXPECT_EQ(use[1].range, (Range{0, 1, 1, 1, 0, 0}));
}

// --- what must not be there ----------------------------------------------------------------------

TEST(SyncSparing, ConstantsNeedNoBarrier) {
    Sketch s;
    const auto bytes = std::make_shared<const std::vector<std::byte>>(kPictureBytes);
    const Image texture = s.graph.constant_image("texture", kPicture, bytes);
    s.read("sample", texture, Access::sampled);
    s.read("sample again", texture, Access::sampled, stage::kFragmentShader);
    const Plan plan = s.plan();
    EXPECT_EQ(plan.statistics.batches, 0u);
    const ResourceId id = resource_named(plan.graph, "texture");
    EXPECT_EQ(plan.boundaries[id.index].first.layout, Layout::shader_read_only);
    EXPECT_EQ(plan.boundaries[id.index].last.layout, Layout::shader_read_only);
}

TEST(SyncSparing, ConstantsReadInSeveralWaysRestInGeneral) {
    Sketch s;
    const auto bytes = std::make_shared<const std::vector<std::byte>>(kPictureBytes);
    const Image texture = s.graph.constant_image("texture", kPicture, bytes);
    s.read("sample", texture, Access::sampled);
    s.read("copy", texture, Access::copy_read);
    const Plan plan = s.plan();
    EXPECT_EQ(plan.statistics.batches, 0u);
    EXPECT_EQ(plan.boundaries[resource_named(plan.graph, "texture").index].first.layout,
              Layout::general);
}

TEST(SyncSparing, AChainOfNodesHasOneBatchALevelAndGoesBackAndForthBetweenTwoImages) {
    constexpr int kLength = 20;
    Sketch s;
    Image picture = s.write("start", s.image("image"));
    for (int i = 0; i < kLength; ++i)
        picture = s.step("step", picture, s.image("image"), Access::storage_read);
    s.graph.output("result", picture, Access::host_read);
    const Plan plan = s.plan();
    EXPECT_EQ(plan.statistics.levels, 1u + kLength);
    EXPECT_EQ(plan.statistics.batches, 2u + kLength); // each level, and the output
    // Written and read in general: both leave undefined once and change no more. So does the last
    // one, which is to be copied to the host and therefore is no image like the others.
    EXPECT_EQ(plan.statistics.image_barriers, 3u);
}

TEST(SyncSparing, ABatchNamesEachReasonOnce) {
    Sketch s;
    Image chain = s.image("chain", mipped(3));
    for (std::uint32_t level = 0; level < 3; ++level)
        chain = s.write("write", mip(chain, level));
    auto reader = s.graph.custom("read");
    for (std::uint32_t level = 0; level < 3; ++level)
        reader.read(mip(chain, level), Access::sampled, stage::kCompute);
    reader.keep();
    const Plan plan = s.plan();
    EXPECT_THAT(image_barriers(plan, batch_before(plan, "read")), SizeIs(3));
    // Three writers, one reader: three sentences, and each barrier points at its own.
    const std::vector<BarrierReason> why = reasons(plan, batch_before(plan, "read"));
    EXPECT_THAT(why, SizeIs(3));
    for (const ImageBarrier& barrier : image_barriers(plan, batch_before(plan, "read")))
        EXPECT_EQ(plan.reasons[barrier.reason].resource, barrier.resource);
}

TEST(SyncSparing, AnEmptyGraphHasNoLevelsAndNoBarriers) {
    Sketch s;
    const Plan plan = s.plan();
    EXPECT_THAT(plan.levels, IsEmpty());
    EXPECT_FALSE(plan.epilogue.has_barriers());
}

} // namespace
} // namespace tuff
