#pragma once

#include "graph/stages.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace tuff {

inline constexpr MemoryMask kAnyMemory = memory::kMemoryRead | memory::kMemoryWrite;

/// What an access asks of a segment.
struct Demand {
    Scope scope;
    VersionId version; ///< read, or produced
    bool reads = true; ///< needs the contents
    bool writes = false;
    bool accumulates = false;
    NodeId node; ///< none: the end of the execution
    /// Of the access itself, where `scope` speaks for others too.
    StageMask own_stages = 0;
    bool hands_over = false; ///< to the host or to the next execution
};

/// What has to be waited for before an access.
struct Wait {
    Scope source; ///< no layout
    Layout from = Layout::undefined;
    bool relayout = false;
    bool shows = true; ///< makes the last write visible; otherwise order alone is asked for
    BarrierReason reason;
    friend bool operator==(const Wait& a, const Wait& b) {
        return a.source == b.source && a.from == b.from && a.relayout == b.relayout &&
               a.shows == b.shows;
    }
};

/// To whom a write has been made visible: nearly always to one scope, for readers share one.
class Audience {
  public:
    Audience() = default;
    explicit Audience(const Scope& scope) : first_(scope), empty_(false) {}
    void clear() {
        empty_ = true;
        more_.clear();
    }
    void add(const Scope& scope) {
        if (empty_)
            first_ = scope;
        else
            more_.push_back(scope);
        empty_ = false;
    }
    bool holds(const Scope& scope) const {
        const auto covers = [&](const Scope& v) {
            return ((scope.stages & ~v.stages) == 0 || v.stages == stage::kAllCommands) &&
                   ((scope.memory & ~v.memory) == 0 || v.memory == kAnyMemory);
        };
        return !empty_ && (covers(first_) || std::ranges::any_of(more_, covers));
    }

  private:
    Scope first_;
    bool empty_ = true;
    std::vector<Scope> more_;
};

/// The state of one segment of a resource while the plan is walked.
struct SegmentState {
    Layout layout = Layout::undefined;
    Scope write;               ///< last write, or the barrier that stands for it
    StageMask read_stages = 0; ///< since that write
    Audience visible;          ///< to whom that write has been made visible
    VersionId accumulating;    ///< the version being accumulated into, if any
    NodeId writer;
    NodeId reader;
    Hazard origin = Hazard::first_use; ///< why to wait where no node has written yet
    ResourceId former_tenant;

    bool is_visible_to(const Scope& scope) const { return visible.holds(scope); }

    bool changes_layout(const Demand& demand, bool is_image) const {
        return is_image && layout != demand.scope.layout &&
               demand.scope.layout != Layout::undefined;
    }

    std::optional<Wait> wait_for(ResourceId resource, const Demand& demand, bool is_image) const {
        if (demand.accumulates && accumulating == demand.version) return std::nullopt;
        Wait wait{.from = layout,
                  .relayout = changes_layout(demand, is_image),
                  .reason = {.resource = resource, .after = demand.node}};
        const bool changes = demand.writes || wait.relayout;
        if (!changes && (write.stages == 0 || is_visible_to(demand.scope))) return std::nullopt;
        // A host that names no stages waits for a semaphore.
        const bool untouched = !writer && !reader;
        if (demand.hands_over && !wait.relayout && (untouched || demand.scope.stages == 0))
            return std::nullopt;
        if (!writer && !reader) wait.reason.reused_from = former_tenant;
        if (changes && read_stages != 0) {
            // The readers' own barrier has made the write available.
            wait.source = {read_stages, 0, Layout::undefined};
            wait.shows = wait.relayout || (demand.reads && !is_visible_to(demand.scope));
            wait.reason.before = reader;
            wait.reason.hazard = demand.hands_over ? Hazard::final_state
                                 : !reader         ? origin
                                 : demand.writes   ? Hazard::write_after_read
                                                   : Hazard::layout;
            return wait;
        }
        if (write.stages == 0 && !wait.relayout) return std::nullopt;
        wait.source = {write.stages, write.memory, Layout::undefined};
        wait.reason.before = writer;
        wait.reason.hazard = demand.hands_over ? Hazard::final_state
                             : !writer         ? origin
                             : demand.writes   ? Hazard::write_after_write
                                               : Hazard::read_after_write;
        return wait;
    }

    void advance(const Demand& demand, bool is_image) {
        const bool relayout = changes_layout(demand, is_image);
        const bool joins = demand.accumulates && accumulating == demand.version;
        if (demand.writes) {
            const MemoryMask written = demand.scope.memory & memory::kAllWrites;
            write.stages = joins ? write.stages | demand.scope.stages : demand.scope.stages;
            write.memory = joins ? write.memory | written : written;
            accumulating = demand.accumulates ? demand.version : VersionId{};
            writer = demand.node;
            read_stages = 0;
            visible.clear();
        } else {
            if (relayout) {
                // The transition writes too; its own barrier showed that to these readers.
                write = {demand.scope.stages, 0, Layout::undefined};
                visible.clear();
                read_stages = 0;
            }
            if (!is_visible_to(demand.scope)) visible.add(demand.scope);
            read_stages |= demand.own_stages;
            reader = demand.node;
        }
        if (is_image) layout = demand.scope.layout;
    }
};

} // namespace tuff
