#pragma once

#include "passes/raytrace/environment_light.hpp"
#include "passes/raytrace/wavefront.hpp"

#include <tuff/pass.hpp>

#include <optional>

/// Inputs and parameters that the tracers of whole pictures share.
namespace tuff::passes {

inline constexpr std::uint32_t kMaxBounces = 64;

/// At which level textures are looked up. The numbers are those of raytrace/paths.glsl.
enum class TextureLevels : std::uint8_t {
    cones,        ///< by ray cones, which reflections blur as the material's roughness does
    mirror_cones, ///< by ray cones, of which all reflections are sharp
    finest,       ///< always the finest
};

struct TracerParameters {
    std::uint32_t width = 1280;
    std::uint32_t height = 720;
    std::uint32_t bounces = 3;
    CameraParameters camera;
    LensParameters lens;
    SunLight sun;
    glm::vec3 ambient{0.3f};
    glm::vec3 background{0.0f};
    bool show_environment = true;
    bool shadows = true;
    float roughness_scale = 1.0f;
    float specular = 1.0f;
    Traversal traversal = Traversal::automatic;
    TriangleTest test = TriangleTest::watertight;
    TextureLevels texture_levels = TextureLevels::cones;
    MaterialPasses materials = MaterialPasses::batches;
    PathScheduling scheduling = PathScheduling::compacted;
};

/// A tracer's picture, ready to be traced.
struct TracerSetup {
    CameraRays camera;
    Tracing tracing; ///< without `frame`
    EnvironmentLight around;
};

/// Checks what a tracer is given; nothing, and a report, where something is refused. Where no
/// hierarchy is connected, rays try every triangle of the scene.
std::optional<TracerSetup> set_up(Graph& graph, const Scene& scene, const Bvh& bvh,
                                  const EnvironmentMap& environment,
                                  const TracerParameters& parameters);

/// Puts shapes into what is traced, if they are connected; false, and a report, where they are
/// refused.
bool add_shapes(Graph& graph, TracerSetup& setup, const RayShapes& shapes);

/// What a tracer's picture is, also where its size is refused.
ImageDesc picture_desc(const TracerParameters& parameters);

/// Sets and binds what all kernels that shade declare, beside paths and surfaces.
void bind_shading(ComputeNodeBuilder& node, const TracerParameters& parameters,
                  const EnvironmentLight& around);

/// Declares the inputs and parameters of a pass that has fields of these types, called `scene`,
/// `bvh`, `environment`, and is a TracerParameters.
template <typename Pass>
void describe_tracer(PassInfo<Pass>& info) {
    info.input("scene", &Pass::scene, "the scene");
    info.optional_input("bvh", &Pass::bvh,
                        "a hierarchy over the scene's triangles from geometry/triangles; without "
                        "it, rays test every triangle");
    info.optional_input("environment", &Pass::environment, "the environment light");
    const auto parameter = [&](std::string_view name, auto field, std::string_view doc) {
        using T = std::remove_cvref_t<decltype(std::declval<Pass&>().*field)>;
        return info.parameter(name, static_cast<T Pass::*>(field), doc);
    };
    using P = TracerParameters;
    parameter("width", &P::width, "width of the picture")
        .range(1, kMaxTracedSide)
        .unit("texels")
        .structural();
    parameter("height", &P::height, "height of the picture")
        .range(1, kMaxTracedSide)
        .unit("texels")
        .structural();
    parameter("bounces", &P::bounces,
              "most reflections of a path; 0: only directly visible surfaces")
        .range(0, kMaxBounces)
        .structural();
    info.group("camera", static_cast<CameraParameters Pass::*>(&P::camera));
    info.group("sun", static_cast<SunLight Pass::*>(&P::sun));
    parameter("ambient", &P::ambient, "radiance from all directions if no environment is connected")
        .range(0.0, 65504.0);
    parameter("background", &P::background, "color behind the scene if no environment is shown")
        .range(0.0, 65504.0);
    parameter("show_environment", &P::show_environment,
              "shows the environment behind the scene; mirrors always show it");
    parameter("shadows", &P::shadows, "traces shadow rays to the lights");
    parameter("roughness_scale", &P::roughness_scale,
              "multiplies the roughness of all materials; 1 leaves the file's look")
        .range(0.0, 1.0);
    parameter("specular", &P::specular,
              "strength of the reflections of non-metals; 0: perfectly matt")
        .range(0.0, 1.0);
    parameter("traversal", &P::traversal, "how rays go through the hierarchy").structural();
    parameter("test", &P::test, "test of rays against triangles").structural();
    parameter("texture_levels", &P::texture_levels,
              "level of detail of textures: by ray cones, as wide as a pixel at the surface");
    parameter("materials", &P::materials,
              "how many materials are shaded at a time; the picture is the same")
        .structural();
    parameter("scheduling", &P::scheduling,
              "slots that the kernels of a bounce process; the picture is the same")
        .structural();
}

/// Declares the input `shapes` of a pass that has such a field.
template <typename Pass>
void describe_shapes(PassInfo<Pass>& info) {
    info.optional_input("shapes", &Pass::shapes,
                        "shapes that rays hit beside triangles, with materials of the scene, for "
                        "example from displacement/shapes. They block shadow rays fully and are "
                        "not sampled as lights");
}

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::TextureLevels> {
    static constexpr std::array<std::string_view, 3> names{"cones", "mirror_cones", "finest"};
};
