// raytrace/heat_map: counts of tests as colours.

#include "passes/bvh/implicit_build.hpp"
#include "passes/bvh/lbvh_build.hpp"
#include "passes/raytrace/heat_map.hpp"
#include "tests/gpu/raytrace/raytrace_fixture.hpp"

namespace tuff {
namespace {

class HeatMapTest : public RaytraceTest {};

TEST_F(HeatMapTest, ColoursAreBrighterWhereMoreIsTested) {
    SceneBuilder builder;
    Camera camera;
    camera.position = {0, 0, 4};
    builder.camera(camera);
    builder.sphere(builder.material(SceneBuilder::plain()), scaled(0.6f), 12);
    Graph g = graph();
    const Scene scene = add_scene(g, "scene", pack_scene(std::move(builder).finish()));
    const auto mesh = g.add(passes::Triangles{.scene = scene}).mesh;
    passes::HeatMap pass{.scene = scene, .width = 27, .height = 19};
    pass.camera.mode = passes::CameraMode::file;
    const auto show = [&](const char* name, const passes::Bvh& bvh, passes::CountedTests shown) {
        pass.bvh = bvh;
        pass.shown = shown;
        const passes::HeatMap made = g.add(pass, name);
        g.output(name, made.color);
        g.output(std::string(name) + " work", made.work);
    };
    const passes::Bvh binary = g.add(passes::LbvhBuild{.mesh = mesh}).bvh;
    using passes::CountedTests;
    show("boxes", binary, CountedTests::boxes);
    show("triangles", binary, CountedTests::triangles);
    show("both", g.add(passes::ImplicitBuild{.mesh = mesh}).bvh, CountedTests::both);
    pass.most = 5.0f;
    show("all", passes::without_hierarchy(mesh), CountedTests::triangles);
    testing_gpu::Running running = run(std::move(g));
    const passes::TiledSize size{27, 19};
    const auto bright = [&](const HostImage& picture, std::uint32_t x, std::uint32_t y) {
        const auto texel = picture.texel(x, y);
        return texel[0] + texel[1] + texel[2];
    };
    for (const std::string name : {"boxes", "triangles", "both", "all"}) {
        SCOPED_TRACE(name);
        const HostImage picture = running.image(name);
        const auto work = running.buffer<glm::uvec2>(name + " work");
        std::vector<std::pair<std::uint32_t, float>> all;
        for (std::uint32_t y = 0; y < 19; ++y)
            for (std::uint32_t x = 0; x < 27; ++x) {
                const glm::uvec2 took = work[size.slot_of(x, y)];
                const std::uint32_t count = name == "boxes"  ? took.x
                                            : name == "both" ? took.x + took.y
                                                             : took.y;
                all.emplace_back(count, bright(picture, x, y));
            }
        std::ranges::sort(all);
        for (std::size_t i = 1; i < all.size(); ++i) {
            EXPECT_GE(all[i].second, all[i - 1].second - 1e-3f) << all[i].first;
            if (all[i].first == all[i - 1].first) {
                EXPECT_EQ(all[i].second, all[i - 1].second);
            }
        }
        if (name == "all") {
            EXPECT_NEAR(all.front().second, 3.0f, 1e-3f); // every triangle: more than can be shown
        } else {
            EXPECT_LT(all.front().second, all.back().second);
        }
    }
}

} // namespace
} // namespace tuff
