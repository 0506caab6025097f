#include "passes/registry.hpp"
#include "tests/common/test_folder.hpp"
#include "tests/gpu/scene/mesh_raster_fixture.hpp"

#include <tuff/config.hpp>
#include <tuff/graph_runner.hpp>

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

/// What scene/mesh_raster says of surfaces: normals, colours, and how they move in the picture.
namespace tuff {
namespace {

using passes::MeshRaster;

struct Surfaces {
    HostImage normal;
    HostImage albedo;
};

class MeshRasterSurfaces : public MeshRasterTest {
  protected:
    Surfaces surfaces(SceneData scene, MeshRaster pass) {
        Graph g = graph();
        pass.scene = add_scene(g, "scene", pack_scene(std::move(scene)));
        const MeshRaster drawn = g.add(std::move(pass));
        g.output("normal", drawn.normal);
        g.output("albedo", drawn.albedo);
        testing_gpu::Running running = run(std::move(g));
        return {running.image("normal"), running.image("albedo")};
    }
    static void expect_texel(const std::array<float, 4>& texel, glm::vec4 expected,
                             const std::string& what, double bound = 2e-3) {
        for (int c = 0; c < 4; ++c)
            EXPECT_NEAR(texel[static_cast<std::size_t>(c)], expected[c], bound)
                << what << ", channel " << c;
    }
};

TEST_F(MeshRasterSurfaces, NormalsOfABallPointAwayFromItsMiddle) {
    SceneBuilder scene;
    scene.camera(1.5f);
    scene.sphere(scene.material(SceneBuilder::plain({0.25f, 0.5f, 1.0f, 1.0f})), glm::mat4(1.0f),
                 96);
    const Surfaces made = surfaces(std::move(scene).finish(), dark(64));
    int inside = 0;
    for (std::uint32_t y = 0; y < 64; ++y)
        for (std::uint32_t x = 0; x < 64; ++x) {
            const glm::vec2 place((float(x) + 0.5f) / 32.0f * 1.5f - 1.5f,
                                  1.5f - (float(y) + 0.5f) / 32.0f * 1.5f);
            const float length = glm::length(place);
            if (std::abs(length - 1.0f) < 0.05f) continue; // the ball has corners
            const std::string what = fmt::format("{}, {}", x, y);
            if (length > 1.0f) {
                expect_texel(made.normal.texel(x, y), glm::vec4(0.0f), what);
                expect_texel(made.albedo.texel(x, y), {1, 1, 1, 0}, what);
                continue;
            }
            ++inside;
            const glm::vec3 normal(place, std::sqrt(1.0f - length * length));
            expect_texel(made.normal.texel(x, y), glm::vec4(normal, 1.0f), what, 0.02);
            expect_texel(made.albedo.texel(x, y), {0.25f, 0.5f, 1.0f, 1.0f}, what);
        }
    EXPECT_GT(inside, 1000);
}

TEST_F(MeshRasterSurfaces, NormalMapsMasksAndBacksAreThoseOfTheMaterial) {
    SceneBuilder scene;
    scene.camera(1.0f);
    // Tilted by 3-4-5 towards +u, which is +x: (0.6, 0, 0.8).
    const std::int32_t tilted = scene.texture(1, 1, {{{204, 128, 230, 255}}});
    // Left: a hole. Right: of the colour.
    const std::int32_t hole = scene.texture(2, 1, {{{255, 255, 255, 0}, {128, 255, 0, 255}}});
    SceneMaterial material = SceneBuilder::plain();
    material.normal_texture.texture = tilted;
    material.base_color_texture.texture = hole;
    material.alpha_mode = AlphaMode::mask;
    material.flags = material_double_sided;
    const std::uint32_t id = scene.material(material);
    scene.quad(id, glm::mat4(1.0f));
    const Surfaces front = surfaces(SceneData(scene.peek()), dark(16));
    expect_texel(front.normal.texel(3, 8), glm::vec4(0.0f), "hole");
    expect_texel(front.normal.texel(12, 8), {0.6f, 0.0f, 0.8f, 1.0f}, "front", 0.01);
    expect_texel(front.albedo.texel(12, 8), {128 / 255.0f, 1.0f, 0.0f, 1.0f}, "front");

    SceneBuilder turned;
    turned.camera(1.0f);
    SceneMaterial plain = SceneBuilder::plain();
    plain.flags = material_double_sided;
    turned.quad(turned.material(plain),
                glm::rotate(glm::mat4(1.0f), glm::radians(180.0f), {0.0f, 1.0f, 0.0f}));
    const Surfaces back = surfaces(std::move(turned).finish(), dark(16));
    expect_texel(back.normal.texel(8, 8), {0.0f, 0.0f, 1.0f, 1.0f}, "the back looks at us");

    SceneBuilder mirrored;
    mirrored.camera(1.0f);
    mirrored.quad(mirrored.material(SceneBuilder::plain()),
                  glm::scale(glm::mat4(1.0f), {-1.0f, 1.0f, 1.0f}));
    const Surfaces mirror = surfaces(std::move(mirrored).finish(), dark(16));
    expect_texel(mirror.normal.texel(8, 8), {0.0f, 0.0f, 1.0f, 1.0f}, "a mirrored front");
}

/// A wall that moves to the right and towards a camera that moves up.
constexpr std::string_view kMoving = R"json({"tuff": 1, "size": [96, 64],
    "assets": {"wall": {"scene": [{"plane": [3, 2], "rotate": [90, 0, 0],
                                   "translate": ["=0.1*$frame", 0, "=0.25*$frame"]}]}},
    "nodes": {"view": {"pass": "scene/mesh_raster", "in": {"scene": "wall"}, "params": {
        "width": "$width", "height": "$height", "keep_places": true,
        "camera": {"mode": "free", "position": [0, "=0.05*$frame", 5],
                   "target": [0, "=0.05*$frame", 0], "vertical_fov": 45}}}},
    "outputs": {"motion": "view.motion", "depth": "view.depth"}})json";

TEST_F(MeshRasterSurfaces, MotionIsThatOfPlacesAndCameraSinceTheFrameBefore) {
    const PassRegistry registry = passes::make_registry();
    AssetCache assets;
    const auto config = Config::parse(kMoving, test::empty_folder() / "test.json", registry);
    ASSERT_TRUE(config) << to_string(config.error());
    GraphRunner runner(device(), {});
    const auto matrix = [](int frame) {
        Camera camera;
        camera.position = {0.0f, 0.05f * float(frame), 5.0f};
        camera.target = {0.0f, 0.05f * float(frame), 0.0f};
        return glm::dmat4(camera.projection(96.0f / 64.0f)) * glm::dmat4(camera.view());
    };
    for (int frame = 0; frame < 4; ++frame) {
        auto built = config->build(shaders(), assets, {.frame = frame}, device().caps());
        ASSERT_TRUE(built) << to_string(built.error());
        ASSERT_TRUE(runner.take(std::move(built->graph), shaders()));
        ASSERT_TRUE(runner.executor()->execute());
        const auto motion = runner.executor()->read_image("motion");
        ASSERT_TRUE(motion);
        ASSERT_EQ(motion->format, Format::rg32_sfloat);
        const glm::dmat4 now = matrix(frame);
        const glm::dmat4 then = matrix(frame - 1);
        int covered = 0;
        for (std::uint32_t y = 0; y < 64; ++y)
            for (std::uint32_t x = 0; x < 96; ++x) {
                // Where the wall, z = 0.25 frame, is seen at this texel.
                const double z = 0.25 * frame;
                const glm::dvec4 middle = now * glm::dvec4(0, 0, z, 1);
                const glm::dvec4 right = now * glm::dvec4(1, 0, z, 1) - middle;
                const glm::dvec4 up = now * glm::dvec4(0, 1, z, 1) - middle;
                const double u = (x + 0.5) / 48.0 - 1.0;
                const double v = (y + 0.5) / 32.0 - 1.0;
                const double wx = (u * middle.w - middle.x) / right.x;
                const double wy = (v * middle.w - middle.y) / up.y;
                const double off_x = std::abs(wx - 0.1 * frame) - 1.5;
                const double off_y = std::abs(wy) - 1.0;
                if (std::abs(off_x) < 0.05 || std::abs(off_y) < 0.05) continue; // on its rim
                const auto texel = motion->texel(x, y);
                if (off_x > 0.0 || off_y > 0.0 || frame == 0) {
                    ASSERT_EQ(texel[0], 0.0f) << frame << ": " << x << ", " << y;
                    ASSERT_EQ(texel[1], 0.0f) << frame << ": " << x << ", " << y;
                    continue;
                }
                ++covered;
                const glm::dvec4 before = then * glm::dvec4(wx - 0.1, wy, z - 0.25, 1.0);
                ASSERT_NEAR(texel[0], 48.0 * (u - before.x / before.w), 2e-3) << x << ", " << y;
                ASSERT_NEAR(texel[1], 32.0 * (v - before.y / before.w), 2e-3) << x << ", " << y;
            }
        EXPECT_TRUE(frame == 0 || covered > 500);
    }
    EXPECT_EQ(runner.compilations(), 1u);
}

TEST_F(MeshRasterSurfaces, NothingIsDrawnForThoseWhoDoNotAsk) {
    SceneBuilder scene;
    scene.camera(1.0f);
    scene.quad(scene.material(SceneBuilder::plain()), glm::mat4(1.0f));
    Graph g = graph();
    MeshRaster pass = dark(16);
    pass.scene = add_scene(g, "scene", pack_scene(std::move(scene).finish()));
    const MeshRaster drawn = g.add(std::move(pass));
    EXPECT_FALSE(drawn.motion);
    g.output("color", drawn.color);
    const auto plan = compile(std::move(g).finish(), device().caps(), {});
    ASSERT_TRUE(plan);
    const auto runs = [&](std::string_view name) {
        return std::ranges::any_of(plan->order, [&](NodeId node) {
            return plan->graph.name(plan->graph.nodes[node.index].name).ends_with(name);
        });
    };
    EXPECT_TRUE(runs("meshes"));
    EXPECT_FALSE(runs("surfaces"));
}

} // namespace
} // namespace tuff
