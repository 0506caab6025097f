// Tuff inside a program that has a device of its own: a host that made what the tests' device was
// made of, so that the validation layer watches.

#include "gpu/device_impl.hpp"
#include "gpu_fixture.hpp"
#include "tests/common/word_kernels.hpp"

#include <tuff/host.hpp>

#include <cstdlib>
#include <map>
#include <mutex>

namespace tuff::testing_gpu {
namespace {

using test::doubled;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr BufferDesc kWords{.size = 16, .stride = 4};

/// Host memory that is counted.
class CountedMemory {
  public:
    VkAllocationCallbacks callbacks{.pUserData = this,
                                    .pfnAllocation = allocate,
                                    .pfnReallocation = reallocate,
                                    .pfnFree = release};
    std::size_t calls = 0;
    std::size_t live() const {
        const std::lock_guard lock(mutex_);
        return blocks_.size();
    }

  private:
    static void* VKAPI_PTR allocate(void* self, std::size_t size, std::size_t alignment,
                                    VkSystemAllocationScope) {
        auto& memory = *static_cast<CountedMemory*>(self);
        const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
        void* const block = std::aligned_alloc(std::max(alignment, sizeof(void*)),
                                               std::max(rounded, sizeof(void*)));
        const std::lock_guard lock(memory.mutex_);
        ++memory.calls;
        memory.blocks_[block] = size;
        return block;
    }
    static void* VKAPI_PTR reallocate(void* self, void* old, std::size_t size,
                                      std::size_t alignment, VkSystemAllocationScope scope) {
        if (size == 0) {
            release(self, old);
            return nullptr;
        }
        void* const block = allocate(self, size, alignment, scope);
        if (!old) return block;
        auto& memory = *static_cast<CountedMemory*>(self);
        std::memcpy(block, old, std::min(size, memory.blocks_[old]));
        release(self, old);
        return block;
    }
    static void VKAPI_PTR release(void* self, void* block) {
        if (!block) return;
        auto& memory = *static_cast<CountedMemory*>(self);
        {
            const std::lock_guard lock(memory.mutex_);
            EXPECT_EQ(memory.blocks_.erase(block), 1u) << "freed, but not allocated here";
        }
        std::free(block);
    }

    mutable std::mutex mutex_;
    std::map<void*, std::size_t> blocks_;
};

class HostTest : public GpuTest {
  protected:
    DeviceImpl& host() { return device().impl(); }

    /// What a host would say of the tests' device.
    HostDevice description() {
        if (!needs_) {
            auto needs = DeviceNeeds::of(host().instance->handle(), host().physical);
            EXPECT_TRUE(needs) << to_string(needs.error());
            needs_.emplace(std::move(*needs));
        }
        HostDevice described{
            .instance = host().instance->handle(),
            .physical_device = host().physical,
            .device = host().handle,
            .queue = {.handle = host().graphics->handle, .family = host().graphics->family},
            .features = &needs_->features(),
            .debug_names = true};
        for (const char* name : needs_->extensions())
            described.extensions.emplace_back(name);
        return described;
    }
    Device adopted(const HostDevice& described) {
        auto device = adopt_device(described);
        EXPECT_TRUE(device) << to_string(device.error());
        return std::move(*device);
    }
    Executor executor_on(Device& device, Graph graph, CompileOptions options = {}) {
        const std::unique_ptr<MemoryModel> memory = memory_model(device);
        options.memory = memory.get();
        auto plan = compile(std::move(graph).finish(), device.caps(), options);
        EXPECT_TRUE(plan) << to_string(plan.error());
        auto executor =
            Executor::create(device, shaders(), std::make_shared<const Plan>(std::move(*plan)));
        EXPECT_TRUE(executor) << to_string(executor.error());
        return std::move(*executor);
    }
    static std::vector<std::uint32_t> words(Executor& executor, std::string_view output) {
        const auto bytes = executor.read_buffer(output);
        EXPECT_TRUE(bytes) << to_string(bytes.error());
        std::vector<std::uint32_t> values(bytes->size() / 4);
        std::memcpy(values.data(), bytes->data(), bytes->size());
        return values;
    }
    static std::vector<std::string> codes(const Result<Device>& result) {
        std::vector<std::string> all;
        if (!result)
            for (const Diagnostic& d : result.error())
                all.push_back(d.code);
        return all;
    }

  private:
    std::optional<DeviceNeeds> needs_;
};

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

TEST_F(HostTest, HandlesThatCannotBeAreRefused) {
    HostDevice none = description();
    none.device = VK_NULL_HANDLE;
    EXPECT_THAT(codes(adopt_device(none)), ElementsAre("device/host"));
    HostDevice silent = description();
    silent.features = nullptr;
    EXPECT_THAT(codes(adopt_device(silent)), ElementsAre("device/host"));
    HostDevice queueless = description();
    queueless.queue.handle = VK_NULL_HANDLE;
    EXPECT_THAT(codes(adopt_device(queueless)), ElementsAre("device/host"));
    HostDevice stray = description();
    stray.queue.family = 99;
    EXPECT_THAT(codes(adopt_device(stray)), ElementsAre("device/host"));
    HostDevice twice = description();
    twice.compute = twice.queue;
    EXPECT_THAT(codes(adopt_device(twice)), ElementsAre("device/host"));
}

/// Commands of the host's, submitted and waited for one at a time.
class HostCommands {
  public:
    explicit HostCommands(DeviceImpl& device) : device_(device) {
        VkCommandPoolCreateInfo pool{};
        pool.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
        pool.queueFamilyIndex = device.graphics->family;
        EXPECT_EQ(device.vk.vkCreateCommandPool(device.handle, &pool, nullptr, &pool_), VK_SUCCESS);
    }
    ~HostCommands() { device_.vk.vkDestroyCommandPool(device_.handle, pool_, nullptr); }
    HostCommands(const HostCommands&) = delete;
    HostCommands& operator=(const HostCommands&) = delete;

    VkCommandBuffer begin() {
        VkCommandBufferAllocateInfo info{};
        info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
        info.commandPool = pool_;
        info.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
        info.commandBufferCount = 1;
        VkCommandBuffer commands = VK_NULL_HANDLE;
        EXPECT_EQ(device_.vk.vkAllocateCommandBuffers(device_.handle, &info, &commands),
                  VK_SUCCESS);
        VkCommandBufferBeginInfo begin{};
        begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
        EXPECT_EQ(device_.vk.vkBeginCommandBuffer(commands, &begin), VK_SUCCESS);
        return commands;
    }
    void end_and_submit(VkCommandBuffer commands, std::vector<VkSemaphoreSubmitInfo> wait = {},
                        std::vector<VkSemaphoreSubmitInfo> signal = {}) {
        EXPECT_EQ(device_.vk.vkEndCommandBuffer(commands), VK_SUCCESS);
        VkCommandBufferSubmitInfo one{};
        one.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO;
        one.commandBuffer = commands;
        VkSubmitInfo2 submit{};
        submit.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2;
        submit.commandBufferInfoCount = 1;
        submit.pCommandBufferInfos = &one;
        submit.waitSemaphoreInfoCount = static_cast<std::uint32_t>(wait.size());
        submit.pWaitSemaphoreInfos = wait.data();
        submit.signalSemaphoreInfoCount = static_cast<std::uint32_t>(signal.size());
        submit.pSignalSemaphoreInfos = signal.data();
        EXPECT_EQ(device_.vk.vkQueueSubmit2(device_.graphics->handle, 1, &submit, VK_NULL_HANDLE),
                  VK_SUCCESS);
    }
    void wait_idle() { device_.vk.vkQueueWaitIdle(device_.graphics->handle); }

  private:
    DeviceImpl& device_;
    VkCommandPool pool_ = VK_NULL_HANDLE;
};

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

/// A timeline semaphore of the host's.
class Timeline {
  public:
    explicit Timeline(DeviceImpl& device) : device_(device) {
        VkSemaphoreTypeCreateInfo type{};
        type.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO;
        type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
        VkSemaphoreCreateInfo info{};
        info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO;
        info.pNext = &type;
        EXPECT_EQ(device.vk.vkCreateSemaphore(device.handle, &info, nullptr, &handle), VK_SUCCESS);
    }
    ~Timeline() { device_.vk.vkDestroySemaphore(device_.handle, handle, nullptr); }
    Timeline(const Timeline&) = delete;
    Timeline& operator=(const Timeline&) = delete;

    VkSemaphoreSubmitInfo at(std::uint64_t value) const {
        VkSemaphoreSubmitInfo info{};
        info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO;
        info.semaphore = handle;
        info.value = value;
        info.stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
        return info;
    }

    VkSemaphore handle = VK_NULL_HANDLE;

  private:
    DeviceImpl& device_;
};

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
    EXPECT_EQ(output_buffer(*running, "words")->size, 16u);
    EXPECT_EQ(output_image(*running, "words").error()[0].code, "gpu/output-kind");
    EXPECT_EQ(output_buffer(*running, "wrods").error()[0].code, "gpu/unknown-output");
}

VKAPI_ATTR VkResult VKAPI_CALL lose_device(VkQueue, std::uint32_t, const VkSubmitInfo2*, VkFence) {
    return VK_ERROR_DEVICE_LOST;
}

TEST_F(HostTest, ALostDeviceIsAnErrorAndEverythingEndsInOrder) {
    Device device = adopted(description());
    Graph g = graph();
    g.output("words", test::iota(g, "iota", kWords, 0));
    Executor executor = executor_on(device, std::move(g));
    ASSERT_TRUE(executor.execute());
    ASSERT_TRUE(executor.wait());
    device.impl().vk.vkQueueSubmit2 = lose_device;
    const auto lost = executor.execute();
    ASSERT_FALSE(lost);
    EXPECT_EQ(lost.error()[0].code, "gpu/device-lost");
}

} // namespace
} // namespace tuff::testing_gpu
