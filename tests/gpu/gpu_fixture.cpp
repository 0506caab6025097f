#include "gpu_fixture.hpp"

#include "passes/registry.hpp"
#include "tests/gpu/kernel_log.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace tuff::testing_gpu {
namespace {

/// What the validation layer (1.3.239) gets wrong when it compares a submission with those before
/// it.
///
/// A write that follows a write needs that one to be available, and an execution dependency, which
/// may be a chain of several barriers. The layer forgets such chains between command buffers:
/// - Reads recorded in another command buffer than the write before them are lost, so that the next
///   write, which waits for the readers alone, seems to wait for nothing.
/// - Where nothing has read a write that a barrier made available to readers, a change of layout
///   that waits for the readers' stages is only compared with the write itself.
/// - Where an image held a buffer's bytes, what waited for the buffer's readers and was waited for
/// through the
///   image is lost: images have, for the layer, memory of their own.
/// Such a write has `write_barriers`, and such a read `read_barriers` of a later stage: a barrier
/// has waited for it. Those of an access that none has waited for name no stage but the bottom of
/// the pipe. Within a command buffer the layer follows chains, and tests/oracle does so everywhere.
bool forgets_a_chain(const std::string& message) {
    if (message.contains("vkQueueSubmit2: Hazard WRITE_AFTER_WRITE"))
        return !message.contains("write_barriers: 0");
    return message.contains("vkQueueSubmit2: Hazard WRITE_AFTER_READ") &&
           message.contains("read_barriers: VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT|");
}

/// The device and kernels of the process: opened by the first test, closed after the last. A device
/// that was lost is opened again for the test that follows.
class SharedDevice : public testing::Environment {
  public:
    void TearDown() override {
        // What a part of the tests ran says nothing about what none runs. Lost ranks have a run of
        // their own.
        const char* kernels = std::getenv("TUFF_TEST_KERNELS");
        const std::string filter = GTEST_FLAG_GET(filter);
        if (device_ && kernels && (filter == "*" || filter == "-LostRank.*"))
            write_kernel_log(kernels, *device_, passes::make_shaders());
        shaders_.reset();
        device_.reset();
    }

    Result<void> open() {
        // What a test has lost is not the next one's fault.
        if (device_ && !device_->wait_idle()) device_.reset();
        if (device_) return {};
        // Submissions are then compared with those before them, too. Not on GPUs: the layer does
        // not know the timeline semaphores between their queues, and misses the order that they
        // make.
        const char* chosen = std::getenv("TUFF_DEVICE");
        if (!chosen || std::string_view(chosen) != "gpu")
            setenv("VK_LAYER_ENABLES",
                   "VALIDATION_CHECK_ENABLE_SYNCHRONIZATION_VALIDATION_QUEUE_SUBMIT", 0);
        // Newer layers fall silent after ten messages of a kind. Tests of one process share the
        // layer: those that provoke messages would hide what others find.
        setenv("VK_LAYER_DUPLICATE_MESSAGE_LIMIT", "0", 0);
        const char* queues = std::getenv("TUFF_TEST_QUEUES");
        const bool emulated = queues && std::string_view(queues) == "emulated";
        auto opened =
            Device::open({.select = default_device_selection(),
                          .queues = emulated ? QueueSource::emulated : QueueSource::device,
                          .validation = kValidation});
        if (!opened) return propagate(std::move(opened));
        shaders_ = passes::make_shaders();
        shaders_->set_cache_directory(TUFF_TEST_OUTPUT_DIR "/shader-cache");
        for (const char* folder : {"/tests/gpu/shaders", "/examples/first_pass/shaders"})
            if (auto added = shaders_->add_directory(std::string(TUFF_TEST_SOURCE_DIR) + folder);
                !added)
                return added;
        device_ = std::move(*opened);
        log_kernels(*device_);
        return {};
    }
    bool is_open() const { return device_.has_value(); }
    Device& device() { return *device_; }
    ShaderLibrary& shaders() { return *shaders_; }

  private:
    std::optional<Device> device_;
    std::optional<ShaderLibrary> shaders_;
};

// GoogleTest owns it.
SharedDevice* const shared_device =
    static_cast<SharedDevice*>(testing::AddGlobalTestEnvironment(new SharedDevice));

} // namespace

void Running::execute(unsigned times) {
    for (unsigned i = 0; executor_ && i < times; ++i)
        if (auto ok = executor_->execute(); !ok) {
            ADD_FAILURE() << to_string(ok.error());
            return;
        }
}

HostImage Running::image(std::string_view output, std::uint32_t mip, std::uint32_t layer) {
    if (!executor_) return {};
    auto image = executor_->read_image(output, mip, layer);
    if (image) return std::move(*image);
    ADD_FAILURE() << to_string(image.error());
    return {};
}

std::vector<std::byte> Running::buffer_bytes(std::string_view output) {
    if (!executor_) return {};
    auto bytes = executor_->read_buffer(output);
    if (bytes) return std::move(*bytes);
    ADD_FAILURE() << to_string(bytes.error());
    return {};
}

Graph GpuTest::graph() {
    Graph graph(shaders());
    graph.set_target(device().caps());
    return graph;
}

void GpuTest::SetUp() {
    // The first test says why, once for all.
    static bool told = false;
    const auto opened = shared_device->open();
    if (!opened && std::exchange(told, true)) GTEST_SKIP() << "no device";
    ASSERT_TRUE(opened) << to_string(opened.error());
    seen_messages_ = device().validation_messages().size();
}

void GpuTest::TearDown() {
    if (!shared_device->is_open()) return;
    for (const std::string& message : take_messages())
        ADD_FAILURE() << message;
}

Device& GpuTest::device() {
    return shared_device->device();
}
ShaderLibrary& GpuTest::shaders() {
    return shared_device->shaders();
}

std::shared_ptr<const Plan> GpuTest::compile_graph(Graph graph, CompileOptions options) {
    const auto memory = memory_model(device());
    if (!options.memory) options.memory = memory.get();
    auto plan = compile(std::move(graph).finish(), device().caps(), options);
    if (plan) return std::make_shared<const Plan>(std::move(*plan));
    ADD_FAILURE() << to_string(plan.error());
    return nullptr;
}

Running GpuTest::start(std::shared_ptr<const Plan> plan, ExecutorOptions options) {
    if (!plan) return {};
    auto executor = Executor::create(device(), shaders(), std::move(plan), options);
    if (executor) return Running(std::move(*executor));
    ADD_FAILURE() << to_string(executor.error());
    return {};
}

Running GpuTest::start(Graph graph, ExecutorOptions options) {
    return start(compile_graph(std::move(graph)), options);
}

Running GpuTest::run(Graph graph, unsigned times, ExecutorOptions options) {
    Running running = start(std::move(graph), options);
    running.execute(times);
    return running;
}

std::vector<std::string> GpuTest::take_messages() {
    std::vector<std::string> all = device().validation_messages();
    std::vector<std::string> fresh(all.begin() + static_cast<std::ptrdiff_t>(seen_messages_),
                                   all.end());
    seen_messages_ = all.size();
    std::erase_if(fresh, forgets_a_chain);
    return fresh;
}

} // namespace tuff::testing_gpu
