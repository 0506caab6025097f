#include "graph/ranges.hpp"

namespace tuff {
namespace {

template <typename Number>
bool meet(Number a, Number a_count, Number b, Number b_count) {
    return a < b + b_count && b < a + a_count;
}

template <typename Number>
bool within(Number outer, Number outer_count, Number inner, Number inner_count) {
    return outer <= inner && inner + inner_count <= outer + outer_count;
}

} // namespace

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

std::uint64_t packed_bytes(const ImageDesc& desc) {
    const Extent all = desc.extent;
    std::uint64_t texels =
        desc.mips == 0 ? 0 : std::uint64_t{all.width} * all.height * all.depth * desc.layers;
    for (std::uint32_t mip = 1; mip < desc.mips && mip < 32; ++mip) {
        const Extent e = mip_extent(desc.extent, mip);
        texels += std::uint64_t{e.width} * e.height * e.depth * desc.layers;
    }
    return texels * info(desc.format).texel_bytes * desc.samples;
}

} // namespace tuff
