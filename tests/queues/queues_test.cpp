// Plans for several queues, edited by hand so that every turn is taken on any device: by default
// all queues are one of the device's, with real semaphores between the submissions.

#include "dealt_plan.hpp"
#include "tests/common/word_kernels.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tuff::testing_gpu {
namespace {

using test::iota;
using test::sum;
using testing::Each;
using testing::ElementsAreArray;
using testing::Gt;
using testing::HasSubstr;
using testing::SizeIs;

using Words = std::vector<std::uint32_t>;

constexpr std::uint32_t kWordCount = 500;
constexpr BufferDesc kQueueWords{.size = kWordCount * 4, .stride = 4};
constexpr ImageDesc kSquare{.format = Format::rgba32_sfloat, .extent = {16, 16, 1}};
constexpr Queue kAllQueues[] = {Queue::compute, Queue::graphics, Queue::transfer};

class QueuesTest : public GpuTest {
  protected:
    Image coordinates(Graph& g, std::string_view name) {
        auto node = g.compute("test/coordinates", name);
        const Image result = node.write("target", g.image(name, kSquare));
        node.dispatch_over(kSquare.extent);
        return result;
    }
    Buffer bytes_of_image(Graph& g, Image image, std::string_view name) {
        return g.copy_to_buffer(image, g.buffer(name, {.size = 16 * 16 * 16}));
    }

    /// History, uploads, copies, kernels, a chain of images and a triangle.
    Graph everything() {
        Graph g = graph();
        const BufferHistory total = g.history_buffer("total", kQueueWords, 2);
        const Buffer uploaded =
            g.upload(g.buffer("uploaded", kQueueWords), bytes_of(Words(kWordCount, 3)));
        const Buffer table =
            g.constant_buffer("table", kQueueWords, bytes_of(Words(kWordCount, 7)));
        const Buffer step =
            sum(g, iota(g, "values", kQueueWords, 5), uploaded, g.buffer("step", kQueueWords));
        const Buffer more = sum(g, step, table, g.buffer("more", kQueueWords));
        const Buffer next = sum(g, more, total.previous[1], total.current);
        g.output("total", g.copy(next, g.buffer("copy", kQueueWords)));
        Image picture = coordinates(g, "picture");
        for (int i = 0; i < 3; ++i)
            picture = g.copy(picture, g.image(fmt::format("copy{}", i), kSquare));
        g.output("picture", bytes_of_image(g, picture, "texels"));
        g.output("triangle", triangle(g));
        return g;
    }
    Image triangle(Graph& g) {
        const std::vector<float> corners{-1, -1, 0, 1, 3, -1, 0, 1, -1, 3, 0, 1};
        auto node = g.raster("test/triangle");
        node.read("vertices", g.constant_buffer("corners", {.size = 48}, bytes_of(corners)));
        node.read("paint",
                  g.constant_buffer("red", {.size = 16}, bytes_of(std::vector<float>{1, 0, 0, 1})));
        node.draw({.count = 3});
        return node.color(g.image("target", {.format = Format::rgba8_unorm, .extent = {8, 8, 1}}),
                          cleared(0));
    }

    /// What the outputs of `everything` hold after each of some executions.
    std::vector<std::vector<std::byte>> contents(std::shared_ptr<const Plan> plan,
                                                 ExecutorOptions options = {}) {
        std::vector<std::vector<std::byte>> result;
        Running running = start(std::move(plan), options);
        for (int i = 0; i < 7; ++i)
            running.execute();
        for (const char* name : {"total", "picture"})
            result.push_back(running.buffer<std::byte>(name));
        result.push_back(running.image("triangle").texels);
        return result;
    }
    static std::shared_ptr<const Plan> shared(Plan plan) {
        return std::make_shared<const Plan>(std::move(plan));
    }
};

TEST_F(QueuesTest, PlansForSeveralQueuesGiveTheWordsOfThoseForOne) {
    const auto plan = compile_graph(everything(), {.order = OrderMode::declared});
    ASSERT_TRUE(plan);
    const auto expected = contents(plan);
    EXPECT_THAT(expected[0], testing::Contains(testing::Ne(std::byte{0})));
    const Queue two[] = {Queue::graphics, Queue::compute};
    for (const std::span<const Queue> queues : {std::span<const Queue>(kAllQueues), {two}}) {
        const auto dealt = shared(dealt_out(*plan, queues));
        ASSERT_GT(dealt->submissions.size(), 3u);
        for (const std::uint32_t in_flight : {1u, 2u, 3u})
            EXPECT_EQ(contents(dealt, {.frames_in_flight = in_flight}), expected);
        EXPECT_EQ(contents(dealt, {.timings = Timings::off, .recording_threads = 3}), expected);
    }
}

//   compute: picture --release--> main: texels
TEST_F(QueuesTest, AnImageIsHandedFromOneQueueToAnother) {
    Graph g = graph();
    g.output("texels", bytes_of_image(g, coordinates(g, "picture"), "texels"));
    const auto whole = compile_graph(std::move(g), {.layouts = LayoutMode::optimal});
    ASSERT_TRUE(whole);
    ASSERT_THAT(whole->levels, SizeIs(2));
    ASSERT_EQ(whole->levels[1].image_barrier_count, 1u);
    const Queue queues[] = {Queue::compute, Queue::graphics};
    Plan plan = dealt_out(*whole, queues);
    std::ranges::fill(plan.sharing, Sharing::exclusive);
    ImageBarrier& acquired = plan.image_barriers[plan.levels[1].first_image_barrier];
    acquired.from_queue = Queue::compute;
    acquired.to_queue = Queue::graphics;
    plan.levels[0].first_release = static_cast<std::uint32_t>(plan.image_barriers.size());
    plan.levels[0].release_count = 1;
    plan.image_barriers.push_back(ImageBarrier(acquired));

    Running expected = start(whole);
    Running running = start(shared(std::move(plan)));
    expected.execute();
    for (int i = 0; i < 4; ++i) {
        running.execute();
        EXPECT_EQ(running.buffer<float>("texels"), expected.buffer<float>("texels"));
    }
}

TEST_F(QueuesTest, ResourcesThatAreAlikeMayBeOneObject) {
    // One node after another and all of memory apart, so that lives which do not meet are safe.
    const auto plan = compile_graph(
        everything(),
        {.alias = AliasMode::off, .order = OrderMode::declared, .barriers = BarrierMode::full});
    ASSERT_TRUE(plan);
    const Plan sharing = with_shared_objects(*plan);
    std::size_t guests = 0;
    for (std::uint32_t i = 0; i < sharing.allocations.size(); ++i)
        if (sharing.allocations[i].block != ~0u && sharing.allocations[i].object.index != i)
            ++guests;
    ASSERT_GT(guests, 0u);
    EXPECT_EQ(contents(shared(sharing)), contents(plan));
}

TEST_F(QueuesTest, AnObjectThatDiffersIsRefused) {
    Graph g = graph();
    g.output("small", coordinates(g, "small"));
    g.output("words", iota(g, "words", kQueueWords, 1));
    Plan plan = *compile_graph(std::move(g));
    std::vector<std::uint32_t> transient;
    for (std::uint32_t i = 0; i < plan.allocations.size(); ++i)
        if (plan.allocations[i].block != ~0u) transient.push_back(i);
    ASSERT_GE(transient.size(), 2u);
    plan.allocations[transient[1]].object = {transient[0]};
    const auto refused = Executor::create(device(), shaders(), shared(std::move(plan)));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error()[0].code, "gpu/plan-memory");
}

TEST_F(QueuesTest, ADeviceThatLacksAQueueRefusesThePlan) {
    auto plain = Device::open({.select = default_device_selection()});
    ASSERT_TRUE(plain);
    if (plain->caps().async_compute) GTEST_SKIP() << "this device has a compute queue";
    const Queue queues[] = {Queue::graphics, Queue::compute};
    const auto plan = shared(dealt_out(*compile_graph(everything()), queues));
    const auto refused = Executor::create(*plain, shaders(), plan);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error()[0].code, "gpu/plan-queues");
    EXPECT_THAT(refused.error()[0].message, HasSubstr("compute queue"));
}

TEST_F(QueuesTest, TimingsTellTheQueueOfEveryNode) {
    const auto plan =
        shared(dealt_out(*compile_graph(everything(), {.order = OrderMode::declared}), kAllQueues));
    Running running = start(plan);
    running.execute(3);
    ASSERT_TRUE(running->wait());
    const ExecutionTimings timings = running->timings();
    ASSERT_THAT(timings.nodes, SizeIs(plan->order.size()));
    std::vector<Queue> expected(plan->order.size());
    for (const Level& level : plan->levels)
        for (std::uint32_t i = 0; i < level.node_count; ++i)
            expected[level.first_node + i] = level.queue;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_EQ(timings.nodes[i].queue, expected[i]);
        EXPECT_GE(timings.nodes[i].start, 0.0);
        EXPECT_LE(timings.nodes[i].start + timings.nodes[i].milliseconds,
                  timings.milliseconds + 1e-6);
    }
    EXPECT_EQ(timings.execution, 3u);
    EXPECT_EQ(timings.milliseconds > 0.0, device().caps().timestamp_period_ns > 0.0);
}

} // namespace
} // namespace tuff::testing_gpu
