// `tuff bench replay`: what a frame costs the CPU where recorded commands are submitted again, with
// and without new parameters, and where they are recorded again.

#include "apps/bench/bench_commands.hpp"
#include "apps/shared/counted_commands.hpp"
#include "apps/shared/flags.hpp"
#include "core/text_table.hpp"
#include "gpu/device/device_impl.hpp"
#include "passes/registry.hpp"

#include <tuff/executor.hpp>
#include <tuff/graph.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <vector>

namespace tuff::cli {
namespace {

using Clock = std::chrono::steady_clock;
using Microseconds = std::chrono::duration<double, std::micro>;

/// Microseconds on the calling thread.
struct Cost {
    double first = 0;       ///< frame, which records, without the driver
    double frame = 0;       ///< the driver's calls included
    double ours = 0;        ///< of it outside of the driver's submission and wait
    CommandCounts recorded; ///< by the first frame, for it and those that replay it
    double rerecorded = 0;  ///< share of the frames whose commands were recorded again
};

/// What differs from one frame to the next.
enum class Change : std::uint8_t { nothing, parameters, commands };

/// A way to run the frames. Timestamps of nodes are commands too.
struct Way {
    Change change = Change::parameters;
    std::string_view changes;
    std::uint32_t threads = 1;
    Timings timings = Timings::off;
    std::string_view timed = "nothing";
};
constexpr std::array kWays = {
    Way{Change::nothing, "nothing"},
    Way{Change::parameters, "parameters"},
    Way{Change::parameters, "parameters", 2},
    Way{Change::parameters, "parameters", 1, Timings::executions, "executions"},
    Way{Change::parameters, "parameters", 1, Timings::nodes, "nodes"},
    Way{Change::commands, "commands"},
    Way{Change::commands, "commands", 2},
};

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

/// While it lives, the time that a device's driver takes to submit and to wait is measured.
class MeasuredDriver {
  public:
    explicit MeasuredDriver(DeviceImpl& device) : vk_(device.vk) {
        driver = {.submit = vk_.vkQueueSubmit2, .wait = vk_.vkWaitSemaphores};
        vk_.vkQueueSubmit2 = submit;
        vk_.vkWaitSemaphores = wait;
    }
    ~MeasuredDriver() {
        vk_.vkQueueSubmit2 = driver.submit;
        vk_.vkWaitSemaphores = driver.wait;
    }
    MeasuredDriver(const MeasuredDriver&) = delete;
    MeasuredDriver& operator=(const MeasuredDriver&) = delete;

  private:
    VolkDeviceTable& vk_;
};

/// A chain of `passes` kernels, each with parameters and an image of its own.
GraphDesc build(const ShaderLibrary& shaders, std::uint32_t passes, std::uint32_t frame) {
    constexpr ImageDesc kSmall{.format = Format::rgba16_sfloat, .extent = {16, 16, 1}};
    Graph g(shaders);
    Image last = g.clear(g.image("first", kSmall), std::array<float, 4>{0.5f, 0.5f, 0.5f, 1.0f});
    for (std::uint32_t i = 0; i < passes; ++i) {
        auto node = g.compute("image/tonemap");
        node.read("source", last, Sampler::nearest());
        last = node.write("result", g.image("image", kSmall));
        node.set("scale", 1.0f + static_cast<float>((i + frame) % 7));
        node.dispatch_over(kSmall.extent);
    }
    g.output("last", last);
    return std::move(g).finish();
}

double median(std::vector<double> times) {
    std::ranges::sort(times);
    return times[times.size() / 2];
}

Result<Cost> measure(Device& device, const ShaderLibrary& shaders, std::uint32_t passes,
                     const Way& way) {
    const auto memory = memory_model(device);
    auto plan = compile(build(shaders, passes, 0), device.caps(), {.memory = memory.get()});
    if (!plan) return propagate(std::move(plan));
    auto executor =
        Executor::create(device, shaders, std::make_shared<const Plan>(std::move(*plan)),
                         {.timings = way.timings,
                          .recording_threads = way.threads,
                          .replay = way.change == Change::commands ? Replay::off : Replay::on});
    if (!executor) return propagate(std::move(executor));
    // Three sets for two slots, so that no slot finds again what it had.
    std::vector<std::vector<std::byte>> parameters;
    for (std::uint32_t set = 0; set < 3; ++set)
        parameters.push_back(
            build(shaders, passes, way.change == Change::nothing ? 0 : set).parameters);
    Cost cost;
    begin_counting(device.impl().vk);
    auto first = executor->execute();
    cost.recorded = end_counting(device.impl().vk);
    if (!first) return propagate(std::move(first));
    const MeasuredDriver measured(device.impl());
    constexpr std::size_t kWarmUps = 4;
    constexpr std::size_t kFrames = 200;
    std::vector<double> all;
    std::vector<double> ours;
    std::uint64_t recordings = 0;
    for (std::size_t frame = 0; frame < kWarmUps + kFrames; ++frame) {
        if (frame == kWarmUps) recordings = executor->recordings();
        driver.spent = {};
        const auto before = Clock::now();
        if (auto ok = executor->set_parameters(parameters[frame % 3]); !ok)
            return propagate(std::move(ok));
        if (auto ok = executor->execute(); !ok) return propagate(std::move(ok));
        const Microseconds spent = Clock::now() - before;
        if (frame == 0) cost.first = (spent - driver.spent).count();
        if (frame >= kWarmUps) {
            all.push_back(spent.count());
            ours.push_back((spent - driver.spent).count());
        }
        // So that no frame has to wait for another.
        if (auto ok = executor->wait(); !ok) return propagate(std::move(ok));
    }
    cost.frame = median(std::move(all));
    cost.ours = median(std::move(ours));
    cost.rerecorded = static_cast<double>(executor->recordings() - recordings) / kFrames;
    return cost;
}

Outcome<void> bench_replay(const BenchReplayOptions& options, Terminal& terminal) {
    auto device = open_device(options.device, terminal);
    if (!device) return pass_on(std::move(device));
    const ShaderLibrary shaders = passes::make_shaders();
    constexpr auto kRight = Align::right;
    TextTable table({kRight, Align::left, kRight, Align::left, kRight, kRight, kRight, kRight,
                     kRight, kRight, kRight});
    table.add({"passes", "changes", "threads", "timed", "first us", "frame us",
               "without submission", "recorded", "buffers", "commands", "barriers"});
    if (options.csv)
        terminal.print("passes,changes,threads,timed,first_microseconds,frame_microseconds,"
                       "own_microseconds,recorded_share,command_buffers,commands,barriers\n");
    for (const std::uint32_t passes : options.passes)
        for (const Way& way : kWays) {
            const auto cost = measure(*device, shaders, passes, way);
            if (!cost) return run_failure(cost.error());
            const CommandCounts& recorded = cost->recorded;
            const std::array cells{std::to_string(passes),
                                   std::string(way.changes),
                                   std::to_string(way.threads),
                                   std::string(way.timed),
                                   fmt::format("{:.1f}", cost->first),
                                   fmt::format("{:.1f}", cost->frame),
                                   fmt::format("{:.1f}", cost->ours),
                                   fmt::format("{:.2f}", cost->rerecorded),
                                   std::to_string(recorded.buffers),
                                   std::to_string(recorded.commands),
                                   std::to_string(recorded.barriers)};
            if (options.csv)
                terminal.print(fmt::format("{}\n", fmt::join(cells, ",")));
            else
                table.add({cells.begin(), cells.end()});
        }
    if (!options.csv) terminal.print(table.text());
    return check_validation(*device);
}

} // namespace

Outcome<void> run_bench_replay(const BenchReplayOptions& options, Terminal& terminal) {
    return bench_replay(options, terminal);
}

} // namespace tuff::cli
