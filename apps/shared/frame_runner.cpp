#include "apps/shared/frame_runner.hpp"

#include <algorithm>
#include <iterator>

namespace tuff::cli {

FrameTime frame_time(std::int64_t index, double fps) {
    return {.frame = index, .time = static_cast<double>(index) / fps, .dt = 1.0 / fps};
}

FrameRunner::FrameRunner(OpenedConfig& config, const CompileFlags& flags, Device device)
    : config_(&config), device_(std::make_unique<Device>(std::move(device))),
      runner_(*device_, {.compile = flags}) {}

Outcome<FrameRunner> FrameRunner::start(OpenedConfig& config, const CompileFlags& compile_flags,
                                        const DeviceFlags& device_flags, const FrameTime& first,
                                        Terminal& terminal) {
    auto device = open_device(device_flags, terminal);
    // What passes can do depends on the device; a wrong graph is told as such where there is none.
    if (device) config.set_target(device->caps());
    auto built = config.build(first);
    if (!built) return pass_on(std::move(built));
    if (!device) {
        if (auto checked = compile(built->graph, DeviceCaps{}, compile_flags); !checked)
            return usage_failure(std::move(checked.error()));
        return pass_on(std::move(device));
    }
    FrameRunner runner(config, compile_flags, std::move(*device));
    if (auto taken = runner.take(std::move(built->graph)); !taken) return pass_on(std::move(taken));
    runner.built_for_ = first;
    return runner;
}

Outcome<void> FrameRunner::take(GraphDesc graph) {
    auto taken = runner_.take(std::move(graph), config_->shaders());
    if (taken) return {};
    // A graph that cannot be compiled is the config's fault; that it cannot be run, the device's.
    const bool compiled = taken.error().front().code.starts_with("gpu/");
    return compiled ? run_failure(std::move(taken.error()))
                    : usage_failure(std::move(taken.error()));
}

Outcome<void> FrameRunner::run(const FrameTime& frame) {
    auto grown = runner_.grow_pools();
    if (!grown) return run_failure(std::move(grown.error()));
    const bool current = grown->empty() && built_for_ &&
                         (built_for_->frame == frame.frame || !config_->config().animated());
    std::ranges::move(*grown, std::back_inserter(grown_));
    if (!current) {
        auto built = config_->build(frame, runner_.pools());
        if (!built) return pass_on(std::move(built));
        if (auto taken = take(std::move(built->graph)); !taken) return taken;
        built_for_ = frame;
    }
    if (auto executed = executor().execute(); !executed)
        return run_failure(std::move(executed.error()));
    return {};
}

Outcome<void> FrameRunner::finish() {
    if (auto waited = executor().wait(); !waited) return run_failure(std::move(waited.error()));
    return check_validation(*device_);
}

} // namespace tuff::cli
