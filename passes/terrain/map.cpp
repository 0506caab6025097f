#include "passes/terrain/map.hpp"

#include "passes/primitives/elements.hpp"

#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxMapSide = 8192;

struct MapView {
    glm::vec2 eye{-1e9f};
    glm::vec4 ends{0.0f}; ///< directions of the left and the right end of the view
};

/// Where the camera stands in the map, and what it looks at.
std::optional<MapView> map_view(Graph& graph, const MapTree& pass) {
    MapView made;
    if (!pass.surface || !is_ground(pass.surface.kind)) return made;
    const auto height = 1000u;
    const auto width = static_cast<std::uint32_t>(std::max(1000.0f * pass.aspect, 1.0f));
    const std::optional<TerrainView> view =
        terrain_view(graph, pass.camera, pass.surface, width, height);
    if (!view) return {};
    const glm::vec3 ahead = view->camera.target - view->camera.position;
    const glm::vec2 to(ahead.x, ahead.z);
    const float pixels = static_cast<float>(pass.size) / pass.surface.ground.x;
    made.eye = (glm::vec2(view->camera.position.x, view->camera.position.z) +
                0.5f * pass.surface.ground.x) *
               pixels;
    if (glm::length(to) > 0.0f) {
        const glm::vec2 forward = glm::normalize(to);
        const float half = static_cast<float>(0.5 * view->extent) * pass.aspect;
        const glm::vec2 right(-forward.y, forward.x);
        made.ends = glm::vec4(forward - half * right, forward + half * right);
    }
    return made;
}

} // namespace

void MapTree::describe(PassInfo<MapTree>& info) {
    info.summary("Draws the leaves of a tree from above, and shows where they do not cover the "
                 "square exactly once")
        .details("Leaves have the colors of their levels and dark lines between them. A white "
                 "tick points into a leaf from each side where the neighbour is coarser. Points "
                 "that no leaf or several leaves cover are magenta; with \"parts\", uncovered "
                 "points are dark, for trees whose hidden leaves are culled.\n\n"
                 "u is to the right and v down. If \"surface\" is connected and is a ground, "
                 "the camera is a yellow dot, and the area outside of its view, seen from "
                 "above, is darker.")
        .source("Dupuy, Iehl and Poulin, \"Quadtrees on the GPU\", GPU Pro 5, 2014")
        .complexity("O(leaves + pixels * leaves that cover one)");
    info.input("tree", &MapTree::tree, "leaves");
    info.optional_input("surface", &MapTree::surface, "the surface of the tree, for the camera");
    info.group("camera", &MapTree::camera);
    info.parameter("aspect", &MapTree::aspect,
                   "aspect ratio of the camera's picture, width "
                   "over height")
        .range(0.01, 100.0);
    info.parameter("size", &MapTree::size, "width and height of the picture")
        .range(1, kMaxMapSide)
        .unit("texels")
        .structural();
    info.parameter("face", &MapTree::face,
                   "index of the square, for surfaces of several "
                   "squares")
        .range(0, 7);
    info.parameter("parts", &MapTree::parts, "the tree need not cover the square");
    info.output("result", &MapTree::result, "the picture, rgba16_sfloat, linear");
}

void MapTree::build(Graph& graph) {
    const std::optional<MapView> view = map_view(graph, *this);
    if (!view) return;
    const ShaderVariant variant = {{"KEY_WORDS", static_cast<std::int32_t>(tree.key_words())}};
    Buffer cover = graph.fill(array(graph, "cover", std::uint64_t{size} * size * 2), 0, "no_cover");
    {
        ComputeNodeBuilder node = graph.compute("terrain/map_cover", variant);
        node.read("keys", tree.keys);
        node.read("status", tree.status);
        node.set("size", size);
        node.set("capacity", tree.capacity);
        node.set("face", face);
        cover = node.write("cover", cover);
        const Groups groups = fold_groups(tree.capacity);
        groups.dispatch(node);
    }
    ComputeNodeBuilder node = graph.compute("terrain/map", variant);
    node.read("keys", tree.keys);
    node.read("edges", tree.edges);
    node.read("cover", cover);
    node.set("size", size);
    node.set("parts", std::uint32_t{parts});
    node.set("eye", view->eye);
    node.set("view", view->ends);
    const Extent extent{size, size, 1};
    result = node.write("result",
                        graph.image("result", {.format = Format::rgba16_sfloat, .extent = extent}));
    node.dispatch_over(extent);
}

TUFF_PASS(MapTree)

} // namespace tuff::passes
