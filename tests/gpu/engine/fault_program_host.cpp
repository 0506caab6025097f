// Programs that make executors of their own.

#include "fault_program.hpp"
#include "gpu/memory/memory.hpp"

#include <tuff/vulkan.hpp>

#include <numeric>

namespace tuff::testing_gpu {
namespace {

/// An executor of a graph that is compiled for the device.
class ExecutorProgram : public FaultProgram {
  protected:
    ExecutorProgram(Device& device, const ShaderLibrary& shaders)
        : device_(device), shaders_(shaders) {}

    Result<void> create(Graph graph, CompileOptions options = {}) {
        const auto memory = memory_model(device_);
        options.memory = memory.get();
        auto plan = compile(std::move(graph).finish(), device_.caps(), options);
        if (!plan) return std::unexpected(plan.error());
        auto made =
            Executor::create(device_, shaders_, std::make_shared<const Plan>(std::move(*plan)), {});
        if (!made) return std::unexpected(made.error());
        executor_.emplace(std::move(*made));
        return {};
    }
    Result<void> expect(std::string_view output, const std::vector<std::uint32_t>& wanted) {
        const auto bytes = executor_->read_buffer(output);
        if (!bytes) return std::unexpected(bytes.error());
        std::vector<std::uint32_t> values(bytes->size() / 4);
        std::memcpy(values.data(), bytes->data(), bytes->size());
        EXPECT_EQ(values, wanted);
        return {};
    }

    Device& device_;
    const ShaderLibrary& shaders_;
    std::optional<Executor> executor_;
};

class StandInProgram final : public ExecutorProgram {
  public:
    StandInProgram(Device& device, const ShaderLibrary& shaders)
        : ExecutorProgram(device, shaders) {
        device.impl().caps.null_descriptors = false;
    }

    std::vector<ProgramStep> steps() override {
        std::vector<std::uint32_t> nothing(kBindings);
        std::iota(nothing.begin(), nothing.end(), 100u);
        return {{"create", [this] { return create(graph()); }},
                {"execute", [this] { return executor_->execute(); }},
                {"read", [this, nothing] { return expect("result", nothing); }, true}};
    }

  private:
    static constexpr std::uint32_t kBindings = 13;

    Graph graph() const {
        Graph g(shaders_);
        g.set_target(device_.caps());
        auto node = g.compute("test/optional");
        for (const char* buffer : {"words", "record", "table"})
            node.read_optional(buffer, Buffer{});
        for (const char* image : {"picture", "heads", "signs", "volume", "sky", "stack", "samples"})
            node.read_optional(image, Image{}, Sampler::nearest());
        for (const char* image : {"stored", "counts", "textures"})
            node.read_optional(image, Image{});
        node.dispatch(1);
        g.output("result", node.write("result", g.buffer("result", {.size = 4 * kBindings})));
        return g;
    }
};

/// Words of the host's.
struct HostWords {
    HostWords(DeviceImpl& host, std::uint32_t value) {
        auto made = create_host_buffer(host, kWords.size, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                                       HostUse::write);
        EXPECT_TRUE(made);
        buffer = std::move(*made);
        const std::vector<std::uint32_t> values(4, value);
        std::memcpy(buffer.bytes.data(), values.data(), kWords.size);
    }
    tuff::HostBuffer buffer;
};

class HostProgram final : public ExecutorProgram {
  public:
    HostProgram(Device& device, const ShaderLibrary& shaders, DeviceImpl& host)
        : ExecutorProgram(device, shaders), hundreds_(host, 100), thousands_(host, 1000),
          commands_(host) {}
    ~HostProgram() override { commands_.wait_idle(); }

    std::vector<ProgramStep> steps() override {
        const auto create_it = [this] { return create(graph(), {.constant = ConstantWork::once}); };
        return {{"create", create_it},
                {"record", [this] { return record_with(hundreds_); }},
                {"read",
                 [this] {
                     return expect("words", {102, 104, 106, 108});
                 },
                 true},
                {"record another import", [this] { return record_with(thousands_); }},
                {"read",
                 [this] {
                     return expect("words", {1002, 1004, 1006, 1008});
                 },
                 true}};
    }

  private:
    Graph graph() const {
        Graph g(shaders_);
        g.set_target(device_.caps());
        const Buffer kept = test::doubled(g, test::iota(g, "kept", kWords, 1));
        g.output("words", test::sum(g, kept, g.import_buffer("mine", kWords, {}),
                                    g.buffer("words", kWords)));
        return g;
    }
    /// What could not be recorded is not submitted.
    Result<void> record_with(const HostWords& words) {
        auto ok = bind_import(*executor_, "mine", words.buffer.buffer.get());
        if (!ok) return ok;
        const VkCommandBuffer buffer = commands_.begin();
        ok = record(*executor_, buffer);
        if (!ok) return ok;
        commands_.end_and_submit(buffer);
        commands_.wait_idle();
        return {};
    }

    HostWords hundreds_, thousands_;
    HostCommands commands_;
};

class QueueProgram final : public ExecutorProgram {
  public:
    QueueProgram(Device& device, const ShaderLibrary& shaders) : ExecutorProgram(device, shaders) {
        DeviceImpl& impl = device.impl();
        impl.compute = std::make_unique<DeviceQueue>();
        impl.compute->handle = impl.graphics->handle;
        impl.compute->family = impl.graphics->family;
        impl.compute->timestamp_bits = impl.graphics->timestamp_bits;
        impl.caps.async_compute = true;
    }

    std::vector<ProgramStep> steps() override {
        const auto execute = [this]() -> Result<void> {
            EXPECT_GT(executor_->plan().submissions.size(), 2u);
            return executor_->execute();
        };
        return {{"create", [this] { return create(graph()); }},
                {"execute", execute},
                {"execute once more", execute},
                {"read",
                 [this] {
                     return expect("words", {6, 12, 18, 24});
                 },
                 true},
                {"execute a third time", execute},
                {"read",
                 [this] {
                     return expect("words", {9, 18, 27, 36});
                 },
                 true}};
    }

  private:
    /// Adds to what there was: words of either queue.
    Graph graph() const {
        Graph g(shaders_);
        g.set_target(device_.caps());
        const BufferHistory total = g.history_buffer("total", kWords, 1);
        const Buffer words = test::iota(g, "words", kWords, 1);
        g.push_queue(QueueHint::compute);
        const Buffer others = test::doubled(g, test::iota(g, "others", kWords, 1));
        g.pop_queue();
        const Buffer step = test::sum(g, words, others, g.buffer("step", kWords));
        const Buffer next = test::sum(g, step, total.previous[0], total.current);
        g.output("words", g.copy(next, g.buffer("copy", kWords)));
        return g;
    }
};

} // namespace

std::unique_ptr<FaultProgram> program_of_stand_ins(Device& device, const ShaderLibrary& shaders) {
    return std::make_unique<StandInProgram>(device, shaders);
}

std::unique_ptr<FaultProgram> program_of_queues(Device& device, const ShaderLibrary& shaders) {
    return std::make_unique<QueueProgram>(device, shaders);
}

std::unique_ptr<FaultProgram> program_of_host(Device& device, const ShaderLibrary& shaders,
                                              DeviceImpl& host) {
    return std::make_unique<HostProgram>(device, shaders, host);
}

} // namespace tuff::testing_gpu
