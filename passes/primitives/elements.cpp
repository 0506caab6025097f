#include "passes/primitives/elements.hpp"

#include "passes/common/div_round_up.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxGroupsPerAxis = 65535; // what every device has
constexpr std::uint64_t kQuadBytes = 16;

bool is_connected(Graph& graph, Buffer buffer, std::string_view port) {
    if (buffer) return true;
    graph.error("graph/unconnected", fmt::format("input \"{}\" is not connected", port));
    return false;
}

} // namespace

std::uint64_t capacity(const Graph& graph, Buffer buffer) {
    return graph.desc(buffer).size / kWordBytes;
}

double cost_elements(const Graph& graph, Buffer source, std::int64_t length) {
    if (!source) return 0.0;
    return length < 0 ? static_cast<double>(capacity(graph, source)) : static_cast<double>(length);
}

std::optional<Length> length_of(Graph& graph, Buffer source, std::int64_t length, Buffer count,
                                std::string_view port) {
    if (!is_connected(graph, source, port)) return {};
    const std::uint64_t room = capacity(graph, source);
    if (length > 0 && static_cast<std::uint64_t>(length) > room) {
        graph.error(
            "primitives/too-long",
            fmt::format("the length is {} elements, but \"{}\" holds {}", length, port, room),
            "-1 takes all that it holds");
        return {};
    }
    const std::uint64_t most = length < 0 ? room : static_cast<std::uint64_t>(length);
    if (most > kMaxElements) {
        graph.error("primitives/too-long",
                    fmt::format("\"{}\" has {} elements, more than the {} that can be addressed",
                                port, most, kMaxElements),
                    "work on a part of it: \"length\"");
        return {};
    }
    return Length{.most = static_cast<std::uint32_t>(most), .count = count};
}

bool holds(Graph& graph, Buffer buffer, const Length& length, std::string_view port) {
    if (!is_connected(graph, buffer, port)) return false;
    const std::uint64_t room = capacity(graph, buffer);
    if (room >= length.most) return true;
    graph.error("primitives/too-short", fmt::format("\"{}\" holds {} elements, but {} are needed",
                                                    port, room, length.most));
    return false;
}

Buffer array(Graph& graph, std::string_view name, std::uint64_t elements) {
    return graph.buffer(
        name, {.size = std::max<std::uint64_t>(elements, 1) * kWordBytes, .stride = kWordBytes});
}

Buffer pad_to_uvec4(Graph& graph, Buffer buffer) {
    const GraphDesc& all = graph.peek();
    const ResourceDesc& resource = all.resource_of(buffer.version);
    if (resource.lifetime != Lifetime::imported) return buffer;
    if (graph.desc(buffer).size % kQuadBytes == 0) return buffer;
    return graph.copy(buffer, graph.buffer("whole_quads", graph.desc(buffer)), "whole_quads");
}

void specialize(ComputeNodeBuilder& node, Element type) {
    node.specialize("element_type", static_cast<std::uint32_t>(type));
}

void specialize(ComputeNodeBuilder& node, Combine combine) {
    node.specialize("combine_by", static_cast<std::uint32_t>(combine));
}

void bind_length(ComputeNodeBuilder& node, const Length& length) {
    node.read_optional("count", BufferView(length.count, 0, kWordBytes));
    node.set("most", length.most);
}

void Groups::dispatch(ComputeNodeBuilder& node) const {
    if (arguments)
        node.dispatch_indirect(arguments);
    else
        node.dispatch(x, y);
}

void Groups::launch(RayNodeBuilder& node) const {
    if (arguments)
        node.launch_indirect(arguments);
    else
        node.launch(x, y);
}

Groups fold_groups(std::uint64_t groups) {
    groups = std::max<std::uint64_t>(groups, 1);
    const std::uint64_t rows = div_round_up(groups, kMaxGroupsPerAxis);
    const std::uint64_t columns = div_round_up(groups, rows);
    return {.x = static_cast<std::uint32_t>(columns), .y = static_cast<std::uint32_t>(rows)};
}

void dispatch_each(Graph& graph, ComputeNodeBuilder& node, const Length& length) {
    groups_for(graph, length, node.group_size()[0]).dispatch(node);
}

void dispatch_each(ComputeNodeBuilder& node, std::uint64_t count, std::uint32_t group) {
    fold_groups(div_round_up(count, group)).dispatch(node);
}

Groups groups_for(Graph& graph, const Length& length, std::uint32_t elements_per_group) {
    const std::uint64_t most = div_round_up(std::uint64_t{length.most}, elements_per_group);
    if (!length.count) return fold_groups(most);
    ComputeNodeBuilder node = graph.compute("primitives/group_counts");
    bind_length(node, length);
    node.set("elements_per_group", elements_per_group);
    Groups groups;
    groups.arguments = node.write("arguments", graph.buffer("groups", {.size = 12, .stride = 4}));
    node.dispatch(1);
    return groups;
}

} // namespace tuff::passes
