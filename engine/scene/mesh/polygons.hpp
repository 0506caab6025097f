#pragma once

#include <glm/vec3.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tuff {

/// Corners of polygons that may be concave; larger ones are taken for convex.
inline constexpr std::size_t kMaxConcaveCorners = 256;

/// Cuts a polygon into triangles: indices into `corners`, in its direction of rotation. Polygons
/// with fewer than three corners give none; of those that overlap themselves the triangles do, too.
std::vector<std::uint32_t> triangulate(std::span<const glm::vec3> corners);

} // namespace tuff
