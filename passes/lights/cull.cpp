#include "passes/lights/cull.hpp"

#include "passes/lights/placed.hpp"
#include "passes/primitives/elements.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kTilesOfBlock = 4;  // along a side
constexpr std::uint32_t kManyLights = 2048; // of which tiles no longer try each
constexpr std::uint32_t kMostRoom = 4096;

bool has_two_lists(DepthSplit split) {
    return split == DepthSplit::half || split == DepthSplit::modified_half;
}

LightGrid grid_of(const Graph& graph, const CullLights& pass) {
    const Extent extent = graph.extent(pass.depth);
    return {.width = extent.width,
            .height = extent.height,
            .side = 8u << static_cast<std::uint32_t>(pass.side),
            .lists_a_tile = has_two_lists(pass.split) ? 2u : 1u,
            .count = pass.lights.count,
            .words = std::max(divided_up(pass.lights.count, 32u), 1u),
            .room = pass.form == LightLists::capped ? pass.room : 0};
}

bool wants_macro_tiles(const CullLights& pass) {
    if (pass.macro == MacroTiles::automatic) return pass.lights.count >= kManyLights;
    return pass.macro == MacroTiles::on;
}

std::uint64_t blocks_x(const LightGrid& grid) {
    return divided_up(grid.tiles_x(), kTilesOfBlock);
}
std::uint64_t blocks_y(const LightGrid& grid) {
    return divided_up(grid.tiles_y(), kTilesOfBlock);
}

/// Words of the longest of the buffers.
std::uint64_t most_words(const CullLights& pass, const LightGrid& grid) {
    const std::uint64_t words = std::uint64_t{grid.list_count()} * std::max(grid.words, grid.room);
    if (!wants_macro_tiles(pass)) return words;
    return std::max(words, blocks_x(grid) * blocks_y(grid) * grid.count);
}

struct TileBounds {
    Buffer bounds;
    Buffer slices;
};

TileBounds find_bounds(Graph& graph, const CullLights& pass, const LightGrid& grid,
                       const LightView& view) {
    const std::uint64_t tiles = std::uint64_t{grid.tiles_x()} * grid.tiles_y();
    ComputeNodeBuilder node =
        graph.compute("lights/bounds", {{"METHOD", static_cast<std::int32_t>(pass.bounds)}});
    node.specialize("side", grid.side);
    node.set("depth_terms", view.depth_terms);
    node.read("depth", ImageView(pass.depth).mip(0), Sampler::nearest());
    const TileBounds found{
        .bounds = node.write("bounds", graph.buffer("bounds", {.size = tiles * sizeof(glm::vec4),
                                                               .stride = sizeof(glm::vec4)})),
        .slices = node.write("slices", array(graph, "slices", tiles))};
    node.dispatch(grid.tiles_x(), grid.tiles_y());
    return found;
}

struct MacroLists {
    Buffer lists;
    Buffer counts;
};

MacroLists list_by_blocks(Graph& graph, const LightGrid& grid, const LightView& view, Buffer balls,
                          Buffer bounds) {
    const std::uint64_t blocks = blocks_x(grid) * blocks_y(grid);
    ComputeNodeBuilder node = graph.compute("lights/cull_macro");
    node.specialize("side", grid.side);
    set_view(node, view);
    node.set("count", grid.count);
    node.set("tiles", glm::uvec2(grid.tiles_x(), grid.tiles_y()));
    node.set("size", glm::vec2(grid.width, grid.height));
    node.read("balls", balls);
    node.read("bounds", bounds);
    const MacroLists made{
        .lists = node.write(
            "lists", array(graph, "macro_lists", std::max<std::uint64_t>(blocks * grid.count, 1))),
        .counts = node.write("counts", array(graph, "macro_counts", blocks))};
    node.dispatch(static_cast<std::uint32_t>(blocks_x(grid)),
                  static_cast<std::uint32_t>(blocks_y(grid)));
    return made;
}

Buffer cull(Graph& graph, const CullLights& pass, const LightGrid& grid, const LightView& view,
            const PlacedLights& placed, const TileBounds& found) {
    MacroLists macro;
    if (wants_macro_tiles(pass))
        macro = list_by_blocks(graph, grid, view, placed.balls, found.bounds);
    ComputeNodeBuilder node = graph.compute("lights/cull");
    node.specialize("side", grid.side);
    node.specialize("test", static_cast<std::uint32_t>(pass.test));
    node.specialize("split", static_cast<std::uint32_t>(pass.split));
    set_view(node, view);
    node.set("count", grid.count);
    node.set("words", grid.words);
    node.set("size", glm::vec2(grid.width, grid.height));
    node.read("balls", placed.balls);
    node.read("cones", placed.cones);
    node.read("bounds", found.bounds);
    node.read("slices", found.slices);
    node.read_optional("macro_lists", macro.lists);
    node.read_optional("macro_counts", macro.counts, "has_macro_lists");
    node.read("depth", ImageView(pass.depth).mip(0), Sampler::nearest());
    const Buffer masks =
        node.write("masks", array(graph, "masks", std::uint64_t{grid.list_count()} * grid.words));
    node.dispatch(grid.tiles_x(), grid.tiles_y());
    return masks;
}

void make_lists(Graph& graph, LightGrid& grid) {
    ComputeNodeBuilder node = graph.compute("lights/lists");
    node.set("lists", grid.list_count());
    node.set("words", grid.words);
    node.set("room", grid.room);
    node.read("masks", grid.masks);
    grid.lists =
        node.write("lists", array(graph, "lists", std::uint64_t{grid.list_count()} * grid.room));
    grid.counts = node.write("counts", array(graph, "counts", grid.list_count()));
    grid.status = node.write("status", grid.status);
    node.dispatch_each(grid.list_count() * node.group_size()[0]);
}

} // namespace

void CullLights::describe(PassInfo<CullLights>& info) {
    info.summary("Finds, tile by tile, the lights that may reach what a picture shows")
        .details(
            "The depths of a tile's pixels bound what it shows; lights whose balls do not meet "
            "that "
            "are left out, and none that lights a pixel is. Spots have the least ball about their "
            "cone, and the cone is compared with a ball about the tile.\n\n"
            "\"test\": \"planes\" compares with the sides of the tile, \"box\" with the box about "
            "it in view space, \"both\" with both; \"exact\" adds the distance to the tile's part "
            "of the view, and \"pixels\" then keeps what reaches one of the tile's pixels.\n\n"
            "\"split\", where a tile shows near and far things with nothing between: \"half\" "
            "makes "
            "two lists at the middle of the distances, \"modified_half\" bounds what lies before "
            "and behind it tightly, \"mask\" keeps one list and leaves out lights that reach none "
            "of 32 slices with surfaces.\n\n"
            "A list is a mask, a bit for each light, so that it has no limit and the same order in "
            "every run. Capped lists hold the numbers of at most \"room\" lights; where there are "
            "more a warning says so, and lights/shade tries all lights there. Pixels of depth 1 "
            "show nothing. The camera is that of the picture; errors: lights/too-large.")
        .source("Stewart, \"Compute-Based Tiled Culling\", GPU Pro 6, 2015; "
                "Harada, \"A 2.5D Culling for Forward+\", SIGGRAPH Asia 2012 technical briefs; "
                "Wronski, \"Cull that cone!\", 2017 (spots)")
        .complexity("O(pixels + lights * tiles), with macro tiles O(pixels + lights * tiles / 16 + "
                    "what they find)")
        .cost([](const CullLights& pass, const Graph&) -> Cost {
            const LightGrid& grid = pass.grid;
            if (!grid) return {};
            const double tiles = static_cast<double>(grid.tiles_x()) * grid.tiles_y();
            const double tried = wants_macro_tiles(pass) ? tiles / 16.0 : tiles;
            return {.bytes = 4.0 * grid.width * grid.height +
                             4.0 * grid.list_count() * (grid.words + grid.room) +
                             48.0 * grid.count + 36.0 * tiles,
                    .operations = 30.0 * tried * grid.count + 8.0 * grid.width * grid.height};
        });
    info.input("lights", &CullLights::lights, "point lights and spots");
    info.input("depth", &CullLights::depth, "of the picture: 0 near, 1 nothing").depth_picture();
    info.optional_input("scene", &CullLights::scene,
                        "what the camera is placed about, or whose camera it is");
    info.group("camera", &CullLights::camera);
    info.parameter("side", &CullLights::side, "of a tile, in pixels").structural();
    info.parameter("test", &CullLights::test, "how lights are compared with tiles").structural();
    info.parameter("split", &CullLights::split, "what lists a tile has").structural();
    info.parameter("bounds", &CullLights::bounds,
                   "how least and greatest depth are found; the result is the same")
        .structural();
    info.parameter("macro", &CullLights::macro,
                   "blocks of 4 x 4 tiles choose first; \"automatic\": from 2048 lights on")
        .structural();
    info.parameter("form", &CullLights::form, "masks alone, or numbers too").structural();
    info.parameter("room", &CullLights::room, "lights of a capped list")
        .range(1, kMostRoom)
        .structural();
    info.output("grid", &CullLights::grid, "lists of all tiles");
}

void CullLights::build(Graph& graph) {
    if (!is_valid(graph, lights)) return;
    const std::optional<LightView> view =
        light_view(graph, camera, scene, graph.extent(depth).width, graph.extent(depth).height);
    if (!view) return;
    LightGrid made = grid_of(graph, *this);
    if (!fits_a_buffer(graph, made, most_words(*this, made))) return;
    const PlacedLights placed = placed_lights(graph, lights, *view);
    const TileBounds found = find_bounds(graph, *this, made, *view);
    made.masks = cull(graph, *this, made, *view, placed, found);
    made.bounds = found.bounds;
    made.status = placed.status;
    if (form == LightLists::capped) make_lists(graph, made);
    graph.status<LightStatus>(made.status);
    grid = made;
}

TUFF_PASS(CullLights)

} // namespace tuff::passes
