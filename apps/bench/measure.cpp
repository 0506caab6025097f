#include "apps/bench/measure.hpp"

#include "core/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>

namespace tuff::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint32_t kInFlight = 8;
constexpr std::size_t kMaxSamples = 5000;
constexpr std::size_t kNodeRounds = 5;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Bytes of what the host gives a graph once.
std::uint64_t constant_bytes(const GraphDesc& graph) {
    std::uint64_t total = 0;
    for (const ResourceDesc& resource : graph.resources) {
        if (resource.lifetime != Lifetime::constant) continue;
        total += resource.is_image() ? byte_size(resource.image().format, resource.image().extent)
                                     : resource.buffer().size;
    }
    return total;
}

/// Why the device cannot run the plan, if it cannot.
std::optional<std::string> obstacle(const Plan& plan, const DeviceCaps& caps) {
    for (const ResourceDesc& resource : plan.graph.resources) {
        if (resource.is_image()) {
            const Extent& extent = resource.image().extent;
            if (resource.image().shape == ImageShape::d2 &&
                std::max(extent.width, extent.height) > caps.max_image_2d)
                return fmt::format("needs an image of {}x{}, the device has up to {}", extent.width,
                                   extent.height, caps.max_image_2d);
        } else if (resource.buffer().size > caps.max_storage_buffer_bytes) {
            return fmt::format("needs a buffer of {}, the device binds up to {}",
                               human_bytes(resource.buffer().size),
                               human_bytes(caps.max_storage_buffer_bytes));
        }
    }
    const std::uint64_t needed = plan.statistics.transient_bytes + constant_bytes(plan.graph);
    if (needed > caps.device_memory_bytes)
        return fmt::format("needs {} of memory, the device has {}", human_bytes(needed),
                           human_bytes(caps.device_memory_bytes));
    return std::nullopt;
}

bool out_of_memory(const Diagnostics& errors) {
    return std::ranges::any_of(errors,
                               [](const Diagnostic& d) { return d.code == "gpu/out-of-memory"; });
}

/// Submits `count` executions, at most as many as may be in flight, and waits for them: submitted
/// together, they keep the device at work.
Result<void> execute(Executor& executor, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i)
        if (auto ok = executor.execute(); !ok) return ok;
    return executor.wait();
}

/// Keeps the device at work for so long, and returns how many executions to submit together.
Result<std::uint32_t> warm_up(Executor& executor, const MeasureOptions& options) {
    const Clock::time_point start = Clock::now();
    if (auto ok = execute(executor, 1); !ok) return propagate(std::move(ok));
    // The first execution is dearer than others, so that this asks for no more than is wanted.
    const double each = std::max(seconds_since(start), 1e-6);
    const auto together = static_cast<std::uint32_t>(
        std::clamp(options.seconds / 4.0 / each, 1.0, double{kInFlight}));
    while (seconds_since(start) < options.warm_up)
        if (auto ok = execute(executor, together); !ok) return propagate(std::move(ok));
    return together;
}

/// What counts of an execution: all of it, or the nodes below a scope.
double counted(const ExecutionTimings& timings, const std::string& scope) {
    if (scope.empty()) return timings.milliseconds;
    double sum = 0.0;
    for (const NodeTiming& node : timings.nodes)
        if (node.name.starts_with(scope)) sum += node.milliseconds;
    return sum;
}

/// Milliseconds of executions on the device.
Result<std::vector<double>> sample(Executor& executor, const MeasureOptions& options,
                                   const std::string& scope) {
    auto warmed = warm_up(executor, options);
    if (!warmed) return propagate(std::move(warmed));
    const std::uint32_t together = *warmed;
    const double seconds = options.seconds;

    std::vector<double> samples;
    const Clock::time_point warm = Clock::now();
    while (samples.size() < options.fewest ||
           (seconds_since(warm) < seconds && samples.size() < kMaxSamples)) {
        if (auto ok = execute(executor, together); !ok) return propagate(std::move(ok));
        const std::vector<ExecutionTimings> recent = executor.recent_timings();
        for (std::size_t i = recent.size() - std::min<std::size_t>(together, recent.size());
             i < recent.size(); ++i)
            samples.push_back(counted(recent[i], scope));
    }
    return samples;
}

/// The median time of each node.
Result<std::vector<NodeTiming>> sample_nodes(Executor& executor, const MeasureOptions& options) {
    if (auto warmed = warm_up(executor, options); !warmed) return propagate(std::move(warmed));
    std::vector<NodeTiming> nodes;
    std::vector<std::vector<double>> samples;
    for (std::size_t round = 0; round <= kNodeRounds; ++round) {
        if (auto ok = execute(executor, 1); !ok) return propagate(std::move(ok));
        nodes = executor.timings().nodes;
        samples.resize(nodes.size());
        for (std::size_t i = 0; i < nodes.size() && round > 0; ++i)
            samples[i].push_back(nodes[i].milliseconds);
    }
    for (std::size_t i = 0; i < nodes.size(); ++i)
        nodes[i].milliseconds = summarise(std::move(samples[i])).median;
    return nodes;
}

/// Runs the checks on what the last execution left.
Result<void> check(Executor& executor, const CaseBuilder::Checks& checks, Measurement& result) {
    if (checks.empty()) return {};
    CaseResults results(executor, result.milliseconds.median);
    for (const auto& one : checks) {
        const Verdict verdict = one(results);
        result.peers = results.peers();
        result.remark = results.remark();
        if (!results.errors().empty()) return std::unexpected(results.errors());
        if (verdict) continue;
        result.checked = Checked::wrong;
        result.remark = verdict.error();
        return {};
    }
    result.checked = Checked::yes;
    return {};
}

Result<void> run(Device& device, const ShaderLibrary& shaders, std::shared_ptr<const Plan> plan,
                 const CaseBuilder& built, const MeasureOptions& options, Measurement& result) {
    {
        const std::string& scope = built.timed_scope();
        auto executor =
            Executor::create(device, shaders, plan,
                             {.frames_in_flight = kInFlight,
                              .timings = scope.empty() ? Timings::executions : Timings::nodes});
        if (!executor) return propagate(std::move(executor));
        auto samples = sample(*executor, options, scope);
        if (!samples) return propagate(std::move(samples));
        result.milliseconds = summarise(std::move(*samples));
        if (auto ok = check(*executor, built.checks(), result); !ok) return ok;
    } // its memory goes before the next one's comes
    if (options.timings != Timings::nodes) return {};
    auto executor = Executor::create(device, shaders, std::move(plan));
    if (!executor) return propagate(std::move(executor));
    auto nodes = sample_nodes(*executor, options);
    if (!nodes) return propagate(std::move(nodes));
    result.nodes = std::move(*nodes);
    return {};
}

} // namespace

std::string_view to_string(Checked checked) {
    switch (checked) {
    case Checked::no: return "no";
    case Checked::yes: return "yes";
    case Checked::wrong: return "wrong";
    }
    std::unreachable();
}

Result<Measurement> measure(Device& device, const ShaderLibrary& shaders, const Case& measured,
                            std::uint64_t size, const MeasureOptions& options) {
    Measurement result{.pass = measured.pass, .name = measured.name, .size = size};
    Graph graph(shaders);
    graph.set_target(device.caps());
    CaseBuilder builder(graph, device.caps(), size, &device);
    measured.build(builder);
    if (builder.skipped()) {
        result.remark = *builder.skipped();
        return result;
    }
    result.cost = builder.cost();
    const std::unique_ptr<MemoryModel> memory = memory_model(device);
    auto plan = compile(std::move(graph).finish(), device.caps(), {.memory = memory.get()});
    if (!plan) return propagate(std::move(plan));
    if (const auto why = obstacle(*plan, device.caps())) {
        result.remark = *why;
        return result;
    }
    auto done = run(device, shaders, std::make_shared<const Plan>(std::move(*plan)), builder,
                    options, result);
    if (done) return result;
    if (!out_of_memory(done.error())) return propagate(std::move(done));
    result = {.pass = measured.pass, .name = measured.name, .size = size};
    result.remark = "the device is out of memory";
    return result;
}

} // namespace tuff::bench
