#pragma once

#include "passes/scene/camera_parameters.hpp"
#include "passes/voxel/voxel_grid.hpp"

#include <tuff/scene_resources.hpp>

namespace tuff::passes {

/// What a voxel's colour tells.
enum class VoxelColor : std::uint8_t { solid, normal };

/// Where the camera is.
enum class VoxelSpace : std::uint8_t {
    box,   ///< the grid is a box about the origin whose longest side is 2
    world, ///< that of the mesh the voxels are made of
};

/// Draws voxels as little cubes. See `describe`.
struct VoxelView {
    static constexpr std::string_view kName = "voxel/view";

    VoxelGrid source;
    Scene scene;        ///< optional
    Image behind;       ///< optional
    Image behind_depth; ///< optional
    VoxelSpace space = VoxelSpace::box;
    std::uint32_t width = 640;
    std::uint32_t height = 480;
    CameraParameters camera;
    glm::vec3 low{0.0f};
    glm::vec3 high{1.0f};
    VoxelColor color_by = VoxelColor::solid;
    bool smooth = true;
    bool shadows = true;
    glm::vec3 towards_light{0.45f, 0.75f, 0.5f};
    glm::vec3 color{0.55f, 0.6f, 0.68f};
    glm::vec3 cut_color{0.8f, 0.25f, 0.12f};
    glm::vec4 background{0.02f, 0.025f, 0.035f, 1.0f};
    Image result;
    Image depth;

    static void describe(PassInfo<VoxelView>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::VoxelSpace> {
    static constexpr std::array<std::string_view, 2> names{"box", "world"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::VoxelColor> {
    static constexpr std::array<std::string_view, 2> names{"solid", "normal"};
};
