#pragma once

#include "passes/scene/camera_parameters.hpp"
#include "passes/volume/sampled_volume.hpp"

#include <tuff/camera.hpp>
#include <tuff/scene_resources.hpp>

#include <glm/mat4x4.hpp>

#include <array>
#include <optional>
#include <string_view>
#include <vector>

/// Rays of cameras through volumes, which the passes share that follow them.
namespace tuff::passes {

/// Whether rays come from the camera or all have its direction.
enum class VolumeRays : std::uint8_t { perspective, orthographic };

/// Where the volume is.
enum class VolumeSpace : std::uint8_t {
    box,   ///< about the origin, the longest side 2
    world, ///< where `origin`, `spacing` and `axes` say
};

/// Which axis of a volume leads upwards in a box.
enum class VolumeUp : std::uint8_t { y, z };

/// The parameters of rays that passes share.
struct ViewParameters {
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
};

/// Describes the fields of ViewParameters, which the pass has under the same names, and `scene`.
template <typename Pass>
void describe_view(PassInfo<Pass>& info) {
    info.optional_input("scene", &Pass::scene,
                        "in the world, the scene that the camera orbits or comes from; without it "
                        "the camera orbits the volume");
    info.parameter("width", &Pass::width, "width of the picture")
        .range(1, 16384)
        .unit("texels")
        .structural();
    info.parameter("height", &Pass::height, "height of the picture")
        .range(1, 16384)
        .unit("texels")
        .structural();
    info.group("camera", &Pass::camera);
    info.parameter("rays", &Pass::rays,
                   "\"perspective\" rays start at the camera; \"orthographic\" rays are parallel "
                   "and show the same size at the camera's target")
        .structural();
    info.parameter("space", &Pass::space,
                   "\"box\": the volume is centered at the origin, with a longest side of 2; "
                   "\"world\": \"origin\", \"spacing\" and \"axes\" place it")
        .structural();
    info.parameter("up", &Pass::up, "in a box, the axis of the volume that points up").structural();
    info.parameter("origin", &Pass::origin, "in the world, the center of the first texel")
        .unit("world units");
    info.parameter("axes", &Pass::axes,
                   "in the world, the directions of the texels' x, y and z: three vectors; empty: "
                   "the world's axes")
        .range(-1.0, 1.0);
    info.parameter("clip_low", &Pass::clip_low,
                   "corner where the shown part begins; 0: the first texel")
        .range(0.0, 1.0);
    info.parameter("clip_high", &Pass::clip_high,
                   "corner where the shown part ends; 1: the last texel")
        .range(0.0, 1.0);
    info.parameter("clip_planes", &Pass::clip_planes,
                   "up to six planes a, b, c, d in the space of the camera: points with a x + b y "
                   "+ c z > d are cut away")
        .range(-1e9, 1e9);
    info.parameter("step", &Pass::step,
                   "distance between two samples of a ray, in texels of the finest spacing")
        .range(0.05, 4.0)
        .unit("texels");
}

/// The parameters of a pass that describes them by `describe_view`.
template <typename Pass>
ViewParameters view_parameters(const Pass& pass) {
    return {pass.width,  pass.height, pass.camera,   pass.rays,      pass.space,       pass.up,
            pass.origin, pass.axes,   pass.clip_low, pass.clip_high, pass.clip_planes, pass.step};
}

/// Rays, ready for kernels with a `ViewRays rays` among their parameters.
struct ViewRays {
    Camera camera;
    glm::mat4 texels{1.0f}; ///< from the world to texels, whose first corner is 0
    float finest = 1.0f;    ///< the shortest edge of a texel, in the world
    ViewParameters parameters;
    glm::uvec3 dims{1};

    /// Sets the members of the kernel's `rays`.
    void set(ComputeNodeBuilder& node) const;
    float stride() const { return parameters.step * finest; }
    double steps_through() const; ///< of a ray along the longest side
};

/// Codes: `volume/bad-axes`, `volume/bad-planes`, and those of `camera_for`. `scene` may be empty.
std::optional<ViewRays> rays_through(Graph& graph, const SampledVolume& volume,
                                     const ViewParameters& parameters, const Scene& scene);

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::VolumeRays> {
    static constexpr std::array<std::string_view, 2> names{"perspective", "orthographic"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::VolumeSpace> {
    static constexpr std::array<std::string_view, 2> names{"box", "world"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::VolumeUp> {
    static constexpr std::array<std::string_view, 2> names{"y", "z"};
};
