#include "graph/compile/memory/previous_aliases.hpp"
#include "graph/compile/stages.hpp"
#include "graph/compile/sync/queue_waits.hpp"
#include "graph/compile/sync/segment_state.hpp"
#include "graph/compile/sync/shared_scopes.hpp"

#include <algorithm>
#include <optional>
#include <variant>

namespace tuff {
namespace {

/// The barriers of one level while they are collected.
struct Batch {
    Level* level = nullptr;
    Queue queue = Queue::graphics;
    std::uint32_t point = 0; ///< of the level's nodes
    StageBits source_stages = 0;
    MemoryBits source_memory = 0;
    StageBits stages = 0;
    MemoryBits memory = 0;
};

/// The first half of a transfer of ownership, which stands after the level it follows.
struct Release {
    std::uint32_t level = 0;
    ImageBarrier image;
};

BarrierReason reason_of(const AccessNeed& need, const Dependency& wait) {
    return {wait.hazard, need.resource, wait.before, need.node, wait.reused_from};
}

inline ImageBarrier image_barrier(const AccessNeed& need, const Range& range,
                                  const Dependency& wait, std::uint32_t reason = 0) {
    return {.resource = need.resource,
            .range = range,
            .source_stages = wide_stages(wait.source_stages),
            .source_memory = wide_memory(wait.source_memory),
            .destination_stages = wide_stages(wait.stages),
            .destination_memory = wide_memory(wait.memory),
            .from = wait.from,
            .to = wait.to,
            .reason = reason,
            .from_queue = wait.transfers ? wait.queue : need.queue,
            .to_queue = need.queue};
}

/// Makes a full barrier of it. The host is no command and stays named.
void widen(auto& barrier) {
    for (StageMask* stages : {&barrier.source_stages, &barrier.destination_stages})
        *stages = stage::kAllCommands | (*stages & stage::kHost);
    barrier.source_memory = barrier.destination_memory = memory::kMemoryRead | memory::kMemoryWrite;
}

class Synchronizer {
  public:
    Synchronizer(const GraphDesc& graph, const Order& order, const AccessIndex& index,
                 const Memory& memory, std::span<const UsageMask> usages,
                 std::span<const Sharing> sharing, const CompileOptions& options)
        : graph_(graph), order_(order), index_(index), segments_(index.segments), memory_(memory),
          usages_(usages), sharing_(sharing), mode_(options.barriers),
          general_layouts_(options.layouts == LayoutMode::general),
          several_queues_(!order.queues.empty()),
          host_works_(std::ranges::find(order.queues, Queue::host) != order.queues.end()),
          waits_(order) {}
    Synchronization run() &&;

  private:
    std::vector<Queue> find_first_queues() const;
    SegmentState& start_transient(ResourceId resource);
    SegmentState start_of_history(const ResourceDesc& desc, const LastUses& last) const;
    SegmentState start_of_import(const ResourceDesc& desc) const;
    Layout constant_layout(ResourceId resource) const;
    SegmentState& start_resource(ResourceId resource);
    void start();

    void begin(Batch& batch) const;
    void end(Batch& batch);
    bool read_again(const Batch& batch, NodeId node, std::uint32_t access);
    void need_access(Batch& batch, NodeId node, std::uint32_t access);
    void need_output(Batch& batch, const OutputDesc& output);
    void hand_over(Batch& batch, ResourceId resource);
    AccessNeed need_in(const Batch& batch, ResourceId resource) const;
    void synchronize(Batch& batch, const Range& range, const AccessNeed& need);
    void meet_parts(Batch& batch, const Range& range, const AccessNeed& need);
    void take_over_object(const AccessNeed& need);
    void add_barrier(Batch& batch, const Range& range, const AccessNeed& need,
                     const Dependency& wait);
    std::uint32_t add_reason(const BarrierReason& reason);
    void place_releases();

    const Timelines& clocks_of(const Batch& batch) const {
        return clocks_[static_cast<std::size_t>(batch.queue)];
    }
    const QueuePoints* joined(const Batch& batch) const {
        return several_queues_ ? &waits_.joined(batch.queue) : nullptr;
    }
    ScopeBits history_readers(std::uint32_t group) const {
        return group < scopes_.history_readers.size() ? scopes_.history_readers[group]
                                                      : ScopeBits{};
    }

    const GraphDesc& graph_;
    const Order& order_;
    const AccessIndex& index_;
    const SegmentTable& segments_;
    const Memory& memory_;
    const std::span<const UsageMask> usages_;
    const std::span<const Sharing> sharing_;
    const BarrierMode mode_;
    const bool general_layouts_;
    const bool several_queues_;
    const bool host_works_; ///< as one of them
    Synchronization result_;
    SharedScopes scopes_;
    std::vector<LastUses> last_uses_;             ///< per resource
    std::vector<PreviousAliases> former_tenants_; ///< per resource
    std::vector<SegmentState> states_;            ///< per segment
    std::vector<Queue> first_queues_;             ///< per segment, of its first use; where several
    std::array<Timelines, kQueueCount> clocks_;
    QueueWaits waits_;
    std::vector<Release> releases_;
    std::size_t first_reason_ = 0; ///< of the node at hand; only these can repeat
};

// --- how resources begin -------------------------------------------------------------------------

/// What no node uses begins with the end of the execution.
std::vector<Queue> Synchronizer::find_first_queues() const {
    std::vector<Queue> queues(segments_.starts.back(), Queue::graphics);
    for (auto node = order_.nodes.rbegin(); node != order_.nodes.rend(); ++node) {
        const NodeDesc& desc = graph_.nodes[node->index];
        const Queue queue = order_.queue_of(order_.level_of[node->index]);
        for (std::uint32_t a = desc.first_access; a < desc.first_access + desc.access_count; ++a)
            segments_.for_each(index_.resource_of[a], graph_.accesses[a].range,
                               [&](std::uint32_t s) { queues[s] = queue; });
    }
    return queues;
}

/// Adds the state of the resource's next segment.
SegmentState& Synchronizer::start_transient(ResourceId resource) {
    const PreviousAliases& former = former_tenants_[resource.index];
    const Queue queue = several_queues_ ? first_queues_[states_.size()] : Queue::graphics;
    SegmentState& state = states_.emplace_back();
    state.start_after(former.uses, queue, several_queues_);
    if (former.nearest) {
        state.origin = Hazard::reuse;
        state.previous_alias = former.nearest;
    }
    return state;
}

/// The execution that wrote a copy has shown it to all its readers; the next write of it comes
/// after their reads and its own.
SegmentState Synchronizer::start_of_history(const ResourceDesc& desc, const LastUses& last) const {
    const ScopeBits readers = history_readers(desc.history_group);
    SegmentState state{.layout = readers.layout, .seen_by = readers.pairs};
    if (readers.stages == 0) { // no reader
        state.start_after(last.long_ago(), Queue::graphics, several_queues_);
        return state;
    }
    // The same goes for parts that none of them reads, but then it has to see the last write.
    if (desc.history_age == 0 && scopes_.history_read_whole[desc.history_group])
        state.reads[0] = {readers.stages | last.readers, 0};
    else
        state.write_stages = readers.stages | last.readers;
    return state;
}

SegmentState Synchronizer::start_of_import(const ResourceDesc& desc) const {
    const ScopeBits first = narrow_host_use(desc.import.first);
    SegmentState state{.layout = first.layout,
                       .write_stages = first.stages,
                       .write_memory = first.memory & kWriteBits};
    if (state.write_memory == 0) { // the host has read what it wrote before
        state.reads[0] = {first.stages, 0};
        state.seen_by = first.pairs;
    }
    return state;
}

/// Of a constant one version is read: its only one, or the last that the setup has made.
Layout Synchronizer::constant_layout(ResourceId resource) const {
    const auto versions = index_.chains[resource.index];
    for (const VersionId version : versions)
        if (scopes_.readers[version.index].stages != 0)
            return scopes_.readers[version.index].layout;
    return scopes_.readers[versions[0].index].layout;
}

/// Adds the state of the resource's first segment.
SegmentState& Synchronizer::start_resource(ResourceId resource) {
    constexpr Scope kAnything{stage::kAllCommands, memory::kMemoryRead | memory::kMemoryWrite,
                              Layout::undefined};
    const ResourceDesc& desc = graph_.resources[resource.index];
    Plan::Boundary& boundary = result_.boundaries.emplace_back();
    boundary = {kAnything, kAnything};
    if (desc.lifetime == Lifetime::transient) return start_transient(resource);
    SegmentState& state = states_.emplace_back();
    switch (desc.lifetime) {
    case Lifetime::transient: break;
    case Lifetime::constant: // in the layout of its readers from the start
        state.layout = constant_layout(resource);
        state.seen_by = ~PairBits{0};
        break;
    case Lifetime::history: state = start_of_history(desc, last_uses_[resource.index]); break;
    case Lifetime::imported:
        boundary = {desc.import.first, desc.import.last};
        return state = start_of_import(desc);
    }
    boundary.first.layout = boundary.last.layout = state.layout;
    return state;
}

void Synchronizer::start() {
    scopes_ = share_scopes(graph_, index_, general_layouts_);
    last_uses_ = find_last_uses(graph_, order_, index_, memory_, scopes_);
    former_tenants_ = previous_aliases(graph_, memory_, last_uses_);
    result_.former_objects =
        former_objects(graph_, index_, memory_, usages_, sharing_, former_tenants_);
    result_.access_layouts.assign(graph_.accesses.size(), Layout::undefined);
    result_.boundaries.reserve(graph_.resources.size());
    states_.reserve(segments_.starts.back());
    if (several_queues_) first_queues_ = find_first_queues();
    const auto resources = static_cast<std::uint32_t>(graph_.resources.size());
    for (std::uint32_t r = 0; r < resources; ++r) {
        const SegmentState& state = start_resource({r});
        const std::uint32_t count = segments_.count({r});
        if (count == 1) continue;
        // The graphics queue goes on while others begin after the execution before, so a part that
        // it uses first has to wait although another queue's part need not.
        if (several_queues_ && graph_.resources[r].lifetime == Lifetime::transient)
            for (std::uint32_t s = 1; s < count; ++s)
                start_transient({r});
        else
            states_.insert(states_.end(), count - 1, SegmentState(state));
    }
    result_.image_barriers.reserve(2 * graph_.resources.size());
    result_.reasons.reserve(2 * graph_.resources.size());
    result_.levels.reserve(order_.level_count);
}

// --- barriers ------------------------------------------------------------------------------------

void Synchronizer::begin(Batch& batch) const {
    batch.level->queue = batch.queue;
    batch.level->first_image_barrier = static_cast<std::uint32_t>(result_.image_barriers.size());
    batch.level->first_reason = static_cast<std::uint32_t>(result_.reasons.size());
}

void Synchronizer::end(Batch& batch) {
    Level& level = *batch.level;
    const auto level_index = batch.point - 1;
    const std::uint32_t known = waits_.settle(level_index, batch.queue);
    Timelines& timelines = clocks_[static_cast<std::size_t>(batch.queue)];
    if (known != 0) timelines.pass_all(known);
    if (batch.source_stages != 0) {
        timelines.pass(batch.source_stages, batch.source_memory, batch.stages, batch.memory,
                       batch.point);
        level.memory = {wide_stages(batch.source_stages), wide_memory(batch.source_memory),
                        wide_stages(batch.stages), wide_memory(batch.memory)};
    }
    if (mode_ == BarrierMode::full && batch.queue != Queue::host) {
        widen(level.memory);
        for (auto i = result_.image_barriers.begin() + level.first_image_barrier;
             i != result_.image_barriers.end(); ++i)
            widen(*i);
        if (level.first_reason == result_.reasons.size())
            result_.reasons.push_back({.hazard = Hazard::forced});
    }
    level.image_barrier_count =
        static_cast<std::uint32_t>(result_.image_barriers.size()) - level.first_image_barrier;
    level.reason_count = static_cast<std::uint32_t>(result_.reasons.size()) - level.first_reason;
}

/// The index of `reason` among those of the node at hand, where it is added unless it is there.
std::uint32_t Synchronizer::add_reason(const BarrierReason& reason) {
    std::vector<BarrierReason>& reasons = result_.reasons;
    std::size_t index = first_reason_;
    for (; index < reasons.size(); ++index) {
        const BarrierReason& r = reasons[index];
        if (r.resource == reason.resource && r.hazard == reason.hazard &&
            r.before == reason.before && r.after == reason.after)
            break;
    }
    if (index == reasons.size()) reasons.push_back(reason);
    return static_cast<std::uint32_t>(index);
}

void Synchronizer::place_releases() {
    std::ranges::stable_sort(releases_, {}, &Release::level);
    for (const Release& release : releases_) {
        Level& level = result_.levels[release.level];
        if (level.release_count++ == 0)
            level.first_release = static_cast<std::uint32_t>(result_.image_barriers.size());
        result_.image_barriers.push_back(release.image);
    }
}

void Synchronizer::add_barrier(Batch& batch, const Range& range, const AccessNeed& need,
                               const Dependency& wait) {
    if (wait.needs_semaphore()) waits_.need(wait.others);
    if (wait.source_stages == 0 && !wait.relayout) { // the semaphore does it
        add_reason(reason_of(need, wait));
        return;
    }
    const std::uint32_t reason = add_reason(reason_of(need, wait));
    if (!wait.relayout) {
        batch.source_stages |= wait.source_stages;
        batch.source_memory |= wait.source_memory;
        batch.stages |= wait.stages;
        batch.memory |= wait.memory;
        return;
    }
    ImageBarrier& barrier =
        result_.image_barriers.emplace_back(image_barrier(need, range, wait, reason));
    if (wait.transfers) {
        releases_.push_back({.level = wait.point - 1, .image = barrier});
        // A semaphore lies between the two halves.
        ImageBarrier& release = releases_.back().image;
        release.destination_stages = stage::kNone;
        release.destination_memory = memory::kNone;
        if (mode_ == BarrierMode::full) widen(release);
        barrier.source_memory = memory::kNone;
    }
    // Other queues than the main one wait for the execution before by a semaphore.
    if (wait.after_semaphore || (batch.queue != Queue::graphics && wait.source_stages == 0))
        barrier.source_stages = stage::kAllCommands;
}

// --- what nodes and the end of the execution ask for ---------------------------------------------

AccessNeed Synchronizer::need_in(const Batch& batch, ResourceId resource) const {
    return {.resource = resource,
            .point = batch.point,
            .queue = batch.queue,
            .owns = several_queues_ && graph_.resources[resource.index].is_image() &&
                    sharing_[resource.index] == Sharing::exclusive};
}

/// A resource that goes on in the image of an earlier one finds the layout that one was left in.
void Synchronizer::take_over_object(const AccessNeed& need) {
    if (result_.former_objects.empty()) return;
    const ResourceId former = result_.former_objects[need.resource.index];
    SegmentState& state = states_[segments_.starts[need.resource.index]];
    if (!former || state.writer || state.reader) return;
    const SegmentState& left = states_[segments_.starts[former.index]];
    // Where layout or owner have to change, contents that nobody needs are dropped instead.
    if (left.layout == need.scope.layout && (!need.owns || left.queue == need.queue))
        state.layout = left.layout;
}

/// Emits what separates the segments of `range` from their former use, and advances their states.
void Synchronizer::synchronize(Batch& batch, const Range& range, const AccessNeed& need) {
    take_over_object(need);
    if (segments_.count(need.resource) != 1) return meet_parts(batch, range, need);
    SegmentState& state = states_[segments_.starts[need.resource.index]];
    if (state.is_shown_to(need)) return state.note_reader(need);
    const Dependency wait = state.wait_for(need, clocks_of(batch), joined(batch));
    if (wait.needed) add_barrier(batch, range, need, wait);
    state.advance(need);
}

void Synchronizer::meet_parts(Batch& batch, const Range& range, const AccessNeed& need) {
    const auto wait_for = [&](std::uint32_t s) {
        if (states_[s].is_shown_to(need)) return Dependency{};
        const Dependency wait = states_[s].wait_for(need, clocks_of(batch), joined(batch));
        return wait.needed ? wait : Dependency{};
    };
    std::optional<Dependency> common;
    bool uniform = true;
    segments_.for_each(need.resource, range, [&](std::uint32_t s) {
        const Dependency wait = wait_for(s);
        uniform = uniform && (!common || wait == *common);
        if (!common) common = wait;
    });
    if (uniform) {
        if (common && common->needed) add_barrier(batch, range, need, *common);
    } else {
        segments_.for_each(need.resource, range, [&](std::uint32_t s) {
            if (const Dependency wait = wait_for(s); wait.needed)
                add_barrier(batch, segments_.range(need.resource, s), need, wait);
        });
    }
    segments_.for_each(need.resource, range, [&](std::uint32_t s) { states_[s].advance(need); });
}

/// Most reads have been served by a barrier for an earlier one: then there is little to note.
bool Synchronizer::read_again(const Batch& batch, NodeId node, std::uint32_t access) {
    const ResourceId resource = index_.resource_of[access];
    if (batch.queue != Queue::graphics || host_works_ || segments_.count(resource) != 1)
        return false;
    const ScopeBits& scope = scopes_.readers[graph_.accesses[access].read.index];
    SegmentState& state = states_[segments_.starts[resource.index]];
    if (!state.is_shown_to(scope, batch.queue)) return false;
    state.note_reader(node, scopes_.own[access].stages, batch.queue, batch.point);
    result_.access_layouts[access] = scope.layout;
    return true;
}

void Synchronizer::need_access(Batch& batch, NodeId node, std::uint32_t access) {
    const AccessDesc& desc = graph_.accesses[access];
    if (!desc.written && read_again(batch, node, access)) return;
    const ScopeBits& own = scopes_.own[access];
    AccessNeed need = need_in(batch, index_.resource_of[access]);
    need.own_stages = own.stages;
    need.node = node;
    if (desc.written) {
        const bool accumulates = desc.access == Access::accumulate;
        need.scope = accumulates ? scopes_.accumulators[desc.written.index] : own;
        need.version = desc.written;
        need.writes = true;
        need.accumulates = accumulates;
    } else {
        need.scope = scopes_.readers[desc.read.index];
        need.version = desc.read;
    }
    // A node that reads one part of an image and writes another finds each in its own layout.
    result_.access_layouts[access] = need.scope.layout;
    if (batch.queue != Queue::graphics)
        need.scope = only_on(batch.queue, need.scope);
    else if (host_works_)
        need.scope = without_host(need.scope); // which waits by itself
    synchronize(batch, desc.range, need);
}

void Synchronizer::need_output(Batch& batch, const OutputDesc& output) {
    const ResourceId resource = graph_.versions[output.version.index].resource;
    const ScopeBits own = output_scope(graph_, output);
    AccessNeed need = need_in(batch, resource);
    need.scope = output.access == Access::present ? own : scopes_.readers[output.version.index];
    need.own_stages = own.stages;
    need.version = output.version;
    synchronize(batch, whole(graph_.resources[resource.index]), need);
    result_.boundaries[resource.index].last = wide(need.scope);
}

/// Leaves a resource that outlives the execution as the host or the next execution expects it.
void Synchronizer::hand_over(Batch& batch, ResourceId resource) {
    const ResourceDesc& desc = graph_.resources[resource.index];
    const bool imported = desc.lifetime == Lifetime::imported;
    if (!imported && (desc.lifetime != Lifetime::history || desc.history_age != 0)) return;
    AccessNeed need = need_in(batch, resource);
    need.hands_over = true;
    need.writes = imported; // as far as anybody knows
    need.scope = imported ? narrow_host_use(desc.import.last) : history_readers(desc.history_group);
    synchronize(batch, whole(desc), need);
}

Synchronization Synchronizer::run() && {
    start();
    auto node = order_.nodes.begin();
    for (std::uint32_t level = 0; level < order_.level_count; ++level) {
        Batch batch{.level = &result_.levels.emplace_back(),
                    .queue = order_.queue_of(level),
                    .point = level + 1};
        begin(batch);
        const auto first_node = node;
        for (; node != order_.nodes.end() && order_.level_of[node->index] == level; ++node) {
            const NodeDesc& desc = graph_.nodes[node->index];
            first_reason_ = result_.reasons.size();
            for (std::uint32_t a = 0; a < desc.access_count; ++a)
                need_access(batch, *node, desc.first_access + a);
        }
        batch.level->first_node = static_cast<std::uint32_t>(first_node - order_.nodes.begin());
        batch.level->node_count = static_cast<std::uint32_t>(node - first_node);
        end(batch);
    }

    Batch batch{.level = &result_.epilogue, .point = order_.level_count + 1};
    begin(batch);
    batch.level->first_node = static_cast<std::uint32_t>(order_.nodes.size());
    first_reason_ = result_.reasons.size();
    for (const OutputDesc& output : graph_.outputs)
        need_output(batch, output);
    for (const ResourceId resource : index_.lasting)
        hand_over(batch, resource);
    waits_.need_everything();
    end(batch);

    place_releases();
    waits_.submit(result_);
    return std::move(result_);
}

} // namespace

Synchronization synchronize(const GraphDesc& graph, const Order& order, const AccessIndex& index,
                            const Memory& memory, std::span<const UsageMask> usages,
                            std::span<const Sharing> sharing, const CompileOptions& options) {
    return Synchronizer(graph, order, index, memory, usages, sharing, options).run();
}

} // namespace tuff
