#include "passes/lights/tiled.hpp"

#include "passes/lights/lit_picture.hpp"
#include "passes/lights/placed.hpp"

namespace tuff::passes {

void TiledLights::describe(PassInfo<TiledLights>& info) {
    info.summary("Lights the surfaces of a picture by many small lights, in one kernel that finds "
                 "the lights of a tile and shades its pixels")
        .details(
            "lights/cull and lights/shade in one: a group of invocations bounds its tile, tries "
            "all lights with it, keeps their bits in its own memory and shades, so that no lists "
            "are written or read, and lights are added in the same order: the picture is the same. "
            "Each tile tries each light, where lights/cull has blocks of tiles that choose first: "
            "from some thousand lights on two kernels are faster. Pixels try the lights of their "
            "list themselves, so that the test \"pixels\" is \"exact\" here.")
        .source("Stewart, \"Compute-Based Tiled Culling\", GPU Pro 6, 2015; Lauritzen, \"Deferred "
                "Rendering for Current and Future Rendering Pipelines\", SIGGRAPH 2010 courses")
        .complexity("O(lights * tiles + texels * lights of a list)")
        .cost([](const TiledLights& pass, const Graph& graph) -> Cost {
            if (!pass.result) return {};
            const Extent extent = graph.extent(pass.result);
            const double texels = static_cast<double>(extent.width) * extent.height;
            const double side = 8 << static_cast<int>(pass.side);
            return {.bytes = lit_texel_bytes(pass, graph) * texels + 96.0 * pass.lights.count,
                    .operations = (100.0 + 30.0 * pass.lights.count / (side * side)) * texels};
        });
    info.input("lights", &TiledLights::lights, "point lights and spots");
    describe_lit_inputs(info);
    info.parameter("side", &TiledLights::side, "of a tile, in pixels").structural();
    info.parameter("test", &TiledLights::test, "of lights/cull").structural();
    info.parameter("split", &TiledLights::split, "of lights/cull").structural();
    describe_lit_result(info);
}

void TiledLights::build(Graph& graph) {
    if (!is_valid(graph, lights) || !are_of_one_size(graph, *this)) return;
    const Extent extent = graph.extent(depth);
    const std::optional<LightView> view =
        light_view(graph, camera, scene, extent.width, extent.height);
    if (!view) return;
    Lights flat = lights; // each tile tries each light
    flat.nodes = flat.tops = {};
    const PlacedLights placed = placed_lights(graph, flat, *view);
    LightGrid grid{.width = extent.width,
                   .height = extent.height,
                   .side = 8u << static_cast<std::uint32_t>(side)};
    ComputeNodeBuilder node = graph.compute("lights/tiled");
    node.match<LightShade>("shades");
    node.specialize("side", grid.side);
    node.specialize("test",
                    static_cast<std::uint32_t>(test == CullTest::pixels ? CullTest::exact : test));
    node.specialize("split", static_cast<std::uint32_t>(split));
    node.set("size", glm::vec2(extent.width, extent.height));
    node.set("count", lights.count);
    node.set("chunks", div_round_up(lights.count, 1024u));
    node.read("balls", placed.balls);
    node.read("cones", placed.cones);
    node.read("spheres", lights.spheres);
    node.read("shades", lights.shades);
    write_status(graph, node, grid, placed);
    bind_lit_picture(graph, node, *this, *view);
    node.dispatch(grid.tiles_x(), grid.tiles_y());
    graph.status<LightStatus>(grid.status);
}

TUFF_PASS(TiledLights)

} // namespace tuff::passes
