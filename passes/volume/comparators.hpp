#pragma once

#include "passes/common/picture.hpp"
#include "passes/volume/media.hpp"

#include <array>

/// Other ways to draw balls of media, to compare volume/fragments with.
namespace tuff::passes {

/// Small steps along each ray. See `describe`.
struct VolumeRayMarch {
    static constexpr std::string_view kName = "volume/ray_march";

    Image opaque;
    MediaSpheres spheres;
    Scene scene; ///< optional
    CameraParameters camera;
    MediaLights lights;
    std::uint32_t steps = 256;
    float range = 20.0f;
    float softness = 0.0f;
    OutputFormat format = OutputFormat::rgba16_sfloat;
    Image result;

    static void describe(PassInfo<VolumeRayMarch>& info);
    void build(Graph& graph);
};

/// How a billboard ends where something opaque is in the way.
enum class BillboardEdge : std::uint8_t {
    hard, ///< it is there in full, or not at all, by the depth of its middle
    soft, ///< as thick as the part of the ball that can be seen
};

/// Each ball blended as a whole. See `describe`.
struct VolumeBillboards {
    static constexpr std::string_view kName = "volume/billboards";

    Image opaque;
    MediaSpheres spheres;
    Scene scene; ///< optional
    CameraParameters camera;
    MediaLights lights;
    BillboardEdge edge = BillboardEdge::soft;
    std::uint32_t tile = 16;
    std::uint32_t tile_capacity = 1u << 22;
    float softness = 0.0f;
    OutputFormat format = OutputFormat::rgba16_sfloat;
    Image result;

    static void describe(PassInfo<VolumeBillboards>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::BillboardEdge> {
    static constexpr std::array<std::string_view, 2> names{"hard", "soft"};
};
