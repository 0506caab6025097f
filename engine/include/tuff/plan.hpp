#pragma once

#include <tuff/device_caps.hpp>
#include <tuff/graph_desc.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tuff {

/// What the device needs to place a resource in memory.
struct MemoryRequirements {
    std::uint64_t size = 0;      ///< bytes
    std::uint64_t alignment = 1; ///< a power of two
    /// Memory types that may hold it, as bits. Resources share a block only where these agree.
    std::uint32_t type_bits = 1;
};

/// Tells the compiler how large resources are. The default counts exact texels, rounded up to 256
/// bytes; a device gives its driver's own answer.
class MemoryModel {
  public:
    virtual ~MemoryModel() = default;
    /// Of an image that is used so.
    virtual MemoryRequirements image(const ImageDesc& desc, UsageMask usage) const;
    /// Of a buffer that is used so.
    virtual MemoryRequirements buffer(const BufferDesc& desc, UsageMask usage) const;
};

/// Whether transient resources share memory; off is a safe mode.
enum class AliasMode : std::uint8_t { on, off };
/// Nodes by levels, or as they were declared, which is a safe mode.
enum class OrderMode : std::uint8_t { levels, declared };
/// As few barriers as do, or a full one before every level, which is a safe mode.
enum class BarrierMode : std::uint8_t { minimal, full };
/// Layouts of images. `apart`: each kind of access has its own. `general`: what is sampled, stored
/// to, copied or cleared is in the general one, so that barriers are seldom of single images.
/// `by_device`: general where `DeviceCaps::unified_layouts`.
enum class LayoutMode : std::uint8_t { by_device, optimal, general };
/// `hinted`: nodes run where their `QueueHint` says, all others on the graphics queue. `automatic`:
/// the compiler also moves work off the critical path to the compute queue. `one`: hints are
/// ignored.
enum class QueueMode : std::uint8_t { hinted, automatic, one };

/// Work that depends on nothing that changes. `each`: it is part of every execution. `once`: it
/// runs before the first one, and again after its parameters were set (`Plan::setup`).
enum class ConstantWork : std::uint8_t { each, once };

/// The queues of a device that a plan may use. Those that the device lacks are never used.
enum class Queue : std::uint8_t { graphics, compute, transfer };
/// How many kinds of queue there are.
inline constexpr std::size_t kQueueCount = 3;

/// How a graph is compiled. No choice may change a result.
struct CompileOptions {
    AliasMode alias = AliasMode::on;             ///< shared memory
    OrderMode order = OrderMode::levels;         ///< order of nodes
    BarrierMode barriers = BarrierMode::minimal; ///< barriers before levels
    LayoutMode layouts = LayoutMode::by_device;  ///< layouts of images
    QueueMode queues = QueueMode::hinted;        ///< who runs beside the graphics queue
    ConstantWork constant = ConstantWork::each;  ///< work that depends on nothing that changes
    /// Fill transient memory with NaN bit patterns before its first use.
    bool poison = false;
    /// Bytes of transient memory that may live at once. 0: as many as the fewest levels take, but
    /// of those orders the one that needs least. Otherwise the fewest levels that fit; where none
    /// does, the least memory found (`PlanStatistics` tells). Only with `OrderMode::levels`.
    /// Constant work runs once only where its results and its own memory fit in, too.
    std::uint64_t memory_budget = 0;
    /// Null: the device where the plan is compiled for one, else MemoryModel's exact texel count.
    const MemoryModel* memory = nullptr;
};

/// Why a barrier exists.
enum class Hazard : std::uint8_t {
    read_after_write,
    write_after_read,
    write_after_write,
    layout,      ///< a change of layout alone
    first_use,   ///< contents undefined until now
    reuse,       ///< the memory held another resource
    final_state, ///< the host asked for this state
    forced,      ///< `--barriers=full`
};

/// "`blur_x` writes `tmp`, `blur_y` samples it."
struct BarrierReason {
    Hazard hazard = Hazard::read_after_write; ///< what would go wrong without
    ResourceId resource;                      ///< on whose behalf
    NodeId before;                            ///< none: an earlier execution, or the host
    NodeId after;                             ///< none: the end of the execution
    ResourceId reused_from;                   ///< `reuse`: who held the memory
};

/// A barrier of one image: a change of its layout, or of its owner.
struct ImageBarrier {
    ResourceId resource;               ///< an image
    Range range;                       ///< concrete mips and layers
    StageMask source_stages = 0;       ///< waited for
    MemoryMask source_memory = 0;      ///< made available
    StageMask destination_stages = 0;  ///< that wait
    MemoryMask destination_memory = 0; ///< made visible
    Layout from = Layout::undefined;   ///< layout before
    Layout to = Layout::undefined;     ///< layout after
    std::uint32_t reason = 0;          ///< index into Plan::reasons
    /// Where they differ, one half of a transfer of ownership: the release is among the barriers
    /// after a level of `from_queue`, the acquisition, which is alike but for the stages, among
    /// those before a level of `to_queue`.
    Queue from_queue = Queue::graphics;
    Queue to_queue = Queue::graphics; ///< who gets it
};

/// One global memory barrier: all that a level needs for buffers, and for images that keep their
/// layout. No stages: none needed.
struct MemoryBarrier {
    StageMask source_stages = 0;       ///< waited for
    MemoryMask source_memory = 0;      ///< made available
    StageMask destination_stages = 0;  ///< that wait
    MemoryMask destination_memory = 0; ///< made visible
    friend bool operator==(const MemoryBarrier&, const MemoryBarrier&) = default;
};

/// Nodes of one queue that need no synchronisation among themselves, and the one batch of barriers
/// before them.
struct Level {
    std::uint32_t first_node = 0;          ///< into Plan::order
    std::uint32_t node_count = 0;          ///< how many
    MemoryBarrier memory;                  ///< of all buffers, and images that keep their layout
    std::uint32_t first_image_barrier = 0; ///< into Plan::image_barriers
    std::uint32_t image_barrier_count = 0; ///< how many
    std::uint32_t first_reason = 0;        ///< into Plan::reasons; of all of the batch
    std::uint32_t reason_count = 0;        ///< how many
    Queue queue = Queue::graphics;         ///< on which it runs
    std::uint32_t submission = 0;          ///< index into Plan::submissions
    /// Barriers of images after the nodes: releases to another queue, and layouts that several
    /// queues are about to read in. Into Plan::image_barriers.
    std::uint32_t first_release = 0;
    std::uint32_t release_count = 0; ///< how many
    /// Whether anything is waited for before the nodes.
    bool has_barriers() const {
        return memory.source_stages != 0 || memory.destination_stages != 0 ||
               image_barrier_count != 0;
    }
};

/// Consecutive levels of one queue that are submitted together. The first begins once the
/// submissions it waits for have finished, with all they wrote visible to everything.
struct Submission {
    Queue queue = Queue::graphics; ///< to which it goes
    std::uint32_t first_wait = 0;  ///< into Plan::waits
    std::uint32_t wait_count = 0;  ///< how many
};

/// Whether several queues may use a resource without a transfer of ownership.
enum class Sharing : std::uint8_t { exclusive, concurrent };

/// Where a transient resource lives.
struct Allocation {
    std::uint32_t block = ~0u; ///< index into Plan::blocks; ~0u: not in transient memory
    /// The resource whose image or buffer this one is: itself, or an earlier one alike in every
    /// respect whose life has ended. The layout is then the one that the other was left in.
    ResourceId object;
    std::uint64_t offset = 0;      ///< bytes, in the block
    std::uint64_t size = 0;        ///< bytes
    std::uint32_t first_level = 0; ///< of its life, inclusive
    std::uint32_t last_level = 0;  ///< inclusive
};

/// Memory that transient resources share.
struct MemoryBlock {
    std::uint64_t size = 0;      ///< bytes
    std::uint64_t alignment = 1; ///< bytes
    std::uint32_t type_bits = 1; ///< memory types that may hold it, as bits
};

/// Why a node does not run; `none`: it runs.
enum class CullReason : std::uint8_t {
    none,
    result_unused,
    runs_once, ///< part of `Plan::setup`
    runs_each, ///< in `Plan::setup` alone: part of every execution
};

/// What constant work has made, and executions read: it has memory of its own, which nobody shares.
struct KeptResult {
    ResourceId resource;     ///< transient in the graph
    VersionId version;       ///< the only one that executions read: its last
    std::uint64_t bytes = 0; ///< of memory
    UsageMask usage = 0;     ///< of the setup and of executions
};

/// What a plan amounts to.
struct PlanStatistics {
    std::uint32_t nodes = 0;           ///< that run
    std::uint32_t culled = 0;          ///< that do not
    std::uint32_t constant = 0;        ///< that run once, in the setup
    std::uint32_t levels = 0;          ///< barriers stand between them
    std::uint32_t batches = 0;         ///< barrier commands
    std::uint32_t image_barriers = 0;  ///< image barriers in all
    std::uint32_t memory_barriers = 0; ///< global memory barriers in all
    std::uint32_t semaphores = 0;      ///< waits of one queue for another
    std::uint64_t transient_bytes = 0; ///< allocated
    std::uint64_t naive_bytes = 0;     ///< without aliasing
    std::uint64_t peak_bytes = 0;      ///< most that is live at once: no packing can go below
    std::uint64_t kept_bytes = 0;      ///< of results that the setup has made
};

/// A compiled graph: all the executor needs, and all that `explain` tells. Indices refer to
/// `graph`.
struct Plan {
    GraphDesc graph;        ///< what was compiled
    CompileOptions options; ///< `memory` is cleared

    std::vector<NodeId> order;                ///< of the nodes that run, level by level
    std::vector<Level> levels;                ///< in the order in which they run
    std::vector<ImageBarrier> image_barriers; ///< batch by batch
    std::vector<BarrierReason> reasons;       ///< batch by batch
    /// The batch after the last level: final states of imports, outputs and histories. On the main
    /// queue, in the last submission, which comes after all others.
    Level epilogue;
    /// In an order in which they may be submitted. Of one queue they run one after another; what an
    /// execution puts on other queues than the main one begins after the execution before it.
    std::vector<Submission> submissions;
    std::vector<std::uint32_t> waits; ///< indices of earlier submissions, of other queues

    std::vector<Layout> access_layouts;  ///< per access: the image layout the node finds
    std::vector<UsageMask> usages;       ///< per resource; 0: not used by any live node
    std::vector<Sharing> sharing;        ///< per resource
    std::vector<Allocation> allocations; ///< per resource
    std::vector<MemoryBlock> blocks;     ///< transient memory
    std::vector<CullReason> culled;      ///< per node

    /// Per resource: its state when an execution begins and when it ends. For constants and
    /// histories the executor establishes `first` before the first execution.
    struct Boundary {
        Scope first; ///< when an execution begins
        Scope last;  ///< when it has ended
    };
    std::vector<Boundary> boundaries; ///< per resource

    /// Null, or the constant work: a plan for the graphics queue that runs before the first
    /// execution and after its parameters were set. Its graph is this one, but what is kept is
    /// imported there: whatever executions did before comes before it, and it comes before all of
    /// the next.
    std::shared_ptr<const Plan> setup;
    /// What it makes. In executions these are constants, whatever their lifetime in `graph`.
    std::vector<KeptResult> kept;

    PlanStatistics statistics; ///< what it amounts to
};

/// Compiles `graph` for a device with `caps`, which need not be there: to explain and to test.
/// Pure: the same inputs give the same plan, nothing is created on a device. A plan that is to run
/// needs the device's own answers about memory: `compile(graph, device)` (tuff/executor.hpp) asks
/// it. Errors are complete: every mistake found is in the result. Codes: graph/...
/// (docs/diagnostics.md).
Result<Plan> compile(GraphDesc graph, const DeviceCaps& caps, const CompileOptions& options = {});

/// One sentence for people: "blur_x writes tmp, blur_y samples it".
std::string describe(const Plan& plan, const BarrierReason& reason);

} // namespace tuff
