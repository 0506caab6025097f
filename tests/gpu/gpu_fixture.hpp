#pragma once

#include "tests/common/only_on.hpp"

#include <tuff/device.hpp>
#include <tuff/executor.hpp>
#include <tuff/graph.hpp>
#include <tuff/plan.hpp>
#include <tuff/shader_library.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tuff::testing_gpu {

// ThreadSanitizer sees the validation layer's allocations but not the locks around them.
#ifdef __SANITIZE_THREAD__
inline constexpr bool kValidation = false;
#else
inline constexpr bool kValidation = true;
#endif

/// The values as the bytes of a constant or an upload.
template <typename T>
std::shared_ptr<const std::vector<std::byte>> bytes_of(const std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<std::byte> bytes(values.size() * sizeof(T));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return std::make_shared<const std::vector<std::byte>>(std::move(bytes));
}

/// A graph on its device. Its functions fail the test, and return something empty, where the
/// executor reports an error. Empty after a failed `GpuTest::start`.
class Running {
  public:
    Running() = default;
    explicit Running(Executor executor) : executor_(std::move(executor)) {}

    explicit operator bool() const { return executor_.has_value(); }
    /// After a failed start they throw, which ends the test alone: its failure says why.
    Executor& operator*() { return executor_.value(); }
    Executor* operator->() { return &executor_.value(); }

    void execute(unsigned times = 1);
    HostImage image(std::string_view output, std::uint32_t mip = 0, std::uint32_t layer = 0);
    template <typename T>
    std::vector<T> buffer(std::string_view output) {
        const std::vector<std::byte> bytes = buffer_bytes(output);
        std::vector<T> values(bytes.size() / sizeof(T));
        std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
        return values;
    }

  private:
    std::vector<std::byte> buffer_bytes(std::string_view output);

    std::optional<Executor> executor_;
};

/// A test on the device that TUFF_DEVICE names, under the validation layer with synchronisation
/// validation; any message fails the test. The device is opened once per process; with
/// TUFF_TEST_QUEUES=emulated in the environment it has a queue of every kind.
///
///     TEST_F(MyPass, DoublesEveryTexel) {
///         Graph g = graph();
///         Image result = g.add(MyPass{.source = ...}).result;
///         g.output("result", result);
///         Running running = run(std::move(g));
///         EXPECT_EQ(running.image("result").texel(0, 0)[0], 2.0f);
///     }
class GpuTest : public testing::Test {
  public:
    void SetUp() override;
    void TearDown() override;

    Device& device();
    /// Tuff's own kernels, those of the example pass and those below tests/gpu/shaders.
    ShaderLibrary& shaders();
    /// For this device.
    Graph graph();

    /// Compiles for the device, with its memory model unless `options` say otherwise. Fails the
    /// test and returns null where the graph has errors.
    std::shared_ptr<const Plan> compile_graph(Graph graph, CompileOptions options = {});
    /// Makes an executor; nothing has run yet.
    Running start(std::shared_ptr<const Plan> plan, ExecutorOptions options = {});
    Running start(Graph graph, ExecutorOptions options = {});
    /// Compiles, and executes `times` times.
    Running run(Graph graph, unsigned times = 1, ExecutorOptions options = {});

    /// Messages of the validation layer since the last call; they no longer fail the test.
    std::vector<std::string> take_messages();

  private:
    std::size_t seen_messages_ = 0;
};

} // namespace tuff::testing_gpu
