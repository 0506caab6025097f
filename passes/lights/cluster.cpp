#include "passes/lights/cluster.hpp"

#include "passes/lights/placed.hpp"
#include "passes/primitives/elements.hpp"

#include <algorithm>
#include <cmath>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxClusterSide = 16384;
constexpr std::uint32_t kMaxBins = 4096;

/// As shaders/lights/view.glsl has it.
glm::vec4 bin_terms(const LightView& view, std::uint32_t bins) {
    const bool doubling = view.perspective > 0.5f;
    const float length =
        doubling ? std::log2(view.far_plane / view.near_plane) : view.far_plane - view.near_plane;
    const auto count = static_cast<float>(bins);
    return {view.near_plane, count / length, count, doubling ? 1.0f : 0.0f};
}

void set_tile_masks(Graph& graph, LightGrid& grid, const LightView& view,
                    const PlacedLights& placed) {
    ComputeNodeBuilder node = graph.compute("lights/cluster_tiles");
    node.specialize("side", grid.side);
    node.set("scale", view.scale);
    node.set("perspective", view.perspective);
    node.set("near", view.near_plane);
    node.set("far", view.far_plane);
    node.set("count", grid.count);
    node.set("words", grid.words);
    node.set("summary_words", grid.summary_words);
    node.set("size", glm::vec2(grid.width, grid.height));
    node.read("balls", placed.balls);
    write_masks(graph, node, grid);
    write_status(graph, node, grid, placed);
    node.dispatch(grid.tiles_x(), grid.tiles_y());
}

Buffer bin_masks(Graph& graph, const LightGrid& grid, const LightView& view, std::uint32_t bins,
                 Buffer balls) {
    ComputeNodeBuilder node = graph.compute("lights/cluster_bins");
    node.set("count", grid.count);
    node.set("words", grid.words);
    node.set("bin_terms", grid.bin_terms);
    node.set("far", view.far_plane);
    node.read("balls", balls);
    const Buffer masks = node.write("bins", array(graph, "bins", std::uint64_t{bins} * grid.words));
    node.dispatch_each(bins * grid.words);
    return masks;
}

} // namespace

void ClusterLights::describe(PassInfo<ClusterLights>& info) {
    info.summary("Finds the lights that may reach each part of the view, whatever it shows")
        .details(
            "For surfaces whose depth is not known when lights are culled: transparent ones, "
            "several layers, volumes. Tiles of the picture have a mask of lights, and so have "
            "slices of distance between the near and the far plane, each as much thicker than the "
            "one before as it is farther away (of orthographic cameras: all alike). What lies in a "
            "tile and a slice is lit by the lights that both masks have; lights/shade takes the "
            "result as it takes that of lights/cull, with any picture of depths. Spots count as "
            "the ball about their cone. Errors: lights/too-large.")
        .source("Olsson, Billeter and Assarsson, \"Clustered Deferred and Forward Shading\", HPG "
                "2012; Drobot, \"Improved Culling for Tiled and Clustered Rendering\", SIGGRAPH "
                "2017 courses (slices of distance beside tiles)")
        .complexity("O(lights * (tiles + bins))")
        .cost([](const ClusterLights& pass, const Graph&) -> Cost {
            const LightGrid& grid = pass.grid;
            if (!grid) return {};
            const double lists = static_cast<double>(grid.list_count()) + pass.bins;
            return {.bytes = 4.0 * lists * grid.words + 48.0 * grid.count,
                    .operations = (20.0 * grid.list_count() + 10.0 * pass.bins) * grid.count};
        });
    info.input("lights", &ClusterLights::lights, "point lights and spots");
    info.optional_input("scene", &ClusterLights::scene,
                        "what the camera is placed about, or whose camera it is");
    info.parameter("width", &ClusterLights::width, "of the picture")
        .range(1, kMaxClusterSide)
        .unit("texels")
        .structural();
    info.parameter("height", &ClusterLights::height, "of the picture")
        .range(1, kMaxClusterSide)
        .unit("texels")
        .structural();
    info.group("camera", &ClusterLights::camera);
    info.parameter("side", &ClusterLights::side, "of a tile, in pixels").structural();
    info.parameter("bins", &ClusterLights::bins, "slices of distance")
        .range(1, kMaxBins)
        .structural();
    info.output("grid", &ClusterLights::grid, "lists of all tiles and slices");
}

void ClusterLights::build(Graph& graph) {
    if (!is_valid(graph, lights)) return;
    const std::optional<LightView> view = light_view(graph, camera, scene, width, height);
    if (!view) return;
    LightGrid made{.width = width,
                   .height = height,
                   .side = 8u << static_cast<std::uint32_t>(side),
                   .count = lights.count,
                   .words = std::max(div_round_up(lights.count, 32u), 1u),
                   .summary_words = std::max(div_round_up(lights.count, 1024u), 1u),
                   .bin_terms = bin_terms(*view, bins)};
    if (!fits_a_buffer(graph, made, std::uint64_t{made.list_count()} * made.words)) return;
    const PlacedLights placed = placed_lights(graph, lights, *view);
    set_tile_masks(graph, made, *view, placed);
    made.bins = bin_masks(graph, made, *view, bins, placed.balls);
    graph.status<LightStatus>(made.status);
    grid = made;
}

TUFF_PASS(ClusterLights)

} // namespace tuff::passes
