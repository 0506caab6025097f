#include "primitive_test.hpp"

namespace tuff {
namespace {

using passes::Groups;
using passes::Length;
using testing::ElementsAre;
using testing_gpu::Running;

using ElementsTest = testing_gpu::PrimitiveTest;

TEST_F(ElementsTest, TheDeviceCountsTheGroupsThatTheCpuCounts) {
    for (const std::uint32_t n : {0u, 1u, 64u, 65u, 65535u * 64, 65535u * 64 + 1, 1u << 29}) {
        for (const std::uint32_t most : {n, passes::kMaxElements}) {
            Graph g = graph();
            const Length length{.most = most, .count = count(g, n)};
            g.output("groups", passes::groups_for(g, length, 64).arguments);
            Running running = run(std::move(g));
            Graph other = graph();
            const Groups direct = passes::groups_for(other, {.most = n}, 64);
            EXPECT_THAT(running.buffer<std::uint32_t>("groups"),
                        ElementsAre(direct.x, direct.y, 1));
            EXPECT_GE(std::uint64_t{direct.x} * direct.y * 64, n);
            EXPECT_LE(direct.x, 65535u);
        }
    }
}

TEST_F(ElementsTest, ACountBeyondTheRoomCountsAsTheRoom) {
    Graph g = graph();
    g.output("groups", passes::groups_for(g, {.most = 640, .count = count(g, ~0u)}, 64).arguments);
    EXPECT_THAT(run(std::move(g)).buffer<std::uint32_t>("groups"), ElementsAre(10, 1, 1));
}

} // namespace
} // namespace tuff
