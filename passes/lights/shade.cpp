#include "passes/lights/shade.hpp"

#include "passes/lights/grid.hpp"
#include "passes/lights/lit_picture.hpp"

namespace tuff::passes {

void ShadeLights::describe(PassInfo<ShadeLights>& info) {
    info.summary(
            "Lights the surfaces of a picture with many small lights, each pixel with those of "
            "its tile")
        .details(
            "This is deferred shading in a compute kernel: positions come from depth, the rest "
            "from pictures such as those of scene/mesh_raster. Surfaces reflect like glTF's "
            "metallic-roughness materials.\n\n"
            "The intensity of a light falls off with the square of the distance, and by a "
            "window (1 - (d/range)^4)^2 to 0 at its range. So culling lights beyond their "
            "range changes nothing, and lights are added in the same order with \"grid\" and "
            "without. Without \"grid\" each pixel tries all lights, and without "
            "lights/cull lights/bad-light is not reported. Distances below 0.01 units count as "
            "0.01. Shadows come from \"hidden\".")
        .source("Karis, \"Real Shading in Unreal Engine 4\", SIGGRAPH 2013 courses (falloff); glTF "
                "2.0 specification, appendix B, and KHR_lights_punctual")
        .complexity("O(texels * lights of a list)")
        .cost([](const ShadeLights& pass, const Graph& graph) -> Cost {
            if (!pass.result) return {};
            const Extent extent = graph.extent(pass.result);
            const double texels = static_cast<double>(extent.width) * extent.height;
            double lists = 48.0 * pass.lights.count;
            if (pass.grid) lists += 4.0 * pass.grid.list_count() * pass.grid.summary_words;
            return {.bytes = lit_texel_bytes(pass, graph) * texels + lists,
                    .operations = 100.0 * texels};
        });
    info.input("lights", &ShadeLights::lights, "point lights and spots");
    info.optional_input("grid", &ShadeLights::grid,
                        "lists of lights/cull or clusters of lights/cluster; without it each "
                        "pixel tries all lights");
    describe_lit_inputs(info);
    describe_lit_result(info);
}

void ShadeLights::build(Graph& graph) {
    if (!is_valid(graph, lights) || !are_of_one_size(graph, *this) ||
        (grid && !is_grid_of(graph, grid, graph.extent(depth), lights.count)))
        return;
    const std::optional<LightView> view =
        light_view(graph, camera, scene, graph.extent(depth).width, graph.extent(depth).height);
    if (!view) return;
    ComputeNodeBuilder node = graph.compute("lights/shade");
    bind_grid(node, lights, grid);
    bind_lit_picture(graph, node, *this, *view);
    node.dispatch_over(graph.extent(depth));
}

void LightHeat::describe(PassInfo<LightHeat>& info) {
    info.summary("Shows the number of lights in the list of each pixel")
        .details("Colors follow the logarithm of the number, from black over blue, green and "
                 "yellow to white. Errors: lights/other-grid.")
        .complexity("O(texels * words of a list)")
        .cost([](const LightHeat& pass, const Graph& graph) -> Cost {
            if (!pass.color) return {};
            const Extent extent = graph.extent(pass.color);
            const double texels = static_cast<double>(extent.width) * extent.height;
            return {.bytes = 16.0 * texels + 4.0 * pass.grid.list_count() * pass.grid.words,
                    .operations = texels * (20.0 + 2.0 * pass.grid.words)};
        });
    info.input("grid", &LightHeat::grid, "lists of lights/cull, or clusters of lights/cluster");
    info.input("depth", &LightHeat::depth, "depth of the same picture").depth_picture();
    info.optional_input("scene", &LightHeat::scene,
                        "the scene that the camera is placed by, or whose camera is used");
    info.group("camera", &LightHeat::camera);
    info.parameter("most", &LightHeat::most, "number of lights that is shown white")
        .range(1.0, kMaxPlacedLights);
    info.output("color", &LightHeat::color, "the picture, linear, rgba16_sfloat");
    info.output("numbers", &LightHeat::numbers,
                "number of lights, r32_sfloat; 0 where there "
                "is no surface");
    info.output(
        "legend", &LightHeat::legend,
        "a legend as wide as the picture, from no lights to \"most\"; black marks at 1, 2, 4 "
        "and so on; rgba16_sfloat");
}

void LightHeat::build(Graph& graph) {
    if (!is_grid_of(graph, grid, graph.extent(depth), grid.count)) return;
    const std::optional<LightView> view = light_view(graph, camera, scene, grid.width, grid.height);
    if (!view) return;
    ComputeNodeBuilder node = graph.compute("lights/heat");
    node.set("words", grid.words);
    node.set("summary_words", grid.summary_words);
    node.set("side", grid.side);
    node.set("tiles_x", grid.tiles_x());
    node.set("lists_a_tile", grid.lists_a_tile);
    node.set("most", most);
    node.read("depth", first_level(depth), Sampler::nearest());
    node.read_optional("bounds", grid.bounds);
    node.read_optional("bins", grid.bins);
    node.set("bin_terms", grid.bin_terms);
    node.set("depth_terms", view->depth_terms);
    node.read("masks", grid.masks);
    node.read("summaries", grid.summaries);
    color = node.write("color", image_like(graph, "color", depth, Format::rgba16_sfloat));
    numbers = node.write("numbers", image_like(graph, "numbers", depth, Format::r32_sfloat));
    node.dispatch_over(graph.extent(depth));

    constexpr std::uint32_t kLegendHeight = 12;
    const Extent strip{grid.width, kLegendHeight, 1};
    ComputeNodeBuilder marks = graph.compute("lights/heat_legend", "legend");
    marks.set("most", most);
    legend = marks.write("legend",
                         graph.image("legend", {.format = Format::rgba16_sfloat, .extent = strip}));
    marks.dispatch_over(strip);
}

TUFF_PASS(ShadeLights)
TUFF_PASS(LightHeat)

} // namespace tuff::passes
