// Panes with textures of their own, in kernels that have all textures of a scene at a time: few by
// constants, or an array.

#include "passes/geometry/compute_raster.hpp"
#include "passes/geometry/triangles.hpp"
#include "passes/oit/compute.hpp"
#include "passes/oit/shade.hpp"
#include "tests/gpu/oit/oit_fixture.hpp"

#include <glm/gtc/matrix_transform.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace tuff {
namespace {

constexpr std::uint32_t kPanesSide = 32;

/// Panes of two by two texels, each of its own texture.
SceneData textured_panes(int count) {
    SceneBuilder builder;
    builder.camera(16.0f);
    for (int i = 0; i < count; ++i) {
        std::vector<std::array<std::uint8_t, 4>> texels;
        for (int t = 0; t < 4; ++t)
            texels.push_back({static_cast<std::uint8_t>(18 * i), static_cast<std::uint8_t>(60 * t),
                              static_cast<std::uint8_t>(250 - 15 * i),
                              static_cast<std::uint8_t>(80 + 50 * t)});
        SceneMaterial material = SceneBuilder::unlit(glm::vec4(1.0f), AlphaMode::blend);
        material.base_color_texture.texture = builder.texture(2, 2, texels);
        builder.quad(
            builder.material(material),
            glm::translate(glm::mat4(1.0f), glm::vec3(-12.0f + 4.0f * static_cast<float>(i % 7),
                                                      i < 7 ? 8.0f : -8.0f, 0.0f)));
    }
    return std::move(builder).finish();
}

/// How far the farthest channels are apart.
double farthest_apart(const HostImage& a, const HostImage& b) {
    double most = a.extent == b.extent ? 0.0 : 1e9;
    for (std::uint32_t y = 0; y < a.extent.height; ++y)
        for (std::uint32_t x = 0; x < a.extent.width; ++x)
            for (std::size_t c = 0; c < 4; ++c)
                most = std::max(most,
                                std::abs(static_cast<double>(a.texel(x, y)[c] - b.texel(x, y)[c])));
    return most;
}

class TexturedPanes : public OitTest {
  protected:
    struct Pictures {
        HostImage lists; ///< by rasterization, a texture at a time
        HostImage shaded;
        HostImage tiles;
    };
    static void add_pictures(Graph& g, int textures) {
        const Seen seen =
            see(g, textured_panes(textures), kPanesSide, kPanesSide, 1, glm::vec4(0.125f));
        const auto resolved = [&](const passes::FragmentLists& lists) {
            return g
                .add(passes::OitResolve{
                    .lists = lists, .view = seen.view, .tiles = passes::TileChoice::all})
                .color;
        };
        g.output("lists",
                 resolved(g.add(passes::OitCapture{.scene = seen.scene, .view = seen.view}).lists));
        passes::CaptureFragments raster;
        raster.mesh = g.add(passes::Triangles{.scene = seen.scene}).mesh;
        raster.width = raster.height = kPanesSide;
        raster.clip_from_mesh = seen.view.view_projection;
        passes::OitShade shade{.scene = seen.scene, .view = seen.view};
        shade.captured = g.add(raster).lists;
        g.output("shaded", resolved(g.add(shade).lists));
        g.output("tiles", g.add(passes::OitCompute{.scene = seen.scene, .view = seen.view}).color);
    }
    DeviceCaps target(bool arrays) {
        DeviceCaps caps = device().caps();
        caps.texture_arrays = arrays && caps.texture_arrays;
        return caps;
    }
    Pictures pictures(int textures, bool arrays) {
        Graph g = graph();
        g.set_target(target(arrays));
        add_pictures(g, textures);
        testing_gpu::Running running = run(std::move(g));
        if (!running) return {};
        return {.lists = running.image("lists"),
                .shaded = running.image("shaded"),
                .tiles = running.image("tiles")};
    }
    static void expect_agree(const Pictures& got) {
        ASSERT_FALSE(got.lists.empty());
        EXPECT_LT(farthest_apart(got.lists, got.shaded), 1.0 / 512.0);
        EXPECT_LT(farthest_apart(got.lists, got.tiles), 1.0 / 512.0);
        EXPECT_GT(farthest_apart(got.lists, make_image(got.lists.format, got.lists.extent)), 0.3);
    }
};

TEST_F(TexturedPanes, FewAndArraysShowTheSame) {
    const Pictures few = pictures(5, false);
    expect_agree(few);
    const Pictures arrays = pictures(5, true);
    expect_agree(arrays);
    EXPECT_EQ(few.shaded.texels, arrays.shaded.texels);
    EXPECT_EQ(few.tiles.texels, arrays.tiles.texels);
}

TEST_F(TexturedPanes, AnArrayTakesMoreThanTwelve) {
    if (!device().caps().texture_arrays)
        GTEST_SKIP() << "the device does not choose among textures by number";
    expect_agree(pictures(13, true));
}

TEST_F(TexturedPanes, MoreThanTwelveTakeAnArray) {
    Graph g = graph();
    g.set_target(target(false));
    add_pictures(g, 13);
    const auto plan = compile(std::move(g).finish(), device().caps());
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().front().code, "raytrace/too-many-textures");
}

} // namespace
} // namespace tuff
