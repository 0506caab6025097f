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
            fmt::format("the {} of a search found no room, so pairs may be missing: {} were needed",
                        need.pool, need.elements),
            need.pool == "pairs" ? fmt::format("\"most_pairs\" {} would do", need.elements)
                                 : "over several frames the room grows"));
    if (not_rigid != 0)
        all.push_back(warning("collision/not-rigid",
                              "the second mesh's placement stretches or bends it, or is no number: "
                              "nothing was looked for",
                              "place meshes by a position and a rotation"));
    if (flat_a + flat_b > 0)
        all.push_back(
            warning("collision/flat-triangles",
                    fmt::format("{} triangles have no area on the lattice, and touch nothing",
                                flat_a + flat_b),
                    "they are needles, or smaller than a millionth of all that is there"));
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
    info.summary("Finds the triangles of two meshes, or of one mesh with itself, that meet")
        .details(
            "Boxes that meet give pairs of triangles, which are tested exactly: both meshes are "
            "put "
            "on a lattice of 2^23 steps along the longest side of what they span together, and all "
            "questions are answered in whole numbers. So the pairs are the same on every device, "
            "sorted by the first and then the second triangle's number. Triangles that touch in a "
            "point meet.\n\n"
            "Without \"b\" the mesh is searched for triangles of its own that meet. Neighbours, "
            "which share corners, meet only where they have more than that in common: where an "
            "edge "
            "goes through the other triangle, or their insides overlap in a plane.\n\n"
            "\"each\" sends every triangle of the first mesh down the second's tree. \"levels\" "
            "goes "
            "down both trees with a stream of pairs of nodes, a level at a time, testing turned "
            "boxes by 15 axes; \"filtered\" is the same with streams that keep their order, as the "
            "text has it. These two need room for the stream.\n\n"
            "Places are parameters, or, for bodies that a simulation moves, \"placements\": a "
            "position (four floats, the last unused) and a quaternion (x, y, z, w) for each mesh.")
        .source("D. Horn, \"Stream Reduction Operations for GPGPU Applications\", GPU Gems 2, "
                "chapter 36, 2005; S. Gottschalk, M. C. Lin and D. Manocha, \"OBBTree\", SIGGRAPH "
                "1996")
        .complexity("O(n log n + pairs whose boxes meet), of two meshes of n triangles that touch "
                    "here and there")
        .cost([](const CollisionPairs& pass, const Graph&) {
            // Leaves of the first mesh, and of the second nodes and leaves once.
            const double a = pass.a.bvh.mesh.triangle_count;
            const double b = (pass.b ? pass.b : pass.a).bvh.mesh.triangle_count;
            return Cost{.bytes = 48.0 * a + 112.0 * b, .operations = 12.0 * 20.0 * a};
        });
    info.input("a", &CollisionPairs::a, "the first mesh's tree");
    info.optional_input("b", &CollisionPairs::b,
                        "the second mesh's; not connected: the first mesh is searched for "
                        "triangles of its own that meet");
    info.optional_input("placements", &CollisionPairs::placements,
                        "where both meshes are; position and quaternion of the first, then of the "
                        "second; takes the place of the parameters")
        .elements<glm::vec4>();
    info.parameter("position_a", &CollisionPairs::position_a, "of the first mesh's origin");
    info.parameter("position_b", &CollisionPairs::position_b, "of the second mesh's origin");
    info.parameter("rotation_a", &CollisionPairs::rotation_a,
                   "of the first mesh: a quaternion x, y, z, w of any length");
    info.parameter("rotation_b", &CollisionPairs::rotation_b, "of the second mesh, likewise");
    info.parameter("mirror_b", &CollisionPairs::mirror_b,
                   "the second mesh is mirrored first: its x is turned over");
    info.parameter("search", &CollisionPairs::search, "how pairs of boxes that meet are found")
        .structural();
    info.parameter("method", &CollisionPairs::method, "of the filter of \"filtered\"").structural();
    info.parameter("most_pairs", &CollisionPairs::most_pairs,
                   "of triangles that there is room for; 0: two a triangle of the larger mesh, and "
                   "at least 65,536. Where there are more, a warning says how many, and the room "
                   "grows over the frames of a run")
        .range(0, kMaxCollisionRoom)
        .structural();
    info.output("pairs", &CollisionPairs::pairs,
                "triangles that meet: the first mesh's number and the second's; within one mesh "
                "the lower number first")
        .elements<glm::uvec2>();
    info.output("count", &CollisionPairs::count, "how many pairs there are")
        .elements<std::uint32_t>();
    info.output("touched_a", &CollisionPairs::touched_a,
                "for each triangle of the first mesh, how many it meets")
        .elements<std::uint32_t>();
    info.output("touched_b", &CollisionPairs::touched_b,
                "likewise of the second; all zero within one mesh")
        .elements<std::uint32_t>();
    info.output("status", &CollisionPairs::status, "what the search counted")
        .elements<CollisionStatus>();
}

void CollisionPairs::build(Graph& graph) {
    if (!placements && (!is_quaternion(rotation_a) || !is_quaternion(rotation_b))) {
        graph.error("collision/no-rotation",
                    "a rotation is zero or infinite, which is no quaternion",
                    "[0, 0, 0, 1] turns nothing");
        return;
    }
    for (const BoxTree* tree : {&a, &b})
        if (*tree && (tree->bvh.layout != BvhLayout::binary || tree->bvh.instances)) {
            graph.error("collision/no-tree", "the boxes are not of binary nodes over one mesh",
                        "collision/box_tree makes them");
            return;
        }
    if (placements && graph.desc(placements).size < 64) {
        graph.error("collision/short-placements", "the placements are fewer than four quads",
                    "a position and a quaternion for each of both meshes");
        return;
    }
    search_collisions(graph, *this);
}

TUFF_PASS(CollisionPairs)

} // namespace tuff::passes
