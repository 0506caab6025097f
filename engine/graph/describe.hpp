#pragma once

#include <tuff/plan.hpp>

#include <string>
#include <string_view>

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
/// "alias=on order=levels barriers=minimal".
std::string options_text(const CompileOptions& options);
/// "mip 2", "mips 1-3, layer 0"; empty for all of a resource.
std::string range_text(const Range& range, const ImageDesc& image);

std::string_view name_of(Lifetime lifetime);
std::string_view name_of(Hazard hazard);

} // namespace tuff
