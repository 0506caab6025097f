#include "tests/gpu/volume/view_test.hpp"

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>

/// Where casts of volumes see something: surfaces, clipping, pictures behind, places in the world.
namespace tuff {
namespace {

using passes::VolumeCast;
using passes::VolumeCastMode;
using testing_gpu::each_ray;
using testing_gpu::greatest;
using testing_gpu::Pictures;
using testing_gpu::pixel;
using testing_gpu::test_stride;
using testing_gpu::TestRay;
using testing_gpu::TestVolume;

using testing_gpu::kCastHeight;
using testing_gpu::kCastWidth;

class CastPlaces : public testing_gpu::CastTest {};

/// How far a ball of radius 0.6 about the origin is below its surface, in the box: numbers of 0.6
/// and more are inside one of radius 0.4.
TestVolume ball() {
    constexpr int kSide = 40;
    return TestVolume::of(glm::ivec3(kSide), [](glm::ivec3 texel) {
        return 1.0 - glm::length((glm::dvec3(texel) + 0.5) / (kSide / 2.0) - 1.0);
    });
}

TEST_F(CastPlaces, OfSurfacesAreWhereTheNumberIsMet) {
    const TestVolume volume = ball();
    Pictures running = seen(volume, [&](Graph& g, Image source) {
        VolumeCast pass = cast(source, volume);
        pass.mode = VolumeCastMode::surface;
        pass.surface = 0.4f;
        pass.shaded = true;
        pass.light.specular = 0.0f;
        for (const std::uint32_t refinements : {0u, 12u}) {
            pass.refinements = refinements;
            const VolumeCast added = g.add(pass);
            g.output("depth" + std::to_string(refinements), added.depth);
            g.output("color" + std::to_string(refinements), added.result);
        }
    });
    const VolumeCast pass = cast({}, volume);
    const glm::dvec3 eye(pass.camera.position);
    const glm::dvec3 forward = glm::normalize(glm::dvec3(pass.camera.target) - eye);
    const glm::dvec3 light = glm::normalize(glm::dvec3(pass.light.towards));
    double worst[2] = {0.0, 0.0};
    int hits = 0;
    each_ray(volume, pass, [&](std::uint32_t x, std::uint32_t y, const TestRay& ray) {
        const double middle = -glm::dot(eye, ray.world);
        const double apart = 0.36 - (glm::dot(eye, eye) - middle * middle);
        for (int i = 0; i < 2; ++i) {
            const std::string name = i == 0 ? "0" : "12";
            const double depth = pixel(running.image("depth" + name), x, y).x;
            if (apart < -0.02) {
                ASSERT_EQ(depth, 1.0) << x << ", " << y;
            }
            if (apart < 0.05) continue; // rays along the surface
            const double at = middle - std::sqrt(apart);
            const double z = glm::dot(forward, ray.world) * at;
            const double found = 8.0 * 0.5 / (8.0 - depth * 7.5);
            worst[i] = std::max(worst[i], std::abs(found - z));
            const glm::dvec3 normal = glm::normalize(eye + at * ray.world);
            const double falls = 0.35 + 0.65 * std::abs(glm::dot(normal, light));
            ASSERT_NEAR(pixel(running.image("color" + name), x, y).x, 0.8 * falls, 0.02)
                << x << ", " << y;
            ++hits;
        }
    });
    EXPECT_GT(hits, 100);
    EXPECT_LT(worst[0], 0.03) << "a step of half a texel";
    EXPECT_LT(worst[1], 0.003) << "what the eight texels around make of a ball";
}

TEST_F(CastPlaces, AreWhatClippingLeaves) {
    const TestVolume volume = TestVolume::of(glm::ivec3(8), [](glm::ivec3) { return 1.0; });
    Pictures running = seen(volume, [&](Graph& g, Image source) {
        VolumeCast pass = cast(source, volume);
        pass.transfer = {0.0f, 0.0f, 0.0f, 0.0f, 0.05f};
        pass.clip_low = {0.25f, 0.0f, 0.5f};
        pass.clip_high = {1.0f, 0.75f, 1.0f};
        g.output("box", g.add(pass).result);
        pass.clip_low = glm::vec3(0.0f);
        pass.clip_high = glm::vec3(1.0f);
        // What has x > -0.5, or z < 0, is left.
        pass.clip_planes = {-1.0f, 0.0f, 0.0f, 0.5f, 0.0f, 0.0f, 2.0f, 0.0f};
        g.output("planes", g.add(pass).result);
    });
    const double extinction = -std::log(0.95) / test_stride(volume, 1.0);
    for (const bool planes : {false, true}) {
        VolumeCast pass = cast({}, volume);
        pass.clip_low = planes ? glm::vec3(0.25f, 0.0f, 0.0f) : glm::vec3(0.25f, 0.0f, 0.5f);
        pass.clip_high = planes ? glm::vec3(1.0f, 1.0f, 0.5f) : glm::vec3(1.0f, 0.75f, 1.0f);
        each_ray(volume, pass, [&](std::uint32_t x, std::uint32_t y, const TestRay& ray) {
            const double opacity = 1.0 - std::exp(-extinction * (ray.end - ray.begin));
            ASSERT_NEAR(pixel(running.image(planes ? "planes" : "box"), x, y).a, opacity, 2e-5)
                << planes << ": " << x << ", " << y;
        });
    }
}

TEST_F(CastPlaces, EndAtThePictureBehindThatShinesThrough) {
    const TestVolume volume = TestVolume::of(glm::ivec3(8), [](glm::ivec3) { return 1.0; });
    const float near_plane = 0.5f;
    const float far_plane = 8.0f;
    const float z = 3.0f; // through the middle of the box
    const float wall = far_plane / (far_plane - near_plane) * (1.0f - near_plane / z);
    Pictures running = seen(volume, [&](Graph& g, Image source) {
        VolumeCast pass = cast(source, volume);
        pass.transfer = {0.0f, 0.0f, 1.0f, 0.0f, 0.5f};
        const std::vector<glm::vec4> colors(std::size_t{kCastWidth} * kCastHeight,
                                            glm::vec4(0.9f, 0.1f, 0.2f, 1.0f));
        const std::vector<float> depths(std::size_t{kCastWidth} * kCastHeight, wall);
        const Extent extent{kCastWidth, kCastHeight};
        pass.behind =
            g.constant_image("behind", {.format = Format::rgba32_sfloat, .extent = extent},
                             testing_gpu::bytes_of(colors));
        pass.behind_depth =
            g.constant_image("depth", {.format = Format::r32_sfloat, .extent = extent},
                             testing_gpu::bytes_of(depths));
        const VolumeCast added = g.add(pass);
        g.output("result", added.result);
        g.output("depth", added.depth);
    });
    const VolumeCast pass = cast({}, volume);
    const glm::dvec3 eye(pass.camera.position);
    const glm::dvec3 forward = glm::normalize(glm::dvec3(pass.camera.target) - eye);
    const double extinction = std::log(2.0) / test_stride(volume, 1.0);
    int before = 0;
    each_ray(volume, pass, [&](std::uint32_t x, std::uint32_t y, const TestRay& ray) {
        const double met = 3.0 / glm::dot(forward, ray.world);
        const double way = std::max(std::min(ray.end, met) - ray.begin, 0.0);
        const double through = std::exp(-extinction * way);
        const glm::dvec4 got = pixel(running.image("result"), x, y);
        ASSERT_NEAR(got.x, 0.9 * through, 5e-5) << x << ", " << y;
        ASSERT_NEAR(got.y, 1.0 - through + 0.1 * through, 5e-5);
        ASSERT_NEAR(got.a, 1.0, 1e-6);
        // A half shines through after one texel; the middle of a step of half a texel tells it.
        const double half = test_stride(volume, 1.0);
        if (std::abs(way - half) < 0.02) return;
        const double depth = pixel(running.image("depth"), x, y).x;
        if (way < half) {
            ASSERT_EQ(depth, static_cast<double>(wall));
        } else {
            ++before;
            const double found = 4.0 / (8.0 - depth * 7.5) / glm::dot(forward, ray.world);
            ASSERT_NEAR(found - ray.begin, half, 0.51 * test_stride(volume, 0.5) + 1e-4)
                << x << ", " << y;
        }
    });
    EXPECT_GT(before, 100);
}

TEST_F(CastPlaces, InTheWorldAreThoseOfTheVolume) {
    // The box of the other tests, moved, turned and twice as large; and the camera with it.
    const TestVolume volume = TestVolume::noise({10, 8, 6}, 16);
    const glm::mat3 turned(0.6f, 0.8f, 0.0f, 0.0f, 0.0f, 1.0f, 0.8f, -0.6f, 0.0f);
    const glm::vec3 moved(3.0f, -1.0f, 2.0f);
    Pictures running = seen(volume, [&](Graph& g, Image source) {
        VolumeCast pass = cast(source, volume);
        pass.shaded = true;
        pass.light.towards = {0.0f, 1.0f, 0.0f};
        g.output("box", g.add(pass).result);
        const float size = 4.0f / 10.0f; // of a texel
        pass.space = passes::VolumeSpace::world;
        pass.spacing = glm::vec3(size);
        pass.axes.assign(&turned[0][0], &turned[0][0] + 9);
        pass.origin = moved + turned * (size * (0.5f - 0.5f * glm::vec3(10.0f, 8.0f, 6.0f)));
        pass.camera.position = moved + turned * (2.0f * pass.camera.position);
        pass.camera.target = moved + turned * (2.0f * pass.camera.target);
        pass.camera.up = turned * pass.camera.up;
        pass.light.towards = turned * pass.light.towards;
        pass.camera.near_plane *= 2.0f;
        pass.camera.far_plane *= 2.0f;
        g.output("world", g.add(pass).result);
    });
    for (std::uint32_t y = 0; y < kCastHeight; ++y)
        for (std::uint32_t x = 0; x < kCastWidth; ++x)
            ASSERT_LT(
                greatest(pixel(running.image("box"), x, y) - pixel(running.image("world"), x, y)),
                2e-3)
                << x << ", " << y;
}

TEST_F(CastPlaces, HaveTheChosenAxisUpwards) {
    // Dense where z is great: with z upwards in the upper half of the picture.
    const TestVolume volume =
        TestVolume::of(glm::ivec3(8), [](glm::ivec3 texel) { return texel.z >= 4 ? 1.0 : 0.0; });
    Pictures running = seen(volume, [&](Graph& g, Image source) {
        VolumeCast pass = cast(source, volume);
        pass.up = passes::VolumeUp::z;
        pass.camera.position = {0.0f, 0.0f, 4.0f};
        pass.camera.target = glm::vec3(0.0f);
        g.output("result", g.add(pass).result);
    });
    EXPECT_GT(pixel(running.image("result"), 20, 9).a, 0.3);
    EXPECT_LT(pixel(running.image("result"), 20, 19).a, 0.01);
}

} // namespace
} // namespace tuff
