// When commands are recorded again: where something that they contain has changed, once for each
// copy of them that is kept, and never else.

#include "steady_fixture.hpp"

#include <array>

namespace tuff::testing_steady {
namespace {

using test::iota;
using test::sum;

class RecordingTest : public SteadyTest {
  protected:
    /// Adds what the host gave, words from `frame` on, and what the last execution left.
    Graph adding(std::uint32_t frame) {
        Graph g = graph();
        const Buffer mine = g.import_buffer("mine", kWords, {});
        const BufferHistory total = g.history_buffer("total", kWords);
        const Buffer step =
            sum(g, iota(g, "values", kWords, frame), mine, g.buffer("step", kWords));
        g.output("total",
                 g.copy(sum(g, step, total.previous[0], total.current), g.buffer("copy", kWords)));
        return g;
    }

    /// A buffer that holds `word` everywhere.
    HostBuffer filled(std::uint32_t word) {
        HostBuffer buffer = make_buffer();
        const std::vector<std::uint32_t> words(kCount, word);
        std::memcpy(buffer.bytes.data(), words.data(), buffer.bytes.size());
        return buffer;
    }

    /// Of the buffer output `name`.
    static std::uint32_t first_word(Executor& executor, std::string_view name) {
        const auto bytes = executor.read_buffer(name);
        std::uint32_t word = 0;
        if (bytes)
            std::memcpy(&word, bytes->data(), sizeof(word));
        else
            ADD_FAILURE() << to_string(bytes.error());
        return word;
    }

    /// Executes `count` times; the executions among them that recorded.
    static std::uint64_t recorded_in(Executor& executor, std::uint64_t count) {
        const std::uint64_t before = executor.recordings();
        for (std::uint64_t i = 0; i < count; ++i)
            EXPECT_TRUE(executor.execute());
        return executor.recordings() - before;
    }
};

TEST_F(RecordingTest, ImportsThatTakeTurnsReplay) {
    for (const std::size_t images : {1u, 2u, 3u, 4u}) { // of a swapchain, say
        std::vector<HostBuffer> buffers;
        for (std::uint32_t i = 0; i < images; ++i)
            buffers.push_back(filled(10 * (i + 1)));
        Executor executor = start(adding(0), {.frames_in_flight = 2});
        std::uint32_t expected = 0;
        std::size_t turn = 0;
        const auto frames = [&] {
            bool fine = true;
            for (std::uint64_t i = 0; i < kFrames; ++i, ++turn) {
                const HostBuffer& buffer = buffers[turn % images];
                fine = bind_import(executor, "mine", buffer.buffer.get()) && executor.execute() &&
                       fine;
                expected += 10 * static_cast<std::uint32_t>(turn % images + 1);
            }
            EXPECT_TRUE(fine);
        };
        frames();
        EXPECT_EQ(first_word(executor, "total"), expected);
        const CountedCalls calls(device_->impl());
        frames();
        const Counts counts = calls.counts();
        EXPECT_EQ(first_word(executor, "total"), expected);
        EXPECT_EQ(counts.recordings, 0u) << images << " images";
        EXPECT_EQ(counts.commands, 0u) << images << " images";
        EXPECT_EQ(counts.descriptor_writes, 0u) << images << " images";
        EXPECT_EQ(counts.allocations, 0u) << images << " images";
        EXPECT_EQ(counts.submissions, kFrames);
    }
}

TEST_F(RecordingTest, MoreImportsThanAreKeptRecordAgainAndAreRight) {
    std::vector<HostBuffer> buffers;
    for (std::uint32_t i = 0; i < 5; ++i)
        buffers.push_back(filled(i + 1));
    Executor executor = start(adding(0), {.frames_in_flight = 2, .kept_imports = 3});
    std::uint32_t expected = 0;
    for (std::uint32_t i = 0; i < 2 * kFrames; ++i) {
        ASSERT_TRUE(bind_import(executor, "mine", buffers[i % 5].buffer.get()));
        ASSERT_TRUE(executor.execute());
        expected += i % 5 + 1;
    }
    EXPECT_EQ(executor.recordings(), 2 * kFrames);
    EXPECT_EQ(first_word(executor, "total"), expected);
}

TEST_F(RecordingTest, AnImportThatChangesForGoodIsRecordedOnceForEachCopyOfTheCommands) {
    const HostBuffer first = filled(1);
    const HostBuffer second = filled(100);
    Executor executor = start(adding(0), {.frames_in_flight = 2});
    ASSERT_TRUE(bind_import(executor, "mine", first.buffer.get()));
    // Two executions in flight, which keep step with the two turns of the history.
    EXPECT_EQ(recorded_in(executor, 16), 2u);
    ASSERT_TRUE(bind_import(executor, "mine", first.buffer.get()));
    EXPECT_EQ(recorded_in(executor, 16), 0u);
    ASSERT_TRUE(bind_import(executor, "mine", second.buffer.get()));
    EXPECT_EQ(recorded_in(executor, 16), 2u);
    EXPECT_EQ(first_word(executor, "total"), 32u + 1600u);
}

TEST_F(RecordingTest, AForgottenImportIsRecordedAgainEvenUnderTheSameHandle) {
    const HostBuffer buffer = filled(7);
    Executor executor = start(adding(0), {.frames_in_flight = 2, .kept_imports = 2});
    ASSERT_TRUE(bind_import(executor, "mine", buffer.buffer.get()));
    EXPECT_EQ(recorded_in(executor, 6), 2u);
    ASSERT_TRUE(executor.wait());
    forget_import(executor, buffer.buffer.get());
    const auto unbound = executor.execute();
    ASSERT_FALSE(unbound);
    EXPECT_EQ(unbound.error()[0].code, "gpu/import-missing");
    ASSERT_TRUE(bind_import(executor, "mine", buffer.buffer.get()));
    const CountedCalls calls(device_->impl());
    EXPECT_EQ(recorded_in(executor, 6), 2u);
    EXPECT_GT(calls.counts().descriptor_writes, 0u);
    EXPECT_EQ(first_word(executor, "total"), 12u * 7u);
}

TEST_F(RecordingTest, TimingsThatAreSwitchedAreRecordedOnceForEachCopyOfTheCommands) {
    const HostBuffer buffer = filled(1);
    Executor executor = start(adding(0), {.frames_in_flight = 2, .timings = Timings::off});
    ASSERT_TRUE(bind_import(executor, "mine", buffer.buffer.get()));
    EXPECT_EQ(recorded_in(executor, 8), 2u);
    const std::size_t nodes = executor.plan().order.size();
    const auto timed = [&] {
        EXPECT_TRUE(executor.wait());
        return executor.timings();
    };
    EXPECT_EQ(timed().milliseconds, 0.0);
    for (const Timings timings : {Timings::nodes, Timings::executions, Timings::off}) {
        ASSERT_TRUE(executor.set_timings(timings));
        // Those that have run were not timed so, and say what they were.
        ASSERT_TRUE(executor.set_timings(timings));
        EXPECT_EQ(recorded_in(executor, 8), 2u);
        EXPECT_EQ(timed().nodes.size(), timings == Timings::nodes ? nodes : 0u);
        if (device_->caps().timestamp_period_ns > 0.0) {
            EXPECT_EQ(timed().milliseconds > 0.0, timings != Timings::off);
        }
    }
    EXPECT_EQ(first_word(executor, "total"), 32u);
}

TEST_F(RecordingTest, TimingsOfASlotAreThoseItWasRecordedWith) {
    const HostBuffer buffer = filled(1);
    Executor executor = start(adding(0), {.frames_in_flight = 2, .timings = Timings::nodes});
    ASSERT_TRUE(bind_import(executor, "mine", buffer.buffer.get()));
    ASSERT_TRUE(executor.execute());
    ASSERT_TRUE(executor.set_timings(Timings::executions));
    ASSERT_TRUE(executor.execute());
    ASSERT_TRUE(executor.wait());
    const std::vector<ExecutionTimings> recent = executor.recent_timings();
    ASSERT_EQ(recent.size(), 2u);
    EXPECT_EQ(recent[0].nodes.size(), executor.plan().order.size());
    EXPECT_EQ(recent[1].nodes.size(), 0u);
}

TEST_F(RecordingTest, WithoutReplayEveryFrameIsRecordedAndTheWordsAreTheSame) {
    const HostBuffer buffer = filled(3);
    std::array<std::vector<std::byte>, 2> words;
    for (const Replay replay : {Replay::on, Replay::off}) {
        Executor executor = start(adding(0), {.replay = replay});
        ASSERT_TRUE(bind_import(executor, "mine", buffer.buffer.get()));
        for (std::uint32_t frame = 0; frame < kFrames; ++frame) {
            ASSERT_TRUE(executor.set_parameters(adding(frame).finish().parameters));
            ASSERT_TRUE(executor.execute());
        }
        EXPECT_EQ(executor.recordings(), replay == Replay::on ? 2u : kFrames);
        words[static_cast<std::size_t>(replay)] = executor.read_buffer("total").value();
    }
    EXPECT_EQ(words[0], words[1]);
}

TEST_F(RecordingTest, ParametersReachTheDeviceHoweverFewOfThemChange) {
    // Each block changed alone, in either slot, and back again.
    constexpr std::uint32_t kNodes = 40;
    const auto build = [&](std::uint32_t changed, std::uint32_t base) {
        Graph g = graph();
        for (std::uint32_t i = 0; i < kNodes; ++i)
            g.output("values" + std::to_string(i),
                     iota(g, "values" + std::to_string(i), kWords, i == changed ? base : 1000 * i));
        return g;
    };
    Executor executor = start(build(~0u, 0), {});
    for (std::uint32_t changed = 0; changed < kNodes; changed += 3) {
        ASSERT_TRUE(executor.set_parameters(build(changed, changed + 7).finish().parameters));
        ASSERT_TRUE(executor.execute());
        for (const std::uint32_t i : {changed, (changed + 1) % kNodes, (changed + 37) % kNodes})
            EXPECT_EQ(first_word(executor, "values" + std::to_string(i)),
                      i == changed ? changed + 7 : 1000 * i);
    }
}

} // namespace
} // namespace tuff::testing_steady
