// Work of the host between work of the device.

#include "gpu/execute/executor_impl.hpp"
#include "tests/common/word_kernels.hpp"
#include "tests/gpu/failing_calls.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <tuff/host.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

namespace tuff {
namespace {

using test::doubled;
using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::HasSubstr;
using testing_gpu::Running;

using Words = std::vector<std::uint32_t>;

std::span<const std::uint32_t> words_in(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const std::uint32_t*>(bytes.data()), bytes.size() / 4};
}
std::span<std::uint32_t> words_in(std::span<std::byte> bytes) {
    return {reinterpret_cast<std::uint32_t*>(bytes.data()), bytes.size() / 4};
}

class HostNodes : public testing_gpu::GpuTest {
  protected:
    static constexpr std::uint32_t kCount = 1003;
    static constexpr BufferDesc kWords{.size = kCount * 4, .stride = 4};

    Buffer iota(Graph& g, std::string_view name, std::uint32_t base) {
        return test::iota(g, name, kWords, base);
    }
    Buffer sum(Graph& g, Buffer a, Buffer b) { return test::sum(g, a, b, g.buffer("sum", kWords)); }

    /// Every word times three and one more, on the host.
    Buffer tripled(Graph& g, Buffer source, std::string_view name = "triple") {
        HostNodeBuilder node = g.host(name, [](const HostBuffers& buffers) -> Result<void> {
            const auto from = words_in(buffers.read[0]);
            const auto to = words_in(buffers.written[0]);
            for (std::size_t i = 0; i < to.size(); ++i)
                to[i] = 3 * from[i] + 1;
            return {};
        });
        node.read(source);
        return node.write(g.buffer("tripled", kWords));
    }

    /// A number that every execution makes of the one before, through device, host and device.
    ///
    ///   previous --> sum --> triple (host) --> double --> current
    ///   ones --------'
    Graph recurrence() {
        Graph g = graph();
        const BufferHistory state = g.history_buffer("state", kWords);
        const Buffer ones = g.fill(g.buffer("ones", kWords), 1);
        const Buffer next = doubled(g, tripled(g, sum(g, state.previous[0], ones)));
        g.output("result", g.copy(next, g.buffer("copied", kWords)));
        (void)g.copy(next, state.current);
        return g;
    }
    static Words expected_after(unsigned executions) {
        std::uint32_t value = 0;
        for (unsigned i = 0; i < executions; ++i)
            value = 2 * (3 * (value + 1) + 1);
        return Words(kCount, value);
    }
};

TEST_F(HostNodes, ReadWhatTheDeviceHasWrittenAndWriteWhatItReads) {
    Graph g = graph();
    g.output("result", doubled(g, tripled(g, iota(g, "source", 5))));
    Words expected(kCount);
    for (std::uint32_t i = 0; i < kCount; ++i)
        expected[i] = 2 * (3 * (5 + i) + 1);
    EXPECT_THAT(run(std::move(g)).buffer<std::uint32_t>("result"), ElementsAreArray(expected));
}

TEST_F(HostNodes, ReadTheOutputsOfOthers) {
    Graph g = graph();
    const Buffer once = tripled(g, iota(g, "source", 2), "first");
    g.output("result", tripled(g, once, "second"));
    Words expected(kCount);
    for (std::uint32_t i = 0; i < kCount; ++i)
        expected[i] = 3 * (3 * (2 + i) + 1) + 1;
    EXPECT_THAT(run(std::move(g)).buffer<std::uint32_t>("result"), ElementsAreArray(expected));
}

TEST_F(HostNodes, KeepExecutionsInOrderWithManyInFlight) {
    for (const std::uint32_t in_flight : {1u, 2u, 8u, 11u}) {
        Running running = start(recurrence(), {.frames_in_flight = in_flight});
        ASSERT_TRUE(running);
        running.execute(25);
        EXPECT_EQ(running.buffer<std::uint32_t>("result"), expected_after(25)) << in_flight;
    }
}

TEST_F(HostNodes, GiveTheSameBitsInEveryMode) {
    const CompileOptions modes[] = {
        {.alias = AliasMode::off},
        {.order = OrderMode::declared},
        {.barriers = BarrierMode::full},
        {.layouts = LayoutMode::general},
        {.queues = QueueMode::automatic},
        {.queues = QueueMode::one},
        {.constant = ConstantWork::once},
        {.poison = true},
        {.memory_budget = 1},
        {.alias = AliasMode::off,
         .order = OrderMode::declared,
         .barriers = BarrierMode::full,
         .queues = QueueMode::one,
         .poison = true},
    };
    for (const CompileOptions& mode : modes)
        for (const Replay replay : {Replay::on, Replay::off}) {
            Running running = start(compile_graph(recurrence(), mode), {.replay = replay});
            ASSERT_TRUE(running);
            running.execute(7);
            EXPECT_EQ(running.buffer<std::uint32_t>("result"), expected_after(7));
        }
}

TEST_F(HostNodes, DoNotMakeCommandsBeRecordedAgain) {
    Running running = start(recurrence());
    ASSERT_TRUE(running);
    running.execute(6);
    const std::uint64_t before = running->recordings();
    running.execute(6);
    EXPECT_EQ(running->recordings(), before);
}

TEST_F(HostNodes, SeeTheirPartsOfBuffersAlone) {
    Graph g = graph();
    const Buffer source = iota(g, "source", 0);
    const Buffer zeros = g.fill(g.buffer("target", kWords), 0);
    HostNodeBuilder node = g.host("part", [](const HostBuffers& buffers) -> Result<void> {
        EXPECT_EQ(buffers.read[0].size(), 12u);
        EXPECT_EQ(buffers.written[0].size(), 8u);
        const auto from = words_in(buffers.read[0]);
        std::ranges::copy(from.last(2), words_in(buffers.written[0]).begin());
        return {};
    });
    node.read(BufferView(source, 40, 12));
    const Buffer written = node.write(BufferView(zeros, 4, 8));
    g.output("result", doubled(g, written));
    const Words result = run(std::move(g)).buffer<std::uint32_t>("result");
    ASSERT_EQ(result.size(), kCount);
    EXPECT_THAT(Words(result.begin(), result.begin() + 5), ElementsAre(0, 22, 24, 0, 0));
}

TEST_F(HostNodes, RunInTheOrderOfThePlanOnOneThread) {
    std::vector<std::string> order; // written by the executor's thread, read after a wait
    std::vector<std::thread::id> threads;
    Graph g = graph();
    Buffer all = iota(g, "source", 0);
    for (const std::string name : {"a", "b", "c", "d"}) {
        HostNodeBuilder node = g.host(name, [&order, &threads, name](const HostBuffers&) {
            order.push_back(name);
            threads.push_back(std::this_thread::get_id());
            return Result<void>();
        });
        node.read(all);
        node.keep();
    }
    g.output("all", all);
    const auto plan = compile_graph(std::move(g));
    ASSERT_TRUE(plan);
    Running running = start(plan);
    running.execute(2);
    ASSERT_TRUE(running->wait());
    EXPECT_THAT(order, ElementsAre("a", "b", "c", "d", "a", "b", "c", "d"));
    EXPECT_EQ(std::ranges::count(threads, threads.front()), 8);
    EXPECT_NE(threads.front(), std::this_thread::get_id());
}

TEST_F(HostNodes, LetTheCallerGoOnWhileTheyWork) {
    std::atomic<bool> released = false;
    Graph g = graph();
    const Buffer source = iota(g, "source", 1);
    HostNodeBuilder node = g.host("slow", [&](const HostBuffers& buffers) -> Result<void> {
        const auto begin = std::chrono::steady_clock::now();
        while (!released) {
            if (std::chrono::steady_clock::now() - begin > std::chrono::seconds(60))
                return fail("test/stuck", "execute() has waited for the host node");
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        std::ranges::copy(buffers.read[0], buffers.written[0].begin());
        return {};
    });
    node.read(source);
    g.output("result", doubled(g, node.write(g.buffer("copy", kWords))));
    Running running = start(std::move(g));
    ASSERT_TRUE(running);
    running.execute(2); // as many as are in flight
    released = true;
    EXPECT_EQ(running.buffer<std::uint32_t>("result")[3], 8u);
}

TEST_F(HostNodes, EndTheExecutionWithTheirError) {
    std::atomic<unsigned> calls = 0;
    std::atomic<unsigned> later = 0;
    Graph g = graph();
    const Buffer source = iota(g, "source", 1);
    HostNodeBuilder fails = g.host("fails", [&](const HostBuffers&) -> Result<void> {
        if (++calls < 3) return {};
        return fail("test/broken", "the wire is cut", "mend it");
    });
    fails.read(source);
    const Buffer made = fails.write(g.buffer("made", kWords));
    HostNodeBuilder follows = g.host("follows", [&](const HostBuffers&) -> Result<void> {
        ++later;
        return {};
    });
    follows.read(made);
    g.output("result", doubled(g, follows.write(g.buffer("more", kWords))));
    Running running = start(std::move(g), {.frames_in_flight = 8});
    ASSERT_TRUE(running);
    ASSERT_TRUE(running->execute());
    ASSERT_TRUE(running->execute());
    ASSERT_TRUE(running->wait());
    (void)running->execute();
    for (unsigned i = 0; i < 5; ++i)
        (void)running->execute(); // some may be under way before the third has failed
    const Result<void> waited = running->wait();
    ASSERT_FALSE(waited);
    EXPECT_EQ(waited.error().front().code, "test/broken");
    EXPECT_THAT(waited.error().front().message, HasSubstr("node 'fails': the wire is cut"));
    EXPECT_EQ(waited.error().front().hint, "mend it");
    EXPECT_EQ(calls, 3u);
    EXPECT_EQ(later, 2u);
    EXPECT_FALSE(running->execute());
    const auto read = running->read_buffer("result");
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().front().code, "test/broken");
}

TEST_F(HostNodes, OfAnotherExecutorGoOnAfterOneHasFailed) {
    Graph broken = graph();
    HostNodeBuilder node = broken.host(
        "fails", [](const HostBuffers&) -> Result<void> { return fail("test/broken", "no"); });
    broken.output("result", node.write(broken.buffer("made", kWords)));
    Running first = start(std::move(broken));
    Running second = start(recurrence());
    ASSERT_TRUE(first);
    ASSERT_TRUE(second);
    for (unsigned i = 0; i < 3; ++i) {
        (void)first->execute();
        second.execute();
    }
    EXPECT_FALSE(first->wait());
    EXPECT_EQ(second.buffer<std::uint32_t>("result"), expected_after(3));
}

/// Nothing hangs. The thread of the host calls the device, too, and ends where such a call fails.
TEST_F(HostNodes, SurviveCallsThatFail) {
    unsigned submissions_failed = 0;
    for (std::uint64_t nth = 1; nth <= 10; ++nth) {
        Running running = start(recurrence(), {.frames_in_flight = 3});
        ASSERT_TRUE(running);
        running.execute(4);
        ASSERT_TRUE(running->wait());
        bool executed = false;
        {
            testing_gpu::FailingCalls calls(device().impl(), testing_gpu::Fault::out_of_memory,
                                            nth);
            executed = running->execute().has_value();
            const Result<void> waited = running->wait();
            if (!waited) {
                EXPECT_EQ(waited.error().front().code, "gpu/out-of-memory");
            }
            if (!waited && calls.failed() == "vkQueueSubmit2") ++submissions_failed;
        }
        if (!running->wait()) {
            EXPECT_FALSE(running->execute());
            continue;
        }
        running.execute();
        EXPECT_EQ(running.buffer<std::uint32_t>("result"), expected_after(executed ? 6 : 5));
    }
    EXPECT_GT(submissions_failed, 0u);
}

TEST_F(HostNodes, AreTimed) {
    Graph g = graph();
    HostNodeBuilder node = g.host("sleep", [](const HostBuffers&) -> Result<void> {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        return {};
    });
    node.read(iota(g, "source", 1));
    g.output("result", node.write(g.buffer("made", kWords)));
    Running running = run(std::move(g));
    ASSERT_TRUE(running->wait());
    const std::vector<NodeTiming> nodes = running->timings().nodes;
    const auto timing = std::ranges::find(nodes, "sleep", &NodeTiming::name);
    ASSERT_NE(timing, nodes.end());
    EXPECT_EQ(timing->queue, Queue::host);
    EXPECT_GE(timing->milliseconds, 20.0);
}

TEST_F(HostNodes, CannotBeRecordedForAHost) {
    Running running = start(recurrence());
    ASSERT_TRUE(running);
    // A handle that is not null: the plan is refused before it is used.
    const auto commands = reinterpret_cast<VkCommandBuffer>(std::uintptr_t{8});
    const Result<void> refused = record(*running, commands, VK_QUEUE_FAMILY_IGNORED);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().front().code, "gpu/plan-queues");
    EXPECT_THAT(refused.error().front().message, HasSubstr("host nodes"));
}

} // namespace
} // namespace tuff
