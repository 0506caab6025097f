#include "gpu/execute/descriptor_writer.hpp"

#include "gpu/device/vulkan_enums.hpp"
#include "gpu/execute/plan_enums.hpp"
#include "gpu/memory/resource_info.hpp"
#include "gpu/memory/stand_ins.hpp"

#include <fmt/format.h>

namespace tuff {
namespace {

bool is_buffer(BindingKind kind) {
    return kind == BindingKind::uniform_buffer || kind == BindingKind::storage_buffer;
}

} // namespace

Result<void> DescriptorWriter::add(NodeId node, std::uint32_t kernel, std::uint32_t phase,
                                   std::uint32_t group, std::span<const VkDescriptorSet> sets) {
    const ShaderInterface& shader = *kernel_of(plan_->graph, node)->shader;
    for (std::uint32_t i = 0; i < shader.bindings.size(); ++i) {
        auto ok = add_binding(node, i, phase, group, sets[shader.bindings[i].set]);
        if (!ok) return ok;
    }
    if (shader.param_bytes == 0) return {};
    buffers_.push_back({{.buffer = sources_->parameter_buffer,
                         .offset = sources_->parameters->offset(kernel),
                         .range = shader.param_bytes}});
    VkWriteDescriptorSet write{};
    write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    write.dstSet = sets[shader.param_set];
    write.dstBinding = shader.param_binding;
    write.descriptorCount = 1;
    write.descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
    write.pBufferInfo = buffers_.back().data();
    writes_.push_back(write);
    return {};
}

Result<void> DescriptorWriter::add_binding(NodeId node, std::uint32_t binding_index,
                                           std::uint32_t phase, std::uint32_t group,
                                           VkDescriptorSet set) {
    const KernelUse& kernel = *kernel_of(plan_->graph, node);
    const ShaderBinding& binding = kernel.shader->bindings[binding_index];
    std::vector<const BindingUse*> uses(kernel.count_of(binding), nullptr);
    const BindingUse* any = nullptr;
    for (const BindingUse& use : kernel.bindings) {
        if (use.binding != binding_index || use.element >= uses.size()) continue;
        if (use.group != 0 && use.group != group) continue;
        uses[use.element] = &use;
        if (!any) any = &use;
    }
    if (!any)
        return fail("gpu/missing-binding",
                    fmt::format("node \"{}\": nothing is bound to \"{}\" of kernel \"{}\"",
                                plan_->graph.name_of(node), binding.name, kernel.shader->name));

    VkWriteDescriptorSet write{};
    write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    write.dstSet = set;
    write.dstBinding = binding.binding;
    write.descriptorCount = static_cast<std::uint32_t>(uses.size());
    write.descriptorType = to_vk(binding.kind);
    if (is_buffer(binding.kind)) {
        auto& infos = buffers_.emplace_back();
        for (const BindingUse* use : uses) {
            auto info = buffer_of(node, use ? *use : *any, binding, phase);
            if (!info) return propagate(std::move(info));
            infos.push_back(*info);
        }
        write.pBufferInfo = infos.data();
    } else if (binding.kind == BindingKind::acceleration_structure) {
        auto& structures = accelerations_.emplace_back();
        for (const BindingUse* use : uses) {
            auto structure = acceleration_of(node, use ? *use : *any, phase);
            if (!structure) return propagate(std::move(structure));
            structures.push_back(*structure);
        }
        auto& extension = acceleration_writes_.emplace_back();
        extension.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR;
        extension.accelerationStructureCount = write.descriptorCount;
        extension.pAccelerationStructures = structures.data();
        write.pNext = &extension;
    } else {
        auto& infos = images_.emplace_back();
        for (const BindingUse* use : uses) {
            auto info = image_of(node, use ? *use : *any, binding, phase);
            if (!info) return propagate(std::move(info));
            infos.push_back(*info);
        }
        write.pImageInfo = infos.data();
    }
    writes_.push_back(write);
    return {};
}

Result<VkDescriptorImageInfo> DescriptorWriter::image_of(NodeId node, const BindingUse& use,
                                                         const ShaderBinding& binding,
                                                         std::uint32_t phase) {
    VkDescriptorImageInfo result{};
    const GraphDesc& graph = plan_->graph;
    Sampler sampler = use.sampler;
    if (use.access == BindingUse::kNotConnected) {
        auto nothing = no_image(binding);
        if (!nothing) return nothing;
        result = *nothing;
        sampler = Sampler::nearest(); // of every format
    } else if (binding.kind != BindingKind::sampler) {
        const std::uint32_t access_index = graph.nodes[node.index].first_access + use.access;
        const AccessDesc& access = graph.accesses[access_index];
        const ResourceId id = resource_of(graph, access);
        const ResourceDesc& resource = graph.resources[id.index];
        auto view = sources_->resources->view(
            id, shader_view(sources_->resources->at(id, phase).image, resource.image(),
                            concrete(resource, access.range), binding.kind, binding.dimension));
        if (!view) return propagate(std::move(view));
        result.imageView = *view;
        result.imageLayout = to_vk(plan_->access_layouts[access_index]);
        sampler = usable_sampler(*device_, sampler, resource.image().format);
    }
    const bool sampled =
        binding.kind == BindingKind::sampler || binding.kind == BindingKind::combined_image_sampler;
    if (!sampled) return result;
    auto handle = sources_->samplers->get(*device_, sampler);
    if (!handle) return propagate(std::move(handle));
    result.sampler = *handle;
    return result;
}

Result<VkDescriptorBufferInfo> DescriptorWriter::no_buffer(const ShaderBinding& binding) const {
    if (device_->caps.null_descriptors)
        return VkDescriptorBufferInfo{
            .buffer = VK_NULL_HANDLE, .offset = 0, .range = VK_WHOLE_SIZE};
    return device_->stand_ins->buffer(*device_, binding);
}

Result<VkDescriptorImageInfo> DescriptorWriter::no_image(const ShaderBinding& binding) const {
    if (device_->caps.null_descriptors)
        return VkDescriptorImageInfo{.imageView = VK_NULL_HANDLE,
                                     .imageLayout = VK_IMAGE_LAYOUT_GENERAL};
    return device_->stand_ins->image(*device_, binding);
}

Result<VkDescriptorBufferInfo> DescriptorWriter::buffer_of(NodeId node, const BindingUse& use,
                                                           const ShaderBinding& binding,
                                                           std::uint32_t phase) const {
    if (use.access == BindingUse::kNotConnected) return no_buffer(binding);
    const GraphDesc& graph = plan_->graph;
    const AccessDesc& access = access_of(graph, node, use.access);
    const ResourceId id = resource_of(graph, access);
    const ResourceDesc& resource = graph.resources[id.index];
    const Range range = concrete(resource, access.range);
    return VkDescriptorBufferInfo{.buffer = sources_->resources->at(id, phase).buffer,
                                  .offset = range.offset,
                                  .range = bound_bytes(resource, range, binding.element_bytes)};
}

Result<VkAccelerationStructureKHR>
DescriptorWriter::acceleration_of(NodeId node, const BindingUse& use, std::uint32_t phase) const {
    const GraphDesc& graph = plan_->graph;
    const ResourceId id = resource_of(graph, access_of(graph, node, use.access));
    return sources_->resources->acceleration(sources_->resources->at(id, phase).buffer,
                                             graph.resources[id.index].buffer().size,
                                             VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR);
}

void DescriptorWriter::flush() {
    device_->vk.vkUpdateDescriptorSets(device_->handle, static_cast<std::uint32_t>(writes_.size()),
                                       writes_.data(), 0, nullptr);
    writes_.clear();
    images_.clear();
    buffers_.clear();
    accelerations_.clear();
    acceleration_writes_.clear();
}

} // namespace tuff
