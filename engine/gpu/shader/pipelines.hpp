#pragma once

#include "gpu/device/owned.hpp"
#include "gpu/execute/kernel_nodes.hpp"
#include "gpu/shader/kernel_layouts.hpp"
#include "gpu/shader/ray_pipeline.hpp"

#include <tuff/shader_library.hpp>

#include <map>
#include <span>
#include <string>

namespace tuff {

struct NodePipeline {
    const KernelLayout* layout = nullptr;
    VkPipeline pipeline = VK_NULL_HANDLE;
    const RayTable* rays = nullptr; ///< of ray nodes
};

/// The pipelines of all kernel nodes of a plan; nodes that ask for the same one share it.
class Pipelines {
  public:
    /// Errors: `gpu/pipeline` (names the kernel), `gpu/out-of-memory`.
    static Result<Pipelines> create(const DeviceImpl& device, const ShaderLibrary& shaders,
                                    const Plan& plan, const KernelNodes& kernels);

    /// By index into KernelNodes::nodes.
    const NodePipeline& of(std::uint32_t kernel) const { return nodes_[kernel]; }

  private:
    Result<VkPipeline> create_pipeline(const DeviceImpl& device, const ShaderLibrary& shaders,
                                       const Plan& plan, NodeId node, const KernelLayout& layout);

    struct Made {
        OwnedPipeline pipeline;
        RayTable rays; ///< empty but of ray nodes
    };
    std::map<std::string, Made> pipelines_; ///< by all that goes into them, as bytes
    std::vector<NodePipeline> nodes_;
};

/// How often a fragment shader is run where several samples of a pixel are covered.
enum class FragmentRate { pixel, sample };

/// Creates the pipeline of a raster node from its shader stages.
Result<VkPipeline> create_raster_pipeline(const DeviceImpl& device, const GraphDesc& graph,
                                          NodeId node,
                                          std::span<const VkPipelineShaderStageCreateInfo> stages,
                                          VkPipelineLayout layout, FragmentRate rate);

/// The format and sample counts of a raster node's attachments, in Vulkan's form.
struct AttachmentFormats {
    std::vector<VkFormat> colors;
    VkFormat depth = VK_FORMAT_UNDEFINED;
    VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
};
AttachmentFormats attachment_formats(const GraphDesc& graph, NodeId node);

} // namespace tuff
