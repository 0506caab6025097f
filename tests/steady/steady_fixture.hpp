#pragma once

#include "counted_calls.hpp"
#include "gpu/memory/memory.hpp"
#include "passes/registry.hpp"
#include "tests/common/word_kernels.hpp"

#include <tuff/executor.hpp>
#include <tuff/graph.hpp>
#include <tuff/shader_library.hpp>
#include <tuff/vulkan.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tuff::testing_steady {

inline constexpr std::uint32_t kCount = 256;
inline constexpr BufferDesc kWords{.size = kCount * 4, .stride = 4};
inline constexpr std::uint64_t kFrames = 24;

template <typename T>
std::shared_ptr<const std::vector<std::byte>> bytes_of(const std::vector<T>& values) {
    std::vector<std::byte> bytes(values.size() * sizeof(T));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return std::make_shared<const std::vector<std::byte>>(std::move(bytes));
}

/// Without the validation layer, which allocates on our thread.
class SteadyTest : public testing::Test {
  protected:
    void SetUp() override {
        // With one queue for all, so that plans for several run on any device.
        auto opened =
            Device::open({.select = default_device_selection(), .queues = QueueSource::emulated});
        ASSERT_TRUE(opened) << to_string(opened.error());
        device_ = std::move(*opened);
        shaders_.set_cache_directory(TUFF_TEST_OUTPUT_DIR "/shader-cache");
        ASSERT_TRUE(shaders_.add_directory(TUFF_TEST_SOURCE_DIR "/tests/gpu/shaders"));
    }

    Graph graph() { return Graph(shaders_); }

    Executor start(Graph graph, ExecutorOptions options,
                   const std::function<Plan(Plan)>& edit = {}) {
        const auto memory = memory_model(*device_);
        auto plan = compile(
            std::move(graph).finish(), device_->caps(),
            {.order = edit ? OrderMode::declared : OrderMode::levels, .memory = memory.get()});
        EXPECT_TRUE(plan) << to_string(plan.error());
        if (edit) plan = edit(std::move(*plan));
        auto executor = Executor::create(*device_, shaders_,
                                         std::make_shared<const Plan>(std::move(*plan)), options);
        EXPECT_TRUE(executor) << to_string(executor.error());
        return std::move(*executor);
    }

    /// What `kFrames` frames take after as many to warm up, the parameters changing between them.
    Counts steady(Executor& executor, const std::function<Graph(std::uint32_t frame)>& build) {
        const std::vector<std::byte> even = build(0).finish().parameters;
        const std::vector<std::byte> odd = build(1).finish().parameters;
        const auto frame = [&](std::uint64_t i) {
            return executor.set_parameters(i % 2 == 0 ? even : odd) && executor.execute();
        };
        for (std::uint64_t i = 0; i < kFrames; ++i)
            EXPECT_TRUE(frame(i));
        const CountedCalls calls(device_->impl());
        bool fine = true;
        for (std::uint64_t i = 0; i < kFrames; ++i)
            fine = frame(i) && fine;
        const Counts counts = calls.counts();
        EXPECT_TRUE(fine);
        EXPECT_TRUE(executor.wait());
        return counts;
    }

    HostBuffer make_buffer() {
        auto buffer = create_host_buffer(device_->impl(), kWords.size,
                                         VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, HostUse::write);
        EXPECT_TRUE(buffer);
        return std::move(*buffer);
    }

    std::optional<Device> device_;
    ShaderLibrary shaders_ = passes::make_shaders();
};

} // namespace tuff::testing_steady
