#include "graph/ranges.hpp"

namespace tuff {
namespace {

/// Makes `count` concrete and tells whether [first, first + count) lies in [0, size) and is not
/// empty.
template <typename Number>
bool settle(Number first, Number& count, Number all, Number size) {
    if (first >= size) return false;
    if (count == all) count = size - first;
    return count > 0 && count <= size - first;
}

template <typename Number>
bool meet(Number a, Number a_count, Number b, Number b_count) {
    return a < b + b_count && b < a + a_count;
}

template <typename Number>
bool within(Number outer, Number outer_count, Number inner, Number inner_count) {
    return outer <= inner && inner + inner_count <= outer + outer_count;
}

} // namespace

std::optional<Range> concrete_range(const ResourceDesc& resource, Range range) {
    if (resource.is_image()) {
        const ImageDesc& image = resource.image();
        if (!settle(range.mip, range.mips, kAll, image.mips)) return std::nullopt;
        if (!settle(range.layer, range.layers, kAll, image.layers)) return std::nullopt;
        range.offset = 0;
        range.size = 0;
    } else {
        if (!settle(range.offset, range.size, kWhole, resource.buffer().size)) return std::nullopt;
        range.mip = range.mips = range.layer = range.layers = 0;
    }
    return range;
}

bool overlap(const Range& a, const Range& b, bool is_image) {
    if (is_image)
        return meet(a.mip, a.mips, b.mip, b.mips) && meet(a.layer, a.layers, b.layer, b.layers);
    return meet(a.offset, a.size, b.offset, b.size);
}

bool contains(const Range& outer, const Range& inner, bool is_image) {
    if (is_image)
        return within(outer.mip, outer.mips, inner.mip, inner.mips) &&
               within(outer.layer, outer.layers, inner.layer, inner.layers);
    return within(outer.offset, outer.size, inner.offset, inner.size);
}

Range whole(const ResourceDesc& resource) {
    if (resource.is_image()) return {0, resource.image().mips, 0, resource.image().layers, 0, 0};
    return {0, 0, 0, 0, 0, resource.buffer().size};
}

std::uint64_t packed_bytes(const ImageDesc& desc) {
    std::uint64_t texels = 0;
    for (std::uint32_t mip = 0; mip < desc.mips && mip < 32; ++mip) {
        const Extent e = mip_extent(desc.extent, mip);
        texels += std::uint64_t{e.width} * e.height * e.depth * desc.layers;
    }
    return texels * info(desc.format).texel_bytes * desc.samples;
}

} // namespace tuff
