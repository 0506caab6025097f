#include "graph/compile/access_facts.hpp"

#include <tuff/graph.hpp>

#include <fmt/format.h>

#include <functional>
#include <string_view>
#include <utility>

/// The parts of Graph that declare what the host's own nodes use.
namespace tuff {
namespace {

/// Shader accesses of a custom node that names no stage are taken to be compute's.
StageMask shader_stages_or_compute(StageMask stages) {
    return stages == stage::kNone ? stage::kCompute : stages;
}

} // namespace

CustomNodeBuilder Graph::custom(std::string_view name,
                                std::function<void(CommandContext&)> record) {
    const NodeId node = add_node(name);
    if (record) attach_payload(node, CustomNode{std::move(record)});
    return {*this, node};
}

/// True also where there is no such version, which is reported elsewhere.
bool Graph::suits(VersionId version, Access access) const {
    if (version.index >= desc_.versions.size()) return true;
    return desc_.resource_of(version).is_image() ? facts_of(access).layout != Layout::undefined
                                                 : suits_buffers(access);
}

inline void CustomNodeBuilder::add_read(VersionId version, const Range& range, Access access,
                                        StageMask stages) {
    if (facts_of(access).writes || !graph_->suits(version, access)) {
        graph_->error("graph/access-kind",
                      fmt::format("node '{}' cannot read by an access that {}",
                                  graph_->desc_.name_of(node_), name_of(access)));
        return;
    }
    graph_->add_read(node_, version, range, access, shader_stages_or_compute(stages));
}

inline VersionId CustomNodeBuilder::add_write(VersionId version, const Range& range, Access access,
                                              StageMask stages) {
    if (!facts_of(access).writes || !graph_->suits(version, access)) {
        graph_->error("graph/access-kind",
                      fmt::format("node '{}' cannot write by an access that {}",
                                  graph_->desc_.name_of(node_), name_of(access)));
        return version;
    }
    return graph_->add_write(node_, version, range, access, shader_stages_or_compute(stages))
        .version;
}

void CustomNodeBuilder::read(ImageView view, Access access, StageMask stages) {
    add_read(view.image.version, view.range, access, stages);
}

void CustomNodeBuilder::read(BufferView view, Access access, StageMask stages) {
    add_read(view.buffer.version, view.range, access, stages);
}

Image CustomNodeBuilder::write(ImageView view, Access access, StageMask stages) {
    return {add_write(view.image.version, view.range, access, stages)};
}

Buffer CustomNodeBuilder::write(BufferView view, Access access, StageMask stages) {
    return {add_write(view.buffer.version, view.range, access, stages)};
}

void CustomNodeBuilder::keep() {
    graph_->desc_.nodes[node_.index].side_effect = true;
}

} // namespace tuff
