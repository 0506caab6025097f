#pragma once

#include "passes/occlusion/levels.hpp"

#include <glm/vec4.hpp>

#include <vector>

namespace tuff::passes {

/// An N-buffer in whole numbers of 16 bits, eight texels along x in a vector of a buffer: a GPU
/// loads and stores vectors of a buffer eight times as fast as texels of an image, and both it has
/// to do for every texel of every level. shaders/occlusion/packed.glsl.
struct PackedLevels {
    Buffer blocks;
    /// Of the volume and of each level: blocks of a row, rows of a slice, slices; first block.
    std::vector<glm::ivec4> levels;
};

/// Whether levels are kept so: those of `n_buffer` in `unorm16` that are all there at once and that
/// one binding of the device has room for.
[[nodiscard]] bool can_pack(const Graph& graph, Image opacity, const OcclusionLevels& planned,
                            const LevelParameters& parameters);
/// `count` levels above the volume.
PackedLevels packed_levels(Graph& graph, Image opacity, std::uint32_t count,
                           OcclusionBorder border);

} // namespace tuff::passes
