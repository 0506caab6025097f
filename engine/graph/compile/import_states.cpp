#include "graph/compile/import_states.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>

namespace tuff {
namespace {

/// The stages that perform some kinds of access: the table "Supported access types" of the Vulkan
/// specification.
struct Performers {
    MemoryMask memory;
    StageMask stages;
    const char* name;
};
constexpr StageMask kShaders =
    stage::kVertexShader | stage::kFragmentShader | stage::kCompute | stage::kRayTracing;
constexpr StageMask kTests = stage::kEarlyDepth | stage::kLateDepth;
constexpr std::array kPerformers = {
    Performers{memory::kIndirectRead, stage::kDrawIndirect, "indirect reads"},
    Performers{memory::kIndexRead, stage::kIndexInput, "index reads"},
    Performers{memory::kUniformRead | memory::kSampledRead | memory::kStorageRead |
                   memory::kStorageWrite,
               kShaders, "shader accesses"},
    Performers{memory::kShaderRead | memory::kAccelerationRead,
               kShaders | stage::kAccelerationBuild, "shader reads"},
    Performers{memory::kAccelerationWrite, stage::kAccelerationBuild, "builds"},
    Performers{memory::kColorRead | memory::kColorWrite, stage::kColorOutput, "colour accesses"},
    Performers{memory::kDepthRead | memory::kDepthWrite, kTests, "depth accesses"},
    Performers{memory::kTransferRead | memory::kTransferWrite, stage::kTransfer, "transfers"},
    Performers{memory::kHostRead | memory::kHostWrite, stage::kHost, "host accesses"},
};

/// Stages that Tuff has no name for, which a host may use, could perform anything.
bool may_perform(StageMask stages, const Performers& performers) {
    StageMask known = stage::kHost;
    for (const Performers& p : kPerformers)
        known |= p.stages;
    if ((stages & ~(known | stage::kAllCommands)) != 0) return true;
    if ((stages & stage::kAllCommands) != 0 && performers.stages != stage::kHost) return true;
    return (stages & performers.stages) != 0;
}

/// Kinds of write that an image in this layout can take.
MemoryMask writes_in(Layout layout) {
    switch (layout) {
    case Layout::undefined:
    case Layout::general: return memory::kAllWrites;
    case Layout::color_attachment: return memory::kColorWrite | memory::kMemoryWrite;
    case Layout::depth_attachment: return memory::kDepthWrite | memory::kMemoryWrite;
    case Layout::transfer_destination: return memory::kTransferWrite | memory::kMemoryWrite;
    case Layout::depth_read_only:
    case Layout::shader_read_only:
    case Layout::transfer_source:
    case Layout::present: break;
    }
    return memory::kMemoryWrite; // part of "any access", which says nothing
}

/// Why no image like this is ever in the layout.
std::optional<std::string> impossible_layout(const ImageDesc& image, Layout layout) {
    const bool depth = info(image.format).depth;
    switch (layout) {
    case Layout::undefined:
    case Layout::general:
    case Layout::shader_read_only:
    case Layout::transfer_source:
    case Layout::transfer_destination: return std::nullopt;
    case Layout::color_attachment:
        if (depth) return "a depth image is no colour attachment";
        return std::nullopt;
    case Layout::depth_attachment:
    case Layout::depth_read_only:
        if (!depth) return "a colour image has no depth layout";
        return std::nullopt;
    case Layout::present:
        if (depth || image.samples != 1 || image.mips != 1 || image.shape == ImageShape::d3)
            return "only plain colour images are presented";
        return std::nullopt;
    }
    return "there is no such layout";
}

std::optional<std::string> why_impossible(const ResourceDesc& resource, const Scope& scope) {
    if (!resource.is_image() && scope.layout != Layout::undefined) return "a buffer has no layout";
    if (resource.is_image())
        if (auto why = impossible_layout(resource.image(), scope.layout)) return why;
    if (scope.memory != memory::kNone && scope.stages == stage::kNone)
        return "it names accesses, but no stages that perform them";
    for (const Performers& performers : kPerformers)
        if ((scope.memory & performers.memory) != 0 && !may_perform(scope.stages, performers))
            return fmt::format("none of its stages performs {}", performers.name);
    if (resource.is_image() && (scope.memory & memory::kAllWrites & ~writes_in(scope.layout)) != 0)
        return fmt::format("layout {} does not allow its writes", name_of(scope.layout));
    return std::nullopt;
}

} // namespace

Diagnostics check_import(const GraphDesc& graph, const ResourceDesc& resource) {
    Diagnostics mistakes;
    const auto check = [&](const Scope& scope, const char* which) {
        if (const auto why = why_impossible(resource, scope))
            mistakes.push_back({.code = "graph/import-state",
                                .message = fmt::format("import '{}' cannot be {}: {}",
                                                       graph.name(resource.name), which, *why),
                                .hint = "give the stages, accesses and layout of its last use by "
                                        "the host, and those of its next"});
    };
    check(resource.import.first, "handed over in its first state");
    check(resource.import.last, "given back in its last state");
    return mistakes;
}

} // namespace tuff
