#include "tests/gpu/gpu_fixture.hpp"

#include <tuff/watch.hpp>

#include <fmt/format.h>

/// What kernels assert, in graphs that C++ builds.
namespace tuff {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing_gpu::Running;

class AssertionsTest : public testing_gpu::GpuTest {
  protected:
    /// Runs test/asserting, which counts a number up to 5 in place, in the loop that `body` makes.
    Buffer count(Graph& g, Buffer number, std::uint32_t limit) {
        auto node = g.compute("test/asserting");
        const Buffer next = node.write("number", number);
        node.set("limit", limit);
        node.dispatch(1);
        return next;
    }
    Diagnostics told(Running& running) {
        auto told = running->warnings();
        EXPECT_TRUE(told) << to_string(told.error());
        return told ? *told : Diagnostics{};
    }
    Buffer zero(Graph& g) { return g.fill(g.buffer("number", {.size = 4}), 0, "zero"); }
};

TEST_F(AssertionsTest, EachNodeIsToldOfItself) {
    Graph g = graph();
    g.output("result", g.repeat("count", 5, zero(g),
                                [&](Buffer number, std::uint32_t) { return count(g, number, 3); }));
    Running running = run(std::move(g), 2);
    const Diagnostics all = told(running);
    ASSERT_THAT(all, SizeIs(2)) << to_string(all);
    EXPECT_THAT(all[0].message, HasSubstr("node 'count[3]/asserting', line 14: assert(number.value "
                                          "<= params.limit) does not hold in 4 invocations, first "
                                          "in (0, 0, 0)"));
    EXPECT_THAT(all[1].message, HasSubstr("node 'count[4]/asserting'"));
}

TEST_F(AssertionsTest, IterationsThatAreSkippedFailNot) {
    Graph g = graph();
    const auto loop = g.repeat_until("count", 8, zero(g), [&](Buffer number, std::uint32_t) {
        const Buffer next = count(g, number, 1);
        auto test = g.compute("test/at_least");
        test.read("source", next);
        const Buffer done = test.write("done", g.buffer("done", {.size = 4}));
        test.set("bound", 3u);
        test.dispatch(1);
        return Step{next, done};
    });
    g.output("result", loop.state);
    Running running = run(std::move(g));
    EXPECT_THAT(told(running), SizeIs(2)) << "2 and 3 are more than 1; no more are counted";
}

TEST_F(AssertionsTest, AreNotLookedAtWhereTheyAreOff) {
    Graph g = graph();
    g.output("result", count(g, zero(g), 0));
    auto plan = compile(without_assertions(std::move(g).finish()), device().caps());
    ASSERT_TRUE(plan) << to_string(plan.error());
    Running running = start(std::make_shared<const Plan>(std::move(*plan)));
    running.execute();
    EXPECT_THAT(told(running), IsEmpty());
    EXPECT_EQ(running.buffer<std::uint32_t>("result"), std::vector<std::uint32_t>{1});
}

} // namespace
} // namespace tuff
