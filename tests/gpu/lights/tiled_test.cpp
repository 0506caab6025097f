#include "passes/geometry/compute_raster.hpp"
#include "passes/geometry/triangles.hpp"
#include "passes/lights/forward.hpp"
#include "passes/lights/surfaces.hpp"
#include "passes/lights/tiled.hpp"
#include "passes/lights/volumes.hpp"
#include "tests/common/scene_builder.hpp"
#include "tests/gpu/lights/lights_test.hpp"

#include <tuff/scene_resources.hpp>

#include <fmt/format.h>
#include <glm/gtc/matrix_transform.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

/// Culling and shading in one kernel, and materials of each pixel, against culling, then shading.
namespace tuff {
namespace {

using passes::CullLights;
using passes::CullTest;
using passes::DepthSplit;
using passes::LightTile;
using passes::ShadeLights;
using passes::TiledLights;

double farthest(const HostImage& a, const HostImage& b, double floor) {
    double most = 0.0;
    for (std::uint32_t y = 0; y < a.extent.height; ++y)
        for (std::uint32_t x = 0; x < a.extent.width; ++x)
            for (std::size_t c = 0; c < 4; ++c) {
                const auto p = static_cast<double>(a.texel(x, y)[c]);
                const auto q = static_cast<double>(b.texel(x, y)[c]);
                most = std::max(most, std::abs(p - q) / (floor + std::abs(p)));
            }
    return most;
}

/// The same pictures and parameters for the fused pass.
TiledLights fused(const ShadeLights& split_form, const CullLights& cull) {
    return {.lights = split_form.lights,
            .depth = split_form.depth,
            .normal = split_form.normal,
            .albedo = split_form.albedo,
            .material = split_form.material,
            .under = split_form.under,
            .hidden = split_form.hidden,
            .scene = split_form.scene,
            .camera = split_form.camera,
            .side = cull.side,
            .test = cull.test,
            .split = cull.split,
            .roughness = split_form.roughness,
            .metallic = split_form.metallic,
            .ambient = split_form.ambient,
            .background = split_form.background,
            .storage = split_form.storage};
}

class LightTiledTest : public LightsTest {
  protected:
    /// A picture with roughness and metallic of each pixel.
    static Image materials_of(Graph& g, const LitPicture& picture) {
        std::vector<glm::vec4> texels(picture.depth.size());
        for (std::size_t i = 0; i < texels.size(); ++i)
            texels[i] = {0.1f + 0.13f * static_cast<float>(i % 7), 0.2f * static_cast<float>(i % 6),
                         0.0f, 1.0f};
        return g.constant_image(
            "material",
            {.format = Format::rgba32_sfloat, .extent = {picture.width, picture.height, 1}},
            testing_gpu::bytes_of(texels));
    }
};

TEST_F(LightTiledTest, OneKernelGivesThePictureOfTwo) {
    for (const Projection kind : {Projection::perspective, Projection::orthographic}) {
        const LitPicture picture = columns(71, 45, kind); // neither is whole tiles
        const HostLights lights = random_lights(90, 4);
        Graph g = graph();
        const passes::Lights in_graph = lights_of(g, lights);
        ShadeLights shade = shading(g, picture, in_graph, {});
        shade.ambient = {0.01f, 0.02f, 0.03f};
        shade.roughness = 0.3f;
        shade.metallic = 0.4f;
        std::vector<std::string> names;
        for (const LightTile side : {LightTile::side8, LightTile::side16, LightTile::side32})
            for (int i = 0; i < 4; ++i) {
                const auto split = static_cast<DepthSplit>(i);
                const CullLights cull =
                    connected(g, picture, lights,
                              {.side = side,
                               .test = static_cast<CullTest>((i + static_cast<int>(side)) % 5),
                               .split = split});
                const std::string name = fmt::format("{}", names.size());
                shade.grid = g.add(cull, "cull" + name).grid;
                g.output("two" + name, g.add(shade, "two" + name).result);
                g.output("one" + name, g.add(fused(shade, cull), "one" + name).result);
                names.push_back(name);
            }
        testing_gpu::Running running = run(std::move(g));
        for (const std::string& name : names)
            EXPECT_LE(farthest(running.image("two" + name), running.image("one" + name), 0.1), 1e-6)
                << name;
    }
}

// More lights than one chunk has, some of them bad, and all that is optional.
TEST_F(LightTiledTest, OneKernelKnowsAllThatTwoKnow) {
    const LitPicture picture = columns(50, 37);
    HostLights lights = random_lights(1300, 9, 0.2f, 0.9f);
    lights.spheres[1].w = std::numeric_limits<float>::infinity();
    lights.spheres[40].x = std::numeric_limits<float>::quiet_NaN();
    Graph g = graph();
    const passes::Lights in_graph = lights_of(g, lights);
    ShadeLights shade = shading(g, picture, in_graph, {});
    shade.material = materials_of(g, picture);
    const std::vector<glm::vec4> half(picture.depth.size(), glm::vec4(0.5f, 0.25f, 2.0f, 1.0f));
    const Extent extent{picture.width, picture.height, 1};
    shade.under = g.constant_image("under", {.format = Format::rgba32_sfloat, .extent = extent},
                                   testing_gpu::bytes_of(half));
    std::vector<std::uint32_t> dark(picture.depth.size());
    for (std::size_t i = 0; i < dark.size(); ++i)
        dark[i] = static_cast<std::uint32_t>(i * 2654435761u);
    shade.hidden = g.constant_image("hidden", {.format = Format::r32_uint, .extent = extent},
                                    testing_gpu::bytes_of(dark));
    const CullLights cull = connected(g, picture, lights);
    shade.grid = g.add(cull).grid;
    g.output("two", g.add(shade, "two").result);
    g.output("one", g.add(fused(shade, cull), "one").result);
    shade.hidden = {};
    g.output("open", g.add(shade, "open").result);
    shade.material = {};
    g.output("plain", g.add(shade, "plain").result);
    const passes::Lights none = lights_of(g, {});
    shade.lights = none;
    g.output("none", g.add(fused(shade, {}), "none").result);
    testing_gpu::Running running = run(std::move(g));
    EXPECT_LE(farthest(running.image("two"), running.image("one"), 0.1), 1e-6);
    EXPECT_GT(farthest(running.image("two"), running.image("open"), 0.1), 0.05);
    EXPECT_GT(farthest(running.image("plain"), running.image("open"), 0.1), 0.05);
    EXPECT_EQ(running.image("none").texel(20, 20)[2], 2.0f);
}

// Each pixel as a picture of one material would have it.
TEST_F(LightTiledTest, MaterialsOfPixelsAreThoseOfParameters) {
    const LitPicture picture = columns(40, 30);
    const HostLights lights = random_lights(60, 8, 0.3f, 4.0f);
    Graph g = graph();
    const passes::Lights in_graph = lights_of(g, lights);
    ShadeLights shade = shading(g, picture, in_graph, {});
    shade.material = materials_of(g, picture);
    g.output("own", g.add(shade, "own").result);
    shade.material = {};
    for (int kind = 0; kind < 42; ++kind) {
        shade.roughness = 0.1f + 0.13f * static_cast<float>(kind % 7);
        shade.metallic = 0.2f * static_cast<float>(kind % 6);
        g.output(fmt::format("kind{}", kind), g.add(shade, fmt::format("kind{}", kind)).result);
    }
    testing_gpu::Running running = run(std::move(g));
    const HostImage own = running.image("own");
    for (int kind = 0; kind < 42; ++kind) {
        const HostImage one = running.image(fmt::format("kind{}", kind));
        for (std::uint32_t i = static_cast<std::uint32_t>(kind); i < 40 * 30; i += 42)
            for (std::size_t c = 0; c < 3; ++c) {
                const float wanted = one.texel(i % 40, i / 40)[c];
                ASSERT_NEAR(own.texel(i % 40, i / 40)[c], wanted, 1e-5f + 1e-5f * wanted) << i;
            }
    }
}

/// Spheres and a floor, each of a material of its own; the floor's has a texture.
SceneData many_materials() {
    SceneBuilder builder;
    builder.camera(columns(1, 1).scene->cameras[0].camera);
    SceneMaterial floor = SceneBuilder::plain({0.7f, 0.6f, 0.5f, 1}, 1.0f, 0.9f);
    floor.metallic_roughness_texture.texture =
        builder.texture(1, 1, {{{255, 128, 64, 255}}}); // roughness 0.45, metallic 0.25
    floor.flags |= material_double_sided;
    builder.quad(builder.material(floor),
                 glm::scale(glm::rotate(glm::mat4(1.0f), glm::radians(-90.0f), glm::vec3(1, 0, 0)),
                            glm::vec3(12.0f)));
    int i = 0;
    for (const glm::vec4 ball :
         {glm::vec4(-1.5f, 0.8f, 1.0f, 0.8f), glm::vec4(1.2f, 0.5f, 3.0f, 0.5f),
          glm::vec4(2.0f, 1.2f, -2.0f, 1.2f)}) {
        builder.sphere(
            builder.material(SceneBuilder::plain({0.8f, 0.4f, 0.3f, 1},
                                                 0.5f * static_cast<float>(i),
                                                 0.3f + 0.3f * static_cast<float>(i))),
            glm::scale(glm::translate(glm::mat4(1.0f), glm::vec3(ball)), glm::vec3(ball.w)));
        ++i;
    }
    return std::move(builder).finish();
}

TEST_F(LightTiledTest, EachModeKnowsTheMaterialsOfAScene) {
    constexpr std::uint32_t kWidth = 112, kHeight = 70;
    Graph g = graph();
    const Scene scene = add_scene(g, "scene", pack_scene(many_materials()));
    const passes::TriangleMesh mesh = g.add(passes::Triangles{.scene = scene}).mesh;
    passes::ComputeRaster raster{.mesh = mesh, .scene = scene, .width = kWidth, .height = kHeight};
    raster.camera.mode = passes::CameraMode::file;
    raster = g.add(raster);
    passes::LitSurfaces surfaces{.visibility = raster.visibility, .scene = scene};
    surfaces.camera.mode = passes::CameraMode::file;
    surfaces = g.add(surfaces);
    const passes::Lights lights = lights_of(g, random_lights(90, 21, 0.3f, 3.0f));
    CullLights cull{.lights = lights, .depth = raster.depth, .scene = scene};
    cull.camera.mode = passes::CameraMode::file;
    ShadeLights shade{.lights = lights,
                      .grid = g.add(cull).grid,
                      .depth = raster.depth,
                      .normal = surfaces.normal,
                      .albedo = surfaces.albedo,
                      .material = surfaces.material,
                      .scene = scene,
                      .camera = cull.camera};
    g.output("deferred", g.add(shade, "deferred").result);
    g.output("fused", g.add(fused(shade, cull), "fused").result);
    g.output("volumes", g.add(passes::LightVolumes{.lights = lights,
                                                   .depth = raster.depth,
                                                   .normal = surfaces.normal,
                                                   .albedo = surfaces.albedo,
                                                   .material = surfaces.material,
                                                   .scene = scene,
                                                   .camera = cull.camera},
                              "volumes")
                            .result);
    passes::ForwardLights forward{
        .scene = scene, .lights = lights, .width = kWidth, .height = kHeight};
    forward.camera.mode = passes::CameraMode::file;
    forward.own_materials = true;
    g.output("forward", g.add(forward, "forward").result);
    forward.own_materials = false;
    g.output("one_material", g.add(forward, "one_material").result);
    g.output("material", surfaces.material);
    testing_gpu::Running running = run(std::move(g));
    const HostImage deferred = running.image("deferred");
    EXPECT_LE(farthest(deferred, running.image("fused"), 0.1), 2e-3); // steps of half floats
    EXPECT_LE(farthest(deferred, running.image("volumes"), 0.1), 1e-2);
    // Drawn vertices are rounded otherwise at outlines, and normals are not kept as half floats.
    const auto share_beyond = [&](const HostImage& other, double relative) {
        std::uint32_t beyond = 0;
        for (std::uint32_t y = 0; y < kHeight; ++y)
            for (std::uint32_t x = 0; x < kWidth; ++x) {
                const auto p = static_cast<double>(deferred.texel(x, y)[0]);
                const auto q = static_cast<double>(other.texel(x, y)[0]);
                beyond += std::abs(p - q) > relative * (0.1 + p);
            }
        return static_cast<double>(beyond) / (kWidth * kHeight);
    };
    EXPECT_LE(share_beyond(running.image("forward"), 0.05), 0.02);
    EXPECT_GE(share_beyond(running.image("one_material"), 0.05), 0.2);
    const HostImage material = running.image("material");
    std::uint32_t floor = 0;
    for (std::uint32_t y = 0; y < kHeight; ++y)
        for (std::uint32_t x = 0; x < kWidth; ++x)
            floor += std::abs(material.texel(x, y)[0] - 0.9f * 128 / 255) < 1e-3f &&
                     std::abs(material.texel(x, y)[1] - 64.0f / 255) < 1e-3f;
    EXPECT_GT(floor, kWidth * kHeight / 5);
}

TEST_F(LightTiledTest, PicturesOfOtherSizesAreRefused) {
    const LitPicture picture = columns(24, 20);
    const HostLights lights = random_lights(10, 1);
    const auto code_for = [&](auto change) {
        Graph g = graph();
        TiledLights pass = fused(shading(g, picture, lights_of(g, lights), {}), {});
        change(g, pass);
        (void)g.add(pass);
        const GraphDesc built = std::move(g).finish();
        return built.diagnostics.empty() ? std::string() : built.diagnostics.front().code;
    };
    const ImageDesc other{.format = Format::rgba32_sfloat, .extent = {24, 21, 1}};
    EXPECT_EQ(code_for([](Graph&, TiledLights&) {}), "");
    EXPECT_EQ(code_for([&](Graph& g, TiledLights& t) { t.normal = g.image("n", other); }),
              "image/size-mismatch");
    EXPECT_EQ(code_for([&](Graph& g, TiledLights& t) { t.material = g.image("m", other); }),
              "image/size-mismatch");
    EXPECT_EQ(code_for([](Graph&, TiledLights& t) { t.lights.count = 11; }),
              "primitives/too-short");
}

} // namespace
} // namespace tuff
