#include "graph/compile/access_facts.hpp"
#include "graph/compile/stages.hpp"

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

/// How many nodes may be listed as the makers of one resource's contents before the newest of them
/// carries the others along: so that a long chain of partial writes costs no more than its length.
constexpr std::size_t kMaxSources = 64;

/// An access whose former contents, where it does not overwrite them, still matter: kernels may
/// skip texels, and a blit may fill a box only.
constexpr bool keeps_former_contents(Access access) {
    switch (access) {
    case Access::color_write:
    case Access::depth_write:
    case Access::resolve_write:
    case Access::clear_write:
    case Access::acceleration_write:
    case Access::acceleration_scratch: return false;
    default: return true;
    }
}

/// Nothing that was there before is needed once this access has been made: it overwrites that, or
/// carries it along.
constexpr bool stands_for_former_contents(Access access) {
    return !keeps_former_contents(access) ||
           (facts_of(access).reads && access != Access::accumulate);
}

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

/// Reports reads of what nothing has written, once for each resource.
class UndefinedReads {
  public:
    explicit UndefinedReads(const GraphDesc& graph) : graph_(graph) {}
    void by_access(const AccessDesc& access, NodeId node);
    void by_output(const OutputDesc& output);
    Diagnostics diagnostics;

  private:
    const GraphDesc& graph_;
    std::vector<bool> reported_; ///< per resource, once there is one
};

void UndefinedReads::by_access(const AccessDesc& access, NodeId node) {
    const ResourceId resource = graph_.versions[access.read.index].resource;
    reported_.resize(graph_.resources.size());
    if (reported_[resource.index]) return;
    reported_[resource.index] = true;
    diagnostics.push_back(
        {.code = "graph/undefined-read",
         .message =
             fmt::format("node '{}' {} '{}' before anything has written all of it",
                         graph_.name_of(node), name_of(access.access), graph_.name_of(resource)),
         .hint = "clear it, or write it in an earlier node and read the version that one returns"});
}

void UndefinedReads::by_output(const OutputDesc& output) {
    diagnostics.push_back({.code = "graph/undefined-read",
                           .message = fmt::format("output '{}' is not written in all its parts",
                                                  graph_.name(output.name)),
                           .hint = "clear it first, or write every mip and layer"});
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

/// Follows resources that are used in parts, one after the other, from version to version.
class PartWalker {
  public:
    PartWalker(const GraphDesc& graph, const AccessIndex& index, UndefinedReads& undefined)
        : graph_(graph), index_(index), undefined_(undefined) {}

    void walk(ResourceId resource);
    std::span<const Edge> order() const { return order_; }
    std::span<const Edge> data() const { return data_; }
    /// Of the output, whose resource has been walked.
    std::span<const NodeId> producers_of(std::uint32_t output) const { return outputs_[output]; }
    /// Time and memory are at their bound: the walk has ended.
    bool is_too_large() const {
        return visits_ > kMaxDependencies || order_.size() > kMaxDependencies ||
               data_.size() > kMaxDependencies;
    }

  private:
    void read(std::uint32_t access);
    void write(VersionId version);
    void need_outputs(VersionId version);

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

    const GraphDesc& graph_;
    const AccessIndex& index_;
    UndefinedReads& undefined_;
    std::vector<SegmentHistory> history_; ///< of the resource at hand; longer ones came before it
    std::size_t segment_count_ = 0;
    std::size_t visits_ = 0; ///< of segments, by accesses
    std::vector<Edge> order_;
    std::vector<Edge> data_;
    std::vector<std::vector<NodeId>> outputs_ =
        std::vector<std::vector<NodeId>>(graph_.outputs.size());
};

void PartWalker::walk(ResourceId resource) {
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

void PartWalker::read(std::uint32_t access) {
    const NodeId node = index_.node_of[access];
    for_each_segment(graph_.accesses[access], [&](SegmentHistory& segment) {
        if (!segment.defined) undefined_.by_access(graph_.accesses[access], node);
        for (const NodeId writer : segment.writers)
            order_.push_back({writer, node});
        for (const NodeId source : segment.sources)
            data_.push_back({source, node});
        segment.readers.push_back(node);
    });
}

void PartWalker::write(VersionId version) {
    // Nodes that accumulate into one version are unordered: first all take their constraints from
    // what was before, then all become the newest writers.
    const auto accesses = index_.writers[version.index];
    for (const std::uint32_t a : accesses) {
        if (is_too_large()) return;
        const AccessDesc& access = graph_.accesses[a];
        const NodeId node = index_.node_of[a];
        for_each_segment(access, [&](SegmentHistory& segment) {
            if (reads(access.access)) {
                if (!segment.defined) undefined_.by_access(access, node);
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
                // Each that accumulates carries along what was there.
                if (!keeps_former_contents(access.access) || access.access == Access::accumulate)
                    segment.sources.clear();
                segment.newest = version;
            }
            segment.writers.push_back(index_.node_of[a]);
            // An in-place node already carries its sources along.
            if (reads(access.access) && access.access != Access::accumulate)
                segment.sources.clear();
            if (segment.sources.size() >= kMaxSources && access.access != Access::accumulate) {
                for (const NodeId source : segment.sources)
                    data_.push_back({source, index_.node_of[a]});
                segment.sources.clear();
            }
            segment.sources.push_back(index_.node_of[a]);
            segment.defined = true;
        });
    }
}

void PartWalker::need_outputs(VersionId version) {
    for (const std::uint32_t o : index_.outputs[version.index]) {
        bool defined = true;
        for (const SegmentHistory& segment : std::span(history_).first(segment_count_)) {
            defined = defined && segment.defined;
            outputs_[o].insert(outputs_[o].end(), segment.sources.begin(), segment.sources.end());
        }
        if (!defined) undefined_.by_output(graph_.outputs[o]);
    }
}

/// The sources of each target's edges, sorted, each once. Nothing where there are no edges.
Grouped<NodeId> group_by_target(std::size_t nodes, std::span<const Edge> edges) {
    if (edges.empty()) return {};
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

/// A list of lists of nodes under construction. In the list at hand each node stands once.
class UniqueLists {
  public:
    UniqueLists(std::size_t nodes, std::size_t lists, std::size_t items) : last_list_(nodes, 0) {
        lists_.starts.reserve(lists + 1);
        lists_.starts.push_back(0);
        lists_.items.reserve(items);
    }
    void add(NodeId node) {
        if (std::exchange(last_list_[node.index], list_) == list_) return;
        lists_.items.push_back(node);
        names_later_ |= node.index >= list_;
    }
    void add(std::span<const NodeId> nodes) {
        for (const NodeId node : nodes)
            add(node);
    }
    /// Keeps `node` out of the list at hand.
    void exclude(NodeId node) { last_list_[node.index] = list_; }
    std::size_t size() const { return lists_.items.size(); }
    /// Whether some list, the first being that of node 0, holds a later node than its own.
    bool names_later() const { return names_later_; }
    void close_list() {
        lists_.starts.push_back(static_cast<std::uint32_t>(lists_.items.size()));
        ++list_;
    }
    Grouped<NodeId> finish() && { return std::move(lists_); }

  private:
    Grouped<NodeId> lists_;
    std::uint32_t list_ = 1; ///< the one at hand
    bool names_later_ = false;
    std::vector<std::uint32_t> last_list_; ///< by node: the last list it was added to, from 1 on
};

/// Goes through the nodes. For a resource that is only used whole, its versions tell all.
class Finder {
  public:
    Finder(const GraphDesc& graph, const AccessIndex& index)
        : graph_(graph), index_(index), undefined_(graph), parts_(graph, index, undefined_) {}
    Dependencies run() &&;

  private:
    bool in_parts(ResourceId resource) const {
        return index_.segments.cuts_of[resource.index] != ~0u;
    }
    /// The newest version, from `version` back, that a node has written.
    VersionId written_until(VersionId version) const {
        while (version && index_.writers[version.index].empty())
            version = graph_.versions[version.index].previous;
        return version;
    }
    bool replaces_former_contents(VersionId version) const;
    void find_carriers();
    void add_nodes(UniqueLists& list, std::span<const std::uint32_t> accesses) {
        steps_ += accesses.size();
        for (const std::uint32_t a : accesses)
            list.add(index_.node_of[a]);
    }
    bool add_sources(UniqueLists& list, VersionId version);
    bool add_sole_source(VersionId version);
    /// As PartWalker's, of all other resources.
    bool is_too_large() const {
        return steps_ > 4 * kMaxDependencies || before_.size() > kMaxDependencies ||
               producers_.size() > kMaxDependencies;
    }
    void add_access(const AccessDesc& access, ResourceId resource, NodeId node);
    Grouped<NodeId> output_producers();

    const GraphDesc& graph_;
    const AccessIndex& index_;
    UndefinedReads undefined_;
    PartWalker parts_;
    std::vector<bool> carries_; ///< per version, once there is one: its writers need what was there
    std::size_t steps_ = 0;
    UniqueLists before_{graph_.nodes.size(), graph_.nodes.size(), 2 * graph_.accesses.size()};
    UniqueLists producers_{graph_.nodes.size(), graph_.nodes.size(), graph_.accesses.size()};
};

bool Finder::replaces_former_contents(VersionId version) const {
    return std::ranges::any_of(index_.writers[version.index], [&](std::uint32_t a) {
        return stands_for_former_contents(graph_.accesses[a].access);
    });
}

/// Among very many that each keep some of what was there, some carry the others along.
void Finder::find_carriers() {
    for (std::uint32_t r = 0; r < graph_.resources.size(); ++r) {
        const std::span<const VersionId> chain = index_.chains[r];
        if (chain.size() <= kMaxSources || in_parts({r})) continue;
        carries_.resize(graph_.versions.size());
        std::size_t sources = 0;
        for (const VersionId version : chain) {
            const std::size_t writers = index_.writers[version.index].size();
            if (writers == 0) continue;
            // Those that accumulate read what was there, all of them.
            const bool carries =
                graph_.versions[version.index].accumulated || sources >= kMaxSources;
            if (carries) carries_[version.index] = true;
            sources = writers + (carries || replaces_former_contents(version) ? 0 : sources);
        }
    }
}

/// All whose results are in the contents of `version`, or false where there are none.
bool Finder::add_sources(UniqueLists& list, VersionId version) {
    bool found = false;
    for (; version; version = graph_.versions[version.index].previous) {
        const std::span<const std::uint32_t> writers = index_.writers[version.index];
        if (writers.empty()) continue;
        found = true;
        add_nodes(list, writers);
        if (replaces_former_contents(version)) break;
        if (!carries_.empty() && carries_[version.index]) break;
    }
    return found;
}

/// For a reader of `version`, as nearly all are: one node has written it, in place of everything or
/// of nothing. False where it is not so; then nothing has been added.
bool Finder::add_sole_source(VersionId version) {
    const std::span<const std::uint32_t> writers = index_.writers[version.index];
    if (writers.size() != 1) return false;
    const AccessDesc& access = graph_.accesses[writers[0]];
    const VersionDesc& former = graph_.versions[access.read.index];
    const bool first = !former.previous && index_.writers[access.read.index].empty();
    if (!first && !stands_for_former_contents(access.access)) return false;
    steps_ += 2;
    before_.add(index_.node_of[writers[0]]);
    producers_.add(index_.node_of[writers[0]]);
    return true;
}

void Finder::add_access(const AccessDesc& access, ResourceId resource, NodeId node) {
    if (in_parts(resource)) return;
    if (!access.written) {
        if (add_sole_source(access.read)) return;
        const VersionId written = written_until(access.read);
        if (written) {
            add_nodes(before_, index_.writers[written.index]);
            add_sources(producers_, written);
        } else if (!starts_defined(graph_.resources[resource.index])) {
            undefined_.by_access(access, node);
        }
        return;
    }
    if (facts_of(access.access).reads) {
        if (!add_sources(producers_, access.read) &&
            !starts_defined(graph_.resources[resource.index]))
            undefined_.by_access(access, node);
    } else if (!carries_.empty() && carries_[access.written.index]) {
        add_sources(producers_, access.read);
    }
    for (VersionId former = access.read; former; former = graph_.versions[former.index].previous) {
        add_nodes(before_, index_.readers[former.index]);
        const std::span<const std::uint32_t> writers = index_.writers[former.index];
        add_nodes(before_, writers);
        if (!writers.empty()) break;
    }
}

Grouped<NodeId> Finder::output_producers() {
    UniqueLists lists(graph_.nodes.size(), graph_.outputs.size(), graph_.outputs.size());
    for (std::uint32_t o = 0; o < graph_.outputs.size(); ++o) {
        const OutputDesc& output = graph_.outputs[o];
        if (in_parts(graph_.versions[output.version.index].resource)) {
            lists.add(parts_.producers_of(o));
        } else {
            if (!add_sources(lists, output.version) &&
                !starts_defined(graph_.resource_of(output.version)))
                undefined_.by_output(output);
        }
        lists.close_list();
    }
    return std::move(lists).finish();
}

Dependencies Finder::run() && {
    if (!index_.segments.cuts.empty())
        for (std::uint32_t r = 0; r < graph_.resources.size(); ++r)
            if (in_parts({r}) && !parts_.is_too_large()) parts_.walk({r});
    find_carriers();
    const Grouped<NodeId> order = group_by_target(graph_.nodes.size(), parts_.order());
    const Grouped<NodeId> data = group_by_target(graph_.nodes.size(), parts_.data());
    const bool parts_too_large = parts_.is_too_large();
    for (std::uint32_t n = 0; n < graph_.nodes.size() && !parts_too_large && !is_too_large(); ++n) {
        before_.exclude({n});
        producers_.exclude({n});
        if (order.size() != 0) before_.add(order[n]);
        if (data.size() != 0) producers_.add(data[n]);
        const NodeDesc& node = graph_.nodes[n];
        for (std::uint32_t a = node.first_access; a < node.first_access + node.access_count; ++a)
            if (index_.node_of[a]) add_access(graph_.accesses[a], index_.resource_of[a], {n});
        before_.close_list();
        producers_.close_list();
    }
    Dependencies result;
    if (parts_too_large || is_too_large()) {
        result.diagnostics.push_back(
            {.code = "graph/too-many-dependencies",
             .message = fmt::format("the nodes depend on each other in more than {} ways",
                                    kMaxDependencies),
             .hint = "let fewer nodes accumulate into what many nodes read, or use larger parts"});
        return result;
    }
    result.output_producers = output_producers();
    result.as_declared = !before_.names_later();
    result.before = std::move(before_).finish();
    result.producers = std::move(producers_).finish();
    result.diagnostics = std::move(undefined_.diagnostics);
    return result;
}

} // namespace

Dependencies find_dependencies(const GraphDesc& graph, const AccessIndex& index) {
    return Finder(graph, index).run();
}

} // namespace tuff
