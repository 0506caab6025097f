#pragma once

#include "passes/fluid/field.hpp"
#include "passes/voxel/voxel_grid.hpp"

namespace tuff::passes {

/// Makes the mask of solid cells. See `describe`.
struct FluidObstaclesFrom {
    static constexpr std::string_view kName = "fluid/obstacles";

    Image picture;
    VoxelGrid voxels;
    glm::uvec3 dims{256, 256, 1};
    float threshold = 0.5f;
    bool dark = false;
    glm::vec3 center{0.0f};
    float radius = 0.0f;
    glm::vec3 low{0.0f};
    glm::vec3 high{0.0f};
    glm::ivec3 offset{0};
    SolidMotion motion;
    FluidObstacles obstacles;

    static void describe(PassInfo<FluidObstaclesFrom>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
