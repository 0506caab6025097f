#include "graph/build/iterations.hpp"

#include <tuff/graph.hpp>

#include <fmt/format.h>

#include <utility>

/// The end of building: what was left out is told.
namespace tuff {
namespace {

/// Whether a node is the program's own: "loop[0]/draw", where "blur/rows" is of a pass. Kernels of
/// passes share blocks of parameters, of which each sets what it uses, and draw as much as they are
/// given.
bool is_of_program(std::string_view name) {
    for (std::size_t end = name.find('/'); end != std::string_view::npos;
         end = name.find('/', end + 1))
        if (end == 0 || name[end - 1] != ']') return false;
    return true;
}

} // namespace

void Graph::mark_given(std::size_t parameter_byte) {
    // Those of a description that was begun elsewhere are not looked at.
    if (parameter_byte < given_.size()) given_[parameter_byte] = true;
}

void Graph::warn_of_kernel(NodeId node, const KernelUse& kernel) {
    const auto warn_of_block = [&](std::span<const BlockMember> members, std::size_t block) {
        for (const BlockMember& member : members) {
            // What says whether an optional binding is there is zero where nobody connects it.
            if (given_[block + member.offset] || member.name.starts_with("has_")) continue;
            report({.code = "graph/parameter-not-set",
                    .severity = Severity::warning,
                    .message = fmt::format("node '{}' does not set parameter '{}' of kernel '{}', "
                                           "which is zero",
                                           desc_.name_of(node), member.name, kernel.shader->name),
                    .where = {},
                    .hint = fmt::format("call set(\"{}\", ...), with zero if that is meant",
                                        member.name)});
        }
    };
    warn_of_block(kernel.shader->param_members, kernel.param_offset);
    warn_of_block(kernel.shader->push_members, kernel.push_offset);
}

void Graph::warn_of_nodes() {
    for (std::size_t n = begun_nodes_; n < desc_.nodes.size(); ++n) {
        const NodeId node{static_cast<std::uint32_t>(n)};
        const KernelUse* const kernel = kernel_of(node);
        const std::string_view name = desc_.name_of(node);
        if (!kernel || !kernel->shader || !is_of_program(name) || !is_first_iteration(name))
            continue;
        warn_of_kernel(node, *kernel);
        const auto* const raster = std::get_if<RasterNode>(&desc_.payloads[desc_.nodes[n].payload]);
        if (raster && raster->draws.empty())
            report({.code = "graph/no-draws",
                    .severity = Severity::warning,
                    .message = fmt::format("raster node '{}' draws nothing", desc_.name_of(node)),
                    .where = {},
                    .hint = "call draw(); to clear an image only, use Graph::clear"});
    }
}

GraphDesc Graph::finish() && {
    if (!has_errors(desc_.diagnostics)) warn_of_nodes();
    return std::move(desc_);
}

} // namespace tuff
