#include "frame_runner.hpp"

namespace tuff::cli {

FrameTime frame_time(std::int64_t index, double fps) {
    return {.frame = index, .time = static_cast<double>(index) / fps, .dt = 1.0 / fps};
}

FrameRunner::FrameRunner(OpenedConfig& config, const CompileFlags& flags, Device device)
    : config_(&config), compile_flags_(flags), device_(std::make_unique<Device>(std::move(device))),
      memory_(memory_model(*device_)) {
    compile_flags_.memory = memory_.get();
}

Outcome<FrameRunner> FrameRunner::start(OpenedConfig& config, const CompileFlags& compile_flags,
                                        const DeviceFlags& device_flags, const FrameTime& first,
                                        Terminal& terminal) {
    auto built = config.build(first);
    if (!built) return pass_on(std::move(built));
    // Without a device yet: a wrong graph is told as such on a machine that has none.
    if (auto checked = compile(built->graph, DeviceCaps{}, compile_flags); !checked)
        return usage_failure(std::move(checked.error()));
    auto device = open_device(device_flags, terminal);
    if (!device) return pass_on(std::move(device));
    config.set_target(device->caps());
    built = config.build(first);
    if (!built) return pass_on(std::move(built));
    FrameRunner runner(config, compile_flags, std::move(*device));
    if (auto made = runner.make_executor(std::move(built->graph)); !made)
        return pass_on(std::move(made));
    runner.built_for_ = first;
    return runner;
}

Outcome<void> FrameRunner::make_executor(GraphDesc graph) {
    auto plan = compile(std::move(graph), device_->caps(), compile_flags_);
    if (!plan) return usage_failure(std::move(plan.error()));
    executor_.reset(); // its memory goes before the new one's comes
    plan_ = std::make_shared<const Plan>(std::move(*plan));
    auto executor = Executor::create(*device_, config_->shaders(), plan_);
    if (!executor) return run_failure(std::move(executor.error()));
    executor_.emplace(std::move(*executor));
    ++compilations_;
    return {};
}

Outcome<void> FrameRunner::run(const FrameTime& frame) {
    const bool current =
        built_for_ && (built_for_->frame == frame.frame || !config_->config().animated());
    if (!current) {
        auto built = config_->build(frame);
        if (!built) return pass_on(std::move(built));
        if (!same_structure(plan_->graph, built->graph)) {
            if (auto made = make_executor(std::move(built->graph)); !made) return made;
        } else if (auto set = executor_->set_parameters(built->graph.parameters); !set) {
            return run_failure(std::move(set.error()));
        }
        built_for_ = frame;
    }
    if (auto executed = executor_->execute(); !executed)
        return run_failure(std::move(executed.error()));
    return {};
}

Outcome<void> FrameRunner::finish() {
    if (auto waited = executor_->wait(); !waited) return run_failure(std::move(waited.error()));
    return check_validation(*device_);
}

} // namespace tuff::cli
