#include "graph/compile/access_facts.hpp"

#include <tuff/graph.hpp>

#include <fmt/format.h>

#include <utility>

/// The parts of Graph that add raster nodes, attach images to them and draw.
namespace tuff {
namespace {

// The sizes of VkDrawIndirectCommand and VkDrawIndexedIndirectCommand.
constexpr std::uint64_t kDrawBytes = 16;
constexpr std::uint64_t kIndexedDrawBytes = 20;
constexpr std::uint64_t kSampleCountBytes = 4;

} // namespace

RasterNodeBuilder Graph::raster(std::string_view shader, std::string_view name) {
    RasterNode node;
    node.kernel.shader = shaders_ ? shaders_->raster(shader) : nullptr;
    return {*this, add_kernel_node(shader, name, node.kernel.shader, std::move(node))};
}

RasterNodeBuilder Graph::raster(std::string_view shader, const ShaderVariant& variant,
                                std::string_view name) {
    return raster(variant.name_of(shader), name);
}

RasterNodeBuilder::Attached RasterNodeBuilder::attach(ImageView target, Access access,
                                                      AttachmentStart start) {
    const auto result =
        graph_->add_write(node_, target.image.version, target.range, access, stage::kNone);
    Attached attached{.written = {result.version}};
    if (result.access != ~0u && adopt_area(target))
        attached.attachment =
            Attachment{.access = result.access, .load = start.load, .clear = start.clear};
    return attached;
}

bool RasterNodeBuilder::adopt_area(ImageView target) {
    RasterNode& node = graph_->payload_of<RasterNode>(node_);
    const ImageDesc& image = graph_->desc(target.image);
    const Extent extent = mip_extent(image.extent, target.range.mip);
    const std::uint32_t mips =
        target.range.mips == kAll ? image.mips - target.range.mip : target.range.mips;
    if (mips != 1) {
        graph_->error("graph/attachment-mips",
                      fmt::format("node '{}' attaches {} mip levels at once",
                                  graph_->desc_.name_of(node_), mips),
                      "name the level with mip(image, n)");
        return false;
    }
    if (node.depth && info(image.format).depth) {
        graph_->error("graph/attachment-count", fmt::format("node '{}' attaches two depth images",
                                                            graph_->desc_.name_of(node_)));
        return false;
    }
    const bool first = node.colors.empty() && !node.depth;
    if (first) {
        node.area = {extent.width, extent.height, 1};
        node.samples = image.samples;
        return true;
    }
    if (node.area.width != extent.width || node.area.height != extent.height) {
        graph_->error("graph/attachment-size",
                      fmt::format("node '{}' attaches {}x{} beside {}x{}",
                                  graph_->desc_.name_of(node_), extent.width, extent.height,
                                  node.area.width, node.area.height),
                      "all attachments of a node have one size");
        return false;
    }
    if (node.samples != image.samples) {
        graph_->error("graph/attachment-samples",
                      fmt::format("node '{}' attaches {} samples beside {}",
                                  graph_->desc_.name_of(node_), image.samples, node.samples));
        return false;
    }
    return true;
}

Image RasterNodeBuilder::color(ImageView target, AttachmentStart start) {
    const bool loads = start.load == LoadOp::load;
    const auto [written, attachment] =
        attach(target, loads ? Access::color_read_write : Access::color_write, start);
    if (attachment) graph_->payload_of<RasterNode>(node_).colors.push_back(*attachment);
    return written;
}

Image RasterNodeBuilder::blended_color(ImageView target, AttachmentStart start) {
    const Image written = color(target, start);
    auto& colors = graph_->payload_of<RasterNode>(node_).colors;
    if (!colors.empty()) colors.back().blend = true;
    return written;
}

Image RasterNodeBuilder::resolve(ImageView target) {
    const auto result = graph_->add_write(node_, target.image.version, target.range,
                                          Access::resolve_write, stage::kNone);
    if (result.access == ~0u) return {result.version};
    RasterNode& node = graph_->payload_of<RasterNode>(node_);
    const ImageDesc& image = graph_->desc(target.image);
    const Extent extent = mip_extent(image.extent, target.range.mip);
    const auto resolves = [&](const Attachment& color) {
        const NodeDesc& desc = graph_->desc_.nodes[node_.index];
        const AccessDesc& source = graph_->desc_.accesses[desc.first_access + color.access];
        return color.resolve_access == ~0u &&
               graph_->desc_.resource_of(source.read).image().format == image.format;
    };
    if (node.colors.empty() || node.samples == 1 || image.samples != 1 ||
        extent.width != node.area.width || extent.height != node.area.height ||
        !resolves(node.colors.back())) {
        graph_->error(
            "graph/resolve",
            fmt::format("node '{}' cannot resolve into '{}'", graph_->desc_.name_of(node_),
                        graph_->desc_.name(graph_->desc_.resource_of(result.version).name)),
            "attach a multisampled colour image first; it resolves once, into a target of its size "
            "and format with one sample");
        return {result.version};
    }
    node.colors.back().resolve_access = result.access;
    return {result.version};
}

Image RasterNodeBuilder::depth(ImageView target, AttachmentStart start) {
    const bool loads = start.load == LoadOp::load;
    const auto [written, attachment] =
        attach(target, loads ? Access::depth_read_write : Access::depth_write, start);
    if (attachment) graph_->payload_of<RasterNode>(node_).depth = attachment;
    return written;
}

void RasterNodeBuilder::depth_test_only(ImageView target) {
    const std::uint32_t access = graph_->add_read(node_, target.image.version, target.range,
                                                  Access::depth_read, stage::kNone);
    if (access == ~0u || !adopt_area(target)) return;
    RasterNode& node = graph_->payload_of<RasterNode>(node_);
    node.depth = Attachment{.access = access, .load = LoadOp::load};
    node.state.depth_write = false;
}

void RasterNodeBuilder::area(Extent extent) {
    graph_->payload_of<RasterNode>(node_).area = extent;
}

void RasterNodeBuilder::scissor(const Scissor& rectangle) {
    graph_->payload_of<RasterNode>(node_).scissor = rectangle;
}

RasterState& RasterNodeBuilder::state() {
    return graph_->payload_of<RasterNode>(node_).state;
}

void RasterNodeBuilder::index_buffer(BufferView indices, IndexType type) {
    const std::uint32_t access = graph_->add_read(node_, indices.buffer.version, indices.range,
                                                  Access::index_read, stage::kIndexInput);
    RasterNode& node = graph_->payload_of<RasterNode>(node_);
    node.index_access = access;
    node.index_type = type;
    // Indirect draws declared before take longer records now.
    for (const Draw& draw : node.draws) {
        if (draw.indirect_access == ~0u) continue;
        const NodeDesc& desc = graph_->desc_.nodes[node_.index];
        Range& words = graph_->desc_.accesses[desc.first_access + draw.indirect_access].range;
        if (words.size == kDrawBytes * draw.indirect_draws)
            words.size = kIndexedDrawBytes * draw.indirect_draws;
    }
}

void RasterNodeBuilder::begin_group() {
    group_ = ++graph_->payload_of<RasterNode>(node_).groups;
}

void RasterNodeBuilder::draw(Draw draw) {
    draw.group = group_;
    graph_->payload_of<RasterNode>(node_).draws.push_back(draw);
}

Buffer RasterNodeBuilder::count_samples(BufferView target) {
    const BufferView word = graph_->narrowed(target, 0, kSampleCountBytes);
    const auto result =
        graph_->add_write(node_, word.buffer.version, word.range, Access::copy_write, stage::kNone);
    if (result.access == ~0u) return {result.version};
    RasterNode& node = graph_->payload_of<RasterNode>(node_);
    if (node.count_access != ~0u)
        graph_->error(
            "graph/sample-count",
            fmt::format("node '{}' counts its samples twice", graph_->desc_.name_of(node_)),
            "let both readers have the one word");
    node.count_access = result.access;
    return {result.version};
}

void RasterNodeBuilder::draw_indirect(BufferView arguments, std::uint64_t offset,
                                      std::uint32_t draws) {
    const bool indexed = graph_->payload_of<RasterNode>(node_).index_access != ~0u;
    const std::uint64_t record = indexed ? kIndexedDrawBytes : kDrawBytes;
    const BufferView records = graph_->narrowed(arguments, offset, record * draws);
    const std::uint32_t access = graph_->add_read(node_, records.buffer.version, records.range,
                                                  Access::indirect_read, stage::kDrawIndirect);
    if (access == ~0u) return;
    // Where the records are not in the view, compile finds them missing.
    const std::uint64_t first = records.range == arguments.range ? offset : 0;
    draw({.indirect_access = access, .indirect_offset = first, .indirect_draws = draws});
}

} // namespace tuff
