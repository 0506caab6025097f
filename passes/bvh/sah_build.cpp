#include "passes/bvh/sah_build.hpp"

#include "passes/bvh/refit.hpp"
#include "passes/bvh/sah_tree.hpp"
#include "passes/common/constant_array.hpp"
#include "passes/geometry/scene_counts.hpp"

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/vec4.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <span>
#include <vector>

namespace tuff::passes {
namespace {

/// `has_area` of bvh/mesh_triangle.glsl.
bool has_area_in_floats(glm::vec3 a, glm::vec3 b, glm::vec3 c) {
    const glm::vec3 ab = b - a;
    const glm::vec3 ac = c - a;
    return ab.y * ac.z - ab.z * ac.y != 0.0f || ab.z * ac.x - ab.x * ac.z != 0.0f ||
           ab.x * ac.y - ab.y * ac.x != 0.0f;
}

/// The elements of a constant; nothing where the device makes them.
template <typename T>
std::span<const T> elements_of(const Graph& graph, Buffer buffer) {
    const ResourceDesc& resource = graph.peek().resource_of(buffer.version);
    if (resource.lifetime != Lifetime::constant) return {};
    return {reinterpret_cast<const T*>(resource.contents->data()),
            resource.contents->size() / sizeof(T)};
}

/// What the tree is made of.
struct HostScene {
    std::span<const Vertex> vertices;
    std::span<const std::uint32_t> indices;
    const SceneData* data = nullptr;

    std::array<glm::vec3, 3> corners(const SceneDraw& draw, std::uint32_t first) const {
        std::array<glm::vec3, 3> all;
        for (std::uint32_t k = 0; k < 3; ++k) {
            const std::int64_t vertex =
                std::int64_t{indices[draw.first_index + first + k]} + draw.vertex_offset;
            const glm::vec3 local = vertices[static_cast<std::size_t>(vertex)].position;
            all[k] = data->transforms[draw.transform].world * glm::vec4(local, 1.0f);
        }
        return all;
    }
};

/// The triangles of a scene that rays can hit, in the order of `geometry/triangles`.
std::vector<SahItem> items_of(const HostScene& scene) {
    std::vector<SahItem> items;
    std::uint32_t triangle = 0;
    for (const SceneDraw& draw : scene.data->draws)
        for (std::uint32_t i = 0; i < draw.index_count; i += 3, ++triangle) {
            const auto [a, b, c] = scene.corners(draw, i);
            if (!has_area_in_floats(a, b, c)) continue;
            items.push_back({.low = glm::min(glm::min(a, b), c),
                             .high = glm::max(glm::max(a, b), c),
                             .triangle = triangle});
        }
    return items;
}

/// The tree's references, parents and counts where nodes and leaves have them. Boxes are refit's.
Bvh tree_of_constants(Graph& graph, const TriangleMesh& mesh, const SahTree& tree) {
    const std::size_t most = std::max(mesh.triangle_count, 1u);
    std::vector<glm::uvec4> nodes(4 * most, glm::uvec4(0));
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
        const SahTree::Node& node = tree.nodes[i];
        nodes[4 * i].w = node.left;
        nodes[4 * i + 1].w = node.parent;
        nodes[4 * i + 2].w = node.right;
        nodes[4 * i + 3].w = node.leaves;
    }
    std::vector<glm::uvec4> leaves(3 * most, glm::uvec4(0));
    for (std::size_t i = 0; i < tree.order.size(); ++i) {
        leaves[3 * i].w = tree.order[i];
        leaves[3 * i + 1].w = tree.leaf_parents[i];
    }
    const auto count = static_cast<std::uint32_t>(tree.order.size());
    const BvhStatus status{.root = tree.root,
                           .leaves = count,
                           .degenerate = mesh.triangle_count - count,
                           .largest_leaf = std::min(count, 1u),
                           .nodes = std::max(count, 1u) - 1};
    Bvh bvh = without_hierarchy(mesh);
    bvh.nodes = constant_array(graph, "tree", nodes);
    bvh.leaves = constant_array(graph, "order", leaves);
    bvh.status = constant_array(graph, "counts", std::vector{status});
    bvh.layout = BvhLayout::binary;
    return bvh;
}

} // namespace

void SahBuild::describe(PassInfo<SahBuild>& info) {
    info.summary("Builds the reference hierarchy for comparisons, slowly and on the host")
        .details(
            "This is a full sweep of the surface area heuristic in double precision, down to one "
            "triangle in each leaf. Each node sorts its triangles by the centroids of their boxes "
            "along all three axes, and splits where the sum of area times triangles of both sides "
            "is least. The sweep is greedy: where triangles overlap much, bvh/quality_build finds "
            "a cheaper tree. Paths have at most 96 nodes; where splits would exceed that, nodes "
            "split in halves.\n\nThe tree is built together with the graph, at about a million "
            "triangles a second. On the device bvh/refit computes the boxes, so hits equal those "
            "of all other hierarchies to the bit.\n\nThe scene must be a loaded scene. A pass may "
            "have moved the mesh: boxes follow and hits stay correct, but the tree is no longer "
            "the best. Triangles that have no area in the loaded scene are left out and counted in "
            "\"bvh.status\".")
        .source("J. D. MacDonald and K. S. Booth, \"Heuristics for Ray Tracing Using Space "
                "Subdivision\", 1990; I. Wald, \"On fast Construction of SAH-based Bounding Volume "
                "Hierarchies\", RT 2007")
        .complexity("O(n log n) on the host, O(n) on the device")
        .cost([](const SahBuild& pass, const Graph& graph) {
            return cost_of(Refit{.source = {}, .mesh = pass.mesh, .bvh = {}}, graph);
        });
    info.input("scene", &SahBuild::scene, "the scene of the tree, as loaded");
    info.input("mesh", &SahBuild::mesh,
               "triangles of the scene, or of the moved scene, from geometry/triangles");
    info.output("bvh", &SahBuild::bvh, "the hierarchy, of binary nodes");
}

void SahBuild::build(Graph& graph) {
    bvh = without_hierarchy(mesh);
    if (!is_valid(graph, mesh)) return;
    const auto counts = checked_counts(graph, *scene.data);
    if (!counts) return;
    if (counts->triangles != mesh.triangle_count) {
        graph.error("bvh/mesh-mismatch",
                    fmt::format("{} triangles, but the scene has {}", mesh.triangle_count,
                                counts->triangles),
                    "connect the mesh of geometry/triangles for this scene");
        return;
    }
    const HostScene host{.vertices = elements_of<Vertex>(graph, scene.vertices),
                         .indices = elements_of<std::uint32_t>(graph, scene.indices),
                         .data = scene.data.get()};
    if (host.vertices.empty() || host.indices.empty()) {
        graph.error("bvh/scene-on-device",
                    "the scene's vertices are made on the device, but the tree is built on the "
                    "host",
                    "connect the scene as loaded, and the mesh of the moved scene");
        return;
    }
    const SahTree tree = sah_tree(items_of(host));
    bvh = graph.add(Refit{.source = tree_of_constants(graph, mesh, tree), .mesh = mesh, .bvh = {}})
              .bvh;
}

TUFF_PASS(SahBuild)

} // namespace tuff::passes
