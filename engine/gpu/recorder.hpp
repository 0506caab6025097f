#pragma once

#include "gpu/bound_resources.hpp"
#include "gpu/descriptors.hpp"
#include "gpu/pipelines.hpp"
#include "gpu/uploads.hpp"

namespace tuff {

/// All that recording one execution takes.
struct RecordSources {
    const DeviceImpl* device = nullptr;
    const Plan* plan = nullptr;
    const KernelNodes* kernels = nullptr;
    const Pipelines* pipelines = nullptr;
    const DescriptorSets* descriptors = nullptr;
    const BoundResources* resources = nullptr;
    const UploadLayout* uploads = nullptr;
    VkBuffer upload_buffer = VK_NULL_HANDLE;
    std::span<const std::byte> parameters;
    VkQueryPool queries = VK_NULL_HANDLE; ///< null: no timings
    std::uint32_t slot = 0;
    std::uint32_t phase = 0;
};

/// Turns a plan into commands: per level one barrier command, then its nodes. It adds no barrier of
/// its own.
class Recorder {
  public:
    Recorder(const RecordSources& sources, VkCommandBuffer commands);

    /// Records the whole execution into the open command buffer. Error: `gpu/out-of-memory`.
    Result<void> record();

  private:
    /// An image or buffer access of a node, resolved.
    struct Bound {
        ResourceId resource;
        const ResourceDesc* desc = nullptr;
        ResourceHandle handle;
        Range range; ///< concrete
        Access access = Access::storage_read;
        VkImageLayout layout = VK_IMAGE_LAYOUT_UNDEFINED;
    };
    Bound bound(NodeId node, std::uint32_t access) const;

    void record_barriers(const Level& level);
    Result<void> record_node(NodeId node);
    void timestamp();

    /// Binds pipeline and push constants; the descriptor sets are those of bind group `group`.
    void bind_kernel(NodeId node, VkPipelineBindPoint point);
    void bind_sets(NodeId node, VkPipelineBindPoint point, std::uint32_t group);

    Result<void> record(NodeId node, const EmptyNode& empty);
    Result<void> record(NodeId node, const ComputeNode& compute);
    Result<void> record(NodeId node, const RasterNode& raster);
    Result<void> record(NodeId node, const CopyNode& copy);
    Result<void> record(NodeId node, const BlitNode& blit);
    Result<void> record(NodeId node, const FillNode& fill);
    Result<void> record(NodeId node, const UploadNode& upload);
    Result<void> record(NodeId node, const CustomNode& custom);

    // recorder_raster.cpp
    Result<VkRenderingAttachmentInfo> attachment(NodeId node, const Attachment& attachment);
    VkAttachmentStoreOp store_op(NodeId node, const Attachment& attachment) const;
    void record_draws(NodeId node, const RasterNode& raster);
    void record_draw(NodeId node, const RasterNode& raster, const Draw& draw);

    // recorder_transfer.cpp
    void copy_images(const CopyNode& copy, const Bound& source, const Bound& destination);
    void copy_buffer_image(const CopyNode& copy, const Bound& buffer, const Bound& image,
                           bool to_image);

    const RecordSources* s_;
    const DeviceImpl* device_;
    const Plan* plan_;
    const GraphDesc* graph_;
    VkCommandBuffer commands_;
    std::uint32_t next_query_ = 0;
    std::vector<bool> kept_; ///< per version: someone looks at its contents after its writer
};

/// Timestamps one execution of `plan` takes: one at its start, one after each node, one at its end.
std::uint32_t timestamp_count(const Plan& plan);

} // namespace tuff
