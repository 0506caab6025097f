#include <tuff/graph.hpp>

#include <fmt/format.h>

#include <algorithm>

/// Structs that C++ and kernels both know, compared with what kernels declare.
namespace tuff {
namespace {

bool same_type(const SharedMember& member, const BlockMember& block) {
    return member.type.scalar == block.scalar && member.type.rows == block.rows &&
           member.type.columns == block.columns && member.length == block.array_length &&
           (member.length == 0 || block.array_stride == 4 * member.type.rows * member.type.columns);
}

} // namespace

void KernelNode::match_struct(std::string_view binding, const StructLayout& layout) {
    const ShaderInterface* shader = graph_->kernel_of(node_)->shader;
    if (!shader) return;
    if (binding == "Params")
        return graph_->match_struct(
            node_, binding, shader->param_bytes != 0 ? shader->param_members : shader->push_members,
            layout);
    const auto found = find_binding(binding, Given::buffer);
    if (found) graph_->match_struct(node_, binding, shader->bindings[*found].members, layout);
}

void Graph::match_struct(NodeId node, std::string_view binding,
                         std::span<const BlockMember> members, const StructLayout& layout) {
    const std::string_view kernel = kernel_of(node)->shader->name;
    for (const SharedMember& member : layout.members) {
        const auto found = std::ranges::find(members, member.name, &BlockMember::name);
        const bool missing = found == members.end();
        if (!missing && found->offset == member.offset && same_type(member, *found)) continue;
        std::string there = "is missing from";
        if (!missing && found->offset != member.offset)
            there = fmt::format("is at byte {} of", found->offset);
        else if (!missing)
            there = "has another type in";
        error("graph/struct-mismatch",
              fmt::format("'{}' at byte {} of struct {} {} block '{}' of kernel '{}'", member.name,
                          member.offset, layout.name, there, binding, kernel),
              "give the struct and the block the same members, with padding where their layouts "
              "differ");
        return; // what follows is shifted, too
    }
}

void Graph::match_status(VersionId version, const StructLayout& layout) {
    for (; version.index < desc_.versions.size();
         version = desc_.versions[version.index].previous) {
        const NodeId writer = desc_.versions[version.index].writer;
        const KernelUse* kernel = writer ? kernel_of(writer) : nullptr;
        if (!kernel || !kernel->shader) continue;
        const std::uint32_t first = desc_.nodes[writer.index].first_access;
        for (const BindingUse& use : kernel->bindings) {
            if (use.access == BindingUse::kNotConnected) continue;
            if (desc_.accesses[first + use.access].written != version) continue;
            const ShaderBinding& block = kernel->shader->bindings[use.binding];
            const bool words = block.members.size() == 1 && block.members[0].array_length != 0;
            if (block.members.empty() || words) continue; // an array names no members
            match_struct(writer, block.name, block.members, layout);
        }
    }
}

} // namespace tuff
