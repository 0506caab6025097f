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

/// What the passes of this module hand on. Lengths are metres.
///
/// A pose is a buffer of four vec4, the rows of a matrix from the camera to the world, whose last
/// row is (0, 0, 0, 1), or 0 where the camera is lost: its other rows then say where it was seen
/// last. Poses with numbers that are not finite count as lost. Cameras look along +z, with x to the
/// right and y down, as in TUM's and 7-Scenes' recordings.
namespace tuff::passes {

/// What a depth camera has seen at one time.
struct RgbdFrame {
    static constexpr std::string_view kPortType = "RgbdFrame";

    Image depth;                 ///< one channel: along the camera's axis; 0: nothing came back
    Image color;                 ///< of the same size
    glm::vec4 intrinsics{1.0f};  ///< fx, fy, cx, cy, pixels; the first pixel's middle is (0, 0)
    glm::vec2 range{0.3f, 5.0f}; ///< depths that the camera measures

    explicit operator bool() const { return depth && color; }
    std::vector<PortMember> members() const { return {{"depth", depth}, {"color", color}}; }
};

inline constexpr std::uint32_t kRgbdLevels = 3;

/// Surfaces as a camera sees them, at three levels, each of half the size of the one before.
struct RgbdMaps {
    static constexpr std::string_view kPortType = "RgbdMaps";

    /// rgba32_sfloat: the normal, towards the camera and in its axes, and the depth; 0 where there
    /// is none.
    std::array<Image, kRgbdLevels> geometry;
    std::array<Image, kRgbdLevels> grey; ///< r32_sfloat: brightness 0 to 1; -1 where there is none
    glm::vec4 intrinsics{1.0f};          ///< of the finest level
    glm::vec2 range{0.3f, 5.0f};

    explicit operator bool() const { return geometry[0] && grey[0]; }
    std::vector<PortMember> members() const {
        return {{"geometry", geometry[0]}, {"geometry1", geometry[1]}, {"geometry2", geometry[2]},
                {"grey", grey[0]},         {"grey1", grey[1]},         {"grey2", grey[2]}};
    }
};

/// A truncated signed distance function, dense or in bricks. Voxel (x, y, z), x fastest, is two
/// words: two halves, distance in truncations and weight (0: never seen), and a color, RGBA8.
struct TsdfVolume {
    static constexpr std::string_view kPortType = "TsdfVolume";

    Buffer voxels;
    SparseBricks bricks; ///< none: `voxels` are all
    glm::uvec3 dims{0};
    glm::vec3 corner{0.0f}; ///< the least, world
    float side = 0.0f;      ///< of a voxel
    float truncation = 0.0f;

    explicit operator bool() const { return bool(voxels); }
    std::vector<PortMember> members() const;
    /// Voxels that there is memory for.
    std::uint64_t count() const {
        return bricks ? bricks.shape.count()
                      : std::uint64_t{dims.x} * dims.y * std::uint64_t{dims.z};
    }
};

/// Of a pose.
inline constexpr BufferDesc kPoseDesc{.size = 64, .stride = 16};

/// Reports mapping/bad-frame, and returns false, unless depth and color have one size of at least 8
/// x 8, and the intrinsics and the range make sense.
[[nodiscard]] bool is_valid(Graph& graph, const RgbdFrame& frame);
/// Reports mapping/bad-pose, and returns false, where the buffer has no room for four rows.
[[nodiscard]] bool is_pose(Graph& graph, Buffer pose, std::string_view port);

/// Images for the three levels of a picture of this size.
RgbdMaps make_maps(Graph& graph, Extent extent, glm::vec4 intrinsics, glm::vec2 range);
/// Binds them as geometry_0 to grey_2 and replaces them by what the kernel writes.
void write_maps(ComputeNodeBuilder& node, RgbdMaps& maps);
/// Of the picture of half the size, level by level.
glm::vec4 intrinsics_of_level(glm::vec4 finest, std::uint32_t level);

} // namespace tuff::passes
