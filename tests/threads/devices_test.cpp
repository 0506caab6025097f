// Graphs on threads of their own: on one device of a host's, which uses its queue as well, and on a
// device each.

#include "gpu/device/device_impl.hpp"
#include "tests/common/word_kernels.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <tuff/host.hpp>

#include <mutex>
#include <thread>

namespace tuff::testing_gpu {
namespace {

constexpr std::uint32_t kThreads = 2;
constexpr std::uint32_t kGraphs = 4;
constexpr std::uint32_t kExecutions = 5;
constexpr BufferDesc kDeviceWords{.size = 256, .stride = 4};

class DeviceThreads : public GpuTest {
  protected:
    /// What a graph of `first` holds after `kExecutions`, executed on `device`; 0 where it fails.
    std::uint32_t run_graph(Device& device, std::uint32_t first) {
        Graph g = graph();
        const BufferHistory total = g.history_buffer("total", kDeviceWords);
        const Buffer step = test::doubled(g, test::iota(g, "iota", kDeviceWords, first));
        g.output("words", g.copy(test::sum(g, step, total.previous[0], total.current),
                                 g.buffer("copy", kDeviceWords)));
        const auto memory = memory_model(device);
        auto plan = compile(std::move(g).finish(), device.caps(), {.memory = memory.get()});
        if (!plan) return 0;
        auto executor =
            Executor::create(device, shaders(), std::make_shared<const Plan>(std::move(*plan)));
        if (!executor) return 0;
        for (std::uint32_t i = 0; i < kExecutions; ++i)
            if (!executor->execute()) return 0;
        const auto bytes = executor->read_buffer("words");
        std::uint32_t word = 0;
        if (bytes) std::memcpy(&word, bytes->data(), sizeof(word));
        return word;
    }
    /// Runs several graphs one after the other on `device`; the number that came out right.
    std::uint32_t run_graphs(Device& device, std::uint32_t thread) {
        std::uint32_t right = 0;
        for (std::uint32_t i = 0; i < kGraphs; ++i) {
            const std::uint32_t first = 1 + thread * kGraphs + i;
            right += run_graph(device, first) == 2 * first * kExecutions;
        }
        return right;
    }
};

TEST_F(DeviceThreads, ShareADeviceOfTheHostsAndItsLock) {
    DeviceImpl& host = device().impl();
    auto needs = DeviceNeeds::of(host.instance->handle(), host.physical);
    ASSERT_TRUE(needs);
    std::mutex mutex;
    HostDevice described{.instance = host.instance->handle(),
                         .physical_device = host.physical,
                         .device = host.handle,
                         .queue = {.handle = host.graphics->handle,
                                   .family = host.graphics->family,
                                   .lock = [&] { mutex.lock(); },
                                   .unlock = [&] { mutex.unlock(); }},
                         .features = &needs->features(),
                         .debug_names = true};
    for (const char* name : needs->extensions())
        described.extensions.emplace_back(name);
    auto adopted = adopt_device(described);
    ASSERT_TRUE(adopted) << to_string(adopted.error());

    std::array<std::uint32_t, kThreads> right{};
    std::vector<std::thread> threads;
    for (std::uint32_t i = 0; i < kThreads; ++i)
        threads.emplace_back([&, i] { right[i] = run_graphs(*adopted, i); });
    threads.emplace_back([&] { // the host's own work
        for (std::uint32_t i = 0; i < kGraphs * kExecutions; ++i) {
            const std::lock_guard lock(mutex);
            EXPECT_EQ(host.vk.vkQueueSubmit2(host.graphics->handle, 0, nullptr, VK_NULL_HANDLE),
                      VK_SUCCESS);
        }
    });
    for (std::thread& thread : threads)
        thread.join();
    EXPECT_THAT(right, testing::Each(kGraphs));
}

TEST_F(DeviceThreads, HaveADeviceEach) {
    std::array<std::uint32_t, kThreads> right{};
    std::array<std::vector<std::string>, kThreads> messages;
    std::vector<std::thread> threads;
    for (std::uint32_t i = 0; i < kThreads; ++i)
        threads.emplace_back([&, i] {
            auto own =
                Device::open({.select = default_device_selection(), .validation = kValidation});
            if (!own) return;
            right[i] = run_graphs(*own, i);
            messages[i] = own->validation_messages();
        });
    for (std::thread& thread : threads)
        thread.join();
    EXPECT_THAT(right, testing::Each(kGraphs));
    EXPECT_THAT(messages, testing::Each(testing::IsEmpty()));
}

} // namespace
} // namespace tuff::testing_gpu
