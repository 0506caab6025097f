#pragma once

#include "common.hpp"

#include <tuff/executor.hpp>

#include <memory>
#include <optional>

namespace tuff::cli {

/// Time of frame `index` of an animation of `fps` frames a second.
FrameTime frame_time(std::int64_t index, double fps);

/// Runs a config on a device, frame by frame. A frame that differs from the one before in
/// parameters only keeps the plan and everything made from it.
class FrameRunner {
  public:
    /// Builds and compiles the graph of `first`. Mistakes in the config are found before a device
    /// is opened.
    static Outcome<FrameRunner> start(OpenedConfig& config, const CompileFlags& compile_flags,
                                      const DeviceFlags& device_flags, const FrameTime& first,
                                      Terminal& terminal);

    /// Submits one frame.
    Outcome<void> run(const FrameTime& frame);
    /// Waits for all frames and fails if the validation layer had something to say.
    Outcome<void> finish();

    Executor& executor() { return *executor_; }
    const Plan& plan() const { return *plan_; }
    const Device& device() const { return *device_; }
    /// How often the graph was compiled, at least 1.
    std::uint32_t compilations() const { return compilations_; }

  private:
    FrameRunner(OpenedConfig& config, const CompileFlags& flags, Device device);
    Outcome<void> make_executor(GraphDesc graph);

    OpenedConfig* config_;
    CompileFlags compile_flags_;
    std::unique_ptr<Device> device_; ///< behind a pointer, for the executor refers to it
    std::unique_ptr<MemoryModel> memory_;
    std::shared_ptr<const Plan> plan_;
    std::optional<Executor> executor_;
    std::optional<FrameTime> built_for_; ///< the frame whose parameters the executor has
    std::uint32_t compilations_ = 0;
};

} // namespace tuff::cli
