#include "passes/raytrace/emitters.hpp"

#include "passes/bvh/bvh.hpp"
#include "passes/primitives/scan.hpp"

#include <algorithm>

namespace tuff::passes {
namespace {

bool emits_evenly(const SceneMaterial& material) {
    const glm::vec3 emissive = material.emissive;
    return std::max({emissive.x, emissive.y, emissive.z}) > 0.0f &&
           material.emissive_texture.texture < 0 && material.alpha_mode == AlphaMode::opaque &&
           (material.flags & material_unlit) == 0;
}

} // namespace

bool has_emitters(const SceneData& scene) {
    return std::ranges::any_of(scene.draws, [&](const SceneDraw& draw) {
        return draw.index_count > 0 && emits_evenly(scene.materials[draw.material]);
    });
}

LightSums with_emitters(Graph& graph, Buffer around, const Scene& scene, const TriangleMesh& mesh) {
    ComputeNodeBuilder node = graph.compute("raytrace/emitter_weights", "emitters");
    bind_mesh(node, mesh);
    node.read("owners", mesh.draws);
    node.read("draws", scene.draws);
    node.read("materials", scene.materials);
    const Buffer weights = node.write("weights", array(graph, "weights", mesh.triangle_count));
    node.dispatch_each(mesh.triangle_count);
    const Buffer sums = graph
                            .add(Scan{.source = weights,
                                      .length = mesh.triangle_count,
                                      .type = Element::f32,
                                      .operation = Combine::sum,
                                      .kind = ScanKind::inclusive,
                                      .method = ScanMethod::three_pass},
                                 "emitter_sums")
                            .result;
    if (!around) return {.sums = sums};
    const std::uint64_t before = graph.desc(around).size;
    const std::uint64_t bytes = std::uint64_t{mesh.triangle_count} * sizeof(float);
    Buffer all = graph.buffer("light_sums", {.size = before + bytes, .stride = 4});
    all = graph.copy(around, BufferView(all, 0, before), "around");
    all = graph.copy(BufferView(sums, 0, bytes), BufferView(all, before, bytes), "emitters");
    return {.sums = all, .emitter_offset = static_cast<std::uint32_t>(before / sizeof(float))};
}

} // namespace tuff::passes
