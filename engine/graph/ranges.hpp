#pragma once

#include <tuff/graph_desc.hpp>

#include <optional>

/// Arithmetic on parts of resources.
namespace tuff {

/// `range` with all "rest of it" counts made concrete, or nothing where it leaves the resource or
/// is empty.
std::optional<Range> concrete_range(const ResourceDesc& resource, Range range);

/// The two concrete ranges of one resource share a mip and layer, or a byte.
bool overlap(const Range& a, const Range& b, bool is_image);

/// `outer` holds all of `inner`.
bool contains(const Range& outer, const Range& inner, bool is_image);

/// The whole resource.
Range whole(const ResourceDesc& resource);

/// Bytes of all texels packed tightly, mip by mip and layer by layer: `constant_image` contents.
std::uint64_t packed_bytes(const ImageDesc& desc);

} // namespace tuff
