#pragma once

#include <tuff/executor.hpp>

#include <cstdint>
#include <memory>
#include <optional>

namespace tuff {

/// How a GraphRunner makes plans and runs them.
struct GraphRunnerOptions {
    /// Where `memory` is null the device answers.
    CompileOptions compile;
    ExecutorOptions execution; ///< of each executor
    /// What runs goes on until its successor is made, and stays where none can be made. Costs the
    /// memory of both for that time.
    bool keep_until_replaced = false;
};

/// A graph that is built anew again and again, for each frame of an animation for instance, and
/// runs. Where a graph differs from the one before in parameters only, the plan and everything made
/// from it stay, history among it; any other is compiled.
///
///     GraphRunner runner(device);
///     for (FrameTime frame;; ++frame.frame) {
///         auto built = config.build(shaders, assets, frame, device.caps());
///         if (auto taken = runner.take(std::move(built->graph), shaders); !taken) ...
///         if (auto done = runner.executor()->execute(); !done) ...
///     }
class GraphRunner {
  public:
    /// `device` must outlive the runner.
    explicit GraphRunner(Device& device, GraphRunnerOptions options = {});

    /// Runs `graph` from the next execution on. `shaders` is the library that it was built with,
    /// and must outlive what runs. Errors: those of `compile` (nothing has changed then) and of
    /// `Executor::create`.
    Result<void> take(GraphDesc graph, const ShaderLibrary& shaders);

    /// Null before the first graph was taken, and where one could not be made.
    Executor* executor() { return executor_ ? &*executor_ : nullptr; }
    /// Likewise.
    const Executor* executor() const { return executor_ ? &*executor_ : nullptr; }
    /// Of the graph that was made ready last; null before.
    const std::shared_ptr<const Plan>& plan() const { return plan_; }
    /// How many graphs were compiled and made ready to run.
    std::uint32_t compilations() const { return compilations_; }

  private:
    Device* device_;
    std::unique_ptr<MemoryModel> memory_;
    GraphRunnerOptions options_;
    std::shared_ptr<const Plan> plan_;
    std::optional<Executor> executor_;
    std::uint32_t compilations_ = 0;
};

} // namespace tuff
