#pragma once

#include "passes/common/picture.hpp"
#include "passes/scene/environment_map.hpp"
#include "passes/volume/capture.hpp"
#include "passes/volume/media.hpp"

#include <array>

namespace tuff::passes {

/// Which spheres a ray tries.
enum class SphereSearch : std::uint8_t { all, tiles };

/// What to do where a ray is in more spheres at a time than its list holds.
enum class ListOverflow : std::uint8_t {
    early, ///< the nearest end goes out although another may lie before it
    drop,  ///< a sphere without room is not there
};

/// A map of radii, as shaders/volume/spheres.glsl looks it up.
struct RadiusMap {
    static constexpr std::string_view kPortType = "RadiusMap";

    Image cube; ///< r32_sfloat or rgba16_sfloat: share of the sphere's radius, 0 to 1

    explicit operator bool() const { return bool(cube); }
    std::vector<PortMember> members() const { return {{"cube", cube}}; }
};

/// Light through media. See `describe`.
struct VolumeFragments {
    static constexpr std::string_view kName = "volume/fragments";

    Image opaque;
    MediaSpheres spheres;           ///< optional
    std::vector<MeshMedium> meshes; ///< optional
    RadiusMap radius_map;           ///< optional
    EnvironmentMap environment;     ///< optional
    Scene scene;                    ///< optional
    CameraParameters camera;
    MediaLights lights;
    SphereSearch search = SphereSearch::tiles;
    std::uint32_t tile = 16;
    std::uint32_t tile_capacity = 1u << 22;
    std::uint32_t list_capacity = 16;
    ListOverflow overflow = ListOverflow::early;
    std::uint32_t fragments_per_pixel = 8;
    FaceRasterizer rasterizer = FaceRasterizer::device;
    EyeInside eye_inside = EyeInside::whole_lists;
    float softness = 0.0f;
    glm::vec3 reflected{1.0f};
    float least_transmittance = 1.0f / 1024.0f;
    OutputFormat format = OutputFormat::rgba16_sfloat;
    Image result;
    Image transmittance;
    Buffer status;

    static void describe(PassInfo<VolumeFragments>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::SphereSearch> {
    static constexpr std::array<std::string_view, 2> names{"all", "tiles"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::ListOverflow> {
    static constexpr std::array<std::string_view, 2> names{"early", "drop"};
};
