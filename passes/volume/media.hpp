#pragma once

#include "passes/geometry/triangle_mesh.hpp"
#include "passes/scene/camera_parameters.hpp"

#include <tuff/diagnostic.hpp>
#include <tuff/graph.hpp>
#include <tuff/pass.hpp>
#include <tuff/scene_resources.hpp>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

/// What the passes of volumetric transparency share. A medium fills a closed body evenly. Per
/// length, light of a ray is lost by its extinction, and gained by its emission and by its
/// scattering times the light that falls on it; where bodies overlap, these add up.
namespace tuff::passes {

/// The largest parameter "softness", in radii.
inline constexpr double kMaxSoftness = 64.0;

/// Balls of media.
struct MediaSpheres {
    static constexpr std::string_view kPortType = "MediaSpheres";

    Buffer balls;  ///< a vec4 a sphere: centre and radius
    Buffer optics; ///< three vec4 a sphere: extinction, emission and scattering, rgb per world
                   ///< unit. The fourth numbers are the modified Rodrigues parameters of its
                   ///< rotation: the axis times tan(angle / 4), of length at most 1
    std::uint32_t count = 0; ///< the buffers have room for one where there are none

    explicit operator bool() const { return balls && optics; }
    std::vector<PortMember> members() const {
        return {{"balls", balls, BufferElements::of<glm::vec4>()},
                {"optics", optics, BufferElements::of<glm::vec4>()}};
    }
};

/// A body of a medium, or a shadow, that is bounded by a closed mesh.
struct MeshMedium {
    static constexpr std::string_view kPortType = "MeshMedium";

    TriangleMesh mesh;
    Buffer normals;   ///< three floats a vertex, or not connected: the triangles' own
    Buffer arguments; ///< of an indirect draw, or not connected: all triangles
    glm::vec3 extinction{0.0f};
    glm::vec3 emission{0.0f};
    glm::vec3 scatter{0.0f};
    float reflectance = 0.0f;    ///< of its surface, seen along the normal
    std::uint32_t shadow_of = 0; ///< 0: a medium; else a shadow of light number `shadow_of` - 1

    explicit operator bool() const { return bool(mesh); }
    std::vector<PortMember> members() const { return mesh.members(); }
};

inline constexpr std::uint32_t kMaxMedia = 256;        // as in shaders/volume/media.glsl
inline constexpr std::uint32_t kMaxLights = 8;         // that shadows keep away
inline constexpr std::uint32_t kMaxVolumeSide = 8192;  // texels
inline constexpr std::uint32_t kMaxSpheres = 1u << 24; // their numbers are doubled in lists
inline constexpr double kMaxOptics = 1e6;              // per world unit

/// What a picture of media says of itself: the words of `VolumeFragments::status`.
struct VolumeStatus {
    std::uint32_t dropped_spheres = 0;  ///< not finite, not of positive radius, or of a medium with
                                        ///< a negative number
    std::uint32_t list_overflows = 0;   ///< times that a ray's list of spheres was full
    std::uint32_t fragments_needed = 0; ///< capacity that would hold all faces of meshes
    std::uint32_t pixels_without_room = 0; ///< whose faces did not fit: they show no meshes
    std::uint32_t odd_pixels = 0; ///< where more faces are entered than left: a mesh is not closed
    std::uint32_t tile_entries_needed = 0; ///< capacity that would hold all lists of tiles
    std::uint32_t tiles_without_room = 0;  ///< whose rays tried all spheres
    std::uint32_t longest_list = 0;        ///< most ends of spheres that a ray kept at a time
    // Meshes that the eye is in, shadows too, as the faces of a pixel say. Where all meshes are
    // closed, all pixels say the same. `fewest_inside` has all bits set where no pixel has room.
    std::uint32_t most_inside = 0;
    std::uint32_t fewest_inside = 0;
    std::uint32_t padding[6] = {};

    static constexpr std::string_view kStructName = "VolumeStatus";
    static constexpr auto members() {
        return std::array{TUFF_MEMBER(VolumeStatus, dropped_spheres),
                          TUFF_MEMBER(VolumeStatus, list_overflows),
                          TUFF_MEMBER(VolumeStatus, fragments_needed),
                          TUFF_MEMBER(VolumeStatus, pixels_without_room),
                          TUFF_MEMBER(VolumeStatus, odd_pixels),
                          TUFF_MEMBER(VolumeStatus, tile_entries_needed),
                          TUFF_MEMBER(VolumeStatus, tiles_without_room),
                          TUFF_MEMBER(VolumeStatus, longest_list),
                          TUFF_MEMBER(VolumeStatus, most_inside),
                          TUFF_MEMBER(VolumeStatus, fewest_inside)};
    }
    static VolumeStatus read(std::span<const std::uint32_t> words);
    /// Warnings, with a code each, for what was dropped or found no room.
    Diagnostics warnings() const;
    std::vector<PoolNeed> pool_needs() const; ///< "fragments" and "tile_entries"
};
static_assert(sizeof(VolumeStatus) == 64);

/// The lights of media, as a parameter group: each scatters evenly, wherever it is not shadowed.
struct MediaLights {
    glm::vec3 even{0.0f};
    glm::vec3 sun{1.0f};
    glm::vec3 second{0.0f};
    glm::vec3 third{0.0f};
    glm::vec3 fourth{0.0f};
    glm::vec3 fifth{0.0f};
    glm::vec3 sixth{0.0f};
    glm::vec3 seventh{0.0f};
    glm::vec3 eighth{0.0f};

    /// Lights that can be shadowed, by number.
    std::array<glm::vec3, kMaxLights> shadowed() const {
        return {sun, second, third, fourth, fifth, sixth, seventh, eighth};
    }
    glm::vec3 sum() const;

    static void describe_fields(auto&& field) {
        field("even", &MediaLights::even,
              "light from all directions: the sum of all lights without shadows")
            .range(0.0, 65504.0);
        field("sun", &MediaLights::sun,
              "light 0, the sun: scattered towards the eye outside its shadows, per scattering")
            .range(0.0, 65504.0);
        field("second", &MediaLights::second, "light 1, as the sun").range(0.0, 65504.0);
        field("third", &MediaLights::third, "light 2, as the sun").range(0.0, 65504.0);
        field("fourth", &MediaLights::fourth, "light 3, as the sun").range(0.0, 65504.0);
        field("fifth", &MediaLights::fifth, "light 4, as the sun").range(0.0, 65504.0);
        field("sixth", &MediaLights::sixth, "light 5, as the sun").range(0.0, 65504.0);
        field("seventh", &MediaLights::seventh, "light 6, as the sun").range(0.0, 65504.0);
        field("eighth", &MediaLights::eighth, "light 7, as the sun").range(0.0, 65504.0);
    }
};

/// Rays of a camera through a picture, as shaders/volume/view.glsl has them.
struct VolumeView {
    Camera camera;
    std::uint32_t width = 0;
    std::uint32_t height = 0;

    /// Sets eye, first, per_x, per_y and size.
    void set(KernelNode& node) const;
    /// Like the above without `eye` and `size`.
    void set_rays(KernelNode& node) const;
    void dispatch(ComputeNodeBuilder& node) const; ///< an invocation a texel
};

/// The view that these parameters mean; nothing, and a report, where one is refused. Codes: those
/// of `resolve_camera`, pass/out-of-range, volume/parallel-rays.
std::optional<VolumeView> volume_view(Graph& graph, const Scene& scene,
                                      const CameraParameters& camera, std::uint32_t width,
                                      std::uint32_t height);

/// Checks what a pass is given: reports graph/unconnected, primitives/too-short where a buffer
/// holds fewer spheres than there are, or pass/out-of-range where there are too many.
[[nodiscard]] bool is_valid(Graph& graph, const MediaSpheres& spheres);

/// None: for where no spheres are connected.
MediaSpheres no_spheres(Graph& graph);

/// An invalid picture's stand-in, so that users of the result find what they expect.
Image volume_picture(Graph& graph, std::string_view name, Extent extent, Format format);

} // namespace tuff::passes
