#pragma once

#include "passes/geometry/fragment_lists.hpp"
#include "passes/scene/environment_map.hpp"
#include "passes/volume/media.hpp"

#include <span>

namespace tuff::passes {

/// How it is known what media the eye is in.
enum class EyeInside : std::uint8_t {
    whole_lists, ///< lists hold all faces, also hidden ones: what is left over is at the eye
    near_pass,   ///< lists hold what is visible; another pass sums up all faces in three images
    near_state,  ///< the same images, drawn along with the lists
};

/// Faces of meshes in each texel, by distance, and what the eye is in.
struct CapturedFaces {
    FragmentLists lists;   ///< of payload "face", in arrays; the status is their number alone
    Image near_extinction; ///< not for `whole_lists`
    Image near_emission;
    Image near_scatter;
    Image near_shadows; ///< only where lights beyond the second are shadowed
};

/// What finds the faces of meshes in pixels.
enum class FaceRasterizer : std::uint8_t {
    device,  ///< the device's own
    compute, ///< kernels: for devices that compute faster than they rasterize
};

/// What meshes reflect.
struct Reflections {
    EnvironmentMap map; ///< not connected: `radiance` from all around
    glm::vec3 radiance{0.0f};
};

/// Draws all media's meshes into lists: counts, scans, stores, sorts.
CapturedFaces capture_faces(Graph& graph, std::span<const MeshMedium> media, const VolumeView& view,
                            Image opaque, EyeInside mode, const Reflections& reflections,
                            std::uint32_t room);

/// Puts the faces of each pixel in the order of their distances.
void sort_faces(Graph& graph, FragmentLists& lists);

/// Words of a pixel that count the faces of as many media, where a device cannot blend 32-bit
/// floats.
std::uint32_t near_state_words(std::size_t media);

/// How near to the eye faces are still drawn. The camera's own near plane would take away the
/// fronts of media that reach it.
float nearest_face(const Camera& camera);

/// Binds and sets what shaders/volume/reflection.glsl takes.
void set_reflections(Graph& graph, KernelNode& node, std::span<const MeshMedium> media,
                     const Reflections& reflections);

/// Lights that counters of shadows are kept for: the highest that has one, but at least two.
std::uint32_t shadowed_lights(std::span<const MeshMedium> media);

/// Sets the arrays that shaders/volume/media.glsl takes.
void set_media(KernelNode& node, std::span<const MeshMedium> media);

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::EyeInside> {
    static constexpr std::array<std::string_view, 3> names{"whole_lists", "near_pass",
                                                           "near_state"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::FaceRasterizer> {
    static constexpr std::array<std::string_view, 2> names{"device", "compute"};
};
