// Several executors, and several who look up kernels, at once.

#include "passes/registry.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <fmt/format.h>

#include <thread>
#include <utility>

namespace tuff::testing_gpu {
namespace {

constexpr std::uint32_t kExecutorWordCount = 64;
constexpr BufferDesc kOwnWords{.size = kExecutorWordCount * 4, .stride = 4};

/// Runs `work(i)` for each i below `count`, each on a thread of its own.
template <typename Work>
void on_threads(std::uint32_t count, Work work) {
    std::vector<std::thread> threads;
    for (std::uint32_t i = 0; i < count; ++i)
        threads.emplace_back([&work, i] { work(i); });
    for (std::thread& thread : threads)
        thread.join();
}

using ExecutorThreads = GpuTest;

TEST_F(ExecutorThreads, ShareDeviceKernelsAndConstants) {
    const auto shared = bytes_of(std::vector<std::uint32_t>(kExecutorWordCount, 1000));
    const auto memory = memory_model(device());
    constexpr std::uint32_t kThreads = 2;
    constexpr std::uint32_t kRounds = 6;
    std::vector<std::vector<std::byte>> results(kThreads * kRounds);
    on_threads(kThreads, [&](std::uint32_t thread) {
        for (std::uint32_t round = 0; round < kRounds; ++round) {
            const std::uint32_t own = thread * kRounds + round;
            Graph g = graph();
            auto node = g.compute("test/add");
            node.read("a", g.constant_buffer("shared", kOwnWords, shared));
            node.read("b", g.constant_buffer(
                               "own", kOwnWords,
                               bytes_of(std::vector<std::uint32_t>(kExecutorWordCount, own))));
            g.output("sum", node.write("target", g.buffer("sum", kOwnWords)));
            node.dispatch_over({kExecutorWordCount});
            auto plan = compile(std::move(g).finish(), device().caps(), {.memory = memory.get()});
            if (!plan) continue;
            auto executor = Executor::create(
                device(), shaders(), std::make_shared<const Plan>(*plan), {.recording_threads = 2});
            for (std::uint32_t i = 0; executor && i < 5; ++i)
                if (!executor->execute()) return;
            if (executor)
                results[own] = executor->read_buffer("sum").value_or(std::vector<std::byte>{});
        }
    });
    for (std::uint32_t own = 0; own < results.size(); ++own) {
        const auto expected = bytes_of(std::vector<std::uint32_t>(kExecutorWordCount, 1000 + own));
        EXPECT_EQ(results[own], *expected) << own;
    }
}

TEST_F(ExecutorThreads, LookUpTheSameKernels) {
    const std::vector<std::string> names = passes::make_shaders().names();
    ASSERT_FALSE(names.empty());
    const ShaderLibrary library = passes::make_shaders();
    constexpr std::uint32_t kThreads = 8;
    std::vector<std::vector<const ShaderInterface*>> found(kThreads);
    on_threads(kThreads, [&](std::uint32_t thread) {
        for (std::size_t i = 0; i < names.size(); ++i) {
            const std::string& name = names[(i + thread * 5) % names.size()];
            // A name may be of kernels of several kinds.
            for (const auto& [interface, stage] :
                 {std::pair(library.compute(name), ShaderStage::compute),
                  std::pair(library.raster(name), ShaderStage::vertex),
                  std::pair(library.rays(name), ShaderStage::ray_generation)})
                if (interface && library.find(name, stage)) found[thread].push_back(interface);
        }
        std::ranges::sort(found[thread]);
    });
    EXPECT_EQ(found[0].size(), names.size());
    for (const auto& each : found)
        EXPECT_EQ(each, found[0]);
}

} // namespace
} // namespace tuff::testing_gpu
