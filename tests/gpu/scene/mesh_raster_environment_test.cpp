#include "tests/gpu/scene/mesh_raster_fixture.hpp"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>

/// What scene/mesh_raster shows around and behind a scene.
namespace tuff {
namespace {

using passes::Environment;
using passes::MeshRaster;

/// A panorama without jumps, so that lookups are insensitive to the filter's precision.
HostImage smooth_panorama(std::uint32_t width, std::uint32_t height) {
    HostImage image = make_image(Format::rgba32_sfloat, {width, height, 1});
    for (std::uint32_t y = 0; y < height; ++y)
        for (std::uint32_t x = 0; x < width; ++x) {
            const double longitude = (x + 0.5) / width * 2.0 * std::numbers::pi;
            const double down = (y + 0.5) / height;
            image.set_texel({static_cast<float>(1.5 + std::sin(longitude)),
                             static_cast<float>(1.5 + std::cos(longitude)),
                             static_cast<float>(0.5 + down), 1.0f},
                            x, y);
        }
    return image;
}

/// The same picture by its formula, seen in a direction after turning by `degrees`.
glm::dvec3 panorama_radiance(glm::dvec3 world, double degrees) {
    const double c = std::cos(glm::radians(degrees));
    const double s = std::sin(glm::radians(degrees));
    // Turning the surroundings counter-clockwise about +y moves what lay at -z towards -x.
    const glm::dvec3 d{c * world.x - s * world.z, world.y, s * world.x + c * world.z};
    const double longitude = std::atan2(d.x, -d.z) + std::numbers::pi;
    const double down = std::acos(d.y / glm::length(d)) / std::numbers::pi;
    return {1.5 + std::sin(longitude), 1.5 + std::cos(longitude), 0.5 + down};
}

class MeshRasterEnvironment : public MeshRasterTest {
  protected:
    static Image constant(Graph& g, const HostImage& image) {
        return g.constant_image("panorama", {.format = image.format, .extent = image.extent},
                                std::make_shared<const std::vector<std::byte>>(image.texels));
    }
    /// The pass with a scene and an environment connected.
    Rendered render_in(const HostImage& panorama, Environment light, SceneData scene,
                       MeshRaster pass) {
        Graph g = graph();
        light.panorama = constant(g, panorama);
        light.size = 16;
        light.samples = 16;
        pass.environment = g.add(light).environment;
        pass.scene = add_scene(g, "scene", pack_scene(std::move(scene)));
        return render(std::move(g), pass);
    }
    static HostImage even(std::array<float, 4> radiance) {
        HostImage image = make_image(Format::rgba32_sfloat, {1, 1, 1});
        image.set_texel(radiance, 0, 0);
        return image;
    }
    /// From a little off the origin, to show that the place does not matter.
    static MeshRaster looking(glm::vec3 direction) {
        MeshRaster pass = dark(16);
        pass.camera.mode = passes::CameraMode::free;
        pass.camera.position = {1.0f, 2.0f, 3.0f};
        pass.camera.target = pass.camera.position + direction;
        pass.camera.vertical_fov = 90.0f;
        return pass;
    }
};

TEST_F(MeshRasterEnvironment, IsSeenBehindTheSceneAsThePanoramaShowsIt) {
    for (const float rotation : {0.0f, 70.0f})
        for (const glm::vec3 direction :
             {glm::vec3(0, 0, -1), glm::vec3(1, 0, 0), glm::vec3(-0.3f, 0.5f, 0.8f)}) {
            const MeshRaster pass = looking(direction);
            const Rendered picture = render_in(smooth_panorama(128, 64),
                                               {.rotation = rotation, .intensity = 2.0f}, {}, pass);
            ASSERT_FALSE(picture.empty());
            const glm::dvec3 forward = glm::normalize(glm::dvec3(direction));
            const glm::dvec3 right = glm::normalize(glm::cross(forward, {0, 1, 0}));
            const glm::dvec3 up = glm::cross(right, forward);
            for (std::uint32_t y = 0; y < 16; ++y)
                for (std::uint32_t x = 0; x < 16; ++x) {
                    const glm::dvec3 seen =
                        forward + right * ((x + 0.5) / 8.0 - 1.0) + up * (1.0 - (y + 0.5) / 8.0);
                    expect_near(picture.texel(x, y), 2.0 * panorama_radiance(seen, rotation), 0.01,
                                fmt::format("rotation {} at {}, {}", rotation, x, y));
                    EXPECT_EQ(picture.depth.texel(x, y)[0], 1.0f);
                }
        }
}

TEST_F(MeshRasterEnvironment, BlurredItIsThatOfTheRoughMirror) {
    MeshRaster pass = looking({0.0f, 0.0f, -1.0f});
    const auto contrast = [&](float blur) {
        pass.background_blur = blur;
        const Rendered picture = render_in(smooth_panorama(64, 32), {}, {}, pass);
        if (picture.empty()) return 0.0;
        EXPECT_NEAR(picture.at(0.5, 0.5).y, 0.5, 0.5) << blur; // its darkest place
        return std::abs(picture.at(0.0, 0.5).x - picture.at(1.0, 0.5).x);
    };
    const double sharp = contrast(0.0f);
    const double little = contrast(0.3f);
    const double most = contrast(1.0f);
    EXPECT_NEAR(little, sharp, 0.3 * sharp);
    EXPECT_LT(most, 0.8 * sharp);
    EXPECT_GT(most, 0.05);
}

TEST_F(MeshRasterEnvironment, LightsTheSceneWithItsIntensityAndRotation) {
    // White mirrors: the roughest facing the camera, in even light.
    SceneBuilder scene;
    scene.camera(1.0f);
    scene.quad(scene.material(SceneBuilder::plain()), glm::mat4(1.0f));
    const Rendered even_light = render_in(even({0.5f, 1.0f, 2.0f, 1.0f}), {.intensity = 1.5f},
                                          std::move(scene).finish(), dark(4));
    ASSERT_FALSE(even_light.empty());
    expect_near(even_light.at(0.5, 0.5), {0.75, 1.5, 3.0}, 0.01, "even light");

    // A smooth mirror tilted by 45 degrees about y shows what lies towards +x.
    for (const float rotation : {0.0f, 90.0f}) {
        SceneBuilder mirrors;
        mirrors.camera(1.0f);
        mirrors.quad(mirrors.material(SceneBuilder::plain(glm::vec4(1.0f), 1.0f, 0.02f)),
                     glm::rotate(glm::mat4(1.0f), glm::radians(45.0f), {0.0f, 1.0f, 0.0f}));
        const Rendered mirrored = render_in(smooth_panorama(128, 64), {.rotation = rotation},
                                            std::move(mirrors).finish(), dark(4));
        ASSERT_FALSE(mirrored.empty());
        expect_near(mirrored.at(0.5, 0.5), panorama_radiance({1.0, 0.0, 0.0}, rotation), 0.05,
                    fmt::format("mirror, rotation {}", rotation));
    }
}

TEST_F(MeshRasterEnvironment, IsNotShownWhereThePassIsToldNotTo) {
    layouts = LayoutMode::optimal;
    MeshRaster pass = looking({0.0f, 0.0f, -1.0f});
    pass.show_environment = false;
    pass.background = {0.25f, 0.5f, 0.75f, 0.5f};
    const Rendered picture = render_in(even({9.0f, 9.0f, 9.0f, 1.0f}), {}, {}, pass);
    ASSERT_FALSE(picture.empty());
    EXPECT_EQ(picture.color.texel(3, 3), (std::array<float, 4>{0.25f, 0.5f, 0.75f, 0.5f}));
}

TEST_F(MeshRasterEnvironment, WithoutOneAnEmptySceneIsTheBackgroundColour) {
    layouts = LayoutMode::optimal;
    for (const std::uint32_t samples : {1u, 4u}) {
        MeshRaster pass; // an orbit about nothing, with shadows of nothing
        pass.width = 8;
        pass.height = 5;
        pass.samples = samples;
        pass.sun.shadow_size = 16;
        pass.background = {0.25f, 0.5f, 0.75f, 0.5f};
        const Rendered picture = render(SceneData{}, pass);
        ASSERT_FALSE(picture.empty());
        for (std::uint32_t x = 0; x < 8; ++x) {
            EXPECT_EQ(picture.color.texel(x, 4), (std::array<float, 4>{0.25f, 0.5f, 0.75f, 0.5f}));
            EXPECT_EQ(picture.depth.texel(x, 4)[0], 1.0f);
        }
    }
}

} // namespace
} // namespace tuff
