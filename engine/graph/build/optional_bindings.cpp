#include <tuff/graph.hpp>

#include <fmt/format.h>

#include <algorithm>

/// Bindings that may stay unconnected.
namespace tuff {

void KernelNode::set_has(std::string_view binding, std::string_view has, bool connected) {
    const KernelUse& kernel = *graph_->kernel_of(node_);
    if (!kernel.shader || !kernel.shader->find_binding(binding)) return; // reported
    const ShaderInterface& shader = *kernel.shader;
    const std::string name = has.empty() ? fmt::format("has_{}", binding) : std::string(has);
    const auto has_name = [&name](const auto& one) {
        return one.name == name && one.scalar != ScalarType::float32;
    };
    const std::uint32_t value = connected ? 1 : 0;
    if (const auto constant = std::ranges::find_if(shader.constants, has_name);
        constant != shader.constants.end()) {
        const auto set = std::ranges::find(kernel.constants, constant->id, &SpecializationUse::id);
        if (set == kernel.constants.end() || set->bits == value)
            return specialize_bits(name, constant->scalar, value);
        graph_->error("graph/optional-disagrees",
                      fmt::format("binding '{}' of node '{}' is {}connected, but '{}' has been set "
                                  "to {}",
                                  binding, graph_->desc_.name_of(node_), connected ? "" : "not ",
                                  name, set->bits),
                      "connect all bindings that share the flag, or none");
        return;
    }
    for (const auto* members : {&shader.param_members, &shader.push_members})
        if (const auto member = std::ranges::find_if(*members, has_name); member != members->end())
            return set_bytes(name, {.scalar = member->scalar}, &value, 1);
    graph_->error("graph/optional-undeclared",
                  fmt::format("binding '{}' of node '{}' is optional, but kernel '{}' cannot know "
                              "whether it is connected",
                              binding, graph_->desc_.name_of(node_), shader.name),
                  fmt::format("declare `layout(constant_id = ...) const uint {}`, or `uint {}` in "
                              "its Params block",
                              name, name));
}

void KernelNode::read_nothing(std::string_view binding, Given given) {
    const auto found = find_binding(binding, given);
    if (!found || !check_only_read(*found)) return;
    const KernelUse& kernel = *graph_->kernel_of(node_);
    const std::uint32_t count = kernel.count_of(kernel.shader->bindings[*found]);
    for (std::uint32_t element = 0; element < count; ++element)
        add_binding(*found, element, BindingUse::kNotConnected, {});
}

/// The flag holds for all draws of a node, so the binding has to as well.
bool KernelNode::check_shared_by_draws(std::string_view binding) {
    if (group_ == 0) return true;
    graph_->error("graph/optional-group",
                  fmt::format("binding '{}' of node '{}' is optional, and bound in a bind group",
                              binding, graph_->desc_.name_of(node_)),
                  "bind it before the first begin_group()");
    return false;
}

void KernelNode::read_optional(std::string_view binding, ImageView view, Sampler sampler,
                               std::string_view has) {
    if (!check_shared_by_draws(binding)) return;
    const bool connected = view.image.version.index < graph_->desc_.versions.size();
    connected ? read(binding, view, sampler) : read_nothing(binding, Given::image);
    set_has(binding, has, connected);
}

void KernelNode::read_optional(std::string_view binding, BufferView view, std::string_view has) {
    if (!check_shared_by_draws(binding)) return;
    const bool connected = view.buffer.version.index < graph_->desc_.versions.size();
    connected ? read(binding, view) : read_nothing(binding, Given::buffer);
    set_has(binding, has, connected);
}

} // namespace tuff
