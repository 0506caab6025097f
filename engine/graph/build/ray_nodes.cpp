#include <tuff/graph.hpp>

/// The parts of Graph that launch ray-tracing pipelines of the device's own.
namespace tuff {

RayNodeBuilder Graph::rays(std::string_view shader, std::string_view name) {
    RayNode node;
    node.kernel.shader = shaders_ ? shaders_->rays(shader) : nullptr;
    return {*this, add_kernel_node(shader, name, node.kernel.shader, std::move(node))};
}

RayNodeBuilder Graph::rays(std::string_view shader, const ShaderVariant& variant,
                           std::string_view name) {
    return rays(variant.name_of(shader), name);
}

void RayNodeBuilder::launch(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    graph_->payload_of<RayNode>(node_).rays = {x, y, z};
}

void RayNodeBuilder::launch_indirect(BufferView counts, std::uint64_t offset) {
    constexpr std::uint64_t kCountBytes = 12;
    const BufferView words = graph_->narrowed(counts, offset, kCountBytes);
    const std::uint32_t access = graph_->add_read(node_, words.buffer.version, words.range,
                                                  Access::ray_count_read, stage::kDrawIndirect);
    RayNode& node = graph_->payload_of<RayNode>(node_);
    node.indirect_access = access;
    // Where the words are not in the view, compile finds them missing.
    node.indirect_offset = words.range == counts.range ? offset : 0;
}

} // namespace tuff
