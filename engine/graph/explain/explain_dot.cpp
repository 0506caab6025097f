#include "graph/explain/describe.hpp"

#include <tuff/explain.hpp>

#include <fmt/format.h>

#include <map>
#include <set>
#include <utility>
#include <vector>

namespace tuff {
namespace {

std::string quoted_id(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        if (c == '\n')
            result += "\\n";
        else
            result += c;
    }
    return result + '"';
}

CullReason left_out(const Plan& plan, std::uint32_t node) {
    return node < plan.culled.size() ? plan.culled[node] : CullReason::none;
}

std::string_view style_of(CullReason reason) {
    switch (reason) {
    case CullReason::none: return "";
    case CullReason::runs_once: return ", style=dotted";
    default: return ", style=dashed, color=gray, fontcolor=gray";
    }
}

/// Who takes what from whom: (giver, taker) -> names of resources, in the order of their names.
using Edges = std::map<std::pair<std::string, std::string>, std::set<std::string_view>>;

std::string node_key(std::uint32_t node) {
    return fmt::format("n{}", node);
}

/// The nodes that produce each version; several where they accumulate.
std::vector<std::vector<std::uint32_t>> writers_of(const GraphDesc& graph) {
    std::vector<std::vector<std::uint32_t>> writers(graph.versions.size());
    for (std::uint32_t n = 0; n < graph.nodes.size(); ++n)
        for (std::uint32_t i = 0; i < graph.nodes[n].access_count; ++i)
            if (const VersionId written = graph.accesses[graph.nodes[n].first_access + i].written)
                writers[written.index].push_back(n);
    return writers;
}

Edges collect_edges(const GraphDesc& graph, std::set<std::uint32_t>& sources) {
    const auto writers = writers_of(graph);
    Edges edges;
    const auto connect = [&](VersionId version, const std::string& taker) {
        const ResourceId resource = graph.versions[version.index].resource;
        for (const std::uint32_t giver : writers[version.index])
            edges[{node_key(giver), taker}].insert(graph.name_of(resource));
        // Undefined contents of a transient come from nowhere.
        if (!writers[version.index].empty() ||
            graph.resources[resource.index].lifetime == Lifetime::transient)
            return;
        sources.insert(resource.index);
        edges[{fmt::format("r{}", resource.index), taker}];
    };
    for (std::uint32_t n = 0; n < graph.nodes.size(); ++n)
        for (std::uint32_t i = 0; i < graph.nodes[n].access_count; ++i)
            if (const VersionId read = graph.accesses[graph.nodes[n].first_access + i].read)
                connect(read, node_key(n));
    for (std::uint32_t o = 0; o < graph.outputs.size(); ++o)
        connect(graph.outputs[o].version, fmt::format("o{}", o));
    return edges;
}

std::string node_line(const Plan& plan, std::uint32_t node, Queue queue) {
    const NodeId id{node};
    std::string label = fmt::format("{}\n{}", plan.graph.name_of(id), work_text(plan.graph, id));
    if (left_out(plan, node) == CullReason::runs_once) label += "\nonce";
    if (queue != Queue::graphics) label += fmt::format("\n{} queue", name_of(queue));
    return fmt::format("    {} [shape=box, label={}{}];\n", node_key(node), quoted_id(label),
                       style_of(left_out(plan, node)));
}

} // namespace

std::string explain_dot(const Plan& plan, const ExplainOptions& options) {
    const GraphDesc& graph = plan.graph;
    std::set<std::uint32_t> sources;
    const Edges edges = collect_edges(graph, sources);

    std::string text = fmt::format("digraph {} {{\n", quoted_id(options.title));
    text += "    rankdir=TB;\n    node [fontname=\"sans-serif\", fontsize=10];\n"
            "    edge [fontname=\"sans-serif\", fontsize=9];\n";
    std::vector<Queue> queues(graph.nodes.size(), Queue::graphics);
    for (const Level& level : plan.levels)
        for (std::uint32_t i = 0; i < level.node_count; ++i)
            queues[plan.order[level.first_node + i].index] = level.queue;
    for (std::uint32_t n = 0; n < graph.nodes.size(); ++n)
        text += node_line(plan, n, queues[n]);
    for (const std::uint32_t r : sources)
        text += fmt::format("    r{} [shape=cylinder, label={}];\n", r,
                            quoted_id(fmt::format("{}\n{}", graph.name_of(ResourceId{r}),
                                                  name_of(graph.resources[r].lifetime))));
    for (std::uint32_t o = 0; o < graph.outputs.size(); ++o)
        text += fmt::format("    o{} [shape=note, label={}];\n", o,
                            quoted_id(graph.label(graph.outputs[o])));
    for (const Level& level : plan.levels) {
        text += "    { rank=same;";
        for (std::uint32_t i = 0; i < level.node_count; ++i)
            text += fmt::format(" {};", node_key(plan.order[level.first_node + i].index));
        text += " }\n";
    }
    for (const auto& [ends, resources] : edges)
        text += fmt::format("    {} -> {} [label={}];\n", ends.first, ends.second,
                            quoted_id(fmt::format("{}", fmt::join(resources, "\n"))));
    return text + "}\n";
}

} // namespace tuff
