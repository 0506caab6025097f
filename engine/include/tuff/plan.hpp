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

/// Memory requirements of a resource.
struct MemoryRequirements {
    std::uint64_t size = 0;      ///< bytes
    std::uint64_t alignment = 1; ///< a power of two
    /// Possible memory types, as bits. Resources share a block only if these agree, and
    /// `host_visible`.
    std::uint32_t type_bits = 1;
    bool host_visible = false; ///< whether the CPU maps it
};

/// Sizes of resources for the compiler. The default counts exact texels, rounded up to 256
/// bytes; `memory_model(device)` asks the driver.
class MemoryModel {
  public:
    virtual ~MemoryModel() = default;
    /// Requirements of an image with this usage.
    virtual MemoryRequirements image(const ImageDesc& desc, UsageMask usage) const;
    /// Requirements of a buffer with this usage.
    virtual MemoryRequirements buffer(const BufferDesc& desc, UsageMask usage) const;
};

/// Whether transient resources share memory; off is a safe mode.
enum class AliasMode : std::uint8_t { on, off };
/// Order of nodes: by levels, or as declared, which is a safe mode.
enum class OrderMode : std::uint8_t { levels, declared };
/// The fewest barriers, or a full one before every level, which is a safe mode.
enum class BarrierMode : std::uint8_t { minimal, full };
/// Layouts of images. `optimal`: the best one for each kind of access. `general`: the general
/// layout for sampling, storage, copies and clears, so that few barriers are image barriers.
/// `by_device`: `general` with `DeviceCaps::unified_layouts`, else `optimal`.
enum class LayoutMode : std::uint8_t { by_device, optimal, general };
/// `hinted`: nodes run on the queue of their `QueueHint`, others on the graphics queue.
/// `automatic`: the compiler also moves non-critical work to the compute queue. `one`: no hints.
enum class QueueMode : std::uint8_t { hinted, automatic, one };

/// Work that depends on nothing that changes. `each`: it is part of every execution. `once`: it
/// runs before the first one, and again after a change of its parameters (`Plan::setup`).
enum class ConstantWork : std::uint8_t { each, once };

/// The kinds of queues that a plan can use. Queues that the device lacks are never used. `host` is
/// a thread of the executor, which runs the host nodes in the order of the plan.
enum class Queue : std::uint8_t { graphics, compute, transfer, host };
/// Number of kinds of queues.
inline constexpr std::size_t kQueueCount = 4;

/// How a graph is compiled. No choice may change a result.
struct CompileOptions {
    AliasMode alias = AliasMode::on;             ///< shared memory
    OrderMode order = OrderMode::levels;         ///< order of nodes
    BarrierMode barriers = BarrierMode::minimal; ///< barriers before levels
    LayoutMode layouts = LayoutMode::by_device;  ///< layouts of images
    QueueMode queues = QueueMode::hinted;        ///< nodes on other queues
    ConstantWork constant = ConstantWork::each;  ///< work that depends on nothing that changes
    /// Fill transient memory with NaN bit patterns before its first use.
    bool poison = false;
    /// Budget of transient memory that is live at once, bytes. 0: no budget: the fewest levels,
    /// then the least memory. Otherwise the fewest levels that fit; if none
    /// fits, the least memory found (see `PlanStatistics`). Only with `OrderMode::levels`.
    /// Constant work runs once only if its results and its own memory fit, too.
    std::uint64_t memory_budget = 0;
    /// Null: the driver if compiled for a device, else MemoryModel's exact texel count.
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
    Hazard hazard = Hazard::read_after_write; ///< the kind of hazard
    ResourceId resource;                      ///< with the hazard
    NodeId before;                            ///< none: an earlier execution, or the host
    NodeId after;                             ///< none: the end of the execution
    ResourceId reused_from;                   ///< `reuse`: the previous alias
};

/// An image barrier: a change of layout or of owner.
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
    /// If they differ, one half of an ownership transfer: the release is among the barriers
    /// after a level of `from_queue`, the acquire, which only differs in stages, among
    /// those before a level of `to_queue`.
    Queue from_queue = Queue::graphics;
    Queue to_queue = Queue::graphics; ///< new owner
};

/// A global memory barrier, for all buffers of a level and all images that keep their
/// layout. No stages: not needed.
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
    MemoryBarrier memory;                  ///< for buffers, and images that keep their layout
    std::uint32_t first_image_barrier = 0; ///< into Plan::image_barriers
    std::uint32_t image_barrier_count = 0; ///< how many
    std::uint32_t first_reason = 0;        ///< into Plan::reasons; of all of the batch
    std::uint32_t reason_count = 0;        ///< how many
    Queue queue = Queue::graphics;         ///< that it runs on
    std::uint32_t submission = 0;          ///< index into Plan::submissions
    /// Image barriers after the nodes: releases to another queue, and changes to layouts that
    /// several queues will read. Into Plan::image_barriers.
    std::uint32_t first_release = 0;
    std::uint32_t release_count = 0; ///< how many
    /// Whether there are barriers before the nodes.
    bool has_barriers() const {
        return memory.source_stages != 0 || memory.destination_stages != 0 ||
               image_barrier_count != 0;
    }
};

/// Consecutive levels of one queue that are submitted together. They begin once the
/// submissions that they wait for have finished; all writes of these are visible. Between the
/// device and the host semaphores order, and these barriers make writes visible.
struct Submission {
    Queue queue = Queue::graphics; ///< that it goes to
    std::uint32_t first_wait = 0;  ///< into Plan::waits
    std::uint32_t wait_count = 0;  ///< how many
    MemoryBarrier from_host;       ///< before its levels, if it waits for the host
    MemoryBarrier to_host;         ///< after its levels, if the host waits for it
};

/// Whether several queues can use a resource without an ownership transfer.
enum class Sharing : std::uint8_t { exclusive, concurrent };

/// The memory of a transient resource.
struct Allocation {
    std::uint32_t block = ~0u; ///< index into Plan::blocks; ~0u: not in transient memory
    /// The resource whose Vulkan object this one uses: itself, or an earlier identical one
    /// whose live range has ended. Then the layout is the one that it was left in.
    ResourceId object;
    std::uint64_t offset = 0;      ///< bytes, in the block
    std::uint64_t size = 0;        ///< bytes
    std::uint32_t first_level = 0; ///< of its live range
    std::uint32_t last_level = 0;  ///< inclusive
};

/// Memory that transient resources share.
struct MemoryBlock {
    std::uint64_t size = 0;      ///< bytes
    std::uint64_t alignment = 1; ///< bytes
    std::uint32_t type_bits = 1; ///< possible memory types, as bits
    bool host_visible = false;   ///< mapped, for buffers of host nodes
};

/// Why a node does not run; `none`: it runs.
enum class CullReason : std::uint8_t {
    none,
    result_unused,
    runs_once, ///< part of `Plan::setup`
    runs_each, ///< in `Plan::setup` alone: part of every execution
};

/// A result of constant work that executions read. It has its own memory, which is never shared.
struct KeptResult {
    ResourceId resource;     ///< transient in the graph
    VersionId version;       ///< its last; the only one that executions read
    std::uint64_t bytes = 0; ///< of memory
    UsageMask usage = 0;     ///< of the setup and of executions
};

/// Counts and sizes of a plan.
struct PlanStatistics {
    std::uint32_t nodes = 0;           ///< that run
    std::uint32_t culled = 0;          ///< that do not
    std::uint32_t constant = 0;        ///< that run once, in the setup
    std::uint32_t levels = 0;          ///< with barriers between them
    std::uint32_t batches = 0;         ///< barrier commands
    std::uint32_t image_barriers = 0;  ///< image barriers in all
    std::uint32_t memory_barriers = 0; ///< global memory barriers in all
    std::uint32_t semaphores = 0;      ///< waits of one queue for another
    std::uint64_t transient_bytes = 0; ///< allocated
    std::uint64_t naive_bytes = 0;     ///< without aliasing
    std::uint64_t peak_bytes = 0;      ///< most that is live at once; least of any packing
    std::uint64_t kept_bytes = 0;      ///< of kept results of the setup
};

/// A compiled graph, for the executor and for `explain`. Indices refer to
/// `graph`.
struct Plan {
    GraphDesc graph;        ///< what was compiled
    CompileOptions options; ///< `memory` is cleared

    std::vector<NodeId> order;                ///< of the nodes that run, level by level
    std::vector<Level> levels;                ///< in the order in which they run
    std::vector<ImageBarrier> image_barriers; ///< batch by batch
    std::vector<BarrierReason> reasons;       ///< batch by batch
    /// The batch after the last level: final states of imports, outputs and histories. On the
    /// graphics queue, in the last submission, which comes after all others.
    Level epilogue;
    /// In a valid order of submission. Submissions of one queue run one after the other; on other
    /// queues than graphics, and on the host, they begin after the end of the execution before.
    std::vector<Submission> submissions;
    std::vector<std::uint32_t> waits; ///< indices of earlier submissions, of other queues

    std::vector<Layout> access_layouts;  ///< per access: the image layout during the node
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

    /// Null, or the constant work: a plan for the graphics queue, run before the first execution
    /// and after its parameters change. It has the same graph, but imports the kept results:
    /// it runs after all earlier executions, and all later ones run after it.
    std::shared_ptr<const Plan> setup;
    /// Results of the setup. In executions these are constants, whatever their lifetime in `graph`.
    std::vector<KeptResult> kept;

    PlanStatistics statistics; ///< counts and sizes
};

/// Compiles `graph` for a device with `caps`, without the device: to explain and to test.
/// Pure: the same inputs give the same plan, nothing is created on a device. To run a plan,
/// compile it with `compile(graph, device)` (tuff/executor.hpp), which asks the driver about
/// memory. Errors are complete: every mistake found is in the result. Codes: graph/...
/// (docs/diagnostics.md).
Result<Plan> compile(GraphDesc graph, const DeviceCaps& caps, const CompileOptions& options = {});

/// One sentence for people: "blur_x writes tmp, blur_y samples it".
std::string describe(const Plan& plan, const BarrierReason& reason);

} // namespace tuff
