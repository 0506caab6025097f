#include "apps/shared/frame_runner.hpp"

#include "core/text_table.hpp"

#include <tuff/image.hpp>
#include <tuff/timeline.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace tuff::cli {
namespace {

/// Without what a device adds. Mips beyond the first are a third more at most.
std::uint64_t least_bytes(const ResourceDesc& resource) {
    if (!resource.is_image()) return resource.buffer().size;
    const ImageDesc& image = resource.image();
    return byte_size(image.format, image.extent) * image.layers;
}

} // namespace

FrameTime frame_time(std::int64_t index, double fps) {
    return {.frame = index, .time = static_cast<double>(index) / fps, .dt = 1.0 / fps};
}

FrameRunner::FrameRunner(OpenedConfig& config, const CompileFlags& flags, Device device)
    : config_(&config), flags_(flags), device_(std::make_unique<Device>(std::move(device))),
      runner_(*device_, {.compile = flags,
                         .execution = {.frames_in_flight = flags.frames_in_flight,
                                       .trail = flags.trail,
                                       .timeline = flags.timeline},
                         .watch_finite = flags.watch_finite,
                         .assertions = flags.assertions}) {}

Outcome<FrameRunner> FrameRunner::start(OpenedConfig& config, const CompileFlags& compile_flags,
                                        const DeviceFlags& device_flags, const FrameTime& first,
                                        Terminal& terminal) {
    return start(config, compile_flags, open_device(device_flags, terminal), first);
}

Outcome<FrameRunner> FrameRunner::start(OpenedConfig& config, const CompileFlags& compile_flags,
                                        Outcome<Device> device, const FrameTime& first) {
    // What passes can do depends on the device; a wrong graph is told as such where there is none.
    if (device) config.set_target(device->caps());
    auto built = [&] {
        const ScopedSpan building(compile_flags.timeline, HostWork::build);
        return config.build(first);
    }();
    if (!built) return pass_on(std::move(built));
    if (!device) {
        if (auto checked = compile(built->graph, DeviceCaps{}, compile_flags); !checked)
            return usage_failure(std::move(checked.error()));
        return pass_on(std::move(device));
    }
    FrameRunner runner(config, compile_flags, std::move(*device));
    if (auto taken = runner.take(std::move(*built), first); !taken)
        return pass_on(std::move(taken));
    return runner;
}

/// Before any of it is taken, also on a device with memory of its own, which nobody watches.
Outcome<void> FrameRunner::check_memory(const GraphDesc& graph) const {
    const auto limit = config_->memory_limit();
    if (!limit) return {};
    const auto plan = compile(graph, device_->caps(), flags_);
    if (!plan) return {}; // told when it is compiled to run
    std::uint64_t bytes = plan->statistics.transient_bytes + plan->statistics.kept_bytes;
    for (const ResourceDesc& resource : graph.resources)
        if (resource.lifetime != Lifetime::transient) bytes += least_bytes(resource);
    if (bytes <= *limit) return {};
    return usage_failure(fail("cli/too-much-memory",
                              fmt::format("the graph takes {} of memory, more than {}",
                                          human_bytes(bytes), human_bytes(*limit)),
                              "--max-memory allows more")
                             .error());
}

Outcome<void> FrameRunner::take(ConfiguredGraph built, const FrameTime& frame) {
    if (auto fits = check_memory(built.graph); !fits) return fits;
    auto taken = runner_.take(std::move(built.graph), config_->shaders());
    if (!taken) {
        // A graph that cannot be compiled is the config's fault; that it cannot be run, the
        // device's.
        const bool compiled = taken.error().front().code.starts_with("gpu/");
        return compiled ? run_failure(std::move(taken.error()))
                        : usage_failure(std::move(taken.error()));
    }
    outputs_ = std::move(built.outputs);
    nodes_ = std::move(built.nodes);
    asset_files_.insert(built.files.begin(), built.files.end());
    built_for_ = frame;
    std::ranges::move(runner_.take_restarted(), std::back_inserter(warnings_));
    return {};
}

Outcome<void> FrameRunner::begin_again(const FrameTime& first) {
    runner_.begin_again();
    asset_files_.clear();
    return build_for(first);
}

Outcome<void> FrameRunner::build_for(const FrameTime& frame) {
    auto built = [&] {
        const ScopedSpan building(flags_.timeline, HostWork::build);
        return config_->build(frame, runner_.pools());
    }();
    if (!built) return pass_on(std::move(built));
    return take(std::move(*built), frame);
}

/// Pools that grew want another graph.
Outcome<void> FrameRunner::grow_pools() {
    auto grown = runner_.grow_pools();
    if (!grown) return run_failure(std::move(grown.error()));
    if (!grown->empty()) built_for_.reset();
    std::ranges::move(*grown, std::back_inserter(warnings_));
    return {};
}

Outcome<void> FrameRunner::run(const FrameTime& frame) {
    if (auto grown = grow_pools(); !grown) return grown;
    const bool current =
        built_for_ && (built_for_->frame == frame.frame || !config_->config().animated());
    if (!current)
        if (auto built = build_for(frame); !built) return built;
    const bool captured = capture_ && frame.frame == captured_frame_;
    auto executed = captured ? execute_captured() : executor().execute();
    if (!executed) return run_failure(std::move(executed.error()));
    return {};
}

/// Nothing else is under way.
Result<void> FrameRunner::execute_captured() {
    FrameCapture& capture = *std::exchange(capture_, nullptr);
    if (auto ok = executor().wait(); !ok) return ok;
    if (auto ok = capture.begin(*device_); !ok) return ok;
    if (auto ok = executor().execute(); !ok) return ok;
    if (auto ok = executor().wait(); !ok) return ok;
    return capture.end();
}

Outcome<Diagnostics> FrameRunner::resume(const Checkpoint& checkpoint) {
    if (!checkpoint.run.pools.empty()) {
        runner_.set_pools(checkpoint.run.pools);
        if (auto built = build_for(*built_for_); !built) return pass_on(std::move(built));
    }
    auto notes = restore_checkpoint(executor(), checkpoint, config_->config().ranks());
    if (notes) return std::move(*notes);
    const bool of_device = notes.error().front().code.starts_with("gpu/");
    return of_device ? run_failure(std::move(notes.error()))
                     : usage_failure(std::move(notes.error()));
}

Outcome<std::filesystem::path> FrameRunner::keep(const FrameTime& frame, CheckpointRun run,
                                                 const std::filesystem::path& series) {
    if (auto waited = executor().wait(); !waited) return run_failure(std::move(waited.error()));
    // What this frame lacked, the next one is to have, whoever runs it.
    if (auto grown = grow_pools(); !grown) return pass_on(std::move(grown));
    run.frame = frame.frame;
    run.time = frame.time;
    run.step = frame.dt;
    run.pools = runner_.pools();
    auto folder = add_to_series(executor(), run, series, 2, config_->config().ranks());
    if (!folder) return run_failure(std::move(folder.error()));
    return std::move(*folder);
}

std::optional<VolumeGeometry> FrameRunner::geometry_of(std::string_view output) const {
    const auto found = std::ranges::find(outputs_, output, &ConfiguredOutput::name);
    return found == outputs_.end() ? std::nullopt : found->geometry;
}

std::optional<FieldPart> FrameRunner::part_of(std::string_view output) const {
    const auto found = std::ranges::find(outputs_, output, &ConfiguredOutput::name);
    return found == outputs_.end() ? std::nullopt : found->part;
}

Outcome<void> FrameRunner::finish() {
    if (auto waited = executor().wait(); !waited) return run_failure(std::move(waited.error()));
    return check_validation(*device_);
}

} // namespace tuff::cli
