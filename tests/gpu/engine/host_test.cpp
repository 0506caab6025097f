// Tuff inside a program that has a device of its own: a host that made what the tests' device was
// made of, so that the validation layer watches.

#include "host_fixture.hpp"
#include "tests/gpu/object_ledger.hpp"

#include <thread>

namespace tuff::testing_gpu {
namespace {

using test::doubled;
using testing::ElementsAre;
using testing::HasSubstr;

TEST_F(HostTest, ADeviceOfTheHostsRunsGraphsWithItsMemoryAndUnderItsLock) {
    CountedMemory memory;
    int depth = 0;
    int locked = 0;
    {
        HostDevice described = description();
        described.allocator = &memory.callbacks;
        described.queue.lock = [&] { ++depth, ++locked; };
        described.queue.unlock = [&] { --depth; };
        Device device = adopted(described);
        EXPECT_EQ(device.caps().name, this->device().caps().name);
        EXPECT_FALSE(device.caps().async_compute); // the host has not given such a queue
        Graph g = graph();
        g.output("words", doubled(g, test::iota(g, "iota", kWords, 3)));
        Executor executor = executor_on(device, std::move(g));
        ASSERT_TRUE(executor.execute());
        EXPECT_THAT(words(executor, "words"), ElementsAre(6, 8, 10, 12));
    }
    EXPECT_GT(memory.calls, 0u);
    EXPECT_EQ(memory.live(), 0u);
    EXPECT_GT(locked, 0);
    EXPECT_EQ(depth, 0);
}

TEST_F(HostTest, WhatIsNotTurnedOnIsNotUsedAndWhatIsNeededIsNamed) {
    HostDevice described = description();
    VkPhysicalDeviceFeatures2 bare{};
    bare.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
    bare.features = described.features->features;
    described.features = &bare;
    const auto refused = adopt_device(described);
    EXPECT_THAT(codes(refused), testing::Each("device/missing-feature"));
    EXPECT_THAT(to_string(refused.error()), HasSubstr("synchronization2"));
    EXPECT_THAT(to_string(refused.error()), HasSubstr("DeviceNeeds"));

    // The structures of single features will do as well as those of versions.
    VkPhysicalDeviceDynamicRenderingFeatures rendering{};
    rendering.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES;
    rendering.dynamicRendering = VK_TRUE;
    VkPhysicalDeviceSynchronization2Features synchronization{};
    synchronization.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES;
    synchronization.synchronization2 = VK_TRUE;
    synchronization.pNext = &rendering;
    VkPhysicalDeviceMaintenance4Features maintenance{};
    maintenance.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_FEATURES;
    maintenance.maintenance4 = VK_TRUE;
    maintenance.pNext = &synchronization;
    VkPhysicalDeviceTimelineSemaphoreFeatures timeline{};
    timeline.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES;
    timeline.timelineSemaphore = VK_TRUE;
    timeline.pNext = &maintenance;
    VkPhysicalDeviceHostQueryResetFeatures queries{};
    queries.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES;
    queries.hostQueryReset = VK_TRUE;
    queries.pNext = &timeline;
    bare.pNext = &queries;
    described.extensions.clear();
    const Device device = adopted(described);
    EXPECT_FALSE(device.caps().fp16);
    EXPECT_FALSE(device.caps().float_atomic_add);
    EXPECT_FALSE(device.caps().conservative_raster);
}

TEST_F(HostTest, ExecutionsAreRecordedIntoTheHostsOwnCommands) {
    Device device = adopted(description());
    // A history counts the executions, so that none may be lost or come twice.
    Graph g = graph();
    const BufferHistory count = g.history_buffer("count", kWords, 1, 5);
    const Buffer next = test::sum(g, count.previous[0], count.previous[0], count.current);
    g.output("words", g.copy(next, g.buffer("copy", kWords)));
    Executor executor = executor_on(device, std::move(g));
    HostCommands commands(host());
    for (int frame = 0; frame < 5; ++frame) {
        const VkCommandBuffer buffer = commands.begin();
        const auto recorded = record(executor, buffer);
        ASSERT_TRUE(recorded) << to_string(recorded.error());
        commands.end_and_submit(buffer);
        commands.wait_idle();
        EXPECT_THAT(words(executor, "words"), testing::Each(10u << frame));
    }
    const auto mixed = executor.execute();
    ASSERT_FALSE(mixed);
    EXPECT_EQ(mixed.error()[0].code, "gpu/host-driven");
}

TEST_F(HostTest, AnExecutorThatHasSubmittedRecordsForNobody) {
    Graph g = graph();
    g.output("words", test::iota(g, "iota", kWords, 0));
    Running running = run(std::move(g));
    HostCommands commands(host());
    const VkCommandBuffer buffer = commands.begin();
    const auto recorded = record(*running, buffer);
    ASSERT_FALSE(recorded);
    EXPECT_EQ(recorded.error()[0].code, "gpu/host-driven");
    commands.end_and_submit(buffer);
    commands.wait_idle();
}

TEST_F(HostTest, ExecutionsWaitForTheHostAndTheHostForThem) {
    // The host's work comes after the execution in time only, so nothing but the semaphores makes
    // it wait: the execution is submitted before what it waits for.
    Graph g = graph();
    g.output("words", doubled(g, test::iota(g, "iota", kWords, 1)));
    g.output("picture",
             g.clear(g.image("picture", {.format = Format::rgba8_unorm, .extent = {4, 2}}),
                     std::array<float, 4>{1, 0, 0, 1}),
             Access::sampled);
    Running running = start(std::move(g));
    const Timeline timeline(host());
    std::uint64_t value = 0;
    for (int frame = 0; frame < 3; ++frame) {
        HostSemaphore begun{.handle = timeline.handle, .value = ++value};
        HostSemaphore done{.handle = timeline.handle, .value = ++value};
        const auto executed = execute(*running, std::span(&begun, 1), std::span(&done, 1));
        ASSERT_TRUE(executed) << to_string(executed.error());

        std::uint64_t passed = 0;
        host().vk.vkGetSemaphoreCounterValue(host().handle, timeline.handle, &passed);
        EXPECT_EQ(passed, begun.value - 1); // it waits
        VkSemaphoreSignalInfo signal{};
        signal.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO;
        signal.semaphore = timeline.handle;
        signal.value = begun.value;
        ASSERT_EQ(host().vk.vkSignalSemaphore(host().handle, &signal), VK_SUCCESS);
        VkSemaphoreWaitInfo wait{};
        wait.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO;
        wait.semaphoreCount = 1;
        wait.pSemaphores = &timeline.handle;
        wait.pValues = &done.value;
        ASSERT_EQ(host().vk.vkWaitSemaphores(host().handle, &wait, 10'000'000'000), VK_SUCCESS);
        EXPECT_THAT(running.buffer<std::uint32_t>("words"), ElementsAre(2, 4, 6, 8));
    }
    const auto picture = output_image(*running, "picture");
    ASSERT_TRUE(picture);
    EXPECT_EQ(picture->format, VK_FORMAT_R8G8B8A8_UNORM);
    EXPECT_EQ(picture->extent.width, 4u);
    EXPECT_EQ(picture->layout, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    EXPECT_EQ(running.image("picture").texel(3, 1)[0], 1.0f); // it can be read all the same
    EXPECT_EQ(output_buffer(*running, "words")->size, 16u);
    EXPECT_EQ(output_image(*running, "words").error()[0].code, "gpu/output-kind");
    EXPECT_EQ(output_buffer(*running, "wrods").error()[0].code, "gpu/unknown-output");
}

TEST_F(HostTest, SemaphoresOfBothTypesAreTaken) {
    const BinarySemaphore drawn(host());
    const BinarySemaphore done(host());
    Graph g = graph();
    g.output("words", test::iota(g, "iota", kWords, 5));
    Running running = start(std::move(g));
    HostCommands commands(host());
    for (int frame = 0; frame < 3; ++frame) {
        commands.end_and_submit(commands.begin(), {}, {drawn.info()});
        const HostSemaphore wait{.handle = drawn.handle};
        const HostSemaphore signal{.handle = done.handle};
        const auto executed = execute(*running, std::span(&wait, 1), std::span(&signal, 1));
        ASSERT_TRUE(executed) << to_string(executed.error());
        commands.end_and_submit(commands.begin(), {done.info()});
        commands.wait_idle();
    }
    EXPECT_THAT(running.buffer<std::uint32_t>("words"), ElementsAre(5, 6, 7, 8));
}

TEST_F(HostTest, EveryObjectIsMadeWithTheHostsAllocatorAndGivenBack) {
    CountedMemory memory;
    HostDevice described = description();
    described.allocator = &memory.callbacks;
    std::optional<Device> device = adopted(described);
    const ObjectLedger ledger(device->impl());
    {
        // Something of every sort: kernels, raster, history, constants, uploads, readback.
        Graph g = graph();
        const BufferHistory total = g.history_buffer("total", kWords);
        const Buffer given =
            g.constant_buffer("given", kWords, bytes_of(std::vector<std::uint32_t>{1, 2, 3, 4}));
        const Buffer brought =
            g.upload(g.buffer("brought", kWords), bytes_of(std::vector<std::uint32_t>(4, 10)));
        const Buffer step = test::sum(g, given, brought, g.buffer("step", kWords));
        g.output("words", g.copy(test::sum(g, step, total.previous[0], total.current),
                                 g.buffer("copy", kWords)));
        g.output("picture",
                 g.clear(g.image("picture", kPicture), std::array<float, 4>{1, 0, 0, 1}));
        Executor executor = executor_on(*device, std::move(g));
        ASSERT_TRUE(executor.execute());
        ASSERT_TRUE(executor.execute());
        EXPECT_THAT(words(executor, "words"), ElementsAre(22, 24, 26, 28));
        EXPECT_TRUE(executor.read_image("picture"));
        EXPECT_GT(ledger.device_bytes(), 0);
    }
    device.reset();
    EXPECT_GT(ledger.made(), 20u);
    EXPECT_EQ(ledger.strangers(), 0u) << "objects that were not made with the host's allocator";
    EXPECT_THAT(ledger.left(), testing::IsEmpty());
    EXPECT_EQ(ledger.device_bytes(), 0);
    EXPECT_EQ(memory.live(), 0u);
}

} // namespace
} // namespace tuff::testing_gpu
