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
    std::vector<NodeId> writers; ///< of the newest contents
    std::vector<NodeId> readers; ///< since then
    std::vector<NodeId> sources; ///< all whose results are in the contents
};

class Walker {
  public:
    Walker(const GraphDesc& graph, const AccessIndex& index) : graph_(graph), index_(index) {}

    void walk(ResourceId resource);
    Dependencies finish() &&;

  private:
    void read(std::uint32_t access);
    void write(VersionId version);
    void check_defined(const SegmentHistory& segment, std::uint32_t access);
    void need_outputs(VersionId version);

    const GraphDesc& graph_;
    const AccessIndex& index_;
    const Segments* segments_ = nullptr;
    std::vector<SegmentHistory> history_;
    std::vector<Edge> order_;
    std::vector<Edge> data_;
    std::vector<std::vector<NodeId>> outputs_ =
        std::vector<std::vector<NodeId>>(graph_.outputs.size());
    Diagnostics diagnostics_;
    ResourceId reported_;
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
    std::vector<Range> uses;
    for (const VersionId version : index_.chains[resource.index]) {
        for (const std::uint32_t a : index_.writers[version.index])
            uses.push_back(graph_.accesses[a].range);
        for (const std::uint32_t a : index_.readers[version.index])
            uses.push_back(graph_.accesses[a].range);
    }
    const ResourceDesc& desc = graph_.resources[resource.index];
    const Segments segments(desc, uses);
    segments_ = &segments;
    history_.assign(segments.count(), {.defined = starts_defined(desc)});
    for (const VersionId version : index_.chains[resource.index]) {
        write(version);
        for (const std::uint32_t a : index_.readers[version.index])
            read(a);
        need_outputs(version);
    }
}

void Walker::read(std::uint32_t access) {
    const NodeId node = index_.node_of[access];
    segments_->for_each(graph_.accesses[access].range, [&](std::uint32_t s) {
        SegmentHistory& segment = history_[s];
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
        const AccessDesc& access = graph_.accesses[a];
        const NodeId node = index_.node_of[a];
        segments_->for_each(access.range, [&](std::uint32_t s) {
            SegmentHistory& segment = history_[s];
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
    std::vector<bool> replaced(history_.size(), false);
    for (const std::uint32_t a : accesses) {
        const AccessDesc& access = graph_.accesses[a];
        segments_->for_each(access.range, [&](std::uint32_t s) {
            SegmentHistory& segment = history_[s];
            if (!replaced[s]) {
                segment.writers.clear();
                segment.readers.clear();
                if (!keeps_former_contents(access.access)) segment.sources.clear();
                replaced[s] = true;
            }
            segment.writers.push_back(index_.node_of[a]);
            // An in-place node already carries its sources along.
            if (reads(access.access) && access.access != Access::accumulate)
                segment.sources.clear();
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
    for (std::size_t o = 0; o < graph_.outputs.size(); ++o) {
        if (graph_.outputs[o].version != version) continue;
        bool defined = true;
        for (const SegmentHistory& segment : history_) {
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

Grouped<NodeId> group_by_target(std::size_t nodes, std::vector<Edge> edges) {
    std::erase_if(edges, [](const Edge& e) { return e.from == e.to; });
    std::ranges::sort(edges, {}, [](const Edge& e) { return std::pair(e.to, e.from); });
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    Grouped<NodeId> result;
    result.starts.assign(nodes + 1, 0);
    for (const Edge& e : edges)
        ++result.starts[e.to.index + 1];
    for (std::size_t n = 0; n < nodes; ++n)
        result.starts[n + 1] += result.starts[n];
    result.items.reserve(edges.size());
    for (const Edge& e : edges)
        result.items.push_back(e.from);
    return result;
}

Dependencies Walker::finish() && {
    Dependencies result;
    result.before = group_by_target(graph_.nodes.size(), std::move(order_));
    result.producers = group_by_target(graph_.nodes.size(), std::move(data_));
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
    for (std::uint32_t r = 0; r < graph.resources.size(); ++r)
        walker.walk({r});
    return std::move(walker).finish();
}

} // namespace tuff
