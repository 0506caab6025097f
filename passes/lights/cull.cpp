#include "passes/lights/cull.hpp"

#include "passes/lights/placed.hpp"
#include "passes/primitives/elements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kTilesOfBlock = 4; // along a side
constexpr std::uint32_t kMaxRoom = 4096;

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
            .words = std::max(div_round_up(pass.lights.count, 32u), 1u),
            .summary_words = std::max(div_round_up(pass.lights.count, 1024u), 1u),
            .room = pass.form == LightLists::capped ? pass.room : 0};
}

/// The strips by which blocks choose lights. With boxes alone sides do not count.
LightStrips strips_of(const CullLights& pass, const LightGrid& grid) {
    if (pass.macro == MacroTiles::off || pass.test == CullTest::box) return {};
    return {.columns = div_round_up(grid.tiles_x(), kTilesOfBlock),
            .rows = div_round_up(grid.tiles_y(), kTilesOfBlock),
            .block = kTilesOfBlock * grid.side,
            .size = glm::vec2(grid.width, grid.height)};
}

/// By blocks: words of summaries at a time. Longer spans of lights cost shared memory.
std::uint32_t chunks_at_a_time(const CullLights& pass, const LightGrid& grid) {
    const std::uint32_t room = (pass.test == CullTest::pixels ? 2u : 4u) / grid.lists_a_tile;
    return std::min(room, std::bit_ceil(grid.summary_words));
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

/// What both ways of culling are told.
void bind_cull(Graph& graph, ComputeNodeBuilder& node, const CullLights& pass, LightGrid& grid,
               const LightView& view, const PlacedLights& placed) {
    node.specialize("test", static_cast<std::uint32_t>(pass.test));
    node.specialize("split", static_cast<std::uint32_t>(pass.split));
    set_view(node, view);
    node.set("count", grid.count);
    node.set("stride", placed.stride);
    node.set("words", grid.words);
    node.set("summary_words", grid.summary_words);
    node.set("size", glm::vec2(grid.width, grid.height));
    node.read("balls", placed.balls);
    node.read("cones", placed.cones);
    node.read("depth", ImageView(pass.depth).mip(0), Sampler::nearest());
    write_masks(graph, node, grid);
    write_status(graph, node, grid, placed);
}

void cull_by_tiles(Graph& graph, const CullLights& pass, LightGrid& grid, const LightView& view,
                   const PlacedLights& placed) {
    const TileBounds found = find_bounds(graph, pass, grid, view);
    grid.bounds = found.bounds;
    ComputeNodeBuilder node = graph.compute("lights/cull");
    node.specialize("side", grid.side);
    bind_cull(graph, node, pass, grid, view, placed);
    node.read("bounds", found.bounds);
    node.read("slices", found.slices);
    node.dispatch(grid.tiles_x(), grid.tiles_y());
}

void cull_by_blocks(Graph& graph, const CullLights& pass, LightGrid& grid, const LightView& view,
                    const PlacedLights& placed) {
    const std::uint64_t tiles = std::uint64_t{grid.tiles_x()} * grid.tiles_y();
    ComputeNodeBuilder node =
        graph.compute("lights/cull_blocks", {{"SIDE", static_cast<std::int32_t>(grid.side)}});
    node.specialize("has_nodes", pass.lights.nodes ? 1u : 0u);
    node.specialize("span_chunks", chunks_at_a_time(pass, grid));
    node.set("tiles", glm::uvec2(grid.tiles_x(), grid.tiles_y()));
    node.read_optional("strips", placed.strips, "has_strips");
    bind_cull(graph, node, pass, grid, view, placed);
    grid.bounds = node.write("bounds", graph.buffer("bounds", {.size = tiles * sizeof(glm::vec4),
                                                               .stride = sizeof(glm::vec4)}));
    node.dispatch(div_round_up(grid.tiles_x(), kTilesOfBlock),
                  div_round_up(grid.tiles_y(), kTilesOfBlock));
}

void make_lists(Graph& graph, LightGrid& grid) {
    ComputeNodeBuilder node = graph.compute("lights/lists");
    node.set("lists", grid.list_count());
    node.set("words", grid.words);
    node.set("summary_words", grid.summary_words);
    node.set("room", grid.room);
    node.read("masks", grid.masks);
    node.read("summaries", grid.summaries);
    grid.lists =
        node.write("lists", array(graph, "lists", std::uint64_t{grid.list_count()} * grid.room));
    grid.counts = node.write("counts", array(graph, "counts", grid.list_count()));
    grid.status = node.write("status", grid.status);
    node.dispatch_each(grid.list_count() * node.group_size()[0]);
}

} // namespace

void CullLights::describe(PassInfo<CullLights>& info) {
    info.summary("Finds the lights that may reach what each tile of a picture shows")
        .details(
            "The depths of a tile's pixels bound what the tile shows. Lights whose spheres do "
            "not intersect these bounds are culled; no light that reaches a pixel is. Spots "
            "have the bounding sphere of their cone, and the cone is tested against a sphere "
            "around the tile.\n\n"
            "\"test\": \"planes\" uses the sides of the tile's frustum, \"box\" its bounding "
            "box in view space, \"both\" both. \"exact\" adds the distance to the tile's part "
            "of the view, and \"pixels\" then keeps only lights that reach one of the tile's "
            "pixels.\n\n"
            "\"split\" is for tiles with near and far surfaces and nothing between. \"half\" "
            "makes two lists, divided at the middle of the distances. \"modified_half\" also "
            "bounds each half tightly. \"mask\" keeps one list and culls lights that reach "
            "none of 32 slices with surfaces.\n\n"
            "A list is a mask with one bit for each light, so it has no limit and the same "
            "order in every run. A summary tells which of its words are not 0. Capped lists "
            "have the indices of at most \"room\" lights. If there are more, a warning reports "
            "it, and lights/shade tries all lights there. Pixels of depth 1 show nothing.\n\n"
            "Blocks of 4 x 4 tiles select lights first; one kernel finds bounds and lights of "
            "a whole block. If lights have a tree (lights/tree), a block tests spheres around "
            "1024 and 32 lights before the lights, so 100,000 lights cost little more than "
            "those nearby.\n\n"
            "The camera must be that of the picture. Errors: lights/too-large.")
        .source("Stewart, \"Compute-Based Tiled Culling\", GPU Pro 6, 2015; "
                "Harada, \"A 2.5D Culling for Forward+\", SIGGRAPH Asia 2012 technical briefs; "
                "Wronski, \"Cull that cone!\", 2017 (spots)")
        .complexity("O(pixels + lights * tiles / 16 + lights found by blocks); less with a tree")
        .cost([](const CullLights& pass, const Graph&) -> Cost {
            const LightGrid& grid = pass.grid;
            if (!grid) return {};
            const double tiles = static_cast<double>(grid.tiles_x()) * grid.tiles_y();
            const double tried = pass.macro == MacroTiles::off ? tiles : tiles / 16.0;
            return {.bytes = 4.0 * grid.width * grid.height +
                             4.0 * grid.list_count() * (grid.words + grid.room) +
                             48.0 * grid.count + 36.0 * tiles,
                    .operations = 30.0 * tried * grid.count + 8.0 * grid.width * grid.height};
        });
    info.input("lights", &CullLights::lights, "point lights and spots");
    info.input("depth", &CullLights::depth, "depth of the picture: 0 near, 1 nothing")
        .depth_picture();
    info.optional_input("scene", &CullLights::scene,
                        "the scene that the camera is placed by, or whose camera is used");
    info.group("camera", &CullLights::camera);
    info.parameter("side", &CullLights::side, "side of a tile, in pixels").structural();
    info.parameter("test", &CullLights::test, "how lights are tested against tiles").structural();
    info.parameter("split", &CullLights::split, "how tiles with near and far surfaces are split")
        .structural();
    info.parameter(
            "bounds", &CullLights::bounds,
            "how minimum and maximum depth are computed without blocks of tiles; the result is "
            "the same")
        .structural();
    info.parameter("macro", &CullLights::macro,
                   "whether blocks of 4 x 4 tiles select lights first; \"automatic\": yes")
        .structural();
    info.parameter("layout", &CullLights::layout,
                   "memory layout that culling reads: an array of spheres alone, or spheres "
                   "interleaved with the other data of lights")
        .structural();
    info.parameter("form", &CullLights::form, "only masks, or also lists of indices").structural();
    info.parameter("room", &CullLights::room, "capacity of a capped list, in lights")
        .range(1, kMaxRoom)
        .structural();
    info.output("grid", &CullLights::grid, "the lists of all tiles");
}

void CullLights::build(Graph& graph) {
    if (!is_valid(graph, lights)) return;
    const std::optional<LightView> view =
        light_view(graph, camera, scene, graph.extent(depth).width, graph.extent(depth).height);
    if (!view) return;
    LightGrid made = grid_of(graph, *this);
    const std::uint64_t of_lists = std::max(made.words, made.room);
    if (!fits_a_buffer(graph, made, made.list_count() * of_lists)) return;
    const PlacedLights placed =
        placed_lights(graph, lights, *view, layout == LightLayout::combined ? 4 : 1,
                      strips_of(*this, made));
    if (macro == MacroTiles::off)
        cull_by_tiles(graph, *this, made, *view, placed);
    else
        cull_by_blocks(graph, *this, made, *view, placed);
    if (form == LightLists::capped) make_lists(graph, made);
    graph.status<LightStatus>(made.status);
    grid = made;
}

TUFF_PASS(CullLights)

} // namespace tuff::passes
