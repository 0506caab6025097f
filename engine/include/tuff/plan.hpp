#pragma once

#include <tuff/device_caps.hpp>
#include <tuff/graph_desc.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tuff {

/// What the device needs to place a resource in memory.
struct MemoryRequirements {
    std::uint64_t size = 0;
    std::uint64_t alignment = 1;
    /// Memory types that may hold it, as bits. Resources share a block only where these agree.
    std::uint32_t type_bits = 1;
};

/// Tells the compiler how large resources are. The default counts exact texels, rounded up to 256
/// bytes; a device gives its driver's own answer.
class MemoryModel {
  public:
    virtual ~MemoryModel() = default;
    virtual MemoryRequirements image(const ImageDesc& desc, UsageMask usage) const;
    virtual MemoryRequirements buffer(const BufferDesc& desc, UsageMask usage) const;
};

enum class AliasMode : std::uint8_t { on, off };
enum class OrderMode : std::uint8_t { levels, declared };
enum class BarrierMode : std::uint8_t { minimal, full };

struct CompileOptions {
    AliasMode alias = AliasMode::on;
    OrderMode order = OrderMode::levels;
    BarrierMode barriers = BarrierMode::minimal;
    /// Fill transient memory with NaN bit patterns before its first use.
    bool poison = false;
    /// Bytes of transient memory that may live at once. 0: as many as the fewest levels take, but
    /// of those orders the one that needs least. Otherwise the fewest levels that fit; where none
    /// does, the least memory found (`PlanStatistics` tells). Only with `OrderMode::levels`.
    std::uint64_t memory_budget = 0;
    const MemoryModel* memory = nullptr; ///< null: MemoryModel's exact texel count
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
    Hazard hazard = Hazard::read_after_write;
    ResourceId resource;
    NodeId before;          ///< none: an earlier execution, or the host
    NodeId after;           ///< none: the end of the execution
    ResourceId reused_from; ///< `reuse`: who held the memory
};

struct ImageBarrier {
    ResourceId resource;
    Range range; ///< concrete mips and layers
    StageMask source_stages = 0;
    MemoryMask source_memory = 0;
    StageMask destination_stages = 0;
    MemoryMask destination_memory = 0;
    Layout from = Layout::undefined;
    Layout to = Layout::undefined;
    std::uint32_t reason = 0; ///< index into Plan::reasons
};

/// One global memory barrier: all that a level needs for buffers, and for images that keep their
/// layout. No stages: none needed.
struct MemoryBarrier {
    StageMask source_stages = 0;
    MemoryMask source_memory = 0;
    StageMask destination_stages = 0;
    MemoryMask destination_memory = 0;
    friend bool operator==(const MemoryBarrier&, const MemoryBarrier&) = default;
};

/// Nodes that need no synchronisation among themselves, and the one batch of barriers before them.
struct Level {
    std::uint32_t first_node = 0; ///< into Plan::order
    std::uint32_t node_count = 0;
    MemoryBarrier memory;
    std::uint32_t first_image_barrier = 0; ///< into Plan::image_barriers
    std::uint32_t image_barrier_count = 0;
    std::uint32_t first_reason = 0; ///< into Plan::reasons; of all of the batch
    std::uint32_t reason_count = 0;
    bool has_barriers() const {
        return memory.source_stages != 0 || memory.destination_stages != 0 ||
               image_barrier_count != 0;
    }
};

/// Where a transient resource lives.
struct Allocation {
    std::uint32_t block = ~0u; ///< index into Plan::blocks; ~0u: not in transient memory
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    std::uint32_t first_level = 0; ///< of its life, inclusive
    std::uint32_t last_level = 0;  ///< inclusive
};

struct MemoryBlock {
    std::uint64_t size = 0;
    std::uint64_t alignment = 1;
    std::uint32_t type_bits = 1;
};

enum class CullReason : std::uint8_t { none, result_unused };

struct PlanStatistics {
    std::uint32_t nodes = 0;
    std::uint32_t culled = 0;
    std::uint32_t levels = 0;
    std::uint32_t batches = 0; ///< barrier commands
    std::uint32_t image_barriers = 0;
    std::uint32_t memory_barriers = 0;
    std::uint64_t transient_bytes = 0; ///< allocated
    std::uint64_t naive_bytes = 0;     ///< without aliasing
    std::uint64_t peak_bytes = 0;      ///< most that is live at once: no packing can go below
};

/// A compiled graph: all the executor needs, and all that `explain` tells. Indices refer to
/// `graph`.
struct Plan {
    GraphDesc graph;
    CompileOptions options; ///< `memory` is cleared

    std::vector<NodeId> order;
    std::vector<Level> levels;
    std::vector<ImageBarrier> image_barriers;
    std::vector<BarrierReason> reasons;
    /// The batch after the last level: final states of imports, outputs and histories.
    Level epilogue;

    std::vector<Layout> access_layouts;  ///< per access: the image layout the node finds
    std::vector<UsageMask> usages;       ///< per resource; 0: not used by any live node
    std::vector<Allocation> allocations; ///< per resource
    std::vector<MemoryBlock> blocks;
    std::vector<CullReason> culled; ///< per node

    /// Per resource: its state when an execution begins and when it ends. For constants and
    /// histories the executor establishes `first` before the first execution.
    struct Boundary {
        Scope first;
        Scope last;
    };
    std::vector<Boundary> boundaries;

    PlanStatistics statistics;
};

/// Compiles `graph` for a device with `caps`. Pure: the same inputs give the same plan, nothing is
/// created on a device. Errors are complete: every mistake found is in the result.
/// Codes: graph/... (docs/diagnostics.md).
Result<Plan> compile(GraphDesc graph, const DeviceCaps& caps, const CompileOptions& options = {});

/// One sentence for people: "blur_x writes tmp, blur_y samples it".
std::string describe(const Plan& plan, const BarrierReason& reason);

} // namespace tuff
