// Executors that are made, used and ended on a host's device leave nothing: no Vulkan object, no
// device memory, no memory of the host's, no block of the heap.

#include "steady_fixture.hpp"
#include "tests/gpu/counted_memory.hpp"
#include "tests/gpu/object_ledger.hpp"

#include <tuff/host.hpp>

#include <gmock/gmock.h>

namespace tuff::testing_steady {
namespace {

using testing_gpu::CountedMemory;
using testing_gpu::ObjectLedger;

constexpr ImageDesc kLeakPicture{.format = Format::rgba8_unorm, .extent = {16, 8, 1}};
constexpr std::uint32_t kVariants = 12;
constexpr std::uint32_t kRounds = 25;

class LeaksTest : public SteadyTest {
  protected:
    void SetUp() override {
        SteadyTest::SetUp();
        mine_.emplace(make_buffer());
    }
    void TearDown() override {
        mine_.reset();
        device_.reset();
    }

    Device adopted(CountedMemory& memory) {
        DeviceImpl& host = device_->impl();
        auto needs = DeviceNeeds::of(host.instance->handle(), host.physical);
        EXPECT_TRUE(needs) << to_string(needs.error());
        HostDevice described{
            .instance = host.instance->handle(),
            .physical_device = host.physical,
            .device = host.handle,
            .queue = {.handle = host.graphics->handle, .family = host.graphics->family},
            .features = &needs->features(),
            .allocator = &memory.callbacks};
        for (const char* name : needs->extensions())
            described.extensions.emplace_back(name);
        auto device = adopt_device(described);
        EXPECT_TRUE(device) << to_string(device.error());
        return std::move(*device);
    }

    /// Graphs that differ in length and in what they are made of.
    Graph variant(std::uint32_t number) {
        Graph g = graph();
        Buffer words = test::iota(g, "iota", kWords, number);
        for (std::uint32_t i = 0; i < number; ++i)
            words = i % 2 == 0 ? test::doubled(g, words)
                               : g.copy(words, g.buffer("copy", kWords)); // moves to other memory
        if (number % 2 == 0) {
            const BufferHistory total = g.history_buffer("total", kWords, 1 + number % 3);
            words = test::sum(g, words, total.previous[0], total.current);
            words = g.copy(words, g.buffer("total/copy", kWords));
        }
        if (number % 3 == 0) {
            const auto table = bytes_of(std::vector<std::uint32_t>(kCount, number));
            words = test::sum(g, words, g.constant_buffer("table", kWords, table),
                              g.buffer("sum", kWords));
        }
        if (number % 3 == 1) {
            const auto bytes = bytes_of(std::vector<std::uint32_t>(kCount, number));
            words = test::sum(g, words, g.upload(g.buffer("upload", kWords), bytes),
                              g.buffer("sum", kWords));
        }
        if (number % 4 == 1)
            words =
                test::sum(g, words, g.import_buffer("mine", kWords, {}), g.buffer("sum", kWords));
        if (number % 4 == 2)
            g.output("picture", g.clear(g.image("picture", kLeakPicture), std::array<float, 4>{1}));
        g.output("words", words);
        return g;
    }

    /// Makes an executor, uses and ends it.
    void run_once(Device& device, std::uint32_t number) {
        const auto memory = memory_model(device);
        auto plan = compile(variant(number).finish(), device.caps(), {.memory = memory.get()});
        if (!plan) return fail(plan.error());
        auto executor =
            Executor::create(device, shaders_, std::make_shared<const Plan>(std::move(*plan)),
                             {.frames_in_flight = 1 + number % 3});
        if (!executor) return fail(executor.error());
        if (number % 4 == 1)
            if (auto ok = bind_import(*executor, "mine", mine_->buffer.get()); !ok)
                return fail(ok.error());
        for (std::uint32_t i = 0; i < 1 + number % 3; ++i)
            if (auto ok = executor->execute(); !ok) return fail(ok.error());
        // Some are read, some end with work under way.
        if (number % 2 == 0)
            if (auto read = executor->read_buffer("words"); !read) return fail(read.error());
    }
    static void fail(const Diagnostics& why) { ADD_FAILURE() << to_string(why); }

    std::optional<HostBuffer> mine_;
};

TEST_F(LeaksTest, HundredsOfExecutorsGiveEverythingBack) {
    CountedMemory memory;
    std::optional<Device> device = adopted(memory);
    const ObjectLedger ledger(device->impl());
    const auto round = [&] {
        for (std::uint32_t number = 0; number < kVariants; ++number)
            run_once(*device, number);
    };
    // What the device keeps for later executors, and drivers for later pipelines, is there after
    // the first rounds, and does not grow.
    for (int i = 0; i < 3; ++i)
        round();
    const auto objects = ledger.left();
    const std::int64_t bytes = ledger.device_bytes();
    const std::size_t host_blocks = memory.live();
    const std::int64_t heap_blocks = live_blocks();
    for (std::uint32_t i = 0; i < kRounds; ++i)
        round();
    constexpr std::int64_t kExecutors = kRounds * kVariants;
    EXPECT_EQ(ledger.left(), objects);
    EXPECT_EQ(ledger.device_bytes(), bytes);
    EXPECT_EQ(memory.live(), host_blocks);
    // Drivers in C++ use the same heap, so a few blocks may come and go; a block an executor not.
    EXPECT_LT(std::abs(live_blocks() - heap_blocks), kExecutors / 4);
    RecordProperty("heap_blocks", std::to_string(live_blocks() - heap_blocks));

    device.reset();
    EXPECT_GT(ledger.made(), std::uint64_t{10} * kExecutors);
    EXPECT_EQ(ledger.strangers(), 0u);
    EXPECT_THAT(ledger.left(), testing::IsEmpty());
    EXPECT_EQ(ledger.device_bytes(), 0);
    EXPECT_EQ(memory.live(), 0u);
}

TEST_F(LeaksTest, WhatIsKeptIsSeen) {
    CountedMemory memory;
    std::optional<Device> device = adopted(memory);
    const ObjectLedger ledger(device->impl());
    DeviceImpl& impl = device->impl();
    VkSemaphoreCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO;
    VkSemaphore kept = VK_NULL_HANDLE;
    ASSERT_EQ(impl.vk.vkCreateSemaphore(impl.handle, &info, nullptr, &kept), VK_SUCCESS);
    EXPECT_EQ(ledger.strangers(), 1u); // not with the host's allocator
    const auto bytes = allocate_memory(impl, 4096, ~0u, 0);
    ASSERT_TRUE(bytes);
    EXPECT_THAT(ledger.left(), testing::UnorderedElementsAre(testing::Pair("pipeline cache", 1),
                                                             testing::Pair("semaphore", 1),
                                                             testing::Pair("memory", 1)));
    EXPECT_EQ(ledger.device_bytes(), 4096);
    impl.vk.vkDestroySemaphore(impl.handle, kept, nullptr);
}

} // namespace
} // namespace tuff::testing_steady
