// Images and buffers that are parts of a field.

#include <tuff/graph.hpp>

#include <fmt/format.h>

namespace tuff {
namespace {

std::uint64_t product(const std::array<std::uint32_t, 3>& size) {
    return std::uint64_t{size[0]} * size[1] * size[2];
}

} // namespace

void Graph::set_part(Image image, const FieldPart& part) {
    if (image.version == kInvalidVersion || !is_divisible(part)) return;
    const auto [width, height, depth] = part.size(ranks_, ranks_.rank);
    const ImageDesc own = desc(image);
    const Extent extent = own.extent;
    const FormatInfo& format = info(own.format);
    if (own.mips != 1 || own.samples != 1 || (format.depth && format.stencil))
        return error("mpi/part-size",
                     "a part of a field is an image of one mip, one sample a texel and one aspect",
                     "copy what is to be a part into such an image");
    if (extent != Extent{width, height, depth})
        return error("mpi/part-size",
                     fmt::format("the image has {}x{}x{} texels, but the part of rank {} with its "
                                 "halo has {}x{}x{}",
                                 extent.width, extent.height, extent.depth, ranks_.rank, width,
                                 height, depth),
                     "give it the size of the part and \"halo\" more texels on each side");
    keep_part(image.version, part);
}

void Graph::set_part(Buffer buffer, const FieldPart& part) {
    if (buffer.version == kInvalidVersion || !is_divisible(part)) return;
    const std::uint64_t cells = product(part.size(ranks_, ranks_.rank)) * part.arrays;
    const std::uint64_t bytes = desc(buffer).size;
    if (bytes == 0 || bytes % cells != 0)
        return error("mpi/part-size",
                     fmt::format("a buffer of {} bytes does not have as many for each of the {} "
                                 "cells of the part of rank {} with its halo",
                                 bytes, cells, ranks_.rank),
                     "give it an element for each cell of the part and its halo");
    keep_part(buffer.version, part);
}

bool Graph::is_divisible(const FieldPart& part) {
    auto ok = ranks_.check(part.cells);
    if (ok) return true;
    for (Diagnostic& problem : ok.error())
        report(std::move(problem));
    return false;
}

/// All copies of a history are such parts.
void Graph::keep_part(VersionId version, const FieldPart& part) {
    if (version.index >= desc_.versions.size()) return; // unconnected
    ResourceDesc& resource = desc_.resources[desc_.versions[version.index].resource.index];
    resource.part = part;
    if (resource.lifetime != Lifetime::history) return;
    for (ResourceDesc& other : desc_.resources)
        if (other.lifetime == Lifetime::history && other.history_group == resource.history_group)
            other.part = part;
}

} // namespace tuff
