// Several graphs on one device at once: each gives what it gives alone.

#include "host_fixture.hpp"

#include <functional>

namespace tuff::testing_gpu {
namespace {

constexpr unsigned kRounds = 6;

class HostSeveral : public HostTest {
  protected:
    /// Counts its executions, so that none may be lost, come twice or see another's memory.
    Graph counting(std::uint32_t first) {
        Graph g = graph();
        const BufferHistory count = g.history_buffer("count", kWords, 1, first);
        const Buffer table = g.constant_buffer(
            "table", kWords, bytes_of(std::vector<std::uint32_t>{1, 10, 100, 1000}));
        const Buffer next = test::sum(g, count.previous[0], table, count.current);
        g.output("words", test::doubled(g, g.copy(next, g.buffer("copy", kWords))));
        return g;
    }
    using Frame = std::function<void(Executor&)>;

    Frame submitted() {
        return [](Executor& executor) { EXPECT_TRUE(executor.execute()); };
    }
    Frame recorded(HostCommands& commands) {
        return [&](Executor& executor) {
            const VkCommandBuffer buffer = commands.begin();
            EXPECT_TRUE(record(executor, buffer));
            commands.end_and_submit(buffer);
            commands.wait_idle();
        };
    }
    std::vector<std::vector<std::uint32_t>> alone(Device& device, std::uint32_t first,
                                                  const Frame& frame) {
        Executor executor = executor_on(device, counting(first));
        std::vector<std::vector<std::uint32_t>> all;
        for (unsigned round = 0; round < kRounds; ++round) {
            frame(executor);
            all.push_back(words(executor, "words"));
        }
        return all;
    }
};

TEST_F(HostSeveral, GraphsOfOneDeviceTakeTurns) {
    Device device = adopted(description());
    HostCommands commands(host());
    const std::vector<Frame> frames{submitted(), recorded(commands), submitted()};
    std::vector<std::vector<std::vector<std::uint32_t>>> expected;
    for (std::uint32_t i = 0; i < frames.size(); ++i)
        expected.push_back(alone(device, 7 * i, frames[i]));
    EXPECT_NE(expected[0], expected[1]);

    std::vector<Executor> executors;
    for (std::uint32_t i = 0; i < frames.size(); ++i)
        executors.push_back(executor_on(device, counting(7 * i)));
    for (unsigned round = 0; round < kRounds; ++round) {
        // All are under way before any is read, and in another order each time.
        for (std::size_t i = 0; i < executors.size(); ++i) {
            const std::size_t turn = (i + round) % executors.size();
            frames[turn](executors[turn]);
        }
        for (std::size_t i = 0; i < executors.size(); ++i)
            EXPECT_EQ(words(executors[i], "words"), expected[i][round]) << i << ", round " << round;
    }
}

TEST_F(HostSeveral, AGraphMayEndWhileAnotherOfItsConstantsRuns) {
    Device device = adopted(description());
    const auto expected = alone(device, 3, submitted());
    Executor stays = executor_on(device, counting(3));
    for (unsigned round = 0; round < kRounds; ++round) {
        Executor passing = executor_on(device, counting(100 + round));
        ASSERT_TRUE(passing.execute());
        ASSERT_TRUE(stays.execute());
    }
    EXPECT_EQ(words(stays, "words"), expected.back());
}

TEST_F(HostSeveral, DevicesOfOneHostAreAdoptedSideBySide) {
    // The same VkDevice, adopted twice: two parts of a program that do not know each other.
    Device first = adopted(description());
    Device second = adopted(description());
    const auto expected = alone(first, 5, submitted());
    Executor one = executor_on(first, counting(5));
    Executor other = executor_on(second, counting(5));
    for (unsigned round = 0; round < kRounds; ++round) {
        ASSERT_TRUE(one.execute());
        ASSERT_TRUE(other.execute());
        EXPECT_EQ(words(other, "words"), expected[round]);
        EXPECT_EQ(words(one, "words"), expected[round]);
    }
}

} // namespace
} // namespace tuff::testing_gpu
