#include "passes/lights/tiled.hpp"

#include "passes/common/picture.hpp"
#include "passes/lights/placed.hpp"
#include "passes/lights/view.hpp"

#include <glm/matrix.hpp>

namespace tuff::passes {
namespace {

constexpr float kMostTiledRadiance = 65504.0f;

ImageView finest(Image image) {
    return image ? ImageView(image).mip(0) : ImageView(image);
}

} // namespace

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
            double bytes = 0.0;
            for (const Image image :
                 {pass.depth, pass.normal, pass.albedo, pass.material, pass.under, pass.result})
                if (image) bytes += tuff::info(graph.desc(image).format).texel_bytes;
            const double side = 8 << static_cast<int>(pass.side);
            return {.bytes = bytes * texels + 96.0 * pass.lights.count,
                    .operations = (100.0 + 30.0 * pass.lights.count / (side * side)) * texels};
        });
    info.input("lights", &TiledLights::lights, "point lights and spots");
    info.input("depth", &TiledLights::depth, "of the picture: 0 near, 1 nothing").depth_picture();
    info.input("normal", &TiledLights::normal, "where surfaces look, in the world").picture();
    info.input("albedo", &TiledLights::albedo, "linear colour of surfaces").picture();
    info.optional_input("material", &TiledLights::material, kMaterialPicture).picture();
    info.optional_input("under", &TiledLights::under,
                        "light that is there already, and what lies behind all surfaces")
        .picture();
    info.optional_input(
        "hidden", &TiledLights::hidden,
        "r32_uint of lights/shadows: of lights 0 to 31 those that something is before");
    info.optional_input("scene", &TiledLights::scene,
                        "what the camera is placed about, or whose camera it is");
    info.group("camera", &TiledLights::camera);
    info.parameter("side", &TiledLights::side, "of a tile, in pixels").structural();
    info.parameter("test", &TiledLights::test, "of lights/cull").structural();
    info.parameter("split", &TiledLights::split, "of lights/cull").structural();
    info.parameter("roughness", &TiledLights::roughness, "of all surfaces without \"material\"")
        .range(0.0, 1.0);
    info.parameter("metallic", &TiledLights::metallic, "of all surfaces without \"material\"")
        .range(0.0, 1.0);
    info.parameter("ambient", &TiledLights::ambient,
                   "multiplies the colour of surfaces and is added")
        .range(0.0, kMostTiledRadiance);
    info.parameter("background", &TiledLights::background,
                   "where nothing is, unless \"under\" is connected");
    info.parameter("storage", &TiledLights::storage, "what a texel of the result is").structural();
    info.output("result", &TiledLights::result, "scene-linear, of the size of \"depth\"");
}

void TiledLights::build(Graph& graph) {
    if (!is_valid(graph, lights)) return;
    const std::pair<Image, std::string_view> pictures[] = {{normal, "normal"},
                                                           {albedo, "albedo"},
                                                           {material, "material"},
                                                           {under, "under"},
                                                           {hidden, "hidden"}};
    for (const auto& [picture, name] : pictures)
        if (picture && !same_size(graph, depth, "depth", picture, name)) return;
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
    set_view(node, *view);
    node.set("world_from_view", glm::inverse(view->view_from_world));
    node.set("size", glm::vec2(extent.width, extent.height));
    node.set("count", lights.count);
    node.set("chunks", divided_up(lights.count, 1024u));
    node.set("roughness", roughness);
    node.set("metallic", metallic);
    node.set("ambient", ambient);
    node.set("background", background);
    node.read("balls", placed.balls);
    node.read("cones", placed.cones);
    node.read("spheres", lights.spheres);
    node.read("shades", lights.shades);
    node.read("depth", finest(depth), Sampler::nearest());
    node.read("normal", finest(normal), Sampler::nearest());
    node.read("albedo", finest(albedo), Sampler::nearest());
    node.read_optional("material", finest(material), Sampler::nearest());
    node.read_optional("under", finest(under), Sampler::nearest());
    node.read_optional("hidden", finest(hidden), Sampler::nearest());
    write_status(graph, node, grid, placed);
    const Format format =
        storage == LitStorage::rgba16_sfloat ? Format::rgba16_sfloat : Format::rgba32_sfloat;
    result = node.write("result", image_like(graph, "result", depth, format));
    node.dispatch(grid.tiles_x(), grid.tiles_y());
    graph.status<LightStatus>(grid.status);
}

TUFF_PASS(TiledLights)

} // namespace tuff::passes
