// raytrace/path_trace against closed forms and integrals: furnaces, lights, lenses, means.

#include "passes/bvh/lbvh_build.hpp"
#include "passes/geometry/deform.hpp"
#include "tests/gpu/raytrace/raytrace_fixture.hpp"

#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <tuple>

namespace tuff {
namespace {

using passes::PathTrace;

constexpr double kPi = std::numbers::pi;

class PathTraceTest : public RaytraceTest {
  protected:
    /// A matt square that fills the picture of an orthographic camera, which looks at it under this
    /// angle.
    static SceneData square(SceneMaterial material, float degrees = 0.0f) {
        SceneBuilder scene;
        Camera camera;
        camera.kind = Projection::orthographic;
        camera.position =
            20.0f * glm::vec3(std::sin(glm::radians(degrees)), 0, std::cos(glm::radians(degrees)));
        camera.orthographic_height = 1.0f;
        camera.near_plane = 1.0f;
        camera.far_plane = 40.0f;
        scene.camera(camera);
        scene.quad(scene.material(material), scaled(8.0f));
        return std::move(scene).finish();
    }
    /// The walls of a cube, seen from inside.
    static SceneData box(float albedo, float emission) {
        SceneBuilder scene;
        Camera camera;
        camera.position = {0.2f, 0.1f, 0.3f};
        camera.target = {1, 0.4f, -1};
        camera.vertical_fov = 90.0f;
        scene.camera(camera);
        SceneMaterial wall = SceneBuilder::plain(glm::vec4(glm::vec3(albedo), 1.0f));
        wall.emissive = glm::vec3(emission);
        const auto material = scene.material(wall);
        for (int side = 0; side < 4; ++side)
            scene.quad(material,
                       turned(90.0f * static_cast<float>(side), {0, 1, 0}) * moved(0, 0, -1));
        for (const float side : {90.0f, -90.0f})
            scene.quad(material, turned(side, {1, 0, 0}) * moved(0, 0, -1));
        return std::move(scene).finish();
    }
    static PathTrace matt(std::uint32_t side = 16) {
        PathTrace pass = dark<PathTrace>(side);
        pass.specular = 0.0f;
        return pass;
    }
    /// With the panorama as its environment.
    HostImage trace_under(SceneData scene, PathTrace pass, std::uint32_t width,
                          const std::vector<glm::vec4>& texels, float rotation = 0.0f,
                          unsigned times = 1) {
        Graph g = graph();
        const auto height = static_cast<std::uint32_t>(texels.size() / width);
        const Image panorama = g.constant_image(
            "panorama", {.format = Format::rgba32_sfloat, .extent = {width, height, 1}},
            testing_gpu::bytes_of(texels));
        pass.environment =
            g.add(passes::Environment{
                      .panorama = panorama, .size = 16, .samples = 16, .rotation = rotation})
                .environment;
        pass.scene = add_scene(g, "scene", pack_scene(std::move(scene)));
        g.output("color", g.add(pass).color);
        testing_gpu::Running running = run(std::move(g), times);
        return running ? running.image("color") : HostImage{};
    }
};

TEST_F(PathTraceTest, AClosedBoxIsAFurnace) {
    for (const float albedo : {0.5f, 0.8f}) {
        for (const std::uint32_t bounces : {0u, 5u}) {
            PathTrace pass = matt();
            pass.bounces = bounces;
            pass.roulette_from = 64;
            pass.emitters = false; // by scattered rays alone: without any noise
            const HostImage picture = trace(box(albedo, 0.5f), pass);
            ASSERT_FALSE(picture.empty());
            double expected = 0.0;
            for (std::uint32_t k = 0; k <= bounces; ++k)
                expected += 0.5 * std::pow(static_cast<double>(albedo), k);
            for (std::uint32_t y = 0; y < 16; ++y)
                for (std::uint32_t x = 0; x < 16; ++x)
                    ASSERT_NEAR(at(picture, x, y).x, expected, 1e-4)
                        << albedo << " " << bounces << " at " << x << ", " << y;
        }
    }
}

// How bright it is does not depend on how its light is found.
TEST_F(PathTraceTest, EmittersTriedAsLightsKeepTheFurnace) {
    TUFF_ONLY_ON(lavapipe);
    PathTrace pass = matt(32);
    pass.bounces = 5;
    pass.roulette_from = 64;
    pass.samples = 4;
    const HostImage picture = trace(box(0.5f, 0.5f), pass, 16);
    ASSERT_FALSE(picture.empty());
    EXPECT_NEAR(mean(picture).x, 0.5 * (2.0 - std::pow(0.5, 5)), 0.01 * 0.984);
}

/// The share of the light that leaves a point of a plane which meets a rectangle over it, parallel
/// and with a corner above the point (J. Howell, "A Catalog of Radiation Heat Transfer
/// Configuration Factors", B-4).
double form_factor(double a, double b) {
    const double p = std::sqrt(1.0 + a * a);
    const double q = std::sqrt(1.0 + b * b);
    return (a / p * std::atan(b / p) + b / q * std::atan(a / q)) / (2.0 * kPi);
}

// A small lamp over a floor, beside another one that is a fifth as bright; with a sun that is off,
// and with one that shines.
TEST_F(PathTraceTest, AFloorUnderALampIsAsBrightAsItsFormFactor) {
    TUFF_ONLY_ON(lavapipe);
    SceneBuilder builder;
    Camera camera; // between the lamp and the floor
    camera.kind = Projection::orthographic;
    camera.position = {0, 0, 0.5f};
    camera.orthographic_height = 0.01f;
    camera.near_plane = 0.01f;
    camera.far_plane = 2.0f;
    builder.camera(camera);
    builder.quad(builder.material(SceneBuilder::plain(glm::vec4(glm::vec3(0.8f), 1.0f))),
                 scaled(4.0f));
    SceneMaterial lamp = SceneBuilder::plain(glm::vec4(0, 0, 0, 1));
    lamp.emissive = {10.0f, 5.0f, 0.0f};
    builder.quad(builder.material(lamp), moved(0.1f, 0.05f, 1) * scaled(0.15f));
    lamp.emissive = {0.0f, 1.0f, 2.0f};
    builder.quad(builder.material(lamp), moved(-0.4f, 0, 1) * scaled(0.1f));
    const SceneData scene = std::move(builder).finish();
    const auto corner = [](double x, double y) {
        return std::copysign(form_factor(std::abs(x), std::abs(y)), x * y);
    };
    const auto lit = [&](double x, double y, double half) {
        return corner(x + half, y + half) - corner(x - half, y + half) -
               corner(x + half, y - half) + corner(x - half, y - half);
    };
    const double first = 0.8 * lit(0.1, 0.05, 0.15);
    const double second = 0.8 * lit(-0.4, 0.0, 0.1);
    const glm::dvec3 expected(10.0 * first, 5.0 * first + second, 2.0 * second);

    const auto off_by = [](const HostImage& picture, glm::dvec3 wanted) {
        double squares = 0.0;
        for (std::uint32_t y = 0; y < 16; ++y)
            for (std::uint32_t x = 0; x < 16; ++x)
                squares += std::pow(at(picture, x, y).x - wanted.x, 2) / 256.0;
        return std::sqrt(squares);
    };
    PathTrace pass = matt();
    pass.bounces = 1;
    pass.samples = 32;
    const HostImage tried = trace(scene, pass, 4);
    pass.sun.intensity = 1.0f;
    pass.sun.elevation = 0.0f; // from +z, where the lamps are not
    pass.sun.azimuth = 20.0f;
    const HostImage with_sun = trace(scene, pass, 4);
    pass.sun.intensity = 0.0f;
    pass.emitters = false;
    const HostImage found = trace(scene, pass, 4);
    ASSERT_FALSE(tried.empty() || found.empty() || with_sun.empty());
    for (int c = 0; c < 3; ++c) {
        EXPECT_NEAR(mean(tried)[c], expected[c], 0.01 * expected[c] + 1e-4) << c;
        EXPECT_NEAR(mean(found)[c], expected[c], 0.12 * expected[c]) << c;
        const double sun = 0.8 / kPi * std::cos(20.0 * kPi / 180.0);
        EXPECT_NEAR(mean(with_sun)[c], expected[c] + sun, 0.01 * (expected[c] + sun)) << c;
    }
    EXPECT_LT(off_by(tried, expected), 0.25 * off_by(found, expected)) << "noise";
}

// Light that is found by scattered rays and by shadow rays counts once, also past a pane: the share
// that is not there comes through, of a lamp as of the surroundings.
TEST_F(PathTraceTest, LightThroughAPaneCountsOnce) {
    TUFF_ONLY_ON(lavapipe);
    constexpr float kThere = 0.4f;
    const auto floor_under_pane = [&](bool with_lamp) {
        SceneBuilder builder;
        Camera camera; // between the pane and the floor
        camera.kind = Projection::orthographic;
        camera.position = {0, 0, 0.1f};
        camera.orthographic_height = 0.01f;
        camera.near_plane = 0.01f;
        camera.far_plane = 2.0f;
        builder.camera(camera);
        builder.quad(builder.material(SceneBuilder::plain(glm::vec4(glm::vec3(0.8f), 1.0f))),
                     scaled(4.0f));
        SceneMaterial pane = SceneBuilder::plain({0, 0, 0, kThere});
        pane.alpha_mode = AlphaMode::blend;
        builder.quad(builder.material(pane), moved(0, 0, 0.5f) * scaled(400.0f));
        SceneMaterial lamp = SceneBuilder::plain(glm::vec4(0, 0, 0, 1));
        lamp.emissive = glm::vec3(5.0f);
        // Large and near, so that both ways of finding it have weight.
        if (with_lamp) builder.quad(builder.material(lamp), moved(0, 0, 1) * scaled(1.0f));
        return std::move(builder).finish();
    };
    PathTrace pass = matt(32);
    pass.bounces = 3;
    pass.roulette_from = 64;
    pass.samples = 32;
    const double lamp = (1.0 - kThere) * 0.8 * 5.0 * 4.0 * form_factor(1.0, 1.0);
    for (const bool emitters : {true, false}) {
        pass.emitters = emitters;
        const HostImage picture = trace(floor_under_pane(true), pass, 4);
        ASSERT_FALSE(picture.empty());
        EXPECT_NEAR(mean(picture).x, lamp, 0.015 * lamp) << emitters;
        // The share of scattered paths is found, too, where those end at the pane.
        PathTrace few = pass;
        few.bounces = 1;
        const HostImage ending = trace(floor_under_pane(true), few, 2);
        ASSERT_FALSE(ending.empty());
        EXPECT_NEAR(mean(ending).x, lamp, 0.015 * lamp) << emitters;
    }
    // A bright cap in surroundings that are dim elsewhere; the pane covers all that is above.
    constexpr std::uint32_t kAround = 64;
    for (const float bright : {1.0f, 40.0f}) {
        std::vector<glm::vec4> texels(kAround * kAround / 2, glm::vec4(glm::vec3(bright), 1.0f));
        const HostImage open = trace_under(square(SceneBuilder::plain({0.8f, 0.8f, 0.8f, 1}), 4.0f),
                                           pass, kAround, texels, 0.0f, 4);
        const HostImage veiled =
            trace_under(floor_under_pane(false), pass, kAround, texels, 0.0f, 4);
        ASSERT_FALSE(open.empty() || veiled.empty());
        EXPECT_NEAR(mean(open).x, 0.8 * static_cast<double>(bright),
                    0.01 * static_cast<double>(bright));
        const double expected = (1.0 - kThere) * 0.8 * static_cast<double>(bright);
        EXPECT_NEAR(mean(veiled).x, expected, 0.015 * expected) << bright;
        // What shadow rays leave to scattered ones is found, too, where those end at the pane.
        PathTrace few = pass;
        few.bounces = 1;
        const HostImage ending =
            trace_under(floor_under_pane(false), few, kAround, texels, 0.0f, 4);
        ASSERT_FALSE(ending.empty());
        EXPECT_NEAR(mean(ending).x, expected, 0.015 * expected) << bright;
    }
}

// A path whose last bounce is at a pane looks on through another one at what shines there. Behind a
// third it sees the surroundings alone.
TEST_F(PathTraceTest, BehindTheLastPaneIsWhatShines) {
    TUFF_ONLY_ON(lavapipe);
    for (const std::uint32_t panes : {1u, 2u, 3u}) {
        SceneBuilder builder;
        builder.camera(1.0f);
        const std::uint32_t glass =
            builder.material(SceneBuilder::unlit({0, 0, 0, 0.5f}, AlphaMode::blend));
        for (std::uint32_t pane = 0; pane < panes; ++pane)
            builder.quad(glass,
                         moved(0, 0, 3.0f - 0.25f * static_cast<float>(pane)) * scaled(2.0f));
        SceneMaterial lamp = SceneBuilder::plain({1, 1, 1, 1});
        lamp.emissive = glm::vec3(0.6f);
        builder.quad(builder.material(lamp), moved(1, 1, 1) * scaled(1.0f));
        builder.quad(builder.material(SceneBuilder::unlit(glm::vec4(1.0f))),
                     moved(1, -1, 1) * scaled(1.0f));
        PathTrace pass = dark<PathTrace>(16);
        pass.ambient = glm::vec3(0.8f);
        pass.bounces = 0;
        pass.samples = 32;
        const HostImage picture = trace(std::move(builder).finish(), pass, 16);
        ASSERT_FALSE(picture.empty());
        std::array<double, 3> means{}; // the surroundings, the lamp, what is unlit
        std::array<double, 3> counts{};
        for (std::uint32_t y = 0; y < 16; ++y)
            for (std::uint32_t x = 0; x < 16; ++x) {
                if (x == 7 || x == 8 || y == 7 || y == 8) continue; // edges
                const std::size_t part = x < 7 ? 0 : y < 7 ? 1 : 2;
                means[part] += at(picture, x, y).x;
                counts[part] += 1.0;
            }
        const double through = std::pow(0.5, panes);
        const double shining = panes <= 2 ? through : 0.0;
        EXPECT_NEAR(means[0] / counts[0], 0.8 * through, 0.01) << panes;
        EXPECT_NEAR(means[1] / counts[1], 0.6 * shining, 0.01) << panes;
        EXPECT_NEAR(means[2] / counts[2], shining, 0.012) << panes;
    }
}

// Queues and their lengths are made again by the next execution, while the last one may still read
// them for its dispatches. On every device: what the layer sees depends on where memory lies.
TEST_F(PathTraceTest, ExecutionsComeOneAfterAnother) {
    PathTrace pass = matt(32);
    pass.roulette_from = 64;
    pass.samples = 8;
    for (const std::uint32_t bounces : {1u, 2u}) {
        pass.bounces = bounces;
        const HostImage picture = trace(box(0.5f, 0.5f), pass, 4);
        ASSERT_FALSE(picture.empty());
        double expected = 0.5;
        for (std::uint32_t i = 0; i < bounces; ++i)
            expected = 0.5 + 0.5 * expected;
        EXPECT_NEAR(mean(picture).x, expected, 0.02) << bounces;
    }
}

TEST_F(PathTraceTest, RouletteKeepsTheFurnace) {
    TUFF_ONLY_ON(lavapipe);
    PathTrace pass = matt(32);
    pass.bounces = 20;
    pass.roulette_from = 1;
    const HostImage picture = trace(box(0.6f, 0.4f), pass, 32);
    ASSERT_FALSE(picture.empty());
    EXPECT_NEAR(mean(picture).x, 0.4 / (1.0 - 0.6), 0.01);
}

TEST_F(PathTraceTest, AMattSurfaceInEvenLightShowsItsAlbedo) {
    TUFF_ONLY_ON(lavapipe);
    const auto material = SceneBuilder::plain({0.6f, 0.3f, 0.9f, 1.0f});
    PathTrace pass = matt();
    pass.samples = 4;
    pass.ambient = glm::vec3(1.0f);
    // By the scattered rays alone: without any noise.
    const HostImage even = trace(square(material, 40.0f), pass);
    ASSERT_FALSE(even.empty());
    EXPECT_NEAR(glm::distance(mean(even), glm::dvec3(0.6, 0.3, 0.9)), 0.0, 1e-5);
    // By those and by directions of a panorama; where the path ends, by these alone.
    pass.width = pass.height = 64; // a ray counts for four times its mean: 0.25 percent are left
    for (const std::uint32_t bounces : {0u, 1u}) {
        pass.bounces = bounces;
        const HostImage lit = trace_under(square(material, 40.0f), pass, 8,
                                          std::vector<glm::vec4>(32, glm::vec4(1.0f)), 0.0f, 16);
        ASSERT_FALSE(lit.empty());
        EXPECT_NEAR(mean(lit).x, 0.6, 0.006) << bounces;
        EXPECT_NEAR(mean(lit).z, 0.9, 0.009) << bounces;
    }
}

/// What a GGX metal of reflectance 1 reflects of even light, by summing over half vectors.
double metal_albedo(double alpha, double cosine) {
    const auto g = [alpha](double c) {
        return 2.0 * c / (c + std::sqrt(alpha * alpha + (1.0 - alpha * alpha) * c * c));
    };
    const double sine = std::sqrt(1.0 - cosine * cosine);
    constexpr int kSteps = 1500;
    double sum = 0.0;
    for (int i = 0; i < kSteps; ++i) {
        // Half vectors by the inverse of their distribution, so that each counts the same.
        const double u = (i + 0.5) / kSteps;
        const double cos_h = std::sqrt((1.0 - u) / (1.0 + (alpha * alpha - 1.0) * u));
        const double sin_h = std::sqrt(1.0 - cos_h * cos_h);
        for (int j = 0; j < kSteps; ++j) {
            const double phi = kPi * (j + 0.5) / kSteps;
            const double v_h = sine * sin_h * std::cos(phi) + cosine * cos_h;
            if (v_h <= 0.0) continue;
            const double n_l = 2.0 * v_h * cos_h - cosine;
            if (n_l <= 0.0) continue;
            // Masking and shadowing correlated in height, from the two G1.
            const double lambda_v = 1.0 / g(cosine) - 1.0;
            const double lambda_l = 1.0 / g(n_l) - 1.0;
            sum += v_h / (cosine * cos_h * (1.0 + lambda_v + lambda_l));
        }
    }
    return sum / (static_cast<double>(kSteps) * kSteps);
}

TEST_F(PathTraceTest, RoughMetalReflectsTheIntegralOfItsLobe) {
    TUFF_ONLY_ON(lavapipe);
    for (const auto& [roughness, degrees] : {std::pair{0.3f, 60.0f}, {1.0f, 0.0f}}) {
        PathTrace pass = dark<PathTrace>(48);
        pass.bounces = 1;
        pass.ambient = glm::vec3(1.0f);
        const auto metal = SceneBuilder::plain(glm::vec4(1.0f), 1.0f, roughness);
        const double expected =
            metal_albedo(static_cast<double>(roughness) * static_cast<double>(roughness),
                         std::cos(glm::radians(static_cast<double>(degrees))));
        const HostImage even = trace(square(metal, degrees), pass, 32);
        ASSERT_FALSE(even.empty());
        EXPECT_NEAR(mean(even).x, expected, 0.01 * expected) << roughness << " " << degrees;
        const HostImage lit = trace_under(square(metal, degrees), pass, 8,
                                          std::vector<glm::vec4>(32, glm::vec4(1.0f)), 0.0f, 64);
        ASSERT_FALSE(lit.empty());
        EXPECT_NEAR(mean(lit).x, expected, 0.01 * expected)
            << roughness << " " << degrees << " with a map";
    }
}

/// A dim panorama with a bright patch, and what it sends to a surface that faces +z.
struct Patch {
    static constexpr std::uint32_t kWidth = 64;
    static constexpr std::uint32_t kHeight = 32;
    std::vector<glm::vec4> texels;
    double irradiance = 0.0;

    Patch() : texels(kWidth * kHeight, glm::vec4(0.1f)) {
        for (std::uint32_t y = 6; y < 10; ++y)
            for (std::uint32_t x = 4; x < 8; ++x)
                texels[y * kWidth + x] = glm::vec4(40.0f);
        // Texels are looked up with linear filtering, as a user sees them.
        constexpr int kFine = 8;
        for (std::uint32_t y = 0; y < kHeight * kFine; ++y)
            for (std::uint32_t x = 0; x < kWidth * kFine; ++x) {
                const double u = (x + 0.5) / (kWidth * kFine);
                const double v = (y + 0.5) / (kHeight * kFine);
                const double longitude = (u - 0.5) * 2.0 * kPi;
                const double across = std::sin(v * kPi);
                const double z = -across * std::cos(longitude);
                if (z <= 0.0) continue;
                irradiance += filtered(u, v) * z * across * 2.0 * kPi * kPi /
                              (static_cast<double>(kWidth) * kHeight * kFine * kFine);
            }
    }
    double filtered(double u, double v) const {
        const double x = u * kWidth - 0.5;
        const double y = v * kHeight - 0.5;
        const int i = static_cast<int>(std::floor(x));
        const int j = static_cast<int>(std::floor(y));
        const auto texel = [&](int a, int b) {
            const int w = static_cast<int>(kWidth);
            b = std::clamp(b, 0, static_cast<int>(kHeight) - 1);
            return static_cast<double>(texels[static_cast<std::size_t>(b * w + (a % w + w) % w)].x);
        };
        const double fx = x - i;
        const double fy = y - j;
        return (1 - fy) * ((1 - fx) * texel(i, j) + fx * texel(i + 1, j)) +
               fy * ((1 - fx) * texel(i, j + 1) + fx * texel(i + 1, j + 1));
    }
};

TEST_F(PathTraceTest, AMapsLightArrivesWhicheverWayItIsFound) {
    TUFF_ONLY_ON(lavapipe);
    const Patch patch;
    const auto white = SceneBuilder::plain(glm::vec4(0.5f, 0.5f, 0.5f, 1.0f));
    PathTrace pass = matt(32);
    for (const std::uint32_t bounces : {0u, 1u}) {
        pass.bounces = bounces;
        const HostImage picture =
            trace_under(square(white), pass, Patch::kWidth, patch.texels, 0.0f, 64);
        ASSERT_FALSE(picture.empty());
        const double expected = 0.5 * patch.irradiance / kPi;
        EXPECT_NEAR(mean(picture).x, expected, 0.01 * expected) << bounces;
    }
}

TEST_F(PathTraceTest, AMapCanBeTurned) {
    // The patch lies about longitude -146 degrees; turned by 146 degrees it is before -z, behind
    // the square.
    const Patch patch;
    const auto white = SceneBuilder::plain(glm::vec4(0.5f, 0.5f, 0.5f, 1.0f));
    PathTrace pass = matt(32);
    pass.samples = 4;
    const HostImage away = trace_under(square(white), pass, Patch::kWidth, patch.texels, -146.0f);
    const HostImage towards = trace_under(square(white), pass, Patch::kWidth, patch.texels, 34.0f);
    ASSERT_FALSE(away.empty() || towards.empty());
    EXPECT_LT(mean(away).x, 0.06);
    EXPECT_GT(mean(towards).x, 0.45);
}

TEST_F(PathTraceTest, TheSunLightsAMattSurfaceByItsCosine) {
    PathTrace pass = matt();
    pass.sun = {.azimuth = 30.0f, .elevation = 0.0f, .color = {1, 0.5f, 0.25f}, .intensity = 2.0f};
    const HostImage picture = trace(square(SceneBuilder::plain(glm::vec4(0.5f))), pass);
    ASSERT_FALSE(picture.empty());
    const double expected = 0.5 / kPi * 2.0 * std::cos(glm::radians(30.0));
    for (std::uint32_t i = 0; i < 16; ++i)
        EXPECT_NEAR(glm::distance(at(picture, i, i), expected * glm::dvec3(1, 0.5, 0.25)), 0.0,
                    1e-5);
    pass.sun.size = 10.0f;
    pass.samples = 64;
    const HostImage soft = trace(square(SceneBuilder::plain(glm::vec4(0.5f))), pass);
    ASSERT_FALSE(soft.empty());
    EXPECT_NEAR(mean(soft).x, expected, 0.01 * expected);
    EXPECT_NE(soft.texels, picture.texels);
}

/// A mirror ball before a striped wall.
SceneData mirror_scene() {
    SceneBuilder scene;
    Camera camera;
    camera.position = {0, 0.5f, 5};
    camera.target = {0, 0, 0};
    scene.camera(camera);
    scene.sphere(scene.material(SceneBuilder::plain({0.9f, 0.8f, 0.7f, 1.0f}, 1.0f, 0.0f)),
                 glm::mat4(1.0f), 10);
    for (int i = 0; i < 8; ++i)
        scene.quad(scene.material(SceneBuilder::unlit(i % 2 ? glm::vec4(1, 0.2f, 0, 1)
                                                            : glm::vec4(0, 0.3f, 1, 1))),
                   moved(static_cast<float>(i - 4), 0, i % 3 == 0 ? 6.0f : -3.0f) *
                       scaled(0.6f + 0.1f * static_cast<float>(i)));
    return std::move(scene).finish();
}

TEST_F(PathTraceTest, MirrorsShowWhatWhittedsDo) {
    PathTrace paths = dark<PathTrace>(32);
    paths.jitter = false;
    paths.ambient = glm::vec3(0.25f);
    paths.bounces = 4;
    paths.roulette_from = 64;
    auto whitted = dark<passes::TraceWhitted>(32);
    whitted.ambient = paths.ambient;
    whitted.bounces = paths.bounces;
    const HostImage a = trace(mirror_scene(), paths);
    const HostImage b = trace(mirror_scene(), whitted);
    ASSERT_FALSE(a.empty() || b.empty());
    for (std::uint32_t y = 0; y < 32; ++y)
        for (std::uint32_t x = 0; x < 32; ++x)
            ASSERT_NEAR(glm::distance(at(a, x, y), at(b, x, y)), 0.0, 1e-6) << x << ", " << y;
}

TEST_F(PathTraceTest, ALensIsSharpWhereItIsFocused) {
    SceneBuilder builder;
    Camera camera;
    camera.position = {0, 0, 5};
    builder.camera(camera);
    for (int i = 0; i < 6; ++i)
        builder.quad(
            builder.material(SceneBuilder::unlit(glm::vec4(0.15f * static_cast<float>(i)))),
            moved(static_cast<float>(i) - 2.5f, 0, 0) * glm::scale(glm::mat4(1.0f), {0.5f, 3, 1}));
    const SceneData scene = std::move(builder).finish();
    PathTrace pass = dark<PathTrace>(32);
    pass.jitter = false;
    pass.samples = 8;
    const HostImage pinhole = trace(scene, pass);
    pass.lens.radius = 0.2f; // focused on what the camera looks at: z = 0
    const HostImage sharp = trace(scene, pass);
    pass.lens.focus = 2.5f;
    const HostImage blurred = trace(scene, pass);
    ASSERT_FALSE(pinhole.empty() || sharp.empty() || blurred.empty());
    int different = 0;
    for (std::uint32_t y = 0; y < 32; ++y)
        for (std::uint32_t x = 0; x < 32; ++x) {
            ASSERT_NEAR(at(sharp, x, y).x, at(pinhole, x, y).x, 1e-5) << x << ", " << y;
            different += std::abs(at(blurred, x, y).x - at(pinhole, x, y).x) > 0.01;
        }
    EXPECT_GT(different, 200);
}

TEST_F(PathTraceTest, TheRunningMeanIsThatOfAllSamples) {
    PathTrace pass = matt();
    pass.sun.intensity = 1.0f;
    pass.sun.size = 30.0f;
    pass.ambient = glm::vec3(0.5f);
    const SceneData scene = mirror_scene();
    pass.samples = 6;
    const HostImage at_once = trace(scene, pass);
    pass.samples = 2;
    const HostImage one_by_one = trace(scene, pass, 3);
    ASSERT_FALSE(at_once.empty() || one_by_one.empty());
    for (std::uint32_t y = 0; y < 16; ++y)
        for (std::uint32_t x = 0; x < 16; ++x)
            for (int c = 0; c < 3; ++c)
                ASSERT_NEAR(at(one_by_one, x, y)[c], at(at_once, x, y)[c],
                            1e-5 * (1.0 + at(at_once, x, y)[c]));
}

TEST_F(PathTraceTest, AChangeBeginsAnewAndNothingElseDoes) {
    const SceneAsset asset = pack_scene(mirror_scene());
    PathTrace pass = dark<PathTrace>(16);
    pass.ambient = glm::vec3(0.5f);
    pass.sun.intensity = 1.0f;
    pass.camera.mode = passes::CameraMode::free;
    const auto describe = [&](const PathTrace& p) {
        Graph g = graph();
        PathTrace made = p;
        made.scene = add_scene(g, "scene", asset);
        made = g.add(made);
        g.output("color", made.color);
        g.output("count", made.count);
        return std::move(g).finish();
    };
    const auto count = [](testing_gpu::Running& running) {
        return running.buffer<std::uint32_t>("count").front();
    };
    Graph g = graph();
    PathTrace first = pass;
    first.scene = add_scene(g, "scene", asset);
    first = g.add(first);
    g.output("color", first.color);
    g.output("count", first.count);
    testing_gpu::Running running = run(std::move(g), 3);
    ASSERT_TRUE(running);
    EXPECT_EQ(count(running), 3u);
    ASSERT_TRUE(running->set_parameters(describe(pass).parameters));
    running.execute();
    EXPECT_EQ(count(running), 4u) << "nothing has changed";

    const std::pair<const char*, std::function<void(PathTrace&)>> changes[] = {
        {"camera", [](PathTrace& p) { p.camera.position.x += 0.001f; }},
        {"lens", [](PathTrace& p) { p.lens.radius = 0.1f; }},
        {"sun", [](PathTrace& p) { p.sun.azimuth += 1.0f; }},
        {"ambient", [](PathTrace& p) { p.ambient.b = 0.75f; }},
        {"specular", [](PathTrace& p) { p.specular = 0.5f; }},
        {"levels", [](PathTrace& p) { p.texture_levels = passes::TextureLevels::finest; }},
        {"reset", [](PathTrace& p) { p.reset = true; }}};
    for (const auto& [name, change] : changes) {
        change(pass);
        const GraphDesc changed = describe(pass);
        ASSERT_TRUE(same_structure(running->plan().graph, changed)) << name;
        ASSERT_TRUE(running->set_parameters(changed.parameters));
        running.execute();
        EXPECT_EQ(count(running), 1u) << name;
        const HostImage anew = running.image("color");
        EXPECT_EQ(anew.texels, run(traced(asset, pass)).image("color").texels) << name;
        running.execute();
        EXPECT_EQ(count(running), pass.reset ? 1u : 2u) << name;
    }
}

// A mesh that moves: each frame is that of a tracer which has seen nothing else.
TEST_F(PathTraceTest, AMeshThatMovesBeginsAnewAndOneThatStandsDoesNot) {
    const SceneAsset asset = pack_scene(mirror_scene());
    const auto at_time = [&](float time) {
        Graph g = graph();
        passes::Deform deform;
        deform.source = add_scene(g, "scene", asset);
        deform.center = {0, -1, 0};
        deform.bend = {0.2f, 0.1f};
        deform.time = time;
        PathTrace pass = dark<PathTrace>(16);
        pass.ambient = glm::vec3(0.5f);
        pass.scene = g.add(deform).scene;
        const passes::TriangleMesh mesh = g.add(passes::Triangles{.scene = pass.scene}).mesh;
        pass.bvh = g.add(passes::LbvhBuild{.mesh = mesh}).bvh;
        pass = g.add(pass);
        g.output("color", pass.color);
        g.output("count", pass.count);
        return g;
    };
    testing_gpu::Running moving = run(at_time(0.0f));
    ASSERT_TRUE(moving);
    std::vector<std::byte> last = moving.image("color").texels;
    for (const float time : {0.1f, 0.2f}) {
        ASSERT_TRUE(moving->set_parameters(at_time(time).finish().parameters));
        moving.execute();
        testing_gpu::Running fresh = run(at_time(time));
        EXPECT_EQ(moving.buffer<std::uint32_t>("count").front(), 1u) << time;
        EXPECT_EQ(moving.image("color").texels, fresh.image("color").texels) << time;
        EXPECT_NE(moving.image("color").texels, last) << time;
        last = moving.image("color").texels;
    }
    moving.execute(2);
    EXPECT_EQ(moving.buffer<std::uint32_t>("count").front(), 3u) << "it stands";
}

// One after the other, in parts that the host brings with each execution.
TEST_F(PathTraceTest, AChangeOfAnythingThatIsSeenBeginsAnew) {
    SceneBuilder builder;
    builder.camera(2.0f);
    SceneMaterial material = SceneBuilder::plain();
    material.base_color_texture.texture =
        builder.texture(2, 1, {{255, 0, 0, 255}, {0, 255, 0, 255}});
    builder.quad(builder.material(material), glm::mat4(1.0f));
    const SceneAsset asset = pack_scene(std::move(builder).finish());
    const std::vector<glm::vec4> sky(8, glm::vec4(0.5f));
    struct Parts {
        SceneAsset::Bytes vertices;
        SceneAsset::Bytes transforms;
        SceneAsset::Bytes materials;
        SceneAsset::Bytes texels;
        SceneAsset::Bytes positions; ///< of the triangles that rays meet
        SceneAsset::Bytes sky;
    };
    const std::vector<float> corners{-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0};
    Parts parts{asset.vertices,
                asset.transforms,
                asset.materials,
                std::make_shared<const std::vector<std::byte>>(asset.images[0]->begin(),
                                                               asset.images[0]->begin() + 8),
                testing_gpu::bytes_of(corners),
                testing_gpu::bytes_of(sky)};
    const auto describe = [&] {
        Graph g = graph();
        const auto brought = [&](std::string_view name, const SceneAsset::Bytes& bytes) {
            return g.upload(g.buffer(name, {.size = bytes->size(), .stride = 4}), bytes);
        };
        PathTrace pass = dark<PathTrace>(16);
        pass.scene = add_scene(g, "scene", asset);
        pass.scene.vertices = brought("vertices", parts.vertices);
        pass.scene.transforms = brought("transforms", parts.transforms);
        pass.scene.materials = brought("materials", parts.materials);
        pass.scene.images[0] = g.copy_to_image(
            brought("texels", parts.texels),
            g.image("texture", {.format = Format::rgba8_unorm, .extent = {2, 1, 1}}));
        passes::TriangleMesh mesh = g.add(passes::Triangles{.scene = pass.scene}).mesh;
        mesh.positions = brought("positions", parts.positions);
        mesh.vertex_count = 4;
        pass.bvh = passes::without_hierarchy(mesh);
        const Image panorama =
            g.copy_to_image(brought("sky texels", parts.sky),
                            g.image("sky", {.format = Format::rgba32_sfloat, .extent = {4, 2, 1}}));
        pass.environment =
            g.add(passes::Environment{.panorama = panorama, .size = 16, .samples = 16}).environment;
        pass = g.add(pass);
        g.output("color", pass.color);
        g.output("count", pass.count);
        return g;
    };
    testing_gpu::Running running = run(describe(), 2);
    ASSERT_TRUE(running);
    const auto count = [&] { return running.buffer<std::uint32_t>("count").front(); };
    ASSERT_EQ(count(), 2u);
    // The lowest bit of the byte at `at`: of the last digits of a number, or a step of a texel.
    const auto changed = [](const SceneAsset::Bytes& bytes, std::size_t at) {
        auto copy = *bytes;
        copy[at] ^= std::byte{1};
        return std::make_shared<const std::vector<std::byte>>(std::move(copy));
    };
    const std::tuple<const char*, SceneAsset::Bytes Parts::*, std::size_t> changes[] = {
        {"vertices", &Parts::vertices, 4},
        {"the last of the vertices", &Parts::vertices, asset.vertices->size() - sizeof(Vertex)},
        {"transforms", &Parts::transforms, 0},
        {"materials", &Parts::materials, 0},
        {"texels", &Parts::texels, 5},
        {"positions", &Parts::positions, 0},
        {"sky", &Parts::sky, 7 * 16}};
    for (const auto& [name, part, byte] : changes) {
        parts.*part = changed(parts.*part, byte);
        const GraphDesc desc = describe().finish();
        ASSERT_TRUE(same_structure(running->plan().graph, desc)) << name;
        running->set_uploads(desc);
        running.execute();
        EXPECT_EQ(count(), 1u) << name;
        running.execute();
        EXPECT_EQ(count(), 2u) << name;
    }
}

TEST_F(PathTraceTest, TheErrorFallsWithTheRootOfTheSamples) {
    const Patch patch;
    PathTrace pass = matt(32);
    pass.bounces = 0;
    const auto white = SceneBuilder::plain(glm::vec4(0.5f, 0.5f, 0.5f, 1.0f));
    const double expected = 0.5 * patch.irradiance / kPi;
    double first = 0.0;
    for (const std::uint32_t samples : {4u, 64u}) {
        pass.samples = samples;
        const HostImage picture = trace_under(square(white), pass, Patch::kWidth, patch.texels);
        ASSERT_FALSE(picture.empty());
        double squares = 0.0;
        for (std::uint32_t y = 0; y < 32; ++y)
            for (std::uint32_t x = 0; x < 32; ++x)
                squares += std::pow(at(picture, x, y).x - expected, 2) / (32 * 32);
        if (first == 0.0)
            first = squares;
        else
            EXPECT_NEAR(std::log(squares / first) / std::log(16.0), -1.0, 0.1);
    }
}

} // namespace
} // namespace tuff
