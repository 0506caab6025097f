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
class Timeline;
struct ExecutorImpl;

/// Asks the driver how much memory a resource needs, for `CompileOptions::memory`: a
/// plan compiled with it fits the device exactly. Thread-safe; refers to `device`, which must
/// outlive it.
std::unique_ptr<MemoryModel> memory_model(const Device& device);

/// Compiles `graph` to run on `device`: for its features and, unless `options.memory` is set,
/// with the memory requirements of its driver, so that the plan fits.
/// `Run` (tuff/run.hpp) calls it itself. Errors: those of `compile` in tuff/plan.hpp.
Result<Plan> compile(GraphDesc graph, const Device& device, const CompileOptions& options = {});

/// What is timed on the device. Timing nodes makes each wait for the one before it, which slows
/// short nodes: to compare with other programs, time whole executions.
enum class Timings : std::uint8_t { off, executions, nodes };

/// Whether executions reuse recorded commands whose contents have not changed.
/// `off` records all commands each time: a safe mode, to find out whether an outdated recording
/// causes a bug.
enum class Replay : std::uint8_t { on, off };

/// How a plan is run.
struct ExecutorOptions {
    /// Executions that can be in flight at once, at least 1. More hide latency; each costs a copy
    /// of the parameters and of the recorded commands.
    std::uint32_t frames_in_flight = 2;
    Timings timings = Timings::nodes; ///< what is timed on the device
    /// Threads that record commands, including the caller's; 0: chosen by the size of the plan.
    /// The commands do not depend on the number. Custom nodes are always recorded on
    /// the caller's thread, in the plan's order.
    std::uint32_t recording_threads = 0;
    Replay replay = Replay::on; ///< whether recorded commands are reused
    /// Sets of bound imports whose recordings are kept, so that executions with alternating
    /// images of a swapchain are replayed too. Slots beyond the executions in flight are made on
    /// first use. Plans without imports do not use it.
    std::uint32_t kept_imports = 4;
    /// Nodes leave marks in host memory as they begin and end, so that the error of a lost device
    /// names the last ones of each queue. Nodes run one after the other. Where a driver has marks
    /// of its own (VK_AMD_buffer_marker, VK_NV_device_diagnostic_checkpoints) they are left without
    /// this, and nodes overlap as ever.
    bool trail = false;
    /// What host and device do is noted there (tuff/timeline.hpp), which must outlive the executor.
    Timeline* timeline = nullptr;
};

/// How long a node took on the device.
struct NodeTiming {
    std::string name;          ///< full path, "bloom/blur"
    double milliseconds = 0.0; ///< to its end, from that of the node before it in its submission
    double start = 0.0;        ///< milliseconds after the execution's
    Queue queue = Queue::graphics; ///< that it ran on
    // Of nodes of the host, whose `start` is zero:
    double waited = 0.0;             ///< milliseconds that the host waited for the device before it
    std::int64_t host_begin = 0;     ///< when it began, on the clock of `host_time`
    std::uint64_t bytes_read = 0;    ///< that it may read, of all its buffers
    std::uint64_t bytes_written = 0; ///< that it may write
};

/// How long an execution took on the device. Nodes of one level may overlap; each is charged the
/// time from the end of the node before it in its submission to its own end, so the nodes of a plan
/// for one queue sum up to the whole. Times of different queues are as comparable as the
/// device's clocks; all are zero for queues without timestamps, and with `Timings::off`.
struct ExecutionTimings {
    std::uint64_t execution = 0;   ///< counts from 1; 0: none has finished yet
    double milliseconds = 0.0;     ///< from the start of the first submission to the end
    std::vector<NodeTiming> nodes; ///< in the plan's order; empty unless nodes are timed
    /// The nodes of the constant work in its last run, possibly before earlier executions; not
    /// part of the sum.
    std::vector<NodeTiming> setup;
};

/// Memory that an executor holds, in bytes. Constants are shared between the executors of a device.
struct ExecutorMemory {
    std::uint64_t transient = 0; ///< shared by transient resources
    std::uint64_t constant = 0;  ///< textures, vertices, tables
    std::uint64_t history = 0;   ///< copies of histories
    std::uint64_t kept = 0;      ///< results of constant work
    std::uint64_t setup = 0;     ///< transient memory of constant work
    std::uint64_t host = 0;      ///< parameters and uploads, visible to the CPU

    friend bool operator==(const ExecutorMemory&, const ExecutorMemory&) = default;
};

/// Runs a plan on a device, any number of times. `create` makes everything that the plan needs;
/// executions replay recorded commands. Not thread-safe; several executors of one device can be
/// used from several threads.
class Executor {
  public:
    /// Makes the plan's resources, pipelines and descriptors and uploads its constants. `device`
    /// and `shaders` must outlive the executor; `shaders` must be the library that the graph was
    /// built with. Compile the plan for `device`; a plan compiled only for its caps may not
    /// fit, which is the error `gpu/plan-memory`. Further errors: `gpu/unsupported-format` (names
    /// resource, format and usage), `gpu/plan-queues` (the device lacks a queue that the plan
    /// uses), `gpu/pipeline`, `gpu/constant-size`, `gpu/missing-binding`, `gpu/out-of-memory`,
    /// `gpu/device-lost`, `gpu/call-failed`. A failure leaves nothing behind.
    static Result<Executor> create(Device& device, const ShaderLibrary& shaders,
                                   std::shared_ptr<const Plan> plan, ExecutorOptions options = {});

    Executor(Executor&&) noexcept;
    Executor& operator=(Executor&&) noexcept;
    /// Waits for the work it has submitted.
    ~Executor();

    /// The plan that it runs.
    const Plan& plan() const;

    /// Submits one execution. Blocks only while `ExecutorOptions::frames_in_flight` executions are
    /// unfinished. Errors: `gpu/import-missing`, `gpu/out-of-memory`, `gpu/device-lost`.
    Result<void> execute();

    /// Blocks until everything submitted has finished. Errors: `gpu/device-lost`,
    /// `gpu/host-in-flight` (for a host's recordings, which only the host can wait for), and that
    /// of the first host node that failed, which from then on `execute` and reads return, too.
    Result<void> wait();

    /// Replaces the parameter bytes (`GraphDesc::parameters` of a graph of the same structure) from
    /// the next execution on. Commands are recorded again only where push constants changed.
    /// Error: `gpu/parameter-size` when the size differs from the plan's.
    Result<void> set_parameters(std::span<const std::byte> parameters);

    /// Replaces the bytes of uploads by those of `graph`, which must have the structure of the
    /// plan's graph (`same_structure`), from the next execution on.
    void set_uploads(const GraphDesc& graph);

    /// One mip level and layer of an output of the last execution; blocks until it has finished.
    /// For a depth-stencil image, the depth. Errors: `gpu/unknown-output`, `gpu/not-executed`,
    /// `gpu/output-kind` (a buffer, multisampled, or no such mip or layer), `gpu/out-of-memory`,
    /// `gpu/device-lost`.
    Result<HostImage> read_image(std::string_view output, std::uint32_t mip = 0,
                                 std::uint32_t layer = 0);
    /// The bytes of a buffer output. The same errors.
    Result<std::vector<std::byte>> read_buffer(std::string_view output);

    /// Warnings of the passes about the last execution: input that they left out, lists that were
    /// too short, solvers that did not converge (see `Graph::status`). Each message begins with
    /// the name of its pass. Blocks until the execution has finished. Errors: `gpu/not-executed`,
    /// `gpu/out-of-memory`, `gpu/device-lost`.
    Result<Diagnostics> warnings();

    /// Pools that were too small, and the sizes that they needed, in executions since the
    /// last call. It reads only executions that end before the next one begins, so it waits
    /// for nothing that `execute` would not wait for. Error: `gpu/device-lost`.
    Result<PoolSizes> pool_needs();

    /// Times of the last finished execution; does not block.
    ExecutionTimings timings() const;
    /// Times of the last finished executions, oldest first: as many as can be in flight.
    std::vector<ExecutionTimings> recent_timings() const;

    /// Sets all history resources to their clear value, as before the first execution.
    /// Waits for the work submitted.
    Result<void> reset_history();

    /// The histories of the plan (`histories_of`); the functions below take indices into this
    /// list.
    const std::vector<HistoryInfo>& histories() const;
    /// The bits of all copies of a history, as the next execution sees them: first the copy that it
    /// will write, last the oldest; images mip by mip, and each mip layer by layer. Waits
    /// for the work submitted. Errors: `gpu/history-samples` (a multisampled image, which no host
    /// can read), `gpu/out-of-memory`, `gpu/device-lost`, `gpu/host-in-flight`.
    Result<std::vector<std::byte>> read_history(std::size_t history);
    /// Sets a history to bytes from `read_history` of the same history, of any
    /// executor and device. Errors: the same, and `gpu/history-size`.
    Result<void> write_history(std::size_t history, std::span<const std::byte> contents);
    /// The next execution replaces the last one: it sees the same histories.
    /// Allowed once after each execution, or after `write_history` of an executor's state.
    void step_back();

    /// Memory that it holds now.
    ExecutorMemory memory() const;

    /// Changes what is timed from the next execution on. Timestamps are part of the commands,
    /// which are therefore recorded again once. Errors: `gpu/out-of-memory`, `gpu/device-lost`.
    Result<void> set_timings(Timings timings);

    /// Number of executions so far that recorded commands: constant after the first ones,
    /// unless push constants, imports or custom nodes force a new recording.
    std::uint64_t recordings() const;

    /// Internal data; its definition is not public.
    ExecutorImpl& impl() const { return *impl_; }

  private:
    explicit Executor(std::unique_ptr<ExecutorImpl> impl);

    std::unique_ptr<ExecutorImpl> impl_;
};

} // namespace tuff
