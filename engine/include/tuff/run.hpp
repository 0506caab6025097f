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

/// The short way from a graph to its results: compiles the graph for the device and makes
/// everything that it needs to run.
///
///     Graph graph(shaders, device.caps());
///     ...
///     auto run = Run::start(device, shaders, std::move(graph));
///     if (!run) ...                       // what is wrong with the graph: all of it
///     if (auto done = run->execute(); !done) ...
///     auto picture = run->read_image("soft");
///
/// The layer below is `compile`, `Executor` and `GraphRunner`, for programs that compile and run
/// at different times or places; `runner` and `executor` return them. Not thread-safe.
class Run {
  public:
    /// `device` and `shaders`, the library that `graph` was built with, must outlive the run.
    /// Errors: every mistake in the graph (graph/...), else those of `Executor::create`.
    static Result<Run> start(Device& device, const ShaderLibrary& shaders, Graph graph,
                             GraphRunnerOptions options = {});

    /// Submits one execution. Blocks only while too many are unfinished
    /// (`ExecutorOptions::frames_in_flight`). Errors: `gpu/import-missing`, `gpu/out-of-memory`,
    /// `gpu/device-lost`.
    Result<void> execute();

    /// Runs `graph` from the next execution on: the next frame of an animation. If it differs
    /// from the one before only in parameters and uploads, nothing is compiled; histories of the
    /// same name go on in both cases. Errors: as `start`. If the graph has mistakes, the one before
    /// stays; if the device cannot run it, nothing runs (`gpu/nothing-to-run`) until another graph
    /// is given, unless `GraphRunnerOptions::keep_until_replaced` is set.
    Result<void> change(Graph graph);

    /// One mip level and layer of an image output of the last execution; blocks until it has
    /// finished. Errors: `gpu/unknown-output`, `gpu/not-executed`, `gpu/output-kind`,
    /// `gpu/out-of-memory`, `gpu/device-lost`.
    Result<HostImage> read_image(std::string_view output, std::uint32_t mip = 0,
                                 std::uint32_t layer = 0);
    /// The bytes of a buffer output of the last execution. Errors: as `read_image`.
    Result<std::vector<std::byte>> read_buffer(std::string_view output);
    /// The same as numbers or structs; bytes after the last whole one are ignored.
    template <typename T>
    requires std::is_trivially_copyable_v<T> Result<std::vector<T>>
    read_buffer_as(std::string_view output) {
        auto bytes = read_buffer(output);
        if (!bytes) return propagate(std::move(bytes));
        std::vector<T> values(bytes->size() / sizeof(T));
        std::memcpy(values.data(), bytes->data(), values.size() * sizeof(T));
        return values;
    }

    /// Likely oversights in the graph (graph/parameter-not-set, graph/no-draws, ...),
    /// and warnings of passes about the last execution, if there was one: see
    /// `Executor::warnings`. Blocks until that has finished. Errors: `gpu/out-of-memory`,
    /// `gpu/device-lost`.
    Result<Diagnostics> warnings();

    /// The plan that it runs.
    const Plan& plan() const { return *runner_.plan(); }
    /// Its executor, valid until the next `change`. There is one unless `change` failed.
    Executor& executor() { return *runner_.executor(); }
    /// The runner, with the pools and histories.
    GraphRunner& runner() { return runner_; }

  private:
    Run(GraphRunner runner, const ShaderLibrary& shaders)
        : runner_(std::move(runner)), shaders_(&shaders) {}
    Result<Executor*> running();

    GraphRunner runner_;
    const ShaderLibrary* shaders_;
    bool executed_ = false; ///< the current graph was executed
};

} // namespace tuff
