// What executions leave for later ones goes on in other executors, bit by bit.

#include "tests/common/word_kernels.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <tuff/graph_runner.hpp>
#include <tuff/pass.hpp>

#include <functional>

namespace tuff::testing_gpu {
namespace {

using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using Words = std::vector<std::uint32_t>;

class HistoryTest : public GpuTest {
  protected:
    static constexpr BufferDesc kWords{.size = 64 * 4, .stride = 4};

    /// Executions so far, in every word; from another number of words a graph of another structure.
    static Buffer count(Graph& g, std::string_view name, const BufferDesc& desc = kWords) {
        const BufferHistory total = g.history_buffer(name, desc);
        const Buffer one = g.fill(g.buffer("one", desc), 1);
        return test::sum(g, one, total.previous[0], total.current);
    }
    /// Copies of its own, since outputs may be no histories.
    static void show(Graph& g, std::string_view name, Buffer buffer) {
        g.output(name, g.copy(buffer, g.buffer(name, g.desc(buffer))));
    }
    void execute(GraphRunner& runner, Graph g, int times = 1) {
        const auto taken = runner.take(std::move(g).finish(), shaders());
        ASSERT_TRUE(taken) << to_string(taken.error());
        for (int i = 0; i < times; ++i)
            ASSERT_TRUE(runner.executor()->execute());
    }
    static Words read(GraphRunner& runner, std::string_view output) {
        const auto bytes = runner.executor()->read_buffer(output);
        EXPECT_TRUE(bytes);
        if (!bytes) return {};
        Words words(bytes->size() / 4);
        std::memcpy(words.data(), bytes->data(), bytes->size());
        return words;
    }
    /// Each way in which a runner replaces what runs.
    void for_each_runner(const std::function<void(GraphRunner&)>& test) {
        for (const bool both : {false, true}) {
            SCOPED_TRACE(both ? "both at once" : "one after the other");
            GraphRunner runner(device(), {.keep_until_replaced = both});
            test(runner);
        }
    }
};

/// Fills a history of any kind with bytes that differ everywhere, and reads them back.
TEST_F(HistoryTest, KeepsEveryMipLayerSliceAspectAndCopy) {
    const ImageDesc images[] = {
        {.format = Format::rgba16_sfloat, .extent = {13, 7, 1}, .mips = 4},
        {.format = Format::r8_uint,
         .extent = {5, 3, 1},
         .mips = 2,
         .layers = 3,
         .shape = ImageShape::d2_array},
        {.format = Format::rgba32_uint, .extent = {6, 5, 9}, .mips = 3, .shape = ImageShape::d3},
        {.format = Format::d32_sfloat, .extent = {9, 4, 1}},
    };
    for (const ImageDesc& desc : images) {
        SCOPED_TRACE(info(desc.format).name);
        Graph g = graph();
        const ImageHistory history = g.history_image("kept", desc, 2);
        const Image before = g.copy(history.previous[1], history.current);
        g.output("seen", g.copy(before, g.image("seen", desc)));
        Running running = start(std::move(g));
        ASSERT_TRUE(running);
        ASSERT_THAT(running->histories(), SizeIs(1));
        const HistoryInfo& info = running->histories().front();
        EXPECT_EQ(info.name, "kept");
        EXPECT_EQ(info.depth, 2u);

        std::vector<std::byte> contents(packed_bytes(info));
        for (std::size_t i = 0; i < contents.size(); ++i)
            contents[i] = std::byte((i * 131 + i / 251) % 120); // finite floats
        ASSERT_TRUE(running->write_history(0, contents));
        EXPECT_EQ(*running->read_history(0), contents);
        // Of three copies the last was written two executions ago; it comes first then.
        running.execute();
        const std::size_t each = contents.size() / 3;
        const std::vector<std::byte> after = *running->read_history(0);
        const auto copy = [&](const std::vector<std::byte>& all, std::size_t age) {
            const auto first = all.begin() + static_cast<std::ptrdiff_t>(age * each);
            return std::vector<std::byte>(first, first + static_cast<std::ptrdiff_t>(each));
        };
        EXPECT_EQ(copy(after, 1), copy(contents, 2));
        EXPECT_EQ(copy(after, 2), copy(contents, 1));
        EXPECT_EQ(copy(after, 0), copy(contents, 2));
    }
}

TEST_F(HistoryTest, IsLargerThanOneTrip) {
    const BufferDesc large{.size = (std::uint64_t{33} << 20) + 4, .stride = 4};
    Graph g = graph();
    const BufferHistory history = g.history_buffer("large", large);
    show(g, "seen", g.copy(history.previous[0], history.current));
    Running running = start(std::move(g));
    ASSERT_TRUE(running);
    std::vector<std::byte> contents(2 * large.size);
    for (std::size_t i = 0; i < contents.size(); ++i)
        contents[i] = std::byte((i + i / 255) & 255);
    ASSERT_TRUE(running->write_history(0, contents));
    EXPECT_TRUE(*running->read_history(0) == contents);
}

TEST_F(HistoryTest, RefusesContentsOfAnotherSize) {
    Graph g = graph();
    show(g, "count", count(g, "total"));
    Running running = start(std::move(g));
    ASSERT_TRUE(running);
    const auto written = running->write_history(0, std::vector<std::byte>(12));
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().front().code, "gpu/history-size");
}

TEST_F(HistoryTest, OfSeveralSamplesIsNothingForTheHost) {
    Graph g = graph();
    const ImageDesc desc{.format = Format::rgba8_unorm, .extent = {4, 4, 1}, .samples = 4};
    const ImageHistory history = g.history_image("samples", desc);
    (void)g.copy(history.previous[0], history.current);
    Running running = start(std::move(g));
    ASSERT_TRUE(running);
    const auto contents = running->read_history(0);
    ASSERT_FALSE(contents);
    EXPECT_EQ(contents.error().front().code, "gpu/history-samples");
    EXPECT_THAT(contents.error().front().message, HasSubstr("samples"));
}

TEST_F(HistoryTest, StepsBackToWhatTheLastExecutionFound) {
    for (const std::uint32_t depth : {1u, 2u, 3u}) {
        SCOPED_TRACE(depth);
        const auto build = [&] {
            Graph g = graph();
            const BufferHistory history = g.history_buffer("fibonacci", kWords, depth, 1);
            show(g, "next",
                 test::sum(g, history.previous[0], history.previous[depth - 1], history.current));
            return g;
        };
        Running expected = run(build(), 7);
        Running running = run(build(), 7);
        ASSERT_TRUE(expected && running);
        for (int i = 0; i < 3; ++i) {
            running->step_back();
            running.execute();
        }
        EXPECT_EQ(running.buffer<std::uint32_t>("next"), expected.buffer<std::uint32_t>("next"));
        running.execute(2);
        expected.execute(2);
        EXPECT_EQ(running.buffer<std::uint32_t>("next"), expected.buffer<std::uint32_t>("next"));
    }
}

TEST_F(HistoryTest, GoesOnWhereAnotherResultIsLookedAt) {
    for_each_runner([&](GraphRunner& runner) {
        const auto build = [&](bool other_view) {
            Graph g = graph();
            const Buffer counted = count(g, "total");
            show(g, "count", counted);
            if (other_view)
                show(g, "twice", test::doubled(g, g.copy(counted, g.buffer("copy", kWords))));
            return g;
        };
        execute(runner, build(false), 3);
        execute(runner, build(true), 2);
        EXPECT_EQ(runner.compilations(), 2u);
        EXPECT_TRUE(runner.has_carried_history());
        EXPECT_THAT(read(runner, "twice"), Each(10u));
        execute(runner, build(false));
        EXPECT_THAT(read(runner, "count"), Each(6u));
        EXPECT_THAT(runner.take_restarted(), IsEmpty());
    });
}

TEST_F(HistoryTest, BeginsAgainWithAWarningWhereItsDescriptionChanged) {
    for_each_runner([&](GraphRunner& runner) {
        const auto build = [&](std::uint64_t size) {
            Graph g = graph();
            show(g, "count", count(g, "total", {.size = size, .stride = 4}));
            show(g, "other", count(g, "other"));
            return g;
        };
        execute(runner, build(64), 3);
        execute(runner, build(128), 2);
        EXPECT_THAT(read(runner, "count"), Each(2u));
        EXPECT_THAT(read(runner, "other"), Each(5u)) << "it is alike";
        const Diagnostics told = runner.take_restarted();
        ASSERT_THAT(told, SizeIs(1));
        EXPECT_EQ(told.front().code, "graph/history-restarted");
        EXPECT_EQ(told.front().severity, Severity::warning);
        EXPECT_THAT(told.front().message, HasSubstr("'total'"));
        EXPECT_THAT(told.front().message, HasSubstr("64 bytes"));
        EXPECT_THAT(told.front().message, HasSubstr("128 bytes"));
        EXPECT_THAT(runner.take_restarted(), IsEmpty()) << "told once";
    });
}

/// A pass of two histories, of which one says how long the other has been kept.
struct Pair {
    std::uint64_t size = 64;
    Buffer state = {};
    Buffer age = {};

    static constexpr std::string_view kName = "test/pair";
    static void describe(PassInfo<Pair>& info) { info.summary("Counts twice"); }
    void build(Graph& graph) {
        const auto counted = [&](std::string_view name, const BufferDesc& desc) {
            const BufferHistory total = graph.history_buffer(name, desc);
            const Buffer one = graph.fill(graph.buffer("one", desc), 1);
            const Buffer next = test::sum(graph, one, total.previous[0], total.current);
            return graph.copy(next, graph.buffer(name, desc));
        };
        state = counted("state", {.size = size, .stride = 4});
        age = counted("age", {.size = 4, .stride = 4});
    }
};

TEST_F(HistoryTest, OfAPassBeginsAgainAsAWhole) {
    for_each_runner([&](GraphRunner& runner) {
        const auto build = [&](std::uint64_t size) {
            Graph g = graph();
            const Pair first = g.add(Pair{.size = size}, "first");
            const Pair second = g.add(Pair{}, "second");
            g.output("state", first.state);
            g.output("age", first.age);
            g.output("other", second.age);
            return g;
        };
        execute(runner, build(64), 3);
        execute(runner, build(32));
        EXPECT_THAT(read(runner, "state"), Each(1u));
        EXPECT_THAT(read(runner, "age"), Each(1u)) << "it is the age of the state";
        EXPECT_THAT(read(runner, "other"), Each(4u));
        const Diagnostics told = runner.take_restarted();
        ASSERT_THAT(told, SizeIs(1));
        EXPECT_THAT(told.front().message, HasSubstr("'first/state'"));
        EXPECT_THAT(told.front().hint, HasSubstr("'first'"));
    });
}

TEST_F(HistoryTest, BeginsAgainInAGraphThatHasNothingToDoWithTheOneBefore) {
    const auto build = [&](bool more) {
        Graph g = graph();
        show(g, "count", count(g, "total"));
        if (more) show(g, "other", count(g, "other"));
        return g;
    };
    for_each_runner([&](GraphRunner& runner) {
        for (const bool more : {false, true}) { // of the same structure, and of another
            execute(runner, build(false), 3);
            runner.forget();
            execute(runner, build(more));
            EXPECT_THAT(read(runner, "count"), Each(1u));
            EXPECT_THAT(runner.take_restarted(), IsEmpty());
            runner.forget();
        }
    });
}

TEST_F(HistoryTest, GoesOnWhereConstantWorkTurnsOutToChange) {
    const auto build = [&](std::uint32_t base) {
        Graph g = graph();
        const Buffer fixed = test::doubled(g, test::iota(g, "fixed", kWords, 7));
        const Buffer step =
            test::sum(g, fixed, test::iota(g, "values", kWords, base), g.buffer("step", kWords));
        const BufferHistory total = g.history_buffer("total", kWords);
        show(g, "total", test::sum(g, step, total.previous[0], total.current));
        return g;
    };
    GraphRunner runner(device(), {.compile = {.constant = ConstantWork::once}});
    Words expected(64, 0);
    for (std::uint32_t base = 0; base < 4; ++base) {
        execute(runner, build(base));
        for (std::uint32_t i = 0; i < 64; ++i)
            expected[i] += 2 * (7 + i) + base + i;
        EXPECT_EQ(read(runner, "total"), expected);
    }
    EXPECT_EQ(runner.compilations(), 2u);
    EXPECT_TRUE(runner.plan()->setup) << "the fixed part is still constant";
}

} // namespace
} // namespace tuff::testing_gpu
