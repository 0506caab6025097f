#include "passes/volume/shadow.hpp"

#include "passes/bvh/bvh.hpp"
#include "passes/common/picture.hpp"
#include "passes/primitives/elements.hpp"
#include "passes/primitives/radix_sort.hpp"
#include "passes/scene/sun_direction.hpp"

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxCasters = 1u << 24; // triangles, so that all corners can be addressed
constexpr double kLongest = 1e6;

bool is_valid(Graph& graph, const VolumeShadow& pass) {
    return is_valid(graph, pass.mesh) &&
           in_range(graph, "mesh.triangle_count", pass.mesh.triangle_count, 0, kMaxCasters);
}

} // namespace

void VolumeShadow::describe(PassInfo<VolumeShadow>& info) {
    info.summary("Makes the shadow volume of a closed mesh, as a closed mesh")
        .details("Connect the result to \"meshes\" of volume/fragments: it blocks the light from "
                 "all media inside. Shadows of one light may overlap. \"length\" must reach beyond "
                 "the media.\n\nThe light is directional. The shadow is bounded by the triangles "
                 "that face the light, by copies of them moved away from the light by \"length\", "
                 "and by a quad from each silhouette edge. Edges are found by sorting hashes of "
                 "their end points, so triangles need not share vertices, only positions. A mesh "
                 "may be open, or have edges with any number of triangles: an edge gets as many "
                 "quads as the signed sum of its triangles, so the shadow is always closed.")
        .source("Szecsi, Barta and Kovacs, \"Volumetric Transparency with Per-Pixel Fragment "
                "Lists\", GPU Pro 3, 2012; Crow, \"Shadow Algorithms for Computer Graphics\", "
                "SIGGRAPH 1977")
        .complexity("O(vertices + triangles)")
        .cost([](const VolumeShadow& pass, const Graph&) {
            return Cost{.bytes = 36.0 * pass.mesh.vertex_count + 250.0 * pass.mesh.triangle_count,
                        .operations = 200.0 * pass.mesh.triangle_count};
        });
    info.input("mesh", &VolumeShadow::mesh, "the mesh that casts the shadow");
    info.parameter("azimuth", &VolumeShadow::azimuth, "0: the light shines from +z, 90 from +x")
        .unit("degrees");
    info.parameter("elevation", &VolumeShadow::elevation,
                   "elevation of the light above the horizon; 90 shines straight down")
        .range(-90.0, 90.0)
        .unit("degrees");
    info.parameter("length", &VolumeShadow::length, "how far the shadow reaches")
        .range(0.0, kLongest)
        .unit("world units");
    info.parameter(
            "light", &VolumeShadow::light,
            "index of the light in volume/fragments: 0 is the sun, 1 the second light, 7 the "
            "eighth")
        .range(0, kMaxLights - 1)
        .structural();
    info.output("shadow", &VolumeShadow::shadow, "for \"meshes\" of volume/fragments");
}

void VolumeShadow::build(Graph& graph) {
    if (!is_valid(graph, *this)) return;
    const glm::vec3 away = -sun_direction(azimuth, elevation);
    const std::uint64_t triangles = mesh.triangle_count;
    const std::uint64_t edges = 3 * triangles;

    ComputeNodeBuilder extrude = graph.compute("volume/shadow_vertices");
    extrude.set("vertex_count", mesh.vertex_count);
    extrude.set("step", away * length);
    extrude.read("positions", mesh.positions);
    shadow.mesh.vertex_count = 2 * mesh.vertex_count;
    shadow.mesh.positions =
        extrude.write("extruded", array(graph, "extruded", std::uint64_t{6} * mesh.vertex_count));
    extrude.dispatch_each(mesh.vertex_count);

    ComputeNodeBuilder hash = graph.compute("volume/shadow_edges");
    hash.set("triangle_count", mesh.triangle_count);
    hash.set("vertex_count", mesh.vertex_count);
    hash.set("away", away);
    hash.read("positions", mesh.positions);
    hash.read("indices", mesh.indices);
    const Buffer hashes = hash.write("hashes", array(graph, "edge_hashes", edges));
    const Buffer facing = hash.write("facing", array(graph, "facing", triangles));
    hash.dispatch_each(mesh.triangle_count);

    const RadixSort sorted = graph.add(RadixSort{.keys = hashes,
                                                 .length = static_cast<std::int64_t>(edges),
                                                 .with_permutation = true},
                                       "sort_edges");

    // At most a quad an edge and two caps a triangle.
    const std::uint64_t most_corners = 6 * edges + 6 * triangles;
    const Buffer arguments = graph.fill(array(graph, "arguments", 4), 0, "no_corners");
    ComputeNodeBuilder quads = graph.compute("volume/shadow_faces");
    quads.set("triangle_count", mesh.triangle_count);
    quads.set("vertex_count", mesh.vertex_count);
    quads.read("positions", mesh.positions);
    quads.read("indices", mesh.indices);
    quads.read("facing", facing);
    quads.read("hashes", sorted.sorted_keys);
    quads.read("order", sorted.permutation);
    shadow.mesh.indices = quads.write("corners", array(graph, "shadow_indices", most_corners));
    shadow.arguments = quads.accumulate("arguments", arguments);
    quads.dispatch_each(static_cast<std::uint32_t>(edges));

    shadow.mesh.triangle_count = static_cast<std::uint32_t>(most_corners / 3);
    shadow.shadow_of = light + 1;
}

TUFF_PASS(VolumeShadow)

} // namespace tuff::passes
