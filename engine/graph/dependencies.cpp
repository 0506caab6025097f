#include "graph/stages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tuff {
namespace {

struct Edge {
    NodeId from;
    NodeId to;
    friend auto operator<=>(const Edge&, const Edge&) = default;
};

/// How many nodes may be listed as the makers of one segment's contents before the newest of them
/// stands for all: so that a long chain of partial writes costs no more than its length.
constexpr std::size_t kMostSources = 64;

/// An access whose former contents, where it does not overwrite them, still matter: kernels may
/// skip texels, and a blit may fill a box only.
bool keeps_former_contents(Access access) {
    switch (access) {
    case Access::color_write:
    case Access::depth_write:
    case Access::resolve_write:
    case Access::clear_write: return false;
    default: return true;
    }
}

/// What the accesses so far have done to one segment.
struct SegmentHistory {
    bool defined = false;
    VersionId newest;            ///< the version that was written last, if any
    std::vector<NodeId> writers; ///< of the newest contents
    std::vector<NodeId> readers; ///< since then
    std::vector<NodeId> sources; ///< all whose results are in the contents

    /// As new, but keeps what its lists have allocated.
    void reset(bool starts_defined) {
        defined = starts_defined;
        newest = {};
        writers.clear();
        readers.clear();
        sources.clear();
    }
};

class Walker {
  public:
    Walker(const GraphDesc& graph, const AccessIndex& index) : graph_(graph), index_(index) {
        order_.reserve(2 * graph.accesses.size());
        data_.reserve(graph.accesses.size());
    }

    void walk(ResourceId resource);
    /// Time and memory are at their bound: the walk ends.
    bool is_too_large() const {
        return visits_ > kMaxDependencies || order_.size() > kMaxDependencies ||
               data_.size() > kMaxDependencies;
    }
    Dependencies finish() &&;

  private:
    void read(std::uint32_t access);
    void write(VersionId version);
    void check_defined(const SegmentHistory& segment, std::uint32_t access);
    void need_outputs(VersionId version);

    const GraphDesc& graph_;
    const AccessIndex& index_;
    /// Calls `visit(history)` for the segments that the access covers.
    template <typename Visit>
    void for_each_segment(const AccessDesc& access, Visit visit) {
        const ResourceId resource = graph_.versions[access.read.index].resource;
        const std::uint32_t first = index_.segments.starts[resource.index];
        index_.segments.for_each(resource, access.range, [&](std::uint32_t s) {
            ++visits_;
            visit(history_[s - first]);
        });
    }

    std::vector<SegmentHistory> history_; ///< of the resource at hand; longer ones came before it
    std::size_t segment_count_ = 0;
    std::vector<Edge> order_;
    std::vector<Edge> data_;
    std::vector<std::vector<NodeId>> outputs_ =
        std::vector<std::vector<NodeId>>(graph_.outputs.size());
    Diagnostics diagnostics_;
    ResourceId reported_;
    std::size_t visits_ = 0; ///< of segments, by accesses
};

bool starts_defined(const ResourceDesc& resource) {
    switch (resource.lifetime) {
    case Lifetime::transient: return false;
    case Lifetime::constant: return true;
    case Lifetime::history: return resource.history_age > 0;
    case Lifetime::imported:
        return !resource.is_image() || resource.import.first.layout != Layout::undefined;
    }
    std::unreachable();
}

void Walker::walk(ResourceId resource) {
    segment_count_ = index_.segments.count(resource);
    if (history_.size() < segment_count_) history_.resize(segment_count_);
    const bool defined = starts_defined(graph_.resources[resource.index]);
    for (std::size_t s = 0; s < segment_count_; ++s)
        history_[s].reset(defined);
    for (const VersionId version : index_.chains[resource.index]) {
        write(version);
        for (const std::uint32_t a : index_.readers[version.index]) {
            if (is_too_large()) return;
            read(a);
        }
        need_outputs(version);
    }
}

void Walker::read(std::uint32_t access) {
    const NodeId node = index_.node_of[access];
    for_each_segment(graph_.accesses[access], [&](SegmentHistory& segment) {
        check_defined(segment, access);
        for (const NodeId writer : segment.writers)
            order_.push_back({writer, node});
        for (const NodeId source : segment.sources)
            data_.push_back({source, node});
        segment.readers.push_back(node);
    });
}

void Walker::write(VersionId version) {
    // Nodes that accumulate into one version are unordered: first all take their constraints from
    // what was before, then all become the newest writers.
    const auto accesses = index_.writers[version.index];
    for (const std::uint32_t a : accesses) {
        if (is_too_large()) return;
        const AccessDesc& access = graph_.accesses[a];
        const NodeId node = index_.node_of[a];
        for_each_segment(access, [&](SegmentHistory& segment) {
            if (reads(access.access)) {
                check_defined(segment, a);
                for (const NodeId source : segment.sources)
                    data_.push_back({source, node});
            }
            for (const NodeId writer : segment.writers)
                order_.push_back({writer, node});
            for (const NodeId reader : segment.readers)
                order_.push_back({reader, node});
        });
    }
    for (const std::uint32_t a : accesses) {
        const AccessDesc& access = graph_.accesses[a];
        for_each_segment(access, [&](SegmentHistory& segment) {
            if (segment.newest != version) {
                segment.writers.clear();
                segment.readers.clear();
                if (!keeps_former_contents(access.access)) segment.sources.clear();
                // Each that accumulates carries along what was there.
                if (access.access == Access::accumulate) segment.sources.clear();
                segment.newest = version;
            }
            segment.writers.push_back(index_.node_of[a]);
            // An in-place node already carries its sources along.
            if (reads(access.access) && access.access != Access::accumulate)
                segment.sources.clear();
            if (segment.sources.size() >= kMostSources && access.access != Access::accumulate) {
                for (const NodeId source : segment.sources)
                    data_.push_back({source, index_.node_of[a]});
                segment.sources.clear();
            }
            segment.sources.push_back(index_.node_of[a]);
            segment.defined = true;
        });
    }
}

void Walker::check_defined(const SegmentHistory& segment, std::uint32_t access) {
    const ResourceId resource = graph_.versions[graph_.accesses[access].read.index].resource;
    if (segment.defined || reported_ == resource) return;
    reported_ = resource;
    diagnostics_.push_back(
        {.code = "graph/undefined-read",
         .message = fmt::format("node '{}' {} '{}' before anything has written all of it",
                                graph_.name_of(index_.node_of[access]),
                                name_of(graph_.accesses[access].access), graph_.name_of(resource)),
         .hint = "clear it, or write it in an earlier node and read the version that one returns"});
}

void Walker::need_outputs(VersionId version) {
    for (const std::uint32_t o : index_.outputs[version.index]) {
        bool defined = true;
        for (const SegmentHistory& segment : std::span(history_).first(segment_count_)) {
            defined = defined && segment.defined;
            outputs_[o].insert(outputs_[o].end(), segment.sources.begin(), segment.sources.end());
        }
        if (!defined)
            diagnostics_.push_back(
                {.code = "graph/undefined-read",
                 .message = fmt::format("output '{}' is not written in all its parts",
                                        graph_.name(graph_.outputs[o].name)),
                 .hint = "clear it first, or write every mip and layer"});
    }
}

/// The sources of each target's edges, sorted, each once.
Grouped<NodeId> group_by_target(std::size_t nodes, std::span<const Edge> edges) {
    std::vector<std::uint32_t> next(nodes + 1, 0); // where the next source of a target goes
    for (const Edge& e : edges)
        if (e.from != e.to) ++next[e.to.index + 1];
    for (std::size_t n = 0; n < nodes; ++n)
        next[n + 1] += next[n];
    Grouped<NodeId> result;
    result.items.resize(next.back());
    for (const Edge& e : edges)
        if (e.from != e.to) result.items[next[e.to.index]++] = e.from;
    // Now `next` tells where each target's sources end. They move down over repeated ones.
    result.starts.reserve(nodes + 1);
    result.starts.push_back(0);
    auto begin = result.items.begin();
    auto kept = begin;
    for (std::size_t n = 0; n < nodes; ++n) {
        const auto end = result.items.begin() + next[n];
        std::sort(begin, end);
        const auto last = std::unique(begin, end);
        kept = kept == begin ? last : std::copy(begin, last, kept);
        result.starts.push_back(static_cast<std::uint32_t>(kept - result.items.begin()));
        begin = end;
    }
    result.items.erase(kept, result.items.end());
    return result;
}

Dependencies Walker::finish() && {
    Dependencies result;
    if (is_too_large()) {
        result.diagnostics.push_back(
            {.code = "graph/too-many-dependencies",
             .message = fmt::format("the nodes depend on each other in more than {} ways",
                                    kMaxDependencies),
             .hint = "let fewer nodes accumulate into what many nodes read, or use larger parts"});
        return result;
    }
    result.before = group_by_target(graph_.nodes.size(), order_);
    result.producers = group_by_target(graph_.nodes.size(), data_);
    result.output_producers.starts.push_back(0);
    for (const auto& producers : outputs_) {
        auto& items = result.output_producers.items;
        items.insert(items.end(), producers.begin(), producers.end());
        result.output_producers.starts.push_back(static_cast<std::uint32_t>(items.size()));
    }
    result.diagnostics = std::move(diagnostics_);
    return result;
}

} // namespace

Dependencies find_dependencies(const GraphDesc& graph, const AccessIndex& index) {
    Walker walker(graph, index);
    for (std::uint32_t r = 0; r < graph.resources.size() && !walker.is_too_large(); ++r)
        walker.walk({r});
    return std::move(walker).finish();
}

} // namespace tuff
