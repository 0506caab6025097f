#include "tests/gpu/scene/mesh_raster_fixture.hpp"

#include <fmt/format.h>
#include <glm/gtc/matrix_transform.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

/// What scene/mesh_raster reads from textures and vertices.
namespace tuff {
namespace {

using passes::MeshRaster;
using Bytes = std::array<std::uint8_t, 4>;

/// Software devices decode sRGB by an approximation.
constexpr double kSrgbTolerance = 0.01;

/// Four by four texels, all different.
std::vector<Bytes> distinct_texels() {
    std::vector<Bytes> texels;
    for (std::uint32_t i = 0; i < 16; ++i)
        texels.push_back({static_cast<std::uint8_t>(20 + 14 * i),
                          static_cast<std::uint8_t>(255 - 11 * i),
                          static_cast<std::uint8_t>((77 * i) % 256), 255});
    return texels;
}

glm::dvec3 linear(const Bytes& texel, bool srgb = false) {
    glm::dvec3 result;
    for (int c = 0; c < 3; ++c) {
        const float stored = static_cast<float>(texel[static_cast<std::size_t>(c)]) / 255.0f;
        result[c] = srgb ? srgb_to_linear(stored) : stored;
    }
    return result;
}

/// Unlit white, whose colour is the texture's.
SceneMaterial textured(std::int32_t texture) {
    SceneMaterial material = SceneBuilder::unlit(glm::vec4(1.0f));
    material.base_color_texture.texture = texture;
    return material;
}

class MeshRasterTextures : public MeshRasterTest {
  protected:
    /// A picture of side 4 whose quad, filling it, has `material`, against the texels that
    /// `pick(column, row)` expects.
    template <typename Pick>
    void expect_texels(SceneBuilder scene, const SceneMaterial& material,
                       const SceneBuilder::Quad& quad, Pick pick, const std::string& what,
                       double tolerance = kHalfStep) {
        scene.camera(1.0f);
        scene.quad(scene.material(material), glm::mat4(1.0f), quad);
        const Rendered picture = render(std::move(scene).finish(), dark(4));
        ASSERT_FALSE(picture.empty());
        for (std::uint32_t y = 0; y < 4; ++y)
            for (std::uint32_t x = 0; x < 4; ++x)
                expect_near(picture.texel(x, y), pick(x, y), tolerance,
                            fmt::format("{} at ({}, {})", what, x, y), 0.2 * tolerance);
    }
};

TEST_F(MeshRasterTextures, TexelsArriveWhereTheyBelong) {
    const auto texels = distinct_texels();
    SceneBuilder scene;
    const auto texture = scene.texture(4, 4, texels);
    expect_texels(
        scene, textured(texture), {},
        [&](std::uint32_t x, std::uint32_t y) { return linear(texels[4 * y + x]); }, "upright");
}

TEST_F(MeshRasterTextures, SrgbTexelsAreDecoded) {
    const auto texels = distinct_texels();
    SceneBuilder scene;
    const auto texture = scene.texture(4, 4, texels, true);
    expect_texels(
        scene, textured(texture), {},
        [&](std::uint32_t x, std::uint32_t y) { return linear(texels[4 * y + x], true); }, "sRGB",
        kSrgbTolerance);
}

TEST_F(MeshRasterTextures, WrapModesFollowTheSampler) {
    const auto texels = distinct_texels();
    // u and v from -1 to 3: each picture texel is one copy's column, or beyond the edge.
    const auto wrapped = [](AddressMode mode, std::uint32_t i) -> std::uint32_t {
        // u at the middle of pixel i is i - 0.5 + 0.125: shifted so that copies are told apart.
        const std::array<float, 4> u{-0.375f, 0.625f, 1.625f, 2.625f};
        float inside = u[i];
        if (mode == AddressMode::repeat) inside = u[i] - std::floor(u[i]);
        if (mode == AddressMode::clamp) inside = std::clamp(u[i], 0.0f, 0.999f);
        if (mode == AddressMode::mirror) {
            const float twice = u[i] - 2.0f * std::floor(u[i] / 2.0f);
            inside = twice > 1.0f ? 2.0f - twice : twice;
        }
        return static_cast<std::uint32_t>(inside * 4.0f);
    };
    constexpr std::array kModes{AddressMode::repeat, AddressMode::clamp, AddressMode::mirror};
    for (const AddressMode u : kModes)
        for (const AddressMode v : kModes) {
            if (u == v && u != AddressMode::repeat) continue;
            SceneBuilder scene;
            const auto texture = scene.texture(4, 4, texels, false, u, v);
            expect_texels(
                scene, textured(texture), {.uv = {glm::vec2(-0.875f, 3.125f), {3.125f, -0.875f}}},
                [&](std::uint32_t x, std::uint32_t y) {
                    return linear(texels[4 * wrapped(v, y) + wrapped(u, x)]);
                },
                fmt::format("modes {} {}", static_cast<int>(u), static_cast<int>(v)));
        }
}

TEST_F(MeshRasterTextures, TheSecondSetOfCoordinatesIsUsedWhereTheSlotSaysSo) {
    const auto texels = distinct_texels();
    SceneBuilder scene;
    SceneMaterial material = textured(scene.texture(4, 4, texels));
    material.base_color_texture.uv_set = 1;
    expect_texels(
        scene, material, {.uv1 = {glm::vec2(1.0f, 0.0f), {0.0f, 1.0f}}},
        [&](std::uint32_t x, std::uint32_t y) { return linear(texels[4 * (3 - y) + 3 - x]); },
        "second set");
}

TEST_F(MeshRasterTextures, SlotsTransformTheirCoordinates) {
    const auto texels = distinct_texels();
    SceneBuilder scene;
    SceneMaterial material = textured(scene.texture(4, 4, texels));
    // u' = v / 2 + 1/4, v' = -u + 1.
    material.base_color_texture.matrix = {0.0f, -1.0f, 0.5f, 0.0f};
    material.base_color_texture.offset = {0.25f, 1.0f};
    expect_texels(
        scene, material, {},
        [&](std::uint32_t x, std::uint32_t y) {
            const std::uint32_t column = (2 * y + 5) / 4; // (y + 1/2) / 2 + 1
            return linear(texels[4 * (3 - x) + column]);
        },
        "transformed");
}

TEST_F(MeshRasterTextures, ColoursOfFactorVerticesAndTextureMultiply) {
    const auto texels = distinct_texels();
    SceneBuilder scene;
    SceneMaterial material = textured(scene.texture(4, 4, texels));
    material.base_color = {0.5f, 0.25f, 1.0f, 1.0f};
    expect_texels(
        scene, material, {.color = {0.2f, 1.0f, 0.6f, 1.0f}},
        [&](std::uint32_t x, std::uint32_t y) {
            return linear(texels[4 * y + x]) * glm::dvec3(0.1, 0.25, 0.6);
        },
        "product");
}

TEST_F(MeshRasterTextures, UnlitMaterialsShowTheirColourAlone) {
    SceneBuilder scene;
    SceneMaterial material = SceneBuilder::unlit({0.25f, 0.5f, 0.75f, 1.0f});
    material.emissive = glm::vec3(3.0f);
    material.occlusion_texture.texture = scene.texture(1, 1, {{0, 0, 0, 255}});
    expect_texels(
        scene, material, {},
        [&](std::uint32_t, std::uint32_t) { return glm::dvec3(0.25, 0.5, 0.75); }, "unlit");
}

TEST_F(MeshRasterTextures, EachMaterialOfASceneHasItsOwnTextures) {
    constexpr std::uint32_t kCount = 6;
    SceneBuilder scene;
    scene.camera(static_cast<float>(kCount));
    std::vector<glm::dvec3> wanted;
    for (std::uint32_t i = 0; i < kCount; ++i) {
        const Bytes texel = distinct_texels()[2 * i];
        SceneMaterial material = SceneBuilder::unlit(glm::vec4(1.0f));
        // Every third material has none; they must not inherit their neighbour's.
        if (i % 3 != 2) material.base_color_texture.texture = scene.texture(1, 1, {texel});
        wanted.push_back(i % 3 != 2 ? linear(texel) : glm::dvec3(1.0));
        const float x = 2.0f * static_cast<float>(i) + 1.0f - static_cast<float>(kCount);
        scene.quad(scene.material(material),
                   glm::translate(glm::mat4(1.0f), glm::vec3(x, 0.0f, 0.0f)));
    }
    const Rendered picture = render(std::move(scene).finish(), dark(4 * kCount));
    ASSERT_FALSE(picture.empty());
    for (std::uint32_t i = 0; i < kCount; ++i)
        expect_near(picture.at((i + 0.5) / kCount, 0.5), wanted[i], kHalfStep,
                    fmt::format("material {}", i));
}

TEST_F(MeshRasterTextures, GreenIsRoughnessAndBlueIsMetallic) {
    SceneBuilder scene;
    scene.camera(1.0f);
    SceneMaterial material = SceneBuilder::plain({0.9f, 0.6f, 0.3f, 1.0f}, 0.9f, 0.8f);
    material.metallic_roughness_texture.texture = scene.texture(1, 1, {{13, 128, 64, 240}});
    scene.quad(scene.material(material), glm::mat4(1.0f));
    MeshRaster pass = dark(4);
    pass.sun.azimuth = 30.0f;
    pass.sun.elevation = 20.0f;
    pass.sun.intensity = 1.0f;
    const Rendered picture = render(std::move(scene).finish(), pass);
    ASSERT_FALSE(picture.empty());
    const reference::SurfacePoint point{
        {0.9, 0.6, 0.3}, 0.9 * 64.0 / 255.0, 0.8 * 128.0 / 255.0, {0.0, 0.0, 1.0}};
    expect_near(picture.at(0.5, 0.5),
                reference::sun_radiance(point, {0.0, 0.0, 1.0}, reference::towards_sun(30.0, 20.0),
                                        glm::dvec3(1.0)),
                3e-3, "channels");
}

TEST_F(MeshRasterTextures, OcclusionDimsSurroundingLightByItsStrengthAndLeavesTheSun) {
    const auto lit_by = [&](float ambient, float sun) {
        SceneBuilder scene;
        scene.camera(1.0f);
        SceneMaterial material = SceneBuilder::plain();
        material.occlusion_texture.texture = scene.texture(1, 1, {{51, 255, 255, 255}});
        material.occlusion_strength = 0.75f;
        scene.quad(scene.material(material), glm::mat4(1.0f));
        MeshRaster pass = dark(4);
        pass.ambient = glm::vec3(ambient);
        pass.sun.azimuth = pass.sun.elevation = 0.0f;
        pass.sun.intensity = sun;
        return render(std::move(scene).finish(), pass).at(0.5, 0.5);
    };
    expect_near(lit_by(2.0f, 0.0f), glm::dvec3(2.0 * (1.0 + 0.75 * (0.2 - 1.0))), 0.01, "ambient");
    const reference::SurfacePoint white;
    expect_near(lit_by(0.0f, 1.0f),
                reference::sun_radiance(white, {0.0, 0.0, 1.0}, {0.0, 0.0, 1.0}, glm::dvec3(1.0)),
                3e-3, "sun");
}

TEST_F(MeshRasterTextures, EmissionIsItsFactorTimesItsTexture) {
    SceneBuilder scene;
    scene.camera(1.0f);
    SceneMaterial material = SceneBuilder::plain();
    material.emissive = {4.0f, 2.0f, 1.0f};
    const Bytes texel{200, 100, 50, 255};
    material.emissive_texture.texture = scene.texture(1, 1, {texel}, true);
    scene.quad(scene.material(material), glm::mat4(1.0f));
    const Rendered picture = render(std::move(scene).finish(), dark(4));
    ASSERT_FALSE(picture.empty());
    expect_near(picture.at(0.5, 0.5), glm::dvec3(4.0, 2.0, 1.0) * linear(texel, true),
                kSrgbTolerance, "emission");
}

} // namespace
} // namespace tuff
