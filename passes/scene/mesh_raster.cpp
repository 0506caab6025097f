#include "passes/scene/mesh_raster.hpp"

#include "passes/scene/environment.hpp"
#include "passes/scene/scene_draws.hpp"
#include "passes/scene/shadow_map.hpp"
#include "passes/scene/sun_direction.hpp"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxSide = 16384;
constexpr std::uint32_t kMaxRasterSamples = 8;

/// What scene/surfaces looks up; of these scene/motion the first.
constexpr std::array<MaterialTexture, 2> kSurfaceTextures{{
    {"base_color_map", &SceneMaterial::base_color_texture},
    {"normal_map", &SceneMaterial::normal_texture},
}};

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

/// What the passes of one picture share, before anything is drawn.
SceneView begin_view(Graph& graph, const MeshRaster& pass, const Camera& camera) {
    SceneView view;
    const Extent extent{pass.width, pass.height, 1};
    view.color = graph.image(
        "color", {.format = Format::rgba16_sfloat, .extent = extent, .samples = pass.samples});
    view.depth = graph.image(
        "depth", {.format = Format::d32_sfloat, .extent = extent, .samples = pass.samples});
    view.environment = pass.environment ? pass.environment : even_environment(graph);
    view.environment_scale =
        pass.environment ? glm::vec3(view.environment.intensity) : pass.ambient;
    view.view_projection =
        camera.projection(static_cast<float>(pass.width) / static_cast<float>(pass.height)) *
        camera.view();
    view.eye = camera.kind == Projection::perspective
                   ? glm::vec4(camera.position, 1.0f)
                   : glm::vec4(glm::normalize(camera.position - camera.target), 0.0f);
    view.light_direction = towards(pass.sun);
    view.light_irradiance = pass.sun.color * pass.sun.intensity;
    view.roughness_scale = pass.roughness_scale;
    if (pass.sun.shadows) {
        const ShadowMap shadow =
            add_shadow_map(graph, pass.scene, view.light_direction, pass.sun.shadow_size);
        view.shadow_map = shadow.depth;
        view.light_view_projection = shadow.view_projection;
        view.light_texel = shadow.texel_size;
    }
    return view;
}

/// Everything the nodes of one picture share.
class Picture {
  public:
    Picture(Graph& graph, const MeshRaster& pass, const Camera& camera)
        : graph_(graph), pass_(pass), camera_(camera), view_(begin_view(graph, pass, camera)) {}

    void draw() {
        const SceneData& scene = *pass_.scene.data;
        const glm::vec4 clear = pass_.background;
        AttachmentStart start = cleared(clear.r, clear.g, clear.b, clear.a);
        if (pass_.environment && pass_.show_environment) {
            draw_environment();
            start = loaded();
        }
        std::vector<std::uint32_t> blended;
        if (pass_.blended == BlendedDraws::sorted) blended = blended_draws(scene);
        sort_back_to_front(scene, camera_, blended);
        draw_meshes(Faces::as_material_says, by_textures(scene, solid_draws(scene), kMeshTextures),
                    start, blended.empty() ? Resolve::yes : Resolve::no);
        if (!blended.empty()) draw_meshes(Faces::back_to_front, blended, loaded(), Resolve::yes);
    }

    Image color() const { return resolved_ ? resolved_ : view_.color; }
    const SceneView& view() const { return view_; }

    /// Normals and colours without light. They have a depth of their own, with one sample, so that
    /// nothing is drawn for those who do not ask.
    void draw_surfaces(Image& normal, Image& albedo) const {
        RasterNodeBuilder node = graph_.raster("scene/surfaces", "surfaces");
        normal = node.color(picture("normal", Format::rgba16_sfloat), cleared(0, 0, 0, 0));
        albedo = node.color(picture("albedo", Format::rgba16_sfloat), cleared(1, 1, 1, 0));
        set_view(node, view_);
        node.set("shadows", 0u);
        draw_solid(node, kSurfaceTextures);
    }

    /// What has moved since the frame before, of which a history keeps camera and places.
    Image draw_motion() const {
        const BufferDesc places{
            .size = sizeof(glm::mat4) *
                    (1 + std::max<std::size_t>(pass_.scene.data->transforms.size(), 1)),
            .stride = sizeof(glm::mat4)};
        const BufferHistory kept = graph_.history_buffer("places", places);
        ComputeNodeBuilder keeper = graph_.compute("scene/keep_places", "keep_places");
        keeper.set("view_projection", view_.view_projection);
        keeper.read("transforms", pass_.scene.transforms);
        (void)keeper.write("kept", kept.current);
        keeper.dispatch_each(static_cast<std::uint32_t>(places.size / sizeof(glm::mat4)));

        RasterNodeBuilder node = graph_.raster("scene/motion", "motion");
        const Image motion =
            node.color(picture("motion", Format::rg32_sfloat), cleared(0, 0, 0, 0));
        node.set("view_projection", view_.view_projection);
        node.set("size", glm::vec2(pass_.width, pass_.height));
        node.read("before", kept.previous[0]);
        node.read_optional("positions_before", positions_before());
        draw_solid(node, std::span(kSurfaceTextures).first(1));
        return motion;
    }

    /// Depth as numbers a filter can read.
    Image depth() const {
        const bool multisampled = pass_.samples > 1;
        ComputeNodeBuilder node = graph_.compute(
            multisampled ? "scene/depth_first_sample" : "scene/depth_picture", "depth_picture");
        node.read("source", view_.depth, Sampler::nearest());
        const Extent extent = graph_.extent(view_.depth);
        const Image picture =
            node.write("result", graph_.image("depth_picture",
                                              {.format = Format::r32_sfloat, .extent = extent}));
        node.dispatch_over(extent);
        return picture;
    }

  private:
    /// Where the vertices were; not connected where only transforms move.
    Buffer positions_before() const {
        if (!pass_.scene.vertices_move) return {};
        const std::uint64_t count = graph_.desc(pass_.scene.vertices).size / sizeof(Vertex);
        const BufferHistory kept = graph_.history_buffer(
            "positions", {.size = count * 3 * sizeof(float), .stride = sizeof(float)});
        ComputeNodeBuilder keeper = graph_.compute("scene/keep_positions", "keep_positions");
        keeper.read("vertices", pass_.scene.vertices);
        (void)keeper.write("kept", kept.current);
        keeper.dispatch_each(static_cast<std::uint32_t>(count));
        return kept.previous[0];
    }

    Image picture(std::string_view name, Format format) const {
        return graph_.image(name, {.format = format, .extent = {pass_.width, pass_.height, 1}});
    }

    /// What is not blended, into one sample a pixel.
    void draw_solid(RasterNodeBuilder& node, std::span<const MaterialTexture> textures) const {
        const SceneData& scene = *pass_.scene.data;
        const std::vector<std::uint32_t> draws = by_textures(scene, solid_draws(scene), textures);
        (void)node.depth(picture("surface_depth", Format::d32_sfloat), cleared(1.0f));
        node.specialize("kAlphaTest", std::uint32_t(any_masked(scene, draws)));
        draw_scene(graph_, node, pass_.scene, draws, textures, Faces::as_material_says);
    }

    void draw_environment() {
        RasterNodeBuilder node = graph_.raster("scene/background");
        specialize_cube_lookups(graph_, node);
        view_.color = node.color(view_.color, discarded());
        node.state().depth_test = false;
        node.state().depth_write = false;
        node.set("inverse_view_projection", glm::inverse(view_.view_projection));
        node.set("scale", view_.environment_scale);
        node.set("rotation", view_.environment.rotation);
        node.set("blur", pass_.background_blur);
        Sampler around;
        around.address_u = AddressMode::repeat;
        node.read("panorama", view_.environment.panorama, around);
        node.read("environment_map", view_.environment.specular);
        node.draw({.count = 3});
    }

    enum class Resolve { no, yes };
    void draw_meshes(Faces faces, std::span<const std::uint32_t> draws, AttachmentStart start,
                     Resolve resolve) {
        const bool blended = faces == Faces::back_to_front;
        RasterNodeBuilder node = graph_.raster("scene/mesh", blended ? "blended" : "meshes");
        view_.color =
            blended ? node.blended_color(view_.color, start) : node.color(view_.color, start);
        if (resolve == Resolve::yes && pass_.samples > 1)
            resolved_ =
                node.resolve(graph_.image("resolved", {.format = Format::rgba16_sfloat,
                                                       .extent = {pass_.width, pass_.height, 1}}));
        if (blended)
            node.depth_test_only(view_.depth);
        else
            view_.depth = node.depth(view_.depth, cleared(1.0f));
        node.specialize("kAlphaTest", std::uint32_t(any_masked(*pass_.scene.data, draws)));
        bind_view(graph_, node, view_);
        draw_scene(graph_, node, pass_.scene, draws, kMeshTextures, faces);
    }

    Graph& graph_;
    const MeshRaster& pass_;
    const Camera& camera_;
    SceneView view_;
    Image resolved_;
};

/// The camera; nothing, and a report, where a parameter or input is refused.
std::optional<Camera> checked_camera(Graph& graph, const MeshRaster& pass) {
    if (!std::has_single_bit(pass.samples)) {
        graph.error("pass/not-power-of-two",
                    fmt::format("parameter \"samples\" is {}, not a power of two", pass.samples),
                    "set it to 1, 2, 4 or 8");
        return {};
    }
    return camera_for(graph, pass.camera, *pass.scene.data, pass.width, pass.height);
}

} // namespace

void MeshRaster::describe(PassInfo<MeshRaster>& info) {
    info.summary("Draws a glTF scene: metallic-roughness materials, a sun with shadows, an "
                 "environment")
        .details(
            "Surfaces are shaded with the GGX microfacet model under one directional light, with a "
            "shadow map of the whole scene, and under an environment by the split sum with "
            "multiple scattering. Without an environment, even light of radiance \"ambient\" comes "
            "from all directions. Textures for base color, metallic and roughness, normals, "
            "occlusion and emission use the file's samplers and, where minified, 8x anisotropic "
            "filtering.\n\nSingle-sided back faces are culled, and masked materials cut holes. "
            "Blended materials are drawn last, back to front by the center of each draw, with the "
            "back sides of double-sided faces first; this is wrong where they intersect. Blended "
            "materials cast no shadow.\n\n\"normal\", \"albedo\" and \"motion\" are drawn "
            "separately, with one sample a pixel and without blended materials, and only if they "
            "are connected. They are inputs of image/denoise and of temporal filters.\n\nThe "
            "curvature of the normals within a pixel is added to the roughness, so highlights do "
            "not sparkle. A scene without draws gives the background alone.")
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
    info.input("scene", &MeshRaster::scene, "the scene to draw");
    info.optional_input("environment", &MeshRaster::environment,
                        "the environment light, also shown behind the scene");
    info.parameter("width", &MeshRaster::width, "width of the picture")
        .range(1, kMaxSide)
        .unit("texels")
        .structural();
    info.parameter("height", &MeshRaster::height, "height of the picture")
        .range(1, kMaxSide)
        .unit("texels")
        .structural();
    info.parameter("samples", &MeshRaster::samples,
                   "samples a pixel, for smooth edges: 1, 2, 4 or 8; every device has 1 and 4")
        .range(1, kMaxRasterSamples)
        .structural();
    info.group("camera", &MeshRaster::camera);
    info.group("sun", &MeshRaster::sun);
    info.parameter("roughness_scale", &MeshRaster::roughness_scale,
                   "multiplies the roughness of all materials; 1 leaves the file's look")
        .range(0.0, 1.0);
    info.parameter("ambient", &MeshRaster::ambient,
                   "radiance from all directions if no environment is connected")
        .range(0.0, 65504.0);
    info.parameter("background", &MeshRaster::background,
                   "linear color and alpha where nothing is drawn and no environment is shown");
    info.parameter("show_environment", &MeshRaster::show_environment,
                   "shows the connected environment behind the scene")
        .structural();
    info.parameter("background_blur", &MeshRaster::background_blur,
                   "blur of the shown environment: 0 is sharp, 1 is the roughest reflection")
        .range(0.0, 1.0);
    info.parameter("blended", &MeshRaster::blended,
                   "\"sorted\" draws blended materials sorted by draw; \"left_out\" leaves them to "
                   "passes that take the view, such as oit/capture")
        .structural();
    info.parameter(
            "keep_places", &MeshRaster::keep_places,
            "keeps the camera, transforms and moving vertices for the next frame; needed for "
            "\"motion\"")
        .structural();
    info.output("color", &MeshRaster::color, "scene-linear, rgba16_sfloat, one sample");
    info.output("depth", &MeshRaster::depth,
                "clip-space depth of the first sample, r32_sfloat: 0 near, 1 far or nothing");
    info.output("normal", &MeshRaster::normal,
                "unit normals of surfaces in the world, with normal maps; rgba16_sfloat, alpha 1; "
                "0 where nothing is drawn");
    info.output(
        "albedo", &MeshRaster::albedo,
        "linear color of surfaces; rgba16_sfloat, alpha 1; white with alpha 0 where nothing is "
        "drawn");
    info.output("motion", &MeshRaster::motion,
                "motion of surfaces in the picture since the previous frame, right and down in "
                "texels, rg32_sfloat; 0 in the first frame and where nothing is drawn; only with "
                "\"keep_places\"");
    info.output("view", &MeshRaster::view,
                "camera, lights, and color and depth of all samples, for passes that draw on");
}

void MeshRaster::build(Graph& graph) {
    const std::optional<Camera> seen_by = checked_camera(graph, *this);
    if (!seen_by) return;
    Picture picture(graph, *this, *seen_by);
    picture.draw();
    color = picture.color();
    depth = picture.depth();
    picture.draw_surfaces(normal, albedo);
    if (keep_places) motion = picture.draw_motion();
    view = picture.view();
}

TUFF_PASS(MeshRaster)

} // namespace tuff::passes
