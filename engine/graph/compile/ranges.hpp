#pragma once

#include <tuff/graph_desc.hpp>

#include <optional>
#include <variant>

/// Arithmetic on parts of resources.
namespace tuff {

/// `range` with all "rest of it" counts made concrete, or nothing where it leaves the resource or
/// is empty.
inline std::optional<Range> concrete_range(const ResourceDesc& resource, Range range) {
    // Whether [first, first + count) lies in [0, size) and is not empty; makes `count` concrete.
    const auto settle = [](auto first, auto& count, auto all, auto size) {
        if (first >= size) return false;
        if (count == all) count = size - first;
        return count > 0 && count <= size - first;
    };
    if (const auto* image = std::get_if<ImageDesc>(&resource.desc)) {
        if (!settle(range.mip, range.mips, kAll, image->mips)) return std::nullopt;
        if (!settle(range.layer, range.layers, kAll, image->layers)) return std::nullopt;
        range.offset = 0;
        range.size = 0;
    } else {
        if (!settle(range.offset, range.size, kWhole, resource.buffer().size)) return std::nullopt;
        range.mip = range.mips = range.layer = range.layers = 0;
    }
    return range;
}

/// The two concrete ranges of one resource share a mip and layer, or a byte.
bool overlap(const Range& a, const Range& b, bool is_image);

/// `outer` holds all of `inner`.
bool contains(const Range& outer, const Range& inner, bool is_image);

/// The whole resource.
inline Range whole(const ResourceDesc& resource) {
    if (const auto* image = std::get_if<ImageDesc>(&resource.desc))
        return {0, image->mips, 0, image->layers, 0, 0};
    return {0, 0, 0, 0, 0, resource.buffer().size};
}

inline std::uint64_t texels_of(const Extent& extent) {
    return std::uint64_t{extent.width} * extent.height * extent.depth;
}
/// Of one layer. Apart, because few images have any.
std::uint64_t texels_of_smaller_mips(const ImageDesc& desc);

/// Bytes of all texels packed tightly, mip by mip and layer by layer: `constant_image` contents.
inline std::uint64_t packed_bytes(const ImageDesc& desc) {
    std::uint64_t texels = desc.mips == 0 ? 0 : texels_of(desc.extent);
    if (desc.mips > 1) texels += texels_of_smaller_mips(desc);
    return texels * desc.layers * info(desc.format).texel_bytes * desc.samples;
}

} // namespace tuff
