#include <tuff/graph.hpp>

#include <fmt/format.h>

#include <algorithm>

/// Bindings of many images.
namespace tuff {

bool KernelNode::set_length(const ShaderBinding& binding, std::size_t length) {
    KernelUse& kernel = *graph_->kernel_of(node_);
    if (group_ != 0) {
        graph_->error("graph/array-length",
                      fmt::format("array '{}' of node '{}' is bound in a bind group", binding.name,
                                  graph_->desc_.name_of(node_)),
                      "bind it before the first begin_group(), or by read_element()");
        return false;
    }
    if (length > 0 && binding.count_constant == ~0u && length == binding.count) return true;
    if (length == 0 || length > kMaxPartsInNode || binding.count_constant == ~0u) {
        graph_->error("graph/array-length",
                      fmt::format("array '{}' of node '{}' is given {} images", binding.name,
                                  graph_->desc_.name_of(node_), length),
                      binding.count_constant == ~0u
                          ? fmt::format("it has {} elements", binding.count)
                          : fmt::format("it takes 1 to {}", kMaxPartsInNode));
        return false;
    }
    const auto bits = static_cast<std::uint32_t>(length);
    const auto set =
        std::ranges::find(kernel.constants, binding.count_constant, &SpecializationUse::id);
    if (set != kernel.constants.end())
        set->bits = bits;
    else
        kernel.constants.push_back({binding.count_constant, bits});
    return true;
}

void KernelNode::read_array(std::string_view binding, std::span<const SampledImage> images) {
    const auto found = find_binding(binding, Given::image);
    if (!found || !check_only_read(*found)) return;
    if (!set_length(graph_->kernel_of(node_)->shader->bindings[*found], images.size())) return;
    for (std::uint32_t i = 0; i < images.size(); ++i) {
        const auto& [view, sampler] = images[i];
        if (view.image.version.index >= graph_->desc_.versions.size())
            add_binding(*found, i, BindingUse::kNotConnected, {});
        else if (check_view(*found, view.image, view.range))
            bind_read(*found, i, view.image.version, view.range, sampler);
    }
}

} // namespace tuff
