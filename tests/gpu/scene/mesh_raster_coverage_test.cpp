#include "tests/gpu/scene/mesh_raster_fixture.hpp"

#include <fmt/format.h>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/mat4x4.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

/// Which texels scene/mesh_raster draws, and at what depth: culling, masks, layers, samples, sizes.
namespace tuff {
namespace {

using passes::MeshRaster;

constexpr glm::vec4 kRed{1.0f, 0.0f, 0.0f, 1.0f};

glm::mat4 moved(float x, float y, float z) {
    return glm::translate(glm::mat4(1.0f), {x, y, z});
}
glm::mat4 turned(float degrees, glm::vec3 axis) {
    return glm::rotate(glm::mat4(1.0f), glm::radians(degrees), glm::normalize(axis));
}

/// Standard places of the samples of a pixel, for 1 and for 4 ("Multisampling" in the Vulkan
/// specification).
std::vector<glm::dvec2> sample_places(std::uint32_t samples) {
    if (samples == 1) return {{0.5, 0.5}};
    return {{0.375, 0.125}, {0.875, 0.375}, {0.125, 0.625}, {0.625, 0.875}};
}

/// Depth in clip space of the plane z = 0 of `world`, seen through a point of the picture, in
/// pixels.
double plane_depth(const Camera& camera, const glm::mat4& world, glm::dvec2 pixel, double side) {
    const glm::dmat4 clip_of =
        glm::dmat4(camera.projection(1.0f)) * glm::dmat4(camera.view()) * glm::dmat4(world);
    const glm::dmat4 back = glm::inverse(clip_of);
    const auto unproject = [&](double z) {
        const glm::dvec4 p =
            back * glm::dvec4(2.0 * pixel.x / side - 1.0, 2.0 * pixel.y / side - 1.0, z, 1.0);
        return glm::dvec3(p) / p.w;
    };
    const glm::dvec3 a = unproject(0.0);
    const glm::dvec3 b = unproject(1.0);
    const glm::dvec4 hit = clip_of * glm::dvec4(a + (b - a) * (a.z / (a.z - b.z)), 1.0);
    return hit.z / hit.w;
}

class MeshRasterCoverage : public MeshRasterTest {
  protected:
    void expect_plane_depth(const Camera& camera, std::uint32_t samples, const std::string& what) {
        const glm::mat4 world =
            turned(40.0f, {1, 2, 0}) * glm::scale(glm::mat4(1.0f), glm::vec3(20.0f));
        SceneBuilder scene;
        scene.camera(camera);
        scene.quad(scene.material(SceneBuilder::unlit(kRed)), world);
        MeshRaster pass = dark(16);
        pass.samples = samples;
        const Rendered picture = render(std::move(scene).finish(), pass);
        ASSERT_FALSE(picture.empty());
        const glm::dvec2 place = sample_places(samples)[0];
        // The plane rises by 0.006 a pixel, and devices place its corners to a sixteenth of one.
        // Of four samples some take the depth of another place within the pixel.
        const double tolerance = samples == 1 ? 4e-4 : 3e-3;
        for (std::uint32_t y = 0; y < 16; y += 3)
            for (std::uint32_t x = 0; x < 16; x += 3)
                EXPECT_NEAR(picture.depth.texel(x, y)[0],
                            plane_depth(camera, world, glm::dvec2(x, y) + place, 16.0), tolerance)
                    << what << " " << samples << " samples at " << x << ", " << y;
    }
};

TEST_F(MeshRasterCoverage, DepthIsTheProjectedOne) {
    Camera perspective;
    perspective.position = {0.5f, 0.25f, 6.0f};
    perspective.near_plane = 1.0f;
    perspective.far_plane = 25.0f;
    Camera orthographic = perspective;
    orthographic.kind = Projection::orthographic;
    orthographic.orthographic_height = 4.0f;
    for (const std::uint32_t samples : {1u, 4u}) {
        expect_plane_depth(perspective, samples, "perspective");
        expect_plane_depth(orthographic, samples, "orthographic");
    }
}

TEST_F(MeshRasterCoverage, DepthIsOneWhereNothingIsDrawn) {
    for (const std::uint32_t samples : {1u, 4u}) {
        SceneBuilder scene;
        scene.camera(2.0f);
        scene.quad(scene.material(SceneBuilder::unlit(kRed)), glm::mat4(1.0f));
        MeshRaster pass = dark(16);
        pass.samples = samples;
        pass.background = {0.0f, 0.0f, 1.0f, 1.0f};
        const Rendered picture = render(std::move(scene).finish(), pass);
        ASSERT_FALSE(picture.empty());
        for (std::uint32_t i = 0; i < 16; ++i) {
            const bool inside = i >= 4 && i < 12;
            EXPECT_EQ(picture.depth.texel(i, 8)[0], inside ? 0.5f : 1.0f) << i;
            EXPECT_EQ(picture.depth.texel(8, i)[0], inside ? 0.5f : 1.0f) << i;
            EXPECT_EQ(picture.texel(i, 8), inside ? glm::dvec3(1, 0, 0) : glm::dvec3(0, 0, 1));
        }
    }
}

TEST_F(MeshRasterCoverage, SingleSidedFacesThatLookAwayAreCulledAlsoWhereMirrored) {
    const glm::mat4 one(1.0f);
    const glm::mat4 away = turned(180.0f, {0, 1, 0});
    const glm::mat4 mirror = glm::scale(one, {-1.0f, 1.0f, 1.0f});
    struct Case {
        const char* name;
        glm::mat4 world;
        bool double_sided;
        bool seen;
    };
    const std::array<Case, 8> cases{{{"front", one, false, true},
                                     {"back", away, false, false},
                                     {"front of a double-sided face", one, true, true},
                                     {"back of a double-sided face", away, true, true},
                                     {"mirrored front", mirror, false, true},
                                     {"mirrored back", away * mirror, false, false},
                                     {"mirrored double-sided front", mirror, true, true},
                                     {"mirrored double-sided back", away * mirror, true, true}}};
    SceneBuilder scene;
    scene.camera(8.0f);
    for (std::size_t i = 0; i < cases.size(); ++i) {
        SceneMaterial material = SceneBuilder::unlit(kRed);
        if (cases[i].double_sided) material.flags |= material_double_sided;
        scene.quad(scene.material(material),
                   moved(2.0f * static_cast<float>(i) - 7.0f, 0.0f, 0.0f) * cases[i].world);
    }
    const Rendered picture = render(std::move(scene).finish(), dark(32));
    ASSERT_FALSE(picture.empty());
    for (std::size_t i = 0; i < cases.size(); ++i)
        EXPECT_EQ(picture.at((static_cast<double>(i) + 0.5) / 8.0, 0.5).x,
                  cases[i].seen ? 1.0 : 0.0)
            << cases[i].name;
}

TEST_F(MeshRasterCoverage, MasksCutHolesWhereAlphaIsBelowTheCutoff) {
    SceneBuilder scene;
    scene.camera(1.0f);
    SceneMaterial material = SceneBuilder::unlit({1.0f, 1.0f, 1.0f, 0.8f}, AlphaMode::mask);
    material.alpha_cutoff = 0.4f;
    // Times 0.8 and the vertices' 0.75: 0.6, 0.41, 0.39, 0.
    material.base_color_texture.texture =
        scene.texture(4, 1, {{255, 0, 0, 255}, {255, 0, 0, 175}, {255, 0, 0, 166}, {255, 0, 0, 0}});
    scene.quad(scene.material(material), glm::mat4(1.0f), {.color = {1.0f, 1.0f, 1.0f, 0.75f}});
    // Opaque materials do not care for alpha, though they share the masked one's kernel.
    scene.quad(scene.material(SceneBuilder::unlit({0.0f, 1.0f, 0.0f, 0.0f})),
               moved(0.0f, 0.0f, -1.0f));
    const Rendered picture = render(std::move(scene).finish(), dark(4));
    ASSERT_FALSE(picture.empty());
    const glm::dvec3 red(1, 0, 0);
    const glm::dvec3 green(0, 1, 0);
    EXPECT_EQ(picture.texel(0, 1), red);
    EXPECT_EQ(picture.texel(1, 1), red);
    EXPECT_EQ(picture.texel(2, 1), green);
    EXPECT_EQ(picture.texel(3, 1), green);
    EXPECT_FLOAT_EQ(picture.depth.texel(1, 1)[0], 0.5f);
    EXPECT_FLOAT_EQ(picture.depth.texel(2, 1)[0], 0.55f);
    EXPECT_EQ(picture.color.texel(0, 0)[3], 1.0f);
}

TEST_F(MeshRasterCoverage, BlendedLayersComposeBackToFrontWhateverTheirOrderInTheFile) {
    struct Layer {
        float z;
        glm::vec4 color;
        AlphaMode mode;
    };
    // From back to front; the last is behind the opaque one.
    std::vector<Layer> layers{{-3.0f, {1.0f, 0.9f, 0.8f, 0.5f}, AlphaMode::blend},
                              {-2.0f, {0.1f, 0.2f, 0.3f, 0.5f}, AlphaMode::opaque},
                              {-1.0f, {1.0f, 0.0f, 0.0f, 0.5f}, AlphaMode::blend},
                              {0.0f, {0.0f, 1.0f, 0.0f, 0.25f}, AlphaMode::blend},
                              {2.0f, {0.0f, 0.0f, 2.0f, 0.75f}, AlphaMode::blend}};
    glm::dvec3 wanted(layers[1].color);
    for (std::size_t i = 2; i < layers.size(); ++i)
        wanted = glm::dvec3(layers[i].color) * double(layers[i].color.a) +
                 wanted * (1.0 - double(layers[i].color.a));
    for (const std::array<std::size_t, 5>& order :
         {std::array<std::size_t, 5>{0, 1, 2, 3, 4}, {4, 3, 2, 1, 0}, {3, 0, 4, 1, 2}})
        for (const std::uint32_t samples : {1u, 4u}) {
            SceneBuilder scene;
            scene.camera(1.0f);
            for (const std::size_t i : order)
                scene.quad(scene.material(SceneBuilder::unlit(layers[i].color, layers[i].mode)),
                           moved(0.0f, 0.0f, layers[i].z));
            MeshRaster pass = dark(4);
            pass.samples = samples;
            const Rendered picture = render(std::move(scene).finish(), pass);
            ASSERT_FALSE(picture.empty());
            expect_near(picture.at(0.5, 0.5), wanted, 2.0 * kHalfStep, "layers");
            EXPECT_EQ(picture.color.texel(2, 2)[3], 1.0f);
            EXPECT_FLOAT_EQ(picture.depth.texel(2, 2)[0], 0.6f) << "blended layers wrote depth";
        }
}

TEST_F(MeshRasterCoverage, BothSidesOfABlendedBallShowTheFartherFirst) {
    SceneMaterial material = SceneBuilder::unlit({1.0f, 1.0f, 1.0f, 0.5f}, AlphaMode::blend);
    material.flags |= material_double_sided;
    // West and east halves of the texture: the front half of the ball is seen at u = 0 and 1, the
    // back half at u = 1/2.
    SceneBuilder scene;
    scene.camera(1.2f);
    material.base_color_texture.texture = scene.texture(
        4, 1, {{255, 0, 0, 255}, {0, 255, 0, 255}, {0, 255, 0, 255}, {255, 0, 0, 255}});
    scene.sphere(scene.material(material), glm::mat4(1.0f));
    const Rendered picture = render(std::move(scene).finish(), dark(16));
    ASSERT_FALSE(picture.empty());
    for (const double v : {0.35, 0.5, 0.65})
        for (const double u : {0.35, 0.5, 0.65})
            expect_near(picture.at(u, v), {0.5, 0.25, 0.0}, kHalfStep, "red over green");
}

TEST_F(MeshRasterCoverage, BlendedColoursAreMultipliedByAlphaOverAClearBackground) {
    SceneBuilder scene;
    scene.camera(1.0f);
    scene.quad(scene.material(SceneBuilder::unlit({1.0f, 0.5f, 0.25f, 0.5f}, AlphaMode::blend)),
               glm::mat4(1.0f));
    MeshRaster pass = dark(4);
    pass.background = glm::vec4(0.0f);
    const Rendered picture = render(std::move(scene).finish(), pass);
    ASSERT_FALSE(picture.empty());
    EXPECT_EQ(picture.texel(1, 1), glm::dvec3(0.5, 0.25, 0.125));
    EXPECT_EQ(picture.color.texel(1, 1)[3], 0.5f);
    EXPECT_EQ(picture.depth.texel(1, 1)[0], 1.0f);
}

TEST_F(MeshRasterCoverage, EdgesHaveTheShareOfTheirSamplesThatIsCovered) {
    const glm::mat4 world = turned(20.0f, {0, 0, 1});
    for (const std::uint32_t samples : {1u, 4u}) {
        SceneBuilder scene;
        scene.camera(2.0f);
        scene.quad(scene.material(SceneBuilder::unlit(glm::vec4(1.0f))), world);
        MeshRaster pass = dark(32);
        pass.samples = samples;
        const Rendered picture = render(std::move(scene).finish(), pass);
        ASSERT_FALSE(picture.empty());
        const glm::dmat4 back = glm::inverse(glm::dmat4(world));
        int partial = 0;
        for (std::uint32_t y = 0; y < 32; ++y)
            for (std::uint32_t x = 0; x < 32; ++x) {
                // Devices place corners to a sixteenth of a pixel; samples so near an edge may lie
                // on either side.
                constexpr double kNear = 0.012;
                double surely = 0.0;
                double perhaps = 0.0;
                for (const glm::dvec2 place : sample_places(samples)) {
                    const glm::dvec4 p((x + place.x) / 8.0 - 2.0, 2.0 - (y + place.y) / 8.0, 0, 1);
                    const glm::dvec4 local = back * p;
                    const double outside = std::max(std::abs(local.x), std::abs(local.y)) - 1.0;
                    surely += outside < -kNear;
                    perhaps += outside < kNear;
                }
                partial += surely > 0.0 && perhaps < samples;
                EXPECT_GE(picture.texel(x, y).x, surely / samples) << x << ", " << y;
                EXPECT_LE(picture.texel(x, y).x, perhaps / samples) << x << ", " << y;
            }
        EXPECT_GE(partial, samples > 1 ? 20 : 0);
    }
}

TEST_F(MeshRasterCoverage, InsideOfFacesIsTheSameWhateverTheSamples) {
    const auto drawn = [&](std::uint32_t samples) {
        SceneBuilder scene;
        scene.camera(1.0f);
        scene.quad(scene.material(SceneBuilder::plain(kRed, 0.5f, 0.4f)),
                   turned(30.0f, {1, 1, 0}) * glm::scale(glm::mat4(1.0f), glm::vec3(3.0f)));
        MeshRaster pass = dark(16);
        pass.samples = samples;
        pass.ambient = glm::vec3(0.5f);
        pass.sun.intensity = 2.0f;
        return render(std::move(scene).finish(), pass);
    };
    const Rendered one = drawn(1);
    const Rendered four = drawn(4);
    ASSERT_FALSE(one.empty() || four.empty());
    for (std::uint32_t y = 0; y < 16; ++y)
        for (std::uint32_t x = 0; x < 16; ++x)
            if (x != y && x + y != 15) // off the seam of the two triangles
                expect_near(four.texel(x, y), one.texel(x, y), kHalfStep, "inside");
}

TEST_F(MeshRasterCoverage, EverySizeWorks) {
    for (const auto& [width, height] : {std::array{1u, 1u}, {3u, 7u}, {33u, 5u}})
        for (const std::uint32_t samples : {1u, 4u}) {
            SceneBuilder scene;
            scene.sphere(scene.material(SceneBuilder::plain()), glm::mat4(1.0f));
            MeshRaster pass;
            pass.width = width;
            pass.height = height;
            pass.samples = samples;
            pass.camera.zoom = 2.0f;
            pass.sun.shadow_size = 64;
            const Rendered picture = render(std::move(scene).finish(), pass);
            ASSERT_FALSE(picture.empty());
            EXPECT_EQ(picture.color.extent, (Extent{width, height, 1}));
            EXPECT_EQ(picture.depth.extent, (Extent{width, height, 1}));
            EXPECT_GT(picture.at(0.5, 0.5).x, 0.1) << width << "x" << height << ", " << samples;
            EXPECT_LT(picture.depth.texel(width / 2, height / 2)[0], 1.0f);
        }
}

} // namespace
} // namespace tuff
