#pragma once

#include "passes/isosurface/isosurface.hpp"

namespace tuff::passes {

/// Extracts an isosurface with sharp edges and corners. See `describe`.
struct DualContouring {
    static constexpr std::string_view kName = "isosurface/dual_contouring";

    Image field;
    Buffer values;
    VoxelGrid voxels;
    SparseBricks bricks;
    Image valid;
    glm::uvec3 dims{0};
    std::uint32_t channels = 1;
    VolumeNumber number = VolumeNumber::red;
    float iso = 0.0f;
    SurfaceInside inside = SurfaceInside::below;
    bool closed = false;
    glm::vec3 spacing{1.0f};
    glm::vec3 origin{0.0f};
    int most_triangles = 0;

    TriangleMesh mesh;
    Buffer normals;
    Buffer draw;
    Buffer status;

    static void describe(PassInfo<DualContouring>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
