#pragma once

#include <tuff/executor.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace tuff {

/// How a GraphRunner makes plans and runs them.
struct GraphRunnerOptions {
    /// Where `memory` is null the device answers.
    CompileOptions compile;
    ExecutorOptions execution; ///< of each executor
    /// Graphs are run with checks of what each node writes: `watch_finite` (tuff/watch.hpp).
    bool watch_finite = false;
    bool assertions = true; ///< kernels check what they assert (assert.glsl)
    /// What runs goes on until its successor is made, and stays where none can be made. Costs the
    /// memory of both for that time.
    bool keep_until_replaced = false;
};

/// A graph that is built again and again, for each frame of an animation for instance, and
/// runs. Where a graph differs from the one before in parameters only, the plan and everything made
/// from it stay; any other is compiled. Histories that both have, alike by name and description
/// (`match_histories`), go on either way.
///
/// With `ConstantWork::once` nodes whose parameters turn out to change are taken for changing: the
/// graph is compiled once more, so that the rest of the constant work is kept.
///
///     GraphRunner runner(device);
///     for (FrameTime frame;; ++frame.frame) {
///         if (auto grown = runner.grow_pools(); !grown) ...
///         auto built = config.build(shaders, assets, frame, device.caps(), runner.pools());
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
    const Executor* executor() const { return executor_ ? &*executor_ : nullptr; }
    /// Of the graph that was made ready last; null before.
    const std::shared_ptr<const Plan>& plan() const { return plan_; }
    /// Where executions found a pool too small, `pools` is brought to a quarter more than they
    /// needed, and a warning tells so (graph/pool-grown): the next graph should be built with
    /// these. What is seen is two executions old, or as many as may be in flight, unless somebody
    /// has waited: graphs that are compiled for each execution need that. Waits for nothing
    /// that `execute` would not wait for. Error: `gpu/device-lost`.
    Result<Diagnostics> grow_pools();
    /// What graphs to come should have room for: for `Graph::set_pools` and `Config::build`.
    const PoolSizes& pools() const { return pools_; }
    /// Those of an earlier run (tuff/checkpoint.hpp).
    void set_pools(PoolSizes pools) { pools_ = std::move(pools); }
    /// For graphs that have nothing to do with those so far: pools and histories begin again.
    void forget();

    /// Histories that began again since the last call, because they are not what they were
    /// (graph/history-restarted).
    Diagnostics take_restarted() { return std::exchange(restarted_, {}); }
    /// Whether histories of the graph before went on when the last graph was compiled.
    bool has_carried_history() const { return has_carried_; }
    /// The next graph begins another run of what may be the same plan: histories are as at first,
    /// and parameters that it has others of may last, so its constant work is done again instead
    /// of being taken for changing. No pool is forgotten.
    void begin_again();

    /// How many graphs were compiled and made ready to run.
    std::uint32_t compilations() const { return compilations_; }

  private:
    /// `take` of a graph that checks what it is to.
    Result<void> take_checked(GraphDesc graph, const ShaderLibrary& shaders);
    Result<void> run_compiled(GraphDesc graph, const ShaderLibrary& shaders);
    Result<void> replace_executor(const ShaderLibrary& shaders, std::shared_ptr<const Plan> plan);
    bool mark_changed(const GraphDesc& graph);

    Device* device_;
    std::unique_ptr<MemoryModel> memory_;
    GraphRunnerOptions options_;
    std::shared_ptr<const Plan> plan_;
    std::optional<Executor> executor_;
    PoolSizes pools_;
    std::vector<std::byte> parameters_; ///< of the graph that was taken last
    std::vector<bool> changing_;        ///< per node of the plan: was given others before
    std::uint32_t compilations_ = 0;
    Diagnostics restarted_;
    bool has_carried_ = false;
    bool forgets_ = false;      ///< what runs leaves nothing to its successor
    bool begins_again_ = false; ///< the next graph is the first of a run
};

} // namespace tuff
