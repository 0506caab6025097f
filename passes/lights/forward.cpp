#include "passes/lights/forward.hpp"

#include "passes/lights/grid.hpp"
#include "passes/lights/view.hpp"
#include "passes/scene/scene_draws.hpp"

#include <glm/matrix.hpp>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxForwardSide = 16384;
constexpr float kMaxForwardRadiance = 65504.0f;
constexpr std::array<MaterialTexture, 3> kForwardTextures{{
    {"base_color_map", &SceneMaterial::base_color_texture},
    {"normal_map", &SceneMaterial::normal_texture},
    {"metallic_roughness_map", &SceneMaterial::metallic_roughness_texture},
}};

/// What both drawings of the scene are told, and the draws themselves.
void draw_surfaces(Graph& graph, RasterNodeBuilder& node, const ForwardLights& pass,
                   const LightView& view, std::span<const MaterialTexture> textures) {
    const SceneData& data = *pass.scene.data;
    const std::vector<std::uint32_t> draws = by_textures(data, solid_draws(data), textures);
    node.specialize("kAlphaTest", std::uint32_t(any_masked(data, draws)));
    node.set("view_projection", view.clip_from_view * view.view_from_world);
    draw_scene(graph, node, pass.scene, draws, textures, Faces::as_material_says);
}

/// Depth alone, as numbers that culling reads and as what the second drawing is tested against.
struct Depths {
    Image tested;
    Image picture;
};

Depths draw_depth(Graph& graph, const ForwardLights& pass, const LightView& view) {
    const Extent extent{pass.width, pass.height, 1};
    RasterNodeBuilder node = graph.raster("lights/forward_depth", "depths");
    Depths depths;
    depths.tested = node.depth(
        graph.image("tested", {.format = Format::d32_sfloat, .extent = extent}), cleared(1.0f));
    draw_surfaces(graph, node, pass, view, std::span(kForwardTextures).first(1));
    ComputeNodeBuilder copy = graph.compute("scene/depth_picture", "depth_picture");
    copy.read("source", depths.tested, Sampler::nearest());
    depths.picture = copy.write(
        "result", graph.image("depth", {.format = Format::r32_sfloat, .extent = extent}));
    copy.dispatch_over(extent);
    return depths;
}

} // namespace

void ForwardLights::describe(PassInfo<ForwardLights>& info) {
    info.summary(
            "Draws a glTF scene under many small lights, each fragment lit by those of its tile")
        .details(
            "Forward+: depths are drawn first, lights/cull finds the lights of each tile, and "
            "surfaces are drawn again, each lit while it is drawn. No pictures of normals and "
            "colours are kept. With \"lists\": \"all\" each fragment tries all lights, as plain "
            "forward shading does. Surfaces have their base colours and normal maps; roughness "
            "and metallic are those of the parameters or, with \"own_materials\", of the scene's "
            "materials. The picture is that of lights/shade but for rounding. Blended materials "
            "are left out. One sample a pixel.")
        .source(
            "Harada, McKee and Yang, \"Forward+: Bringing Deferred Lighting to the Next Level\", "
            "Eurographics 2012 short papers")
        .complexity("O(triangles + fragments * lights of a list)")
        .cost([](const ForwardLights& pass, const Graph&) -> Cost {
            // A depth and a colour of each pixel, written once.
            const double pixels = static_cast<double>(pass.width) * pass.height;
            return {.bytes = 12.0 * pixels + 48.0 * pass.lights.count,
                    .operations = 100.0 * pixels};
        });
    info.input("scene", &ForwardLights::scene, "what is drawn");
    info.input("lights", &ForwardLights::lights, "point lights and spots");
    info.parameter("width", &ForwardLights::width, "of the picture")
        .range(1, kMaxForwardSide)
        .unit("texels")
        .structural();
    info.parameter("height", &ForwardLights::height, "of the picture")
        .range(1, kMaxForwardSide)
        .unit("texels")
        .structural();
    info.group("camera", &ForwardLights::camera);
    info.parameter("lists", &ForwardLights::lists, "which lights a fragment tries").structural();
    info.parameter("side", &ForwardLights::side, "of a tile, in pixels").structural();
    info.parameter("test", &ForwardLights::test, "of lights/cull").structural();
    info.parameter("split", &ForwardLights::split, "of lights/cull").structural();
    info.parameter("own_materials", &ForwardLights::own_materials,
                   "roughness and metallic are those of the scene's materials and their textures")
        .structural();
    info.parameter("roughness", &ForwardLights::roughness,
                   "of all surfaces without \"own_materials\"")
        .range(0.0, 1.0);
    info.parameter("metallic", &ForwardLights::metallic,
                   "of all surfaces without \"own_materials\"")
        .range(0.0, 1.0);
    info.parameter("ambient", &ForwardLights::ambient,
                   "multiplies the colour of surfaces and is added")
        .range(0.0, kMaxForwardRadiance);
    info.parameter("background", &ForwardLights::background, "where nothing is");
    info.output("result", &ForwardLights::result, "scene-linear, rgba16_sfloat");
    info.output("depth", &ForwardLights::depth, "r32_sfloat: 0 near, 1 far or nothing");
    info.output("grid", &ForwardLights::grid, "lists of the tiles; not connected with \"all\"");
}

void ForwardLights::build(Graph& graph) {
    if (!is_valid(graph, lights)) return;
    const std::optional<LightView> view = light_view(graph, camera, scene, width, height);
    if (!view) return;
    const Depths depths = draw_depth(graph, *this, *view);
    LightGrid found;
    if (lists == ForwardLists::tiles) {
        found = graph
                    .add(CullLights{.lights = lights,
                                    .depth = depths.picture,
                                    .scene = scene,
                                    .camera = camera,
                                    .side = side,
                                    .test = test,
                                    .split = split},
                         "cull")
                    .grid;
        if (!found) return;
    }
    RasterNodeBuilder node = graph.raster("lights/forward", "surfaces");
    result = node.color(
        graph.image("result", {.format = Format::rgba16_sfloat, .extent = {width, height, 1}}),
        cleared(background.r, background.g, background.b, background.a));
    node.depth_test_only(depths.tested);
    node.state().depth_write = false;
    node.state().depth_compare = CompareOp::less_or_equal;
    set_view(node, *view);
    node.set("world_from_view", glm::inverse(view->view_from_world));
    node.set("size", glm::vec2(width, height));
    node.specialize("kOwnMaterials", std::uint32_t{own_materials});
    node.set("roughness", roughness);
    node.set("metallic", metallic);
    node.set("ambient", ambient);
    bind_grid(node, lights, found);
    draw_surfaces(graph, node, *this, *view, kForwardTextures);
    depth = depths.picture;
    grid = found;
}

TUFF_PASS(ForwardLights)

} // namespace tuff::passes
