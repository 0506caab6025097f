#include "passes/lights/surfaces.hpp"

#include "passes/lights/grid.hpp"
#include "passes/lights/view.hpp"
#include "passes/raytrace/surfaces.hpp"

#include <fmt/format.h>
#include <glm/matrix.hpp>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxFragmentSide = 16384;

/// Reports graph/unconnected where it is not known whose the triangles are.
bool names_draws(Graph& graph, const TriangleMesh& mesh) {
    if (mesh.draws) return true;
    graph.error("graph/unconnected", "the triangles do not name the scene's draws",
                "geometry/triangles makes a scene's mesh");
    return false;
}

/// A kernel that looks up triangles of the scene; nothing, and a report, where it has too many
/// textures.
std::optional<ComputeNodeBuilder> surface_kernel(Graph& graph, std::string_view kernel,
                                                 const Scene& scene, const TriangleMesh& mesh) {
    const auto batches = material_batches(graph, *scene.data, MaterialPasses::single);
    if (batches.empty()) return {};
    ComputeNodeBuilder node = graph.compute(kernel, batches.front().variant());
    bind_surfaces(graph, node, scene, mesh, batches.front());
    return node;
}

void set_eye(KernelNode& node, const LightView& view) {
    set_view(node, view);
    node.set("world_from_view", glm::inverse(view.view_from_world));
}

} // namespace

void LitSurfaces::describe(PassInfo<LitSurfaces>& info) {
    info.summary("Finds normals, colours and materials of what geometry/compute_raster sees, for "
                 "lights/shade")
        .details("A picture of surfaces without the device's rasterizer: normals are those of "
                 "vertices, interpolated, and of normal maps; colours those of materials, "
                 "vertices and textures. Textures are looked up at their finest level. The side "
                 "that looks to the eye counts. Holes of masked materials are closed.")
        .source("Burns and Hunt, \"The Visibility Buffer\", Journal of Computer Graphics "
                "Techniques 2(2), 2013")
        .complexity("O(pixels)")
        .cost([](const LitSurfaces& pass, const Graph&) {
            const double pixels =
                static_cast<double>(pass.visibility.width) * pass.visibility.height;
            return Cost{.bytes = 32.0 * pixels, .operations = 200.0 * pixels};
        });
    info.input("visibility", &LitSurfaces::visibility,
               "of geometry/compute_raster, of the scene's triangles");
    info.input("scene", &LitSurfaces::scene, "whose triangles they are");
    info.group("camera", &LitSurfaces::camera);
    info.output("normal", &LitSurfaces::normal,
                "in the world, of length 1, and 1; 0 where nothing is; rgba16_sfloat");
    info.output("albedo", &LitSurfaces::albedo,
                "linear colour, and 1; white and 0 where nothing is; rgba16_sfloat");
    info.output("material", &LitSurfaces::material,
                "roughness, metallic, 0 and 1; (1, 0, 0, 0) where nothing is; rgba16_sfloat");
}

void LitSurfaces::build(Graph& graph) {
    if (!names_draws(graph, visibility.mesh)) return;
    const std::optional<LightView> view =
        light_view(graph, camera, scene, visibility.width, visibility.height);
    if (!view) return;
    auto node = surface_kernel(graph, "lights/surfaces", scene, visibility.mesh);
    if (!node) return;
    const Extent extent{visibility.width, visibility.height, 1};
    set_eye(*node, *view);
    node->set("size", glm::uvec2(extent.width, extent.height));
    node->read("keys", visibility.keys);
    const auto picture = [&](std::string_view name) {
        return node->write(name,
                           graph.image(name, {.format = Format::rgba16_sfloat, .extent = extent}));
    };
    normal = picture("normal");
    albedo = picture("albedo");
    material = picture("material");
    node->dispatch_over(extent);
}

void LightFragments::describe(PassInfo<LightFragments>& info) {
    info.summary(
            "Lights transparent fragments by many small lights, before oit/resolve blends them")
        .details("Fragments of oit/capture or oit/shade with packing \"hdr\" name their triangles; "
                 "to each colour is added what the triangle's surface reflects, on the side that "
                 "looks to the eye, of the lights of its cluster: of lights/cluster, whose lists "
                 "hold at any distance. Without \"grid\" each fragment tries all lights. Of "
                 "triangles beyond the first 16,777,216 fragments do not know the number. Errors: "
                 "lights/no-triangles, lights/other-grid.")
        .source("Olsson, Billeter and Assarsson, \"Clustered Deferred and Forward Shading\", HPG "
                "2012")
        .complexity("O(pixels + fragments * lights of a cluster)")
        .cost([](const LightFragments& pass, const Graph&) -> Cost {
            // A list of each pixel, with a fragment or so that is read and written.
            const double pixels = static_cast<double>(pass.width) * pass.height;
            return {.bytes = 32.0 * pixels + 48.0 * pass.lights.count,
                    .operations = 100.0 * pixels};
        });
    info.input("source", &LightFragments::source, "with packing \"hdr\"");
    info.input("scene", &LightFragments::scene, "whose fragments they are");
    info.input("mesh", &LightFragments::mesh, "the scene's triangles, of geometry/triangles");
    info.input("lights", &LightFragments::lights, "point lights and spots");
    info.optional_input("grid", &LightFragments::grid, "clusters of lights/cluster");
    info.group("camera", &LightFragments::camera);
    info.parameter("width", &LightFragments::width, "of the picture")
        .range(1, kMaxFragmentSide)
        .unit("texels")
        .structural();
    info.parameter("height", &LightFragments::height, "of the picture")
        .range(1, kMaxFragmentSide)
        .unit("texels")
        .structural();
    info.parameter("roughness", &LightFragments::roughness, "of all surfaces").range(0.0, 1.0);
    info.parameter("metallic", &LightFragments::metallic, "of all surfaces").range(0.0, 1.0);
    info.output("lists", &LightFragments::lists, "the same fragments, lit");
}

void LightFragments::build(Graph& graph) {
    const Extent extent{width, height, 1};
    if (source.payload != FragmentPayload::hdr || source.samples != 1) {
        graph.error(
            "lights/no-triangles",
            "the fragments have no colour in half floats with a triangle, or are of several "
            "samples",
            "give oit/capture the packing \"hdr\", and the picture one sample");
        return;
    }
    if (!is_valid(graph, lights) || !is_valid(graph, mesh) || !names_draws(graph, mesh) ||
        (grid && !is_grid_of(graph, grid, extent, lights.count)))
        return;
    if (grid && grid.bounds) {
        graph.error("lights/other-grid", "the lists are those of the nearest surfaces alone",
                    "lights/cluster lists lights at any distance");
        return;
    }
    const std::optional<LightView> view = light_view(graph, camera, scene, width, height);
    if (!view) return;
    auto node = surface_kernel(graph, "lights/fragments", scene, mesh);
    if (!node) return;
    set_eye(*node, *view);
    bind_grid(*node, lights, grid);
    node->specialize("kLayout", static_cast<std::uint32_t>(source.layout));
    node->set("size", glm::uvec2(width, height));
    node->set("origin", source.area.origin);
    node->set("listed", source.area.size);
    node->set("capacity", source.capacity);
    node->set("triangles", mesh.triangle_count);
    node->set("depths", source.depths);
    node->set("roughness", roughness);
    node->set("metallic", metallic);
    node->read("heads", source.heads);
    FragmentLists lit = source;
    lit.fragments = node->write("fragments", source.fragments);
    node->dispatch_over({source.area.size.x, source.area.size.y, 1});
    lists = lit;
}

TUFF_PASS(LitSurfaces)
TUFF_PASS(LightFragments)

} // namespace tuff::passes
