// Commands recorded on several threads are those that one thread records.

#include "command_log.hpp"
#include "gpu/memory/memory.hpp"
#include "tests/common/word_kernels.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <tuff/vulkan.hpp>

#include <fmt/format.h>

#include <thread>

namespace tuff::testing_gpu {
namespace {

constexpr std::uint32_t kWordCount = 64;
constexpr unsigned kRecordedExecutions = 7;
constexpr BufferDesc kRecordedWords{.size = kWordCount * 4, .stride = 4};
// Far enough apart that the nodes between them are recorded by themselves.
constexpr std::uint32_t kCustomStep = 104;
constexpr ImageDesc kRecordedPicture{.format = Format::rgba8_unorm, .extent = {16, 16, 1}};

/// Where and in which order the host was asked to record.
struct HostCalls {
    std::vector<std::uint32_t> order;
    std::vector<std::thread::id> threads;
};

/// Adds nodes of every kind, about `nodes` of them, that use each other's results.
class MixedGraph {
  public:
    MixedGraph(Graph& graph, HostCalls& calls, const VolkDeviceTable& vk)
        : g_(graph), calls_(calls), vk_(vk) {}

    void build(std::uint32_t nodes) {
        values_ = iota(0);
        if (nodes > 1) {
            const BufferHistory history = g_.history_buffer("history", kRecordedWords, 2, 5);
            const Buffer mine =
                g_.import_buffer("mine", kRecordedWords,
                                 {.first = {}, .last = {stage::kCopy, memory::kTransferRead, {}}});
            values_ = add(add(values_, history.previous[1]), g_.copy(values_, mine));
            (void)g_.copy(values_, history.current);
        }
        for (std::uint32_t i = 1; i < nodes; ++i)
            add_node(i);
        g_.output("values", values_);
        for (std::uint32_t i = 0; i < pictures_.size(); ++i)
            g_.output(fmt::format("picture{}", i), pictures_[i]);
    }
    std::size_t pictures() const { return pictures_.size(); }

  private:
    void add_node(std::uint32_t i) {
        switch (i % 8) {
        case 1: values_ = add(values_, iota(i)); return;
        case 2: return doubled();
        case 3: values_ = g_.copy(values_, g_.buffer("copy", kRecordedWords)); return;
        case 4: return picture(i);
        case 5: values_ = add(values_, g_.fill(g_.buffer("filled", kRecordedWords), i)); return;
        case 6: return i % kCustomStep == 6 ? custom(i) : doubled();
        case 7:
            values_ = add(values_, g_.upload(g_.buffer("uploaded", kRecordedWords),
                                             bytes_of(std::vector<std::uint32_t>(kWordCount, i))));
            return;
        default: return scaled(i);
        }
    }
    Buffer iota(std::uint32_t base) { return test::iota(g_, "iota", kRecordedWords, base); }
    Buffer add(Buffer a, Buffer b) { return test::sum(g_, a, b, g_.buffer("sum", kRecordedWords)); }
    void doubled() { values_ = test::doubled(g_, values_); }
    void scaled(std::uint32_t factor) {
        auto node = g_.compute("test/scale_push");
        node.read("source", values_);
        values_ = node.write("target", g_.buffer("scaled", kRecordedWords));
        node.set("factor", factor + 1);
        node.specialize("kOffset", 1u);
        node.dispatch_over({kWordCount});
    }
    void custom(std::uint32_t i) {
        auto node =
            g_.custom("host", [this_calls = &calls_, vk = &vk_, i](CommandContext& context) {
                this_calls->order.push_back(i);
                this_calls->threads.push_back(std::this_thread::get_id());
                vk->vkCmdFillBuffer(context.commands(), context.buffer(0), 0, 16, i);
            });
        values_ = node.write(BufferView(values_, 0, 16), Access::clear_write);
    }
    void picture(std::uint32_t i) {
        if (pictures_.size() >= 8) return;
        auto node = g_.raster("test/triangle");
        const std::vector<float> corners{-1, -1, 0, 1, 3, -1, 0, 1, -1, 3, 0, 1};
        node.read("vertices", g_.constant_buffer("corners", {.size = 48}, bytes_of(corners)));
        const Image target = node.color(g_.image("picture", kRecordedPicture), cleared(0));
        for (const float red : {0.5f, static_cast<float>(i % 5) / 4.0f}) {
            node.begin_group();
            node.read("paint", g_.constant_buffer("paint", {.size = 16},
                                                  bytes_of(std::vector<float>{red, 1, 0, 1})));
            node.draw({.count = 3});
        }
        pictures_.push_back(target);
    }

    Graph& g_;
    HostCalls& calls_;
    const VolkDeviceTable& vk_;
    Buffer values_;
    std::vector<Image> pictures_;
};

/// What a number of threads came to.
struct Outcome {
    std::vector<std::uint32_t> values;
    std::vector<std::vector<std::byte>> pictures;
    std::vector<std::string> commands;
    std::size_t command_buffers = 0;
    HostCalls calls;
};

class RecordingThreads : public GpuTest, public testing::WithParamInterface<std::uint32_t> {
  protected:
    Outcome run_mixed(std::uint32_t nodes, std::uint32_t threads) {
        Outcome outcome;
        DeviceImpl& impl = device().impl();
        const auto mine = create_host_buffer(
            impl, kRecordedWords.size,
            VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, HostUse::read);
        EXPECT_TRUE(mine);
        const CommandLog log(impl);
        Graph g = graph();
        MixedGraph mixed(g, outcome.calls, impl.vk);
        mixed.build(nodes);
        Running running = start(std::move(g), {.recording_threads = threads});
        if (!running || !mine) return outcome;
        if (nodes > 1) {
            EXPECT_TRUE(bind_import(*running, "mine", mine->buffer.get()));
        }
        const std::size_t before = log.submitted().size();
        const std::size_t buffers_before = log.command_buffers();
        running.execute(kRecordedExecutions);
        outcome.commands = log.submitted();
        outcome.commands.erase(outcome.commands.begin(),
                               outcome.commands.begin() + static_cast<std::ptrdiff_t>(before));
        outcome.command_buffers = log.command_buffers() - buffers_before;
        outcome.values = running.buffer<std::uint32_t>("values");
        for (std::size_t i = 0; i < mixed.pictures(); ++i)
            outcome.pictures.push_back(running.image(fmt::format("picture{}", i)).texels);
        EXPECT_TRUE(running->wait());
        const ExecutionTimings timings = running->timings();
        EXPECT_EQ(timings.nodes.size(), running->plan().order.size());
        double total = 0.0;
        for (const NodeTiming& node : timings.nodes)
            total += node.milliseconds;
        EXPECT_LE(total, timings.milliseconds * 1.01 + 0.01);
        return outcome;
    }
};

TEST_P(RecordingThreads, MakeNoDifference) {
    for (const std::uint32_t nodes : {1u, 10u, 500u}) {
        SCOPED_TRACE(nodes);
        const Outcome serial = run_mixed(nodes, 1);
        const Outcome parallel = run_mixed(nodes, GetParam());
        EXPECT_FALSE(serial.values.empty());
        EXPECT_EQ(parallel.values, serial.values);
        EXPECT_EQ(parallel.pictures, serial.pictures);
        if (nodes == 500) {
            EXPECT_GT(parallel.command_buffers, std::size_t{kRecordedExecutions} * GetParam());
        }
        EXPECT_FALSE(serial.commands.empty());
        EXPECT_EQ(parallel.commands, serial.commands);
        EXPECT_EQ(parallel.calls.order, serial.calls.order);
        EXPECT_THAT(parallel.calls.threads, testing::Each(std::this_thread::get_id()));
    }
}

INSTANTIATE_TEST_SUITE_P(Counts, RecordingThreads, testing::Values(1u, 2u, 4u, 7u),
                         testing::PrintToStringParamName());

using RecordingTest = GpuTest;

TEST_F(RecordingTest, WideAndDeepPlansAreSplitAmongTheThreads) {
    for (const bool deep : {true, false}) {
        Graph g = graph();
        Buffer last = g.fill(g.buffer("first", kRecordedWords), 1);
        for (std::uint32_t i = 1; i < 100; ++i) {
            const Buffer next = g.buffer("next", kRecordedWords);
            last = deep ? g.copy(last, next) : g.fill(next, i);
            g.output(fmt::format("out{}", i), last);
        }
        const CommandLog log(device().impl());
        Running running = start(std::move(g), {.recording_threads = 4});
        const std::size_t before = log.command_buffers();
        running.execute();
        EXPECT_EQ(log.command_buffers() - before, 4u);
        EXPECT_EQ(running.buffer<std::uint32_t>("out99")[0], deep ? 1u : 99u);
    }
}

} // namespace
} // namespace tuff::testing_gpu
