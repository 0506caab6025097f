#include "passes/lights/volumes.hpp"

#include "passes/common/picture.hpp"
#include "passes/lights/view.hpp"

#include <glm/matrix.hpp>

namespace tuff::passes {
namespace {

constexpr float kMaxVolumeRadiance = 65504.0f;

} // namespace

void LightVolumes::describe(PassInfo<LightVolumes>& info) {
    info.summary("Lights the surfaces of a picture light by light, as a baseline")
        .details(
            "This is classic deferred shading, for comparison with tiles. The device draws a "
            "rectangle around the sphere of each light, reads the pictures of surfaces at each "
            "of its pixels, and blends the light's contribution. The picture equals that of "
            "lights/shade except for the rounding of sums, which are stored as rgba16_sfloat "
            "after each light. Lights that emit nothing are not counted, so there is no "
            "lights/bad-light.")
        .source("Hargreaves and Harris, \"Deferred Shading\", NVIDIA, 2004; Stewart, "
                "\"Compute-Based Tiled Culling\", GPU Pro 6, 2015 (comparison)")
        .complexity("O(texels + pixels of all rectangles)")
        .cost([](const LightVolumes& pass, const Graph& graph) -> Cost {
            if (!pass.result) return {};
            const Extent extent = graph.extent(pass.result);
            const double texels = static_cast<double>(extent.width) * extent.height;
            return {.bytes = 36.0 * texels + 48.0 * pass.lights.count,
                    .operations = 100.0 * texels};
        });
    info.input("lights", &LightVolumes::lights, "point lights and spots");
    info.input("depth", &LightVolumes::depth, "depth of the picture: 0 near, 1 nothing")
        .depth_picture();
    info.input("normal", &LightVolumes::normal, "normals of surfaces, in world space").picture();
    info.input("albedo", &LightVolumes::albedo, "linear color of surfaces").picture();
    info.optional_input("material", &LightVolumes::material, kMaterialPicture).picture();
    info.optional_input("scene", &LightVolumes::scene,
                        "the scene that the camera is placed by, or whose camera is used");
    info.group("camera", &LightVolumes::camera);
    info.parameter("roughness", &LightVolumes::roughness,
                   "roughness of all surfaces, without \"material\"")
        .range(0.0, 1.0);
    info.parameter("metallic", &LightVolumes::metallic,
                   "metallic of all surfaces, without \"material\"")
        .range(0.0, 1.0);
    info.parameter("ambient", &LightVolumes::ambient,
                   "ambient light: multiplied by the surface's color and added")
        .range(0.0, kMaxVolumeRadiance);
    info.parameter("background", &LightVolumes::background, "color where there is no surface");
    info.output("result", &LightVolumes::result, "the lit picture, scene-linear, rgba16_sfloat");
}

void LightVolumes::build(Graph& graph) {
    Lights none = lights; // what is there without light, for the others to be added to
    none.count = 0;
    none.nodes = none.tops = {};
    const Image dark = graph
                           .add(ShadeLights{.lights = none,
                                            .depth = depth,
                                            .normal = normal,
                                            .albedo = albedo,
                                            .scene = scene,
                                            .camera = camera,
                                            .ambient = ambient,
                                            .background = background},
                                "dark")
                           .result;
    if (!dark || !is_valid(graph, lights) ||
        (material && !same_size(graph, depth, "depth", material, "material")))
        return;
    const Extent extent = graph.extent(depth);
    const std::optional<LightView> view =
        light_view(graph, camera, scene, extent.width, extent.height);
    if (!view) return;
    RasterNodeBuilder node = graph.raster("lights/volume", "volumes");
    node.match<LightShade>("shades");
    result = node.blended_color(dark, loaded());
    node.state().blend = {.source_color = BlendFactor::one,
                          .destination_color = BlendFactor::one,
                          .source_alpha = BlendFactor::zero,
                          .destination_alpha = BlendFactor::one};
    set_view(node, *view);
    node.set("view_from_world", view->view_from_world);
    node.set("world_from_view", glm::inverse(view->view_from_world));
    node.set("size", glm::vec2(extent.width, extent.height));
    node.set("near", view->near_plane);
    node.set("roughness", roughness);
    node.set("metallic", metallic);
    node.read("spheres", lights.spheres);
    node.read("shades", lights.shades);
    node.read("depth", ImageView(depth).mip(0), Sampler::nearest());
    node.read("normal", ImageView(normal).mip(0), Sampler::nearest());
    node.read("albedo", ImageView(albedo).mip(0), Sampler::nearest());
    node.read_optional("material", material ? ImageView(material).mip(0) : ImageView(material),
                       Sampler::nearest());
    constexpr std::uint32_t kCorners = 6;
    if (lights.count > 0) node.draw({.count = kCorners, .instance_count = lights.count});
}

TUFF_PASS(LightVolumes)

} // namespace tuff::passes
