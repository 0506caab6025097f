#include "passes/volume/medium.hpp"

#include "passes/bvh/bvh.hpp"
#include "passes/geometry/triangles.hpp"
#include "passes/primitives/elements.hpp"

#include <algorithm>

namespace tuff::passes {
namespace {

/// Normals of a scene's vertices, as geometry/triangles orders them.
Buffer add_normals(Graph& graph, const Scene& scene, std::uint32_t vertices) {
    ComputeNodeBuilder node = graph.compute("volume/normals");
    node.read("vertices", scene.vertices);
    node.read("draws", scene.draws);
    node.read("starts", scene.starts);
    node.read("transforms", scene.transforms);
    node.set("draw_count", static_cast<std::uint32_t>(scene.data->draws.size()));
    node.set("vertex_count", vertices);
    node.dispatch_each(vertices);
    return node.write("normals", array(graph, "normals", std::uint64_t{3} * vertices));
}

} // namespace

void VolumeMedium::describe(PassInfo<VolumeMedium>& info) {
    info.summary("Fills a closed mesh with a medium: smoke, colored glass, glowing gas")
        .details(
            "A ray enters the medium at a front face and leaves it at a back face; front faces are "
            "counter-clockwise. Where a mesh overlaps itself, the medium counts twice. Holes in a "
            "mesh let the medium leak; volume/fragments counts such pixels. Give a mesh or a "
            "scene; only a scene has the normals that a reflecting surface needs to look smooth.")
        .source("Szecsi, Barta and Kovacs, \"Volumetric Transparency with Per-Pixel Fragment "
                "Lists\", GPU Pro 3, 2012")
        .complexity("O(vertices + triangles)")
        .cost([](const VolumeMedium& pass, const Graph&) {
            return Cost{.bytes = 76.0 * pass.medium.mesh.vertex_count,
                        .operations = 20.0 * pass.medium.mesh.vertex_count};
        });
    info.optional_input("mesh", &VolumeMedium::mesh, "a closed mesh; not needed with a scene");
    info.optional_input("scene", &VolumeMedium::scene, "closed meshes, in place of \"mesh\"");
    info.parameter("extinction", &VolumeMedium::extinction, "share of the light lost per length")
        .range(0.0, kMaxOptics)
        .unit("1 / world unit");
    info.parameter("albedo", &VolumeMedium::albedo,
                   "albedo: the share of the lost light that is scattered")
        .range(0.0, 1.0);
    info.parameter("emission", &VolumeMedium::emission, "emission: radiance gained per length")
        .range(0.0, kMaxOptics)
        .unit("1 / world unit");
    info.parameter("reflectance", &VolumeMedium::reflectance,
                   "reflectance of the surface at normal incidence; 0.04 is glass, 0 is no surface")
        .range(0.0, 1.0);
    info.output("medium", &VolumeMedium::medium, "for \"meshes\" of volume/fragments");
}

void VolumeMedium::build(Graph& graph) {
    if (scene) {
        medium.mesh = graph.add(Triangles{.scene = scene}).mesh;
        if (reflectance > 0.0f)
            medium.normals = add_normals(graph, scene, medium.mesh.vertex_count);
    } else {
        if (!passes::is_valid(graph, mesh)) return;
        medium.mesh = mesh;
    }
    medium.extinction = extinction;
    medium.emission = emission;
    medium.scatter = albedo * extinction;
    medium.reflectance = reflectance;
}

TUFF_PASS(VolumeMedium)

} // namespace tuff::passes
