#include "passes/terrain/draw_mesh.hpp"

#include "passes/geometry/compute_raster.hpp"
#include "passes/terrain/mesh.hpp"
#include "passes/terrain/view.hpp"

#include <glm/geometric.hpp>

#include <optional>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxDrawSide = 16384;

void set_look(KernelNode& node, const DrawTerrainMesh& pass, const TerrainView& view) {
    const float length = glm::length(pass.sun);
    const glm::vec3 sun = length > 0.0f ? pass.sun / length : glm::vec3(0.0f, 1.0f, 0.0f);
    node.set("clip_from_world", view.clip_from_world);
    node.set("sun", glm::vec4(sun, pass.light));
    node.set("bounds", pass.heights);
    node.set("tint", pass.tint);
    node.set("natural", pass.natural);
}

struct MeshImages {
    Image color;
    Image normals;
    Image places;
};

MeshImages images_of(Graph& graph, const DrawTerrainMesh& pass) {
    const Extent extent{pass.width, pass.height, 1};
    return {graph.image("color", {.format = Format::rgba16_sfloat, .extent = extent}),
            graph.image("normals", {.format = Format::rgba32_sfloat, .extent = extent}),
            graph.image("places", {.format = Format::rgba32_sfloat, .extent = extent})};
}

void draw_by_device(Graph& graph, DrawTerrainMesh& pass, const TerrainView& view) {
    const Extent extent{pass.width, pass.height, 1};
    const MeshImages images = images_of(graph, pass);
    RasterNodeBuilder node = graph.raster("terrain/draw_mesh");
    node.state().depth_compare = CompareOp::less;
    const glm::vec4 back = pass.background;
    pass.color = node.color(images.color, cleared(back.r, back.g, back.b, back.a));
    pass.normals = node.color(images.normals, cleared(0.0f));
    pass.places = node.color(images.places, cleared(0.0f, 0.0f, -1.0f));
    pass.depth = node.color(graph.image("depth", {.format = Format::r32_sfloat, .extent = extent}),
                            cleared(1.0f));
    (void)node.depth(graph.image("tested", {.format = Format::d32_sfloat, .extent = extent}),
                     cleared(1.0f));
    set_look(node, pass, view);
    node.read("positions", pass.mesh.positions);
    node.read("indices", pass.mesh.indices);
    node.read("vertices", pass.vertices);
    node.draw({.count = 3 * pass.mesh.triangle_count});
}

void draw_by_kernels(Graph& graph, DrawTerrainMesh& pass, const TerrainView& view) {
    const ComputeRaster drawn = graph.add(ComputeRaster{.mesh = pass.mesh,
                                                        .width = pass.width,
                                                        .height = pass.height,
                                                        .clip_from_mesh = view.clip_from_world});
    if (!drawn.visibility) return;
    const MeshImages images = images_of(graph, pass);
    ComputeNodeBuilder node = graph.compute("terrain/draw_visible");
    set_look(node, pass, view);
    node.set("size", glm::uvec2(pass.width, pass.height));
    node.set("background", pass.background);
    node.read("keys", drawn.visibility.keys);
    node.read("positions", pass.mesh.positions);
    node.read("indices", pass.mesh.indices);
    node.read("vertices", pass.vertices);
    pass.color = node.write("color", images.color);
    pass.normals = node.write("normals", images.normals);
    pass.places = node.write("places", images.places);
    pass.depth = drawn.depth;
    node.dispatch_over({pass.width, pass.height, 1});
}

} // namespace

void DrawTerrainMesh::describe(PassInfo<DrawTerrainMesh>& info) {
    info.summary("Draws a mesh of terrain/mesh, with the rasterizer or with kernels")
        .details("Both draw the same picture except for pixels at edges, where rasterizers "
                 "round differently. Kernels are faster if triangles are small and the device "
                 "is faster at computing than at rasterizing. In addition to the color the "
                 "pass outputs depth, normals and positions, for passes that shade. Errors: "
                 "those of the camera, and terrain/needs-perspective.")
        .complexity("O(triangles + pixels of their boxes)")
        .cost([](const DrawTerrainMesh& pass, const Graph&) {
            const double pixels = static_cast<double>(pass.width) * pass.height;
            return Cost{.bytes = 44.0 * pass.mesh.vertex_count + 12.0 * pass.mesh.triangle_count +
                                 60.0 * pixels,
                        .operations = 30.0 * pass.mesh.vertex_count +
                                      150.0 * pass.mesh.triangle_count + 150.0 * pixels};
        });
    info.input("mesh", &DrawTerrainMesh::mesh, "the triangles");
    info.input("vertices", &DrawTerrainMesh::vertices, "data of the vertices, from terrain/mesh")
        .elements<TerrainVertex>();
    info.input("surface", &DrawTerrainMesh::surface, "the surface that the camera is placed by");
    info.parameter("width", &DrawTerrainMesh::width, "width of the picture")
        .range(1, kMaxDrawSide)
        .unit("texels")
        .structural();
    info.parameter("height", &DrawTerrainMesh::height, "height of the picture")
        .range(1, kMaxDrawSide)
        .unit("texels")
        .structural();
    info.group("camera", &DrawTerrainMesh::camera);
    info.parameter("by", &DrawTerrainMesh::by, "what rasterizes triangles").structural();
    info.parameter("sun", &DrawTerrainMesh::sun, "direction to the sun");
    info.parameter("light", &DrawTerrainMesh::light, "share of sunlight; 0: no shading")
        .range(0.0, 1.0);
    info.parameter("tint", &DrawTerrainMesh::tint, "share of the levels' colors").range(0.0, 1.0);
    info.parameter("natural", &DrawTerrainMesh::natural,
                   "share of colors by height and slope; else grey")
        .range(0.0, 1.0);
    info.parameter("heights", &DrawTerrainMesh::heights,
                   "lowest and highest height of the color ramp")
        .unit("world units");
    info.parameter("background", &DrawTerrainMesh::background,
                   "linear color and alpha where there is nothing");
    info.output("color", &DrawTerrainMesh::color, "the picture, rgba16_sfloat, linear");
    info.output("depth", &DrawTerrainMesh::depth,
                "depth, r32_sfloat: 0 near, 1 far or nothing; linear in screen space");
    info.output("normals", &DrawTerrainMesh::normals,
                "rgba32_sfloat: unit normal, upwards or outwards, and height; 0 where there is "
                "nothing");
    info.output("places", &DrawTerrainMesh::places,
                "rgba32_sfloat: u, v, level of the leaf (-1: nothing), index of the square");
}

void DrawTerrainMesh::build(Graph& graph) {
    if (!is_valid(graph, mesh)) return;
    const std::uint64_t bytes = std::uint64_t{mesh.vertex_count} * sizeof(TerrainVertex);
    if (graph.desc(vertices).size < bytes) {
        graph.error("primitives/too-short",
                    "\"vertices\" has fewer elements than \"mesh\" has vertices",
                    "connect both outputs of the same terrain/mesh");
        return;
    }
    const std::optional<TerrainView> view = terrain_view(graph, camera, surface, width, height);
    if (!view) return;
    if (by == MeshDrawer::device)
        draw_by_device(graph, *this, *view);
    else
        draw_by_kernels(graph, *this, *view);
}

TUFF_PASS(DrawTerrainMesh)

} // namespace tuff::passes
