#include "gpu/device/vulkan_enums.hpp"
#include "gpu/execute/plan_enums.hpp"
#include "gpu/shader/pipelines.hpp"

namespace tuff {
namespace {

VkPipelineColorBlendAttachmentState blend_attachment(const BlendState& blend, bool enabled) {
    VkPipelineColorBlendAttachmentState result{};
    result.blendEnable = enabled;
    result.srcColorBlendFactor = to_vk(blend.source_color);
    result.dstColorBlendFactor = to_vk(blend.destination_color);
    result.colorBlendOp = to_vk(blend.color_op);
    result.srcAlphaBlendFactor = to_vk(blend.source_alpha);
    result.dstAlphaBlendFactor = to_vk(blend.destination_alpha);
    result.alphaBlendOp = to_vk(blend.alpha_op);
    result.colorWriteMask = VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT |
                            VK_COLOR_COMPONENT_B_BIT | VK_COLOR_COMPONENT_A_BIT;
    return result;
}

VkPipelineDepthStencilStateCreateInfo depth_state(const RasterNode& node, Access access) {
    VkPipelineDepthStencilStateCreateInfo result{};
    result.sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO;
    result.depthTestEnable = node.depth && node.state.depth_test;
    result.depthWriteEnable = node.depth && node.state.depth_write && access != Access::depth_read;
    result.depthCompareOp = to_vk(node.state.depth_compare);
    return result;
}

VkPipelineRasterizationStateCreateInfo rasterization_state(const RasterState& state) {
    VkPipelineRasterizationStateCreateInfo result{};
    result.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO;
    result.polygonMode = VK_POLYGON_MODE_FILL;
    result.frontFace =
        state.front_counter_clockwise ? VK_FRONT_FACE_COUNTER_CLOCKWISE : VK_FRONT_FACE_CLOCKWISE;
    result.depthBiasEnable = state.depth_bias_constant != 0.0f || state.depth_bias_slope != 0.0f;
    result.depthBiasConstantFactor = state.depth_bias_constant;
    result.depthBiasSlopeFactor = state.depth_bias_slope;
    result.lineWidth = 1.0f;
    return result;
}

} // namespace

AttachmentFormats attachment_formats(const GraphDesc& graph, NodeId node) {
    const auto& raster = std::get<RasterNode>(payload_of(graph, node));
    AttachmentFormats result;
    result.samples = static_cast<VkSampleCountFlagBits>(raster.samples);
    const auto desc_of = [&](const Attachment& attachment) -> const ImageDesc& {
        const AccessDesc& access = access_of(graph, node, attachment.access);
        return graph.resources[resource_of(graph, access).index].image();
    };
    for (const Attachment& color : raster.colors) {
        result.colors.push_back(to_vk(desc_of(color).format));
        result.samples = static_cast<VkSampleCountFlagBits>(desc_of(color).samples);
    }
    if (raster.depth) {
        result.depth = to_vk(desc_of(*raster.depth).format);
        result.samples = static_cast<VkSampleCountFlagBits>(desc_of(*raster.depth).samples);
    }
    return result;
}

Result<VkPipeline> create_raster_pipeline(const DeviceImpl& device, const GraphDesc& graph,
                                          NodeId node,
                                          std::span<const VkPipelineShaderStageCreateInfo> stages,
                                          VkPipelineLayout layout, FragmentRate rate) {
    const auto& raster = std::get<RasterNode>(payload_of(graph, node));
    const AttachmentFormats formats = attachment_formats(graph, node);

    VkPipelineRenderingCreateInfo rendering{};
    rendering.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO;
    rendering.colorAttachmentCount = static_cast<std::uint32_t>(formats.colors.size());
    rendering.pColorAttachmentFormats = formats.colors.data();
    rendering.depthAttachmentFormat = formats.depth;

    // Kernels pull their vertices from storage buffers.
    VkPipelineVertexInputStateCreateInfo vertex_input{};
    vertex_input.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO;
    VkPipelineInputAssemblyStateCreateInfo assembly{};
    assembly.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO;
    assembly.topology = to_vk(raster.state.topology);
    VkPipelineViewportStateCreateInfo viewport{};
    viewport.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO;
    viewport.viewportCount = 1;
    viewport.scissorCount = 1;
    VkPipelineRasterizationStateCreateInfo rasterization = rasterization_state(raster.state);
    VkPipelineRasterizationConservativeStateCreateInfoEXT conservative{};
    conservative.sType =
        VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_CONSERVATIVE_STATE_CREATE_INFO_EXT;
    conservative.conservativeRasterizationMode =
        VK_CONSERVATIVE_RASTERIZATION_MODE_OVERESTIMATE_EXT;
    if (raster.state.conservative) rasterization.pNext = &conservative;
    VkPipelineMultisampleStateCreateInfo multisample{};
    multisample.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO;
    multisample.rasterizationSamples = formats.samples;
    multisample.sampleShadingEnable = rate == FragmentRate::sample ? VK_TRUE : VK_FALSE;
    multisample.minSampleShading = 1.0f;
    const Access depth_access =
        raster.depth ? access_of(graph, node, raster.depth->access).access : Access::depth_read;
    const VkPipelineDepthStencilStateCreateInfo depth = depth_state(raster, depth_access);
    const bool logic = raster.state.logic != LogicOp::none;
    std::vector<VkPipelineColorBlendAttachmentState> blends;
    for (const Attachment& color : raster.colors)
        blends.push_back(blend_attachment(raster.state.blend, color.blend && !logic));
    VkPipelineColorBlendStateCreateInfo blend{};
    blend.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO;
    blend.logicOpEnable = logic;
    blend.logicOp = raster.state.logic == LogicOp::bit_xor ? VK_LOGIC_OP_XOR : VK_LOGIC_OP_OR;
    blend.attachmentCount = static_cast<std::uint32_t>(blends.size());
    blend.pAttachments = blends.data();
    constexpr VkDynamicState kDynamic[] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR,
                                           VK_DYNAMIC_STATE_CULL_MODE};
    VkPipelineDynamicStateCreateInfo dynamic{};
    dynamic.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO;
    dynamic.dynamicStateCount = static_cast<std::uint32_t>(std::size(kDynamic));
    dynamic.pDynamicStates = kDynamic;

    VkGraphicsPipelineCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO;
    info.pNext = &rendering;
    info.stageCount = static_cast<std::uint32_t>(stages.size());
    info.pStages = stages.data();
    info.pVertexInputState = &vertex_input;
    info.pInputAssemblyState = &assembly;
    info.pViewportState = &viewport;
    info.pRasterizationState = &rasterization;
    info.pMultisampleState = &multisample;
    info.pDepthStencilState = &depth;
    info.pColorBlendState = &blend;
    info.pDynamicState = &dynamic;
    info.layout = layout;
    VkPipeline pipeline = VK_NULL_HANDLE;
    auto ok = check(device.vk.vkCreateGraphicsPipelines(device.handle, device.pipeline_cache, 1,
                                                        &info, device.allocator, &pipeline),
                    "vkCreateGraphicsPipelines");
    if (!ok) return propagate(std::move(ok));
    return pipeline;
}

} // namespace tuff
