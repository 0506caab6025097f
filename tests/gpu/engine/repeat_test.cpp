#include "tests/common/word_kernels.hpp"
#include "tests/gpu/engine/loop_reference.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <algorithm>
#include <bit>
#include <tuple>

namespace tuff {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing_gpu::bytes_of;
using testing_gpu::collatz;
using testing_gpu::kWord;
using testing_gpu::LoopReference;
using testing_gpu::newton;
using testing_gpu::Running;
using Words = std::vector<std::uint32_t>;

class RepeatTest : public testing_gpu::GpuTest {
  protected:
    Buffer word(Graph& g, std::string_view name, std::uint32_t value) {
        return g.fill(g.buffer(name, kWord), value, name);
    }
    /// To a new buffer.
    Step<Buffer> newton_step(Graph& g, Buffer x, std::uint32_t square) {
        auto node = g.compute("test/newton");
        node.read("source", x);
        const Buffer next = node.write("target", g.buffer("next", kWord));
        const Buffer done = node.write("done", g.buffer("done", kWord));
        node.set("square", square);
        node.dispatch(1);
        return Step{next, done};
    }
    /// In place.
    Step<Buffer> collatz_step(Graph& g, Buffer n) {
        auto node = g.compute("test/collatz");
        const Buffer next = node.write("state", n);
        const Buffer done = node.write("done", g.buffer("done", kWord));
        node.dispatch(1);
        return Step{next, done};
    }
    Buffer at_least(Graph& g, Buffer value, std::uint32_t bound) {
        auto node = g.compute("test/at_least");
        node.read("source", value);
        const Buffer done = node.write("done", g.buffer("reached", kWord));
        node.set("bound", bound);
        node.dispatch(1);
        return done;
    }
    Buffer sum(Graph& g, Buffer a, Buffer b) { return test::sum(g, a, b, g.buffer("sum", kWord)); }
    Image doubled(Graph& g, Image source) {
        auto node = g.compute("test/double_image");
        node.read("source", source, Sampler::nearest());
        const Image result = node.write("target", g.image("doubled", g.desc(source)));
        node.dispatch_over(g.extent(source));
        return result;
    }
    LoopReference run_loop(Graph g, const Repeated<Buffer>& loop) {
        g.output("value", loop.state);
        g.output("iterations", loop.iterations);
        Running running = run(std::move(g), 2);
        const Words value = running.buffer<std::uint32_t>("value");
        const Words iterations = running.buffer<std::uint32_t>("iterations");
        if (value.empty() || iterations.empty()) return {~0u, ~0u};
        return {value[0], iterations[0]};
    }
};

TEST_F(RepeatTest, RunsTheBodyCountTimes) {
    Graph g = graph();
    const Buffer result = g.repeat("double", 10, word(g, "three", 3),
                                   [&](Buffer x, std::uint32_t) { return sum(g, x, x); });
    g.output("result", result);
    EXPECT_THAT(run(std::move(g)).buffer<std::uint32_t>("result"), ElementsAre(3 * 1024));
}

TEST_F(RepeatTest, StopsWhereALoopOnTheCpuStops) {
    struct Case {
        std::uint32_t square, start, max;
    };
    // A root at once, some steps, many, and too few iterations.
    for (const Case c :
         {Case{1, 1, 8}, Case{144, 12, 8}, Case{1'000'000, 1'000'000, 40}, Case{99, 99, 16},
          Case{4'000'000'000u, 65'536, 5}, Case{1'000'000, 1'000'000, 7}, Case{81, 81, 1}}) {
        Graph g = graph();
        const auto loop =
            g.repeat_until("solve", c.max, word(g, "guess", c.start),
                           [&](Buffer x, std::uint32_t) { return newton_step(g, x, c.square); });
        EXPECT_EQ(run_loop(std::move(g), loop), newton(c.square, c.start, c.max)) << c.square;
    }
}

TEST_F(RepeatTest, StopsABodyThatUpdatesInPlace) {
    for (const auto& [n, max] :
         {std::pair{27u, 120u}, {2u, 5u}, {27u, 110u}, {27u, 111u}, {7u, 40u}}) {
        Graph g = graph();
        const auto loop =
            g.repeat_until("collatz", max, word(g, "n", n),
                           [&](Buffer x, std::uint32_t) { return collatz_step(g, x); });
        EXPECT_EQ(run_loop(std::move(g), loop), collatz(n, max)) << n;
    }
}

TEST_F(RepeatTest, RunsNoIterationWhereNoneIsAllowed) {
    Graph g = graph();
    const auto loop = g.repeat_until("solve", 0, word(g, "guess", 9), [&](Buffer x, std::uint32_t) {
        return newton_step(g, x, 81);
    });
    EXPECT_EQ(run_loop(std::move(g), loop), (LoopReference{9, 0}));
}

TEST_F(RepeatTest, RunsNoIterationWhereTheFlagIsSetBefore) {
    for (const std::uint32_t flag : {0u, 3u}) {
        Graph g = graph();
        const auto loop = g.repeat_until(
            "solve", 10, word(g, "guess", 100),
            [&](Buffer x, std::uint32_t) { return newton_step(g, x, 100); },
            BufferView(word(g, "flag", flag)));
        EXPECT_EQ(run_loop(std::move(g), loop),
                  flag ? (LoopReference{100, 0}) : newton(100, 100, 10));
    }
}

TEST_F(RepeatTest, TheSafeModesChangeNothing) {
    for (const CompileOptions& options :
         {CompileOptions{.alias = AliasMode::off}, CompileOptions{.order = OrderMode::declared},
          CompileOptions{.barriers = BarrierMode::full}, CompileOptions{.poison = true}}) {
        Graph g = graph();
        const auto loop =
            g.repeat_until("solve", 30, word(g, "guess", 5000),
                           [&](Buffer x, std::uint32_t) { return newton_step(g, x, 5000); });
        g.output("value", loop.state);
        g.output("iterations", loop.iterations);
        Running running = start(compile_graph(std::move(g), options));
        running.execute(2);
        const LoopReference expected = newton(5000, 5000, 30);
        EXPECT_THAT(running.buffer<std::uint32_t>("value"), ElementsAre(expected.value));
        EXPECT_THAT(running.buffer<std::uint32_t>("iterations"), ElementsAre(expected.iterations));
    }
}

TEST_F(RepeatTest, LeavesTheImageThatAsManyPlainIterationsLeave) {
    Graph g = graph();
    const ImageDesc desc{.format = Format::rgba32_sfloat, .extent = {19, 7, 1}};
    auto node = g.compute("test/coordinates");
    const Image first = node.write("target", g.image("first", desc));
    node.dispatch_over(desc.extent);
    // The counter runs 1, 2, 3, ...; the loop ends at 5.
    const Buffer one = word(g, "one", 1);
    const auto loop =
        g.repeat_until("double", 9, std::tuple{first, word(g, "counter", 0)},
                       [&](std::tuple<Image, Buffer> state, std::uint32_t) {
                           const Buffer counter = sum(g, std::get<1>(state), one);
                           return Step{std::tuple{doubled(g, std::get<0>(state)), counter},
                                       at_least(g, counter, 5)};
                       });
    g.output("until", std::get<0>(loop.state));
    g.output("counter", std::get<1>(loop.state));
    g.output("plain",
             g.repeat("plain", 5, first, [&](Image x, std::uint32_t) { return doubled(g, x); }));
    Running running = run(std::move(g));
    EXPECT_THAT(running.buffer<std::uint32_t>("counter"), ElementsAre(5));
    const HostImage until = running.image("until");
    const HostImage plain = running.image("plain");
    ASSERT_FALSE(until.empty());
    for (std::uint32_t y = 0; y < 7; ++y)
        for (std::uint32_t x = 0; x < 19; ++x)
            ASSERT_EQ(until.texel(x, y), plain.texel(x, y)) << x << ", " << y;
    EXPECT_NE(until.texel(18, 6)[0], 0.0f);
}

TEST_F(RepeatTest, KeepsImagesOfWholeNumbersAndVolumes) {
    struct Kept {
        Format format;
        Extent extent;
        ImageShape shape = ImageShape::d2;
    };
    constexpr Kept kKept[] = {{Format::r32_uint, {19, 7, 1}},
                              {Format::r32_sint, {19, 7, 1}},
                              {Format::r32_sfloat, {9, 6, 5}, ImageShape::d3}};
    Graph g = graph();
    const Buffer one = word(g, "one", 1);
    for (std::uint32_t kind = 0; kind < std::size(kKept); ++kind) {
        const ImageDesc desc{
            .format = kKept[kind].format, .extent = kKept[kind].extent, .shape = kKept[kind].shape};
        const std::uint32_t count = desc.extent.width * desc.extent.height * desc.extent.depth;
        std::vector<std::uint32_t> words(count);
        for (std::uint32_t i = 0; i < count; ++i) // 0, 1, ...; signed: -50, -49, ...
            words[i] = kind == 2 ? std::bit_cast<std::uint32_t>(float(i)) : i - 50 * kind;
        const Image first = g.constant_image(fmt::format("first_{}", kind), desc, bytes_of(words));
        const auto loop = g.repeat_until(
            fmt::format("loop_{}", kind), 9, std::tuple{first, word(g, "counter", 0)},
            [&](std::tuple<Image, Buffer> state, std::uint32_t) {
                auto node = g.compute("test/add_one_texel", {{"KIND", kind}});
                node.read("source", std::get<0>(state), Sampler::nearest());
                const Image next = node.write("target", g.image("next", desc));
                node.dispatch_over(desc.extent);
                const Buffer counter = sum(g, std::get<1>(state), one);
                return Step{std::tuple{next, counter}, at_least(g, counter, 5)};
            });
        g.output(fmt::format("kept_{}", kind), std::get<0>(loop.state));
    }
    Running running = run(std::move(g), 2);
    for (std::uint32_t kind = 0; kind < std::size(kKept); ++kind) {
        const HostImage kept = running.image(fmt::format("kept_{}", kind));
        ASSERT_FALSE(kept.empty());
        const Extent extent = kKept[kind].extent;
        float expected = kind == 1 ? -45.0f : 5.0f;
        for (std::uint32_t z = 0; z < extent.depth; ++z)
            for (std::uint32_t y = 0; y < extent.height; ++y)
                for (std::uint32_t x = 0; x < extent.width; ++x)
                    ASSERT_EQ(kept.texel(x, y, z)[0], expected++) << kind << ": " << x << ", " << y;
    }
}

TEST_F(RepeatTest, PartsOfTheStateMayChangePlaces) {
    // Fibonacci: (a, b) becomes (b, a + b).
    Graph g = graph();
    const auto loop = g.repeat_until("fibonacci", 20, std::tuple{word(g, "a", 0), word(g, "b", 1)},
                                     [&](std::tuple<Buffer, Buffer> state, std::uint32_t) {
                                         const auto [a, b] = state;
                                         const Buffer next = sum(g, a, b);
                                         return Step{std::tuple{b, next}, at_least(g, next, 100)};
                                     });
    const auto swapped =
        g.repeat_until("swap", 4, loop.state, [&](std::tuple<Buffer, Buffer> state, std::uint32_t) {
            const auto [a, b] = state;
            return Step{std::tuple{b, a}, at_least(g, b, 100)};
        });
    g.output("a", std::get<0>(loop.state));
    g.output("b", std::get<1>(loop.state));
    g.output("iterations", loop.iterations);
    g.output("swapped_a", std::get<0>(swapped.state));
    g.output("swapped_b", std::get<1>(swapped.state));
    Running running = run(std::move(g));
    EXPECT_THAT(running.buffer<std::uint32_t>("a"), ElementsAre(89));
    EXPECT_THAT(running.buffer<std::uint32_t>("b"), ElementsAre(144));
    EXPECT_THAT(running.buffer<std::uint32_t>("iterations"), ElementsAre(11));
    EXPECT_THAT(running.buffer<std::uint32_t>("swapped_a"), ElementsAre(144));
    EXPECT_THAT(running.buffer<std::uint32_t>("swapped_b"), ElementsAre(89));
}

TEST_F(RepeatTest, GatesDispatchesThatTheDeviceCounts) {
    Graph g = graph();
    Buffer tally = word(g, "tally", 0);
    const auto loop = g.repeat_until("collatz", 12, word(g, "n", 5), [&](Buffer n, std::uint32_t) {
        auto counts = g.compute("test/group_counts");
        const Buffer arguments = counts.write("target", g.buffer("arguments", {.size = 12}));
        counts.set("groups", 6u);
        counts.dispatch(1);
        auto node = g.compute("test/tally");
        tally = node.write("target", tally);
        node.dispatch_indirect(arguments);
        return collatz_step(g, n);
    });
    g.output("tally", tally);
    g.output("iterations", loop.iterations);
    Running running = run(std::move(g), 2);
    EXPECT_THAT(running.buffer<std::uint32_t>("iterations"), ElementsAre(5));
    EXPECT_THAT(running.buffer<std::uint32_t>("tally"), ElementsAre(30));
}

TEST_F(RepeatTest, LoopsThatEndByThemselvesNestInPlainOnes) {
    // Each round starts from the steps of the round before, plus 20.
    Graph g = graph();
    const Buffer twenty = word(g, "twenty", 20);
    const Buffer result =
        g.repeat("rounds", 3, word(g, "start", 7), [&](Buffer start, std::uint32_t) {
            const Buffer n = g.copy(start, g.buffer("n", kWord));
            const auto loop = g.repeat_until(
                "collatz", 30, n, [&](Buffer x, std::uint32_t) { return collatz_step(g, x); });
            return sum(g, loop.iterations, twenty);
        });
    g.output("result", result);
    std::uint32_t expected = 7;
    for (int round = 0; round < 3; ++round)
        expected = collatz(expected, 30).iterations + 20;
    EXPECT_THAT(run(std::move(g)).buffer<std::uint32_t>("result"), ElementsAre(expected));
}

TEST_F(RepeatTest, LoopsThatEndByThemselvesNestInEachOther) {
    for (const std::uint32_t bound : {1u, 40u, 60u, 1000u}) {
        Graph g = graph();
        const auto loop =
            g.repeat_until("rounds", 5, word(g, "start", 12), [&](Buffer start, std::uint32_t) {
                const Buffer n = g.copy(start, g.buffer("n", kWord));
                const auto inner = g.repeat_until(
                    "collatz", 25, n, [&](Buffer x, std::uint32_t) { return collatz_step(g, x); });
                const auto root = g.repeat_until("root", 6, start, [&](Buffer x, std::uint32_t) {
                    return newton_step(g, x, 12);
                });
                const Buffer next = sum(g, sum(g, start, inner.iterations), root.iterations);
                return Step{next, at_least(g, next, bound)};
            });
        LoopReference expected{12, 0};
        while (expected.iterations < 5) {
            expected.value +=
                collatz(expected.value, 25).iterations + newton(12, expected.value, 6).iterations;
            ++expected.iterations;
            if (expected.value >= bound) break;
        }
        EXPECT_EQ(run_loop(std::move(g), loop), expected) << bound;
    }
}

} // namespace
} // namespace tuff
