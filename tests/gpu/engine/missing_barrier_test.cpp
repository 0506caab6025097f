// The harness can fail: a plan that lost a barrier makes the validation layer speak.

#include "tests/common/word_kernels.hpp"
#include "tests/gpu/gpu_fixture.hpp"

namespace tuff {
namespace {

using test::doubled;
using test::iota;
using test::sum;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing_gpu::Running;

class MissingBarrierTest : public testing_gpu::GpuTest {
  protected:
    static constexpr BufferDesc kWords{.size = 4000, .stride = 4};
    static constexpr ImageDesc kSquare{.format = Format::rgba32_sfloat, .extent = {8, 8, 1}};

    Image coordinates(Graph& g) {
        auto node = g.compute("test/coordinates");
        const Image result = node.write("target", g.image("image", kSquare));
        node.dispatch_over(kSquare.extent);
        return result;
    }
    /// Runs the graph with the batch of barriers before `level` taken away; gives what the layer
    /// says.
    std::vector<std::string> messages_without_barrier(Graph g, std::size_t level = 1,
                                                      unsigned executions = 1) {
        const auto plan = compile_graph(std::move(g));
        if (!plan || plan->levels.size() <= level || !plan->levels[level].has_barriers()) {
            ADD_FAILURE() << "the plan has no barrier to take away";
            return {};
        }
        auto broken = std::make_shared<Plan>(*plan);
        broken->levels[level].memory = {};
        broken->levels[level].image_barrier_count = 0;
        return messages_of(std::move(broken), executions);
    }
    std::vector<std::string> messages_of(std::shared_ptr<const Plan> plan, unsigned executions) {
        Running running = start(std::move(plan));
        running.execute(executions);
        if (running) {
            EXPECT_TRUE(running->wait());
        }
        return take_messages();
    }
};

TEST_F(MissingBarrierTest, IsCaughtBetweenAFillAndAKernel) {
    Graph g = graph();
    g.output("values", doubled(g, g.fill(g.buffer("values", kWords), 1)));
    EXPECT_THAT(messages_without_barrier(std::move(g)),
                testing::Contains(HasSubstr("SYNC-HAZARD")));
}

TEST_F(MissingBarrierTest, IsCaughtBetweenAKernelAndACopy) {
    Graph g = graph();
    g.output("copy", g.copy(iota(g, "values", kWords, 5), g.buffer("copy", kWords)));
    EXPECT_THAT(messages_without_barrier(std::move(g)),
                testing::Contains(HasSubstr("SYNC-HAZARD-READ-AFTER-WRITE")));
}

// Between a kernel's write and another's update in place the layer (1.3.239) sees no hazard, so a
// missing barrier there is for the tests of the compiler to find.
TEST_F(MissingBarrierTest, IsCaughtBetweenTwoKernels) {
    Graph g = graph();
    g.output("sum",
             sum(g, iota(g, "a", kWords, 1), iota(g, "b", kWords, 2), g.buffer("sum", kWords)));
    EXPECT_THAT(messages_without_barrier(std::move(g)),
                testing::Contains(HasSubstr("SYNC-HAZARD")));
}

TEST_F(MissingBarrierTest, IsCaughtBetweenAKernelAndASampler) {
    Graph g = graph();
    const Image written = coordinates(g);
    auto node = g.compute("test/increment_image");
    node.read("source", written, Sampler::nearest());
    const Image result = node.write("target", g.image("result", kSquare));
    node.dispatch_over(kSquare.extent);
    g.output("result", result);
    EXPECT_THAT(messages_without_barrier(std::move(g)), Not(IsEmpty()));
}

// Each execution is a submission: what is missing between two of them takes two to be seen.
TEST_F(MissingBarrierTest, IsCaughtBetweenTheBuffersOfTwoExecutions) {
    for (const unsigned executions : {1u, 2u}) {
        Graph g = graph();
        g.output("copy", g.copy(iota(g, "values", kWords, 5), g.buffer("copy", kWords)));
        const std::vector<std::string> messages =
            messages_without_barrier(std::move(g), 0, executions);
        EXPECT_EQ(messages.empty(), executions == 1) << testing::PrintToString(messages);
    }
}

TEST_F(MissingBarrierTest, IsCaughtBetweenTheImagesOfTwoExecutions) {
    for (const unsigned executions : {1u, 2u}) {
        Graph g = graph();
        const Image written = coordinates(g);
        g.output("copy", g.copy(written, g.image("copy", kSquare)));
        const auto plan = compile_graph(std::move(g));
        ASSERT_TRUE(plan);
        // Changes of layout stay, but wait for nothing.
        auto hasty = std::make_shared<Plan>(*plan);
        const Level& first = hasty->levels[0];
        ASSERT_EQ(first.image_barrier_count, 1u);
        ImageBarrier& barrier = hasty->image_barriers[first.first_image_barrier];
        barrier.source_stages = stage::kNone;
        barrier.source_memory = memory::kNone;
        const std::vector<std::string> messages = messages_of(std::move(hasty), executions);
        EXPECT_EQ(messages.empty(), executions == 1) << testing::PrintToString(messages);
    }
}

// The other way round: a buffer's bytes are an image's later, and the next execution's fill waits
// for the image's readers, who waited for the buffer's. The layer takes that for a hazard, and the
// harness knows better.
TEST_F(MissingBarrierTest, IsNotSeenWhereAnImageHeldTheBytesOfABuffer) {
    constexpr ImageDesc kPicture{.format = Format::rgba32_sfloat, .extent = {32, 32, 1}};
    constexpr BufferDesc kBytes{.size = 16 * 32 * 32, .stride = 4};
    Graph g = graph();
    const Buffer filled = g.fill(g.buffer("filled", kBytes), 1);
    const Buffer twice = sum(g, filled, filled, g.buffer("twice", kBytes));
    auto node = g.compute("test/words_image");
    node.read("source", twice);
    const Image picture = node.write("target", g.image("picture", kPicture));
    node.dispatch_over(kPicture.extent);
    g.output("picture", picture);
    const auto plan = compile_graph(std::move(g));
    ASSERT_TRUE(plan);
    ASSERT_EQ(plan->levels[0].memory.source_stages, stage::kCopy) << "waits for the image alone";
    EXPECT_THAT(messages_of(plan, 3), IsEmpty());
}

} // namespace
} // namespace tuff
