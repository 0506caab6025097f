#include "tests/gpu/scene/mesh_raster_fixture.hpp"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <optional>

/// Shadows of scene/mesh_raster: where they fall, where they must not, and what casts them.
namespace tuff {
namespace {

using passes::MeshRaster;

constexpr std::uint32_t kSide = 64;
constexpr float kHalfHeight = 4.0f; // world units from the picture's middle to its edge

glm::mat4 placed(glm::vec3 position, float size) {
    return glm::scale(glm::translate(glm::mat4(1.0f), position), glm::vec3(size));
}

/// From where the sun shines, as azimuth and elevation.
struct SunAt {
    float azimuth;
    float elevation;
    glm::dvec3 direction() const { return reference::towards_sun(azimuth, elevation); }
};

class MeshRasterShadow : public MeshRasterTest {
  protected:
    static MeshRaster sunny(SunAt sun, std::uint32_t shadow_size) {
        MeshRaster pass = dark(kSide);
        pass.sun.azimuth = sun.azimuth;
        pass.sun.elevation = sun.elevation;
        pass.sun.intensity = 1.0f;
        pass.sun.shadows = true;
        pass.sun.shadow_size = shadow_size;
        return pass;
    }
    /// A white ground of side 8 at z = 0, which fills the picture.
    static SceneBuilder ground() {
        SceneBuilder scene;
        scene.camera(kHalfHeight);
        scene.quad(scene.material(SceneBuilder::plain()), placed({}, 4.0f));
        return scene;
    }
    static glm::dvec2 world_of(std::uint32_t x, std::uint32_t y) {
        return {(x + 0.5) * 2.0 * kHalfHeight / kSide - kHalfHeight,
                kHalfHeight - (y + 0.5) * 2.0 * kHalfHeight / kSide};
    }
    static double lit_ground(SunAt sun) {
        return reference::sun_radiance({}, {0.0, 0.0, 1.0}, sun.direction(), glm::dvec3(1.0)).x;
    }

    /// Texels of the scene that shadows change by more than `floor` and a thousandth.
    int shadowed(const SceneData& scene, MeshRaster pass, double floor = 1e-4) {
        const Rendered with = render(scene, pass);
        pass.sun.shadows = false;
        const Rendered without = render(scene, pass);
        if (with.empty() || without.empty()) return -1;
        int count = 0;
        for (std::uint32_t y = 0; y < pass.height; ++y)
            for (std::uint32_t x = 0; x < pass.width; ++x) {
                const double lit = without.texel(x, y).x;
                count += std::abs(with.texel(x, y).x - lit) > floor + 1e-3 * lit;
            }
        return count;
    }
};

/// How deep a point lies in the shadow of a square occluder of half width 0.75 at `centre`, in
/// world units on the ground; negative outside. Nothing where the occluder hides the ground.
std::optional<double> depth_in_shadow(glm::dvec2 point, glm::dvec3 centre, glm::dvec3 light) {
    const auto inside = [&](glm::dvec2 p) {
        const glm::dvec2 d = glm::abs(p - glm::dvec2(centre));
        return 0.75 - std::max(d.x, d.y);
    };
    if (inside(point) > -0.1) return {};
    const glm::dvec3 at_height = glm::dvec3(point, 0.0) + light * (centre.z / light.z);
    return inside(glm::dvec2(at_height));
}

TEST_F(MeshRasterShadow, FallWhereTheOccluderHidesTheSun) {
    for (const SunAt sun : {SunAt{0.0f, 40.0f}, SunAt{50.0f, 10.0f}, SunAt{-40.0f, -45.0f}}) {
        const glm::vec3 centre{-0.5f, 0.25f, 1.5f};
        SceneBuilder scene = ground();
        scene.quad(scene.material(SceneBuilder::unlit({1.0f, 0.0f, 0.0f, 1.0f})),
                   placed(centre, 0.75f));
        const MeshRaster pass = sunny(sun, 512);
        const Rendered picture = render(std::move(scene).finish(), pass);
        ASSERT_FALSE(picture.empty());
        const double lit = lit_ground(sun);
        constexpr double kEdge = 0.15; // some 5 texels of the map
        int dark_texels = 0;
        for (std::uint32_t y = 0; y < kSide; ++y)
            for (std::uint32_t x = 0; x < kSide; ++x) {
                const auto depth = depth_in_shadow(world_of(x, y), centre, sun.direction());
                if (!depth || std::abs(*depth) < kEdge) continue;
                dark_texels += *depth > 0.0;
                expect_near(picture.texel(x, y), glm::dvec3(*depth > 0.0 ? 0.0 : lit), 2e-3,
                            fmt::format("sun {} {} at {}, {}", sun.azimuth, sun.elevation, x, y));
            }
        EXPECT_GT(dark_texels, 20);
    }
}

TEST_F(MeshRasterShadow, EdgesFallMonotonicallyFromLitToDark) {
    SceneBuilder scene;
    scene.camera(0.25f); // an edge close up
    scene.quad(scene.material(SceneBuilder::plain()), placed({}, 4.0f));
    // The sun shines from above; the occluder covers x > 0 and is out of the camera's sight.
    scene.quad(scene.material(SceneBuilder::plain()), placed({4.02f, 0.0f, 11.0f}, 4.0f));
    const MeshRaster pass = sunny({0.0f, 0.0f}, 128);
    const Rendered picture = render(std::move(scene).finish(), pass);
    ASSERT_FALSE(picture.empty());
    const double lit = lit_ground({0.0f, 0.0f});
    for (std::uint32_t y = 0; y < kSide; y += 7) {
        int between = 0;
        for (std::uint32_t x = 1; x < kSide; ++x) {
            EXPECT_LE(picture.texel(x, y).x, picture.texel(x - 1, y).x) << x << ", " << y;
            between += picture.texel(x, y).x > 0.02 * lit && picture.texel(x, y).x < 0.98 * lit;
        }
        EXPECT_GT(between, 8) << "the edge is hard";
    }
}

TEST_F(MeshRasterShadow, PlanesDoNotShadowThemselvesHoweverSteeplyLit) {
    for (const std::uint32_t size : {16u, 128u, 1024u})
        for (const float degrees : {0.0f, 30.0f, 60.0f, 80.0f, 88.0f})
            for (const float along : {0.0f, 33.0f}) {
                SceneBuilder scene;
                scene.camera(kHalfHeight);
                scene.quad(scene.material(SceneBuilder::plain()),
                           glm::rotate(glm::mat4(1.0f), glm::radians(along), {0.0f, 0.0f, 1.0f}) *
                               placed({}, 3.0f));
                EXPECT_EQ(shadowed(std::move(scene).finish(), sunny({degrees, 0.0f}, size)), 0)
                    << "map of " << size << ", sun at " << degrees << " degrees, turned " << along;
            }
}

TEST_F(MeshRasterShadow, BallsDoNotShadowTheirLitSide) {
    for (const std::uint32_t size : {64u, 512u})
        for (const SunAt sun : {SunAt{30.0f, 40.0f}, SunAt{85.0f, 0.0f}}) {
            SceneBuilder scene;
            scene.camera(1.1f);
            scene.sphere(scene.material(SceneBuilder::plain()), glm::mat4(1.0f), 48);
            // Near the horizon flat triangles do shadow each other; there is little light there.
            EXPECT_EQ(shadowed(std::move(scene).finish(), sunny(sun, size), 0.04), 0)
                << "map of " << size << ", sun " << sun.azimuth;
        }
}

TEST_F(MeshRasterShadow, BallsOnTheGroundLeaveNoGapOfLight) {
    SceneBuilder scene = ground();
    scene.sphere(scene.material(SceneBuilder::plain()), placed({0.0f, 0.0f, 1.0f}, 1.0f), 48);
    const SunAt sun{60.0f, 0.0f};
    const Rendered picture = render(std::move(scene).finish(), sunny(sun, 512));
    ASSERT_FALSE(picture.empty());
    // The ball hides its contact; beside it lies the shadow, unbroken until its far end at
    // x = -tan 60 - 1 / cos 60.
    for (std::uint32_t x = 0; x < kSide; ++x) {
        const double at = world_of(x, kSide / 2).x;
        if (at < -3.4 || at > -1.05) continue;
        EXPECT_LT(picture.texel(x, kSide / 2).x, 1e-3) << at;
    }
}

TEST_F(MeshRasterShadow, MasksCastTheirHolesAndBlendedMaterialsCastNothing) {
    const auto middle_of_shadow = [&](AlphaMode mode, std::uint8_t alpha) {
        SceneBuilder scene = ground();
        SceneMaterial material = SceneBuilder::plain();
        material.alpha_mode = mode;
        material.base_color_texture.texture = scene.texture(1, 1, {{255, 255, 255, alpha}});
        scene.quad(scene.material(material), placed({0.0f, 0.0f, 2.0f}, 0.75f));
        const Rendered picture = render(std::move(scene).finish(), sunny({45.0f, 0.0f}, 128));
        return picture.at((-2.0 + kHalfHeight) / (2.0 * kHalfHeight), 0.5).x;
    };
    const double lit = lit_ground({45.0f, 0.0f});
    EXPECT_NEAR(middle_of_shadow(AlphaMode::opaque, 0), 0.0, 1e-4);
    EXPECT_NEAR(middle_of_shadow(AlphaMode::mask, 255), 0.0, 1e-4);
    EXPECT_NEAR(middle_of_shadow(AlphaMode::mask, 100), lit, 1e-3);
    EXPECT_NEAR(middle_of_shadow(AlphaMode::blend, 255), lit, 1e-3);
}

TEST_F(MeshRasterShadow, FacesCastThemWhicheverSideTheyTurnToTheSun) {
    for (const float turn : {0.0f, 180.0f}) {
        SceneBuilder scene = ground();
        scene.quad(scene.material(SceneBuilder::plain()),
                   placed({0.0f, 0.0f, 2.0f}, 0.75f) *
                       glm::rotate(glm::mat4(1.0f), glm::radians(turn), {0.0f, 1.0f, 0.0f}));
        const Rendered picture = render(std::move(scene).finish(), sunny({45.0f, 0.0f}, 128));
        ASSERT_FALSE(picture.empty());
        EXPECT_EQ(picture.at((-2.0 + kHalfHeight) / (2.0 * kHalfHeight), 0.5).x, 0.0) << turn;
    }
}

TEST_F(MeshRasterShadow, TheyDimTheSunAloneAndCanBeSwitchedOff) {
    SceneBuilder scene = ground();
    scene.quad(scene.material(SceneBuilder::plain()), placed({0.0f, 0.0f, 2.0f}, 0.75f));
    const SceneData data = std::move(scene).finish();
    MeshRaster pass = sunny({45.0f, 0.0f}, 128);
    pass.ambient = glm::vec3(0.5f);
    const double u = (-2.0 + kHalfHeight) / (2.0 * kHalfHeight);
    expect_near(render(data, pass).at(u, 0.5), glm::dvec3(0.5), 0.01, "ambient light");
    pass.sun.shadows = false;
    expect_near(render(data, pass).at(u, 0.5), glm::dvec3(0.5 + lit_ground({45.0f, 0.0f})), 0.01,
                "no shadows");
}

} // namespace
} // namespace tuff
