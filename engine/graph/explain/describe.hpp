#pragma once

#include <tuff/plan.hpp>

#include <string>
#include <string_view>
#include <vector>

/// Words for the parts of a plan, shared by the texts that explain it.
namespace tuff {

/// "compute", "color_output+copy"; "none" for no stage, "all" for all commands.
std::string stages_text(StageMask stages);
/// "storage_write", "sampled_read+depth_read"; "none" for no access.
std::string memory_text(MemoryMask memory);

/// "rgba8_unorm 1280x720, 11 mips" or "4.00 KiB".
std::string resource_text(const ResourceDesc& resource);
/// "compute 80x45x1 groups", "raster 82 draws".
std::string work_text(const GraphDesc& graph, NodeId node);
/// "compute", "raster", "transfer" or "custom"; nodes without work are custom.
std::string_view kind_name(const GraphDesc& graph, NodeId node);
/// Why a culled node is: "no output, history or host effect needs its debug/heat".
std::string cull_text(const GraphDesc& graph, NodeId node);
/// "alias=on order=levels barriers=minimal queues=hinted".
std::string options_text(const CompileOptions& options);
/// "mip 2", "mips 1-3, layer 0"; empty for all of a resource.
std::string range_text(const Range& range, const ImageDesc& image);

std::string_view name_of(Lifetime lifetime);
std::string_view name_of(Hazard hazard);
/// "graphics", "compute" or "transfer".
std::string_view name_of(Queue queue);

/// The levels of one submission of a plan; none in one that only ends an execution.
struct SubmissionLevels {
    std::vector<std::uint32_t> levels;
};
std::vector<SubmissionLevels> submission_levels(const Plan& plan);

/// What a submission waits for, each as the end of a phrase: "the compute queue, after level 2",
/// "the end of the execution before".
std::vector<std::string> wait_texts(const Plan& plan, std::uint32_t submission);

/// "reuses the image of blur/tmp"; empty where the resource has an object of its own.
std::string object_text(const Plan& plan, ResourceId resource);

} // namespace tuff
