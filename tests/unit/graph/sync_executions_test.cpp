#include "sketch.hpp"

/// Barriers against what came before the execution, and for what comes after it: memory that held
/// something else, imports, histories and outputs.
namespace tuff {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

// --- transient memory ----------------------------------------------------------------------------

TEST(SyncTransient, FirstUseWaitsForTheLastUsesInTheExecutionBefore) {
    Sketch s;
    const Buffer data = s.write("write", s.buffer("data"));
    s.read("read", data, Access::uniform_read, stage::kFragmentShader);
    const Plan plan = s.plan();
    EXPECT_EQ(batch_before(plan, "write").memory,
              (MemoryBarrier{stage::kFragmentShader, memory::kNone, stage::kCompute,
                             memory::kStorageWrite}));
    EXPECT_EQ(reasons(plan, batch_before(plan, "write"))[0].hazard, Hazard::first_use);
}

TEST(SyncTransient, FirstUseOfAnImageDiscardsItsContents) {
    Sketch s;
    const Image picture = s.write("write", s.image("picture"));
    s.read("sample", picture, Access::sampled, stage::kFragmentShader);
    const Plan plan = s.plan();
    EXPECT_THAT(transitions(plan, batch_before(plan, "write")),
                ElementsAre(Transition{Layout::undefined, Layout::general, stage::kFragmentShader,
                                       memory::kNone, stage::kCompute, memory::kStorageWrite}));
}

TEST(SyncTransient, BytesThatATenantDoesNotFillWaitForTheTenantBeforeIt) {
    // A driver that wants 64 KiB for the small image in the middle, too: the third lies in bytes
    // that the second owns and does not fill.
    struct Generous : MemoryModel {
        MemoryRequirements image(const ImageDesc&, UsageMask) const override {
            return {.size = 65536, .alignment = 256};
        }
    } const generous;
    Sketch s;
    ImageDesc small = kPicture;
    small.extent = {8, 8};
    const Image a = s.write("write a", s.image("a"));
    auto a_to_b = s.graph.custom("a to b");
    a_to_b.read(a, Access::sampled, stage::kFragmentShader);
    const Buffer b = a_to_b.write(s.buffer("b"), Access::storage_write, stage::kCompute);
    const Image c = s.step("b to c", b, s.image("c", small));
    const Buffer d = s.step("c to d", c, s.buffer("d"));
    const Image e = s.step("d to e", d, s.image("e"));
    s.read("read e", e);
    const Plan plan = s.plan({.memory = &generous});
    ASSERT_TRUE(share_bytes(place_of(plan, "a"), place_of(plan, "c")));
    ASSERT_TRUE(share_bytes(place_of(plan, "c"), place_of(plan, "e")));
    EXPECT_THAT(transitions(plan, batch_before(plan, "d to e")),
                ElementsAre(Transition{Layout::undefined, Layout::general,
                                       stage::kFragmentShader | stage::kCompute, memory::kNone,
                                       stage::kCompute, memory::kStorageWrite}));
}

/// a and c may share memory: a's last use comes before c's first.
struct Reuse : Sketch {
    explicit Reuse(Access c_access = Access::storage_write) {
        const Buffer a = write("write a", buffer("a"));
        const Buffer b = step("a to b", a, buffer("b"), Access::uniform_read);
        auto last = graph.custom("b to c");
        last.read(b, Access::storage_read, stage::kCompute);
        const Buffer c = last.write(buffer("c"), c_access, stage::kCompute);
        read("read c", c, Access::index_read);
    }
};

TEST(SyncTransient, WhoeverTakesOverMemoryWaitsForItsFormerTenant) {
    Reuse s;
    const Plan plan = s.plan();
    ASSERT_TRUE(share_bytes(place_of(plan, "a"), place_of(plan, "c")));
    const Level& batch = batch_before(plan, "b to c");
    // b's write, and the last read of a, which has waited for c's in the execution before. The
    // barrier before "a to b" has shown what was written of a to b's first write, and so to c's.
    EXPECT_EQ(batch.memory, (MemoryBarrier{stage::kCompute, memory::kStorageWrite, stage::kCompute,
                                           memory::kStorageRead}));
    const std::vector<BarrierReason> why = reasons(plan, batch);
    ASSERT_THAT(why, SizeIs(2));
    EXPECT_EQ(why[1].hazard, Hazard::reuse);
    EXPECT_EQ(why[1].resource, resource_named(plan.graph, "c"));
    EXPECT_EQ(why[1].reused_from, resource_named(plan.graph, "a"));
}

TEST(SyncTransient, AFillSeesWhatWasWrittenAndReadInTheMemoryItTakesOver) {
    Sketch s;
    const Buffer a = s.write("write a", s.buffer("a"));
    const Buffer b = s.step("a to b", a, s.buffer("b"));
    auto fill = s.graph.custom("fill c");
    fill.read(b, Access::copy_read);
    const Buffer c = fill.write(s.buffer("c"), Access::copy_write);
    s.read("read c", c);
    const Plan plan = s.plan();
    ASSERT_TRUE(share_bytes(place_of(plan, "a"), place_of(plan, "c")));
    EXPECT_EQ(batch_before(plan, "fill c").memory,
              (MemoryBarrier{stage::kCompute, memory::kStorageWrite, stage::kCopy,
                             memory::kTransferRead | memory::kTransferWrite}));
}

TEST(SyncTransient, TheFirstTenantWaitsForTheLastOneOfTheExecutionBefore) {
    Reuse s;
    const Plan plan = s.plan();
    ASSERT_TRUE(share_bytes(place_of(plan, "a"), place_of(plan, "c")));
    // c is read as indices at the end of the execution before.
    EXPECT_NE(batch_before(plan, "write a").memory.source_stages & stage::kIndexInput, 0u);
    EXPECT_EQ(reasons(plan, batch_before(plan, "write a"))[0].hazard, Hazard::first_use);
}

TEST(SyncTransient, OnlyTheFirstUseSpeaksOfReuse) {
    Reuse s;
    const Plan plan = s.plan();
    for (const BarrierReason& reason : reasons(plan, batch_before(plan, "read c"))) {
        EXPECT_EQ(reason.hazard, Hazard::read_after_write);
        EXPECT_FALSE(reason.reused_from);
    }
}

TEST(SyncTransient, WithoutAliasingNoOneWaitsForAnotherResource) {
    Reuse s;
    const Plan plan = s.plan({.alias = AliasMode::off});
    EXPECT_EQ(batch_before(plan, "write a").memory.source_stages, stage::kCompute);
    for (const BarrierReason& reason : plan.reasons)
        EXPECT_NE(reason.hazard, Hazard::reuse);
}

TEST(SyncTransient, TheReasonNamesTheLatestOfSeveralTenants) {
    Sketch s;
    Buffer data = s.write("start", s.buffer("0"));
    for (const char* name : {"1", "2", "3", "4"})
        data = s.step(name, data, s.buffer(name));
    s.read("end", data);
    const Plan plan = s.plan();
    ASSERT_TRUE(share_bytes(place_of(plan, "0"), place_of(plan, "2")));
    ASSERT_TRUE(share_bytes(place_of(plan, "2"), place_of(plan, "4")));
    EXPECT_EQ(reasons(plan, batch_before(plan, "4")).back().reused_from,
              resource_named(plan.graph, "2"));
}

TEST(SyncTransient, ClearsOfAliasedImagesComeAfterTheAliasBarrier) {
    Sketch s;
    const Image a = s.write("write a", s.image("a"));
    const Image b = s.step("a to b", a, s.image("b"), Access::sampled);
    s.read("read b", b);
    auto gate = s.graph.custom("after a"); // keeps the clear behind the life of a
    gate.read(b, Access::storage_read, stage::kCompute);
    const Buffer token = gate.write(s.buffer("token", 64), Access::storage_write, stage::kCompute);
    auto clear = s.graph.custom("clear c");
    clear.read(token, Access::indirect_read);
    const Image c = clear.write(s.image("c"), Access::clear_write);
    s.read("sample c", c, Access::sampled);
    const Plan plan = s.plan();
    ASSERT_TRUE(share_bytes(place_of(plan, "a"), place_of(plan, "c")));
    const std::vector<Transition> before = transitions(plan, batch_before(plan, "clear c"));
    ASSERT_THAT(before, SizeIs(1));
    EXPECT_EQ(before[0].from, Layout::undefined);
    EXPECT_EQ(before[0].to, Layout::transfer_destination);
    EXPECT_EQ(before[0].source_stages & stage::kCompute, stage::kCompute);
    EXPECT_EQ(before[0].source_memory, memory::kNone) << "a's reader has made its write available";
    EXPECT_EQ(before[0].destination_stages, stage::kClear);
    // The clear is visible to its reader only through a barrier of its own.
    EXPECT_EQ(transitions(plan, batch_before(plan, "sample c"))[0].source_stages, stage::kClear);
}

TEST(SyncTransient, EachPartWaitsOnItsOwnFirstUse) {
    Sketch s;
    const Image top = s.write("top", mip(s.image("chain", mipped(2)), 0));
    const Image chain = s.step("down", mip(top, 0), mip(top, 1), Access::storage_read);
    s.read("use", chain);
    const Plan plan = s.plan();
    const std::vector<ImageBarrier> down = image_barriers(plan, batch_before(plan, "down"));
    ASSERT_THAT(down, SizeIs(1));
    EXPECT_EQ(down[0].from, Layout::undefined);
    EXPECT_EQ(plan.reasons[down[0].reason].hazard, Hazard::first_use);
}

// --- outputs -------------------------------------------------------------------------------------

TEST(SyncOutput, IsLeftAsItsReaderWantsIt) {
    Sketch s;
    s.graph.output("result", s.write("write", s.image("picture")));
    const Plan plan = s.plan();
    EXPECT_THAT(
        transitions(plan, plan.epilogue),
        ElementsAre(Transition{Layout::general, Layout::transfer_source, stage::kCompute,
                               memory::kStorageWrite, stage::kCopy, memory::kTransferRead}));
    EXPECT_EQ(plan.boundaries[resource_named(plan.graph, "picture").index].last,
              (Scope{stage::kCopy, memory::kTransferRead, Layout::transfer_source}));
}

TEST(SyncOutput, OfABufferIsMadeVisibleToTheHost) {
    Sketch s;
    s.graph.output("result", s.write("write", s.buffer("data")), Access::host_read);
    const Plan plan = s.plan();
    EXPECT_EQ(plan.epilogue.memory, (MemoryBarrier{stage::kCompute, memory::kStorageWrite,
                                                   stage::kHost, memory::kHostRead}));
}

TEST(SyncOutput, SharesALayoutWithReadersOfItsVersion) {
    Sketch s;
    const Image picture = s.write("write", s.image("picture"));
    s.read("sample", picture, Access::sampled);
    s.graph.output("result", picture);
    const Plan plan = s.plan();
    EXPECT_EQ(layout_in(plan, "sample"), Layout::general);
    EXPECT_FALSE(plan.epilogue.has_barriers());
}

TEST(SyncOutput, ForAShaderOfTheHostsNamesStagesThatHaveTheAccess) {
    Sketch s;
    s.graph.output("result", s.write("write", s.image("picture")), Access::sampled);
    const Plan plan = s.plan();
    EXPECT_THAT(
        transitions(plan, plan.epilogue),
        ElementsAre(Transition{Layout::general, Layout::shader_read_only, stage::kCompute,
                               memory::kStorageWrite, stage::kAllCommands, memory::kSampledRead}));
}

/// A semaphore covers the presentation; the stages are for the next user of the memory.
TEST(SyncOutput, ToPresentIsOrderedBeforeWhoeverFollows) {
    Sketch s;
    s.graph.output("screen", s.write("write", s.image("picture")), Access::present);
    const Plan plan = s.plan();
    EXPECT_THAT(transitions(plan, plan.epilogue),
                ElementsAre(Transition{Layout::general, Layout::present, stage::kCompute,
                                       memory::kStorageWrite, stage::kAllCommands, memory::kNone}));
}

TEST(SyncOutput, IsWaitedForBeforeTheNextExecutionOverwritesIt) {
    Sketch s;
    s.graph.output("result", s.write("write", s.buffer("data")));
    const Plan plan = s.plan();
    EXPECT_EQ(batch_before(plan, "write").memory.source_stages, stage::kCopy);
}

TEST(SyncOutput, ReadByTwoNamesIsServedOnce) {
    Sketch s;
    const Image picture = s.write("write", s.image("picture"));
    s.graph.output("file", picture);
    s.graph.output("preview", picture);
    const Plan plan = s.plan();
    EXPECT_THAT(transitions(plan, plan.epilogue), SizeIs(1));
}

// --- imports -------------------------------------------------------------------------------------

const Scope kHostWrote{stage::kHost, memory::kHostWrite, Layout::undefined};
const Scope kHostReads{stage::kHost, memory::kHostRead, Layout::undefined};

TEST(SyncImport, IsTakenOverAndHandedBackAsTheHostSays) {
    Sketch s;
    const Image screen =
        s.graph.import_image("screen", kPicture,
                             {.first = {stage::kColorOutput, memory::kNone, Layout::undefined},
                              .last = {stage::kNone, memory::kNone, Layout::present}});
    (void)s.write("draw", screen, Access::color_write);
    const Plan plan = s.plan();
    EXPECT_THAT(transitions(plan, batch_before(plan, "draw")),
                ElementsAre(Transition{Layout::undefined, Layout::color_attachment,
                                       stage::kColorOutput, memory::kNone, stage::kColorOutput,
                                       memory::kColorRead | memory::kColorWrite}));
    EXPECT_THAT(
        transitions(plan, plan.epilogue),
        ElementsAre(Transition{Layout::color_attachment, Layout::present, stage::kColorOutput,
                               memory::kColorWrite, stage::kNone, memory::kNone}));
    EXPECT_EQ(reasons(plan, plan.epilogue)[0].hazard, Hazard::final_state);
    const Plan::Boundary& boundary = plan.boundaries[resource_named(plan.graph, "screen").index];
    EXPECT_EQ(boundary.first.layout, Layout::undefined);
    EXPECT_EQ(boundary.last.layout, Layout::present);
}

TEST(SyncImport, WhatTheHostWroteIsMadeVisible) {
    Sketch s;
    const Buffer data = s.graph.import_buffer("data", {.size = 64}, {.first = kHostWrote});
    s.read("read", data);
    const Plan plan = s.plan();
    EXPECT_EQ(
        batch_before(plan, "read").memory,
        (MemoryBarrier{stage::kHost, memory::kHostWrite, stage::kCompute, memory::kStorageRead}));
}

TEST(SyncImport, InTheRightLayoutAndWithNothingToWaitForCostsNothing) {
    Sketch s;
    const Scope ready{stage::kNone, memory::kNone, Layout::shader_read_only};
    const Image texture =
        s.graph.import_image("texture", kPicture, {.first = ready, .last = ready});
    s.read("sample", texture, Access::sampled);
    const Plan plan = s.plan();
    EXPECT_FALSE(batch_before(plan, "sample").has_barriers());
}

TEST(SyncImport, ThatNothingUsesIsHandedBackInItsLastLayout) {
    Sketch s;
    (void)s.graph.import_image("screen", kPicture,
                               {.first = {stage::kNone, memory::kNone, Layout::general},
                                .last = {stage::kNone, memory::kNone, Layout::present}});
    const Plan plan = s.plan();
    ASSERT_THAT(transitions(plan, plan.epilogue), SizeIs(1));
    EXPECT_EQ(transitions(plan, plan.epilogue)[0].to, Layout::present);
}

TEST(SyncImport, WithoutALastLayoutKeepsTheOneItHas) {
    Sketch s;
    const Image target = s.graph.import_image("target", kPicture, {.last = kHostReads});
    (void)s.write("write", target);
    const Plan plan = s.plan();
    EXPECT_THAT(transitions(plan, plan.epilogue), IsEmpty());
    EXPECT_EQ(plan.epilogue.memory, (MemoryBarrier{stage::kCompute, memory::kStorageWrite,
                                                   stage::kHost, memory::kHostRead}));
}

TEST(SyncImport, WritesReachTheHostAlsoWhereANodeReadThemFirst) {
    Sketch s;
    const Buffer data = s.graph.import_buffer("data", {.size = 64}, {.last = kHostReads});
    const Buffer written = s.write("write", data);
    s.read("read", written, Access::uniform_read, stage::kVertexShader);
    const Plan plan = s.plan();
    EXPECT_EQ(plan.epilogue.memory,
              (MemoryBarrier{stage::kVertexShader, memory::kNone, stage::kHost, memory::kHostRead}))
        << "the reader's barrier has made the write available";
}

// --- histories -----------------------------------------------------------------------------------

/// Writes `current` from `previous`.
struct Feedback : Sketch {
    explicit Feedback(StageMask reader = stage::kCompute) {
        const BufferHistory history = graph.history_buffer("state", {.size = 64});
        auto node = graph.custom("advance");
        node.read(history.previous[0], Access::storage_read, reader);
        current = node.write(history.current, Access::storage_write, stage::kCompute);
    }
    Buffer current;
};

TEST(SyncHistory, PreviousNeedsNoBarrierForTheExecutionBeforeLeftItToItsReaders) {
    Feedback s;
    const Plan plan = s.plan();
    for (const BarrierReason& reason : reasons(plan, batch_before(plan, "advance")))
        EXPECT_NE(reason.resource, resource_named(plan.graph, "state@1"));
}

TEST(SyncHistory, CurrentIsLeftToTheReadersOfPrevious) {
    Feedback s;
    const Plan plan = s.plan();
    EXPECT_EQ(plan.epilogue.memory, (MemoryBarrier{stage::kCompute, memory::kStorageWrite,
                                                   stage::kCompute, memory::kStorageRead}));
}

TEST(SyncHistory, CurrentReachesTheNextExecutionAlsoWhereANodeReadItFirst) {
    Feedback s(stage::kVertexShader);
    s.read("show", s.current, Access::uniform_read, stage::kFragmentShader);
    const Plan plan = s.plan();
    EXPECT_EQ(plan.epilogue.memory, (MemoryBarrier{stage::kCompute, memory::kStorageWrite,
                                                   stage::kVertexShader, memory::kStorageRead}));
}

TEST(SyncHistory, AReaderOfPreviousHoldsUpTheExecutionThatWritesThatCopy) {
    Sketch s;
    const BufferHistory history = s.graph.history_buffer("state", {.size = 64});
    s.read("read", history.previous[0], Access::uniform_read, stage::kVertexShader);
    (void)s.write("write", history.current);
    const Plan plan = s.plan();
    EXPECT_EQ(batch_before(plan, "write").memory.source_stages, stage::kVertexShader);
    EXPECT_EQ(plan.epilogue.memory.destination_stages, stage::kVertexShader);
}

TEST(SyncHistory, ImagesRestInTheLayoutOfTheirReaders) {
    Sketch s;
    const ImageHistory history = s.graph.history_image("state", kPicture);
    auto node = s.graph.custom("advance");
    node.read(history.previous[0], Access::sampled, stage::kCompute);
    (void)node.write(history.current, Access::storage_write, stage::kCompute);
    const Plan plan = s.plan();
    // `current` rests as `previous` is read, leaves for the write and returns.
    EXPECT_THAT(transitions(plan, batch_before(plan, "advance")),
                ElementsAre(Transition{Layout::shader_read_only, Layout::general, stage::kCompute,
                                       memory::kNone, stage::kCompute, memory::kStorageWrite}));
    EXPECT_THAT(
        transitions(plan, plan.epilogue),
        ElementsAre(Transition{Layout::general, Layout::shader_read_only, stage::kCompute,
                               memory::kStorageWrite, stage::kCompute, memory::kSampledRead}));
    for (const char* name : {"state", "state@1"})
        EXPECT_EQ(plan.boundaries[resource_named(plan.graph, name).index].first.layout,
                  Layout::shader_read_only);
}

TEST(SyncHistory, CurrentThatWasReadInItsRestingLayoutStillReachesTheNextExecution) {
    Sketch s;
    const ImageHistory history = s.graph.history_image("state", kPicture);
    auto node = s.graph.custom("advance");
    node.read(history.previous[0], Access::sampled, stage::kFragmentShader);
    const Image current = node.write(history.current, Access::storage_write, stage::kCompute);
    s.read("show", current, Access::sampled, stage::kCompute);
    const Plan plan = s.plan();
    ASSERT_THAT(transitions(plan, plan.epilogue), IsEmpty());
    EXPECT_EQ(plan.epilogue.memory.source_stages & stage::kCompute, stage::kCompute);
    EXPECT_EQ(plan.epilogue.memory.destination_stages, stage::kFragmentShader);
    EXPECT_EQ(plan.epilogue.memory.destination_memory, memory::kSampledRead);
}

TEST(SyncHistory, AgesReadInDifferentWaysRestInGeneral) {
    Sketch s;
    const ImageHistory history = s.graph.history_image("state", kPicture, 2);
    s.read("sample", history.previous[0], Access::sampled);
    s.read("copy", history.previous[1], Access::copy_read);
    (void)s.write("write", history.current);
    const Plan plan = s.plan();
    for (const char* name : {"state", "state@1", "state@2"})
        EXPECT_EQ(plan.boundaries[resource_named(plan.graph, name).index].first.layout,
                  Layout::general);
    // Nothing ever separates two reads, those of different executions among them.
    EXPECT_EQ(layout_in(plan, "sample"), Layout::general);
    EXPECT_EQ(layout_in(plan, "copy"), Layout::general);
    EXPECT_THAT(plan.image_barriers, IsEmpty());
}

TEST(SyncHistory, ThatNothingReadsBeginsUndefinedAndIsLeftAsItIs) {
    Sketch s;
    const ImageHistory history = s.graph.history_image("state", kPicture);
    (void)s.write("write", history.current);
    const Plan plan = s.plan();
    EXPECT_EQ(plan.boundaries[resource_named(plan.graph, "state").index].first.layout,
              Layout::undefined);
    EXPECT_FALSE(plan.epilogue.has_barriers());
}

} // namespace
} // namespace tuff
