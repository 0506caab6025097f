#pragma once

#include "graph/compile/ranges.hpp"

#include <tuff/plan.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

/// The compile stages, in the order `compile` calls them. Each is a pure function of its arguments.
namespace tuff {

/// A list of lists in two flat arrays.
template <typename T>
struct Grouped {
    std::vector<std::uint32_t> starts; ///< one more than there are groups
    std::vector<T> items;

    std::span<const T> operator[](std::size_t group) const {
        return std::span(items).subspan(starts[group], starts[group + 1] - starts[group]);
    }
    std::size_t size() const { return starts.empty() ? 0 : starts.size() - 1; }
};

/// Parts of one resource that every access covers entirely or not at all. Resources that are only
/// used whole have one segment.
class SegmentCuts {
  public:
    SegmentCuts(const ResourceDesc& resource, std::span<const Range> uses);
    std::uint32_t count() const { return count_; }
    /// Calls `visit(segment)` for each segment inside `range`, which must be one of the uses.
    template <typename Visit>
    void for_each(const Range& range, Visit visit) const;
    Range range(std::uint32_t segment) const;

  private:
    bool is_image_ = true;
    std::uint32_t count_ = 1;
    std::vector<std::uint64_t> outer_; ///< mip boundaries, or byte boundaries of a buffer
    std::vector<std::uint64_t> inner_; ///< layer boundaries of an image
};

/// The segments of all resources, numbered through. Nearly every resource is only used whole, so
/// those cost two numbers.
struct SegmentTable {
    std::vector<std::uint32_t> starts;  ///< resource -> its first segment; one more at the end
    std::vector<std::uint32_t> cuts_of; ///< resource -> index into `cuts`; ~0u: only used whole
    std::vector<SegmentCuts> cuts;

    std::uint32_t count(ResourceId resource) const {
        return starts[resource.index + 1] - starts[resource.index];
    }
    /// Calls `visit(segment)` for each segment of `resource` inside `range`, one of its uses.
    template <typename Visit>
    void for_each(ResourceId resource, const Range& range, Visit visit) const {
        const std::uint32_t first = starts[resource.index];
        const std::uint32_t cut = cuts_of[resource.index];
        if (cut == ~0u)
            visit(first);
        else
            cuts[cut].for_each(range, [&](std::uint32_t s) { visit(first + s); });
    }
    /// The part that `segment` of a resource that is not only used whole stands for.
    Range range(ResourceId resource, std::uint32_t segment) const {
        return cuts[cuts_of[resource.index]].range(segment - starts[resource.index]);
    }
};

/// Who touches what, looked up from the side of the versions and accesses.
struct AccessIndex {
    Grouped<std::uint32_t> readers;      ///< version -> accesses that read it and write nothing
    Grouped<std::uint32_t> writers;      ///< version -> accesses that produce it
    Grouped<std::uint32_t> outputs;      ///< version -> outputs that name it
    Grouped<VersionId> chains;           ///< resource -> its versions, oldest first
    std::vector<NodeId> node_of;         ///< access -> node; none where nobody makes it
    std::vector<ResourceId> resource_of; ///< access -> what it uses; none where nobody makes it
    std::vector<ResourceId> lasting;     ///< those that are not transient
    SegmentTable segments;
};
/// With `culled` given (one per node), as if culled nodes had no accesses.
AccessIndex index_accesses(const GraphDesc& graph, std::span<const CullReason> culled = {});

/// resolve: every mistake that the description itself shows.
Diagnostics validate(const GraphDesc& graph, const DeviceCaps& caps);

/// Inserts, before the first use of each transient resource that `value_of` has a value for, a node
/// "scope/resource" that fills it with that.
GraphDesc fill_first(GraphDesc graph, std::string_view scope,
                     const std::function<std::optional<ClearValue>(ResourceId)>& value_of);
/// Fills transient resources with NaN bits before their first use.
GraphDesc poison(GraphDesc graph);

/// Order constraints between nodes, and reads of contents that nothing has written.
struct Dependencies {
    Grouped<NodeId> before;           ///< node -> nodes that must come first, without duplicates
    Grouped<NodeId> producers;        ///< node -> nodes whose results it needs
    Grouped<NodeId> output_producers; ///< output -> nodes whose results it needs
    /// Whatever a node waits for was declared before it, as in nearly every graph.
    bool as_declared = false;
    Diagnostics diagnostics;
};
Dependencies find_dependencies(const GraphDesc& graph, const AccessIndex& index);

/// cull: drops nodes that no output, history, import or side effect needs.
std::vector<CullReason> cull(const GraphDesc& graph, const Dependencies& dependencies);
/// Makes outputs of the statuses that are made anyway and not overwritten. Returns whether there
/// are any.
bool add_status_outputs(GraphDesc& graph, std::span<const CullReason> culled);

/// constant work: which live nodes depend on nothing that changes, and what they leave to those
/// that run each time. Both are empty where all nodes are in one part.
struct ConstantPart {
    std::vector<bool> runs_once; ///< per node
    std::vector<KeptResult> kept;
};
/// What a node depends on changes where it reads a history or an import, is recorded or uploaded by
/// the host, is marked as changing, or builds an acceleration structure, whose object belongs to
/// who builds it. All writers of a resource run in one part, and the other reads its last version.
ConstantPart find_constant_work(const GraphDesc& graph, const Dependencies& dependencies,
                                const AccessIndex& index, std::span<const CullReason> culled);

/// order: live nodes level by level. `level_of[node]` is ~0u for culled ones.
struct Order {
    std::vector<NodeId> nodes;
    std::vector<std::uint32_t> level_of;
    std::uint32_t level_count = 0;
    std::vector<Queue> queues; ///< per level; empty: all are on the graphics queue

    Queue queue_of(std::uint32_t level) const {
        return level < queues.size() ? queues[level] : Queue::graphics;
    }
};
Result<Order> order(const GraphDesc& graph, const Dependencies& dependencies,
                    const std::vector<CullReason>& culled, OrderMode mode);

/// The constraints among live nodes, from the side of those that come first.
struct Followers {
    Grouped<NodeId> after;              ///< node -> nodes that must come later
    std::vector<std::uint32_t> waiting; ///< node -> how many must come before it; ~0u: culled
};
Followers find_followers(const Dependencies& dependencies, const std::vector<CullReason>& culled);

/// Fills in `nodes`, level by level and in each by declaration, and `level_count` from `level_of`.
/// `nodes` holds the live ones in any order.
void sort_by_level(Order& order);
/// Per live node: the last level that it could be in without more levels.
std::vector<std::uint32_t> latest_levels(const Dependencies& dependencies, const Order& order);

/// schedule: moves nodes to other levels. Without a budget (0) to those that need least memory
/// while there are no more levels; with one, to the fewest levels whose living transient resources
/// fit into `budget` bytes, or to the least memory found where none fits. `bytes` is per resource,
/// 0 where it is not transient; `earliest` has every node in its first possible level.
Order schedule(const GraphDesc& graph, const Dependencies& dependencies, const AccessIndex& index,
               const std::vector<CullReason>& culled, std::span<const std::uint64_t> bytes,
               Order earliest, std::uint64_t budget);

/// Usage flags each resource must be created with; 0 where no live node touches it.
std::vector<UsageMask> join_usages(const GraphDesc& graph, const Order& order,
                                   const AccessIndex& index);

/// queues: the queue of each node; empty: all run on the main one.
///
/// A node moves where its hint says if the device has that queue, the queue can do what the node
/// does, and the node uses no import, whose host knows of the graphics queue alone. With
/// `QueueMode::automatic` dispatches and copies without a hint move to the compute queue where they
/// are off the critical path: where they could run at least two levels later without more levels,
/// and others have something to do meanwhile.
std::vector<Queue> assign_queues(const GraphDesc& graph, const Dependencies& dependencies,
                                 const Order& order, const DeviceCaps& caps, QueueMode mode);
/// Nodes of the device that the host waits for come first, then the others: those run while the
/// host works. `queues` names nodes of the host; the order of the others among themselves stays.
Order overlap_host_nodes(Order order, const Dependencies& dependencies,
                         std::span<const Queue> queues);
/// Gives each level to one queue: those with nodes for several are cut, the main one's part last.
Order split_by_queue(Order order, std::span<const Queue> queues);
/// Who may use a resource without a transfer of ownership: several queues at once where it is a
/// buffer, outlives the execution, is used in parts, or is read on more than one queue in a
/// version.
std::vector<Sharing> find_sharing(const GraphDesc& graph, const Order& order,
                                  const AccessIndex& index);

/// lifetimes: first and last level of each resource; `first > last`: never alive. An output lives
/// on to `level_count`, the epilogue.
struct LiveRange {
    std::uint32_t first = ~0u;
    std::uint32_t last = 0;
    bool alive() const { return first <= last; }
    friend bool operator==(const LiveRange&, const LiveRange&) = default;
};
std::vector<LiveRange> lifetimes(const GraphDesc& graph, const Order& order,
                                 const AccessIndex& index);
/// Lives last as long as nodes of other queues may take that use the resource: from what these
/// nodes wait for to whoever waits for them.
void widen_live_ranges(std::vector<LiveRange>& live_ranges, const GraphDesc& graph,
                       const Dependencies& dependencies, const Order& order,
                       const AccessIndex& index);

/// What the device asks for `resource`, with buffers and images on granules of their own.
MemoryRequirements requirements_of(const ResourceDesc& resource, UsageMask usage,
                                   const MemoryModel& model, const DeviceCaps& caps);

/// The size of each transient resource that a live node uses; 0 for all others.
std::vector<std::uint64_t> transient_bytes(const GraphDesc& graph,
                                           const std::vector<UsageMask>& usages,
                                           const MemoryModel& model, const DeviceCaps& caps);

/// alias: places transient resources in blocks; live ranges that do not overlap may share bytes.
struct Memory {
    std::vector<Allocation> allocations;
    std::vector<MemoryBlock> blocks;
    std::uint64_t naive_bytes = 0;
    std::uint64_t peak_bytes = 0;
};
Memory alias(const GraphDesc& graph, const std::vector<LiveRange>& live_ranges,
             const std::vector<UsageMask>& usages, const MemoryModel& model, const DeviceCaps& caps,
             AliasMode mode);

/// sync: the layouts accesses find, and the barriers of each level and the semaphores between
/// queues.
struct Synchronization {
    std::vector<Layout> access_layouts;
    std::vector<Level> levels;
    Level epilogue;
    std::vector<ImageBarrier> image_barriers;
    std::vector<BarrierReason> reasons;
    std::vector<Plan::Boundary> boundaries;
    std::vector<Submission> submissions;
    std::vector<std::uint32_t> waits;
    /// Per resource: the one whose image it goes on in, if any. Empty: none does.
    std::vector<ResourceId> former_objects;
};
/// A transient image goes on in the one that had its bytes just before if both are alike in every
/// respect, so that its layout need not change in between. `usages` and `sharing` are per resource.
Synchronization synchronize(const GraphDesc& graph, const Order& order, const AccessIndex& index,
                            const Memory& memory, std::span<const UsageMask> usages,
                            std::span<const Sharing> sharing, const CompileOptions& options);

/// emit: puts the parts together.
Plan emit(GraphDesc graph, const CompileOptions& options, Order order,
          std::vector<CullReason> culled, std::vector<UsageMask> usages,
          std::vector<Sharing> sharing, Memory memory, Synchronization sync);

// --- templates -----------------------------------------------------------------------------------

template <typename Visit>
void SegmentCuts::for_each(const Range& range, Visit visit) const {
    if (count_ == 1) {
        visit(0u);
        return;
    }
    const std::uint64_t outer_low = is_image_ ? range.mip : range.offset;
    const std::uint64_t outer_high = outer_low + (is_image_ ? range.mips : range.size);
    const std::uint64_t inner_low = is_image_ ? range.layer : 0;
    const std::uint64_t inner_high = is_image_ ? inner_low + range.layers : 1;
    const auto columns = static_cast<std::uint32_t>(inner_.size() - 1);
    for (std::uint32_t row = 0; row + 1 < outer_.size(); ++row) {
        if (outer_[row] < outer_low || outer_[row] >= outer_high) continue;
        for (std::uint32_t column = 0; column < columns; ++column)
            if (inner_[column] >= inner_low && inner_[column] < inner_high)
                visit(row * columns + column);
    }
}

} // namespace tuff
