#pragma once

#include <tuff/graph.hpp>
#include <tuff/graph_runner.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tuff {

/// The short way from a graph to its results: compiles the graph for the device and makes all that
/// it takes to run.
///
///     Graph graph(shaders, device.caps());
///     ...
///     auto run = Run::start(device, shaders, std::move(graph));
///     if (!run) ...                       // what is wrong with the graph: all of it
///     if (auto done = run->execute(); !done) ...
///     auto picture = run->read_image("soft");
///
/// The layer below are `compile`, `Executor` and `GraphRunner`, for programs that compile and run
/// at different times or places; `runner` and `executor` lead there. Not thread-safe.
class Run {
  public:
    /// `device` and `shaders`, the library that `graph` was built with, must outlive the run.
    /// Errors: every mistake in the graph (graph/...), else those of `Executor::create`.
    static Result<Run> start(Device& device, const ShaderLibrary& shaders, Graph graph,
                             GraphRunnerOptions options = {});

    /// Submits one execution. Blocks only while as many as may be in flight are unfinished
    /// (`ExecutorOptions::frames_in_flight`). Errors: `gpu/import-missing`, `gpu/out-of-memory`,
    /// `gpu/device-lost`.
    Result<void> execute();

    /// Runs `graph` from the next execution on: the next frame of an animation. Where it differs
    /// from the one before in parameters and uploads alone nothing is compiled; histories of the
    /// same name go on either way. Errors: as `start`. Where the graph has mistakes the one before
    /// stays; where the device cannot run it, nothing runs (`gpu/nothing-to-run`) until another one
    /// is given, unless `GraphRunnerOptions::keep_until_replaced`.
    Result<void> change(Graph graph);

    /// One mip level and layer of an image output of the last execution; blocks until it has
    /// finished. Errors: `gpu/unknown-output`, `gpu/not-executed`, `gpu/output-kind`,
    /// `gpu/out-of-memory`, `gpu/device-lost`.
    Result<HostImage> read_image(std::string_view output, std::uint32_t mip = 0,
                                 std::uint32_t layer = 0);
    /// The bytes of a buffer output of the last execution. Errors: as `read_image`.
    Result<std::vector<std::byte>> read_buffer(std::string_view output);
    /// The same as numbers or structs; bytes behind the last whole one are left out.
    template <typename T>
    requires std::is_trivially_copyable_v<T> Result<std::vector<T>>
    read_buffer_as(std::string_view output) {
        auto bytes = read_buffer(output);
        if (!bytes) return propagate(std::move(bytes));
        std::vector<T> values(bytes->size() / sizeof(T));
        std::memcpy(values.data(), bytes->data(), values.size() * sizeof(T));
        return values;
    }

    /// What looks like an oversight in the graph (graph/parameter-not-set, graph/no-draws, ...),
    /// and what passes have to say of the last execution, if there was one: see
    /// `Executor::warnings`. Blocks until that has finished. Errors: `gpu/out-of-memory`,
    /// `gpu/device-lost`.
    Result<Diagnostics> warnings();

    /// What it runs.
    const Plan& plan() const { return *runner_.plan(); }
    /// What runs it, until the next `change`. There is one unless that has failed.
    Executor& executor() { return *runner_.executor(); }
    /// Compiles and keeps the executor; pools and histories are asked for there.
    GraphRunner& runner() { return runner_; }

  private:
    Run(GraphRunner runner, const ShaderLibrary& shaders)
        : runner_(std::move(runner)), shaders_(&shaders) {}
    Result<Executor*> running();

    GraphRunner runner_;
    const ShaderLibrary* shaders_;
    bool executed_ = false; ///< what runs now
};

} // namespace tuff
