// What a steady frame costs the CPU: the parameters change, the recorded commands are submitted
// again. `tuff_replay_benchmark [passes]`, on the device that TUFF_DEVICE names.

#include "gpu/device_impl.hpp"

#include <tuff/executor.hpp>
#include <tuff/graph.hpp>
#include <tuff/shader_library.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>

namespace tuff::bench {
namespace {

using Clock = std::chrono::steady_clock;
using Microseconds = std::chrono::duration<double, std::micro>;

// Vulkan's functions take no context, so what they measure can live nowhere else.
struct Driver {
    PFN_vkQueueSubmit2 submit = nullptr;
    PFN_vkWaitSemaphores wait = nullptr;
    Microseconds spent{};
};
Driver driver;

VKAPI_ATTR VkResult VKAPI_CALL submit(VkQueue queue, std::uint32_t count,
                                      const VkSubmitInfo2* infos, VkFence fence) {
    const auto before = Clock::now();
    const VkResult result = driver.submit(queue, count, infos, fence);
    driver.spent += Clock::now() - before;
    return result;
}
VKAPI_ATTR VkResult VKAPI_CALL wait(VkDevice device, const VkSemaphoreWaitInfo* info,
                                    std::uint64_t timeout) {
    const auto before = Clock::now();
    const VkResult result = driver.wait(device, info, timeout);
    driver.spent += Clock::now() - before;
    return result;
}

/// A chain of `passes` kernels, each with parameters and a buffer of its own.
GraphDesc build(const ShaderLibrary& shaders, std::uint32_t passes, std::uint32_t frame) {
    constexpr std::uint32_t kCount = 64;
    Graph g(shaders);
    const Buffer constant = g.fill(g.buffer("first", {.size = kCount * 4}), 1);
    Buffer last = constant;
    for (std::uint32_t i = 0; i < passes; ++i) {
        auto node = g.compute("test/random/mix_buffers");
        node.read("a", last);
        node.read("b", constant);
        last = node.write("target", g.buffer("b", {.size = kCount * 4}));
        node.set("salt", i + frame);
        node.dispatch_over({kCount});
    }
    g.output("last", last);
    return std::move(g).finish();
}

double median(std::vector<double> times) {
    std::ranges::sort(times);
    return times[times.size() / 2];
}

Result<void> measure(std::uint32_t passes, std::uint32_t threads) {
    auto device = Device::open({.select = default_device_selection()});
    if (!device) return propagate(std::move(device));
    ShaderLibrary shaders;
    if (auto ok = shaders.add_directory(TUFF_TEST_SOURCE_DIR "/tests/gpu/shaders"); !ok) return ok;
    const auto memory = memory_model(*device);
    auto plan = compile(build(shaders, passes, 0), device->caps(), {.memory = memory.get()});
    if (!plan) return propagate(std::move(plan));
    auto executor =
        Executor::create(*device, shaders, std::make_shared<const Plan>(std::move(*plan)),
                         {.recording_threads = threads});
    if (!executor) return propagate(std::move(executor));
    const std::vector<std::byte> parameters[] = {build(shaders, passes, 0).parameters,
                                                 build(shaders, passes, 1).parameters};

    VolkDeviceTable& vk = device->impl().vk;
    driver = {.submit = vk.vkQueueSubmit2, .wait = vk.vkWaitSemaphores};
    vk.vkQueueSubmit2 = submit;
    vk.vkWaitSemaphores = wait;
    constexpr std::size_t kWarmUps = 4;
    constexpr std::size_t kFrames = 200;
    std::vector<double> all;
    std::vector<double> ours;
    double first = 0.0;
    for (std::size_t frame = 0; frame < kWarmUps + kFrames; ++frame) {
        driver.spent = {};
        const auto before = Clock::now();
        if (auto ok = executor->set_parameters(parameters[frame % 2]); !ok) return ok;
        if (auto ok = executor->execute(); !ok) return ok;
        const Microseconds spent = Clock::now() - before;
        if (frame == 0) first = (spent - driver.spent).count();
        if (frame >= kWarmUps) {
            all.push_back(spent.count());
            ours.push_back((spent - driver.spent).count());
        }
        if (auto ok = executor->wait(); !ok) return ok; // so that nothing is waited for above
    }
    fmt::print("{}: {} passes, {} recording threads: first frame {:.0f} us (records), steady frame "
               "{:.1f} us, of it {:.1f} us outside the driver's submit and wait\n",
               device->caps().name, passes, threads, first, median(all), median(ours));
    return {};
}

} // namespace
} // namespace tuff::bench

int main(int argc, char** argv) {
    const auto passes =
        static_cast<std::uint32_t>(argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1000);
    for (const std::uint32_t threads : {1u, 2u}) {
        const auto ok = tuff::bench::measure(std::max(passes, 1u), threads);
        if (ok) continue;
        fmt::print(stderr, "{}\n", tuff::to_string(ok.error()));
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
