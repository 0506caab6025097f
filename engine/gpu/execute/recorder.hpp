#pragma once

#include "gpu/execute/bound_resources.hpp"
#include "gpu/execute/descriptors.hpp"
#include "gpu/execute/sample_queries.hpp"
#include "gpu/execute/segments.hpp"
#include "gpu/execute/trail.hpp"
#include "gpu/memory/pool_readback.hpp"
#include "gpu/memory/uploads.hpp"
#include "gpu/shader/pipelines.hpp"

#include <array>
#include <string>

namespace tuff {

/// Versions whose contents matter beyond the node that writes them.
std::vector<bool> kept_versions(const Plan& plan);

/// All that recording one execution takes. Nothing in it is changed by recording but the view
/// caches, which have locks: several threads may record segments from the same sources.
struct RecordSources {
    const DeviceImpl* device = nullptr;
    const Plan* plan = nullptr;
    const KernelNodes* kernels = nullptr;
    const Pipelines* pipelines = nullptr;
    const DescriptorSets* descriptors = nullptr;
    const BoundResources* resources = nullptr;
    const UploadLayout* uploads = nullptr;
    VkBuffer upload_buffer = VK_NULL_HANDLE;
    const PoolReadback* pools = nullptr;
    VkBuffer pool_buffer = VK_NULL_HANDLE;
    MarkPlace marks; ///< of Trail
    std::span<const std::byte> parameters;
    const Segments* segments = nullptr;
    const std::vector<bool>* kept = nullptr; ///< `kept_versions`
    const SampleQueries* samples = nullptr;
    VkQueryPool queries = VK_NULL_HANDLE; ///< null: no timings
    Timings timings = Timings::nodes;     ///< which of the queries are written
    std::uint32_t slot = 0;
    std::uint32_t phase = 0;
};

/// Memory that recording one segment takes, kept so that recording it again allocates nothing.
struct RecordScratch {
    std::vector<VkImageMemoryBarrier2> barriers;
    std::vector<VkRenderingAttachmentInfo> colors;
    std::vector<VkImageCopy> image_copies;
    std::vector<VkBufferImageCopy> buffer_copies;
    std::string label;
    std::string open_scopes; ///< that have a label by now, each with its '/'
};

/// Turns a plan into commands: per level one barrier command, its nodes, and what is released after
/// them. It adds no barrier of its own, but for one after the copies of PoolReadback.
class Recorder {
  public:
    Recorder(const RecordSources& sources, RecordScratch& scratch, VkCommandBuffer commands);

    /// Records a segment into the open command buffer: its nodes, the barriers before each level
    /// that begins in it, and those after each that ends in it. Error: `gpu/out-of-memory`.
    Result<void> record(const Segment& segment);

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

    void begin_submission(std::uint32_t submission);
    void begin_level(std::uint32_t level);
    void end_level(std::uint32_t level);
    void end_execution();
    /// `position`: in Plan::order.
    Result<void> record_node(std::uint32_t position);
    /// Does nothing where nobody listens to labels.
    void begin_node_label(std::string_view name);
    /// Ends the labels of scopes that `path`, "a/b/", is not in, and begins the others on its way.
    void enter_scopes(std::string_view path);
    void timestamp(std::uint32_t query);

    // recorder_barriers.cpp
    /// Barriers by their place in the plan.
    struct Batch {
        MemoryBarrier memory;
        std::uint32_t first_image = 0;
        std::uint32_t images = 0;
    };
    void record_barriers(const Batch& batch);
    /// Whether the barrier hands an image from one queue family to another.
    bool changes_owner(const ImageBarrier& barrier) const;
    /// Vulkan's barriers in the scratch memory; what needs no command is left out.
    VkDependencyInfo dependency(const Batch& batch, VkMemoryBarrier2& memory) const;
    VkImageMemoryBarrier2 image_barrier(const ImageBarrier& from) const;

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
    Result<void> record(NodeId node, const BuildAccelerationNode& build);
    Result<void> record(NodeId node, const RayNode& rays);
    Result<void> record(NodeId node, const CustomNode& custom);
    Result<void> record(NodeId node, const HostNode& host);

    // recorder_raster.cpp
    Result<VkRenderingAttachmentInfo> attachment(NodeId node, const Attachment& attachment);
    VkAttachmentStoreOp store_op(NodeId node, const Attachment& attachment) const;
    void record_draws(NodeId node, const RasterNode& raster);
    void record_draw(NodeId node, const RasterNode& raster, const Draw& draw);
    void begin_counting(std::uint32_t query);
    void end_counting(std::uint32_t query, NodeId node, std::uint32_t access);

    // recorder_transfer.cpp
    void copy_images(const CopyNode& copy, const Bound& source, const Bound& destination);
    void copy_buffer_image(const CopyNode& copy, const Bound& buffer, const Bound& image,
                           bool to_image);

    const RecordSources* s_;
    const DeviceImpl* device_;
    const Plan* plan_;
    const GraphDesc* graph_;
    RecordScratch* scratch_;
    VkCommandBuffer commands_;
    const DeviceQueue* queue_ = nullptr;    ///< of the segment
    std::array<VkPipeline, 3> pipelines_{}; ///< bound by now, for graphics, compute and rays
    Queue place_ = Queue::graphics;         ///< the queue, as the plan calls it
};

/// The timestamps that one execution of a plan takes.
struct TimestampLayout {
    std::uint32_t submissions = 1;
    std::uint32_t nodes = 0;

    explicit TimestampLayout(const Plan& plan);
    std::uint32_t begin(std::uint32_t submission) const { return submission; }
    /// After the node at `position` of Plan::order.
    std::uint32_t after(std::uint32_t position) const { return submissions + position; }
    std::uint32_t end() const { return submissions + nodes; }
    std::uint32_t count() const { return end() + 1; }
};

} // namespace tuff
