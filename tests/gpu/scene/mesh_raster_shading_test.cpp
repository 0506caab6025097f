#include "tests/gpu/scene/mesh_raster_fixture.hpp"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

/// The shading of scene/mesh_raster against a double-precision reference: the furnace, the sun, and
/// normal maps.
namespace tuff {
namespace {

using passes::MeshRaster;
using reference::sun_radiance;
using reference::SurfacePoint;

constexpr glm::dvec3 kTowardsCamera{0.0, 0.0, 1.0};
constexpr std::uint32_t kGrid = 8; // cells a side of the picture
constexpr std::uint32_t kGridTexels = 8 * kGrid;

/// The middle of a cell of the grid that `SceneBuilder::camera(kGrid)` sees, rows from the top.
glm::mat4 cell(std::uint32_t column, std::uint32_t row) {
    const float n = static_cast<float>(kGrid);
    return glm::translate(glm::mat4(1.0f), {2.0f * static_cast<float>(column) + 1.0f - n,
                                            n - 1.0f - 2.0f * static_cast<float>(row), 0.0f});
}

glm::mat4 tilted(float degrees, glm::vec3 axis) {
    return glm::rotate(glm::mat4(1.0f), glm::radians(degrees), glm::normalize(axis));
}

glm::dvec3 normal_of(const glm::mat4& rotation) {
    return glm::normalize(glm::dvec3(rotation[2]));
}

glm::dvec3 at_cell(const Rendered& picture, std::uint32_t column, std::uint32_t row) {
    return picture.at((column + 0.5) / kGrid, (row + 0.5) / kGrid);
}

class MeshRasterShading : public MeshRasterTest {};

TEST_F(MeshRasterShading, EvenLightIsReflectedWholeAtEveryRoughnessAndAngle) {
    constexpr std::array kRoughness{0.05f, 0.2f, 0.5f, 1.0f};
    SceneBuilder scene;
    scene.camera(kGrid);
    for (std::uint32_t row = 0; row < kGrid; ++row) {
        const float metallic = row < 4 ? 1.0f : 0.0f;
        const std::uint32_t material =
            scene.material(SceneBuilder::plain(glm::vec4(1.0f), metallic, kRoughness[row % 4]));
        for (std::uint32_t column = 0; column < kGrid; ++column)
            scene.quad(material,
                       cell(column, row) * tilted(10.0f * static_cast<float>(column), {1, 2, 0}));
    }
    MeshRaster pass = dark(kGridTexels);
    pass.ambient = {0.5f, 1.0f, 2.0f};
    const Rendered picture = render(std::move(scene).finish(), pass);
    ASSERT_FALSE(picture.empty());
    for (std::uint32_t row = 0; row < kGrid; ++row)
        for (std::uint32_t column = 0; column < kGrid; ++column)
            expect_near(at_cell(picture, column, row), pass.ambient, 0.01,
                        fmt::format("row {}, {} degrees", row, 10 * column));
}

TEST_F(MeshRasterShading, SunLightMatchesTheReferenceOverMaterialsAndAngles) {
    constexpr std::array<glm::vec3, 2> kColors{glm::vec3(0.9f, 0.5f, 0.1f), glm::vec3(1.0f)};
    constexpr std::array kRoughness{0.15f, 0.35f, 0.6f, 1.0f};
    for (const float metallic : {0.0f, 0.5f, 1.0f}) {
        SceneBuilder scene;
        scene.camera(kGrid);
        std::array<SurfacePoint, kGrid * kGrid> points;
        for (std::uint32_t i = 0; i < points.size(); ++i) {
            const std::uint32_t row = i / kGrid;
            const std::uint32_t column = i % kGrid;
            const glm::vec3 color = kColors[row / 4];
            const float roughness = kRoughness[row % 4];
            // Columns turn from away from the sun, over its reflection, to grazing.
            const glm::mat4 turn = tilted(17.0f * (static_cast<float>(column) - 3.0f), {-1, 2, 0});
            points[i] = {color, metallic, roughness, normal_of(turn)};
            scene.quad(
                scene.material(SceneBuilder::plain(glm::vec4(color, 1.0f), metallic, roughness)),
                cell(column, row) * turn);
        }
        MeshRaster pass = dark(kGridTexels);
        pass.sun = {.azimuth = 50.0f,
                    .elevation = 25.0f,
                    .color = {1.0f, 0.8f, 0.5f},
                    .intensity = 3.0f,
                    .shadows = false};
        const Rendered picture = render(std::move(scene).finish(), pass);
        ASSERT_FALSE(picture.empty());
        const glm::dvec3 light = reference::towards_sun(50.0, 25.0);
        int lit = 0;
        for (std::uint32_t i = 0; i < points.size(); ++i) {
            const glm::dvec3 wanted =
                sun_radiance(points[i], kTowardsCamera, light, glm::dvec3(pass.sun.color) * 3.0);
            lit += wanted.x > 0.05;
            expect_near(
                at_cell(picture, i % kGrid, i / kGrid), wanted, 3e-3,
                fmt::format("metallic {}, row {}, column {}", metallic, i / kGrid, i % kGrid));
        }
        EXPECT_GT(lit, 16) << "most of the grid is dark";
    }
}

TEST_F(MeshRasterShading, RoughnessScaleMultipliesTheRoughness) {
    SceneBuilder scene;
    scene.camera(1.0f);
    scene.quad(scene.material(SceneBuilder::plain(glm::vec4(1.0f), 1.0f, 0.8f)), glm::mat4(1.0f));
    MeshRaster pass = dark(4);
    pass.sun.azimuth = 20.0f;
    pass.sun.elevation = 0.0f;
    pass.sun.intensity = 1.0f;
    pass.roughness_scale = 0.5f;
    const Rendered picture = render(std::move(scene).finish(), pass);
    ASSERT_FALSE(picture.empty());
    expect_near(picture.at(0.5, 0.5),
                sun_radiance({glm::dvec3(1.0), 1.0, 0.4}, kTowardsCamera,
                             reference::towards_sun(20.0, 0.0), glm::dvec3(1.0)),
                3e-3, "roughness 0.4");
}

TEST_F(MeshRasterShading, TheBrightestHighlightStaysFinite) {
    SceneBuilder scene;
    scene.camera(1.0f);
    scene.quad(scene.material(SceneBuilder::plain(glm::vec4(1.0f), 1.0f, 0.0f)), glm::mat4(1.0f));
    MeshRaster pass = dark(4);
    pass.sun.azimuth = 0.0f;
    pass.sun.elevation = 0.0f; // straight from the camera
    pass.sun.intensity = 60000.0f;
    const Rendered picture = render(std::move(scene).finish(), pass);
    ASSERT_FALSE(picture.empty());
    EXPECT_EQ(picture.at(0.5, 0.5), glm::dvec3(65504.0));
}

/// A quad with a normal map of one texel, seen as its material says.
struct Mapped {
    const char* name;
    glm::mat4 world;
    float normal_scale = 1.0f;
    float handedness = 1.0f; ///< of the tangent
    bool back = false;       ///< the back of a double-sided face is seen
};

/// The normal by the definition: axes carried into the world by the placement, the texel's
/// coordinates along them.
glm::dvec3 mapped_normal(const Mapped& mapped, glm::dvec3 texel) {
    const glm::dmat3 linear(mapped.world);
    const glm::dvec3 normal =
        glm::normalize(glm::transpose(glm::inverse(linear)) * glm::dvec3(0.0, 0.0, 1.0));
    const auto flattened = [&](glm::dvec3 v) {
        return glm::normalize(v - normal * glm::dot(normal, v));
    };
    const glm::dvec3 tangent = flattened(linear * glm::dvec3(1.0, 0.0, 0.0));
    glm::dvec3 bitangent = flattened(linear * glm::dvec3(0.0, mapped.handedness, 0.0));
    const glm::dvec3 tilted_normal =
        glm::normalize(tangent * (texel.x * mapped.normal_scale) +
                       bitangent * (texel.y * mapped.normal_scale) + normal * texel.z);
    return mapped.back ? -tilted_normal : tilted_normal;
}

TEST_F(MeshRasterShading, NormalMapsTiltTheNormalUnderEveryPlacement) {
    // x and y differ so that swapped or flipped axes show.
    constexpr std::array<std::uint8_t, 4> kTexel{180, 96, 220, 255};
    const glm::dvec3 texel{180.0 / 127.5 - 1.0, 96.0 / 127.5 - 1.0, 220.0 / 127.5 - 1.0};
    const glm::mat4 one(1.0f);
    const glm::mat4 turned = tilted(35.0f, {1, 2, 3});
    const glm::mat4 mirrored = glm::scale(one, {-1.0f, 1.0f, 1.0f});
    const glm::mat4 stretched = turned * glm::scale(one, {0.4f, 0.9f, 0.5f});
    const glm::mat4 around = glm::rotate(one, glm::radians(180.0f), {0.0f, 1.0f, 0.0f});
    const std::array<Mapped, 10> cases{{
        {"plain", one},
        {"turned", turned},
        {"mirrored", mirrored},
        {"mirrored and turned", turned * mirrored},
        {"not evenly scaled", stretched},
        {"weak", turned, 0.3f},
        {"left-handed tangent", turned, 1.0f, -1.0f},
        {"back", around * turned, 1.0f, 1.0f, true},
        {"mirrored back", around * turned * mirrored, 1.0f, 1.0f, true},
        {"left-handed back", around * stretched, 0.7f, -1.0f, true},
    }};
    SceneBuilder scene;
    scene.camera(kGrid);
    const std::int32_t map = scene.texture(1, 1, {kTexel});
    for (std::uint32_t i = 0; i < cases.size(); ++i) {
        SceneMaterial material = SceneBuilder::plain({0.8f, 0.8f, 0.8f, 1.0f}, 0.0f, 0.5f);
        material.normal_texture.texture = map;
        material.normal_scale = cases[i].normal_scale;
        if (cases[i].back) material.flags = material_double_sided;
        scene.quad(scene.material(material), cell(i % kGrid, i / kGrid) * cases[i].world,
                   {.tangent = {1.0f, 0.0f, 0.0f, cases[i].handedness}});
    }
    MeshRaster pass = dark(kGridTexels);
    pass.sun.azimuth = 15.0f;
    pass.sun.elevation = 35.0f;
    pass.sun.intensity = 2.0f;
    const Rendered picture = render(std::move(scene).finish(), pass);
    ASSERT_FALSE(picture.empty());
    for (std::uint32_t i = 0; i < cases.size(); ++i) {
        const SurfacePoint point{glm::dvec3(0.8), 0.0, 0.5, mapped_normal(cases[i], texel)};
        const glm::dvec3 wanted = sun_radiance(point, kTowardsCamera,
                                               reference::towards_sun(15.0, 35.0), glm::dvec3(2.0));
        EXPECT_GT(wanted.x, 0.1) << cases[i].name << " is not lit";
        // Samplers of software devices are good to some nine bits.
        expect_near(at_cell(picture, i % kGrid, i / kGrid), wanted, 0.015, cases[i].name);
    }
}

TEST_F(MeshRasterShading, CurvatureWithinAPixelDimsAndWidensHighlights) {
    SceneBuilder scene;
    scene.camera(1.1f);
    scene.sphere(scene.material(SceneBuilder::plain(glm::vec4(1.0f), 1.0f, 0.05f)), glm::mat4(1.0f),
                 48);
    MeshRaster pass = dark(24);
    pass.sun.azimuth = 40.0f;
    pass.sun.elevation = 30.0f;
    pass.sun.intensity = 1.0f;
    const auto sum_and_peak = [](const Rendered& picture) {
        std::array<double, 2> result{};
        for (std::uint32_t y = 0; y < picture.color.extent.height; ++y)
            for (std::uint32_t x = 0; x < picture.color.extent.width; ++x) {
                const double value = picture.texel(x, y).x;
                result[0] += value / (picture.color.extent.width * picture.color.extent.height);
                result[1] = std::max(result[1], value);
            }
        return result;
    };
    const SceneData data = std::move(scene).finish();
    const auto coarse = sum_and_peak(render(data, pass));
    pass.width = pass.height = 96;
    const auto fine = sum_and_peak(render(data, pass));
    EXPECT_LT(coarse[1], fine[1]);
    // The light as a whole stays: without the filter most coarse pixels would miss the highlight.
    EXPECT_NEAR(coarse[0] / fine[0], 1.0, 0.25);
}

} // namespace
} // namespace tuff
