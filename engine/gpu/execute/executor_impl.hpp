#pragma once

#include "gpu/device/one_off.hpp"
#include "gpu/execute/descriptors.hpp"
#include "gpu/execute/host_thread.hpp"
#include "gpu/execute/recorder.hpp"
#include "gpu/execute/segments.hpp"
#include "gpu/execute/submitter.hpp"
#include "gpu/execute/trail.hpp"
#include "gpu/execute/worker_pool.hpp"
#include "gpu/memory/pool_readback.hpp"
#include "gpu/memory/uploads.hpp"
#include "gpu/shader/pipelines.hpp"

#include <tuff/executor.hpp>
#include <tuff/timeline.hpp>

#include <algorithm>
#include <optional>

namespace tuff {

/// What one execution in flight has to itself. In plans with imports there are more of them than
/// executions in flight: one for each way to bind the imports that is kept recorded.
struct FrameSlot {
    std::vector<OwnedCommandPool> pools; ///< of each command buffer
    /// Per phase, the command buffers of all segments in order, and so of one submission after
    /// another.
    std::vector<VkCommandBufferSubmitInfo> commands;
    /// Of each command buffer: `ExecutorImpl::generations` when it was recorded; 0: never.
    std::vector<std::uint64_t> generations;
    ParameterBuffer parameters;
    HostBuffer uploads;
    HostBuffer pool_statuses;                 ///< of PoolReadback
    HostBuffer marks;                         ///< of Trail, where its writer takes memory
    std::unique_ptr<std::byte[]> checkpoints; ///< of Trail: see MarkPlace
    OwnedQueryPool queries;                   ///< made when something is first timed
    Timings timed = Timings::off;             ///< what the last execution has timed
    OwnedEvent recording_ended;      ///< set by the last of a host's recording; made for the first
    bool awaits_recording = false;   ///< there is one that may not have ended
    std::uint64_t execution = 0;     ///< the last one submitted from this slot; 0: none
    HostTime submitted_at = 0;       ///< when, where there is a timeline
    mutable std::uint64_t noted = 0; ///< the last one that the timeline has
    std::uint64_t pools_read = 0;    ///< the last one whose pools have been looked at
    std::uint64_t parameter_generation = 0;
    std::uint64_t import_generation = 0;
    std::vector<ResourceHandle> imports; ///< per resource, as the slot's descriptors know them
    ViewCache import_views;

    bool is_made() const { return !commands.empty(); }
    MarkPlace mark_place(MarkWriter writer) const {
        return {writer, marks.buffer.get(), checkpoints.get()};
    }
};

/// The working parts of an executor. Members are in the order in which they depend on each other,
/// so that they are destroyed the other way round.
struct ExecutorImpl {
    DeviceImpl* device = nullptr;
    std::shared_ptr<const Plan> plan;
    ExecutorOptions options;
    MarkWriter marks = MarkWriter::none;
    bool is_setup = false; ///< the constant work of another

    KernelNodes kernels;
    PlanResources resources;
    ViewCache views;
    AccelerationCache accelerations;
    SamplerCache samplers;
    Pipelines pipelines;
    SampleQueries sample_queries;
    ParameterLayout parameter_layout;
    UploadLayout upload_layout;
    UploadLayout::Contents uploads;
    PoolReadback pool_readback;
    DescriptorSets descriptors;
    std::vector<FrameSlot> slots;
    std::optional<OneOff> one_off;
    Submitter submitter;
    std::optional<HostThread> host_thread; ///< where the plan has host nodes
    Segments cut;
    std::vector<std::vector<ResourceId>> segment_imports; ///< per segment: those that it uses
    std::vector<std::uint32_t> segment_of_kernel;
    bool host_resets_queries = false;
    std::vector<bool> kept;             ///< `kept_versions`
    std::vector<RecordScratch> scratch; ///< per segment
    std::vector<Result<void>> recorded; ///< per segment: what came of the last recording
    std::vector<std::uint32_t> stale;   ///< segments to record now; kept for its memory
    std::uint32_t thread_count = 1;
    std::optional<WorkerPool> workers; ///< made when first there is work for several

    std::vector<std::byte> parameters; ///< padded
    std::uint64_t parameter_generation = 1;
    std::vector<ResourceHandle> imports; ///< per resource, for the next execution
    std::vector<ResourceId> imported;    ///< all imports
    std::vector<bool> needs_import;      ///< per resource
    std::vector<bool> changed_imports;   ///< per resource; kept for its memory
    std::uint64_t import_generation = 1;
    std::vector<std::uint64_t> generations;    ///< per segment: of what its commands contain
    std::uint64_t submitted = 0;               ///< executions
    mutable std::uint64_t ended = 0;           ///< of these, as many as are known to have ended
    std::uint32_t last_used = 0;               ///< slot of the last one
    std::uint64_t rotation = 0;                ///< executions since the history was cleared
    std::vector<HistoryInfo> histories;        ///< `histories_of(*plan)`, and ...
    std::vector<ResourceId> history_resources; ///< ... of each the resource of age 0
    std::uint64_t recordings = 0;
    bool host_driven = false; ///< executions go into command buffers of the host's
    /// A copy of an output that a presenter has submitted after the last execution: nothing that it
    /// reads may end or be written on another queue before it has ended.
    struct Presented {
        std::shared_ptr<const OwnedSemaphore> counted; ///< null: none
        std::uint64_t value = 0;                       ///< that `counted` has reached then
    };
    Presented presented;

    /// Runs `Plan::setup`, which writes what `resources` keeps. Null: there is none.
    std::unique_ptr<ExecutorImpl> setup;
    bool setup_is_due = false; ///< before the next execution
    bool end_is_told = false;  ///< somebody knows that it cannot be waited for

    ExecutorImpl() = default;
    ExecutorImpl(const ExecutorImpl&) = delete;
    ExecutorImpl& operator=(const ExecutorImpl&) = delete;
    /// Waits for the work submitted.
    ~ExecutorImpl();

    Result<void> create(const ShaderLibrary& shaders);
    Result<void> execute(std::span<const VkSemaphoreSubmitInfo> wait = {},
                         std::span<const VkSemaphoreSubmitInfo> signal = {});
    /// See `tuff::record`.
    Result<void> record_for_host(VkCommandBuffer commands);
    /// The last recording will never be submitted: as if it had not been made. `timings`: what was
    /// timed before it.
    void drop_recording(Timings timings);
    /// Where a host submits, it waits, too: error `gpu/host-in-flight` where it has not.
    Result<void> wait_for(std::uint64_t execution) const;
    /// Waits for the device; of host nodes that failed it says nothing.
    Result<void> wait_for_device(std::uint64_t execution) const;
    /// The error of the first host node that failed: there are no executions after it.
    Result<void> host_failure() const {
        return host_thread ? host_thread->failure() : Result<void>();
    }
    /// See Executor::pool_needs.
    Result<PoolSizes> pool_needs();
    Result<void> check_recordings() const;
    Result<void> wait_until_presented() const;
    /// The error of a lost device also says how far its queues got, where nodes leave marks, and
    /// what the driver says of it.
    Result<void> with_loss(Result<void> done) const;
    /// Gives the timeline, if there is one, executions that are known to have ended.
    void note_ended() const;
    HostSpan span(HostWork work, std::uint64_t execution) const {
        return {.work = work, .execution = execution, .setup = is_setup};
    }

    void set_parameters(std::span<const std::byte> bytes);
    /// Whether kernels that run here have other parameters in `bytes`.
    bool has_other_parameters(std::span<const std::byte> bytes) const;

    /// See Executor::read_history and Executor::write_history.
    Result<std::vector<std::byte>> read_history(std::size_t index);
    Result<void> write_history(std::size_t index, std::span<const std::byte> contents);

    /// The phase of the last execution.
    std::uint32_t last_phase() const {
        return static_cast<std::uint32_t>((rotation - 1) % resources.phases());
    }
    FrameSlot& last_slot() { return slots[last_used]; }
    std::uint32_t frames_in_flight() const { return std::max(options.frames_in_flight, 1u); }
    Result<void> set_timings(Timings timings);
    /// Drops what was recorded with this import.
    void forget(const ResourceHandle& import);
    BoundResources bound(FrameSlot& slot) {
        return {*device, *plan, resources, views, accelerations, slot.imports, slot.import_views};
    }

  private:
    Result<void> create_setup(const ShaderLibrary& shaders);
    /// Makes again what is kept, if it is out of date. With the commands of a host, in these.
    Result<void> run_setup(VkCommandBuffer of_host = VK_NULL_HANDLE);
    void create_segments();
    void find_imports();
    Result<void> create_slot(std::uint32_t slot);
    Result<void> create_buffers(FrameSlot& slot);
    Result<void> create_commands(FrameSlot& slot);
    Result<void> create_commands(FrameSlot& slot, std::uint32_t segment, std::uint32_t phase);
    Result<void> create_queries(FrameSlot& slot);
    Result<OwnedEvent> create_event(VkEventCreateFlags flags) const;
    /// The constant work that is due and an execution, into commands of the host's.
    Result<void> record_execution(std::uint32_t slot, std::uint32_t phase,
                                  VkCommandBuffer commands);
    /// Error `gpu/host-in-flight` where the slot's last recording for the host has not ended.
    Result<void> prepare_recording(FrameSlot& slot) const;
    Result<bool> has_ended(const FrameSlot& slot) const;
    DescriptorSets::Sources descriptor_sources(FrameSlot& slot, const BoundResources& bound);
    /// The slot for the next execution among those whose own has finished.
    std::uint32_t choose_slot() const;
    bool has_imports(const FrameSlot& slot) const;
    Result<void> check_imports() const;
    /// Takes the imports of the next execution into a slot, whose descriptors and commands that use
    /// one that was exchanged are made again.
    Result<void> refresh_imports(std::uint32_t slot);
    /// Brings imports, parameters and uploads of the next execution into its slot.
    Result<void> prepare(std::uint32_t slot);
    RecordSources record_sources(std::uint32_t slot, std::uint32_t phase,
                                 const BoundResources& bound);
    void count_execution(std::uint32_t slot);
    /// Records the segments whose commands are out of date.
    Result<void> record(std::uint32_t slot, std::uint32_t phase);
    Result<void> record(const RecordSources& sources, std::uint32_t segment);
    /// Index of a segment's command buffer in a slot.
    std::size_t command_index(std::uint32_t phase, std::uint32_t segment) const {
        return std::size_t{phase} * cut.segments.size() + segment;
    }
    Result<void> submit(FrameSlot& slot, std::uint32_t phase,
                        std::span<const VkSemaphoreSubmitInfo> wait,
                        std::span<const VkSemaphoreSubmitInfo> signal);
};

} // namespace tuff
