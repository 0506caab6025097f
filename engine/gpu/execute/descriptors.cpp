#include "gpu/execute/descriptors.hpp"

#include "gpu/device/vulkan_enums.hpp"
#include "gpu/execute/descriptor_writer.hpp"

#include <algorithm>
#include <map>

namespace tuff {
namespace {

bool touches(const Plan& plan, NodeId node, Lifetime lifetime) {
    const NodeDesc& desc = plan.graph.nodes[node.index];
    for (std::uint32_t i = 0; i < desc.access_count; ++i) {
        const ResourceId id = resource_of(plan.graph, access_of(plan.graph, node, i));
        if (plan.graph.resources[id.index].lifetime == lifetime) return true;
    }
    return false;
}

/// Whether any draw of the node uses bind group `group`; compute nodes use group 0 alone.
bool uses_group(const GraphDesc& graph, NodeId node, std::uint32_t group) {
    const auto* raster = std::get_if<RasterNode>(&payload_of(graph, node));
    if (!raster) return group == 0;
    return std::ranges::any_of(raster->draws, [group](const Draw& d) { return d.group == group; });
}

} // namespace

Result<DescriptorSets> DescriptorSets::create(const DeviceImpl& device, const Plan& plan,
                                              const KernelNodes& kernels,
                                              const Pipelines& pipelines, std::uint32_t slots,
                                              std::uint32_t phases) {
    DescriptorSets result;
    std::map<VkDescriptorType, std::uint32_t> counts;
    std::vector<VkDescriptorSetLayout> layouts;
    for (std::uint32_t k = 0; k < kernels.nodes.size(); ++k) {
        const NodeId node = kernels.nodes[k];
        const KernelUse& kernel = *kernel_of(plan.graph, node);
        const ShaderInterface& shader = *kernel.shader;
        const std::vector<OwnedSetLayout>& kernel_sets = pipelines.of(k).layout->sets;
        Series series;
        series.first = static_cast<std::uint32_t>(layouts.size());
        series.sets = static_cast<std::uint32_t>(kernel_sets.size());
        series.imports = touches(plan, node, Lifetime::imported);
        if (shader.param_bytes != 0 || series.imports) series.slots = slots;
        if (touches(plan, node, Lifetime::history)) series.phases = phases;
        if (const auto* raster = std::get_if<RasterNode>(&payload_of(plan.graph, node)))
            series.groups = raster->groups + 1;
        const std::uint32_t copies = series.slots * series.phases * series.groups;
        for (std::uint32_t i = 0; i < copies; ++i)
            for (const OwnedSetLayout& layout : kernel_sets)
                layouts.push_back(layout.get());
        for (const ShaderBinding& binding : shader.bindings)
            counts[to_vk(binding.kind)] += kernel.count_of(binding) * copies;
        if (shader.param_bytes != 0) counts[VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER] += copies;
        result.series_.push_back(series);
    }
    if (layouts.empty()) return result;

    std::vector<VkDescriptorPoolSize> sizes;
    for (const auto& [type, count] : counts)
        sizes.push_back({type, count});
    VkDescriptorPoolCreateInfo pool_info{};
    pool_info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
    pool_info.maxSets = static_cast<std::uint32_t>(layouts.size());
    pool_info.poolSizeCount = static_cast<std::uint32_t>(sizes.size());
    pool_info.pPoolSizes = sizes.data();
    VkDescriptorPool pool = VK_NULL_HANDLE;
    auto ok =
        check(device.vk.vkCreateDescriptorPool(device.handle, &pool_info, device.allocator, &pool),
              "vkCreateDescriptorPool");
    if (!ok) return propagate(std::move(ok));
    result.pool_ = OwnedDescriptorPool(device, pool);

    result.sets_.resize(layouts.size());
    VkDescriptorSetAllocateInfo allocate{};
    allocate.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
    allocate.descriptorPool = pool;
    allocate.descriptorSetCount = static_cast<std::uint32_t>(layouts.size());
    allocate.pSetLayouts = layouts.data();
    ok = check(device.vk.vkAllocateDescriptorSets(device.handle, &allocate, result.sets_.data()),
               "vkAllocateDescriptorSets");
    if (!ok) return propagate(std::move(ok));
    return result;
}

Result<void> DescriptorSets::write(const DeviceImpl& device, const Plan& plan,
                                   const KernelNodes& kernels, std::uint32_t slot,
                                   const Sources& sources) const {
    DescriptorWriter writer(device, plan, sources);
    for (std::uint32_t k = 0; k < series_.size(); ++k) {
        if (series_[k].imports) continue;
        if (auto ok = write_kernel(writer, plan, kernels.nodes[k], k, slot); !ok) return ok;
    }
    return {};
}

Result<void> DescriptorSets::write_changed(const DeviceImpl& device, const Plan& plan,
                                           const KernelNodes& kernels, std::uint32_t slot,
                                           const std::vector<bool>& changed,
                                           const Sources& sources) const {
    DescriptorWriter writer(device, plan, sources);
    const auto concerns = [&](NodeId node) {
        const NodeDesc& desc = plan.graph.nodes[node.index];
        for (std::uint32_t i = 0; i < desc.access_count; ++i)
            if (changed[resource_of(plan.graph, access_of(plan.graph, node, i)).index]) return true;
        return false;
    };
    for (std::uint32_t k = 0; k < series_.size(); ++k) {
        if (!series_[k].imports || !concerns(kernels.nodes[k])) continue;
        if (auto ok = write_kernel(writer, plan, kernels.nodes[k], k, slot); !ok) return ok;
    }
    return {};
}

Result<void> DescriptorSets::write_kernel(DescriptorWriter& writer, const Plan& plan, NodeId node,
                                          std::uint32_t kernel, std::uint32_t slot) const {
    const Series& series = series_[kernel];
    if (slot >= series.slots) return {}; // shared sets are written with slot 0
    for (std::uint32_t phase = 0; phase < series.phases; ++phase)
        for (std::uint32_t group = 0; group < series.groups; ++group) {
            if (!uses_group(plan.graph, node, group)) continue;
            auto ok = writer.add(node, kernel, phase, group, sets(kernel, slot, phase, group));
            if (!ok) return ok;
        }
    writer.flush();
    return {};
}

std::span<const VkDescriptorSet> DescriptorSets::sets(std::uint32_t kernel, std::uint32_t slot,
                                                      std::uint32_t phase,
                                                      std::uint32_t group) const {
    const Series& s = series_[kernel];
    const std::uint32_t index = ((slot % s.slots) * s.phases + phase % s.phases) * s.groups + group;
    return std::span(sets_).subspan(s.first + std::size_t{index} * s.sets, s.sets);
}

} // namespace tuff
