#include "graph/compile/ranges.hpp"

#include <tuff/graph.hpp>

#include <fmt/format.h>

/// The parts of Graph that move and fill memory without kernels.
namespace tuff {
namespace {

std::uint32_t mip_count(const ImageDesc& image, const Range& range) {
    return range.mips == kAll ? image.mips - range.mip : range.mips;
}

std::uint32_t layer_count(const ImageDesc& image, const Range& range) {
    return range.layers == kAll ? image.layers - range.layer : range.layers;
}

/// Bytes of the viewed mips and layers, tightly packed.
std::uint64_t view_bytes(const ImageDesc& image, const Range& range) {
    ImageDesc part = image;
    part.extent = mip_extent(image.extent, range.mip);
    part.mips = mip_count(image, range);
    part.layers = layer_count(image, range);
    return packed_bytes(part);
}

std::uint64_t view_bytes(const BufferDesc& buffer, const Range& range) {
    if (range.size != kWhole) return range.size;
    return range.offset < buffer.size ? buffer.size - range.offset : 0;
}

constexpr std::string_view kNotPacked =
    "a buffer holds one sample per texel, from an offset that is a multiple of the texel size";

/// Texels of `image` can lie packed in a buffer from `offset` on.
bool packs(const ImageDesc& image, std::uint64_t offset) {
    const std::uint32_t texel = info(image.format).texel_bytes;
    return image.samples == 1 && (texel == 0 || offset % texel == 0);
}

std::string_view or_default(std::string_view name, std::string_view fallback) {
    return name.empty() ? fallback : name;
}

} // namespace

Graph::Transfer Graph::add_transfer(std::string_view name, VersionId source,
                                    const Range& source_range, Access source_access,
                                    VersionId destination, const Range& destination_range,
                                    Access destination_access) {
    const NodeId node = add_node(name);
    Transfer transfer{.node = node};
    transfer.source = add_read(node, source, source_range, source_access, stage::kNone);
    const Written written =
        add_write(node, destination, destination_range, destination_access, stage::kNone);
    transfer.destination = written.access;
    transfer.result = written.version;
    return transfer;
}

void Graph::attach_payload(NodeId node, NodePayload payload) {
    desc_.nodes[node.index].payload = static_cast<std::uint32_t>(desc_.payloads.size());
    desc_.payloads.push_back(std::move(payload));
}

void Graph::copy_mismatch(NodeId node, std::string_view why) {
    error("graph/copy-mismatch", fmt::format("node '{}': {}", desc_.name_of(node), why),
          "copies move texels as they are; use a blit to scale or convert");
}

Image Graph::copy(ImageView source, ImageView destination, std::string_view name) {
    const Transfer transfer = add_transfer(
        or_default(name, "copy"), source.image.version, source.range, Access::copy_read,
        destination.image.version, destination.range, Access::copy_write);
    if (!transfer.complete()) return {transfer.result};
    const ImageDesc& from = desc(source.image);
    const ImageDesc& to = desc(destination.image);
    const Extent extent = mip_extent(from.extent, source.range.mip);
    if (info(from.format).texel_bytes != info(to.format).texel_bytes ||
        info(from.format).depth != info(to.format).depth)
        copy_mismatch(transfer.node, fmt::format("{} and {} texels differ in size or aspect",
                                                 info(from.format).name, info(to.format).name));
    else if (extent != mip_extent(to.extent, destination.range.mip) ||
             mip_count(from, source.range) != mip_count(to, destination.range) ||
             layer_count(from, source.range) != layer_count(to, destination.range) ||
             from.samples != to.samples)
        copy_mismatch(transfer.node, "the two views differ in extent, mips, layers or samples");
    attach_payload(transfer.node, CopyNode{transfer.source, transfer.destination, {}, {}, extent});
    return {transfer.result};
}

Buffer Graph::copy(BufferView source, BufferView destination, std::string_view name) {
    const Transfer transfer = add_transfer(
        or_default(name, "copy"), source.buffer.version, source.range, Access::copy_read,
        destination.buffer.version, destination.range, Access::copy_write);
    if (!transfer.complete()) return {transfer.result};
    if (view_bytes(desc(source.buffer), source.range) !=
        view_bytes(desc(destination.buffer), destination.range))
        copy_mismatch(transfer.node, "the two views differ in size");
    attach_payload(transfer.node, CopyNode{transfer.source, transfer.destination, {}, {}, {}});
    return {transfer.result};
}

Image Graph::copy_to_image(BufferView source, ImageView destination, std::string_view name) {
    const Transfer transfer = add_transfer(
        or_default(name, "copy_to_image"), source.buffer.version, source.range, Access::copy_read,
        destination.image.version, destination.range, Access::copy_write);
    if (!transfer.complete()) return {transfer.result};
    const ImageDesc& image = desc(destination.image);
    if (!packs(image, source.range.offset))
        copy_mismatch(transfer.node, kNotPacked);
    else if (view_bytes(desc(source.buffer), source.range) < view_bytes(image, destination.range))
        copy_mismatch(transfer.node, "the buffer holds fewer bytes than the image takes");
    attach_payload(transfer.node, CopyNode{transfer.source,
                                           transfer.destination,
                                           {},
                                           {},
                                           mip_extent(image.extent, destination.range.mip)});
    return {transfer.result};
}

Buffer Graph::copy_to_buffer(ImageView source, BufferView destination, std::string_view name) {
    const Transfer transfer = add_transfer(
        or_default(name, "copy_to_buffer"), source.image.version, source.range, Access::copy_read,
        destination.buffer.version, destination.range, Access::copy_write);
    if (!transfer.complete()) return {transfer.result};
    const ImageDesc& image = desc(source.image);
    if (!packs(image, destination.range.offset))
        copy_mismatch(transfer.node, kNotPacked);
    else if (view_bytes(desc(destination.buffer), destination.range) <
             view_bytes(image, source.range))
        copy_mismatch(transfer.node, "the buffer takes fewer bytes than the image holds");
    attach_payload(transfer.node, CopyNode{transfer.source,
                                           transfer.destination,
                                           {},
                                           {},
                                           mip_extent(image.extent, source.range.mip)});
    return {transfer.result};
}

Image Graph::blit(ImageView source, ImageView destination, Filter filter,
                  std::optional<Box> destination_box, std::string_view name) {
    // One mip each: the first of the view.
    source.range.mips = 1;
    destination.range.mips = 1;
    const Transfer transfer = add_transfer(
        or_default(name, "blit"), source.image.version, source.range, Access::blit_read,
        destination.image.version, destination.range, Access::blit_write);
    if (!transfer.complete()) return {transfer.result};
    const ImageDesc& source_desc = desc(source.image);
    const ImageDesc& destination_desc = desc(destination.image);
    if (layer_count(source_desc, source.range) !=
            layer_count(destination_desc, destination.range) ||
        source_desc.samples != 1 || destination_desc.samples != 1 ||
        info(source_desc.format).depth != info(destination_desc.format).depth)
        error("graph/blit-mismatch",
              fmt::format("node '{}' blits between images that differ in layers or aspect, or are "
                          "multisampled",
                          desc_.name_of(transfer.node)));
    const auto corner = [](Extent e) {
        return std::array{static_cast<std::int32_t>(e.width), static_cast<std::int32_t>(e.height),
                          static_cast<std::int32_t>(e.depth)};
    };
    const Extent from = mip_extent(desc(source.image).extent, source.range.mip);
    const Extent to = mip_extent(desc(destination.image).extent, destination.range.mip);
    const Box box = destination_box.value_or(Box{{}, corner(to)});
    for (std::size_t axis = 0; axis < 3; ++axis)
        if (box.low[axis] < 0 || box.high[axis] > corner(to)[axis] ||
            box.low[axis] >= box.high[axis]) {
            error("graph/blit-box",
                  fmt::format("node '{}' blits outside its target", desc_.name_of(transfer.node)));
            return {transfer.result};
        }
    attach_payload(transfer.node, BlitNode{transfer.source,
                                           transfer.destination,
                                           {std::array<std::int32_t, 3>{}, corner(from)},
                                           {box.low, box.high},
                                           filter});
    return {transfer.result};
}

Image Graph::clear(ImageView target, ClearValue value, std::string_view name) {
    const NodeId node = add_node(or_default(name, "clear"));
    const Written written =
        add_write(node, target.image.version, target.range, Access::clear_write, stage::kNone);
    if (written.access != ~0u) attach_payload(node, FillNode{written.access, value});
    return {written.version};
}

Buffer Graph::fill(BufferView target, std::uint32_t word, std::string_view name) {
    const NodeId node = add_node(or_default(name, "fill"));
    const Written written =
        add_write(node, target.buffer.version, target.range, Access::clear_write, stage::kNone);
    if (written.access == ~0u) return {written.version};
    const Range& range = desc_.accesses[desc_.nodes[node.index].first_access].range;
    if (range.offset % 4 != 0 || range.size % 4 != 0)
        error("graph/fill-alignment",
              fmt::format("node '{}' fills bytes that are not whole words", desc_.name_of(node)));
    attach_payload(node, FillNode{written.access, std::array<std::uint32_t, 4>{word}});
    return {written.version};
}

Buffer Graph::upload(BufferView target, std::shared_ptr<const std::vector<std::byte>> bytes,
                     std::string_view name) {
    const NodeId node = add_node(or_default(name, "upload"));
    const Written written =
        add_write(node, target.buffer.version, target.range, Access::copy_write, stage::kNone);
    if (written.access == ~0u) return {written.version};
    const std::uint64_t room = desc_.accesses[desc_.nodes[node.index].first_access].range.size;
    if (!bytes || bytes->size() > room || bytes->empty())
        error("graph/contents-size",
              fmt::format("node '{}' uploads {} bytes into {}", desc_.name_of(node),
                          bytes ? bytes->size() : 0, room));
    attach_payload(node, UploadNode{written.access, std::move(bytes)});
    return {written.version};
}

} // namespace tuff
