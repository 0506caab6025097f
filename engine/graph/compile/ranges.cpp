#include "graph/compile/ranges.hpp"

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

std::uint64_t texels_of_smaller_mips(const ImageDesc& desc) {
    std::uint64_t texels = 0;
    for (std::uint32_t mip = 1; mip < desc.mips && mip < 32; ++mip)
        texels += texels_of(mip_extent(desc.extent, mip));
    return texels;
}

} // namespace tuff
