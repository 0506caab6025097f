#include "passes/terrain/quadtree.hpp"

#include "passes/common/div_round_up.hpp"
#include "passes/common/warning.hpp"
#include "passes/primitives/elements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxLeaves = 1u << 24;
constexpr std::uint32_t kDefaultLeaves = 1u << 16; // of surfaces whose trees have no known bound
constexpr std::uint32_t kSmallTree = 1u << 13;     // that one group builds
constexpr std::uint32_t kMaxFurtherEyes = 65534;
constexpr std::uint32_t kWindowGroup = 64;
constexpr std::uint32_t kMaxGroupsOfRow = 65535;

struct Windows {
    std::array<glm::uvec4, kMaxWideLevel + 1> levels{}; ///< as windows.comp has them
    std::uint64_t groups = 0;
};

Windows windows_of(double reach, std::uint32_t max_level) {
    Windows made;
    // The centre of a divided cell is nearer than `reach` sides; one more for rounding.
    const auto half = static_cast<std::uint32_t>(std::floor(reach + 0.5)) + 1;
    for (std::uint32_t level = 0; level < std::max(max_level, 1u); ++level) {
        const std::uint32_t side = std::min(2 * half + 1, 1u << level);
        made.levels[level] = {static_cast<std::uint32_t>(made.groups), side, half, 0};
        made.groups += div_round_up(std::uint64_t{side} * side, std::uint64_t{kWindowGroup});
    }
    return made;
}

QuadTree by_windows(Graph& graph, const TreeNodes& nodes, const Windows& windows) {
    ComputeNodeBuilder node = nodes.begin(graph, "terrain/windows");
    node.set("windows", std::span<const glm::uvec4>(windows.levels));
    QuadTree tree;
    tree.status = graph.fill(array(graph, "status", TreeStatus::kWords), 0, "no_leaves");
    tree.keys = node.write("keys", nodes.keys(graph, "keys", nodes.capacity));
    tree.edges = node.write("edges", array(graph, "edges", nodes.capacity));
    tree.status = node.write("status", tree.status);
    node.dispatch(static_cast<std::uint32_t>(windows.groups), nodes.eye_count + 1);
    return tree;
}

QuadTree by_one_group(Graph& graph, const TreeNodes& nodes) {
    ComputeNodeBuilder node = nodes.begin(graph, "terrain/one_group");
    QuadTree tree;
    tree.keys = node.write("keys", nodes.keys(graph, "keys", nodes.capacity));
    tree.edges = node.write("edges", array(graph, "edges", nodes.capacity));
    tree.status = node.write("status", array(graph, "status", TreeStatus::kWords));
    // Read only where this group has written it.
    const Buffer far =
        graph.fill(nodes.keys(graph, "far", 2 * std::uint64_t{nodes.capacity}), 0, "no_far");
    (void)node.write("far", far);
    node.dispatch(1);
    return tree;
}

QuadTree by_levels(Graph& graph, const TreeNodes& nodes) {
    QuadTree tree;
    tree.status = graph.fill(array(graph, "status", TreeStatus::kWords), 0, "no_leaves");
    const std::uint64_t most = kMaxWideLevel + 2;
    constexpr std::uint64_t kStride = 256; // bytes; devices bind buffers from such an offset on
    ComputeNodeBuilder roots = nodes.begin(graph, "terrain/roots");
    tree.keys = roots.write("keys", nodes.keys(graph, "keys", nodes.capacity));
    tree.edges = roots.write("edges", array(graph, "edges", nodes.capacity));
    tree.status = roots.write("status", tree.status);
    Buffer inner = roots.write("inner", nodes.keys(graph, "inner", nodes.faces));
    Buffer levels = roots.write(
        "levels", graph.buffer("levels", {.size = most * kStride, .stride = sizeof(glm::uvec4)}));
    roots.dispatch(1);
    for (std::uint32_t level = 0; level < nodes.max_level; ++level) {
        ComputeNodeBuilder node = nodes.begin(graph, "terrain/expand");
        node.set("level", level);
        node.read("inner", inner);
        inner = node.write("next_inner", nodes.keys(graph, "inner", nodes.capacity));
        tree.keys = node.write("keys", tree.keys);
        tree.edges = node.write("edges", tree.edges);
        tree.status = node.write("status", tree.status);
        node.read("own_level", BufferView(levels, level * kStride, sizeof(glm::uvec4)));
        node.dispatch_indirect(levels, level * kStride);
        levels =
            node.write("next_level", BufferView(levels, (level + 1) * kStride, sizeof(glm::uvec4)));
    }
    return tree;
}

/// The eyes of the buffer, each finite or none.
Buffer finite_eyes(Graph& graph, Buffer given, std::uint32_t count) {
    const BufferHistory kept = graph.history_buffer(
        "eyes", {.size = std::uint64_t{count} * sizeof(glm::vec4), .stride = sizeof(glm::vec4)});
    ComputeNodeBuilder node = graph.compute("terrain/eyes");
    node.set("count", count);
    node.read("given", given);
    node.read("before", kept.previous.front());
    const Buffer eyes = node.write("eyes", kept.current);
    const Buffer status =
        node.write("eye_status", graph.fill(array(graph, "bad_eyes", 1), 0, "no_bad_eyes"));
    node.dispatch_each(count);
    graph.status<EyeStatus>(status);
    return eyes;
}

/// k for each unit of 2 tan(fov / 2), not so small that the tree is no longer a balanced one.
double reach_of(Graph& graph, const BuildQuadTree& pass, const TerrainView& view) {
    const double reach = static_cast<double>(pass.k) / view.extent;
    if (reach >= kLeastDivision) return reach;
    graph.report(
        warning("terrain/small-k",
                fmt::format("\"k\" is {}, too small for a field of view of {} degrees: "
                            "neighbours would differ by more than a level; {:.2f} is used",
                            pass.k, view.camera.vertical_fov, kLeastDivision * view.extent),
                "raise \"k\" or look through a smaller angle"));
    return kLeastDivision;
}

/// Room for the leaves: what the user says, or enough for every eye on the ground.
std::uint32_t room_for_leaves(const BuildQuadTree& pass, double reach, std::uint32_t eyes) {
    if (pass.capacity > 0) return pass.capacity;
    if (!is_ground(pass.surface.kind)) return kDefaultLeaves;
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>(most_leaves(reach, pass.max_level, eyes), kMaxLeaves));
}

/// Reports what `describe` cannot say.
bool can_be(Graph& graph, const BuildQuadTree& pass) {
    const bool wide = pass.keys == TreeKeys::wide;
    const std::uint32_t deepest = wide ? kMaxWideLevel : kMaxNarrowLevel;
    if (pass.max_level > deepest) {
        graph.error("terrain/too-deep",
                    fmt::format("\"max_level\" is {}, and {} keys have levels up to {}",
                                pass.max_level, wide ? "wide" : "narrow", deepest),
                    wide ? "" : "use wide keys");
        return false;
    }
    if (!wide && face_count(pass.surface.kind) > 1) {
        graph.error("terrain/needs-wide", "narrow keys do not tell the squares of a planet apart",
                    "use wide keys");
        return false;
    }
    if (pass.drop != TreeDrop::nothing &&
        (pass.mode == TreeMode::incremental || pass.mode == TreeMode::printed)) {
        graph.error("terrain/cannot-drop",
                    "a tree that goes on from the frame before needs all its leaves",
                    "use terrain/cull behind it");
        return false;
    }
    return true;
}

/// The mode, or the one that is quickest; nothing, and a report, where it does not do.
std::optional<TreeMode> chosen_mode(Graph& graph, const BuildQuadTree& pass, const Windows& windows,
                                    const TreeNodes& nodes, double reach) {
    const std::uint64_t most = most_leaves(reach, pass.max_level, nodes.eye_count + 1);
    const bool windows_do =
        is_ground(pass.surface.kind) && windows.groups <= kMaxGroupsOfRow && nodes.capacity >= most;
    if (pass.mode == TreeMode::automatic) {
        if (windows_do) return TreeMode::windows;
        return nodes.capacity <= kSmallTree ? TreeMode::one_group : TreeMode::levels;
    }
    if (pass.mode == TreeMode::windows && !windows_do) {
        graph.error("terrain/no-windows",
                    "windows are for the ground alone, and need room for all leaves there may be",
                    "leave \"capacity\" 0, or use mode \"levels\"");
        return {};
    }
    return pass.mode;
}

} // namespace

std::uint64_t most_leaves(double reach, std::uint32_t max_level, std::uint32_t eyes) {
    // Points of a square lattice within a circle: no more than the area of one that is wider by
    // half a diagonal, for the squares about the points lie in it.
    const double radius = reach * (1.0 + 1e-5) + 0.5 * std::numbers::sqrt2;
    const double of_level = std::numbers::pi * radius * radius * eyes;
    double divided = 0.0;
    for (std::uint32_t level = 0; level < max_level; ++level)
        divided += std::min(std::ldexp(1.0, 2 * static_cast<int>(level)), std::ceil(of_level));
    return 1 + 3 * static_cast<std::uint64_t>(std::min(divided, 1e15));
}

void BuildQuadTree::describe(PassInfo<BuildQuadTree>& info) {
    info.summary("Divides a surface into cells that all look about equally large from the camera")
        .details(
            "A cell of side s whose centre is z away from an eye is divided where "
            "k * s > 2 z tan(vertical_fov / 2), so that the picture is about k cells high. On "
            "the ground z is measured to the plane y = \"base\", without heights. The leaves are "
            "keys of level and Morton code, and with each goes how much coarser its neighbours "
            "are; on the ground that is one level at most.\n\n"
            "The tree depends on the eyes alone, so most modes build it from nothing in each "
            "frame: \"windows\" all levels at once, for a cell knows by itself whether it is "
            "there, which is quickest (on the ground only); \"one_group\" level by level in a "
            "single "
            "group; \"levels\" with a kernel a level. \"incremental\" divides and merges "
            "leaves of the tree of the frame before, one level an iteration, and lags behind a "
            "fast camera; siblings are merged only where all four are leaves. \"printed\" does so "
            "without that look, as the book has it: after a jump of the camera the tree may have "
            "holes and overlaps, which are found, and then it begins again with its root.\n\n"
            "With \"drop\": \"outside\" cells outside the view are left out, with all below "
            "them, and, where \"depth\" is connected, those behind it: the depths of the frame "
            "before, of the same camera as then. What comes into sight is then seen a frame late. "
            "Only trees from nothing can leave out cells; for others there is "
            "terrain/cull.\n\n"
            "\"capacity\" 0 is enough for all places of eyes on the ground, and 65536 on other "
            "surfaces. Where there is no room, cells are not divided and a warning says so. "
            "Errors: "
            "terrain/too-deep, terrain/needs-wide, terrain/no-windows, terrain/cannot-drop, "
            "terrain/needs-perspective.")
        .source("Dupuy, Iehl and Poulin, \"Quadtrees on the GPU\", GPU Pro 5, 2014; "
                "Gargantini, \"An effective way to represent quadtrees\", CACM 25(12), 1982")
        .complexity("O(leaves * eyes), with levels a kernel for each level")
        .cost([](const BuildQuadTree& pass, const Graph&) -> Cost {
            if (!pass.tree) return {};
            const double leaves = pass.tree.capacity;
            return {.bytes = 4.0 * leaves * (pass.tree.key_words() + 1),
                    .operations = 100.0 * leaves};
        });
    info.input("surface", &BuildQuadTree::surface, "what is divided");
    info.optional_input("eyes", &BuildQuadTree::eyes,
                        "places in the world of further eyes, beside the camera: x, y, z, unused; "
                        "one that is not finite counts where it was last")
        .elements<glm::vec4>();
    info.optional_input("depth", &BuildQuadTree::depth,
                        "depths of the frame before, 0 near and 1 far, for \"drop\"")
        .depth_picture();
    info.group("camera", &BuildQuadTree::camera);
    info.parameter("width", &BuildQuadTree::width, "of the picture").range(1, 32768).unit("texels");
    info.parameter("height", &BuildQuadTree::height, "of the picture")
        .range(1, 32768)
        .unit("texels");
    info.parameter("k", &BuildQuadTree::k, "cells from bottom to top of the picture, at least")
        .range(0.1, 1000.0)
        .structural();
    info.parameter("max_level", &BuildQuadTree::max_level,
                   "of the smallest cells: 2^max_level of them along a side; at most 14, or 28 "
                   "with wide keys")
        .range(0, kMaxWideLevel)
        .structural();
    info.parameter("mode", &BuildQuadTree::mode, "how the tree is made").structural();
    info.parameter("keys", &BuildQuadTree::keys, "of one word, or of two").structural();
    info.parameter("drop", &BuildQuadTree::drop, "what is left out of the tree").structural();
    info.parameter("iterations", &BuildQuadTree::iterations,
                   "levels that an incremental tree may change by in a frame")
        .range(1, 32)
        .structural();
    info.parameter("capacity", &BuildQuadTree::capacity, "leaves that there is room for; 0: enough")
        .range(0, kMaxLeaves)
        .structural();
    info.parameter("reset", &BuildQuadTree::reset,
                   "another number than before lets an incremental tree begin with its root");
    info.output("tree", &BuildQuadTree::tree, "leaves");
}

void BuildQuadTree::build(Graph& graph) {
    if (!can_be(graph, *this)) return;
    const bool from_before = mode == TreeMode::incremental || mode == TreeMode::printed;
    const std::optional<TerrainView> view = terrain_view(graph, camera, surface, width, height);
    if (!view) return;
    const auto further = static_cast<std::uint32_t>(graph.desc(eyes).size / sizeof(glm::vec4));
    if (further > kMaxFurtherEyes) {
        graph.error("pass/out-of-range",
                    fmt::format("there are {} eyes, at most {} may be", further, kMaxFurtherEyes));
        return;
    }
    const double reach = reach_of(graph, *this, *view);
    TreeNodes nodes{
        .surface = surface,
        .view = *view,
        .ratio = static_cast<float>(1.0 / (reach * reach)),
        .eye_count = eyes ? further : 0,
        .max_level = max_level,
        .faces = face_count(surface.kind),
        .capacity = std::max(room_for_leaves(*this, reach, further + 1), face_count(surface.kind)),
        .reset = reset,
        .drop = drop,
        .type = keys};
    if (eyes) nodes.eyes = finite_eyes(graph, eyes, further);
    add_hiders(graph, nodes, depth);

    const Windows windows = windows_of(reach, max_level);
    const std::optional<TreeMode> chosen = chosen_mode(graph, *this, windows, nodes, reach);
    if (!chosen) return;
    if (from_before) {
        tree = incremental_tree(graph, nodes, iterations, mode == TreeMode::printed);
        tree.reach = static_cast<float>(reach);
        return;
    }
    QuadTree made = *chosen == TreeMode::windows     ? by_windows(graph, nodes, windows)
                    : *chosen == TreeMode::one_group ? by_one_group(graph, nodes)
                                                     : by_levels(graph, nodes);
    graph.status<TreeStatus>(made.status);
    made.type = keys;
    made.capacity = nodes.capacity;
    made.max_level = max_level;
    made.faces = nodes.faces;
    // Where there is no room for all leaves, neighbours may differ by more.
    made.balanced =
        is_ground(surface.kind) && !eyes && made.capacity >= most_leaves(reach, max_level, 1);
    made.reach = static_cast<float>(reach);
    tree = made;
}

TUFF_PASS(BuildQuadTree)

} // namespace tuff::passes
