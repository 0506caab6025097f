#include "passes/bvh/lbvh_build.hpp"
#include "passes/geometry/triangles.hpp"
#include "passes/image/tonemap.hpp"
#include "passes/lights/cluster.hpp"
#include "passes/lights/forward.hpp"
#include "passes/lights/of_scene.hpp"
#include "passes/lights/shadows.hpp"
#include "passes/lights/surfaces.hpp"
#include "passes/lights/volumes.hpp"
#include "passes/oit/capture.hpp"
#include "passes/oit/resolve.hpp"
#include "passes/scene/mesh_raster.hpp"
#include "tests/common/scene_builder.hpp"
#include "tests/gpu/lights/lights_test.hpp"

#include <tuff/scene_resources.hpp>

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/gtc/packing.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace tuff {
namespace {

using passes::CameraMode;
using passes::ForwardLights;
using passes::ForwardLists;
using passes::LightVolumes;
using passes::MeshRaster;
using passes::ShadeLights;

/// The camera of `columns`, before a floor, a wall, balls and a painted quad.
SceneData room(Projection kind = Projection::perspective) {
    SceneBuilder builder;
    builder.camera(columns(1, 1, kind).scene->cameras[0].camera);
    const auto quad_at = [&](glm::vec4 color, glm::vec3 place, glm::vec3 axis, float degrees,
                             float size) {
        glm::mat4 world = glm::translate(glm::mat4(1.0f), place);
        if (degrees != 0.0f) world = glm::rotate(world, glm::radians(degrees), axis);
        builder.quad(builder.material(SceneBuilder::plain(color)),
                     glm::scale(world, glm::vec3(size)));
    };
    quad_at({0.7f, 0.6f, 0.5f, 1}, {0, 0, 0}, {1, 0, 0}, -90.0f, 12.0f);
    quad_at({0.4f, 0.5f, 0.6f, 1}, {0, 0, -6}, {1, 0, 0}, 0.0f, 4.0f);
    for (const glm::vec4 ball :
         {glm::vec4(-1.5f, 0.8f, 1.0f, 0.8f), glm::vec4(1.2f, 0.5f, 3.0f, 0.5f),
          glm::vec4(2.0f, 1.2f, -2.0f, 1.2f)})
        builder.sphere(
            builder.material(SceneBuilder::plain({0.8f, 0.4f, 0.3f, 1})),
            glm::scale(glm::translate(glm::mat4(1.0f), glm::vec3(ball)), glm::vec3(ball.w)));
    SceneData scene = std::move(builder).finish();
    for (SceneMaterial& material : scene.materials)
        material.flags |= material_double_sided;
    return scene;
}

template <typename Pass>
Pass of_size(Pass pass, std::uint32_t width, std::uint32_t height) {
    pass.width = width;
    pass.height = height;
    pass.camera.mode = CameraMode::file;
    return pass;
}

MeshRaster surfaces_of(const Scene& scene, std::uint32_t width, std::uint32_t height) {
    MeshRaster pass = of_size(MeshRaster{.scene = scene, .samples = 1}, width, height);
    pass.sun.shadows = false;
    return pass;
}

class LightModesTest : public LightsTest {
  protected:
    static Image displayed(Graph& g, Image image, const std::string& name) {
        return g.add(passes::Tonemap{.source = image}, name).result;
    }
};

/// The share of texels that are farther apart than some steps of eight bits, and of lit ones.
struct StepsApart {
    double share_beyond = 0.0;
    double lit = 0.0;
};
StepsApart steps_apart(const HostImage& a, const HostImage& b, double steps = 1.0) {
    StepsApart apart;
    const double texels = static_cast<double>(a.extent.width) * a.extent.height;
    for (std::uint32_t y = 0; y < a.extent.height; ++y)
        for (std::uint32_t x = 0; x < a.extent.width; ++x) {
            double most = 0.0, light = 0.0;
            for (std::size_t c = 0; c < 3; ++c) {
                most = std::max(most, std::abs(static_cast<double>(a.texel(x, y)[c]) -
                                               static_cast<double>(b.texel(x, y)[c])) *
                                          255.0);
                light = std::max(light, static_cast<double>(a.texel(x, y)[c]));
            }
            apart.share_beyond += most > steps + 0.01 ? 1.0 / texels : 0.0;
            apart.lit += light > 0.05 ? 1.0 / texels : 0.0;
        }
    return apart;
}

// Check 11 of the specification.
TEST_F(LightModesTest, TiledForwardAndStandardShadingAreTheSamePicture) {
    for (const Projection kind : {Projection::perspective, Projection::orthographic}) {
        constexpr std::uint32_t kWidth = 150, kHeight = 83; // neither is whole tiles
        HostLights lights = random_lights(120, 21, 0.3f, 2.0f);
        lights.spheres[3] = glm::vec4(0.5f, 2.0f, 7.0f, 3.0f); // about the camera
        lights.spheres[4].w = std::numeric_limits<float>::infinity();
        lights.spheres[5].w = std::numeric_limits<float>::quiet_NaN();
        Graph g = graph();
        const Scene scene = add_scene(g, "scene", pack_scene(room(kind)));
        const passes::Lights in_graph = lights_of(g, lights);
        const MeshRaster drawn = g.add(surfaces_of(scene, kWidth, kHeight));
        passes::CullLights cull{.lights = in_graph, .depth = drawn.depth, .scene = scene};
        cull.camera.mode = CameraMode::file;
        ShadeLights tiled{.lights = in_graph,
                          .grid = g.add(cull).grid,
                          .depth = drawn.depth,
                          .normal = drawn.normal,
                          .albedo = drawn.albedo,
                          .scene = scene,
                          .ambient = {0.02f, 0.02f, 0.03f}};
        tiled.camera.mode = CameraMode::file;
        g.output("tiled", displayed(g, g.add(tiled, "tiled").result, "tiled_shown"));
        LightVolumes volumes{.lights = in_graph,
                             .depth = drawn.depth,
                             .normal = drawn.normal,
                             .albedo = drawn.albedo,
                             .scene = scene,
                             .camera = tiled.camera,
                             .ambient = tiled.ambient};
        g.output("volumes", displayed(g, g.add(volumes, "volumes").result, "volumes_shown"));
        ForwardLights forward =
            of_size(ForwardLights{.scene = scene, .lights = in_graph}, kWidth, kHeight);
        forward.ambient = tiled.ambient;
        forward = g.add(forward, "forward");
        g.output("forward", displayed(g, forward.result, "forward_shown"));
        g.output("forward_depth", forward.depth);
        g.output("depth", drawn.depth);
        ForwardLights plain =
            of_size(ForwardLights{.scene = scene, .lights = in_graph}, kWidth, kHeight);
        plain.ambient = tiled.ambient;
        plain.lists = ForwardLists::all;
        plain = g.add(plain, "plain");
        EXPECT_FALSE(plain.grid);
        g.output("plain", displayed(g, plain.result, "plain_shown"));
        testing_gpu::Running running = run(std::move(g));
        const HostImage wanted = running.image("tiled");
        for (const std::string name : {"volumes", "forward", "plain"}) {
            const StepsApart apart = steps_apart(wanted, running.image(name));
            EXPECT_GT(apart.lit, 0.2) << name;
            // Normals and colours are half floats in pictures and whole ones while drawing: of
            // highlights a few texels are two steps apart.
            EXPECT_LE(apart.share_beyond, name == "volumes" ? 0.0 : 0.002) << name;
        }
        const HostImage a = running.image("depth"), b = running.image("forward_depth");
        std::uint32_t other = 0;
        for (std::uint32_t y = 0; y < kHeight; ++y)
            for (std::uint32_t x = 0; x < kWidth; ++x)
                other += std::abs(a.texel(x, y)[0] - b.texel(x, y)[0]) > 1e-5f;
        EXPECT_EQ(other, 0u);
    }
}

TEST_F(LightModesTest, NoLightsLeaveWhatIsThereInEachMode) {
    Graph g = graph();
    const Scene scene = add_scene(g, "scene", pack_scene(room()));
    const passes::Lights none = lights_of(g, {});
    const MeshRaster drawn = g.add(surfaces_of(scene, 40, 30));
    LightVolumes volumes{.lights = none,
                         .depth = drawn.depth,
                         .normal = drawn.normal,
                         .albedo = drawn.albedo,
                         .scene = scene,
                         .ambient = {1, 1, 1},
                         .background = {0, 1, 0, 1}};
    volumes.camera.mode = CameraMode::file;
    g.output("volumes", g.add(volumes).result);
    ForwardLights forward = of_size(ForwardLights{.scene = scene, .lights = none}, 40, 30);
    forward.ambient = volumes.ambient;
    forward.background = volumes.background;
    g.output("forward", g.add(forward).result);
    g.output("albedo", drawn.albedo);
    testing_gpu::Running running = run(std::move(g));
    const HostImage albedo = running.image("albedo");
    for (const std::string name : {"volumes", "forward"}) {
        const HostImage got = running.image(name);
        for (std::uint32_t y = 0; y < 30; ++y)
            for (std::uint32_t x = 0; x < 40; ++x)
                for (std::size_t c = 0; c < 3; ++c)
                    ASSERT_NEAR(got.texel(x, y)[c],
                                albedo.texel(x, y)[3] > 0.5f ? albedo.texel(x, y)[c]
                                                             : (c == 1 ? 1.0f : 0.0f),
                                1e-3f)
                        << name;
    }
}

TEST_F(LightModesTest, SurfacesOfTheComputeRasterizerAreThoseOfTheDevices) {
    constexpr std::uint32_t kWidth = 113, kHeight = 71;
    Graph g = graph();
    const Scene scene = add_scene(g, "scene", pack_scene(room()));
    const MeshRaster drawn = g.add(surfaces_of(scene, kWidth, kHeight));
    const passes::TriangleMesh mesh = g.add(passes::Triangles{.scene = scene}).mesh;
    const passes::ComputeRaster raster =
        g.add(of_size(passes::ComputeRaster{.mesh = mesh, .scene = scene}, kWidth, kHeight));
    passes::LitSurfaces surfaces{.visibility = raster.visibility, .scene = scene};
    surfaces.camera.mode = CameraMode::file;
    // Also as on devices that cannot index arrays of textures.
    DeviceCaps few = device().caps();
    few.texture_arrays = false;
    g.set_target(few);
    const passes::LitSurfaces one_by_one = g.add(surfaces, "one_by_one");
    g.set_target(device().caps());
    g.output("one_by_one_normal", one_by_one.normal);
    g.output("one_by_one_albedo", one_by_one.albedo);
    surfaces = g.add(surfaces);
    const HostLights lights = random_lights(100, 4, 0.2f, 2.0f);
    const passes::Lights in_graph = lights_of(g, lights);
    for (const bool computed : {false, true}) {
        const std::string name = computed ? "computed" : "drawn";
        passes::CullLights cull{
            .lights = in_graph, .depth = computed ? raster.depth : drawn.depth, .scene = scene};
        cull.camera.mode = CameraMode::file;
        ShadeLights shade{.lights = in_graph,
                          .grid = g.add(cull, name + "_cull").grid,
                          .depth = cull.depth,
                          .normal = computed ? surfaces.normal : drawn.normal,
                          .albedo = computed ? surfaces.albedo : drawn.albedo,
                          .scene = scene};
        shade.camera.mode = CameraMode::file;
        g.output(name, displayed(g, g.add(shade, name).result, name + "_shown"));
        g.output(name + "_normal", shade.normal);
        g.output(name + "_albedo", shade.albedo);
    }
    testing_gpu::Running running = run(std::move(g));
    const HostImage n = running.image("drawn_normal"), m = running.image("computed_normal");
    const HostImage a = running.image("drawn_albedo"), b = running.image("computed_albedo");
    EXPECT_EQ(running.image("one_by_one_normal").texels, m.texels);
    EXPECT_EQ(running.image("one_by_one_albedo").texels, b.texels);
    std::uint32_t other = 0;
    for (std::uint32_t y = 0; y < kHeight; ++y)
        for (std::uint32_t x = 0; x < kWidth; ++x) {
            bool same = true;
            for (std::size_t c = 0; c < 4; ++c)
                same = same && std::abs(n.texel(x, y)[c] - m.texel(x, y)[c]) < 0.01f &&
                       std::abs(a.texel(x, y)[c] - b.texel(x, y)[c]) < 0.002f;
            other += !same;
        }
    // At outlines the two round vertices differently.
    EXPECT_LT(other, kWidth * kHeight / 100);
    // Corners rounded to 1/256 pixel move places on a floor that is seen from aside.
    const StepsApart apart = steps_apart(running.image("drawn"), running.image("computed"), 4.0);
    EXPECT_GT(apart.lit, 0.2);
    EXPECT_LT(apart.share_beyond, 0.01);
}

TEST_F(LightModesTest, LightsOfAFileAreTheOnesOfItsNodes) {
    SceneData scene = room();
    scene.lights = {{.name = "lamp", .position = {1, 2, 3}, .color = {1, 0.5f, 0}, .intensity = 8},
                    {.kind = SceneLightKind::spot,
                     .position = {0, 4, 0},
                     .direction = {0, -1, 0},
                     .intensity = 20,
                     .range = 6,
                     .inner_angle = 0.3f,
                     .outer_angle = 0.6f},
                    {.kind = SceneLightKind::directional, .direction = {0, -1, 0}, .intensity = 3}};
    scene.bounds = {};
    scene.bounds.grow(glm::vec3(-2));
    scene.bounds.grow(glm::vec3(2));
    Graph g = graph();
    const Scene in_graph = add_scene(g, "scene", pack_scene(scene));
    const passes::Lights lights =
        g.add(passes::SceneLights{.scene = in_graph, .scale = 0.5f, .cutoff = 0.01f}).lights;
    EXPECT_EQ(lights.count, 3u);
    EXPECT_EQ(
        g.add(passes::SceneLights{.scene = in_graph, .directional = false}, "near").lights.count,
        2u);
    const auto copied = [&](Buffer buffer, std::string_view name) {
        g.output(name, g.copy(buffer, g.buffer(name, g.desc(buffer))));
    };
    copied(lights.spheres, "spheres");
    copied(lights.shades, "shades");
    testing_gpu::Running running = run(std::move(g));
    const auto spheres = running.buffer<glm::vec4>("spheres");
    const auto shades = running.buffer<passes::LightShade>("shades");
    // 4 candela are as weak as 0.01 lux at the distance 20.
    EXPECT_LT(glm::distance(spheres[0], glm::vec4(1, 2, 3, 20)), 1e-4f);
    EXPECT_EQ(shades[0].color, glm::vec3(4, 2, 0));
    EXPECT_LT(shades[0].cos_outer, -1.0f);
    EXPECT_EQ(spheres[1], glm::vec4(0, 4, 0, 6));
    EXPECT_EQ(shades[1].direction, glm::vec3(0, -1, 0));
    EXPECT_FLOAT_EQ(shades[1].cos_inner, std::cos(0.3f));
    EXPECT_FLOAT_EQ(shades[1].cos_outer, std::cos(0.6f));
    EXPECT_TRUE(std::isinf(spheres[2].w));
    // Within the scene the illuminance is that of the file, within 0.02 %.
    for (const float height : {-2.0f, 0.0f, 2.0f}) {
        const double away = static_cast<double>(spheres[2].y) - static_cast<double>(height);
        EXPECT_NEAR(static_cast<double>(shades[2].color.r) / (away * away), 1.5, 1.5 * 2e-4);
    }
}

TEST_F(LightModesTest, ShadowsAreWhereABallIsBeforeTheLight) {
    constexpr std::uint32_t kWidth = 96, kHeight = 64;
    constexpr glm::dvec3 kBall(0.0, 1.0, 0.0);
    constexpr double kRadius = 0.7;
    SceneBuilder builder;
    builder.camera(columns(1, 1).scene->cameras[0].camera);
    builder.quad(builder.material(SceneBuilder::plain()),
                 glm::scale(glm::rotate(glm::mat4(1.0f), glm::radians(-90.0f), glm::vec3(1, 0, 0)),
                            glm::vec3(12.0f)));
    builder.sphere(builder.material(SceneBuilder::plain()),
                   glm::scale(glm::translate(glm::mat4(1.0f), glm::vec3(kBall)),
                              glm::vec3(static_cast<float>(kRadius))),
                   64);
    HostLights lights;
    for (const glm::vec4 light : {glm::vec4(-1.5f, 3.0f, 0.5f, 20.0f),
                                  glm::vec4(1.0f, 4.0f, 2.0f, 20.0f), glm::vec4(0, 3, -2, 1.0f)}) {
        lights.spheres.push_back(light);
        lights.shades.push_back({.color = {5, 5, 5}});
    }
    Graph g = graph();
    const Scene scene = add_scene(g, "scene", pack_scene(std::move(builder).finish()));
    const MeshRaster drawn = g.add(surfaces_of(scene, kWidth, kHeight));
    const passes::TriangleMesh mesh = g.add(passes::Triangles{.scene = scene}).mesh;
    passes::LightShadows shadows{.lights = lights_of(g, lights),
                                 .bvh = g.add(passes::LbvhBuild{.mesh = mesh}).bvh,
                                 .depth = drawn.depth,
                                 .normal = drawn.normal,
                                 .scene = scene,
                                 .chosen = 3};
    shadows.camera.mode = CameraMode::file;
    shadows = g.add(shadows);
    g.output("hidden", shadows.hidden);
    ShadeLights shade{.lights = shadows.lights,
                      .depth = drawn.depth,
                      .normal = drawn.normal,
                      .albedo = drawn.albedo,
                      .hidden = shadows.hidden,
                      .scene = scene,
                      .camera = shadows.camera};
    g.output("shadowed", g.add(shade, "shadowed").result);
    shade.hidden = {};
    g.output("open", g.add(shade, "open").result);
    g.output("depth", drawn.depth);
    g.output("normal", drawn.normal);
    testing_gpu::Running running = run(std::move(g));
    const HostImage depth = running.image("depth"), normal = running.image("normal");
    const HostImage hidden = running.image("hidden");
    const HostImage shadowed = running.image("shadowed"), open = running.image("open");
    LitPicture picture{.width = kWidth, .height = kHeight, .scene = columns(1, 1).scene};
    const glm::dmat4 world = glm::inverse(picture.view());
    std::uint32_t in_shadow = 0, judged = 0, darker = 0;
    for (std::uint32_t y = 0; y < kHeight; ++y)
        for (std::uint32_t x = 0; x < kWidth; ++x) {
            const double value = static_cast<double>(depth.texel(x, y)[0]);
            if (value >= 1.0 || normal.texel(x, y)[1] < 0.999f) continue; // the floor alone
            const glm::dvec3 seen = picture.seen_at(x, y, value);
            const glm::dvec3 point(world * glm::dvec4(seen.x, seen.y, -seen.z, 1.0));
            const auto bits = static_cast<std::uint32_t>(hidden.texel(x, y)[0]);
            for (std::uint32_t i = 0; i < 3; ++i) {
                const glm::dvec3 to_light = glm::dvec3(lights.spheres[i]) - point;
                const double along = std::clamp(
                    glm::dot(kBall - point, to_light) / glm::dot(to_light, to_light), 0.0, 1.0);
                const double beside = glm::distance(kBall, point + along * to_light);
                if (std::abs(beside - kRadius) < 0.02) continue; // facets and rounding
                const bool reached =
                    glm::length(to_light) < static_cast<double>(lights.spheres[i].w);
                ++judged;
                in_shadow += reached && beside < kRadius;
                ASSERT_EQ((bits >> i & 1) != 0, reached && beside < kRadius)
                    << x << ", " << y << ", light " << i;
            }
            if (bits == 3u) {
                EXPECT_EQ(shadowed.texel(x, y)[0], 0.0f);
            }
            darker += shadowed.texel(x, y)[0] < open.texel(x, y)[0];
            if (bits == 0u) {
                EXPECT_EQ(shadowed.texel(x, y), open.texel(x, y));
            }
        }
    EXPECT_GT(judged, 3000u);
    EXPECT_GT(in_shadow, 100u);
    EXPECT_GT(darker, 50u);
}

TEST_F(LightModesTest, TransparentFragmentsAreLitByTheLightsOfTheirClusters) {
    constexpr std::uint32_t kWidth = 72, kHeight = 50;
    SceneBuilder builder;
    builder.camera(columns(1, 1).scene->cameras[0].camera);
    // Two panes of glass over nothing.
    for (const float z : {1.0f, -2.0f}) {
        SceneMaterial glass = SceneBuilder::unlit({0.8f, 0.6f, 0.4f, 0.5f}, AlphaMode::blend);
        glass.flags |= material_double_sided;
        builder.quad(builder.material(glass),
                     glm::scale(glm::translate(glm::mat4(1.0f), glm::vec3(0, 1, z)),
                                glm::vec3(z > 0 ? 1.5f : 5.0f)));
    }
    const HostLights lights = random_lights(80, 9, 0.2f, 2.5f);
    for (const passes::FragmentLayout layout :
         {passes::FragmentLayout::linked, passes::FragmentLayout::arrays}) {
        Graph g = graph();
        const Scene scene = add_scene(g, "scene", pack_scene(SceneData(builder.peek())));
        MeshRaster raster = surfaces_of(scene, kWidth, kHeight);
        raster.blended = passes::BlendedDraws::left_out;
        const MeshRaster drawn = g.add(raster);
        passes::OitCapture capture{.scene = scene, .view = drawn.view, .layout = layout};
        capture.pool.packing = passes::FragmentPacking::hdr;
        const passes::FragmentLists glass = g.add(capture).lists;
        const passes::Lights in_graph = lights_of(g, lights);
        const passes::LightGrid clusters =
            g.add(of_size(passes::ClusterLights{.lights = in_graph, .scene = scene}, kWidth,
                          kHeight))
                .grid;
        const passes::TriangleMesh mesh = g.add(passes::Triangles{.scene = scene}).mesh;
        const auto blended = [&](passes::FragmentLists lists, const std::string& name) {
            g.output(name, g.add(passes::OitResolve{.lists = lists,
                                                    .view = drawn.view,
                                                    .format = passes::OutputFormat::rgba32_sfloat},
                                 name)
                               .color);
        };
        passes::LightFragments lit =
            of_size(passes::LightFragments{.scene = scene, .mesh = mesh, .lights = in_graph},
                    kWidth, kHeight);
        // Fragments are lit in place, so that each picture has lists of its own.
        lit.source = glass;
        lit.grid = clusters;
        blended(g.add(lit, "by_clusters").lists, "clusters");
        lit.source = g.add(capture, "again").lists;
        lit.grid = {};
        blended(g.add(lit, "by_all").lists, "all");
        lit.source = g.add(capture, "once_more").lists;
        DeviceCaps few = device().caps();
        few.texture_arrays = false;
        g.set_target(few);
        const passes::FragmentLists one_by_one = g.add(lit, "one_by_one").lists;
        g.set_target(device().caps());
        blended(one_by_one, "few");
        blended(g.add(capture, "unlit").lists, "dark");
        testing_gpu::Running running = run(std::move(g));
        const HostImage clustered = running.image("clusters"), all = running.image("all");
        const HostImage dark = running.image("dark");
        EXPECT_EQ(running.image("few").texels, all.texels);

        LitPicture picture{.width = kWidth, .height = kHeight, .scene = columns(1, 1).scene};
        const glm::dmat4 world = glm::inverse(picture.view());
        const glm::dvec3 eye(world[3]);
        std::uint32_t brighter = 0, both = 0;
        for (std::uint32_t y = 0; y < kHeight; ++y)
            for (std::uint32_t x = 0; x < kWidth; ++x) {
                glm::dvec3 added(0.0);
                const glm::dvec3 far = picture.seen_at(x, y, 1.0);
                const glm::dvec3 ray =
                    glm::dvec3(world * glm::dvec4(far.x, far.y, -far.z, 1.0)) - eye;
                double through = 1.0;
                std::uint32_t panes = 0;
                bool at_edge = false;
                for (const auto [z, size] : {std::array{1.0, 1.5}, std::array{-2.0, 5.0}}) {
                    const glm::dvec3 point = eye + ray * ((z - eye.z) / ray.z);
                    const double out = std::max(std::abs(point.x), std::abs(point.y - 1.0)) - size;
                    at_edge = at_edge || std::abs(out) < 0.2;
                    if (out > 0.0) continue;
                    ++panes;
                    for (std::size_t i = 0; i < lights.count(); ++i)
                        added += through * 0.5 *
                                 reflected_light(lights, i, point, {0, 0, 1},
                                                 glm::normalize(eye - point),
                                                 glm::dvec3(0.8f, 0.6f, 0.4f), 0.5, 0.0);
                    through *= 0.5;
                }
                if (at_edge) continue;
                both += panes == 2;
                for (std::size_t c = 0; c < 3; ++c) {
                    const auto base = static_cast<double>(dark.texel(x, y)[c]);
                    const auto got = static_cast<double>(clustered.texel(x, y)[c]);
                    // Colours are half floats, added to once more; on the rim of a light or a cone,
                    // which is steep, rounded depths move places.
                    ASSERT_NEAR(got, base + added[static_cast<int>(c)], 5e-3 * (1.0 + got))
                        << x << ", " << y;
                    ASSERT_NEAR(got, static_cast<double>(all.texel(x, y)[c]), 1e-3 * (1.0 + got));
                    brighter += got > base + 0.01;
                }
            }
        EXPECT_GT(brighter, 500u);
        EXPECT_GT(both, 100u);
    }
}

TEST_F(LightModesTest, FragmentsAndPicturesThatDoNotFitAreRefused) {
    const auto code_for = [&](auto change) {
        Graph g = graph();
        const Scene scene = add_scene(g, "scene", pack_scene(room()));
        const passes::Lights lights = lights_of(g, random_lights(10, 1));
        const MeshRaster drawn = g.add(surfaces_of(scene, 32, 32));
        passes::LightFragments pass = of_size(
            passes::LightFragments{
                .scene = scene,
                .mesh = g.add(passes::Triangles{.scene = scene}).mesh,
                .lights = lights,
                .grid =
                    g.add(of_size(passes::ClusterLights{.lights = lights, .scene = scene}, 32, 32))
                        .grid},
            32, 32);
        passes::OitCapture capture{.scene = scene, .view = drawn.view};
        capture.pool.packing = passes::FragmentPacking::hdr;
        pass.source = g.add(capture).lists;
        change(g, pass, drawn);
        (void)g.add(pass);
        const GraphDesc built = std::move(g).finish();
        return built.diagnostics.empty() ? std::string() : built.diagnostics.front().code;
    };
    EXPECT_EQ(code_for([](auto&, auto&, auto&) {}), "");
    EXPECT_EQ(code_for([](auto&, auto& pass, auto&) {
                  pass.source.payload = passes::FragmentPayload::standard;
              }),
              "lights/no-triangles");
    EXPECT_EQ(code_for([](auto&, auto& pass, auto&) { pass.width = 33; }), "lights/other-grid");
    EXPECT_EQ(code_for([](auto&, auto& pass, auto&) { pass.mesh.draws = {}; }),
              "graph/unconnected");
    EXPECT_EQ(code_for([](Graph& g, auto& pass, const MeshRaster& drawn) {
                  passes::CullLights cull{
                      .lights = pass.lights, .depth = drawn.depth, .scene = pass.scene};
                  cull.camera.mode = CameraMode::file;
                  pass.grid = g.add(cull).grid;
              }),
              "lights/other-grid");
}

} // namespace
} // namespace tuff
