#include "graph/last_uses.hpp"
#include "graph/segment_state.hpp"
#include "graph/stages.hpp"

#include <algorithm>

namespace tuff {
namespace {

constexpr Scope kEverything{stage::kAllCommands, kAnyMemory, Layout::undefined};

SegmentState start_after(const LastUses& uses) {
    if (uses.written == 0) return {.read_stages = uses.readers | uses.writers};
    return {.write = {uses.readers | uses.writers, uses.written, Layout::undefined}};
}

Scope joined(const Scope& a, const Scope& b) {
    const bool one = a.stages == 0 && a.memory == 0 && a.layout == Layout::undefined;
    const Layout layout = one || a.layout == b.layout ? b.layout : Layout::general;
    return {a.stages | b.stages, a.memory | b.memory, layout};
}

class Synchronizer {
  public:
    Synchronizer(const GraphDesc& graph, const Order& order, const AccessIndex& index,
                 const Memory& memory, BarrierMode mode)
        : graph_(graph), order_(order), index_(index), segments_(index.segments), memory_(memory),
          mode_(mode) {}
    Synchronization run() &&;

  private:
    void look_up_scopes();
    void join_readers();
    std::vector<VersionId> find_shared_reads() const;
    void choose_layouts();
    void find_last_uses();
    void join_history_readers();
    SegmentState start_of(ResourceId resource);
    SegmentState start_of_transient(ResourceId resource) const;

    void begin(Level& batch) const;
    void end(Level& batch);
    void demand_access(Level& batch, std::uint32_t access);
    void hand_over(Level& batch, ResourceId resource);
    void meet(Level& batch, ResourceId resource, const Range& range, const Demand& demand);
    void add_barrier(Level& batch, const Range& range, const Wait& wait, const Scope& scope);
    std::uint32_t add_reason(const BarrierReason& reason);

    bool is_live(std::uint32_t access) const { return bool(index_.node_of[access]); }
    const Scope& own_scope(std::uint32_t access) const { return scopes_[access]; }

    /// Whatever uses an output comes after the execution; of a shader's access no more is known.
    Scope output_scope(const OutputDesc& output) const {
        Scope scope = scope_of(output.access, stage::kAllCommands,
                               graph_.resource_of(output.version).is_image());
        if (output.access == Access::present) scope.stages = stage::kAllCommands;
        return scope;
    }

    const GraphDesc& graph_;
    const Order& order_;
    const AccessIndex& index_;
    const SegmentTable& segments_;
    const Memory& memory_;
    const BarrierMode mode_;
    Synchronization result_;
    std::vector<Scope> scopes_;       ///< per access
    std::vector<Scope> readers_;      ///< per version: all its readers, joined
    std::vector<Scope> accumulators_; ///< per version: all that accumulate into it, joined
    std::vector<LastUses> last_uses_; ///< per resource
    std::vector<FormerTenants> former_tenants_; ///< per resource
    std::vector<bool> read_whole_;       ///< per history group: an earlier age is, in one access
    std::vector<Scope> history_readers_; ///< per history group: of all earlier ages, joined
    std::vector<SegmentState> states_;   ///< per segment
    std::size_t first_reason_ = 0;       ///< of the node at hand; only these can repeat
};

// --- preparation ---------------------------------------------------------------------------------

void Synchronizer::look_up_scopes() {
    scopes_.resize(graph_.accesses.size());
    for (std::uint32_t a = 0; a < scopes_.size(); ++a) {
        const AccessDesc& access = graph_.accesses[a];
        scopes_[a] = scope_of(access.access, access.shader_stages,
                              graph_.resource_of(access.read).is_image());
    }
}

/// Where a write changes a part of a resource only, readers of the versions before and after meet
/// in the rest. Gives each version the oldest one whose readers its own must agree with.
std::vector<VersionId> Synchronizer::find_shared_reads() const {
    std::vector<VersionId> leader(graph_.versions.size());
    for (std::uint32_t v = 0; v < leader.size(); ++v)
        leader[v] = {v};
    const auto find = [&](VersionId v) {
        while (leader[v.index] != v)
            v = leader[v.index] = leader[leader[v.index].index];
        return v;
    };
    // Per segment, since the last write.
    std::vector<VersionId> last_read(segments_.cuts.empty() ? 0 : segments_.starts.back());
    for (std::uint32_t r = 0; r < graph_.resources.size(); ++r) {
        if (segments_.cuts_of[r] == ~0u) continue;
        const auto read = [&](VersionId version, const Range& range) {
            segments_.for_each({r}, range, [&](std::uint32_t s) {
                if (last_read[s]) leader[find(version).index] = find(last_read[s]);
                last_read[s] = version;
            });
        };
        for (const VersionId version : index_.chains[r]) {
            for (const std::uint32_t a : index_.writers[version.index])
                segments_.for_each({r}, graph_.accesses[a].range,
                                   [&](std::uint32_t s) { last_read[s] = VersionId{}; });
            for (const std::uint32_t a : index_.readers[version.index])
                read(version, graph_.accesses[a].range);
            for (const std::uint32_t o : index_.outputs[version.index])
                if (graph_.outputs[o].access != Access::present)
                    read(version, whole(graph_.resources[r]));
        }
    }
    for (std::uint32_t v = 0; v < leader.size(); ++v)
        leader[v] = find({v});
    return leader;
}

/// Readers of the same contents agree on one layout, `general` where they would differ, so that no
/// transition ever separates two reads, and one barrier before the first serves them all. Nodes
/// that accumulate into one version share a barrier in the same way.
void Synchronizer::join_readers() {
    readers_.assign(graph_.versions.size(), {});
    accumulators_.assign(graph_.versions.size(), {});
    const std::vector<VersionId> leader = find_shared_reads();
    const auto join = [](Scope& all, const Scope& scope) { all = joined(all, scope); };
    for (std::uint32_t a = 0; a < graph_.accesses.size(); ++a) {
        const AccessDesc& access = graph_.accesses[a];
        if (!is_live(a)) continue;
        if (!access.written) join(readers_[leader[access.read.index].index], own_scope(a));
        if (access.access == Access::accumulate)
            join(accumulators_[access.written.index], own_scope(a));
    }
    for (const OutputDesc& output : graph_.outputs)
        if (output.access != Access::present)
            join(readers_[leader[output.version.index].index], output_scope(output));
    for (std::uint32_t v = 0; v < readers_.size(); ++v)
        readers_[v] = readers_[leader[v].index];
}

/// A node that reads one part of an image and writes another finds each in its own layout.
void Synchronizer::choose_layouts() {
    result_.access_layouts.assign(graph_.accesses.size(), Layout::undefined);
    for (std::uint32_t a = 0; a < graph_.accesses.size(); ++a) {
        if (!is_live(a)) continue;
        const AccessDesc& access = graph_.accesses[a];
        result_.access_layouts[a] =
            access.written ? own_scope(a).layout : readers_[access.read.index].layout;
    }
}

void Synchronizer::find_last_uses() {
    last_uses_.assign(graph_.resources.size(), {});
    std::vector<LastUses> parts(segments_.starts.back());
    for (std::uint32_t r = 0; r < graph_.resources.size(); ++r) {
        const std::uint32_t first = segments_.starts[r];
        const std::span<LastUses> own =
            std::span(parts).subspan(first, segments_.count(ResourceId{r}));
        for (const VersionId version : index_.chains[r]) {
            for (const std::uint32_t a : index_.writers[version.index]) {
                const bool joins = graph_.accesses[a].access == Access::accumulate;
                const Scope scope = joins ? accumulators_[version.index] : own_scope(a);
                segments_.for_each({r}, graph_.accesses[a].range, [&](std::uint32_t s) {
                    parts[s] = {0, scope.stages, scope.memory & memory::kAllWrites};
                });
            }
            for (const std::uint32_t a : index_.readers[version.index])
                segments_.for_each({r}, graph_.accesses[a].range, [&](std::uint32_t s) {
                    parts[s].readers |= own_scope(a).stages;
                });
            for (const std::uint32_t o : index_.outputs[version.index])
                for (LastUses& part : own)
                    part.readers |= output_scope(graph_.outputs[o]).stages;
        }
        for (const LastUses& part : own)
            last_uses_[r].join(part.readers != 0 ? LastUses{.readers = part.readers} : part);
    }
}

/// The copies of a history rotate, so they rest in one layout between executions: that of the
/// readers of the earlier ages, since reading is what they are for. One barrier at the end of the
/// execution that writes a copy serves all of those readers.
void Synchronizer::join_history_readers() {
    history_readers_.assign(graph_.resources.size(), {});
    read_whole_.assign(graph_.resources.size(), false);
    const auto for_each_age = [&](auto visit) {
        for (std::uint32_t r = 0; r < graph_.resources.size(); ++r) {
            const ResourceDesc& desc = graph_.resources[r];
            if (desc.lifetime != Lifetime::history || desc.history_age == 0) continue;
            Scope& own = readers_[index_.chains[r][0].index];
            if (own.stages == 0) continue;
            visit(history_readers_[desc.history_group], own);
            if (segments_.count(ResourceId{r}) == 1) read_whole_[desc.history_group] = true;
        }
    };
    for_each_age([](Scope& all, const Scope& own) { all = joined(all, own); });
    for_each_age([](const Scope& all, Scope& own) { own.layout = all.layout; });
}

SegmentState Synchronizer::start_of_transient(ResourceId resource) const {
    const FormerTenants& former = former_tenants_[resource.index];
    SegmentState state = start_after(former.uses);
    if (former.nearest) {
        state.origin = Hazard::reuse;
        state.former_tenant = former.nearest;
    }
    return state;
}

SegmentState Synchronizer::start_of(ResourceId resource) {
    const ResourceDesc& desc = graph_.resources[resource.index];
    Plan::Boundary& boundary = result_.boundaries[resource.index];
    boundary.first = boundary.last = kEverything;
    SegmentState state;
    switch (desc.lifetime) {
    case Lifetime::transient: return start_of_transient(resource);
    case Lifetime::constant: // in the layout of its readers from the start
        state.layout = readers_[index_.chains[resource.index][0].index].layout;
        state.visible = Audience(kEverything);
        break;
    case Lifetime::history: {
        const Scope& readers = history_readers_[desc.history_group];
        const LastUses& last = last_uses_[resource.index];
        if (readers.stages == 0) return start_after(last); // nobody wants to know
        // The execution that wrote this copy has shown it to all these; the next write of it
        // comes after their reads and its own.
        state.layout = readers.layout;
        state.visible = Audience(readers);
        // The same goes for parts that none of them reads, but then it has to see the last write.
        if (desc.history_age == 0 && read_whole_[desc.history_group])
            state.read_stages = readers.stages | last.readers;
        else
            state.write.stages = readers.stages | last.readers;
        break;
    }
    case Lifetime::imported: {
        const Scope& first = desc.import.first;
        boundary = {first, desc.import.last};
        state.layout = first.layout;
        state.write = {first.stages, first.memory & memory::kAllWrites, Layout::undefined};
        if (state.write.memory == 0) { // the host has read what it wrote before
            state.read_stages = first.stages;
            state.visible = Audience(first);
        }
        return state;
    }
    }
    boundary.first.layout = boundary.last.layout = state.layout;
    return state;
}

// --- barriers ------------------------------------------------------------------------------------

void Synchronizer::begin(Level& batch) const {
    batch.first_image_barrier = static_cast<std::uint32_t>(result_.image_barriers.size());
    batch.first_reason = static_cast<std::uint32_t>(result_.reasons.size());
}

void Synchronizer::end(Level& batch) {
    if (mode_ == BarrierMode::full) {
        // The host is no command and stays named.
        const auto widen = [](auto& barrier) {
            for (StageMask* stages : {&barrier.source_stages, &barrier.destination_stages})
                *stages = stage::kAllCommands | (*stages & stage::kHost);
            barrier.source_memory = barrier.destination_memory = kAnyMemory;
        };
        widen(batch.memory);
        for (auto i = result_.image_barriers.begin() + batch.first_image_barrier;
             i != result_.image_barriers.end(); ++i)
            widen(*i);
        if (batch.first_reason == result_.reasons.size())
            result_.reasons.push_back({.hazard = Hazard::forced});
    }
    batch.image_barrier_count =
        static_cast<std::uint32_t>(result_.image_barriers.size()) - batch.first_image_barrier;
    batch.reason_count = static_cast<std::uint32_t>(result_.reasons.size()) - batch.first_reason;
}

std::uint32_t Synchronizer::add_reason(const BarrierReason& reason) {
    const auto same = [&](const BarrierReason& r) {
        return r.hazard == reason.hazard && r.resource == reason.resource &&
               r.before == reason.before && r.after == reason.after;
    };
    const auto found =
        std::find_if(result_.reasons.begin() + static_cast<std::ptrdiff_t>(first_reason_),
                     result_.reasons.end(), same);
    if (found == result_.reasons.end()) {
        result_.reasons.push_back(reason);
        return static_cast<std::uint32_t>(result_.reasons.size() - 1);
    }
    return static_cast<std::uint32_t>(found - result_.reasons.begin());
}

void Synchronizer::add_barrier(Level& batch, const Range& range, const Wait& wait,
                               const Scope& scope) {
    const std::uint32_t reason = add_reason(wait.reason);
    if (wait.relayout) {
        result_.image_barriers.push_back({.resource = wait.reason.resource,
                                          .range = range,
                                          .source_stages = wait.source.stages,
                                          .source_memory = wait.source.memory,
                                          .destination_stages = scope.stages,
                                          .destination_memory = scope.memory,
                                          .from = wait.from,
                                          .to = scope.layout,
                                          .reason = reason});
        return;
    }
    batch.memory.source_stages |= wait.source.stages;
    batch.memory.source_memory |= wait.source.memory;
    batch.memory.destination_stages |= scope.stages;
    if (wait.shows) batch.memory.destination_memory |= scope.memory;
}

/// Emits what separates the segments of `range` from their former use, and advances their states.
void Synchronizer::meet(Level& batch, ResourceId resource, const Range& range,
                        const Demand& demand) {
    const bool is_image = graph_.resources[resource.index].is_image();
    std::optional<Wait> common;
    bool first = true;
    bool uniform = true;
    segments_.for_each(resource, range, [&](std::uint32_t s) {
        auto wait = states_[s].wait_for(resource, demand, is_image);
        if (first)
            common = std::move(wait);
        else
            uniform = uniform && wait == common;
        first = false;
    });
    if (uniform) {
        if (common) add_barrier(batch, range, *common, demand.scope);
    } else {
        segments_.for_each(resource, range, [&](std::uint32_t s) {
            if (const auto wait = states_[s].wait_for(resource, demand, is_image))
                add_barrier(batch, segments_.range(resource, s), *wait, demand.scope);
        });
    }
    segments_.for_each(resource, range,
                       [&](std::uint32_t s) { states_[s].advance(demand, is_image); });
}

void Synchronizer::demand_access(Level& batch, std::uint32_t access) {
    const AccessDesc& desc = graph_.accesses[access];
    const ResourceId resource = graph_.versions[desc.read.index].resource;
    const bool accumulates = desc.access == Access::accumulate;
    if (desc.written)
        meet(batch, resource, desc.range,
             {.scope = accumulates ? accumulators_[desc.written.index] : own_scope(access),
              .version = desc.written,
              .reads = reads(desc.access),
              .writes = true,
              .accumulates = accumulates,
              .node = index_.node_of[access]});
    else
        meet(batch, resource, desc.range,
             {.scope = readers_[desc.read.index],
              .version = desc.read,
              .node = index_.node_of[access],
              .own_stages = own_scope(access).stages});
}

/// Leaves a resource that outlives the execution as the host or the next execution expects it.
void Synchronizer::hand_over(Level& batch, ResourceId resource) {
    const ResourceDesc& desc = graph_.resources[resource.index];
    Demand demand{.hands_over = true};
    if (desc.lifetime == Lifetime::imported) {
        demand.scope = desc.import.last;
        demand.writes = true; // as far as anybody knows
    } else if (desc.lifetime == Lifetime::history && desc.history_age == 0) {
        demand.scope = history_readers_[desc.history_group];
    } else {
        return;
    }
    meet(batch, resource, whole(desc), demand);
}

Synchronization Synchronizer::run() && {
    look_up_scopes();
    join_readers();
    join_history_readers();
    choose_layouts();
    find_last_uses();
    result_.boundaries.resize(graph_.resources.size());
    former_tenants_ = former_tenants(graph_, memory_, last_uses_);
    states_.reserve(segments_.starts.back());
    for (std::uint32_t r = 0; r < graph_.resources.size(); ++r) {
        states_.push_back(start_of({r}));
        for (std::uint32_t s = 1; s < segments_.count({r}); ++s)
            states_.push_back(states_[segments_.starts[r]]);
    }
    result_.image_barriers.reserve(2 * graph_.resources.size());
    result_.reasons.reserve(2 * graph_.resources.size());

    result_.levels.resize(order_.level_count);
    auto node = order_.nodes.begin();
    for (std::uint32_t level = 0; level < order_.level_count; ++level) {
        Level& batch = result_.levels[level];
        begin(batch);
        for (; node != order_.nodes.end() && order_.level_of[node->index] == level; ++node) {
            const NodeDesc& desc = graph_.nodes[node->index];
            first_reason_ = result_.reasons.size();
            for (std::uint32_t a = 0; a < desc.access_count; ++a)
                demand_access(batch, desc.first_access + a);
        }
        end(batch);
    }

    Level& batch = result_.epilogue;
    begin(batch);
    first_reason_ = result_.reasons.size();
    for (const OutputDesc& output : graph_.outputs) {
        const ResourceId resource = graph_.versions[output.version.index].resource;
        // Presenting takes a layout that no reader can share; it comes after all of them.
        const Scope scope = output.access == Access::present ? output_scope(output)
                                                             : readers_[output.version.index];
        const Range all = whole(graph_.resources[resource.index]);
        meet(
            batch, resource, all,
            {.scope = scope, .version = output.version, .own_stages = output_scope(output).stages});
        result_.boundaries[resource.index].last = scope;
    }
    for (std::uint32_t r = 0; r < graph_.resources.size(); ++r)
        hand_over(batch, {r});
    end(batch);
    return std::move(result_);
}

} // namespace

Synchronization synchronize(const GraphDesc& graph, const Order& order, const AccessIndex& index,
                            const Memory& memory, BarrierMode mode) {
    return Synchronizer(graph, order, index, memory, mode).run();
}

} // namespace tuff
