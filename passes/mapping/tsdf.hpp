#pragma once

#include "passes/mapping/tracking.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// Which voxels of a TSDF have memory.
enum class TsdfStorage : std::uint8_t {
    dense,
    bricks, ///< bricks of 8 x 8 x 8 voxels that have been within the truncation of a seen surface
};

/// The grid of a TSDF.
struct TsdfGrid {
    glm::uvec3 dims{256};
    glm::vec3 corner{-2.56f};
    float side = 0.02f;
    float truncation = 0.0f; ///< 0: 2.5 voxels
    float max_weight = 64.0f;
    TsdfStorage storage = TsdfStorage::dense;
    std::uint32_t capacity = 4096; ///< bricks

    template <typename Fields>
    static void describe_fields(const Fields& field) {
        field("dims", &TsdfGrid::dims, "voxels along x, y and z")
            .range(2, 2048)
            .unit("voxels")
            .structural();
        field("corner", &TsdfGrid::corner, "lower corner of the grid in the world").unit("metres");
        field("side", &TsdfGrid::side, "side of a voxel")
            .range(0.0, 100.0, RangeEnds::open_low)
            .unit("metres");
        field("truncation", &TsdfGrid::truncation,
              "distance at which values are truncated; 0: two and a half voxels")
            .range(0.0, 100.0)
            .unit("metres");
        field("max_weight", &TsdfGrid::max_weight,
              "largest weight of previous frames; a smaller weight forgets moved objects sooner")
            .range(1.0, 2048.0);
        field("storage", &TsdfGrid::storage,
              "\"dense\": all voxels have memory; \"bricks\": only bricks of 8 x 8 x 8 that "
              "have been within the truncation of a seen surface")
            .structural();
        field("capacity", &TsdfGrid::capacity, "capacity, in bricks; grows over a run")
            .range(1, 1u << 24)
            .structural();
    }
};

/// Maps and tracks by KinectFusion. See `describe`.
struct MappingTsdf {
    static constexpr std::string_view kName = "mapping/tsdf";

    RgbdFrame frame;
    Buffer pose_given; ///< optional: port "pose"
    Buffer first;      ///< optional
    TsdfGrid grid;
    TrackingSettings tracking;
    float smooth = 5.0f;
    float edge = 0.05f;

    TsdfVolume volume;
    Buffer pose;
    Buffer status;       ///< if there are no known poses
    Buffer brick_status; ///< for bricks

    static void describe(PassInfo<MappingTsdf>& info);
    void build(Graph& graph);
};

/// Renders a TSDF. See `describe`.
struct MappingView {
    static constexpr std::string_view kName = "mapping/view";

    TsdfVolume volume;
    Buffer pose;
    int width = 640;
    int height = 480;
    glm::vec4 intrinsics{0.0f}; ///< 0: `vertical_fov` is used
    float vertical_fov = 50.0f;
    glm::vec2 range{0.05f, 12.0f};
    bool colored = true;
    float light = 0.6f;
    glm::vec4 background{0.05f, 0.06f, 0.08f, 1.0f};

    Image result;
    RgbdMaps maps;

    static void describe(PassInfo<MappingView>& info);
    void build(Graph& graph);
};

/// Makes a field from a TSDF, for isosurfaces. See `describe`.
struct MappingField {
    static constexpr std::string_view kName = "mapping/field";

    TsdfVolume volume;
    float least_weight = 1.0f;

    Image field; ///< for a dense volume, like the next one
    Image known;
    Buffer values; ///< for bricks, like the next one
    SparseBricks bricks;

    static void describe(PassInfo<MappingField>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::TsdfStorage> {
    static constexpr std::array<std::string_view, 2> names{"dense", "bricks"};
};
