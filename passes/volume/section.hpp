#pragma once

#include "passes/volume/sampled_volume.hpp"

#include <glm/vec4.hpp>

namespace tuff::passes {

/// What becomes of the numbers across a slab, or along a ray.
enum class VolumeCombine : std::uint8_t { mean, maximum, minimum };

/// What of the texels is shown.
enum class VolumeShows : std::uint8_t { number, color };

/// An axis of a volume.
enum class VolumeAxis : std::uint8_t { x, y, z };

/// A slice of a volume across an axis. See `describe`.
struct VolumeSlice {
    static constexpr std::string_view kName = "volume/slice";

    Image source;
    VolumeNumber number = VolumeNumber::red;
    VolumeFilter filter = VolumeFilter::linear;
    std::vector<float> weights;
    VolumeFiltering filtering = VolumeFiltering::before;
    glm::vec3 spacing{1.0f};
    VolumeAxis axis = VolumeAxis::z;
    std::int32_t index = -1;
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    bool upwards = false;
    float thickness = 0.0f;
    VolumeCombine combine = VolumeCombine::mean;
    VolumeShows show = VolumeShows::number;
    float low = 0.0f;
    float high = 1.0f;
    glm::vec4 background{0.0f, 0.0f, 0.0f, 1.0f};
    Image result;
    Image values;

    static void describe(PassInfo<VolumeSlice>& info);
    void build(Graph& graph);
};

/// A plane through a volume, in any direction. See `describe`.
struct VolumeOblique {
    static constexpr std::string_view kName = "volume/oblique";

    Image source;
    VolumeNumber number = VolumeNumber::red;
    VolumeFilter filter = VolumeFilter::linear;
    std::vector<float> weights;
    VolumeFiltering filtering = VolumeFiltering::before;
    glm::vec3 spacing{1.0f};
    glm::vec3 point{0.5f};
    glm::vec3 normal{1.0f, 1.0f, 1.0f};
    glm::vec3 up{0.0f, 1.0f, 0.0f};
    float pixel = 0.0f;
    std::uint32_t width = 512;
    std::uint32_t height = 512;
    float thickness = 0.0f;
    VolumeCombine combine = VolumeCombine::mean;
    VolumeShows show = VolumeShows::number;
    float low = 0.0f;
    float high = 1.0f;
    glm::vec4 background{0.0f, 0.0f, 0.0f, 1.0f};
    Image result;
    Image values;

    static void describe(PassInfo<VolumeOblique>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::VolumeCombine> {
    static constexpr std::array<std::string_view, 3> names{"mean", "maximum", "minimum"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::VolumeShows> {
    static constexpr std::array<std::string_view, 2> names{"number", "color"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::VolumeAxis> {
    static constexpr std::array<std::string_view, 3> names{"x", "y", "z"};
};
