// Ways of tracing that make no difference: materials at a time, scheduling.

#include "passes/bvh/hardware_build.hpp"
#include "passes/bvh/lbvh_build.hpp"
#include "tests/gpu/raytrace/raytrace_fixture.hpp"
#include "tests/gpu/ways_of_rays.hpp"

#include <glm/geometric.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <string>

namespace tuff {
namespace {

using passes::MaterialPasses;
using passes::PathScheduling;
using passes::PathTrace;
using passes::TraceWhitted;

class TracingModes : public RaytraceTest {
  protected:
    /// Mirrors, matt and glossy balls over a floor, `textured` of them with a texture of their own.
    static SceneData balls(int textured) {
        SceneBuilder scene;
        Camera camera;
        camera.position = {0, 2, 6};
        camera.target = {0, 0.5f, 0};
        scene.camera(camera);
        scene.quad(scene.material(SceneBuilder::plain({0.6f, 0.6f, 0.5f, 1}, 0, 0.4f)),
                   turned(-90, {1, 0, 0}) * scaled(4.0f));
        for (int i = 0; i < 15; ++i) {
            const float f = static_cast<float>(i);
            SceneMaterial material = SceneBuilder::plain({1, 0.3f + 0.04f * f, 0.2f, 1},
                                                         i % 3 == 0 ? 1.0f : 0.0f, 0.06f * f);
            if (i < textured)
                material.base_color_texture.texture = scene.texture(
                    2, 1, {{255, 200, static_cast<std::uint8_t>(16 * i), 255}, {90, 255, 90, 255}});
            if (i == 4) material.alpha_mode = AlphaMode::blend;
            if (i == 4) material.base_color.a = 0.5f;
            scene.sphere(scene.material(material),
                         moved(0.9f * static_cast<float>(i % 5 - 2), 0.5f,
                               1.1f * static_cast<float>(i / 5 - 1)) *
                             scaled(0.45f),
                         5);
        }
        return std::move(scene).finish();
    }
    template <typename Pass>
    static Pass lit() {
        Pass pass = dark<Pass>(28);
        pass.sun.intensity = 2.0f;
        pass.ambient = {0.3f, 0.4f, 0.5f};
        pass.bounces = 3;
        return pass;
    }

    /// How many paths go on after the first bounce of a tracer that was added as "trace".
    static Buffer first_queue_length(const Graph& g) {
        const GraphDesc& all = g.peek();
        for (std::uint32_t i = 0; i < all.versions.size(); ++i) {
            const VersionDesc& version = all.versions[i];
            const std::string_view name = all.name(all.resources[version.resource.index].name);
            if (version.writer && !version.next && name.starts_with("trace/") &&
                name.ends_with("/kept_count"))
                return {.version = VersionId{i}};
        }
        return {};
    }

    /// A mirror fills the view. Slots are whole tiles of 8 by 8 pixels, and those beyond the
    /// picture's edges have no path, whatever memory held before.
    template <typename Pass>
    void expect_a_path_a_pixel() {
        constexpr std::uint32_t kSide = 12; // 4 tiles
        SceneBuilder scene;
        Camera camera;
        camera.position = {0, 2, 0.5f};
        camera.target = {0, 0, 0};
        scene.camera(camera);
        scene.quad(scene.material(SceneBuilder::plain({0.9f, 0.9f, 0.9f, 1}, 1, 0)),
                   turned(-90, {1, 0, 0}) * scaled(20.0f));
        Pass pass = dark<Pass>(kSide);
        pass.ambient = glm::vec3(0.5f);
        pass.bounces = 2;
        pass.scheduling = PathScheduling::compacted;
        Graph g = graph();
        pass.scene = add_scene(g, "scene", pack_scene(std::move(scene).finish()));
        g.output("color", g.add(pass, "trace").color);
        const Buffer length = first_queue_length(g);
        ASSERT_TRUE(length);
        g.output("length", length);
        testing_gpu::Running running = start(compile_graph(std::move(g), {.poison = true}));
        ASSERT_TRUE(running);
        running.execute(1);
        EXPECT_EQ(running.template buffer<std::uint32_t>("length"),
                  std::vector<std::uint32_t>{kSide * kSide});
    }

    static float largest_difference(const HostImage& a, const HostImage& b) {
        const auto numbers = [](const HostImage& image) {
            return std::span(reinterpret_cast<const float*>(image.texels.data()),
                             image.texels.size() / sizeof(float));
        };
        if (a.texels.size() != b.texels.size()) return std::numeric_limits<float>::infinity();
        float most = 0.0f;
        for (std::size_t i = 0; i < numbers(a).size(); ++i) {
            const float off = std::abs(numbers(a)[i] - numbers(b)[i]);
            if (!(off <= most)) most = off;
        }
        return most;
    }
    /// None; but llvmpipe (Mesa 22.3) rounds some texels otherwise, even of the same picture traced
    /// again (6e-6 was seen), for a reason that is not known.
    float allowed() {
        return device().caps().driver.find("llvmpipe") != std::string::npos ? 2e-5f : 0.0f;
    }

    template <typename Pass>
    void expect_no_difference(Pass pass) {
        const SceneData scene = balls(14);
        const HostImage expected = trace(scene, pass);
        ASSERT_FALSE(expected.empty());
        const glm::dvec3 light = mean(expected);
        ASSERT_GT(light.x, 0.1);
        for (const MaterialPasses materials : {MaterialPasses::batches, MaterialPasses::each})
            for (const PathScheduling scheduling :
                 {PathScheduling::compacted, PathScheduling::all}) {
                pass.materials = materials;
                pass.scheduling = scheduling;
                EXPECT_LE(largest_difference(trace(scene, pass), expected), allowed())
                    << static_cast<int>(materials) << static_cast<int>(scheduling);
            }
        const SceneData few = balls(12);
        pass.materials = MaterialPasses::each;
        const HostImage one_by_one = trace(few, pass);
        EXPECT_NE(one_by_one.texels, expected.texels) << "textures are not looked at";
        pass.materials = MaterialPasses::single;
        EXPECT_LE(largest_difference(trace(few, pass), one_by_one), allowed());
    }
};

TEST_F(TracingModes, WhittedPicturesAreTheSame) {
    expect_no_difference(lit<TraceWhitted>());
}

TEST_F(TracingModes, PathTracedPicturesAreTheSame) {
    TUFF_ONLY_ON(lavapipe);
    PathTrace pass = lit<PathTrace>();
    pass.samples = 2;
    pass.roulette_from = 1;
    expect_no_difference(pass);
}

TEST_F(TracingModes, OnlyPixelsHavePathsThatGoOn) {
    expect_a_path_a_pixel<TraceWhitted>();
    expect_a_path_a_pixel<PathTrace>();
}

// But for ties, after which a path goes another way.
TEST_F(TracingModes, PicturesByTheDevicesRaysAreTheSame) {
    const std::vector<DeviceCaps> ways = testing_gpu::ways_of_rays(device().caps());
    if (ways.empty()) GTEST_SKIP() << "the device sends no rays of its own";
    const SceneAsset asset = pack_scene(balls(14));
    const auto pictures = [&](auto pass, const DeviceCaps& way) {
        Graph g = graph();
        g.set_target(way);
        pass.scene = add_scene(g, "scene", asset);
        const passes::TriangleMesh mesh = g.add(passes::Triangles{.scene = pass.scene}).mesh;
        pass.bvh = g.add(passes::LbvhBuild{.mesh = mesh}).bvh;
        g.output("ours", g.add(pass).color);
        pass.bvh = g.add(passes::HardwareBuild{.mesh = mesh, .bvh = {}}).bvh;
        g.output("theirs", g.add(pass).color);
        testing_gpu::Running running = run(std::move(g));
        const HostImage ours = running.image("ours");
        const HostImage theirs = running.image("theirs");
        ASSERT_FALSE(ours.empty() || theirs.empty());
        EXPECT_GT(mean(ours).x, 0.1);
        int different = 0;
        for (std::uint32_t y = 0; y < 28; ++y)
            for (std::uint32_t x = 0; x < 28; ++x)
                different += glm::distance(at(ours, x, y), at(theirs, x, y)) > 1e-4;
        EXPECT_LE(different, 4);
    };
    PathTrace paths = lit<PathTrace>();
    paths.samples = 2;
    for (const DeviceCaps& way : ways) {
        SCOPED_TRACE(way.ray_query ? "ray queries" : "ray-tracing pipeline");
        pictures(lit<TraceWhitted>(), way);
        pictures(paths, way);
    }
}

TEST_F(TracingModes, ASinglePassRefusesTooManyTextures) {
    TraceWhitted pass = lit<TraceWhitted>();
    pass.materials = MaterialPasses::single;
    DeviceCaps caps = device().caps();
    caps.texture_arrays = false;
    Graph g = graph();
    g.set_target(caps);
    pass.scene = add_scene(g, "scene", pack_scene(balls(13)));
    g.output("color", g.add(pass).color);
    const auto plan = compile(std::move(g).finish(), caps);
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().front().code, "raytrace/too-many-textures");
}

} // namespace
} // namespace tuff
