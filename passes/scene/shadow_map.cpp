#include "passes/scene/shadow_map.hpp"

#include "passes/scene/scene_draws.hpp"

#include <tuff/camera.hpp>

#include <glm/geometric.hpp>

#include <algorithm>

namespace tuff::passes {
namespace {

constexpr float kDepthBiasConstant = 1.0f;
constexpr float kDepthBiasSlope = 1.5f; // the filter's width is handled where the map is read

/// An orthographic camera that holds the ball about the bounds: its size does not change with the
/// direction, so that a turning light keeps the shadows' sharpness.
Camera camera_of(const Bounds& bounds, glm::vec3 towards_light, std::uint32_t side) {
    const Bounds box = bounds.empty() ? Bounds{glm::vec3(-0.5f), glm::vec3(0.5f)} : bounds;
    constexpr float kRim = 4.0f; // texels at each border that the filter and its offset reach
    const float texels = static_cast<float>(side);
    const float radius =
        std::max(0.5f * glm::length(box.max - box.min), 1e-6f) * texels / (texels - 2.0f * kRim);
    Camera camera;
    camera.kind = Projection::orthographic;
    camera.target = box.center();
    camera.position = camera.target + towards_light * (2.0f * radius);
    camera.orthographic_height = 2.0f * radius;
    camera.near_plane = radius;
    camera.far_plane = 3.0f * radius;
    return camera;
}

} // namespace

ShadowMap add_shadow_map(Graph& graph, const Scene& scene, glm::vec3 towards_light,
                         std::uint32_t side) {
    const Camera camera = camera_of(scene.data->bounds, towards_light, side);
    const glm::mat4 view_projection = camera.projection(1.0f) * camera.view();

    RasterNodeBuilder node = graph.raster("scene/shadow", "shadow");
    const Image depth =
        node.depth(graph.image("shadow", {.format = Format::d32_sfloat, .extent = {side, side, 1}}),
                   cleared(1.0f));
    node.state().depth_bias_constant = kDepthBiasConstant;
    node.state().depth_bias_slope = kDepthBiasSlope;
    node.set("view_projection", view_projection);
    static constexpr MaterialTexture kTextures[] = {
        {"base_color_map", &SceneMaterial::base_color_texture}};
    const std::vector<std::uint32_t> draws =
        by_textures(*scene.data, solid_draws(*scene.data), kTextures);
    node.specialize("kAlphaTest", std::uint32_t(any_masked(*scene.data, draws)));
    // A face throws a shadow whichever side it turns to the light.
    draw_scene(graph, node, scene, draws, kTextures, Faces::both);
    return {depth, view_projection, camera.orthographic_height / static_cast<float>(side)};
}

} // namespace tuff::passes
