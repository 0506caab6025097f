#include "passes/bvh/hardware_build.hpp"

#include "passes/bvh/morton.hpp"
#include "passes/primitives/elements.hpp"

#include <algorithm>

namespace tuff::passes {
namespace {

constexpr std::uint64_t kCornerWords = 9; // of a triangle

/// Triangles by their corners, without those that rays cannot hit.
AccelerationInput checked_input(Graph& graph, const TriangleMesh& mesh) {
    const std::uint64_t most = std::max(mesh.triangle_count, 1u);
    ComputeNodeBuilder node = graph.compute("bvh/driver_triangles", "check");
    bind_mesh(node, mesh);
    const Buffer corners = node.write("corners_of", array(graph, "corners", most * kCornerWords));
    node.dispatch_each(mesh.triangle_count);
    return {.positions = corners,
            .indices = {},
            .vertices = 3 * mesh.triangle_count,
            .triangles = mesh.triangle_count};
}

} // namespace

void HardwareBuild::describe(PassInfo<HardwareBuild>& info) {
    info.summary("Builds a hardware acceleration structure over a mesh")
        .details(
            "bvh/cast and the tracers take it in place of a hierarchy of ours, if the device has "
            "ray queries or ray-tracing pipelines. It is also the comparison for bvh/lbvh_build. "
            "The structure has two levels; the upper level has one instance of the lower level, "
            "with the identity transform. Nodes of the graph build both levels again in every "
            "execution, with the preference for a fast build.\n\n\"checked\" first writes the "
            "triangles by their corners and leaves out triangles that rays cannot hit. Unchecked, "
            "the device gets the mesh as it is: an index out of range or a coordinate that is not "
            "finite is undefined behaviour.\n\nA device without acceleration structures gives the "
            "error graph/no-acceleration.")
        .source("VK_KHR_acceleration_structure, VK_KHR_ray_query and VK_KHR_ray_tracing_pipeline, "
                "Khronos 2020")
        .complexity("the device's")
        .cost([](const HardwareBuild& pass, const Graph&) {
            return Cost{.bytes = 18.0 * pass.mesh.triangle_count, .operations = 0.0};
        });
    info.input("mesh", &HardwareBuild::mesh, "at most 2^26 - 1 triangles");
    info.parameter("checked", &HardwareBuild::checked, "leaves out triangles that rays cannot hit")
        .structural();
    info.output("top", &HardwareBuild::top, "the upper level, in the device's own format");
    info.output("bottom", &HardwareBuild::bottom, "the lower level, in the device's own format");
    info.output("bvh", &HardwareBuild::bvh, "both levels, for rays");
}

void HardwareBuild::build(Graph& graph) {
    bvh = without_hierarchy(mesh);
    if (!is_valid(graph, mesh)) return;
    if (!graph.target().acceleration_structures) {
        (void)graph.build_acceleration({}); // says so
        return;
    }
    const AccelerationInput as_it_is{.positions = mesh.positions,
                                     .indices = mesh.indices,
                                     .vertices = mesh.vertex_count,
                                     .triangles = mesh.triangle_count};
    const Acceleration built =
        graph.build_acceleration(checked ? checked_input(graph, mesh) : as_it_is);
    if (!built) return;
    top = built.top;
    bottom = built.bottom;
    bvh.acceleration = built;
    bvh.layout = BvhLayout::device;
}

TUFF_PASS(HardwareBuild)

} // namespace tuff::passes
