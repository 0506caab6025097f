#include "core/text_table.hpp"
#include "graph/explain/describe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

namespace tuff {
namespace {

struct NamedBit {
    std::uint64_t bit;
    std::string_view name;
};

constexpr std::array kStageNames = {
    NamedBit{stage::kDrawIndirect, "indirect"},
    NamedBit{stage::kIndexInput, "index_input"},
    NamedBit{stage::kVertexShader, "vertex"},
    NamedBit{stage::kEarlyDepth, "early_depth"},
    NamedBit{stage::kFragmentShader, "fragment"},
    NamedBit{stage::kLateDepth, "late_depth"},
    NamedBit{stage::kColorOutput, "color_output"},
    NamedBit{stage::kCompute, "compute"},
    NamedBit{stage::kCopy, "copy"},
    NamedBit{stage::kResolve, "resolve"},
    NamedBit{stage::kBlit, "blit"},
    NamedBit{stage::kClear, "clear"},
    NamedBit{stage::kRayTracing, "ray_tracing"},
    NamedBit{stage::kAccelerationBuild, "acceleration_build"},
    NamedBit{stage::kHost, "host"},
    NamedBit{stage::kAllCommands, "all"},
};

constexpr std::array kMemoryNames = {
    NamedBit{memory::kIndirectRead, "indirect_read"},
    NamedBit{memory::kIndexRead, "index_read"},
    NamedBit{memory::kUniformRead, "uniform_read"},
    NamedBit{memory::kShaderRead, "shader_read"},
    NamedBit{memory::kColorRead, "color_read"},
    NamedBit{memory::kColorWrite, "color_write"},
    NamedBit{memory::kDepthRead, "depth_read"},
    NamedBit{memory::kDepthWrite, "depth_write"},
    NamedBit{memory::kTransferRead, "transfer_read"},
    NamedBit{memory::kTransferWrite, "transfer_write"},
    NamedBit{memory::kHostRead, "host_read"},
    NamedBit{memory::kHostWrite, "host_write"},
    NamedBit{memory::kMemoryRead, "any_read"},
    NamedBit{memory::kMemoryWrite, "any_write"},
    NamedBit{memory::kAccelerationRead, "acceleration_read"},
    NamedBit{memory::kAccelerationWrite, "acceleration_write"},
    NamedBit{memory::kSampledRead, "sampled_read"},
    NamedBit{memory::kStorageRead, "storage_read"},
    NamedBit{memory::kStorageWrite, "storage_write"},
};

std::string bits_text(std::uint64_t mask, std::span<const NamedBit> names) {
    std::string text;
    for (const NamedBit& named : names) {
        if (!(mask & named.bit)) continue;
        if (!text.empty()) text += '+';
        text += named.name;
        mask &= ~named.bit;
    }
    // Hosts may hand over imports in states that the engine itself never uses.
    if (mask != 0) text += fmt::format("{}{:#x}", text.empty() ? "" : "+", mask);
    return text.empty() ? "none" : text;
}

std::string span_text(std::string_view what, std::uint32_t first, std::uint32_t count,
                      std::uint32_t total) {
    if (first == 0 && count >= total) return {};
    if (count == 1) return fmt::format("{} {}", what, first);
    const std::uint32_t last = count == kAll ? total - 1 : first + count - 1;
    return fmt::format("{}s {}-{}", what, first, last);
}

std::string extent_text(const ImageDesc& image) {
    std::string text = fmt::format("{}x{}", image.extent.width, image.extent.height);
    if (image.shape == ImageShape::d3) text += fmt::format("x{}", image.extent.depth);
    return text;
}

std::string_view option_name(AliasMode mode) {
    return mode == AliasMode::on ? "on" : "off";
}
std::string_view option_name(OrderMode mode) {
    return mode == OrderMode::levels ? "levels" : "declared";
}
std::string_view option_name(BarrierMode mode) {
    return mode == BarrierMode::minimal ? "minimal" : "full";
}

std::string_view option_name(QueueMode mode) {
    switch (mode) {
    case QueueMode::hinted: return "hinted";
    case QueueMode::automatic: return "automatic";
    case QueueMode::one: return "one";
    }
    return "unknown";
}

struct KindName {
    std::string_view operator()(const EmptyNode&) const { return "custom"; }
    std::string_view operator()(const ComputeNode&) const { return "compute"; }
    std::string_view operator()(const RasterNode&) const { return "raster"; }
    std::string_view operator()(const CopyNode&) const { return "transfer"; }
    std::string_view operator()(const BlitNode&) const { return "transfer"; }
    std::string_view operator()(const FillNode&) const { return "transfer"; }
    std::string_view operator()(const UploadNode&) const { return "transfer"; }
    std::string_view operator()(const BuildAccelerationNode&) const { return "compute"; }
    std::string_view operator()(const RayNode&) const { return "compute"; }
    std::string_view operator()(const CustomNode&) const { return "custom"; }
    std::string_view operator()(const HostNode&) const { return "host"; }
};

struct WorkText {
    std::string operator()(const EmptyNode&) const { return "no work"; }
    std::string operator()(const ComputeNode& node) const {
        if (node.indirect_access != ~0u) return "compute, indirect groups";
        return fmt::format("compute {}x{}x{} groups", node.groups[0], node.groups[1],
                           node.groups[2]);
    }
    std::string operator()(const RasterNode& node) const {
        std::string text = "raster " + counted(node.draws.size(), "draw");
        if (node.area.width > 1 || node.area.height > 1)
            text += fmt::format(", {}x{}", node.area.width, node.area.height);
        if (node.samples > 1) text += fmt::format(", {} samples", node.samples);
        if (node.scissor)
            text += fmt::format(", scissor {}x{} at {}, {}", node.scissor->width,
                                node.scissor->height, node.scissor->x, node.scissor->y);
        if (node.count_access != ~0u) text += ", occlusion query";
        return text;
    }
    std::string operator()(const CopyNode&) const { return "copy"; }
    std::string operator()(const BlitNode&) const { return "blit"; }
    std::string operator()(const FillNode&) const { return "fill"; }
    std::string operator()(const UploadNode& node) const {
        return "upload " + human_bytes(node.bytes ? node.bytes->size() : 0);
    }
    std::string operator()(const BuildAccelerationNode& node) const {
        if (node.level == AccelerationLevel::top) return "build the top acceleration structure";
        return fmt::format("build an acceleration structure over {} triangles", node.triangles);
    }
    std::string operator()(const RayNode& node) const {
        if (node.indirect_access != ~0u) return "rays, indirect count";
        return fmt::format("rays {}x{}x{}", node.rays[0], node.rays[1], node.rays[2]);
    }
    std::string operator()(const CustomNode& node) const {
        return node.record ? "recorded by the host" : "no work";
    }
    std::string operator()(const HostNode&) const { return "on the host"; }
};

/// "on the host, reads 4.0 KiB, writes 8.0 KiB".
std::string host_text(const GraphDesc& graph, const NodeDesc& desc) {
    std::uint64_t read = 0;
    std::uint64_t written = 0;
    for (std::uint32_t i = 0; i < desc.access_count; ++i) {
        const AccessDesc& access = graph.accesses[desc.first_access + i];
        if (graph.resource_of(access.written ? access.written : access.read).orders_only) continue;
        (access.written ? written : read) += access.range.size;
    }
    std::string text = "on the host";
    if (read != 0) text += ", reads " + human_bytes(read);
    if (written != 0) text += ", writes " + human_bytes(written);
    return text;
}

} // namespace

std::string stages_text(StageMask stages) {
    return bits_text(stages, kStageNames);
}

std::string memory_text(MemoryMask memory) {
    return bits_text(memory, kMemoryNames);
}

std::string resource_text(const ResourceDesc& resource) {
    if (!resource.is_image()) return human_bytes(resource.buffer().size);
    const ImageDesc& image = resource.image();
    std::string text = fmt::format("{} {}", info(image.format).name, extent_text(image));
    if (image.mips > 1) text += fmt::format(", {} mips", image.mips);
    if (image.shape == ImageShape::cube)
        text += ", cube";
    else if (image.layers > 1)
        text += fmt::format(", {} layers", image.layers);
    if (image.samples > 1) text += fmt::format(", {} samples", image.samples);
    return text;
}

std::string work_text(const GraphDesc& graph, NodeId node) {
    const NodeDesc& desc = graph.nodes[node.index];
    if (desc.payload == ~0u) return "no work";
    if (std::holds_alternative<HostNode>(graph.payloads[desc.payload]))
        return host_text(graph, desc);
    return std::visit(WorkText{}, graph.payloads[desc.payload]);
}

std::string_view kind_name(const GraphDesc& graph, NodeId node) {
    const NodeDesc& desc = graph.nodes[node.index];
    if (desc.payload == ~0u) return "custom";
    return std::visit(KindName{}, graph.payloads[desc.payload]);
}

std::string cull_text(const GraphDesc& graph, NodeId node) {
    std::vector<std::string_view> written;
    const NodeDesc& desc = graph.nodes[node.index];
    for (std::uint32_t i = 0; i < desc.access_count; ++i) {
        const AccessDesc& access = graph.accesses[desc.first_access + i];
        if (!access.written) continue;
        written.push_back(graph.name_of(graph.versions[access.written.index].resource));
    }
    if (written.empty()) return "writes nothing";
    std::sort(written.begin(), written.end());
    written.erase(std::unique(written.begin(), written.end()), written.end());
    return fmt::format("no output, history or host effect needs its {}", fmt::join(written, ", "));
}

std::string options_text(const CompileOptions& options) {
    return fmt::format("alias={} order={} barriers={} queues={}{}{}", option_name(options.alias),
                       option_name(options.order), option_name(options.barriers),
                       option_name(options.queues),
                       options.layouts == LayoutMode::general ? " layouts=general" : "",
                       options.poison ? " poison" : "");
}

std::string range_text(const Range& range, const ImageDesc& image) {
    const std::string mips = span_text("mip", range.mip, range.mips, image.mips);
    const std::string layers = span_text("layer", range.layer, range.layers, image.layers);
    if (mips.empty() || layers.empty()) return mips + layers;
    return fmt::format("{}, {}", mips, layers);
}

std::string_view name_of(Lifetime lifetime) {
    switch (lifetime) {
    case Lifetime::transient: return "transient";
    case Lifetime::constant: return "constant";
    case Lifetime::history: return "history";
    case Lifetime::imported: return "imported";
    }
    return "unknown";
}

std::string_view name_of(Hazard hazard) {
    switch (hazard) {
    case Hazard::read_after_write: return "read after write";
    case Hazard::write_after_read: return "write after read";
    case Hazard::write_after_write: return "write after write";
    case Hazard::layout: return "layout";
    case Hazard::first_use: return "first use";
    case Hazard::reuse: return "memory reuse";
    case Hazard::final_state: return "final state";
    case Hazard::forced: return "forced";
    }
    return "unknown";
}

} // namespace tuff
