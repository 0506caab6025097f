#include "graph/compile/stages.hpp"

#include <fmt/format.h>

#include <limits>
#include <utility>

namespace tuff {
namespace {

/// A value that betrays itself: NaN where the format has one, else the largest.
ClearValue poison_value(const ResourceDesc& resource) {
    if (!resource.is_image()) return std::array<std::uint32_t, 4>{~0u, ~0u, ~0u, ~0u};
    const FormatInfo& format = info(resource.image().format);
    if (format.depth) return std::array<float, 4>{0.5f, 0, 0, 0}; // depth clears lie in 0..1
    switch (format.kind) {
    case NumericKind::uint:
    case NumericKind::sint: return std::array<std::uint32_t, 4>{~0u, ~0u, ~0u, ~0u};
    case NumericKind::sfloat:
    case NumericKind::ufloat: {
        const float nan = std::numeric_limits<float>::quiet_NaN();
        return std::array<float, 4>{nan, nan, nan, nan};
    }
    default: return std::array<float, 4>{1, 0, 1, 1};
    }
}

} // namespace

GraphDesc fill_first(GraphDesc graph, std::string_view scope,
                     const std::function<std::optional<ClearValue>(ResourceId)>& value_of) {
    const auto versions = static_cast<std::uint32_t>(graph.versions.size());
    std::vector<VersionId> replacement(versions);
    for (std::uint32_t v = 0; v < versions; ++v) {
        const VersionDesc start = graph.versions[v];
        const ResourceDesc& resource = graph.resources[start.resource.index];
        if (start.previous || !start.next || resource.lifetime != Lifetime::transient) continue;
        const std::optional<ClearValue> value = value_of(start.resource);
        if (!value) continue;
        Range range = whole(resource);
        range.size -= range.size % 4; // fills are made of words
        if (!resource.is_image() && range.size == 0) continue;

        const std::string name = fmt::format("{}/{}", scope, graph.name(resource.name));
        const NodeId node{static_cast<std::uint32_t>(graph.nodes.size())};
        const VersionId filled{static_cast<std::uint32_t>(graph.versions.size())};
        graph.nodes.push_back({.name = {static_cast<std::uint32_t>(graph.names.size()),
                                        static_cast<std::uint32_t>(name.size())},
                               .first_access = static_cast<std::uint32_t>(graph.accesses.size()),
                               .access_count = 1,
                               .payload = static_cast<std::uint32_t>(graph.payloads.size())});
        graph.names += name;
        graph.payloads.push_back(FillNode{0, *value});
        graph.accesses.push_back(
            {.read = {v}, .written = filled, .range = range, .access = Access::clear_write});
        graph.versions.push_back(
            {.resource = start.resource, .previous = {v}, .next = start.next, .writer = node});
        graph.versions[start.next.index].previous = filled;
        graph.versions[v].next = filled;
        replacement[v] = filled;
    }
    for (AccessDesc& access : graph.accesses)
        if (access.read.index < versions && replacement[access.read.index] &&
            access.written != replacement[access.read.index])
            access.read = replacement[access.read.index];
    return graph;
}

GraphDesc poison(GraphDesc graph) {
    std::vector<ClearValue> values;
    for (const ResourceDesc& resource : graph.resources)
        values.push_back(poison_value(resource));
    return fill_first(std::move(graph), "poison",
                      [&](ResourceId resource) { return values[resource.index]; });
}

} // namespace tuff
