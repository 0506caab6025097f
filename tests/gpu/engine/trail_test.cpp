// Marks that nodes leave, and what the error of a lost device says by them.

#include "gpu/execute/trail.hpp"
#include "host_fixture.hpp"

#include <array>
#include <cstring>

namespace tuff::testing_gpu {
namespace {

using testing::HasSubstr;
using testing::Not;

class TrailTest : public HostTest {
  protected:
    /// Three fills, one after the other, of which none is left out.
    Graph fills() {
        Graph graph;
        for (const char* name : {"first", "second", "third"})
            graph.output(name, graph.fill(graph.buffer("words", kWords), 7, name));
        return graph;
    }
    std::shared_ptr<const Plan> plan() {
        auto compiled = compile(fills().finish(), device().caps(), {});
        EXPECT_TRUE(compiled);
        return std::make_shared<const Plan>(std::move(*compiled));
    }
};

std::array<std::byte, Trail::kBytes> marks(std::uint32_t begun, std::uint32_t ended) {
    const std::array<std::uint32_t, 2> words{begun, ended};
    std::array<std::byte, Trail::kBytes> bytes{};
    std::memcpy(bytes.data(), words.data(), sizeof(words));
    return bytes;
}

TEST_F(TrailTest, NamesTheNodesThatBeganAndEndedLast) {
    const std::shared_ptr<const Plan> three = plan();
    EXPECT_THAT(Trail::text(*three, marks(0, 0)), HasSubstr("no node had begun"));
    EXPECT_THAT(Trail::text(*three, marks(1, 0)), HasSubstr("'first' had begun and none ended"));
    EXPECT_THAT(Trail::text(*three, marks(3, 2)),
                HasSubstr("'third' had begun, and 'second' ended before it"));
    EXPECT_THAT(Trail::text(*three, marks(3, 3)),
                HasSubstr("'third' had ended and none begun after it"));
    EXPECT_EQ(Trail::text(*three, marks(4, 9)), "") << "memory that holds no marks";
    EXPECT_THAT(Trail::text(*three, marks(1, 0)), Not(HasSubstr("compute")));
}

TEST_F(TrailTest, ALostDeviceSaysHowFarItGot) {
    Device lost = adopted(description());
    Executor executor = executor_on(lost, fills(), {}, {.trail = true});
    ASSERT_TRUE(executor.execute());
    ASSERT_TRUE(executor.wait());
    ASSERT_TRUE(executor.execute());
    ASSERT_EQ(device().impl().vk.vkDeviceWaitIdle(device().impl().handle), VK_SUCCESS);
    lost.impl().vk.vkWaitSemaphores = [](VkDevice, const VkSemaphoreWaitInfo*, std::uint64_t) {
        return VK_ERROR_DEVICE_LOST;
    };
    const auto failed = executor.wait();
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error()[0].code, "gpu/device-lost");
    EXPECT_THAT(failed.error()[0].message,
                HasSubstr("execution 2: on the queue \"graphics\" node 'third' had ended"));
}

TEST_F(TrailTest, LeavesResultsAsTheyAre) {
    for (const bool trail : {false, true}) {
        Executor executor = executor_on(device(), fills(), {}, {.trail = trail});
        for (int i = 0; i < 3; ++i)
            ASSERT_TRUE(executor.execute());
        const auto words = executor.read_buffer("second");
        ASSERT_TRUE(words) << to_string(words.error());
        for (std::size_t i = 0; i < words->size(); ++i)
            EXPECT_EQ((*words)[i], std::byte(i % 4 == 0 ? 7 : 0));
    }
}

} // namespace
} // namespace tuff::testing_gpu
