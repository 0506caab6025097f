#include "gpu/pipelines.hpp"

#include "gpu/vulkan_enums.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace tuff {
namespace {

/// Appends the bytes of a plain value to a content key.
template <typename T>
void append(std::string& key, const T& value) {
    static_assert(std::has_unique_object_representations_v<T> || std::is_same_v<T, float>);
    key.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

void append(std::string& key, const RasterState& state) {
    append(key, state.topology);
    append(key, state.front_counter_clockwise);
    append(key, state.depth_test);
    append(key, state.depth_write);
    append(key, state.depth_compare);
    append(key, state.logic);
    append(key, state.conservative);
    append(key, state.depth_bias_constant);
    append(key, state.depth_bias_slope);
    const BlendState& blend = state.blend;
    for (const BlendFactor factor :
         {blend.source_color, blend.destination_color, blend.source_alpha, blend.destination_alpha})
        append(key, factor);
    append(key, blend.color_op);
    append(key, blend.alpha_op);
}

/// Everything that decides a pipeline; culling is dynamic.
std::string content_key(const GraphDesc& graph, NodeId node) {
    const KernelUse& kernel = *kernel_of(graph, node);
    std::string key;
    append(key, kernel.shader);
    append(key, kernel.constants.size());
    for (const SpecializationUse& constant : kernel.constants) {
        append(key, constant.id);
        append(key, constant.bits);
    }
    const auto* raster = std::get_if<RasterNode>(&payload_of(graph, node));
    if (!raster) return key;
    append(key, raster->state);
    const AttachmentFormats formats = attachment_formats(graph, node);
    append(key, formats.samples);
    append(key, formats.depth);
    for (std::size_t i = 0; i < formats.colors.size(); ++i) {
        append(key, formats.colors[i]);
        append(key, raster->colors[i].blend);
    }
    return key;
}

VkDescriptorSetLayoutBinding layout_binding(const ShaderBinding& binding) {
    return {.binding = binding.binding,
            .descriptorType = to_vk(binding.kind),
            .descriptorCount = binding.count,
            .stageFlags = binding.stages,
            .pImmutableSamplers = nullptr};
}

} // namespace

Specialization::Specialization(const KernelUse& kernel) {
    for (const SpecializationUse& constant : kernel.constants) {
        entries.push_back({constant.id, static_cast<std::uint32_t>(values.size() * 4), 4});
        values.push_back(constant.bits);
    }
    info.mapEntryCount = static_cast<std::uint32_t>(entries.size());
    info.pMapEntries = entries.data();
    info.dataSize = values.size() * 4;
    info.pData = values.data();
}

Result<Pipelines> Pipelines::create(const DeviceImpl& device, const ShaderLibrary& shaders,
                                    const Plan& plan, const KernelNodes& kernels) {
    Pipelines result;
    for (const NodeId node : kernels.nodes) {
        const KernelUse& kernel = *kernel_of(plan.graph, node);
        const auto layout = result.layout_of(device, *kernel.shader);
        if (!layout) return std::unexpected(layout.error());
        std::string key = content_key(plan.graph, node);
        auto known = result.pipelines_.find(key);
        if (known == result.pipelines_.end()) {
            auto made = result.create_pipeline(device, shaders, plan, node, **layout);
            if (!made) {
                Diagnostics errors = std::move(made.error());
                for (Diagnostic& error : errors)
                    if (error.code == "gpu/call-failed") {
                        error.code = "gpu/pipeline";
                        error.message += fmt::format(" for kernel \"{}\"", kernel.shader->name);
                    }
                return std::unexpected(std::move(errors));
            }
            known = result.pipelines_.emplace(std::move(key), OwnedPipeline(device, *made)).first;
        }
        result.nodes_.push_back({*layout, known->second.get()});
    }
    // Modules are needed while pipelines are made, never after.
    result.modules_.clear();
    return result;
}

Result<const KernelLayout*> Pipelines::layout_of(const DeviceImpl& device,
                                                 const ShaderInterface& shader) {
    if (const auto known = layouts_.find(&shader); known != layouts_.end())
        return known->second.get();
    std::vector<std::vector<VkDescriptorSetLayoutBinding>> sets;
    const auto add = [&sets](std::uint32_t set, const VkDescriptorSetLayoutBinding& binding) {
        if (sets.size() <= set) sets.resize(set + 1);
        sets[set].push_back(binding);
    };
    for (const ShaderBinding& binding : shader.bindings)
        add(binding.set, layout_binding(binding));
    if (shader.param_bytes != 0)
        add(shader.param_set, {.binding = shader.param_binding,
                               .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
                               .descriptorCount = 1,
                               .stageFlags = shader.param_stages,
                               .pImmutableSamplers = nullptr});

    auto layout = std::make_unique<KernelLayout>();
    std::vector<VkDescriptorSetLayout> handles;
    for (const auto& bindings : sets) {
        VkDescriptorSetLayoutCreateInfo info{};
        info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
        info.bindingCount = static_cast<std::uint32_t>(bindings.size());
        info.pBindings = bindings.data();
        VkDescriptorSetLayout handle = VK_NULL_HANDLE;
        auto ok =
            check(device.vk.vkCreateDescriptorSetLayout(device.handle, &info, nullptr, &handle),
                  "vkCreateDescriptorSetLayout");
        if (!ok) return propagate(std::move(ok));
        layout->sets.emplace_back(device, handle);
        handles.push_back(handle);
    }
    const VkPushConstantRange push{shader.push_stages, 0, shader.push_bytes};
    VkPipelineLayoutCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
    info.setLayoutCount = static_cast<std::uint32_t>(handles.size());
    info.pSetLayouts = handles.data();
    info.pushConstantRangeCount = shader.push_bytes != 0 ? 1 : 0;
    info.pPushConstantRanges = &push;
    VkPipelineLayout handle = VK_NULL_HANDLE;
    auto ok = check(device.vk.vkCreatePipelineLayout(device.handle, &info, nullptr, &handle),
                    "vkCreatePipelineLayout");
    if (!ok) return propagate(std::move(ok));
    layout->pipeline = OwnedPipelineLayout(device, handle);
    return layouts_.emplace(&shader, std::move(layout)).first->second.get();
}

Result<VkShaderModule> Pipelines::module_of(const DeviceImpl& device, const ShaderLibrary& shaders,
                                            const ShaderInterface& shader, ShaderStage stage) {
    const std::pair key{&shader, stage};
    if (const auto known = modules_.find(key); known != modules_.end()) return known->second.get();
    const CompiledShader* compiled = shaders.find(shader.name, stage);
    if (!compiled)
        return fail("gpu/pipeline",
                    fmt::format("kernel \"{}\" is not in the shader library", shader.name),
                    "give the executor the library that the graph was built with");
    VkShaderModuleCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
    info.codeSize = compiled->words.size() * sizeof(std::uint32_t);
    info.pCode = compiled->words.data();
    VkShaderModule handle = VK_NULL_HANDLE;
    auto ok = check(device.vk.vkCreateShaderModule(device.handle, &info, nullptr, &handle),
                    "vkCreateShaderModule");
    if (!ok) return propagate(std::move(ok));
    modules_.emplace(key, OwnedShaderModule(device, handle));
    return handle;
}

Result<VkPipeline> Pipelines::create_pipeline(const DeviceImpl& device,
                                              const ShaderLibrary& shaders, const Plan& plan,
                                              NodeId node, const KernelLayout& layout) {
    const KernelUse& kernel = *kernel_of(plan.graph, node);
    const Specialization specialization(kernel);
    std::vector<VkPipelineShaderStageCreateInfo> stages;
    for (const ShaderStage stage :
         {ShaderStage::vertex, ShaderStage::fragment, ShaderStage::compute}) {
        if ((kernel.shader->stages & static_cast<std::uint32_t>(stage)) == 0) continue;
        const auto module = module_of(device, shaders, *kernel.shader, stage);
        if (!module) return std::unexpected(module.error());
        VkPipelineShaderStageCreateInfo info{};
        info.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
        info.stage = to_vk(stage);
        info.module = *module;
        info.pName = "main";
        info.pSpecializationInfo = &specialization.info;
        stages.push_back(info);
    }
    if (std::holds_alternative<RasterNode>(payload_of(plan.graph, node)))
        return create_raster_pipeline(device, plan.graph, node, stages, layout.pipeline.get());
    if (stages.size() != 1)
        return fail("gpu/pipeline",
                    fmt::format("kernel \"{}\" has no compute stage", kernel.shader->name));
    VkComputePipelineCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
    info.stage = stages.front();
    info.layout = layout.pipeline.get();
    VkPipeline pipeline = VK_NULL_HANDLE;
    auto ok = check(device.vk.vkCreateComputePipelines(device.handle, device.pipeline_cache, 1,
                                                       &info, nullptr, &pipeline),
                    "vkCreateComputePipelines");
    if (!ok) return propagate(std::move(ok));
    device.set_debug_name(VK_OBJECT_TYPE_PIPELINE, pipeline, kernel.shader->name);
    return pipeline;
}

} // namespace tuff
