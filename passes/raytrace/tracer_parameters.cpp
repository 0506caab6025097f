#include "passes/raytrace/tracer_parameters.hpp"

#include "passes/geometry/triangles.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tuff::passes {
namespace {

/// The hierarchy, or the bare triangles of the scene.
Bvh traced(Graph& graph, const Scene& scene, const Bvh& bvh) {
    if (bvh) return bvh;
    return without_hierarchy(graph.add(Triangles{.scene = scene}).mesh);
}

} // namespace

std::optional<TracerSetup> set_up(Graph& graph, const Scene& scene, const Bvh& bvh,
                                  const EnvironmentMap& environment,
                                  const TracerParameters& parameters) {
    const auto camera = camera_rays(graph, *scene.data, parameters.width, parameters.height,
                                    parameters.camera, parameters.lens);
    if (!camera) return {};
    TracerSetup setup{.camera = *camera, .tracing = {}, .around = {}};
    setup.camera.has_cones = parameters.texture_levels != TextureLevels::finest;
    setup.tracing.scene = scene;
    setup.tracing.bvh = traced(graph, scene, bvh);
    setup.tracing.query = {.traversal = parameters.traversal, .test = parameters.test};
    setup.tracing.scheduling = parameters.scheduling;
    setup.tracing.slots = camera->size.slots();
    if (!is_valid(graph, setup.tracing.bvh, parameters.traversal)) return {};
    if (!setup.tracing.bvh.mesh.draws || setup.tracing.bvh.instances) {
        graph.error("raytrace/no-draws", "the triangles of the hierarchy do not store their draws",
                    "build it over the mesh of geometry/triangles");
        return {};
    }
    setup.tracing.batches = material_batches(graph, *scene.data, parameters.materials);
    if (setup.tracing.batches.empty()) return {};
    setup.tracing.see_through =
        see_through(graph, scene, setup.tracing.bvh.mesh, parameters.materials);
    setup.around = surroundings(graph, environment, parameters.ambient);
    return setup;
}

bool add_shapes(Graph& graph, TracerSetup& setup, const RayShapes& shapes) {
    const std::size_t materials = setup.tracing.scene.data->materials.size();
    if (shapes && shapes.material >= materials) {
        graph.error("raytrace/no-material",
                    fmt::format("shapes use material {}, but the scene has {} materials",
                                shapes.material, materials),
                    "count materials from 0, in the order of the scene");
        return false;
    }
    setup.tracing.shapes = shapes;
    return true;
}

ImageDesc picture_desc(const TracerParameters& parameters) {
    return {.format = Format::rgba32_sfloat, .extent = {parameters.width, parameters.height, 1}};
}

void bind_shading(ComputeNodeBuilder& node, const TracerParameters& parameters,
                  const EnvironmentLight& around) {
    bind_lights(node, parameters.sun, around);
    node.set("show_environment", std::uint32_t(parameters.show_environment));
    node.set("background", parameters.background);
    node.set("roughness_scale", parameters.roughness_scale);
    node.set("specular", parameters.specular);
    node.set("shadows", std::uint32_t(parameters.shadows));
    node.set("cones", static_cast<std::uint32_t>(parameters.texture_levels));
}

} // namespace tuff::passes
