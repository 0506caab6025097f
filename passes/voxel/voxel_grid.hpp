#pragma once

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>
#include <tuff/shared_struct.hpp>

#include <glm/vec3.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What the voxelizers and those who read voxels share.
namespace tuff::passes {

inline constexpr std::uint32_t kMaxVoxelsPerAxis = 2048;
/// Words of `VoxelGrid::status`; `VoxelStatus` names the first nine.
inline constexpr std::uint32_t kVoxelStatusWords = 16;

/// A grid of voxels, each set or not. Voxel (x, y, z) is bit z & 31 of the word
/// (y * dims.x + x) * row_words() + (z >> 5): z is the fastest, and a slice across y, the direction
/// that is up, is contiguous. The bits beyond dims.z are zero.
///
/// In voxels, the grid reaches from 0 to `dims`, and the middle of a voxel is its number plus one
/// half. Coordinates of vertices are rounded to 1/256 voxel, and with these numbers everything is
/// exact. A voxel contains its lower faces; a surface that only touches it from below or from the
/// side sets it where the triangle's bounding box does not end there.
struct VoxelGrid {
    static constexpr std::string_view kPortType = "VoxelGrid";

    Buffer words;       ///< u32
    Buffer frame;       ///< three vec4: the grid's corner; voxels per world unit; side of a voxel
    Buffer status;      ///< kVoxelStatusWords u32
    glm::uvec3 dims{0}; ///< voxels along each axis, at most kMaxVoxelsPerAxis
    /// Of a slab, slices of a larger grid that are worked on by themselves: where its bits begin in
    /// `words`, bytes. Passes take and give whole grids.
    std::uint64_t first_byte = 0;
    bool is_slab = false;

    std::uint32_t row_words() const { return (dims.z + 31) / 32; }
    std::uint64_t row_bytes() const { return std::uint64_t{4} * row_words(); }
    /// What kernels bind: all words, or a slab's.
    BufferView bits() const {
        return is_slab ? BufferView(words, first_byte, 4 * word_count()) : BufferView(words);
    }
    std::uint64_t word_count() const { return std::uint64_t{dims.x} * dims.y * row_words(); }

    explicit operator bool() const { return words && frame && status; }
    std::vector<PortMember> members() const {
        return {{"words", words, BufferElements::of<std::uint32_t>()},
                {"frame", frame, BufferElements::of<glm::vec4>()},
                {"status", status, BufferElements::of<std::uint32_t>()}};
    }
};

/// What a grid's status says, once it is on the host.
struct VoxelStatus {
    std::uint64_t voxels = 0;     ///< that are set; 0 where nobody counts
    std::uint32_t degenerate = 0; ///< triangles without area: a line or a point of a surface
    // Triangles that are left out: ...
    std::uint32_t non_finite = 0;   ///< ... a vertex is not a number or infinite,
    std::uint32_t bad_index = 0;    ///< ... an index is that of no vertex,
    std::uint32_t too_far = 0;      ///< ... or a vertex is more than 10^9 voxels away.
    std::uint32_t open_columns = 0; ///< columns of a solid that enter the mesh and do not leave it
    std::uint32_t overflow = 0;     ///< large triangles that one group took, for want of "parts"
    std::uint32_t large = 0;        ///< triangles that several groups share

    static constexpr std::string_view kStructName = "VoxelStatus";
    static constexpr auto members() {
        return std::array{shared_member<std::uint32_t[2]>("voxels", offsetof(VoxelStatus, voxels)),
                          TUFF_MEMBER(VoxelStatus, degenerate),
                          TUFF_MEMBER(VoxelStatus, non_finite),
                          TUFF_MEMBER(VoxelStatus, bad_index),
                          TUFF_MEMBER(VoxelStatus, too_far),
                          TUFF_MEMBER(VoxelStatus, open_columns),
                          TUFF_MEMBER(VoxelStatus, overflow),
                          TUFF_MEMBER(VoxelStatus, large)};
    }
    static VoxelStatus read(std::span<const std::uint32_t> words);
    /// Warnings, with a code each, for what was left out, is open or did not fit.
    Diagnostics warnings() const;
};

} // namespace tuff::passes
