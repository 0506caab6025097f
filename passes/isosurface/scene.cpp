#include "passes/isosurface/scene.hpp"

#include "passes/primitives/elements.hpp"

#include <algorithm>
#include <limits>

namespace tuff::passes {
namespace {

std::uint32_t material_flags(const IsosurfaceScene& pass) {
    return pass.double_sided ? std::uint32_t{material_double_sided} : 0u;
}

/// What is known of it on the host.
SceneData mesh_scene(const IsosurfaceScene& pass) {
    SceneData data;
    data.draws.push_back(
        {.index_count = 3 * pass.mesh.triangle_count, .vertex_count = pass.mesh.vertex_count});
    data.bounds = {.min = pass.low, .max = pass.high};
    data.draw_bounds = {data.bounds};
    data.transforms.resize(1);
    SceneMaterial material;
    material.base_color = glm::vec4(pass.color, 1.0f);
    material.emissive = pass.emissive;
    material.metallic = pass.metallic;
    material.roughness = pass.roughness;
    material.flags = material_flags(pass);
    data.materials = {material};
    data.material_names = {"surface"};
    data.mesh_names = {"surface"};
    data.node_count = 1;
    return data;
}

} // namespace

void IsosurfaceScene::describe(PassInfo<IsosurfaceScene>& info) {
    info.summary("Makes a scene of a mesh, for passes that draw or trace scenes")
        .details("The scene has one draw with one material, and as many triangles as the mesh "
                 "has capacity; those behind the last one have no area. The host does not know "
                 "where the surface is, so cameras and shadow maps are placed by the box from "
                 "\"low\" to \"high\".")
        .complexity("O(vertices)")
        .cost([](const IsosurfaceScene& pass, const Graph&) {
            return Cost{.bytes = (24.0 + 64.0) * pass.mesh.vertex_count, .operations = 0.0};
        });
    info.input("mesh", &IsosurfaceScene::mesh,
               "the mesh, for example from "
               "isosurface/marching_cubes");
    info.input("normals", &IsosurfaceScene::normals, "three floats a vertex of the mesh")
        .elements<glm::vec3>();
    info.parameter("color", &IsosurfaceScene::color, "linear").range(0.0, 1.0);
    info.parameter("emissive", &IsosurfaceScene::emissive, "linear").range(0.0, 65504.0);
    info.parameter("metallic", &IsosurfaceScene::metallic, "0: dielectric, 1: metal")
        .range(0.0, 1.0);
    info.parameter("roughness", &IsosurfaceScene::roughness, "0: mirror, 1: rough").range(0.0, 1.0);
    info.parameter("double_sided", &IsosurfaceScene::double_sided,
                   "shows back faces too, for open surfaces")
        .structural();
    info.parameter("low", &IsosurfaceScene::low, "lower corner of the box around the surface")
        .unit("world units");
    info.parameter("high", &IsosurfaceScene::high, "upper corner of the box around the surface")
        .unit("world units");
    info.output("scene", &IsosurfaceScene::scene, "the scene");
}

void IsosurfaceScene::build(Graph& graph) {
    if (!(low.x < high.x && low.y < high.y && low.z < high.z)) {
        graph.error("pass/out-of-range", "\"low\" is not less than \"high\" on all axes",
                    "give the lower and upper corner of the field's box");
        return;
    }
    if (!is_valid(graph, mesh)) return;
    if (capacity(graph, normals) < 3ull * mesh.vertex_count) {
        graph.error("primitives/too-short",
                    "\"normals\" has fewer elements than the mesh has "
                    "vertices",
                    "connect the normals from the pass that made the mesh");
        return;
    }
    const auto elements = [&](std::string_view name, std::uint64_t count, std::uint64_t bytes) {
        return graph.buffer(name, {.size = count * bytes, .stride = 16});
    };
    ComputeNodeBuilder node = graph.compute("isosurface/scene");
    node.read("positions", mesh.positions);
    node.read("normals", normals);
    node.set("color", glm::vec4(color, 1.0f));
    node.set("emissive", emissive);
    node.set("metallic", metallic);
    node.set("roughness", roughness);
    node.set("flags", material_flags(*this));
    node.set("vertex_count", mesh.vertex_count);
    node.set("index_count", 3 * mesh.triangle_count);
    scene.vertices = node.write(
        "vertices", elements("vertices", std::max(mesh.vertex_count, 1u), sizeof(Vertex)));
    scene.draws = node.write("draws", elements("draws", 1, sizeof(SceneDraw)));
    scene.starts = node.write("starts", graph.buffer("starts", {.size = 8, .stride = 8}));
    scene.transforms = node.write("transforms", elements("transforms", 1, sizeof(SceneTransform)));
    scene.materials = node.write("materials", elements("materials", 1, sizeof(SceneMaterial)));
    scene.indices = mesh.indices;
    scene.data = std::make_shared<const SceneData>(mesh_scene(*this));
    node.dispatch_each(std::max(mesh.vertex_count, 1u));
}

TUFF_PASS(IsosurfaceScene)

} // namespace tuff::passes
