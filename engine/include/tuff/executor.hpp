#pragma once

#include <tuff/device.hpp>
#include <tuff/diagnostic.hpp>
#include <tuff/history.hpp>
#include <tuff/image.hpp>
#include <tuff/plan.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tuff {

class ShaderLibrary;
struct ExecutorImpl;

/// The driver's own answer to how much memory a resource takes, for `CompileOptions::memory`: a
/// plan compiled with it fits the device exactly. Thread-safe; refers to `device`, which must
/// outlive it.
std::unique_ptr<MemoryModel> memory_model(const Device& device);

/// Compiles `graph` to run on `device`: for its abilities and, unless `options.memory` says
/// otherwise, with its driver's answers to how much memory resources take, so that the plan fits.
/// `Run` (tuff/run.hpp) calls it itself. Errors: those of `compile` in tuff/plan.hpp.
Result<Plan> compile(GraphDesc graph, const Device& device, const CompileOptions& options = {});

/// What is timed on the device. Timing nodes makes each wait for the one before it, which short
/// ones feel: what is compared with other programs is timed by whole executions.
enum class Timings : std::uint8_t { off, executions, nodes };

/// Whether an execution submits commands that were recorded before where nothing in them has
/// changed. `off` records all of them each time: a safe mode, to find out whether a recording that
/// is out of date is to blame.
enum class Replay : std::uint8_t { on, off };

/// How a plan is run.
struct ExecutorOptions {
    /// Executions that may be under way at once, at least 1. More hide latency and cost a copy of
    /// the parameters and of the recorded commands each.
    std::uint32_t frames_in_flight = 2;
    Timings timings = Timings::nodes; ///< what is timed on the device
    /// Threads that record commands, the caller's among them; 0: as many as the plan's size is
    /// worth. The commands are the same whatever the number. Custom nodes are always recorded on
    /// the caller's thread, in the plan's order.
    std::uint32_t recording_threads = 0;
    Replay replay = Replay::on; ///< whether recorded commands are used again
    /// Ways to bind the imports that are kept recorded, so that executions which take turns with
    /// the images of a swapchain replay too. What is beyond the executions in flight is made when
    /// it is first needed; plans without imports have no use for it.
    std::uint32_t kept_imports = 4;
    /// Nodes leave marks in host memory as they begin and end, so that the error of a lost device
    /// names the last ones of each queue. Nodes run one after the other.
    bool trail = false;
};

/// How long a node took on the device.
struct NodeTiming {
    std::string name;          ///< full path, "bloom/blur"
    double milliseconds = 0.0; ///< to its end, from that of the node before it in its submission
    double start = 0.0;        ///< milliseconds after the execution's
    Queue queue = Queue::graphics; ///< on which it ran
};

/// How long an execution took on the device. Nodes of one level may overlap; each is charged the
/// time from the end of the node before it in its submission to its own end, so the nodes of a plan
/// for one queue sum up to the whole. Times of different queues compare as well as the device's
/// clocks agree; all are zero of a queue that has none, and where they are off.
struct ExecutionTimings {
    std::uint64_t execution = 0;   ///< counts from 1; 0: none has finished yet
    double milliseconds = 0.0;     ///< from the start of the first submission to the end
    std::vector<NodeTiming> nodes; ///< in the plan's order; empty unless nodes are timed
    /// The nodes of the constant work, whose last run may have been before other executions and is
    /// no part of the sum.
    std::vector<NodeTiming> setup;
};

/// Memory that an executor holds, in bytes. Constants are shared between the executors of a device.
struct ExecutorMemory {
    std::uint64_t transient = 0; ///< shared by transient resources
    std::uint64_t constant = 0;  ///< textures, vertices, tables
    std::uint64_t history = 0;   ///< copies of histories
    std::uint64_t kept = 0;      ///< results of constant work
    std::uint64_t setup = 0;     ///< what constant work takes to run; as transient memory
    std::uint64_t host = 0;      ///< parameters and uploads, visible to the CPU
};

/// Runs a plan on a device, again and again. Everything the plan needs is made once, in `create`;
/// an execution replays recorded commands. Not thread-safe; several executors of one device may be
/// used from several threads.
class Executor {
  public:
    /// Makes the plan's resources, pipelines and descriptors and uploads its constants. `device`
    /// and `shaders` must outlive the executor; `shaders` must be the library that the graph was
    /// built with. Compile the plan for `device`; one that was compiled for its caps alone may not
    /// fit, which is the error `gpu/plan-memory`. Further errors: `gpu/unsupported-format` (names
    /// resource, format and usage), `gpu/plan-queues` (the device lacks a queue that the plan
    /// uses), `gpu/pipeline`, `gpu/constant-size`, `gpu/missing-binding`, `gpu/out-of-memory`,
    /// `gpu/device-lost`, `gpu/call-failed`. Nothing stays behind when it fails.
    static Result<Executor> create(Device& device, const ShaderLibrary& shaders,
                                   std::shared_ptr<const Plan> plan, ExecutorOptions options = {});

    Executor(Executor&&) noexcept;
    Executor& operator=(Executor&&) noexcept;
    /// Waits for the work it has submitted.
    ~Executor();

    /// What it runs.
    const Plan& plan() const;

    /// Submits one execution. Blocks only while as many executions as there may be in flight are
    /// unfinished. Errors: `gpu/import-missing`, `gpu/out-of-memory`, `gpu/device-lost`.
    Result<void> execute();

    /// Blocks until everything submitted has finished. Errors: `gpu/device-lost`,
    /// `gpu/host-in-flight` (of a host's recordings: it is for the host to wait for them).
    Result<void> wait();

    /// Replaces the parameter bytes (`GraphDesc::parameters` of a graph of the same structure) from
    /// the next execution on. Commands are recorded again only where push constants changed.
    /// Error: `gpu/parameter-size` when the size differs from the plan's.
    Result<void> set_parameters(std::span<const std::byte> parameters);

    /// Replaces the bytes that uploads bring by those of `graph`, which has the structure of the
    /// plan's (`same_structure`), from the next execution on.
    void set_uploads(const GraphDesc& graph);

    /// One mip level and layer of an output of the last execution; blocks until it has finished.
    /// Of a depth-stencil image the depth. Errors: `gpu/unknown-output`, `gpu/not-executed`,
    /// `gpu/output-kind` (a buffer, multisampled, or no such mip or layer), `gpu/out-of-memory`,
    /// `gpu/device-lost`.
    Result<HostImage> read_image(std::string_view output, std::uint32_t mip = 0,
                                 std::uint32_t layer = 0);
    /// The bytes of a buffer output, likewise.
    Result<std::vector<std::byte>> read_buffer(std::string_view output);

    /// What the passes have to say of the last execution: input that they left out, lists that were
    /// too short, solvers that did not converge (see `Graph::status`). Each message begins with
    /// the name of its pass. Blocks until the execution has finished. Errors: `gpu/not-executed`,
    /// `gpu/out-of-memory`, `gpu/device-lost`.
    Result<Diagnostics> warnings();

    /// Pools that were too small, and what they should have had room for, in executions since the
    /// last call. It looks only at those that have ended when the next one begins, so that it waits
    /// for nothing that `execute` would not wait for. Error: `gpu/device-lost`.
    Result<PoolSizes> pool_needs();

    /// Of the last execution that has finished; does not block.
    ExecutionTimings timings() const;
    /// Of the last executions that have finished, oldest first: as many as may be in flight.
    std::vector<ExecutionTimings> recent_timings() const;

    /// Makes all history resources hold their clear value again, as before the first execution.
    /// Waits for the work submitted.
    Result<void> reset_history();

    /// What executions read of earlier ones (`histories_of` its plan), in the order of the indices
    /// that follow.
    const std::vector<HistoryInfo>& histories() const;
    /// The bits of all copies of a history: as the next execution sees them, the one that it will
    /// write first and the oldest last; an image's mip by mip, and layer by layer in each. Waits
    /// for the work submitted. Errors: `gpu/history-samples` (a multisampled image, which no host
    /// can read), `gpu/out-of-memory`, `gpu/device-lost`, `gpu/host-in-flight`.
    Result<std::vector<std::byte>> read_history(std::size_t history);
    /// Makes the next execution see what `read_history` of the same history has read, of whatever
    /// executor and device. Errors: the same, and `gpu/history-size`.
    Result<void> write_history(std::size_t history, std::span<const std::byte> contents);
    /// The next execution runs in place of the last one: it finds the histories as that has found
    /// them. Once after each execution, or after `write_history` of what an executor left.
    void step_back();

    /// What it holds now.
    ExecutorMemory memory() const;

    /// Changes what is timed from the next execution on; whether commands write timestamps is part
    /// of them, so they are recorded again once. Errors: `gpu/out-of-memory`, `gpu/device-lost`.
    Result<void> set_timings(Timings timings);

    /// Executions so far for which commands were recorded: constant once the first ones are over,
    /// unless push constants, imports or custom nodes force a new recording.
    std::uint64_t recordings() const;

    /// The engine's own side; its definition is not public.
    ExecutorImpl& impl() const { return *impl_; }

  private:
    explicit Executor(std::unique_ptr<ExecutorImpl> impl);

    std::unique_ptr<ExecutorImpl> impl_;
};

} // namespace tuff
