#pragma once

#include "passes/sparse/store.hpp"

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>

#include <glm/vec2.hpp>
#include <glm/vec4.hpp>

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

/// Types that the passes of this module share. Lengths are metres.
///
/// A pose is a buffer of four vec4, the rows of a matrix from the camera to the world. Its last row
/// is (0, 0, 0, 1), or 0 if the camera is lost; the other rows are then its last known pose. Poses
/// with numbers that are not finite count as lost. Cameras look along +z, with x to the right and y
/// down, as in TUM's and 7-Scenes' recordings.
namespace tuff::passes {

/// A frame of a depth camera.
struct RgbdFrame {
    static constexpr std::string_view kPortType = "RgbdFrame";

    Image depth;                 ///< one channel: depth along the camera's axis; 0: no depth
    Image color;                 ///< of the same size
    glm::vec4 intrinsics{1.0f};  ///< fx, fy, cx, cy, pixels; the center of the first pixel is (0,
                                 ///< 0)
    glm::vec2 range{0.3f, 5.0f}; ///< range of depths that the camera measures

    explicit operator bool() const { return depth && color; }
    std::vector<PortMember> members() const { return {{"depth", depth}, {"color", color}}; }
};

inline constexpr std::uint32_t kRgbdLevels = 3;

/// Surfaces seen from a camera at three levels, each half the size of the previous one.
struct RgbdMaps {
    static constexpr std::string_view kPortType = "RgbdMaps";

    /// rgba32_sfloat: the normal in camera space, towards the camera, and the depth; 0 where there
    /// is no surface.
    std::array<Image, kRgbdLevels> geometry;
    std::array<Image, kRgbdLevels> grey; ///< r32_sfloat: brightness 0 to 1; -1 where there is no
                                         ///< surface
    glm::vec4 intrinsics{1.0f};          ///< intrinsics of the finest level
    glm::vec2 range{0.3f, 5.0f};

    explicit operator bool() const { return geometry[0] && grey[0]; }
    std::vector<PortMember> members() const {
        return {{"geometry", geometry[0]}, {"geometry1", geometry[1]}, {"geometry2", geometry[2]},
                {"grey", grey[0]},         {"grey1", grey[1]},         {"grey2", grey[2]}};
    }
};

/// A truncated signed distance function, dense or in bricks. Voxel (x, y, z), x fastest, is two
/// words. The first has two halves, distance in truncations and weight (0: never seen); the second
/// a color, RGBA8.
struct TsdfVolume {
    static constexpr std::string_view kPortType = "TsdfVolume";

    Buffer voxels;
    SparseBricks bricks; ///< not connected: `voxels` are dense
    glm::uvec3 dims{0};
    glm::vec3 corner{0.0f}; ///< lower corner, world
    float side = 0.0f;      ///< side of a voxel
    float truncation = 0.0f;

    explicit operator bool() const { return bool(voxels); }
    std::vector<PortMember> members() const;
    /// Number of voxels that have memory.
    std::uint64_t count() const {
        return bricks ? bricks.shape.count()
                      : std::uint64_t{dims.x} * dims.y * std::uint64_t{dims.z};
    }
};

/// Bytes of a pose.
inline constexpr BufferDesc kPoseDesc{.size = 64, .stride = 16};

/// Checks that depth and color have the same size of at least 8 x 8, and that intrinsics and range
/// are valid. If not, reports mapping/bad-frame and returns false.
[[nodiscard]] bool is_valid(Graph& graph, const RgbdFrame& frame);
/// Reports mapping/bad-pose, and returns false, if the buffer has fewer than four rows.
[[nodiscard]] bool is_pose(Graph& graph, Buffer pose, std::string_view port);

/// Images for the three levels of a picture of this size.
RgbdMaps make_maps(Graph& graph, Extent extent, glm::vec4 intrinsics, glm::vec2 range);
/// Binds them as geometry_0 to grey_2 and replaces them by the kernel's outputs.
void write_maps(ComputeNodeBuilder& node, RgbdMaps& maps);
/// Intrinsics of pictures of half the size, level by level.
glm::vec4 intrinsics_of_level(glm::vec4 finest, std::uint32_t level);

} // namespace tuff::passes
