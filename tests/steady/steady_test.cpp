// What a frame costs once the first ones are over: one submission of commands recorded before, and
// nothing else. Counted, not timed; without the validation layer, which allocates on our thread.

#include "steady_fixture.hpp"
#include "tests/queues/dealt_plan.hpp"

namespace tuff::testing_steady {
namespace {

using test::iota;
using test::sum;

/// History that rotates, uploads, bind groups, copies, and parameters that differ by frame.
void add_everything(Graph& g, std::uint32_t frame) {
    const BufferHistory total = g.history_buffer("total", kWords, 2);
    const Buffer uploaded =
        g.upload(g.buffer("uploaded", kWords), bytes_of(std::vector<std::uint32_t>(kCount, 3)));
    const Buffer step =
        sum(g, iota(g, "values", kWords, frame), uploaded, g.buffer("step", kWords));
    const Buffer next = sum(g, step, total.previous[1], total.current);
    g.output("total", g.copy(next, g.buffer("copy", kWords)));

    auto node = g.raster("test/triangle");
    node.read("vertices", g.constant_buffer("positions", {.size = 48},
                                            bytes_of(std::vector<float>{-1, -1, 0, 1, 3, -1, 0, 1,
                                                                        -1, 3, 0, 1})));
    const Image target = node.color(
        g.image("target", {.format = Format::rgba8_unorm, .extent = {16, 16, 1}}), cleared(0));
    for (const float red : {0.0f, 1.0f}) {
        node.begin_group();
        node.read("paint", g.constant_buffer(red == 0 ? "black" : "red", {.size = 16},
                                             bytes_of(std::vector<float>{red, 0, 0, 1})));
        node.draw({.count = 3});
    }
    g.output("picture", g.copy(target, g.image("picture", {.format = Format::rgba8_unorm,
                                                           .extent = {16, 16, 1}})));
}

Buffer scaled(Graph& g, Buffer source, std::uint32_t factor, std::string_view name) {
    auto node = g.compute("test/scale_push", name);
    node.read("source", source);
    const Buffer result = node.write("target", g.buffer(name, kWords));
    node.set("factor", factor);
    node.specialize("kOffset", 0u);
    node.dispatch_over({kCount});
    return result;
}

TEST_F(SteadyTest, FramesWithNewParametersReplayAndAllocateNothing) {
    const auto build = [&](std::uint32_t frame) {
        Graph g = graph();
        add_everything(g, frame);
        return g;
    };
    for (const std::uint32_t in_flight : {1u, 2u, 3u}) {
        Executor executor = start(build(0), {.frames_in_flight = in_flight});
        const Counts counts = steady(executor, build);
        EXPECT_EQ(counts.allocations, 0u);
        EXPECT_EQ(counts.descriptor_writes, 0u);
        EXPECT_EQ(counts.objects, 0u);
        EXPECT_EQ(counts.recordings, 0u);
        EXPECT_EQ(counts.commands, 0u);
        EXPECT_EQ(counts.submissions, kFrames);
        EXPECT_EQ(counts.command_buffers, kFrames);
    }
}

TEST_F(SteadyTest, FramesOfSeveralQueuesReplayAndAllocateNothingToo) {
    const auto build = [&](std::uint32_t frame) {
        Graph g = graph();
        add_everything(g, frame);
        return g;
    };
    const Queue queues[] = {Queue::compute, Queue::graphics, Queue::transfer, Queue::graphics};
    Executor executor = start(
        build(0), {}, [&](Plan plan) { return testing_gpu::dealt_out(std::move(plan), queues); });
    ASSERT_GT(executor.plan().submissions.size(), 2u);
    const Counts counts = steady(executor, build);
    EXPECT_EQ(counts.allocations, 0u);
    EXPECT_EQ(counts.descriptor_writes, 0u);
    EXPECT_EQ(counts.objects, 0u);
    EXPECT_EQ(counts.recordings, 0u);
    EXPECT_EQ(counts.commands, 0u);
    // All queues are one here, and what goes to one queue goes in one call.
    EXPECT_EQ(counts.submissions, kFrames);
    EXPECT_EQ(counts.command_buffers, executor.plan().submissions.size() * kFrames);
}

TEST_F(SteadyTest, AnExchangedImportIsTheBusinessOfThoseThatUseItAlone) {
    // 300 nodes in four segments, one of which copies the import. Nothing is kept for later.
    const auto build = [&](std::uint32_t frame) {
        Graph g = graph();
        const Buffer mine = g.import_buffer("mine", kWords, {});
        for (std::uint32_t i = 0; i < 300; ++i) {
            const Buffer values = iota(g, "values" + std::to_string(i), kWords, frame);
            g.output("values" + std::to_string(i), values);
            if (i == 200) g.output("sum", sum(g, values, mine, g.buffer("sum", kWords)));
        }
        return g;
    };
    const HostBuffer buffers[2] = {make_buffer(), make_buffer()};
    Executor executor = start(build(0), {.recording_threads = 4, .kept_imports = 0});
    const auto frames = [&] {
        for (std::uint64_t i = 0; i < kFrames; ++i)
            EXPECT_TRUE(bind_import(executor, "mine", buffers[i / 2 % 2].buffer.get()) &&
                        executor.execute());
    };
    frames();
    const CountedCalls calls(device_->impl());
    frames();
    const Counts counts = calls.counts();
    EXPECT_TRUE(executor.wait());
    EXPECT_EQ(counts.recordings, kFrames);
    EXPECT_LE(counts.descriptor_writes, 3 * kFrames);
    EXPECT_GT(counts.descriptor_writes, 0u);
}

TEST_F(SteadyTest, ChangedPushConstantsRecordOneSegmentAndAllocateNothing) {
    // 600 nodes in four segments; the push constants of one node change.
    const auto build = [&](std::uint32_t frame) {
        Graph g = graph();
        add_everything(g, frame);
        for (std::uint32_t i = 0; i < 150; ++i) {
            const Buffer values = iota(g, "values" + std::to_string(i), kWords, frame);
            g.output("scaled" + std::to_string(i),
                     scaled(g, values, i == 70 ? frame : i, "scaled" + std::to_string(i)));
        }
        return g;
    };
    Executor executor = start(build(0), {.recording_threads = 4});
    const Counts counts = steady(executor, build);
    EXPECT_EQ(counts.allocations, 0u);
    EXPECT_EQ(counts.descriptor_writes, 0u);
    EXPECT_EQ(counts.objects, 0u);
    EXPECT_EQ(counts.recordings, kFrames);
    EXPECT_EQ(counts.command_buffers, 4 * kFrames);
}

TEST_F(SteadyTest, CustomNodesOfLargePlansLeaveTheOthersRecorded) {
    const auto build = [&](std::uint32_t frame) {
        Graph g = graph();
        Buffer values = iota(g, "values", kWords, frame);
        for (std::uint32_t i = 0; i < 200; ++i) {
            if (i == 100) {
                auto node = g.custom("host", [](CommandContext&) {});
                values = node.write(values, Access::storage_read_write, stage::kCompute);
            }
            values = test::doubled(g, values);
        }
        g.output("values", values);
        return g;
    };
    Executor executor = start(build(0), {.recording_threads = 1});
    const Counts counts = steady(executor, build);
    EXPECT_EQ(counts.allocations, 0u);
    EXPECT_EQ(counts.descriptor_writes, 0u);
    EXPECT_EQ(counts.recordings, kFrames);
    EXPECT_EQ(counts.command_buffers, 3 * kFrames);
}

TEST_F(SteadyTest, TheCountersCount) {
    Graph g = graph();
    add_everything(g, 0);
    const CountedCalls calls(device_->impl());
    Executor executor = start(std::move(g), {});
    ASSERT_TRUE(executor.execute());
    ASSERT_TRUE(executor.wait());
    const Counts counts = calls.counts();
    EXPECT_GT(counts.allocations, 0u);
    EXPECT_GT(counts.descriptor_writes, 0u);
    EXPECT_GT(counts.objects, 0u);
    EXPECT_GT(counts.recordings, 0u);
    EXPECT_GT(counts.commands, 0u);
    EXPECT_GT(counts.submissions, 0u);
}

} // namespace
} // namespace tuff::testing_steady
