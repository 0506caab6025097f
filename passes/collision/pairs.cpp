#include "passes/collision/pairs.hpp"

#include "passes/collision/search.hpp"
#include "passes/common/status.hpp"
#include "passes/common/warning.hpp"

#include <fmt/format.h>
#include <glm/vec2.hpp>

#include <cmath>

namespace tuff::passes {
namespace {

bool is_quaternion(const glm::vec4& q) {
    const float size = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    return std::isfinite(size) && size > 1e-12f;
}

} // namespace

CollisionStatus CollisionStatus::read(std::span<const std::uint32_t> words) {
    return status_from<CollisionStatus>(words);
}

Diagnostics CollisionStatus::warnings() const {
    Diagnostics all;
    for (const PoolNeed& need : pool_needs())
        all.push_back(warning(
            "collision/lost-pairs",
            fmt::format("the {} of a search did not fit, so pairs may be missing: {} are needed",
                        need.pool, need.elements),
            need.pool == "pairs" ? fmt::format("set \"most_pairs\" to {}", need.elements)
                                 : "run several frames: the capacity grows"));
    if (not_rigid != 0)
        all.push_back(warning("collision/not-rigid",
                              "the second mesh's placement is not a rigid motion, or has NaN: "
                              "nothing was searched",
                              "place meshes by a position and a rotation"));
    if (flat_a + flat_b > 0)
        all.push_back(
            warning("collision/flat-triangles",
                    fmt::format("{} triangles have no area on the lattice, and intersect "
                                "nothing",
                                flat_a + flat_b),
                    "remove triangles that are needles or smaller than a millionth of the size "
                    "of both meshes"));
    return all;
}

std::vector<PoolNeed> CollisionStatus::pool_needs() const {
    std::vector<PoolNeed> needs;
    if (pairs > pair_room) needs.push_back({"pairs", pairs});
    if (candidates > candidate_room) needs.push_back({"candidates", candidates});
    if (frontier > frontier_room) needs.push_back({"frontier", frontier});
    return needs;
}

void CollisionPairs::describe(PassInfo<CollisionPairs>& info) {
    info.summary("Finds the intersecting triangles of two meshes, or of one mesh with itself")
        .details(
            "Pairs of triangles whose boxes intersect are tested exactly. Both meshes are put "
            "on a lattice of 2^23 steps along the longest side of their common bounds, and all "
            "tests use integers. So the pairs are the same on every device. They are sorted by "
            "the first, then by the second triangle's number. Triangles that touch in a point "
            "intersect.\n\n"
            "Without \"b\", the mesh is searched for self-intersections. Neighbours that share "
            "corners intersect only if they have more than the shared corners in common: an "
            "edge goes through the other triangle, or their interiors overlap in a plane.\n\n"
            "\"each\" traverses the second tree for every triangle of the first mesh. "
            "\"levels\" descends both trees with a stream of pairs of nodes, one level at a "
            "time, and tests oriented boxes by 15 axes. \"filtered\" does the same with "
            "streams that keep their order, as in the book. These two need memory for the "
            "stream.\n\n"
            "Placements are parameters or, for simulated bodies, the input \"placements\": a "
            "position (four floats, the last unused) and a quaternion (x, y, z, w) for each "
            "mesh.")
        .source("D. Horn, \"Stream Reduction Operations for GPGPU Applications\", GPU Gems 2, "
                "chapter 36, 2005; S. Gottschalk, M. C. Lin and D. Manocha, \"OBBTree\", SIGGRAPH "
                "1996")
        .complexity("O(n log n + pairs of intersecting boxes), for two meshes of n triangles "
                    "that touch in few places")
        .cost([](const CollisionPairs& pass, const Graph&) {
            // Leaves of the first mesh, and of the second nodes and leaves once.
            const double a = pass.a.bvh.mesh.triangle_count;
            const double b = (pass.b ? pass.b : pass.a).bvh.mesh.triangle_count;
            return Cost{.bytes = 48.0 * a + 112.0 * b, .operations = 12.0 * 20.0 * a};
        });
    info.input("a", &CollisionPairs::a, "tree of the first mesh");
    info.optional_input("b", &CollisionPairs::b,
                        "tree of the second mesh; without it the first mesh is searched for "
                        "self-intersections");
    info.optional_input("placements", &CollisionPairs::placements,
                        "placements of both meshes, position and quaternion of the first, then "
                        "of the second; replaces the parameters")
        .elements<glm::vec4>();
    info.parameter("position_a", &CollisionPairs::position_a,
                   "position of the first mesh's origin");
    info.parameter("position_b", &CollisionPairs::position_b,
                   "position of the second mesh's origin");
    info.parameter("rotation_a", &CollisionPairs::rotation_a,
                   "rotation of the first mesh: a quaternion x, y, z, w of any length");
    info.parameter("rotation_b", &CollisionPairs::rotation_b,
                   "rotation of the second mesh: a quaternion x, y, z, w of any "
                   "length");
    info.parameter("mirror_b", &CollisionPairs::mirror_b,
                   "mirrors the second mesh first: negates its x");
    info.parameter("search", &CollisionPairs::search,
                   "how pairs of intersecting boxes are "
                   "found")
        .structural();
    info.parameter("method", &CollisionPairs::method,
                   "\"filtered\": how the filter finds "
                   "places in the result")
        .structural();
    info.parameter("most_pairs", &CollisionPairs::most_pairs,
                   "capacity, in pairs of triangles; 0: two a triangle of the larger mesh, at "
                   "least 65,536. If there are more pairs, a warning reports their number, and "
                   "the capacity grows over the frames of a run")
        .range(0, kMaxCollisionRoom)
        .structural();
    info.output("pairs", &CollisionPairs::pairs,
                "pairs of intersecting triangles: number in the first mesh, number in the "
                "second; within one mesh the lower number comes first")
        .elements<glm::uvec2>();
    info.output("count", &CollisionPairs::count, "number of pairs").elements<std::uint32_t>();
    info.output("touched_a", &CollisionPairs::touched_a,
                "for each triangle of the first mesh, how many triangles it intersects")
        .elements<std::uint32_t>();
    info.output("touched_b", &CollisionPairs::touched_b,
                "for each triangle of the second mesh, how many triangles it intersects; all "
                "zero within one mesh")
        .elements<std::uint32_t>();
    info.output("status", &CollisionPairs::status, "counts of the search")
        .elements<CollisionStatus>();
}

void CollisionPairs::build(Graph& graph) {
    if (!placements && (!is_quaternion(rotation_a) || !is_quaternion(rotation_b))) {
        graph.error("collision/no-rotation",
                    "a rotation is zero or infinite, so it is not a valid quaternion",
                    "give a finite quaternion; [0, 0, 0, 1] is no rotation");
        return;
    }
    for (const BoxTree* tree : {&a, &b})
        if (*tree && (tree->bvh.layout != BvhLayout::binary || tree->bvh.instances)) {
            graph.error("collision/no-tree",
                        "the tree has no boxes for its nodes, or is not a "
                        "binary tree over one mesh",
                        "connect the output of collision/box_tree");
            return;
        }
    if (placements && graph.desc(placements).size < 64) {
        graph.error("collision/short-placements", "\"placements\" has fewer than four vec4",
                    "give a position and a quaternion for each of the two meshes");
        return;
    }
    search_collisions(graph, *this);
}

TUFF_PASS(CollisionPairs)

} // namespace tuff::passes
