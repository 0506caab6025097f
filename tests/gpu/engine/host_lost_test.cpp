// A lost device: every call says so, and everything ends in order.

#include "host_fixture.hpp"

namespace tuff::testing_gpu {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

template <typename... Arguments>
VKAPI_ATTR VkResult VKAPI_CALL lost(Arguments...) {
    return VK_ERROR_DEVICE_LOST;
}

template <typename... Arguments>
void lose_call(VkResult(VKAPI_PTR*& function)(Arguments...)) {
    function = lost<Arguments...>;
}

/// From now on whatever Vulkan says may lose the device does.
void lose(DeviceImpl& device) {
    VolkDeviceTable& vk = device.vk;
    lose_call(vk.vkQueueSubmit2);
    lose_call(vk.vkQueueWaitIdle);
    lose_call(vk.vkDeviceWaitIdle);
    lose_call(vk.vkWaitSemaphores);
    lose_call(vk.vkGetSemaphoreCounterValue);
    lose_call(vk.vkWaitForFences);
    lose_call(vk.vkGetFenceStatus);
    lose_call(vk.vkGetEventStatus);
    lose_call(vk.vkGetQueryPoolResults);
}

template <typename T>
void expect_lost(const Result<T>& result) {
    ASSERT_FALSE(result);
    EXPECT_THAT(codes(result), ElementsAre("gpu/device-lost"));
    EXPECT_NE(result.error()[0].hint, "");
}

/// Is content with anything.
struct Content {
    static Content read(std::span<const std::uint32_t>) { return {}; }
    Diagnostics warnings() const { return {}; }
};

class HostLost : public HostTest {
  protected:
    Graph counting() {
        Graph g = graph();
        const BufferHistory count = g.history_buffer("count", kWords, 1, 1);
        const Buffer next = test::sum(g, count.previous[0], count.previous[0], count.current);
        const Buffer words = g.copy(next, g.buffer("copy", kWords));
        g.status<Content>(words);
        g.output("words", words);
        g.output("picture", g.clear(g.image("picture", kPicture), std::array<float, 4>{}));
        return g;
    }
};

TEST_F(HostLost, EveryCallSaysSoAndEverythingEnds) {
    std::vector<std::string> told;
    {
        HostDevice described = description();
        described.on_message = [&](std::string_view message) { told.emplace_back(message); };
        Device device = adopted(described);
        Executor submits = executor_on(device, counting());
        ASSERT_TRUE(submits.execute());
        ASSERT_TRUE(submits.wait());
        Executor records = executor_on(device, counting());
        HostCommands commands(host());
        for (int i = 0; i < 2; ++i) {
            const VkCommandBuffer buffer = commands.begin();
            ASSERT_TRUE(record(records, buffer));
            commands.end_and_submit(buffer);
        }
        commands.wait_idle();

        lose(device.impl());
        for (int again = 0; again < 2; ++again) {
            expect_lost(submits.execute());
            expect_lost(execute(submits, {}, {}));
            expect_lost(submits.wait());
            expect_lost(submits.read_buffer("words"));
            expect_lost(submits.read_image("picture"));
            expect_lost(submits.warnings());
            expect_lost(submits.reset_history());
            expect_lost(record(records, commands.begin()));
            expect_lost(records.read_buffer("words"));
            expect_lost(records.wait());
            expect_lost(device.wait_idle());
        }
        const auto memory = memory_model(device);
        auto plan = compile(counting().finish(), device.caps(), {.memory = memory.get()});
        ASSERT_TRUE(plan);
        expect_lost(
            Executor::create(device, shaders(), std::make_shared<const Plan>(std::move(*plan))));
        EXPECT_EQ(submits.timings().execution, 0u); // nobody can tell any more
        EXPECT_TRUE(output_image(submits, "picture"));
        EXPECT_TRUE(told.empty()); // all of it was returned
    }
    // What could not be returned: the ends of both executors.
    EXPECT_THAT(told, ElementsAre(HasSubstr("gpu/device-lost"), HasSubstr("gpu/device-lost")));

    // The program goes on with another device.
    Device next = adopted(description());
    Executor executor = executor_on(next, counting());
    ASSERT_TRUE(executor.execute());
    EXPECT_THAT(words(executor, "words"), testing::Each(2u));
}

TEST_F(HostLost, BetweenSubmissionAndEnd) {
    Device device = adopted(description());
    Executor executor = executor_on(device, counting(), {}, {.frames_in_flight = 1});
    ASSERT_TRUE(executor.execute());
    // The submission went well; only the wait for it finds out.
    host().vk.vkDeviceWaitIdle(host().handle);
    lose_call(device.impl().vk.vkWaitSemaphores);
    expect_lost(executor.execute());
    expect_lost(executor.read_buffer("words"));
    expect_lost(executor.warnings());
}

TEST_F(HostLost, WhereItHasJustBegun) {
    Device device = adopted(description());
    Executor executor = executor_on(device, counting());
    HostCommands commands(host());
    lose(device.impl());
    expect_lost(record(executor, commands.begin()));
    expect_lost(executor.execute());
}

} // namespace
} // namespace tuff::testing_gpu
