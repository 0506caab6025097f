#pragma once

#include "passes/volume/view_rays.hpp"

#include <glm/vec4.hpp>

namespace tuff::passes {

/// What rays through a volume look for.
enum class VolumeCastMode : std::uint8_t {
    composite, ///< all of it, under the transfer function
    surface,   ///< the first place whose number is `surface`
};

/// How steps are looked up in the transfer function.
enum class TransferLookup : std::uint8_t {
    number, ///< by the number in the middle of a step
    pair,   ///< by the numbers at both ends
};

/// The light of a cast, as a parameter group.
struct CastLight {
    glm::vec3 towards{0.45f, 0.75f, 0.5f};
    glm::vec3 color{1.0f};
    float ambient = 0.35f;
    float diffuse = 0.65f;
    float specular = 0.2f;
    float shininess = 30.0f;
    float least_change = 0.0f;

    static void describe_fields(auto&& field);
};

/// Which part of a larger volume the source is, as a parameter group.
struct VolumePart {
    glm::ivec3 cells{0}; ///< texels of the whole; 0: the source is all of it
    glm::ivec3 first{0};
    std::int32_t halo = 1;

    static void describe_fields(auto&& field);
};

/// A volume by rays from front to back. See `describe`.
struct VolumeCast {
    static constexpr std::string_view kName = "volume/cast";

    Image source;
    Scene scene;        ///< optional
    Image behind;       ///< optional
    Image behind_depth; ///< optional
    Image open;         ///< optional
    VolumeNumber number = VolumeNumber::red;
    VolumeFilter filter = VolumeFilter::linear;
    std::vector<float> weights;
    VolumeFiltering filtering = VolumeFiltering::before;
    glm::vec3 spacing{1.0f};
    VolumeCastMode mode = VolumeCastMode::composite;
    std::vector<float> transfer{0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 1.0f, 1.0f, 1.0f, 1.0f, 0.1f};
    float unit = 1.0f;
    TransferLookup lookup = TransferLookup::number;
    float surface = 0.5f;
    glm::vec3 surface_color{0.8f, 0.76f, 0.7f};
    std::uint32_t refinements = 8;
    bool shaded = false;
    CastLight light;
    float opaque = 0.003f;
    float jitter = 0.0f;
    std::uint32_t seed = 0;
    bool skip = true;
    std::uint32_t width = 640;
    std::uint32_t height = 480;
    CameraParameters camera;
    VolumeRays rays = VolumeRays::perspective;
    VolumeSpace space = VolumeSpace::box;
    VolumeUp up = VolumeUp::y;
    glm::vec3 origin{0.0f};
    std::vector<float> axes;
    glm::vec3 clip_low{0.0f};
    glm::vec3 clip_high{1.0f};
    std::vector<float> clip_planes;
    float step = 0.5f;
    glm::vec4 background{0.0f, 0.0f, 0.0f, 1.0f};
    VolumePart part;
    Image result;
    Image depth;
    Buffer eye; ///< of a part
    Buffer range;
    Buffer histogram;

    static void describe(PassInfo<VolumeCast>& info);
    void build(Graph& graph);
};

void CastLight::describe_fields(auto&& field) {
    using L = CastLight;
    field("towards", &L::towards, "direction in the space of the camera; any length but 0")
        .range(-1e6, 1e6);
    field("color", &L::color, "linear color of the light").range(0.0, 65504.0);
    field("ambient", &L::ambient, "share of light from all sides").range(0.0, 100.0);
    field("diffuse", &L::diffuse, "share of light that surfaces scatter").range(0.0, 100.0);
    field("specular", &L::specular, "share of light that surfaces reflect").range(0.0, 100.0);
    field("shininess", &L::shininess, "exponent of the reflection: more makes it smaller")
        .range(1.0, 1000.0);
    field("least_change", &L::least_change,
          "gradient, in numbers for each texel, of a surface: places at most half as steep are lit "
          "evenly, which spares noise and sections of uniform material")
        .range(0.0, 1e9);
}

void VolumePart::describe_fields(auto&& field) {
    using P = VolumePart;
    field("cells", &P::cells,
          "texels of the whole volume, for example \"$cells_x\", of which the source is a part; 0: "
          "it is the whole")
        .range(0, 1e9)
        .unit("texels")
        .structural();
    field("first", &P::first, "first texel of the part, for example \"$part_x\"")
        .range(0, 1e9)
        .unit("texels")
        .structural();
    field("halo", &P::halo, "width of the halo on each side of the part, along all axes")
        .range(1, 64)
        .unit("texels")
        .structural();
}

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::VolumeCastMode> {
    static constexpr std::array<std::string_view, 2> names{"composite", "surface"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::TransferLookup> {
    static constexpr std::array<std::string_view, 2> names{"number", "pair"};
};
