#include "gpu/shader/pipelines.hpp"

#include "gpu/device/vulkan_enums.hpp"
#include "gpu/shader/kernel_layouts.hpp"
#include "gpu/shader/specialized_kernels.hpp"
#include "gpu/shader/spirv_words.hpp"

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

/// Whether a fragment shader asks which sample it is run for, and so is run for each. That follows
/// from the shader as it is written: what its constants leave out counts as well.
bool is_run_by_sample(std::span<const std::uint32_t> words) {
    constexpr std::uint32_t kOpDecorate = 71;
    constexpr std::uint32_t kBuiltIn = 11;
    constexpr std::uint32_t kSampleId = 18;
    constexpr std::uint32_t kSamplePosition = 19;
    bool found = false;
    for_each_instruction(words, [&](std::uint32_t opcode, auto instruction) {
        if (opcode != kOpDecorate || instruction.size() < 4 || instruction[2] != kBuiltIn) return;
        found = found || instruction[3] == kSampleId || instruction[3] == kSamplePosition;
    });
    return found;
}

/// The module of one stage, with the kernel's constants set.
Result<OwnedShaderModule> module_of(const DeviceImpl& device, const ShaderLibrary& shaders,
                                    const KernelUse& kernel, ShaderStage stage) {
    const CompiledShader* compiled = shaders.find(kernel.shader->name, stage);
    if (!compiled)
        return fail("gpu/pipeline",
                    fmt::format("kernel \"{}\" is not in the shader library", kernel.shader->name),
                    "give the executor the library that the graph was built with");
    std::span<const std::uint32_t> words = compiled->words;
    SpecializedKernels::Words specialized;
    if (!kernel.shader->constants.empty()) {
        const bool software = device.caps.type == DeviceType::cpu;
        auto made = device.specialized->of(words, kernel.constants,
                                           software ? UnrollHints::dropped : UnrollHints::kept);
        if (!made) return propagate(std::move(made));
        specialized = std::move(*made);
        words = *specialized;
    }
    VkShaderModuleCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
    info.codeSize = words.size_bytes();
    info.pCode = words.data();
    VkShaderModule handle = VK_NULL_HANDLE;
    auto ok = check(device.vk.vkCreateShaderModule(device.handle, &info, device.allocator, &handle),
                    "vkCreateShaderModule");
    if (!ok) return propagate(std::move(ok));
    return OwnedShaderModule(device, handle);
}

} // namespace

Result<Pipelines> Pipelines::create(const DeviceImpl& device, const ShaderLibrary& shaders,
                                    const Plan& plan, const KernelNodes& kernels) {
    Pipelines result;
    for (const NodeId node : kernels.nodes) {
        const KernelUse& kernel = *kernel_of(plan.graph, node);
        const auto layout = device.layouts->of(device, kernel);
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
            device.set_debug_name(VK_OBJECT_TYPE_PIPELINE, *made, kernel.shader->name);
            known = result.pipelines_.emplace(std::move(key), Made{{device, *made}, {}}).first;
            if (std::holds_alternative<RayNode>(payload_of(plan.graph, node))) {
                auto table = create_ray_table(device, *made);
                if (!table) return propagate(std::move(table));
                known->second.rays = std::move(*table);
            }
        }
        const Made& made = known->second;
        result.nodes_.push_back({*layout, made.pipeline.get(), &made.rays});
    }
    return result;
}

Result<VkPipeline> Pipelines::create_pipeline(const DeviceImpl& device,
                                              const ShaderLibrary& shaders, const Plan& plan,
                                              NodeId node, const KernelLayout& layout) {
    const KernelUse& kernel = *kernel_of(plan.graph, node);
    std::vector<OwnedShaderModule> modules; // needed while the pipeline is made, never after
    std::vector<VkPipelineShaderStageCreateInfo> stages;
    bool by_sample = false;
    for (const ShaderStage stage :
         {ShaderStage::vertex, ShaderStage::fragment, ShaderStage::compute,
          ShaderStage::ray_generation, ShaderStage::miss, ShaderStage::closest_hit,
          ShaderStage::any_hit}) {
        if ((kernel.shader->stages & static_cast<std::uint32_t>(stage)) == 0) continue;
        auto module = module_of(device, shaders, kernel, stage);
        if (!module) return propagate(std::move(module));
        VkPipelineShaderStageCreateInfo info{};
        info.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
        info.stage = to_vk(stage);
        info.module = module->get();
        info.pName = "main";
        stages.push_back(info);
        modules.push_back(std::move(*module));
        if (stage == ShaderStage::fragment)
            by_sample = is_run_by_sample(shaders.find(kernel.shader->name, stage)->words);
    }
    if (std::holds_alternative<RasterNode>(payload_of(plan.graph, node)))
        return create_raster_pipeline(device, plan.graph, node, stages, layout.pipeline.get(),
                                      by_sample ? FragmentRate::sample : FragmentRate::pixel);
    if (std::holds_alternative<RayNode>(payload_of(plan.graph, node)))
        return create_ray_pipeline(device, stages, layout.pipeline.get());
    if (stages.size() != 1)
        return fail("gpu/pipeline",
                    fmt::format("kernel \"{}\" has no compute stage", kernel.shader->name));
    VkComputePipelineCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
    info.stage = stages.front();
    info.layout = layout.pipeline.get();
    VkPipeline pipeline = VK_NULL_HANDLE;
    auto ok = check(device.vk.vkCreateComputePipelines(device.handle, device.pipeline_cache, 1,
                                                       &info, device.allocator, &pipeline),
                    "vkCreateComputePipelines");
    if (!ok) return propagate(std::move(ok));
    return pipeline;
}

} // namespace tuff
