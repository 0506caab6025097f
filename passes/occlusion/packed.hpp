#pragma once

#include "passes/occlusion/levels.hpp"

#include <glm/vec4.hpp>

#include <vector>

namespace tuff::passes {

/// An N-buffer in whole numbers of 16 bits, eight texels along x in a vector of a buffer: a GPU
/// loads and stores vectors of a buffer eight times as fast as texels of an image, and both it has
/// to do for every texel of every level. shaders/occlusion/packed.glsl.
struct PackedLevels {
    Buffer voxels; ///< level 0, the volume
    Buffer means;  ///< the others, one after the other; not connected where there are none
    /// Of the volume and of each level: blocks of a row, rows of a slice, slices; first block.
    std::vector<glm::ivec4> levels;

    std::uint32_t count() const { return static_cast<std::uint32_t>(levels.size()) - 1; }
};

/// Edge of a brick, voxels, as in shaders/occlusion/packed.glsl.
inline constexpr int kOcclusionBrick = 16;

/// Where something has changed, by bricks: what is not asked for is neither made nor read.
struct ChosenBricks {
    Buffer dirty;  ///< a word each: the result there is another
    Buffer needed; ///< a word each: cubes that begin there count; they begin `reach` bricks before
    glm::ivec3 dirty_dims{1};
    glm::ivec3 needed_dims{1};
    int reach = 0;
    Image before; ///< the result as it was

    explicit operator bool() const { return bool(dirty); }
};

/// What is made of the levels.
struct PackedShells {
    bool own = false;
    float growth = 1.0f;
    float strength = 1.0f;
    OcclusionBorder border = OcclusionBorder::open;
};

/// How levels of a volume lie, none of them filled.
PackedLevels packed_layout(glm::ivec3 dims, std::uint32_t count);
/// Whether one binding of the device has room for them.
[[nodiscard]] bool fits_packed(const Graph& graph, const PackedLevels& levels);
/// Whether levels are kept so: those of `n_buffer` in `unorm16` that are all there at once, where
/// there is room.
[[nodiscard]] bool can_pack(const Graph& graph, Image opacity, const OcclusionLevels& planned,
                            const LevelParameters& parameters);

/// A buffer for level 0.
BufferDesc packed_voxels(const PackedLevels& levels);
/// Fills all of them.
void make_packed(Graph& graph, PackedLevels& levels, Image opacity, OcclusionBorder border);
/// Fills those above `from`, each from the one below it.
void fill_packed(Graph& graph, PackedLevels& levels, OcclusionBorder border, std::uint32_t from,
                 const ChosenBricks& chosen = {});
/// A level above 0 alone, as a volume of r16_unorm.
Image packed_means(Graph& graph, Image opacity, std::uint32_t number, OcclusionBorder border);
/// What comes through all shells, written to `result`, r16_unorm of the volume's size.
Image through_packed(Graph& graph, const PackedLevels& levels, const PackedShells& shells,
                     Image result, const ChosenBricks& chosen = {});

} // namespace tuff::passes
