#include "passes/raygrid/whitted.hpp"
#include "passes/raytrace/whitted.hpp"
#include "tests/common/scene_builder.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <tuff/scene_resources.hpp>

#include <glm/gtc/matrix_transform.hpp>
#include <glm/mat4x4.hpp>
#include <glm/vec4.hpp>

#include <algorithm>
#include <cmath>
#include <string>

/// raygrid/whitted against raytrace/whitted, and its heat maps.
namespace tuff {
namespace {

using passes::GridHeatMap;
using passes::GridWork;
using passes::PathScheduling;
using passes::RaySearch;
using passes::TraceWhitted;
using passes::TraceWhittedGrid;
using testing_gpu::Running;

constexpr std::uint32_t kWidth = 28; // tiles beyond the edge
constexpr std::uint32_t kHeight = 20;

class RayGridWhitted : public testing_gpu::GpuTest {
  protected:
    /// Mirrors and what is matt on a floor below the sun.
    static SceneData mirrors(bool see_through = false) {
        SceneBuilder scene;
        Camera camera;
        camera.position = {0, 2, 6};
        camera.target = {0, 0.5f, 0};
        scene.camera(camera);
        const glm::mat4 one(1.0f);
        scene.quad(scene.material(SceneBuilder::plain({0.6f, 0.6f, 0.5f, 1}, 0, 0.4f)),
                   glm::rotate(one, glm::radians(-90.0f), {1, 0, 0}) *
                       glm::scale(one, glm::vec3(4.0f)));
        for (int i = 0; i < 6; ++i) {
            const auto f = static_cast<float>(i);
            SceneMaterial material = SceneBuilder::plain({1, 0.3f + 0.1f * f, 0.4f, 1},
                                                         i % 2 == 0 ? 1.0f : 0.0f, 0.1f * f);
            if (see_through && i == 3) material.alpha_mode = AlphaMode::blend;
            scene.sphere(scene.material(material),
                         glm::translate(one, {0.9f * (f - 2.5f), 0.5f, 0.4f * f - 1.0f}) *
                             glm::scale(one, glm::vec3(0.45f)),
                         5);
        }
        return std::move(scene).finish();
    }
    template <typename Pass>
    static Pass lit() {
        Pass pass;
        pass.width = kWidth;
        pass.height = kHeight;
        pass.camera.mode = passes::CameraMode::file;
        pass.sun.intensity = 2.0f;
        pass.ambient = {0.3f, 0.4f, 0.5f};
        pass.bounces = 2;
        return pass;
    }
};

TEST_F(RayGridWhitted, TracesThePictureOfWhittedsTracer) {
    const SceneAsset asset = pack_scene(mirrors());
    Graph g = graph();
    TraceWhitted expected = lit<TraceWhitted>();
    expected.scene = add_scene(g, "scene", asset);
    g.output("expected", g.add(expected).color);
    // Kernels that shade are others with another scheduling, and may round otherwise.
    TraceWhitted expected_of_all = expected;
    expected_of_all.scheduling = PathScheduling::all;
    g.output("expected of all", g.add(expected_of_all, "whitted_all").color);
    const auto trace = [&](const std::string& name, RaySearch search, PathScheduling scheduling) {
        TraceWhittedGrid pass = lit<TraceWhittedGrid>();
        pass.scene = expected.scene;
        pass.scheduling = scheduling;
        pass.grid.dims = glm::uvec3(24);
        pass.cast.search = search;
        pass.with_work = search == RaySearch::object_order;
        pass.work_bounce = 1;
        return g.add(pass, name);
    };
    const TraceWhittedGrid waves =
        trace("waves", RaySearch::object_order, PathScheduling::compacted);
    g.output("waves", waves.color);
    g.output("all", trace("all", RaySearch::walk, PathScheduling::all).color);
    g.output("lbvh", trace("lbvh", RaySearch::lbvh, PathScheduling::compacted).color);
    g.output("brute", trace("brute", RaySearch::brute_force, PathScheduling::compacted).color);
    g.output("work", waves.work);
    for (const GridWork shown : {GridWork::links, GridWork::tests, GridWork::rounds})
        g.output("heat " + std::to_string(static_cast<int>(shown)),
                 g.add(GridHeatMap{.work = waves.work,
                                   .width = kWidth,
                                   .height = kHeight,
                                   .shown = shown,
                                   .most = 8.0f},
                       "heat" + std::to_string(static_cast<int>(shown)))
                     .color);
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    const HostImage picture_of_compacted = running.image("expected");
    const HostImage picture_of_all = running.image("expected of all");
    float brightest = 0.0f;
    for (const std::string name : {"waves", "all", "lbvh", "brute"}) {
        const HostImage got = running.image(name);
        const HostImage& picture = name == "all" ? picture_of_all : picture_of_compacted;
        for (std::uint32_t y = 0; y < kHeight; ++y)
            for (std::uint32_t x = 0; x < kWidth; ++x) {
                ASSERT_EQ(got.texel(x, y), picture.texel(x, y)) << name << " " << x << " " << y;
                brightest = std::max(brightest, got.texel(x, y)[0]);
            }
    }
    EXPECT_GT(brightest, 0.5f);

    // Heat maps show what "work" says, at its pixel.
    const auto work = running.buffer<glm::uvec4>("work");
    const passes::TiledSize size{kWidth, kHeight};
    std::uint32_t reflected = 0;
    for (int shown = 0; shown < 3; ++shown) {
        const HostImage heat = running.image("heat " + std::to_string(shown));
        for (std::uint32_t y = 0; y < kHeight; ++y)
            for (std::uint32_t x = 0; x < kWidth; ++x) {
                const std::uint32_t count = work[size.slot_of(x, y)][shown];
                const auto texel = heat.texel(x, y);
                const float sum = texel[0] + texel[1] + texel[2];
                EXPECT_EQ(count == 0, sum == 0.0f);
                EXPECT_EQ(count >= 8, sum == 3.0f);
                reflected += std::uint32_t(shown == 0 && count > 0);
            }
    }
    EXPECT_GT(reflected, kWidth * kHeight / 10);
    EXPECT_LT(reflected, kWidth * kHeight);
}

/// Check "packed rays": what they lose is hardly seen.
TEST_F(RayGridWhitted, PackedRaysGiveThePictureButForFewEdges) {
    constexpr std::uint32_t kWide = 112;
    constexpr std::uint32_t kHigh = 80;
    Graph g = graph();
    const Scene scene = add_scene(g, "scene", pack_scene(mirrors()));
    for (const passes::RayCopies copies :
         {passes::RayCopies::none, passes::RayCopies::whole, passes::RayCopies::packed}) {
        TraceWhittedGrid pass = lit<TraceWhittedGrid>();
        pass.scene = scene;
        pass.width = kWide;
        pass.height = kHigh;
        pass.grid.dims = glm::uvec3(24);
        pass.cast.tests = passes::CellTests::rays;
        pass.cast.copies = copies;
        // All through rounds: walking has no copies.
        pass.cast.rounds = 4;
        pass.cast.links_per_ray = 16;
        const std::string name = std::to_string(static_cast<int>(copies));
        g.output(name, g.add(pass, name).color);
    }
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    const HostImage exact = running.image("0");
    const HostImage whole = running.image("1");
    const HostImage packed = running.image("2");
    double squares = 0.0;
    std::uint32_t others = 0;
    for (std::uint32_t y = 0; y < kHigh; ++y)
        for (std::uint32_t x = 0; x < kWide; ++x) {
            ASSERT_EQ(whole.texel(x, y), exact.texel(x, y)) << x << " " << y;
            others += std::uint32_t(packed.texel(x, y) != exact.texel(x, y));
            for (std::size_t k = 0; k < 3; ++k) {
                const double off =
                    std::min(packed.texel(x, y)[k], 1.0f) - std::min(exact.texel(x, y)[k], 1.0f);
                squares += off * off;
            }
        }
    const double psnr = -10.0 * std::log10(squares / (3.0 * kWide * kHigh) + 1e-12);
    RecordProperty("psnr", std::to_string(psnr));
    RecordProperty("others", static_cast<int>(others));
    EXPECT_GE(psnr, 50.0);
}

TEST_F(RayGridWhitted, RefusesShadowsOfWhatIsSeenThrough) {
    Graph g = graph();
    TraceWhittedGrid pass = lit<TraceWhittedGrid>();
    pass.scene = add_scene(g, "scene", pack_scene(mirrors(true)));
    g.add(pass);
    const auto plan = compile(std::move(g).finish(), device().caps());
    ASSERT_FALSE(plan.has_value());
    ASSERT_EQ(plan.error().size(), 1u);
    EXPECT_EQ(plan.error()[0].code, "raygrid/see-through-shadows");
}

} // namespace
} // namespace tuff
