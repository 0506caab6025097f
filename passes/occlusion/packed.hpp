#pragma once

#include "passes/occlusion/levels.hpp"

#include <glm/vec4.hpp>

#include <vector>

namespace tuff::passes {

/// An N-buffer of 16-bit integers in a buffer, eight texels along x a vector. A GPU loads and
/// stores vectors of a buffer eight times as fast as texels of an image, and every texel of every
/// level needs both. See shaders/occlusion/packed.glsl.
struct PackedLevels {
    Buffer voxels; ///< level 0, the volume
    Buffer means;  ///< the other levels, one after the other; not connected if there are none
    /// For the volume and each level: blocks of a row, rows of a slice, slices; first block.
    std::vector<glm::ivec4> levels;

    std::uint32_t count() const { return static_cast<std::uint32_t>(levels.size()) - 1; }
};

/// A block, as in shaders/occlusion/packed.glsl.
inline constexpr std::uint32_t kOcclusionBlockTexels = 8;
inline constexpr std::uint64_t kOcclusionBlockBytes = 16;

/// Edge of a brick, voxels, as in shaders/occlusion/packed.glsl.
inline constexpr int kOcclusionBrick = 16;

/// Which bricks have changed. Only what depends on them is computed and read.
struct ChosenBricks {
    Buffer dirty;  ///< one word each: the result there changes
    Buffer needed; ///< one word each: cubes that begin there are needed; cubes begin `reach` bricks
                   ///< before
    glm::ivec3 dirty_dims{1};
    glm::ivec3 needed_dims{1};
    int reach = 0;
    Image before; ///< the previous result

    explicit operator bool() const { return bool(dirty); }
};

/// The outputs of the levels.
struct PackedShells {
    bool own = false;
    float growth = 1.0f;
    float strength = 1.0f;
    OcclusionBorder border = OcclusionBorder::open;
};

/// What shaders/occlusion/packed_voxels.glsl reads.
void read_voxels(const Graph& graph, ComputeNodeBuilder& node, Image opacity);

/// The layout of a volume's levels, none of them filled.
PackedLevels packed_layout(glm::ivec3 dims, std::uint32_t count);
/// Whether they fit into one binding of the device.
[[nodiscard]] bool fits_packed(const Graph& graph, const PackedLevels& levels);
/// Whether levels are stored like this: those of `n_buffer` in `unorm16`, if all levels are kept at
/// once and fit.
[[nodiscard]] bool can_pack(const Graph& graph, Image opacity, const OcclusionLevels& planned,
                            const LevelParameters& parameters);

/// A buffer for level 0.
BufferDesc packed_voxels(const PackedLevels& levels);
/// Fills all levels.
void make_packed(Graph& graph, PackedLevels& levels, Image opacity, OcclusionBorder border);
/// Fills the levels above `from`, each from the level below it.
void fill_packed(Graph& graph, PackedLevels& levels, OcclusionBorder border, std::uint32_t from,
                 const ChosenBricks& chosen = {});
/// Writes the transmittance of all shells to `result`, r16_unorm of the volume's size.
Image through_packed(Graph& graph, const PackedLevels& levels, const PackedShells& shells,
                     Image result, const ChosenBricks& chosen = {});

} // namespace tuff::passes
