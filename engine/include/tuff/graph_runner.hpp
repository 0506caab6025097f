#pragma once

#include <tuff/executor.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace tuff {

/// How a GraphRunner compiles and runs graphs.
struct GraphRunnerOptions {
    /// If `memory` is null, the device's driver is asked.
    CompileOptions compile;
    ExecutorOptions execution; ///< of each executor
    /// Checks the values that each node writes: `watch_finite` (tuff/watch.hpp).
    bool watch_finite = false;
    bool assertions = true; ///< kernels check their assertions (assert.glsl)
    /// The old executor stays until the new one is made, or if it cannot be made. Costs the
    /// memory of both for that time.
    bool keep_until_replaced = false;
};

/// Runs a graph that is built again and again, for example for each frame of an animation.
/// If a graph differs from the one before only in parameters and uploads, the plan and everything
/// made from it stay; any other graph is compiled. Histories with equal name and description
/// (`match_histories`) go on in both cases.
///
/// With `ConstantWork::once`, nodes whose parameters turn out to change are no longer constant: the
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
    /// and must outlive the executor. Errors: those of `compile` (nothing changes then) and of
    /// `Executor::create`.
    Result<void> take(GraphDesc graph, const ShaderLibrary& shaders);

    /// Null before the first graph was taken, and if one could not be made.
    Executor* executor() { return executor_ ? &*executor_ : nullptr; }
    /// The same for a constant runner.
    const Executor* executor() const { return executor_ ? &*executor_ : nullptr; }
    /// The plan of the executor; null before the first.
    const std::shared_ptr<const Plan>& plan() const { return plan_; }
    /// If executions found a pool too small, sets `pools` to a quarter more than they
    /// needed, and returns a warning (graph/pool-grown): build the next graph with
    /// these. The results are two executions old, or as many as can be in flight, unless the
    /// program waits: graphs that are compiled for each execution need that. Waits for nothing
    /// that `execute` would not wait for. Error: `gpu/device-lost`.
    Result<Diagnostics> grow_pools();
    /// Sizes of pools for the next graphs: for `Graph::set_pools` and `Config::build`.
    const PoolSizes& pools() const { return pools_; }
    /// Restores those of an earlier run (tuff/checkpoint.hpp).
    void set_pools(PoolSizes pools) { pools_ = std::move(pools); }
    /// Call it before an unrelated graph: pools and histories begin again.
    void forget();

    /// Histories that began again since the last call, because their description has changed
    /// (graph/history-restarted).
    Diagnostics take_restarted() { return std::exchange(restarted_, {}); }
    /// Whether histories of the graph before went on when the last graph was compiled.
    bool has_carried_history() const { return has_carried_; }
    /// The next graph begins another run, possibly of the same plan: histories are reset, and
    /// changed parameters count as constant for the new run, so its constant work is done again
    /// instead of being classified as changing. Pools are kept.
    void begin_again();

    /// Number of graphs that were compiled and made ready to run.
    std::uint32_t compilations() const { return compilations_; }

  private:
    /// `take` of a graph that has its checks already.
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
    std::vector<bool> changing_;        ///< per node of the plan: had other parameters before
    std::uint32_t compilations_ = 0;
    Diagnostics restarted_;
    bool has_carried_ = false;
    bool forgets_ = false;      ///< the next graph inherits nothing
    bool begins_again_ = false; ///< the next graph is the first of a run
};

} // namespace tuff
