#pragma once

#include "passes/octree/extract.hpp"
#include "passes/scene/camera_parameters.hpp"

#include <glm/vec4.hpp>

namespace tuff::passes {

/// Draws voxels as cubes. See `describe`.
struct DrawVoxels {
    static constexpr std::string_view kName = "octree/cubes";

    OctreeVoxels voxels;
    std::uint32_t width = 640;
    std::uint32_t height = 480;
    CameraParameters camera;
    bool lit = true;
    glm::vec4 background{0.02f, 0.025f, 0.035f, 1.0f};
    Image result;
    Image depth;

    static void describe(PassInfo<DrawVoxels>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
