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
                    fmt::format("there is room for {} triangles, but the next level needs {}: the "
                                "surface is whole, and coarser than it should be",
                                room, needed),
                    fmt::format("\"most_triangles\" {} takes it a level further; over several "
                                "frames the room grows",
                                needed))};
}

std::vector<PoolNeed> SubdivisionStatus::pool_needs() const {
    if (stopped == 0) return {};
    return {{"triangles", needed}};
}

void Subdivide::describe(PassInfo<Subdivide>& info) {
    info.summary("Subdivides a cage of triangles by Loop's rules, here more and there less")
        .details(
            "Streams of triangles, each with all neighbours that a step needs: a level's "
            "triangles are tested, those that need no more are taken out as they are, and of the "
            "others each becomes four of the next level. Tables made once say who is next to "
            "whom, so positions may be others in every frame. Vertices lie on the limit surface, "
            "at the place that Loop's rules go to, whatever level they come from, and normals are "
            "those of the limit.\n\n"
            "There are no cracks: a vertex is made once, and triangles of different levels share "
            "it by number. \"fans\" cuts a triangle whose neighbour is one level finer to fit; "
            "where neighbours differ by more, slivers without much area fill the gap, as "
            "\"slivers\" does everywhere. \"balanced\" lets no triangle be split beside a coarser "
            "one, so that levels of neighbours differ by at most one and there are fans alone. So "
            "that the coarser one does not stay behind, it is split as soon as a neighbour needs "
            "two levels; where the level would rise faster than that, the surface is coarser than "
            "asked for. Each edge of the result is met by exactly two triangles, or lies on "
            "the cage's boundary.\n\n"
            "\"depth\" splits all; \"edges\" what is longer on the screen than \"pixels\"; "
            "\"flatness\" what lies farther from the surface than \"tolerance\" pixels, by its "
            "neighbours and its corners' way to their limits; \"angle\" what bends by more than "
            "\"angle\". The first \"least_level\" levels are split in any case, the last is level "
            "\"levels\". Where the next level does not fit, a level stays as it is, whole: the "
            "mesh "
            "is closed, a warning says so, and the room grows over the frames of a run.\n\n"
            "Edges sharp for some levels are followed to their limit for each vertex, so it does "
            "not matter at which level a vertex is made. Triangles behind the last have no area.")
        .source("D. Horn, \"Stream Reduction Operations for GPGPU Applications\", GPU Gems 2, "
                "chapter 36, 2005; C. Loop, \"Smooth Subdivision Surfaces Based on Triangles\", "
                "1987; masks of limits: Hoppe et al., SIGGRAPH 1994")
        .complexity("O(triangles of all levels)")
        .cost([](const Subdivide& pass, const Graph&) {
            // A record of 12 points is written and read, and three triangles in four are the last.
            const double n = pass.mesh.triangle_count;
            return Cost{.bytes = 600.0 * n, .operations = 900.0 * n};
        });
    info.input("cage", &Subdivide::cage, "what is subdivided");
    info.group("camera", &Subdivide::camera);
    info.parameter("width", &Subdivide::width, "of the picture that pixels are counted in")
        .range(1, 32768)
        .unit("texels");
    info.parameter("height", &Subdivide::height, "of it").range(1, 32768).unit("texels");
    info.parameter("criterion", &Subdivide::criterion, "which triangles are split").structural();
    info.parameter("levels", &Subdivide::levels, "most levels")
        .range(0, kMaxSubdivisionLevels)
        .structural();
    info.parameter("least_level", &Subdivide::least_level, "levels that are split in any case")
        .range(0, kMaxSubdivisionLevels)
        .structural();
    info.parameter("pixels", &Subdivide::pixels, "of \"edges\": longest edge that stays")
        .range(0.0, 1e6)
        .unit("texels");
    info.parameter("tolerance", &Subdivide::tolerance, "of \"flatness\"")
        .range(0.0, 1e6)
        .unit("texels");
    info.parameter("angle", &Subdivide::angle, "of \"angle\": largest that stays")
        .range(0.0, 360.0)
        .unit("degrees");
    info.parameter("join", &Subdivide::join, "how triangles of different levels meet").structural();
    info.parameter("most_triangles", &Subdivide::most_triangles,
                   "that there is room for, but at least the cage's; 0: sixteen times the cage's, "
                   "and at least 131,072, or what all levels come to if that is less")
        .range(0, kMaxTriangleRoom)
        .structural();
    info.parameter("method", &Subdivide::method, "of the streams' scans").structural();
    info.output("mesh", &Subdivide::mesh, "the triangles, and behind them some without area");
    info.output("normals", &Subdivide::normals,
                "of each vertex: a unit vector, and 1 where edges are sharp, else 0; on a crease "
                "the mean of both sides, where more meet that of one of them")
        .elements<glm::vec4>();
    info.output("corner_normals", &Subdivide::corner_normals,
                "nine floats a triangle: unit normals at its corners, of its own side of creases")
        .elements<float>();
    info.output("tags", &Subdivide::tags,
                "of each triangle: the cage's triangle that it comes from; its level, plus 256 "
                "where it is a part of one and 512 where it is a sliver. All bits set behind the "
                "last one")
        .elements<glm::uvec2>();
    info.output("draw", &Subdivide::draw, "arguments of an indirect draw with indices")
        .elements<std::uint32_t>();
    info.output("status", &Subdivide::status, "what was made").elements<SubdivisionStatus>();
}

void Subdivide::build(Graph& graph) {
    if (cage.topology->triangle_count > kMaxTriangleRoom) {
        graph.error("bvh/too-many-triangles", "the cage has more triangles than can be subdivided");
        return;
    }
    const std::optional<LevelView> view = view_of(graph, *this);
    if (!view) return;
    subdivide_levels(graph, *this, *view, limit_of(*this), room_of(graph, *this));
}

TUFF_PASS(Subdivide)

} // namespace tuff::passes
