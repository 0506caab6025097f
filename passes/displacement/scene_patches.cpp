#include "passes/displacement/scene_patches.hpp"

#include "passes/geometry/scene_counts.hpp"
#include "passes/primitives/elements.hpp"

#include <fmt/format.h>
#include <glm/vec2.hpp>

#include <cstring>
#include <memory>
#include <vector>

namespace tuff::passes {
namespace {

/// Draws whose triangles become patches: the first of each one's triangles among all that do, and
/// its number.
struct ChosenDraws {
    std::vector<glm::uvec2> draws;
    std::uint32_t triangles = 0;
};

ChosenDraws chosen_draws(const SceneData& scene, std::int32_t material) {
    ChosenDraws chosen;
    for (std::uint32_t i = 0; i < scene.draws.size(); ++i) {
        const SceneDraw& draw = scene.draws[i];
        const bool wanted = material < 0 || draw.material == static_cast<std::uint32_t>(material);
        if (!wanted || draw.index_count == 0) continue;
        chosen.draws.emplace_back(chosen.triangles, i);
        chosen.triangles += draw.index_count / 3;
    }
    return chosen;
}

/// The mesh, without triangles of a material: they get no extent, so that nothing hits them.
TriangleMesh without_material(Graph& graph, const ScenePatches& pass) {
    TriangleMesh rest = pass.mesh;
    ComputeNodeBuilder node = graph.compute("displacement/rest");
    node.read("indices", pass.mesh.indices);
    node.read("owners", pass.mesh.draws);
    node.read("draws", pass.scene.draws);
    node.set("triangle_count", rest.triangle_count);
    node.set("material", pass.material);
    rest.indices =
        node.write("result", array(graph, "rest", std::uint64_t{3} * rest.triangle_count));
    node.dispatch_each(rest.triangle_count);
    return rest;
}

} // namespace

void ScenePatches::describe(PassInfo<ScenePatches>& info) {
    info.summary("Makes quads to be displaced from a scene's triangles")
        .details("Each triangle of one material or of all becomes three quads in world space, "
                 "from a corner to the triangle's center, with the vertices' normals and first "
                 "texture coordinates, in the order of geometry/triangles. \"rest\" is a mesh "
                 "of the other triangles, for a hierarchy.\n\n"
                 "Triangles that share corners, normals and coordinates stay connected for any "
                 "displacement. Coordinates may be outside of 0 to 1: see \"wrap\" of "
                 "displacement/surface.")
        .complexity("O(triangles log draws)")
        .cost([](const ScenePatches& pass, const Graph&) {
            const double triangles = static_cast<double>(counts_of(*pass.scene.data).triangles);
            return Cost{.bytes = 600.0 * triangles, .operations = 200.0 * triangles};
        });
    info.input("scene", &ScenePatches::scene, "the scene whose triangles are divided");
    info.optional_input("mesh", &ScenePatches::mesh,
                        "the scene's triangles from geometry/triangles, for \"rest\"");
    info.parameter("material", &ScenePatches::material,
                   "index of the material whose triangles are divided; -1: all")
        .range(-1, 1 << 20)
        .structural();
    info.output("patches", &ScenePatches::patches, "the patches, for displacement/surface")
        .elements<PatchRecord>();
    info.output("materials", &ScenePatches::materials,
                "material of each patch, for displacement/shapes")
        .elements<std::uint32_t>();
    info.output("rest", &ScenePatches::rest,
                "the mesh, in which triangles that became patches are degenerate; needs \"mesh\"");
}

void ScenePatches::build(Graph& graph) {
    const auto counts = checked_counts(graph, *scene.data);
    if (!counts) return;
    const ChosenDraws chosen = chosen_draws(*scene.data, material);
    if (chosen.triangles == 0) {
        graph.error("displacement/no-triangles",
                    material < 0
                        ? "the scene has no triangles"
                        : fmt::format("the scene has no triangles of material {}", material),
                    "give the index of a material; they count from 0, in the order of the scene");
        return;
    }
    if (mesh && (!mesh.draws || mesh.triangle_count != counts->triangles)) {
        graph.error("displacement/other-mesh",
                    "\"mesh\" does not have the triangles of the "
                    "scene",
                    "connect the mesh of geometry/triangles for the same scene");
        return;
    }
    ComputeNodeBuilder node = graph.compute("displacement/scene_patches");
    node.read("vertices", scene.vertices);
    node.read("indices", scene.indices);
    node.read("draws", scene.draws);
    node.read("transforms", scene.transforms);
    std::vector<std::byte> bytes(chosen.draws.size() * sizeof(glm::uvec2));
    std::memcpy(bytes.data(), chosen.draws.data(), bytes.size());
    node.read("chosen",
              graph.constant_buffer("chosen", {.size = bytes.size(), .stride = sizeof(glm::uvec2)},
                                    std::make_shared<const std::vector<std::byte>>(bytes)));
    node.set("chosen_count", static_cast<std::uint32_t>(chosen.draws.size()));
    node.set("triangle_count", chosen.triangles);
    patches = node.write(
        "result",
        graph.buffer("patches", {.size = std::uint64_t{3} * sizeof(PatchRecord) * chosen.triangles,
                                 .stride = sizeof(PatchRecord)}));
    materials = node.write("patch_materials",
                           array(graph, "materials", std::uint64_t{3} * chosen.triangles));
    node.dispatch_each(chosen.triangles);
    if (mesh) rest = without_material(graph, *this);
}

TUFF_PASS(ScenePatches)

} // namespace tuff::passes
