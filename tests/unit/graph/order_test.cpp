#include "sketch.hpp"

namespace tuff {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

//        +-> left --+
//  top --|          |--> bottom
//        +-> right -+
TEST(Order, ADiamondTakesThreeLevels) {
    Sketch s;
    const Buffer top = s.write("top", s.buffer("t"));
    const Buffer left = s.step("left", top, s.buffer("l"));
    const Buffer right = s.step("right", top, s.buffer("r"));
    auto bottom = s.graph.custom("bottom");
    bottom.read(left, Access::storage_read);
    bottom.read(right, Access::storage_read);
    bottom.keep();
    EXPECT_THAT(levels_of(s.plan()), ElementsAre(ElementsAre("top"), ElementsAre("left", "right"),
                                                 ElementsAre("bottom")));
}

TEST(Order, FollowsDataNotDeclaration) {
    Sketch s;
    const Buffer data = s.buffer("data");
    auto reader = s.graph.custom("reader");
    reader.keep();
    const Buffer written = s.write("writer", data);
    reader.read(written, Access::storage_read); // declared first, runs last
    EXPECT_THAT(levels_of(s.plan()), ElementsAre(ElementsAre("writer"), ElementsAre("reader")));
}

TEST(Order, IndependentNodesShareOneLevelInTheOrderOfDeclaration) {
    Sketch s;
    for (const char* name : {"c", "a", "b"})
        s.graph.output(name, s.write(name, s.buffer(name)));
    EXPECT_THAT(levels_of(s.plan()), ElementsAre(ElementsAre("c", "a", "b")));
}

TEST(Order, ReadersComeBeforeTheOverwriterOfTheirVersion) {
    Sketch s;
    const Buffer old = s.write("write", s.buffer("data"));
    const Buffer updated = s.write("overwrite", old); // declared before the reader of `old`
    s.read("read old", old);
    s.read("read new", updated);
    EXPECT_THAT(levels_of(s.plan()),
                ElementsAre(ElementsAre("write"), ElementsAre("read old"), ElementsAre("overwrite"),
                            ElementsAre("read new")));
}

TEST(Order, ASourceWaitsUntilItIsNeeded) {
    Sketch s;
    const Buffer late = s.write("late", s.buffer("late")); // declared first, needed last
    Buffer data = s.write("1", s.buffer("1"));
    data = s.step("2", data, s.buffer("2"));
    auto end = s.graph.custom("3");
    end.read(data, Access::storage_read);
    end.read(late, Access::storage_read);
    end.keep();
    EXPECT_THAT(levels_of(s.plan()),
                ElementsAre(ElementsAre("1"), ElementsAre("late", "2"), ElementsAre("3")));
}

TEST(Order, ASourceThatIsNeededTwiceRunsBeforeTheFirst) {
    Sketch s;
    const Buffer shared = s.write("shared", s.buffer("shared"));
    const Buffer a = s.step("early", shared, s.buffer("a"));
    auto late = s.graph.custom("late");
    late.read(shared, Access::storage_read);
    late.read(a, Access::storage_read);
    late.keep();
    EXPECT_THAT(levels_of(s.plan()),
                ElementsAre(ElementsAre("shared"), ElementsAre("early"), ElementsAre("late")));
}

TEST(Order, DeclaredKeepsTheOrderOfTheProgram) {
    Sketch s;
    const Buffer late = s.write("late", s.buffer("late"));
    const Buffer first = s.write("1", s.buffer("1"));
    const Buffer second = s.step("2", first, s.buffer("2"));
    auto end = s.graph.custom("3");
    end.read(second, Access::storage_read);
    end.read(late, Access::storage_read);
    end.keep();
    const Plan plan = s.plan({.order = OrderMode::declared});
    EXPECT_THAT(names_of(plan.graph, plan.order), ElementsAre("late", "1", "2", "3"));
    EXPECT_THAT(levels_of(plan),
                ElementsAre(ElementsAre("late", "1"), ElementsAre("2"), ElementsAre("3")));
}

TEST(Order, DeclaredStillPutsWritersBeforeTheirReaders) {
    Sketch s;
    auto reader = s.graph.custom("reader");
    reader.keep();
    reader.read(s.write("writer", s.buffer("data")), Access::storage_read);
    const Plan plan = s.plan({.order = OrderMode::declared});
    EXPECT_THAT(names_of(plan.graph, plan.order), ElementsAre("writer", "reader"));
}

// `a` reads the old x and what `b` makes; `b` overwrites x: each would have to go first.
TEST(Order, ACycleIsReportedWithItsNodes) {
    Sketch s;
    const Buffer x = s.write("x", s.buffer("x"));
    auto b = s.graph.custom("b");
    (void)b.write(x, Access::storage_write);
    const Buffer z = b.write(s.buffer("z"), Access::storage_write);
    auto a = s.graph.custom("a");
    a.read(x, Access::storage_read);
    a.read(z, Access::storage_read);
    a.keep();
    s.read("after", s.step("behind", z, s.buffer("w")));
    const Result<Plan> plan = s.compile();
    ASSERT_THAT(codes(plan), ElementsAre("graph/cycle"));
    EXPECT_THAT(plan.error()[0].message, HasSubstr("'b' -> 'a' -> 'b'"));
    EXPECT_THAT(plan.error()[0].message, Not(HasSubstr("behind")));
    EXPECT_FALSE(plan.error()[0].hint.empty());
}

TEST(Order, ALongCycleIsShortenedInTheMessage) {
    Sketch s;
    const Buffer x = s.write("x", s.buffer("x"));
    auto head = s.graph.custom("head");
    (void)head.write(x, Access::storage_write);
    Buffer data = head.write(s.buffer("0"), Access::storage_write);
    for (int i = 0; i < 40; ++i)
        data = s.step("link" + std::to_string(i), data, s.buffer("link"));
    auto tail = s.graph.custom("tail");
    tail.read(x, Access::storage_read);
    tail.read(data, Access::storage_read);
    tail.keep();
    const Result<Plan> plan = s.compile();
    ASSERT_THAT(codes(plan), ElementsAre("graph/cycle"));
    EXPECT_THAT(plan.error()[0].message, HasSubstr("..."));
    EXPECT_LT(plan.error()[0].message.size(), 400u);
}

TEST(Order, ACycleAmongCulledNodesIsNoneOfOurs) {
    Sketch s;
    const Buffer x = s.write("x", s.buffer("x"));
    auto b = s.graph.custom("b");
    (void)b.write(x, Access::storage_write);
    const Buffer z = b.write(s.buffer("z"), Access::storage_write);
    auto a = s.graph.custom("a");
    a.read(x, Access::storage_read);
    a.read(z, Access::storage_read);
    EXPECT_THAT(codes(s.compile()), SizeIs(0));
}

// --- size ----------------------------------------------------------------------------------------

// Paths through a chain of diamonds double with each: a walk that visits every path never ends.
TEST(OrderSize, AChainOfDiamondsHasAsManyConstraintsAsEdges) {
    constexpr std::uint32_t kDiamonds = 667; // 2,001 nodes
    Sketch s;
    Buffer data = s.write("start", s.buffer("start", 4));
    for (std::uint32_t d = 0; d < kDiamonds; ++d) {
        const Buffer left = s.step("left", data, s.buffer("left", 4));
        const Buffer right = s.step("right", data, s.buffer("right", 4));
        auto join = s.graph.custom("join");
        join.read(left, Access::storage_read);
        join.read(right, Access::storage_read);
        data = join.write(s.buffer("join", 4), Access::storage_write);
    }
    s.graph.output("result", data);
    const Plan plan = s.plan();
    EXPECT_EQ(plan.statistics.nodes, 1 + 3 * kDiamonds);
    EXPECT_EQ(plan.statistics.levels, 1 + 2 * kDiamonds);
    EXPECT_LE(plan.reasons.size(), 10 * kDiamonds);
}

TEST(OrderSize, ALadderOfTwentyThousandNodesCompiles) {
    constexpr std::uint32_t kNodes = 20'000;
    Sketch s;
    Buffer data = s.write("start", s.buffer("rung", 4));
    for (std::uint32_t n = 1; n < kNodes; ++n)
        data = s.step("rung", data, s.buffer("rung", 4));
    s.graph.output("result", data);
    const Plan plan = s.plan();
    EXPECT_EQ(plan.statistics.levels, kNodes);
    EXPECT_EQ(plan.statistics.transient_bytes, 512u); // two rungs at a time
}

TEST(OrderSize, ALongHistoryOfPartialWritesOfOneResourceCompiles) {
    constexpr std::uint32_t kSteps = 5'000;
    Sketch s;
    Buffer data = s.write("start", s.buffer("data", 4));
    for (std::uint32_t n = 0; n < kSteps; ++n) {
        s.read("look", data);
        data = s.write("write", data);
    }
    s.graph.output("result", data);
    EXPECT_EQ(s.plan().statistics.levels, 1 + 2 * kSteps);
}

TEST(OrderSize, AWideLevelCompiles) {
    constexpr std::uint32_t kWidth = 5'000;
    Sketch s;
    for (std::uint32_t n = 0; n < kWidth; ++n)
        s.read("read", s.write("write", s.buffer("data", 4)));
    EXPECT_EQ(s.plan().statistics.levels, 2u);
}

} // namespace
} // namespace tuff
