#pragma once

#include "passes/volume/capture.hpp"

#include <span>

namespace tuff::passes {

/// What `capture_faces` makes of all faces, found by geometry/capture_fragments' compute kernels
/// and not by the device's rasterizer. Nothing, and a report, where media are too large to be drawn
/// so (bvh/too-many-triangles, raster/too-large).
std::optional<CapturedFaces> compute_faces(Graph& graph, std::span<const MeshMedium> media,
                                           const VolumeView& view, const Reflections& reflections,
                                           std::uint32_t room);

} // namespace tuff::passes
