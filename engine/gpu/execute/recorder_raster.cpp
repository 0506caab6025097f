// The raster side of Recorder: attachments and draws.

#include "gpu/execute/plan_enums.hpp"
#include "gpu/execute/recorder.hpp"
#include "gpu/memory/resource_info.hpp"

#include <algorithm>

namespace tuff {
namespace {

bool is_integer(Format format) {
    const NumericKind kind = info(format).kind;
    return kind == NumericKind::uint || kind == NumericKind::sint;
}

/// A plain average, where averaging means something.
VkResolveModeFlagBits resolve_mode(Format format) {
    const bool average = !is_integer(format) && !info(format).depth;
    return average ? VK_RESOLVE_MODE_AVERAGE_BIT : VK_RESOLVE_MODE_SAMPLE_ZERO_BIT;
}

} // namespace

VkAttachmentStoreOp Recorder::store_op(NodeId node, const Attachment& attachment) const {
    const AccessDesc& access = access_of(*graph_, node, attachment.access);
    // A store of read-only depth counts as a write; the plan has ordered a read.
    if (!access.written) return VK_ATTACHMENT_STORE_OP_NONE;
    return (*s_->kept)[access.written.index] ? VK_ATTACHMENT_STORE_OP_STORE
                                             : VK_ATTACHMENT_STORE_OP_DONT_CARE;
}

Result<VkRenderingAttachmentInfo> Recorder::attachment(NodeId node, const Attachment& attachment) {
    const Bound target = bound(node, attachment.access);
    const ImageDesc& desc = target.desc->image();
    auto view = s_->resources->view(target.resource,
                                    attachment_view(target.handle.image, desc, target.range));
    if (!view) return propagate(std::move(view));
    VkRenderingAttachmentInfo result{};
    result.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO;
    result.imageView = *view;
    result.imageLayout = target.layout;
    result.loadOp = to_vk(attachment.load);
    result.storeOp = store_op(node, attachment);
    if (info(desc.format).depth)
        result.clearValue.depthStencil = depth_value(attachment.clear);
    else
        result.clearValue.color = color_value(attachment.clear);
    if (attachment.resolve_access == ~0u) return result;
    const Bound resolved = bound(node, attachment.resolve_access);
    auto resolve_view = s_->resources->view(
        resolved.resource,
        attachment_view(resolved.handle.image, resolved.desc->image(), resolved.range));
    if (!resolve_view) return propagate(std::move(resolve_view));
    result.resolveMode = resolve_mode(desc.format);
    result.resolveImageView = *resolve_view;
    result.resolveImageLayout = resolved.layout;
    return result;
}

Result<void> Recorder::record(NodeId node, const RasterNode& raster) {
    std::vector<VkRenderingAttachmentInfo>& colors = scratch_->colors;
    colors.clear();
    VkRenderingAttachmentInfo depth{};
    Extent area = raster.area;
    std::uint32_t layers = 1;
    const auto cover = [&](const Attachment& target) {
        const Bound image = bound(node, target.access);
        area = mip_extent(image.desc->image().extent, image.range.mip);
        layers = image.range.layers;
    };
    for (const Attachment& color : raster.colors) {
        auto info = attachment(node, color);
        if (!info) return propagate(std::move(info));
        colors.push_back(*info);
        cover(color);
    }
    if (raster.depth) {
        auto info = attachment(node, *raster.depth);
        if (!info) return propagate(std::move(info));
        depth = *info;
        cover(*raster.depth);
    }
    VkRenderingInfo rendering{};
    rendering.sType = VK_STRUCTURE_TYPE_RENDERING_INFO;
    rendering.renderArea.extent = {area.width, area.height};
    rendering.layerCount = layers;
    rendering.colorAttachmentCount = static_cast<std::uint32_t>(colors.size());
    rendering.pColorAttachments = colors.data();
    if (raster.depth) rendering.pDepthAttachment = &depth;
    const std::uint32_t query = s_->samples->of(node);
    if (query != SampleQueries::kNone) begin_counting(query);
    device_->vk.vkCmdBeginRendering(commands_, &rendering);
    if (!raster.draws.empty()) {
        bind_kernel(node, VK_PIPELINE_BIND_POINT_GRAPHICS);
        const VkViewport viewport{
            0.0f, 0.0f, static_cast<float>(area.width), static_cast<float>(area.height),
            0.0f, 1.0f};
        device_->vk.vkCmdSetViewport(commands_, 0, 1, &viewport);
        const Scissor seen = raster.scissor.value_or(Scissor{0, 0, area.width, area.height});
        const VkRect2D scissor{
            {static_cast<std::int32_t>(seen.x), static_cast<std::int32_t>(seen.y)},
            {seen.width, seen.height}};
        device_->vk.vkCmdSetScissor(commands_, 0, 1, &scissor);
        record_draws(node, raster);
    }
    device_->vk.vkCmdEndRendering(commands_);
    if (query != SampleQueries::kNone) end_counting(query, node, raster.count_access);
    return {};
}

void Recorder::begin_counting(std::uint32_t query) {
    const VkQueryPool pool = s_->samples->pool();
    const VkQueryControlFlags exact =
        device_->caps.exact_sample_counts ? VK_QUERY_CONTROL_PRECISE_BIT : 0;
    device_->vk.vkCmdResetQueryPool(commands_, pool, query, 1);
    device_->vk.vkCmdBeginQuery(commands_, pool, query, exact);
}

/// The copy waits for the query by itself; to the plan it is a copy like others.
void Recorder::end_counting(std::uint32_t query, NodeId node, std::uint32_t access) {
    const VkQueryPool pool = s_->samples->pool();
    device_->vk.vkCmdEndQuery(commands_, pool, query);
    const Bound word = bound(node, access);
    device_->vk.vkCmdCopyQueryPoolResults(commands_, pool, query, 1, word.handle.buffer,
                                          word.range.offset, sizeof(std::uint32_t),
                                          VK_QUERY_RESULT_WAIT_BIT);
}

void Recorder::record_draws(NodeId node, const RasterNode& raster) {
    if (raster.index_access != ~0u) {
        const Bound indices = bound(node, raster.index_access);
        device_->vk.vkCmdBindIndexBuffer(commands_, indices.handle.buffer, indices.range.offset,
                                         to_vk(raster.index_type));
    }
    const Draw* last = nullptr;
    const auto cull_of = [&](const Draw& d) { return d.own_cull ? d.cull : raster.state.cull; };
    for (const Draw& draw : raster.draws) {
        if (!last || last->group != draw.group)
            bind_sets(node, VK_PIPELINE_BIND_POINT_GRAPHICS, draw.group);
        if (!last || cull_of(*last) != cull_of(draw))
            device_->vk.vkCmdSetCullMode(commands_, to_vk(cull_of(draw)));
        record_draw(node, raster, draw);
        last = &draw;
    }
}

void Recorder::record_draw(NodeId node, const RasterNode& raster, const Draw& draw) {
    const bool indexed = raster.index_access != ~0u;
    const VolkDeviceTable& vk = device_->vk;
    if (draw.indirect_access == ~0u) {
        if (indexed)
            vk.vkCmdDrawIndexed(commands_, draw.count, draw.instance_count, draw.first,
                                draw.vertex_offset, draw.first_instance);
        else
            vk.vkCmdDraw(commands_, draw.count, draw.instance_count, draw.first,
                         draw.first_instance);
        return;
    }
    const Bound arguments = bound(node, draw.indirect_access);
    const std::uint64_t offset = arguments.range.offset + draw.indirect_offset;
    const auto stride = static_cast<std::uint32_t>(indexed ? sizeof(VkDrawIndexedIndirectCommand)
                                                           : sizeof(VkDrawIndirectCommand));
    const VkBuffer buffer = arguments.handle.buffer;
    if (indexed)
        vk.vkCmdDrawIndexedIndirect(commands_, buffer, offset, draw.indirect_draws, stride);
    else
        vk.vkCmdDrawIndirect(commands_, buffer, offset, draw.indirect_draws, stride);
}

} // namespace tuff
