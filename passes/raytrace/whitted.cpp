#include "passes/raytrace/whitted.hpp"

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxPointLights = 32;

/// The stages that light hits: one a shadow ray. `parameters` must live as long as they.
std::vector<Shader> light_stages(const std::vector<RayLight>& lights,
                                 const TracerParameters& parameters) {
    std::vector<Shader> stages;
    for (const RayLight& light : lights)
        for (const LightPoint& point : points_of(light))
            stages.push_back({.kernel = "raytrace/light_rays",
                              .bind = [point, &parameters](ComputeNodeBuilder& node) {
                                  node.set("light_position", point.position);
                                  node.set("light_direction", point.direction);
                                  node.set("light_strength", point.strength);
                                  node.set("cone_scale", point.cone_scale);
                                  node.set("cone_offset", point.cone_offset);
                                  node.set("is_area", std::uint32_t(point.is_area));
                                  node.set("roughness_scale", parameters.roughness_scale);
                                  node.set("specular", parameters.specular);
                                  node.set("shadows", std::uint32_t(parameters.shadows));
                              }});
    return stages;
}

/// Shadow rays of a hit.
std::size_t light_rays_of(const std::vector<RayLight>& lights) {
    std::size_t rays = 0;
    for (const RayLight& light : lights)
        rays += points_of(light).size();
    return rays;
}

} // namespace

void TraceWhitted::describe(PassInfo<TraceWhitted>& info) {
    info.summary("Traces a picture with shadows and reflections")
        .details(
            "Rays start through pixel centers; kernels shade their hits and reflect the rays, up "
            "to \"bounces\" times. The sun is a light without size, and shadow rays go to it and "
            "to the lights of raytrace/light. The share 1 - roughness of a material's reflection "
            "is traced, weighted by Schlick's Fresnel term. The rest is looked up in the blurred "
            "environment, which also lights matt surfaces; both ignore occlusion.\n\nTextures "
            "(among them normal, metallic and roughness, occlusion and emission) are looked up at "
            "the level whose texels match the size of a pixel at the surface: rays are cones, and "
            "reflections at curved and rough surfaces widen them. Shadow rays test masks at the "
            "finest level.\n\nFaces are visible from both sides. A ray passes masked and blended "
            "surfaces, which counts as a bounce. Shadow rays pass any number of them and lose the "
            "share of light that they block; in a scene without such materials the first hit ends "
            "a shadow ray.\n\nThe rays that continue after a bounce are gathered into a queue; "
            "with \"scheduling\" \"all\", as in the chapter, dead rays return at once. The "
            "chapter's listing ignores the greatest t of a ray and identifies a ray's own triangle "
            "only by its number; here shadow rays end at the light, and rays start slightly off "
            "the surface.")
        .source(
            "Garcia, Avila, Ribeiro and Garcia, \"Interactive Ray Tracing Using the Compute "
            "Shader in DirectX 11\", GPU Pro 3, 2012; Whitted, \"An Improved Illumination "
            "Model for Shaded Display\", CACM 1980; Akenine-Moeller and others, \"Texture Level "
            "of Detail Strategies for Real-Time Ray Tracing\", Ray Tracing Gems, 2019 (cones)")
        .complexity("O(pixels * bounces * log triangles)")
        .cost([](const TraceWhitted& pass, const Graph&) {
            const double rays = static_cast<double>(pass.width) * pass.height * (pass.bounces + 1);
            const double lights = static_cast<double>(light_rays_of(pass.lights));
            return Cost{.bytes = (350.0 + 250.0 * lights) * rays,
                        .operations = (2000.0 + 1000.0 * lights) * rays};
        });
    describe_tracer(info);
    describe_shapes(info);
    info.input_list("lights", &TraceWhitted::lights, "lights from raytrace/light")
        .wires(0, kMaxPointLights);
    info.output("color", &TraceWhitted::color, "scene-linear, rgba32_sfloat");
}

Image trace_whitted(Graph& graph, TracerSetup& setup, const TracerParameters& parameters,
                    const std::vector<RayLight>& lights) {
    Tracing& tracing = setup.tracing;
    if (!tracing.waves) warn_of_ended_loops(graph, tracing.bvh, parameters.traversal);
    tracing.light_rays = light_stages(lights, parameters);
    const Shader shader{.kernel = "raytrace/shade_whitted", .bind = [&](ComputeNodeBuilder& node) {
                            bind_shading(node, parameters, setup.around);
                            node.read("environment_map", setup.around.map.specular);
                            node.read("irradiance", setup.around.map.irradiance);
                        }};
    Paths paths = begin_paths(graph, tracing, setup.camera, 0, {});
    paths = graph.repeat("bounce", parameters.bounces + 1, paths,
                         [&](const Paths& before, std::uint32_t i) {
                             return trace_bounce(graph, tracing, before, shader,
                                                 {.bounce = i, .last = parameters.bounces});
                         });
    ComputeNodeBuilder node = graph.compute("raytrace/resolve");
    node.read("paths", paths.paths);
    node.set("size", glm::uvec2(parameters.width, parameters.height));
    node.set("tiles_per_row", setup.camera.size.tiles_per_row());
    node.set("slots", tracing.slots);
    const Image color = node.write("result", graph.image("color", picture_desc(parameters)));
    node.dispatch_each(tracing.slots);
    return color;
}

void TraceWhitted::build(Graph& graph) {
    auto setup = set_up(graph, scene, bvh, environment, *this);
    if (setup && add_shapes(graph, *setup, shapes))
        color = trace_whitted(graph, *setup, *this, lights);
}

TUFF_PASS(TraceWhitted)

} // namespace tuff::passes
