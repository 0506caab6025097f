#include "passes/scene/mesh_raster.hpp"

#include "passes/common/picture.hpp"
#include "passes/scene/environment.hpp"
#include "passes/scene/scene_draws.hpp"
#include "passes/scene/shadow_map.hpp"
#include "passes/scene/sun_direction.hpp"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxSide = 16384;
constexpr std::uint32_t kMaxSamples = 8;

constexpr MaterialTexture kTextures[] = {
    {"base_color_map", &SceneMaterial::base_color_texture},
    {"metallic_roughness_map", &SceneMaterial::metallic_roughness_texture},
    {"normal_map", &SceneMaterial::normal_texture},
    {"occlusion_map", &SceneMaterial::occlusion_texture},
    {"emissive_map", &SceneMaterial::emissive_texture},
};

glm::vec3 towards(const SunParameters& sun) {
    return sun_direction(sun.azimuth, sun.elevation);
}

/// Back to front as the camera sees the middles of the draws. The order is part of the graph's
/// structure: a moving camera recompiles it whenever two blended draws change places.
void sort_back_to_front(const SceneData& scene, const Camera& camera,
                        std::vector<std::uint32_t>& draws) {
    const glm::mat4 view = camera.view();
    std::ranges::stable_sort(draws, {}, [&](std::uint32_t draw) {
        return (view * glm::vec4(scene.draw_bounds[draw].center(), 1.0f)).z;
    });
}

/// Everything the nodes of one picture share.
class Picture {
  public:
    Picture(Graph& graph, const MeshRaster& pass, const Camera& camera)
        : graph_(graph), pass_(pass), camera_(camera),
          view_projection_(
              camera.projection(static_cast<float>(pass.width) / static_cast<float>(pass.height)) *
              camera.view()) {
        lit_by_map_ = bool(pass.environment);
        environment_ = lit_by_map_ ? pass.environment : even_environment(graph);
        scale_ = lit_by_map_ ? glm::vec3(environment_.intensity) : pass.ambient;
        if (pass.sun.shadows)
            shadow_ = add_shadow_map(graph, pass.scene, towards(pass.sun), pass.sun.shadow_size);
    }

    void draw() {
        const SceneData& scene = *pass_.scene.data;
        const Extent extent{pass_.width, pass_.height, 1};
        color_ = graph_.image(
            "color", {.format = Format::rgba16_sfloat, .extent = extent, .samples = pass_.samples});
        depth_ = graph_.image(
            "depth", {.format = Format::d32_sfloat, .extent = extent, .samples = pass_.samples});
        const glm::vec4 clear = pass_.background;
        AttachmentStart start = cleared(clear.r, clear.g, clear.b, clear.a);
        if (lit_by_map_ && pass_.show_environment) {
            draw_environment();
            start = loaded();
        }
        std::vector<std::uint32_t> blended = blended_draws(scene);
        sort_back_to_front(scene, camera_, blended);
        draw_meshes(Faces::as_material_says, by_textures(scene, solid_draws(scene), kTextures),
                    start, blended.empty() ? Resolve::yes : Resolve::no);
        if (!blended.empty()) draw_meshes(Faces::back_to_front, blended, loaded(), Resolve::yes);
    }

    Image color() const { return resolved_ ? resolved_ : color_; }

    /// Depth as numbers a filter can read.
    Image depth() const {
        const bool multisampled = pass_.samples > 1;
        ComputeNodeBuilder node = graph_.compute(
            multisampled ? "scene/depth_first_sample" : "scene/depth_picture", "depth_picture");
        node.read("source", depth_, Sampler::nearest());
        const Image picture =
            node.write("result", graph_.image("depth_picture", {.format = Format::r32_sfloat,
                                                                .extent = graph_.extent(depth_)}));
        node.dispatch_over(graph_.extent(depth_));
        return picture;
    }

  private:
    void draw_environment() {
        RasterNodeBuilder node = graph_.raster("scene/background");
        specialize_cube_lookups(graph_, node);
        color_ = node.color(color_, discarded());
        node.state().depth_test = false;
        node.state().depth_write = false;
        node.set("inverse_view_projection", glm::inverse(view_projection_));
        node.set("scale", scale_);
        node.set("rotation", environment_.rotation);
        node.set("blur", pass_.background_blur);
        Sampler around;
        around.address_u = AddressMode::repeat;
        node.read("panorama", environment_.panorama, around);
        node.read("environment_map", environment_.specular);
        node.draw({.count = 3});
    }

    enum class Resolve { no, yes };
    void draw_meshes(Faces faces, std::span<const std::uint32_t> draws, AttachmentStart start,
                     Resolve resolve) {
        const bool blended = faces == Faces::back_to_front;
        RasterNodeBuilder node = graph_.raster("scene/mesh", blended ? "blended" : "meshes");
        color_ = blended ? node.blended_color(color_, start) : node.color(color_, start);
        if (resolve == Resolve::yes && pass_.samples > 1)
            resolved_ = node.resolve(graph_.image(
                "resolved", {.format = Format::rgba16_sfloat, .extent = graph_.extent(color_)}));
        if (blended)
            node.depth_test_only(depth_);
        else
            depth_ = node.depth(depth_, cleared(1.0f));
        node.specialize("kAlphaTest", std::uint32_t(any_masked(*pass_.scene.data, draws)));
        specialize_cube_lookups(graph_, node);
        set_parameters(node);
        bind_lights(node);
        draw_scene(graph_, node, pass_.scene, draws, kTextures, faces);
    }

    void set_parameters(RasterNodeBuilder& node) const {
        const bool perspective = camera_.kind == Projection::perspective;
        node.set("view_projection", view_projection_);
        node.set("eye", perspective
                            ? glm::vec4(camera_.position, 1.0f)
                            : glm::vec4(glm::normalize(camera_.position - camera_.target), 0.0f));
        node.set("light_direction", towards(pass_.sun));
        node.set("light_irradiance", pass_.sun.color * pass_.sun.intensity);
        node.set("roughness_scale", pass_.roughness_scale);
        node.set("environment_rotation", environment_.rotation);
        node.set("environment_scale", scale_);
        node.set("light_view_projection", shadow_ ? shadow_->view_projection : glm::mat4(1.0f));
        node.set("light_texel", shadow_ ? shadow_->texel_size : 0.0f);
        node.set("shadows", std::uint32_t(shadow_.has_value()));
    }

    void bind_lights(RasterNodeBuilder& node) const {
        node.read("environment_map", environment_.specular);
        node.read("dfg", environment_.dfg);
        node.read("irradiance", environment_.irradiance);
        // Where nothing casts shadows, any image will do: it is not looked at.
        node.read("shadow_map", shadow_ ? shadow_->depth : environment_.dfg, Sampler::nearest());
    }

    Graph& graph_;
    const MeshRaster& pass_;
    const Camera& camera_;
    glm::mat4 view_projection_;
    bool lit_by_map_ = false;
    EnvironmentMap environment_;
    glm::vec3 scale_{1.0f}; ///< of the environment's radiance
    std::optional<ShadowMap> shadow_;
    Image color_;
    Image depth_;
    Image resolved_;
};

/// The camera; nothing, and a report, where a parameter or input is refused.
std::optional<Camera> checked_camera(Graph& graph, const MeshRaster& pass) {
    if (!pass.scene) {
        graph.error("graph/unconnected", "input \"scene\" is not connected");
        return {};
    }
    const bool valid =
        in_range(graph, "width", pass.width, 1, kMaxSide) &&
        in_range(graph, "height", pass.height, 1, kMaxSide) &&
        in_range(graph, "samples", pass.samples, 1, kMaxSamples) &&
        in_range(graph, "sun.shadow_size", pass.sun.shadow_size, kMinShadowSide, kMaxShadowSide);
    if (!valid) return {};
    if (!std::has_single_bit(pass.samples)) {
        graph.error("pass/not-power-of-two",
                    fmt::format("parameter \"samples\" is {}, not a power of two", pass.samples),
                    "1, 2, 4 or 8");
        return {};
    }
    return camera_for(graph, pass.camera, *pass.scene.data, pass.width, pass.height);
}

} // namespace

void MeshRaster::describe(PassInfo<MeshRaster>& info) {
    info.summary("Draws a glTF scene: metallic-roughness materials, a sun with shadows, an "
                 "environment")
        .details(
            "Shades with the GGX microfacet model under one directional light, whose shadows come "
            "from a shadow map about the whole scene, and under an environment by the split sum "
            "with multiple scattering. Without an environment, even light of radiance \"ambient\" "
            "comes from all around. Textures for base colour, metallic and roughness, normals, "
            "occlusion and emission are used with the file's samplers and, where minified, "
            "8-fold anisotropic filtering. Single-sided faces that look away are culled; masked "
            "materials cut holes; blended ones are drawn last, back to front by the middle of "
            "each draw and the backs of double-sided faces first, which is wrong where they "
            "interpenetrate. Blended materials cast no shadow.\n\n"
            "Highlights are kept from sparkling by adding the normals' curvature within a pixel "
            "to the roughness. A scene without draws gives the background alone.")
        .source("glTF 2.0 specification, appendix B; Karis, \"Real Shading in Unreal Engine 4\", "
                "SIGGRAPH 2013 courses; Reeves, Salesin and Cook, SIGGRAPH 1987 (shadows)")
        .complexity("O(triangles + texels * depth complexity)")
        .cost([](const MeshRaster& pass, const Graph& graph) -> Cost {
            if (!pass.scene || !pass.color) return {};
            const double texels = static_cast<double>(pass.width) * pass.height;
            const double corners = 3.0 * static_cast<double>(pass.scene.data->triangle_count());
            const double pixel_bytes = 12.0 * pass.samples + (pass.samples > 1 ? 8.0 : 0.0);
            const double vertex_bytes =
                static_cast<double>(graph.desc(pass.scene.vertices).size) + 4.0 * corners;
            return {.bytes = texels * pixel_bytes + vertex_bytes,
                    .operations = 400.0 * texels + 60.0 * corners};
        });
    info.input("scene", &MeshRaster::scene, "what is drawn");
    info.optional_input("environment", &MeshRaster::environment,
                        "light from all around, and what is seen behind the scene");
    info.parameter("width", &MeshRaster::width, "of the picture")
        .range(1, kMaxSide)
        .unit("texels")
        .structural();
    info.parameter("height", &MeshRaster::height, "of the picture")
        .range(1, kMaxSide)
        .unit("texels")
        .structural();
    info.parameter("samples", &MeshRaster::samples,
                   "a pixel, for smooth edges: 1, 2, 4 or 8; every device has 1 and 4")
        .range(1, kMaxSamples)
        .structural();
    info.group("camera", &MeshRaster::camera);
    info.group("sun", &MeshRaster::sun);
    info.parameter("roughness_scale", &MeshRaster::roughness_scale,
                   "multiplies the roughness of all materials; 1 leaves the file's look")
        .range(0.0, 1.0);
    info.parameter("ambient", &MeshRaster::ambient,
                   "radiance from all around where no environment is connected")
        .range(0.0, 65504.0);
    info.parameter("background", &MeshRaster::background,
                   "linear colour and alpha where nothing is drawn and no environment is shown");
    info.parameter("show_environment", &MeshRaster::show_environment,
                   "shows the environment, where one is connected, behind the scene")
        .structural();
    info.parameter("background_blur", &MeshRaster::background_blur,
                   "0 shows the environment sharp, 1 as the roughest mirror reflects it")
        .range(0.0, 1.0);
    info.output("color", &MeshRaster::color, "scene-linear, rgba16_sfloat, one sample");
    info.output("depth", &MeshRaster::depth,
                "clip-space depth of the first sample, r32_sfloat: 0 near, 1 far or nothing");
}

void MeshRaster::build(Graph& graph) {
    const std::optional<Camera> view = checked_camera(graph, *this);
    if (!view) {
        // Users of the results still find what they expect to connect.
        const Extent extent{std::clamp(width, 1u, kMaxSide), std::clamp(height, 1u, kMaxSide), 1};
        color = graph.image("color", {.format = Format::rgba16_sfloat, .extent = extent});
        depth = graph.image("depth", {.format = Format::r32_sfloat, .extent = extent});
        return;
    }
    Picture picture(graph, *this, *view);
    picture.draw();
    color = picture.color();
    depth = picture.depth();
}

} // namespace tuff::passes
