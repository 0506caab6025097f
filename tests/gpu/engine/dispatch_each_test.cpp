#include "tests/gpu/gpu_fixture.hpp"

#include <cstdint>
#include <vector>

namespace tuff {
namespace {

using testing::Each;

class DispatchEach : public testing_gpu::GpuTest {
  protected:
    struct Found {
        std::vector<std::uint32_t> counts;
        std::uint32_t highest = 0; ///< of invocations beyond the last element
    };
    Found number(std::uint32_t count, std::uint32_t room, std::uint32_t group) {
        Graph g = graph();
        const Buffer zeros = g.fill(g.buffer("counts", {.size = 4ull * room}), 0);
        const Buffer none = g.fill(g.buffer("highest", {.size = 4}), 0);
        auto node = g.compute("test/number_each");
        node.specialize("local_size_x", group);
        node.set("count", count);
        g.output("counts", node.write("counts", zeros));
        g.output("highest", node.write("highest", none));
        node.dispatch_each(count);
        auto running = run(std::move(g));
        return {running.buffer<std::uint32_t>("counts"),
                running.buffer<std::uint32_t>("highest")[0]};
    }
};

TEST_F(DispatchEach, EveryElementHasOneInvocation) {
    const Found found = number(1000, 1024, 64);
    for (std::size_t i = 0; i < found.counts.size(); ++i)
        EXPECT_EQ(found.counts[i], i < 1000 ? 1u : 0u) << i;
}

TEST_F(DispatchEach, AlsoInTheSecondRowOfGroups) {
    constexpr std::uint32_t kCount = 70'001; // groups of one invocation: two rows of 35,001
    const Found found = number(kCount, kCount, 1);
    EXPECT_THAT(found.counts, Each(1u));
    EXPECT_EQ(found.highest, kCount);
}

TEST_F(DispatchEach, OneGroupRunsForNoElements) {
    EXPECT_EQ(number(0, 4, 32).highest, 31u);
}

} // namespace
} // namespace tuff
