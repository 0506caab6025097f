#include "city.hpp"

#include "shaders/city_frag.hpp"
#include "shaders/city_vert.hpp"

#define GLM_FORCE_DEPTH_ZERO_TO_ONE
#include <glm/gtc/matrix_transform.hpp>
#include <glm/mat4x4.hpp>

#include <array>
#include <cmath>

namespace {

constexpr std::uint32_t kHouses = 24 * 24;

VkShaderModule make_module(VkDevice device, const std::uint32_t* code, std::size_t bytes) {
    const VkShaderModuleCreateInfo info{
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = bytes, .pCode = code};
    VkShaderModule module = VK_NULL_HANDLE;
    must(vkCreateShaderModule(device, &info, nullptr, &module), "vkCreateShaderModule");
    return module;
}

} // namespace

City::City(const Gpu& gpu, VkExtent2D size)
    : extent(size),
      color(gpu, kColor, size, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT,
            VK_IMAGE_ASPECT_COLOR_BIT),
      depth(gpu, kDepth, size,
            VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT,
            VK_IMAGE_ASPECT_DEPTH_BIT),
      gpu_(gpu) {
    make_pass();
    make_pipeline();
}

City::~City() {
    vkDestroyPipeline(gpu_.device, pipeline_, nullptr);
    vkDestroyPipelineLayout(gpu_.device, layout_, nullptr);
    vkDestroyFramebuffer(gpu_.device, framebuffer_, nullptr);
    vkDestroyRenderPass(gpu_.device, pass_, nullptr);
}

void City::make_pass() {
    const std::array<VkAttachmentDescription, 2> attachments{
        {{.format = kColor,
          .samples = VK_SAMPLE_COUNT_1_BIT,
          .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
          .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
          .finalLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL},
         {.format = kDepth,
          .samples = VK_SAMPLE_COUNT_1_BIT,
          .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
          .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
          .finalLayout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL}}};
    const VkAttachmentReference color_use{0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    const VkAttachmentReference depth_use{1, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
    const VkSubpassDescription subpass{.colorAttachmentCount = 1,
                                       .pColorAttachments = &color_use,
                                       .pDepthStencilAttachment = &depth_use};
    // After whoever had the images last in these very stages: Tuff hands them back so.
    constexpr VkPipelineStageFlags kStages = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT |
                                             VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT |
                                             VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT;
    constexpr VkAccessFlags kWrites = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT |
                                      VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT |
                                      VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
    const VkSubpassDependency after{.srcSubpass = VK_SUBPASS_EXTERNAL,
                                    .dstSubpass = 0,
                                    .srcStageMask = kStages,
                                    .dstStageMask = kStages,
                                    .srcAccessMask = kWrites,
                                    .dstAccessMask = kWrites};
    const VkRenderPassCreateInfo info{.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                      .attachmentCount = attachments.size(),
                                      .pAttachments = attachments.data(),
                                      .subpassCount = 1,
                                      .pSubpasses = &subpass,
                                      .dependencyCount = 1,
                                      .pDependencies = &after};
    must(vkCreateRenderPass(gpu_.device, &info, nullptr, &pass_), "vkCreateRenderPass");
    const std::array views{color.view, depth.view};
    const VkFramebufferCreateInfo framebuffer{.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                              .renderPass = pass_,
                                              .attachmentCount = views.size(),
                                              .pAttachments = views.data(),
                                              .width = extent.width,
                                              .height = extent.height,
                                              .layers = 1};
    must(vkCreateFramebuffer(gpu_.device, &framebuffer, nullptr, &framebuffer_),
         "vkCreateFramebuffer");
}

void City::make_pipeline() {
    const VkPushConstantRange camera{VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(glm::mat4)};
    const VkPipelineLayoutCreateInfo layout{.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                            .pushConstantRangeCount = 1,
                                            .pPushConstantRanges = &camera};
    must(vkCreatePipelineLayout(gpu_.device, &layout, nullptr, &layout_), "vkCreatePipelineLayout");

    const VkShaderModule vertex = make_module(gpu_.device, k_city_vert, sizeof(k_city_vert));
    const VkShaderModule fragment = make_module(gpu_.device, k_city_frag, sizeof(k_city_frag));
    std::array<VkPipelineShaderStageCreateInfo, 2> stages{};
    for (auto& stage : stages) {
        stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
        stage.pName = "main";
    }
    stages[0].stage = VK_SHADER_STAGE_VERTEX_BIT;
    stages[0].module = vertex;
    stages[1].stage = VK_SHADER_STAGE_FRAGMENT_BIT;
    stages[1].module = fragment;
    const VkPipelineVertexInputStateCreateInfo input{
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    const VkPipelineInputAssemblyStateCreateInfo assembly{
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
    const VkViewport viewport{
        0, 0, static_cast<float>(extent.width), static_cast<float>(extent.height), 0, 1};
    const VkRect2D scissor{{0, 0}, extent};
    const VkPipelineViewportStateCreateInfo area{
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .viewportCount = 1,
        .pViewports = &viewport,
        .scissorCount = 1,
        .pScissors = &scissor};
    const VkPipelineRasterizationStateCreateInfo raster{
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1.0f};
    const VkPipelineMultisampleStateCreateInfo samples{
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    const VkPipelineDepthStencilStateCreateInfo depth_test{
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
        .depthTestEnable = VK_TRUE,
        .depthWriteEnable = VK_TRUE,
        .depthCompareOp = VK_COMPARE_OP_LESS};
    const VkPipelineColorBlendAttachmentState opaque{.colorWriteMask = 0xf};
    const VkPipelineColorBlendStateCreateInfo blend{
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
        .attachmentCount = 1,
        .pAttachments = &opaque};
    const VkGraphicsPipelineCreateInfo info{.sType =
                                                VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                            .stageCount = stages.size(),
                                            .pStages = stages.data(),
                                            .pVertexInputState = &input,
                                            .pInputAssemblyState = &assembly,
                                            .pViewportState = &area,
                                            .pRasterizationState = &raster,
                                            .pMultisampleState = &samples,
                                            .pDepthStencilState = &depth_test,
                                            .pColorBlendState = &blend,
                                            .layout = layout_,
                                            .renderPass = pass_};
    const VkResult made =
        vkCreateGraphicsPipelines(gpu_.device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline_);
    vkDestroyShaderModule(gpu_.device, vertex, nullptr);
    vkDestroyShaderModule(gpu_.device, fragment, nullptr);
    must(made, "vkCreateGraphicsPipelines");
}

void City::draw(VkCommandBuffer commands, float seconds) const {
    const float angle = 0.15f * seconds + 0.6f;
    const glm::vec3 eye(24.0f * std::cos(angle), 12.0f, 24.0f * std::sin(angle));
    glm::mat4 lens = glm::perspective(
        glm::radians(40.0f), static_cast<float>(extent.width) / static_cast<float>(extent.height),
        kNear, kFar);
    lens[1][1] = -lens[1][1]; // Vulkan's y goes down
    const glm::mat4 camera = lens * glm::lookAt(eye, glm::vec3(0, 2, 0), glm::vec3(0, 1, 0));

    VkClearValue clear[2]{};
    clear[0].color = {{0.5f, 0.28f, 0.22f, 1.0f}};
    clear[1].depthStencil = {1.0f, 0};
    const VkRenderPassBeginInfo begin{.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                      .renderPass = pass_,
                                      .framebuffer = framebuffer_,
                                      .renderArea = {{0, 0}, extent},
                                      .clearValueCount = 2,
                                      .pClearValues = clear};
    vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline_);
    vkCmdPushConstants(commands, layout_, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(camera), &camera);
    vkCmdDraw(commands, 36, kHouses, 0, 0);
    vkCmdEndRenderPass(commands);
}
