#include "gpu/execute/command_context.hpp"

#include "gpu/execute/kernel_nodes.hpp"
#include "gpu/execute/plan_enums.hpp"
#include "gpu/memory/resource_info.hpp"

namespace tuff {

ResourceId NodeCommandContext::resource(std::uint32_t access) const {
    return resource_of(plan_->graph, access_of(plan_->graph, node_, access));
}

VkImage NodeCommandContext::image(std::uint32_t access) const {
    return resources_->at(resource(access), phase_).image;
}

VkBuffer NodeCommandContext::buffer(std::uint32_t access) const {
    return resources_->at(resource(access), phase_).buffer;
}

VkImageLayout NodeCommandContext::layout(std::uint32_t access) const {
    const std::uint32_t first = plan_->graph.nodes[node_.index].first_access;
    return to_vk(plan_->access_layouts[first + access]);
}

Range NodeCommandContext::range(std::uint32_t access) const {
    return concrete(plan_->graph.resources[resource(access).index],
                    access_of(plan_->graph, node_, access).range);
}

VkImageView NodeCommandContext::view(std::uint32_t access) {
    const ResourceId id = resource(access);
    const ResourceDesc& desc = plan_->graph.resources[id.index];
    if (!desc.is_image()) return VK_NULL_HANDLE;
    auto made = resources_->view(id, natural_view(image(access), desc.image(), range(access)));
    if (made) return *made;
    errors_.insert(errors_.end(), made.error().begin(), made.error().end());
    return VK_NULL_HANDLE;
}

Result<void> NodeCommandContext::take_error() {
    if (errors_.empty()) return {};
    return std::unexpected(std::move(errors_));
}

} // namespace tuff
