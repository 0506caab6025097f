#include "passes/terrain/tree_node.hpp"

#include "passes/primitives/elements.hpp"
#include "passes/terrain/ranges.hpp"

namespace tuff::passes {

void TreeNodes::set_common(ComputeNodeBuilder& node) const {
    set_surface_base(node, surface);
    node.set("bounds", surface.bounds);
    node.set("eye_cell", view.eye_cell);
    node.set("eye_rest", view.eye_rest);
    node.set("eye_height", view.eye_height);
    node.set("eye_world", view.camera.position);
    node.set("units", view.units);
    node.set("ratio", ratio);
    node.set("eye_count", eye_count);
    node.set("max_level", max_level);
    node.set("faces", faces);
    node.set("capacity", capacity);
    node.set("planes", std::span<const glm::vec4>(view.planes));
    node.set("seen_size", seen_size);
    node.set("reset", reset);
}

void TreeNodes::bind_hiders(ComputeNodeBuilder& node) const {
    node.read_optional("heights", surface.heights, Sampler::nearest());
    node.read_optional("pyramid", surface.pyramid, Sampler::nearest());
    node.specialize("drop", static_cast<std::uint32_t>(drop));
    node.read_optional("hidden_by", hidden_by);
    node.read_optional("seen_view", seen_view, "has_hidden_by");
}

ComputeNodeBuilder TreeNodes::begin_whole(Graph& graph, std::string_view kernel) const {
    ComputeNodeBuilder node = graph.compute(kernel, variant());
    set_common(node);
    node.read_optional("eyes", eyes);
    return node;
}

ComputeNodeBuilder TreeNodes::begin(Graph& graph, std::string_view kernel) const {
    ComputeNodeBuilder node = begin_whole(graph, kernel);
    bind_hiders(node);
    return node;
}

ComputeNodeBuilder TreeNodes::begin_hiding(Graph& graph, std::string_view kernel) const {
    ComputeNodeBuilder node = graph.compute(kernel, variant());
    set_common(node);
    bind_hiders(node);
    return node;
}

Buffer TreeNodes::keys(Graph& graph, std::string_view name, std::uint64_t count) const {
    return array(graph, name, count * (type == TreeKeys::wide ? 2 : 1));
}

void add_hiders(Graph& graph, TreeNodes& nodes, Image depth) {
    if (nodes.drop == TreeDrop::nothing || !depth) return;
    const Extent extent = graph.extent(depth);
    nodes.seen_size = {extent.width, extent.height};
    nodes.hidden_by = picture_ranges(graph, depth, 1.0f);
    const BufferHistory kept =
        graph.history_buffer("view", {.size = sizeof(glm::mat4), .stride = sizeof(glm::mat4)});
    ComputeNodeBuilder node = graph.compute("terrain/keep_view");
    node.set("clip_from_world", nodes.view.clip_from_world);
    (void)node.write("view", kept.current);
    node.dispatch(1);
    nodes.seen_view = kept.previous.front();
}

} // namespace tuff::passes
