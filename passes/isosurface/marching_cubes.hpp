#pragma once

#include "passes/isosurface/isosurface.hpp"

namespace tuff::passes {

/// How cells with triangles are found.
enum class IsosurfaceForm : std::uint8_t {
    blocks,  ///< shares vertices; skips empty blocks
    streams, ///< cell by cell; triangles share no vertices
};

/// How faces with two opposite corners inside are cut.
enum class AmbiguousFaces : std::uint8_t {
    part,    ///< the surface goes around each inner corner
    decider, ///< the bilinear field decides
};

/// Extracts an isosurface by marching cubes. See `describe`.
struct MarchingCubes {
    static constexpr std::string_view kName = "isosurface/marching_cubes";

    Image field;
    Buffer values;
    VoxelGrid voxels;
    SparseBricks bricks;
    Image valid;
    glm::uvec3 dims{0};
    std::uint32_t channels = 1;
    VolumeNumber number = VolumeNumber::red;
    float iso = 0.5f;
    SurfaceInside inside = SurfaceInside::above;
    AmbiguousFaces ambiguous = AmbiguousFaces::part;
    IsosurfaceForm form = IsosurfaceForm::blocks;
    bool closed = false;
    glm::vec3 spacing{1.0f};
    glm::vec3 origin{0.0f};
    int most_triangles = 0;

    TriangleMesh mesh;
    Buffer normals;
    Buffer draw;
    Buffer status;

    static void describe(PassInfo<MarchingCubes>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::IsosurfaceForm> {
    static constexpr std::array<std::string_view, 2> names{"blocks", "streams"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::AmbiguousFaces> {
    static constexpr std::array<std::string_view, 2> names{"part", "decider"};
};
