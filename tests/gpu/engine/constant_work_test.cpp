#include "tests/common/word_kernels.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <tuff/graph_runner.hpp>

namespace tuff {
namespace {

using Words = std::vector<std::uint32_t>;

/// Work that runs once, on the device, and what makes it run again.
class ConstantWorkTest : public testing_gpu::GpuTest {
  protected:
    static constexpr std::uint32_t kCount = 64;
    static constexpr BufferDesc kWords{.size = kCount * 4, .stride = 4};

    /// Adds (base, base + 1, ...) in each execution to what there was.
    GraphDesc growing(std::uint32_t base) {
        Graph g = graph();
        const Buffer step = test::doubled(g, test::iota(g, "values", kWords, base));
        const BufferHistory total = g.history_buffer("total", kWords, 1);
        const Buffer next = test::sum(g, step, total.previous[0], total.current);
        g.output("total", g.copy(next, g.buffer("copy", kWords)));
        return std::move(g).finish();
    }
    /// The sum of two rows of numbers.
    GraphDesc summed(std::uint32_t left, std::uint32_t right) {
        Graph g = graph();
        const Buffer a = test::doubled(g, test::iota(g, "left", kWords, left));
        const Buffer b = test::iota(g, "right", kWords, right);
        g.output("sum", test::sum(g, a, b, g.buffer("sum", kWords)));
        return std::move(g).finish();
    }
    Words read(GraphRunner& runner, std::string_view output) {
        const auto bytes = runner.executor()->read_buffer(output);
        EXPECT_TRUE(bytes);
        Words words(kCount);
        if (bytes) std::memcpy(words.data(), bytes->data(), kWords.size);
        return words;
    }
    void execute(GraphRunner& runner, GraphDesc graph, int times = 1) {
        ASSERT_TRUE(runner.take(std::move(graph), shaders()));
        for (int i = 0; i < times; ++i)
            ASSERT_TRUE(runner.executor()->execute());
    }
};

TEST_F(ConstantWorkTest, RunsAgainWhenItsParametersAreSet) {
    GraphRunner runner(device(), {.compile = {.constant = ConstantWork::once}});
    execute(runner, growing(5), 3);
    ASSERT_TRUE(runner.plan()->setup);
    EXPECT_EQ(runner.plan()->statistics.constant, 2u);
    // Room in blocks of transient memory may be asked for in larger steps.
    EXPECT_GE(runner.executor()->memory().kept, kWords.size);
    EXPECT_GE(runner.plan()->statistics.kept_bytes, runner.executor()->memory().kept);
    // By the executor itself: a runner would compile what changes apart.
    ASSERT_TRUE(runner.executor()->set_parameters(growing(100).parameters));
    ASSERT_TRUE(runner.executor()->execute());
    ASSERT_TRUE(runner.executor()->execute());
    const Words total = read(runner, "total");
    for (std::uint32_t i = 0; i < kCount; ++i)
        EXPECT_EQ(total[i], 3 * 2 * (5 + i) + 2 * 2 * (100 + i));
    // The last run of the constant work is still told.
    EXPECT_EQ(runner.executor()->timings().setup.size(), 2u);
}

TEST_F(ConstantWorkTest, KeepsWhatIsLeftOnceAParameterTurnsOutToChange) {
    GraphRunner runner(device(), {.compile = {.constant = ConstantWork::once}});
    execute(runner, summed(1, 2));
    EXPECT_FALSE(runner.plan()->setup); // nothing changes so far
    for (std::uint32_t right = 3; right < 6; ++right) {
        execute(runner, summed(1, right));
        const Words sum = read(runner, "sum");
        for (std::uint32_t i = 0; i < kCount; ++i)
            EXPECT_EQ(sum[i], 2 * (1 + i) + right + i);
    }
    EXPECT_EQ(runner.compilations(), 2u);
    ASSERT_TRUE(runner.plan()->setup);
    EXPECT_EQ(runner.plan()->setup->order.size(), 2u); // of the left row
}

TEST_F(ConstantWorkTest, AGraphThatCannotBeCompiledChangesNothing) {
    GraphRunner runner(device(), {.compile = {.constant = ConstantWork::once}});
    execute(runner, summed(1, 2));
    execute(runner, summed(1, 3)); // the right row turns out to change
    ASSERT_EQ(runner.compilations(), 2u);
    Graph wrong = graph();
    const BufferHistory total = wrong.history_buffer("total", kWords, 1);
    wrong.output("total", test::sum(wrong, total.previous[0], total.previous[0], total.current));
    ASSERT_FALSE(runner.take(std::move(wrong).finish(), shaders()));
    execute(runner, summed(1, 4));
    const Words sum = read(runner, "sum");
    for (std::uint32_t i = 0; i < kCount; ++i)
        EXPECT_EQ(sum[i], 2 * (1 + i) + 4 + i);
    EXPECT_EQ(runner.compilations(), 2u);
}

TEST_F(ConstantWorkTest, AnotherRunBeginsWithEmptyHistoriesOnTheSamePlan) {
    GraphRunner runner(device(), {.compile = {.constant = ConstantWork::once}});
    runner.begin_again(); // nothing has run
    execute(runner, growing(5), 3);
    runner.begin_again();
    execute(runner, growing(100), 2);
    const Words total = read(runner, "total");
    for (std::uint32_t i = 0; i < kCount; ++i)
        EXPECT_EQ(total[i], 2 * 2 * (100 + i));
    EXPECT_EQ(runner.compilations(), 1u);
}

TEST_F(ConstantWorkTest, AnotherRunsParametersAreNotTakenForChanging) {
    GraphRunner runner(device(), {.compile = {.constant = ConstantWork::once}});
    for (std::uint32_t right = 3; right < 6; ++right) {
        runner.begin_again();
        execute(runner, summed(1, right));
        const Words sum = read(runner, "sum");
        for (std::uint32_t i = 0; i < kCount; ++i)
            EXPECT_EQ(sum[i], 2 * (1 + i) + right + i);
    }
    EXPECT_EQ(runner.compilations(), 1u);
}

} // namespace
} // namespace tuff
