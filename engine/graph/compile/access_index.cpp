#include "graph/compile/select.hpp"
#include "graph/compile/stages.hpp"

#include <algorithm>
#include <array>

namespace tuff {
namespace {

/// Marks in SegmentTable::cuts_of, before the cuts are made.
constexpr std::uint32_t kWholeOnly = ~0u;
constexpr std::uint32_t kPartial = 0;

/// Sums up what was counted two groups ahead, so that filling leaves each start where it belongs.
void add_up(std::vector<std::uint32_t>& starts) {
    for (std::size_t g = 2; g < starts.size(); ++g)
        starts[g] += starts[g - 1];
}

/// Sorts 0, 1, ... `values` - 1 by `group_of(value)` with two passes, keeping the order within a
/// group; ~0u leaves a value out.
template <typename GroupOf>
Grouped<std::uint32_t> group(std::size_t groups, std::size_t values, GroupOf group_of) {
    Grouped<std::uint32_t> result;
    result.starts.assign(groups + 2, 0);
    for (std::uint32_t v = 0; v < values; ++v)
        if (const std::uint32_t g = group_of(v); g != ~0u) ++result.starts[g + 2];
    add_up(result.starts);
    result.items.resize(result.starts.back());
    for (std::uint32_t v = 0; v < values; ++v)
        if (const std::uint32_t g = group_of(v); g != ~0u) result.items[result.starts[g + 1]++] = v;
    result.starts.pop_back();
    return result;
}

/// Whether a range, all of whose numbers are concrete, is the whole resource.
bool is_whole(const ResourceDesc& resource, const Range& range) {
    if (const auto* image = std::get_if<ImageDesc>(&resource.desc))
        return (range.mip | range.layer | (range.mips ^ image->mips) |
                (range.layers ^ image->layers)) == 0;
    return (range.offset | (range.size ^ resource.buffer().size)) == 0;
}

std::size_t writes_any(const AccessDesc& access) {
    return static_cast<std::size_t>(bool(access.written));
}

/// The version among whose readers or writers the access is. Reads and writes follow each other as
/// they like, so nothing here branches on which of them it is.
VersionId touched(const AccessDesc& access) {
    return {select(bool(access.written), access.written.index, access.read.index)};
}

/// Fills in what there is for each access, and the counts of `readers` and `writers`. Nearly every
/// resource is only used whole; others are marked in `cuts_of`.
void visit_accesses(const GraphDesc& graph, std::span<const CullReason> culled,
                    AccessIndex& index) {
    // Accesses of culled nodes, and holes that moved ones left, belong to nobody.
    index.node_of.assign(graph.accesses.size(), NodeId{});
    index.resource_of.assign(graph.accesses.size(), ResourceId{});
    index.readers.starts.assign(graph.versions.size() + 2, 0);
    index.writers.starts.assign(graph.versions.size() + 2, 0);
    index.segments.cuts_of.assign(graph.resources.size(), kWholeOnly);
    const std::array starts{index.readers.starts.data(), index.writers.starts.data()};
    for (std::uint32_t n = 0; n < graph.nodes.size(); ++n) {
        if (!culled.empty() && culled[n] != CullReason::none) continue;
        const NodeDesc& node = graph.nodes[n];
        for (std::uint32_t a = node.first_access; a < node.first_access + node.access_count; ++a) {
            const AccessDesc& access = graph.accesses[a];
            const ResourceId resource = graph.versions[access.read.index].resource;
            index.node_of[a] = {n};
            index.resource_of[a] = resource;
            ++starts[writes_any(access)][touched(access).index + 2];
            if (!is_whole(graph.resources[resource.index], access.range))
                index.segments.cuts_of[resource.index] = kPartial;
        }
    }
}

/// Fills in `readers` and `writers`, which have been counted.
void group_by_version(const GraphDesc& graph, AccessIndex& index) {
    std::vector<std::uint32_t>& reads = index.readers.starts;
    std::vector<std::uint32_t>& writes = index.writers.starts;
    add_up(reads);
    add_up(writes);
    index.readers.items.resize(reads.back());
    index.writers.items.resize(writes.back());
    const std::array starts{reads.data(), writes.data()};
    const std::array items{index.readers.items.data(), index.writers.items.data()};
    const auto accesses = static_cast<std::uint32_t>(graph.accesses.size());
    for (std::uint32_t a = 0; a < accesses; ++a) {
        if (!index.node_of[a]) continue;
        const AccessDesc& access = graph.accesses[a];
        const std::size_t writer = writes_any(access);
        items[writer][starts[writer][touched(access).index + 1]++] = a;
    }
    reads.pop_back();
    writes.pop_back();
}

Grouped<VersionId> version_chains(const GraphDesc& graph) {
    Grouped<VersionId> chains;
    std::vector<VersionId> first(graph.resources.size());
    for (std::uint32_t v = 0; v < graph.versions.size(); ++v)
        if (!graph.versions[v].previous) first[graph.versions[v].resource.index] = {v};
    chains.starts.reserve(graph.resources.size() + 1);
    chains.items.reserve(graph.versions.size());
    chains.starts.push_back(0);
    for (VersionId version : first) {
        for (; version; version = graph.versions[version.index].next)
            chains.items.push_back(version);
        chains.starts.push_back(static_cast<std::uint32_t>(chains.items.size()));
    }
    return chains;
}

/// Cuts the resources that are marked in `cuts_of`.
void cut_into_segments(const GraphDesc& graph, AccessIndex& index) {
    SegmentTable& table = index.segments;
    table.starts.reserve(graph.resources.size() + 1);
    table.starts.push_back(0);
    std::vector<Range> uses;
    for (std::uint32_t r = 0; r < graph.resources.size(); ++r) {
        std::uint32_t count = 1;
        if (table.cuts_of[r] == kPartial) {
            uses.clear();
            for (const VersionId version : index.chains[r])
                for (const auto* accesses : {&index.writers, &index.readers})
                    for (const std::uint32_t a : (*accesses)[version.index])
                        uses.push_back(graph.accesses[a].range);
            table.cuts_of[r] = static_cast<std::uint32_t>(table.cuts.size());
            count = table.cuts.emplace_back(graph.resources[r], uses).count();
        }
        table.starts.push_back(table.starts.back() + count);
    }
}

} // namespace

AccessIndex index_accesses(const GraphDesc& graph, std::span<const CullReason> culled) {
    AccessIndex index;
    visit_accesses(graph, culled, index);
    group_by_version(graph, index);
    index.outputs = group(graph.versions.size(), graph.outputs.size(),
                          [&](std::uint32_t o) { return graph.outputs[o].version.index; });
    index.chains = version_chains(graph);
    for (std::uint32_t r = 0; r < graph.resources.size(); ++r)
        if (graph.resources[r].lifetime != Lifetime::transient) index.lasting.push_back({r});
    cut_into_segments(graph, index);
    return index;
}

SegmentCuts::SegmentCuts(const ResourceDesc& resource, std::span<const Range> uses)
    : is_image_(resource.is_image()) {
    const Range all = tuff::whole(resource);
    const bool partial = std::ranges::any_of(uses, [&](const Range& use) { return !(use == all); });
    outer_ = {0, is_image_ ? all.mips : all.size};
    inner_ = {0, is_image_ ? all.layers : 1};
    if (!partial) return;
    for (const Range& use : uses) {
        if (is_image_) {
            outer_.insert(outer_.end(), {use.mip, std::uint64_t{use.mip} + use.mips});
            inner_.insert(inner_.end(), {use.layer, std::uint64_t{use.layer} + use.layers});
        } else {
            outer_.insert(outer_.end(), {use.offset, use.offset + use.size});
        }
    }
    for (auto* cuts : {&outer_, &inner_}) {
        std::ranges::sort(*cuts);
        cuts->erase(std::unique(cuts->begin(), cuts->end()), cuts->end());
    }
    count_ = static_cast<std::uint32_t>((outer_.size() - 1) * (inner_.size() - 1));
}

Range SegmentCuts::range(std::uint32_t segment) const {
    const std::size_t columns = inner_.size() - 1;
    const std::size_t row = segment / columns;
    const std::size_t column = segment % columns;
    if (!is_image_) return {0, 0, 0, 0, outer_[row], outer_[row + 1] - outer_[row]};
    return {static_cast<std::uint32_t>(outer_[row]),
            static_cast<std::uint32_t>(outer_[row + 1] - outer_[row]),
            static_cast<std::uint32_t>(inner_[column]),
            static_cast<std::uint32_t>(inner_[column + 1] - inner_[column]),
            0,
            0};
}

} // namespace tuff
