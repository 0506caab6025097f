#include "passes/terrain/draw.hpp"

#include "passes/primitives/elements.hpp"
#include "passes/scene/sun_direction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kEdgeSets = 16;
constexpr std::uint32_t kDrawWords = 5; // of VkDrawIndexedIndirectCommand

/// The indices of one set of edges, or of all sixteen.
struct PatchIndices {
    std::shared_ptr<const std::vector<std::byte>> bytes;
    std::array<glm::uvec4, 4> first{};
    std::array<glm::uvec4, 4> count{};
};

PatchIndices patch_indices(std::uint32_t side, std::uint32_t sets) {
    PatchIndices made;
    std::vector<std::uint32_t> indices;
    for (std::uint32_t set = 0; set < sets; ++set) {
        const std::vector<std::uint32_t> of_set = patch_triangles(side, set);
        made.first[set / 4][static_cast<int>(set % 4)] = static_cast<std::uint32_t>(indices.size());
        made.count[set / 4][static_cast<int>(set % 4)] = static_cast<std::uint32_t>(of_set.size());
        indices.insert(indices.end(), of_set.begin(), of_set.end());
    }
    std::vector<std::byte> bytes(indices.size() * sizeof(std::uint32_t));
    std::memcpy(bytes.data(), indices.data(), bytes.size());
    made.bytes = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
    return made;
}

/// Made once for each size, so that graphs which are built again upload nothing.
const PatchIndices& kept_indices(PatchSide side, bool all_sets) {
    static const auto kMade = [] {
        std::array<std::array<PatchIndices, 2>, 5> made;
        for (std::uint32_t i = 0; i < made.size(); ++i)
            made[i] = {patch_indices(2u << i, 1), patch_indices(2u << i, kEdgeSets)};
        return made;
    }();
    return kMade[static_cast<std::size_t>(side)][all_sets ? 1 : 0];
}

struct PatchDraws {
    Buffer arguments;
    Buffer order;
    std::uint32_t draws = 1;
};

PatchDraws patch_draws(Graph& graph, const QuadTree& tree, const PatchIndices& patch, bool sorted) {
    PatchDraws made{.draws = sorted ? kEdgeSets : 1};
    {
        ComputeNodeBuilder node =
            graph.compute("terrain/draw_arguments", {{"SORTED", sorted ? 1 : 0}});
        if (!sorted) node.read("status", tree.status);
        node.set("capacity", tree.capacity);
        node.set("first", std::span<const glm::uvec4>(patch.first));
        node.set("count", std::span<const glm::uvec4>(patch.count));
        made.arguments = node.write(
            "arguments", array(graph, "arguments", std::uint64_t{kDrawWords} * made.draws));
        node.dispatch(1);
    }
    if (!sorted) return made;
    ComputeNodeBuilder node = graph.compute("terrain/draw_order");
    node.read("status", tree.status);
    node.read("edges", tree.edges);
    node.set("capacity", tree.capacity);
    made.arguments = node.write("arguments", made.arguments);
    made.order =
        node.write("order", array(graph, "order", std::uint64_t{kEdgeSets} * tree.capacity));
    node.dispatch_each(tree.capacity);
    return made;
}

/// Heights between which colours change; those of maps are taken to be 0 to 1.
glm::vec2 color_bounds(const DrawTerrain& pass) {
    if (pass.low != pass.high) return {pass.low, pass.high};
    const Surface& surface = pass.surface;
    if (surface.kind != SurfaceKind::heights) return surface.bounds;
    const float top = surface.ground.z + surface.ground.y;
    return {std::min(surface.ground.z, top), std::max(surface.ground.z, top)};
}

} // namespace

void DrawTerrain::describe(PassInfo<DrawTerrain>& info) {
    info.summary("Draws a surface with a grid of triangles for each leaf of a tree")
        .details(
            "\"stitching\" joins leaves to coarser neighbours. \"snap\" moves vertices to those "
            "of the coarser leaf, and works for any tree. \"indices\" skips these vertices "
            "with one of 16 index lists a leaf, for the same picture. \"morph\" moves the "
            "vertices of whole leaves, the more the farther away, so nothing pops. The last "
            "two need trees whose neighbours differ by at most one level: those over grounds "
            "that are rebuilt in each frame. \"none\" leaves cracks.\n\n"
            "A morph must not have begun next to finer leaves, and must be complete next to "
            "coarser ones. \"morph_from\" and \"morph_to\" are clamped to the limits for that, "
            "which depend on k and the field of view. \"tint\" colors levels, \"wire\" draws "
            "the triangles' sides.\n\n"
            "Errors: terrain/needs-balanced, terrain/needs-perspective.")
        .source(
            "Strugar, \"Continuous Distance-Dependent Level of Detail for Rendering Heightmaps\","
            " JGT 14(4), 2010 (morph); Gateau, \"Solid Wireframe\", NVIDIA, 2007")
        .complexity("O(leaves * side^2 + pixels)");
    info.input("surface", &DrawTerrain::surface, "the surface that the tree divides");
    info.input("tree", &DrawTerrain::tree, "leaves");
    info.group("camera", &DrawTerrain::camera);
    info.parameter("width", &DrawTerrain::width, "width of the picture")
        .range(1, 16384)
        .unit("texels")
        .structural();
    info.parameter("height", &DrawTerrain::height, "height of the picture")
        .range(1, 16384)
        .unit("texels")
        .structural();
    info.parameter("side", &DrawTerrain::side, "cells along a side of a leaf").structural();
    info.parameter("stitching", &DrawTerrain::stitching, "how leaves are joined to coarser ones")
        .structural();
    info.parameter("morph_from", &DrawTerrain::morph_from,
                   "where a morph begins, as a share of the distance at which the parent is "
                   "divided")
        .range(0.0, 1.0);
    info.parameter("morph_to", &DrawTerrain::morph_to,
                   "where a morph ends, as a share of the same distance")
        .range(0.0, 1.0);
    info.parameter("natural", &DrawTerrain::natural, "share of colors by height and slope")
        .range(0.0, 1.0);
    info.parameter("low", &DrawTerrain::low,
                   "height where the color ramp begins; if equal to \"high\": the surface's "
                   "bounds")
        .unit("world units");
    info.parameter("high", &DrawTerrain::high, "height where the color ramp ends")
        .unit("world units");
    info.parameter("tint", &DrawTerrain::tint, "share of the levels' colors").range(0.0, 1.0);
    info.parameter("wire", &DrawTerrain::wire, "share of the triangles' sides").range(0.0, 1.0);
    info.parameter("light", &DrawTerrain::light, "share of sunlight; 0: no shading")
        .range(0.0, 1.0);
    info.parameter("haze", &DrawTerrain::haze, "fog: density per world unit").range(0.0, 1e6);
    info.parameter("sun_azimuth", &DrawTerrain::sun_azimuth,
                   "direction to the sun: 0 is +z, 90 is +x")
        .unit("degrees");
    info.parameter("sun_elevation", &DrawTerrain::sun_elevation,
                   "elevation of the sun above the horizon")
        .range(-90.0, 90.0)
        .unit("degrees");
    info.parameter("color", &DrawTerrain::color,
                   "linear color of the ground without "
                   "\"natural\"");
    info.parameter("background", &DrawTerrain::background,
                   "linear color where there is no surface");
    info.output("result", &DrawTerrain::result, "the picture, rgba16_sfloat, linear");
    info.output("depth", &DrawTerrain::depth, "depth, d32_sfloat, 0 near, 1 nothing");
}

void DrawTerrain::build(Graph& graph) {
    if ((stitching == Stitching::indices || stitching == Stitching::morph) &&
        !(tree.balanced && is_ground(surface.kind))) {
        graph.error("terrain/needs-balanced",
                    "neighbours in this tree may differ by more than one level; \"indices\" and "
                    "\"morph\" cannot join them",
                    "set \"stitching\" to \"snap\"");
        return;
    }
    const std::optional<TerrainView> view = terrain_view(graph, camera, surface, width, height);
    if (!view) return;
    const bool sorted = stitching == Stitching::indices;
    const PatchIndices& patch = kept_indices(side, sorted);
    const PatchDraws draws = patch_draws(graph, tree, patch, sorted);
    const Buffer indices = graph.constant_buffer(
        "patch", {.size = patch.bytes->size(), .stride = kWordBytes}, patch.bytes);

    RasterNodeBuilder node = graph.raster("terrain/draw");
    const Extent extent{width, height, 1};
    result = node.color(graph.image("result", {.format = Format::rgba16_sfloat, .extent = extent}),
                        cleared(background.x, background.y, background.z, 1.0f));
    depth = node.depth(graph.image("depth", {.format = Format::d32_sfloat, .extent = extent}),
                       cleared(1.0f));
    node.specialize("patch_side", 2u << static_cast<std::uint32_t>(side));
    node.specialize("stitching", static_cast<std::uint32_t>(stitching));
    node.specialize("key_words", tree.key_words());
    set_surface(node, surface);
    node.read("keys", tree.keys);
    node.read("edges", tree.edges);
    node.read_optional("order", draws.order);
    node.index_buffer(indices, IndexType::uint32);
    node.set("clip_from_world", view->clip_from_world);
    node.set("eye", view->camera.position);
    node.set("reach", tree.reach);
    const auto [least, most] = morph_limits(std::max(static_cast<double>(tree.reach), 2.2));
    const double from = std::clamp(static_cast<double>(morph_from), least, most - 1e-3);
    node.set("morph",
             glm::vec2(from, std::clamp(static_cast<double>(morph_to), from + 1e-3, most)));
    node.set("sun", sun_direction(sun_azimuth, sun_elevation));
    node.set("light", light);
    node.set("natural", natural);
    node.set("tint", tint);
    node.set("wire", wire);
    node.set("haze", haze);
    node.set("background", glm::vec4(background, 0.0f));
    node.set("color", glm::vec4(color, 1.0f));
    node.set("bounds", color_bounds(*this));
    node.draw_indirect(draws.arguments, 0, draws.draws);
}

TUFF_PASS(DrawTerrain)

} // namespace tuff::passes
