#pragma once

#include "passes/octree/octree.hpp"
#include "passes/scene/camera_parameters.hpp"

#include <glm/vec4.hpp>

#include <optional>

namespace tuff::passes {

/// How an octree is traced.
enum class OctreeMethod : std::uint8_t {
    rays,    ///< stops at the first occupied voxel
    cones,   ///< accumulates voxels as wide as a texel, with opacity from their occupancy
    printed, ///< samples one voxel apart at the level of the printed rule
};

/// Draws an octree without a list of its voxels. See `describe`.
struct OctreeView {
    static constexpr std::string_view kName = "octree/view";

    Octree octree;
    Image behind;       ///< optional
    Image behind_depth; ///< optional
    OctreeMethod method = OctreeMethod::cones;
    std::uint32_t width = 640;
    std::uint32_t height = 480;
    CameraParameters camera;
    std::uint32_t level = 0;
    std::uint32_t threshold = 127;
    std::uint32_t opaque_alpha = 255;
    float max_length = 10.0f;
    float step = 1.0f;
    bool lit = true;
    glm::vec4 background{0.02f, 0.025f, 0.035f, 1.0f};
    Image result;
    Image depth;

    static void describe(PassInfo<OctreeView>& info);
    void build(Graph& graph);
};

/// A perspective camera; in orbit mode it looks at the root. Returns nothing, and reports
/// scene/bad-camera, if there is an error.
std::optional<Camera> octree_camera(Graph& graph, const CameraParameters& camera,
                                    const OctreeShape& shape, std::uint32_t width,
                                    std::uint32_t height);

/// Declares size, camera and background of a picture.
template <typename Pass>
void describe_octree_picture(PassInfo<Pass>& info) {
    info.parameter("width", &Pass::width, "width of the picture")
        .range(1, 16384)
        .unit("texels")
        .structural();
    info.parameter("height", &Pass::height, "height of the picture")
        .range(1, 16384)
        .unit("texels")
        .structural();
    info.group("camera", &Pass::camera);
    info.parameter("background", &Pass::background, "color and alpha where there is nothing");
}

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::OctreeMethod> {
    static constexpr std::array<std::string_view, 3> names{"rays", "cones", "printed"};
};
