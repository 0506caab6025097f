#include "passes/subdivision/adaptive.hpp"

#include "passes/common/status.hpp"
#include "passes/common/warning.hpp"
#include "passes/subdivision/levels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tuff::passes {
namespace {

constexpr std::uint64_t kLeastTriangleRoom = 1u << 17; // if nobody says
constexpr std::uint64_t kMaxTriangleRoom = 1u << 26;

/// What the screen needs of a camera.
std::optional<LevelView> view_of(Graph& graph, const Subdivide& pass) {
    LevelView view;
    if (pass.criterion == SplitCriterion::depth || pass.criterion == SplitCriterion::angle)
        return view;
    SceneData scene;
    scene.bounds = pass.cage.bounds;
    const std::optional<Camera> camera =
        camera_for(graph, pass.camera, scene, pass.width, pass.height);
    if (!camera) return {};
    view.eye = camera->position;
    view.perspective = camera->kind == Projection::perspective;
    const glm::mat4 projection =
        camera->projection(static_cast<float>(pass.width) / static_cast<float>(pass.height));
    view.pixels_of_unit = 0.5f * static_cast<float>(pass.height) * std::abs(projection[1][1]);
    return view;
}

float limit_of(const Subdivide& pass) {
    switch (pass.criterion) {
    case SplitCriterion::edges: return pass.pixels;
    case SplitCriterion::flatness: return pass.tolerance;
    case SplitCriterion::angle: return glm::radians(pass.angle);
    case SplitCriterion::depth: break;
    }
    return 0.0f;
}

std::uint32_t room_of(const Graph& graph, const Subdivide& pass) {
    const std::uint64_t cage = pass.cage.topology->triangle_count;
    const std::uint64_t all = cage << (2 * pass.levels);
    const std::uint64_t chosen = std::min(all, std::max(kLeastTriangleRoom, 16 * cage));
    const std::uint64_t wanted = pass.most_triangles > 0 ? pass.most_triangles : chosen;
    const std::uint64_t most =
        std::min(kMaxTriangleRoom, graph.target().max_storage_buffer_bytes / 36);
    const std::uint64_t room = graph.pool("triangles", std::min(wanted, most), 36);
    return static_cast<std::uint32_t>(
        std::clamp(room, std::max<std::uint64_t>(cage, 1), std::max(most, cage)));
}

} // namespace

SubdivisionStatus SubdivisionStatus::read(std::span<const std::uint32_t> words) {
    return status_from<SubdivisionStatus>(words);
}

Diagnostics SubdivisionStatus::warnings() const {
    if (stopped == 0) return {};
    return {warning("subdivision/full",
                    fmt::format("there is room for {} triangles, but the next level needs {}: "
                                "the surface is complete, but coarser than requested",
                                room, needed),
                    fmt::format("set \"most_triangles\" to {} for one more level; or run "
                                "several frames: the capacity grows",
                                needed))};
}

std::vector<PoolNeed> SubdivisionStatus::pool_needs() const {
    if (stopped == 0) return {};
    return {{"triangles", needed}};
}

void Subdivide::describe(PassInfo<Subdivide>& info) {
    info.summary("Subdivides a triangle cage adaptively with Loop's scheme")
        .details(
            "Triangles are processed in streams, each with all neighbours that a step needs. "
            "Each level tests its triangles: finished triangles go to the result, and each of "
            "the others becomes four triangles of the next level. The adjacency is computed "
            "once, so positions may change in every frame. Vertices lie on the limit surface "
            "of Loop's scheme at any level, with the normals of the limit surface.\n\n"
            "There are no cracks: a vertex is made once, and triangles of different levels "
            "share it by index. \"fans\" cuts a triangle to fit a neighbour that is one level "
            "finer. If neighbours differ by more levels, slivers with almost no area fill the "
            "gap. \"slivers\" uses slivers everywhere. \"balanced\" does not split a triangle "
            "that shares a corner with a coarser one, so levels around a corner differ by at "
            "most one and there are only fans. The coarser triangle is split as soon as one "
            "around its corners needs two levels; where the level would rise faster, the "
            "surface is coarser than requested. Each "
            "edge of the result belongs to exactly two triangles, or lies on the cage's "
            "boundary.\n\n"
            "\"depth\" splits all triangles. \"edges\" splits triangles with an edge longer "
            "than \"pixels\" on the screen. \"flatness\" splits triangles farther than "
            "\"tolerance\" pixels from the surface, estimated from neighbours and from the "
            "distance of corners to their limits: on rough cages a triangle may be four times as "
            "far. \"angle\" splits triangles that bend by more "
            "than \"angle\". The first \"least_level\" levels are always split; the last level "
            "is \"levels\".\n\n"
            "If the next level does not fit, the whole level stays unsplit: the mesh is "
            "closed, a warning reports it, and the capacity grows over the frames of a run.\n\n"
            "For edges that are sharp for some levels, the limit is computed for each vertex, "
            "so it does not matter at which level a vertex is made. Triangles behind the last "
            "one have no area.")
        .source("D. Horn, \"Stream Reduction Operations for GPGPU Applications\", GPU Gems 2, "
                "chapter 36, 2005; C. Loop, \"Smooth Subdivision Surfaces Based on Triangles\", "
                "1987; masks of limits: Hoppe et al., SIGGRAPH 1994")
        .complexity("O(triangles of all levels)")
        .cost([](const Subdivide& pass, const Graph&) {
            // A record of 12 points is written and read, and three triangles in four are the last.
            const double n = pass.mesh.triangle_count;
            return Cost{.bytes = 600.0 * n, .operations = 900.0 * n};
        });
    info.input("cage", &Subdivide::cage, "the cage to subdivide, from subdivision/cage");
    info.group("camera", &Subdivide::camera);
    info.parameter("width", &Subdivide::width, "width of the picture whose pixels count")
        .range(1, 32768)
        .unit("texels");
    info.parameter("height", &Subdivide::height, "height of that picture")
        .range(1, 32768)
        .unit("texels");
    info.parameter("criterion", &Subdivide::criterion,
                   "criterion that selects the triangles to split")
        .structural();
    info.parameter("levels", &Subdivide::levels, "largest number of levels")
        .range(0, kMaxSubdivisionLevels)
        .structural();
    info.parameter("least_level", &Subdivide::least_level, "levels that are always split")
        .range(0, kMaxSubdivisionLevels)
        .structural();
    info.parameter("pixels", &Subdivide::pixels,
                   "\"edges\": largest length of an edge that is "
                   "not split")
        .range(0.0, 1e6)
        .unit("texels");
    info.parameter("tolerance", &Subdivide::tolerance,
                   "\"flatness\": largest distance from the surface")
        .range(0.0, 1e6)
        .unit("texels");
    info.parameter("angle", &Subdivide::angle, "\"angle\": largest angle that is not split")
        .range(0.0, 360.0)
        .unit("degrees");
    info.parameter("join", &Subdivide::join, "how triangles of different levels are joined")
        .structural();
    info.parameter("most_triangles", &Subdivide::most_triangles,
                   "capacity, in triangles, at least the cage's; 0: sixteen times the cage's, "
                   "at least 131,072, or the triangles of all levels if that is less")
        .range(0, kMaxTriangleRoom)
        .structural();
    info.parameter("method", &Subdivide::method, "algorithm for the scans of the streams")
        .structural();
    info.output("mesh", &Subdivide::mesh, "the triangles; behind them triangles without area");
    info.output("normals", &Subdivide::normals,
                "one vec4 a vertex: the unit normal, and 1 if an edge at the vertex is sharp, "
                "else 0; on a crease the mean normal of both sides, where several creases meet "
                "that of one side")
        .elements<glm::vec4>();
    info.output("corner_normals", &Subdivide::corner_normals,
                "nine floats a triangle: unit normals at its corners, from its own side of "
                "creases")
        .elements<float>();
    info.output("tags", &Subdivide::tags,
                "one word a triangle: its triangle in the cage; one word: its level, plus 256 "
                "for a part of a fan and 512 for a sliver. All bits are set behind the last "
                "triangle")
        .elements<glm::uvec2>();
    info.output("draw", &Subdivide::draw, "arguments of an indexed indirect draw")
        .elements<std::uint32_t>();
    info.output("status", &Subdivide::status, "counts of the subdivision")
        .elements<SubdivisionStatus>();
}

void Subdivide::build(Graph& graph) {
    if (cage.topology->triangle_count > kMaxTriangleRoom) {
        graph.error("bvh/too-many-triangles", "the cage has more triangles than can be "
                                              "subdivided");
        return;
    }
    const std::optional<LevelView> view = view_of(graph, *this);
    if (!view) return;
    subdivide_levels(graph, *this, *view, limit_of(*this), room_of(graph, *this));
}

TUFF_PASS(Subdivide)

} // namespace tuff::passes
