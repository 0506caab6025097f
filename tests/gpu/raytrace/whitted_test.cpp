// raytrace/whitted against closed forms: the analytic checks of the chapter.

#include "tests/gpu/raytrace/raytrace_fixture.hpp"

#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>

#include <array>
#include <cmath>

namespace tuff {
namespace {

using passes::TraceWhitted;

class WhittedTest : public RaytraceTest {};

SceneMaterial mirror(float reflectance) {
    return SceneBuilder::plain(glm::vec4(glm::vec3(reflectance), 1.0f), 1.0f, 0.0f);
}

TEST_F(WhittedTest, BehindNothingThereIsTheBackgroundOrTheSurroundings) {
    for (const bool shown : {false, true}) {
        SceneBuilder scene;
        scene.camera(1.0f);
        TraceWhitted pass = dark<TraceWhitted>(20); // no multiple of a tile
        pass.background = {0.1f, 0.2f, 0.3f};
        pass.ambient = {0.5f, 0.25f, 1.0f};
        pass.show_environment = shown;
        const HostImage picture = trace(std::move(scene).finish(), pass);
        ASSERT_FALSE(picture.empty());
        for (std::uint32_t y = 0; y < 20; ++y)
            for (std::uint32_t x = 0; x < 20; ++x)
                ASSERT_EQ(at(picture, x, y), glm::dvec3(shown ? pass.ambient : pass.background));
    }
}

TEST_F(WhittedTest, APerfectMirrorInEvenLightCannotBeSeen) {
    SceneBuilder scene;
    scene.camera(1.2f);
    scene.sphere(scene.material(mirror(1.0f)), glm::mat4(1.0f), 12);
    TraceWhitted pass = dark<TraceWhitted>(32);
    pass.ambient = glm::vec3(1.0f);
    pass.bounces = 6;
    const HostImage picture = trace(std::move(scene).finish(), pass);
    ASSERT_FALSE(picture.empty());
    for (std::uint32_t y = 0; y < 32; ++y)
        for (std::uint32_t x = 0; x < 32; ++x)
            for (int c = 0; c < 3; ++c)
                ASSERT_NEAR(at(picture, x, y)[c], 1.0, 1e-6) << x << ", " << y;
}

/// How a line parallel to z meets the cube [-1, 1]^3 turned by `cube`: the cosine to the face that
/// it meets from +z, and by how far it passes inside of the outline (negative: outside).
struct CubeSeen {
    double cosine = 0.0;
    double inside = 0.0;
};
CubeSeen seen_cube(const glm::dmat3& cube, double x, double y) {
    const glm::dvec3 origin = glm::transpose(cube) * glm::dvec3(x, y, 20.0);
    const glm::dvec3 along = glm::transpose(cube) * glm::dvec3(0.0, 0.0, -1.0);
    double enters = -1e300;
    double leaves = 1e300;
    CubeSeen seen;
    for (int axis = 0; axis < 3; ++axis) {
        const double middle = -origin[axis] / along[axis];
        const double half = std::abs(1.0 / along[axis]);
        if (middle - half > enters) {
            enters = middle - half;
            seen.cosine = std::abs(along[axis]);
        }
        leaves = std::min(leaves, middle + half);
    }
    seen.inside = leaves - enters;
    return seen;
}

// A closed mirror: a ray that began behind its face would be caught in the cube, and end black.
TEST_F(WhittedTest, AMirrorCubeReflectsWithoutSpeckles) {
    for (const std::uint32_t side : {64u, 99u}) {
        SceneBuilder scene;
        scene.camera(2.0f);
        const auto material = scene.material(mirror(0.75f));
        const glm::mat4 cube = turned(33.0f, {1, 0.7f, 0.2f});
        for (int face = 0; face < 4; ++face)
            scene.quad(material,
                       cube * turned(90.0f * static_cast<float>(face), {0, 1, 0}) * moved(0, 0, 1));
        for (const float up : {90.0f, -90.0f})
            scene.quad(material, cube * turned(up, {1, 0, 0}) * moved(0, 0, 1));
        TraceWhitted pass = dark<TraceWhitted>(side);
        pass.ambient = glm::vec3(1.0f);
        pass.background = glm::vec3(0.0f);
        pass.show_environment = false;
        const HostImage picture = trace(std::move(scene).finish(), pass);
        ASSERT_FALSE(picture.empty());
        std::uint32_t on_cube = 0;
        for (std::uint32_t y = 0; y < side; ++y)
            for (std::uint32_t x = 0; x < side; ++x) {
                const CubeSeen seen =
                    seen_cube(glm::dmat3(glm::mat3(cube)), 4.0 * (x + 0.5) / side - 2.0,
                              2.0 - 4.0 * (y + 0.5) / side);
                if (std::abs(seen.inside) < 1e-4) continue; // along an edge of the outline
                on_cube += seen.inside > 0.0;
                // The whole face reflects the same light by the Fresnel term of one angle.
                const double expected =
                    seen.inside > 0.0 ? 0.75 + 0.25 * std::pow(1.0 - seen.cosine, 5.0) : 0.0;
                ASSERT_NEAR(at(picture, x, y).x, expected, 1e-5) << x << ", " << y;
            }
        EXPECT_GT(on_cube, side * side / 4);
    }
}

TEST_F(WhittedTest, TwoMirrorsThatFaceEachOtherSumUpTheSeries) {
    for (const std::uint32_t bounces : {0u, 1u, 2u, 7u}) {
        SceneBuilder scene;
        Camera camera;
        camera.kind = Projection::orthographic;
        camera.position = {0, 0, 0};
        camera.target = {0, 0, -1};
        camera.orthographic_height = 1.0f;
        camera.near_plane = 0.0f;
        camera.far_plane = 10.0f;
        scene.camera(camera);
        SceneMaterial glowing = mirror(0.5f);
        glowing.emissive = glm::vec3(1.0f);
        const auto material = scene.material(glowing);
        scene.quad(material, moved(0, 0, -2));
        scene.quad(material, moved(0, 0, 2) * turned(180, {0, 1, 0}));
        TraceWhitted pass = dark<TraceWhitted>(8);
        pass.bounces = bounces;
        const HostImage picture = trace(std::move(scene).finish(), pass);
        ASSERT_FALSE(picture.empty());
        const double expected = 2.0 * (1.0 - std::pow(0.5, bounces + 1));
        for (std::uint32_t i = 0; i < 8; ++i)
            EXPECT_NEAR(at(picture, i, 7 - i).x, expected, 1e-5) << bounces;
    }
}

/// Radiance of white matt ground under the sun, straight above.
TEST_F(WhittedTest, TheShadowOfAQuadIsWhereItIsProjected) {
    SceneBuilder scene;
    scene.camera(4.0f);
    const auto white = scene.material(SceneBuilder::plain());
    scene.quad(white, scaled(8.0f));
    scene.quad(white,
               moved(0, 0, 15)); // behind the camera, which stands at z = 20 and sees from 10
    TraceWhitted pass = dark<TraceWhitted>(64);
    pass.camera.index = 0;
    pass.specular = 0.0f;
    pass.sun.azimuth = 90.0f;
    pass.sun.elevation = 0.0f;
    // Towards (sin a, 0, cos a): the shadow lies 15 tan a to the left.
    pass.sun.azimuth = 6.0f;
    pass.sun.intensity = 2.0f;
    const double shift = -15.0 * std::tan(glm::radians(6.0));
    const double lit = 2.0 * std::cos(glm::radians(6.0)) / 3.14159265358979;
    SceneData data = std::move(scene).finish();
    data.cameras[0].camera.near_plane = 10.0f; // the quad at z = 15 lies before it
    const HostImage picture = trace(std::move(data), pass);
    ASSERT_FALSE(picture.empty());
    for (std::uint32_t y = 0; y < 64; ++y)
        for (std::uint32_t x = 0; x < 64; ++x) {
            const double px = 8.0 * (x + 0.5) / 64.0 - 4.0;
            const double py = 4.0 - 8.0 * (y + 0.5) / 64.0;
            const double out = std::max(std::abs(px - shift), std::abs(py)) - 1.0;
            if (std::abs(out) < 0.125) continue; // a pixel
            ASSERT_NEAR(at(picture, x, y).x, out < 0 ? 0.0 : lit, 1e-5) << x << ", " << y;
        }
    pass.shadows = false;
    SceneBuilder again;
    again.camera(4.0f);
    again.quad(again.material(SceneBuilder::plain()), scaled(8.0f));
    again.quad(0, moved(0, 0, 15));
    const HostImage open = trace(std::move(again).finish(), pass);
    ASSERT_FALSE(open.empty());
    EXPECT_NEAR(at(open, 20, 32).x, lit, 1e-5);
}

TEST_F(WhittedTest, WhatLiesBehindTheGroundCastsNoShadow) {
    SceneBuilder scene;
    scene.camera(2.0f);
    const auto white = scene.material(SceneBuilder::plain());
    scene.quad(white, scaled(4.0f));
    scene.quad(white, moved(0, 0, -3));
    TraceWhitted pass = dark<TraceWhitted>(8);
    pass.specular = 0.0f;
    pass.sun = {.azimuth = 0.0f, .elevation = 0.0f, .intensity = 1.0f};
    const HostImage picture = trace(std::move(scene).finish(), pass);
    ASSERT_FALSE(picture.empty());
    EXPECT_NEAR(at(picture, 4, 4).x, 1.0 / 3.14159265358979, 1e-6);
}

TEST_F(WhittedTest, TexturesAreFilteredLinearly) {
    SceneBuilder scene;
    scene.camera(1.0f);
    std::vector<std::array<std::uint8_t, 4>> texels;
    for (int i = 0; i < 16; ++i)
        texels.push_back((i + i / 4) % 2 ? std::array<std::uint8_t, 4>{255, 255, 255, 255}
                                         : std::array<std::uint8_t, 4>{0, 51, 0, 255});
    SceneMaterial material = SceneBuilder::unlit(glm::vec4(1.0f));
    material.base_color_texture.texture = scene.texture(4, 4, texels);
    scene.quad(scene.material(material), glm::mat4(1.0f));
    SceneData data = std::move(scene).finish();
    data.textures[0].sampler.mag_filter = Filter::linear;
    data.textures[0].sampler.min_filter = Filter::linear;
    const HostImage picture = trace(std::move(data), dark<TraceWhitted>(32));
    ASSERT_FALSE(picture.empty());
    const auto texel = [&](int x, int y, int c) {
        const auto& t = texels[static_cast<std::size_t>(4 * ((y + 4) % 4) + (x + 4) % 4)];
        return t[static_cast<std::size_t>(c)] / 255.0;
    };
    for (std::uint32_t y = 0; y < 32; ++y)
        for (std::uint32_t x = 0; x < 32; ++x) {
            const double u = (x + 0.5) / 32.0 * 4.0 - 0.5;
            const double v = (y + 0.5) / 32.0 * 4.0 - 0.5;
            const int i = static_cast<int>(std::floor(u));
            const int j = static_cast<int>(std::floor(v));
            const double fu = u - i;
            const double fv = v - j;
            for (int c = 0; c < 3; ++c) {
                const double expected =
                    (1 - fv) * ((1 - fu) * texel(i, j, c) + fu * texel(i + 1, j, c)) +
                    fv * ((1 - fu) * texel(i, j + 1, c) + fu * texel(i + 1, j + 1, c));
                ASSERT_NEAR(at(picture, x, y)[c], expected, 2.0 / 255.0) << x << ", " << y;
            }
        }
}

TEST_F(WhittedTest, ANormalMapTiltsTheLight) {
    SceneBuilder scene;
    scene.camera(1.0f);
    SceneMaterial material = SceneBuilder::plain();
    // Tilted by 45 degrees along u, which is +x.
    const auto tilt = static_cast<std::uint8_t>(std::lround((std::sqrt(0.5) * 0.5 + 0.5) * 255.0));
    material.normal_texture.texture = scene.texture(1, 1, {{tilt, 128, tilt, 255}});
    scene.quad(scene.material(material), glm::mat4(1.0f));
    TraceWhitted pass = dark<TraceWhitted>(8);
    pass.specular = 0.0f;
    pass.sun = {.azimuth = 45.0f, .elevation = 0.0f, .intensity = 3.14159265f};
    const HostImage picture = trace(std::move(scene).finish(), pass);
    ASSERT_FALSE(picture.empty());
    EXPECT_NEAR(at(picture, 4, 4).x, 1.0, 0.01);
    EXPECT_GT(at(picture, 4, 4).x, std::cos(glm::radians(45.0)) + 0.2);
}

TEST_F(WhittedTest, WhatIsCutAwayOrSeenThroughShowsWhatLiesBehind) {
    SceneBuilder scene;
    scene.camera(1.0f);
    scene.quad(scene.material(SceneBuilder::unlit({0, 0, 1, 1})), scaled(3.0f));
    SceneMaterial cut = SceneBuilder::unlit({1, 0, 0, 0.2f}, AlphaMode::mask);
    SceneMaterial glass = SceneBuilder::unlit({0, 1, 0, 0.25f}, AlphaMode::blend);
    scene.quad(scene.material(cut), moved(0, 0, 2));
    scene.quad(scene.material(glass), moved(0, 0, 1));
    const HostImage picture = trace(std::move(scene).finish(), dark<TraceWhitted>(8));
    ASSERT_FALSE(picture.empty());
    EXPECT_NEAR(glm::distance(at(picture, 3, 3), glm::dvec3(0, 0.25, 0.75)), 0.0, 1e-6);
}

TEST_F(WhittedTest, BadParametersAreRefused) {
    const auto error_of = [&](auto change) {
        SceneBuilder scene;
        scene.camera(1.0f);
        scene.quad(scene.material(SceneBuilder::plain()), glm::mat4(1.0f));
        TraceWhitted pass = dark<TraceWhitted>(8);
        change(pass);
        const auto plan =
            compile(traced(pack_scene(std::move(scene).finish()), pass).finish(), device().caps());
        return plan ? std::string() : plan.error().front().code;
    };
    EXPECT_EQ(error_of([](TraceWhitted&) {}), "");
    EXPECT_EQ(error_of([](TraceWhitted& p) { p.bounces = 65; }), "pass/out-of-range");
    EXPECT_EQ(error_of([](TraceWhitted& p) { p.width = 0; }), "pass/out-of-range");
    EXPECT_EQ(error_of([](TraceWhitted& p) { p.sun.intensity = -1; }), "pass/out-of-range");
    EXPECT_EQ(error_of([](TraceWhitted& p) { p.camera.index = 3; }), "scene/no-such-camera");
    EXPECT_EQ(error_of([](TraceWhitted& p) { p.traversal = passes::Traversal::stack; }),
              "bvh/no-such-traversal");
}

} // namespace
} // namespace tuff
