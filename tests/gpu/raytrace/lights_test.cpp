// Lights at places in raytrace/whitted: closed forms in double precision, shadows that end at the
// light, sums of lights.

#include "passes/bvh/lbvh_build.hpp"
#include "passes/raytrace/light.hpp"
#include "tests/gpu/raytrace/raytrace_fixture.hpp"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

namespace tuff {
namespace {

using passes::LightKind;
using passes::MakeRayLight;
using passes::TraceWhitted;

constexpr double kLambert = 1.0 / std::numbers::pi;

class LightsTest : public RaytraceTest {
  protected:
    /// The picture of the scene in these lights.
    HostImage trace_lit(const SceneData& scene, TraceWhitted pass,
                        const std::vector<MakeRayLight>& lights, bool with_bvh = false) {
        Graph g = graph();
        pass.scene = add_scene(g, "scene", pack_scene(SceneData(scene)));
        for (const MakeRayLight& light : lights)
            pass.lights.push_back(g.add(light).light);
        if (with_bvh) {
            const auto mesh = g.add(passes::Triangles{.scene = pass.scene}).mesh;
            pass.bvh = g.add(passes::LbvhBuild{.mesh = mesh}).bvh;
        }
        g.output("color", g.add(std::move(pass)).color);
        testing_gpu::Running running = run(std::move(g));
        return running ? running.image("color") : HostImage{};
    }
    /// White matt ground, seen in [-2, 2]^2 from z = 20, but nothing above z = 10.
    static SceneBuilder ground() {
        SceneBuilder scene;
        scene.camera(2.0f);
        scene.quad(scene.material(SceneBuilder::plain()), scaled(8.0f));
        return scene;
    }
    static SceneData finished(SceneBuilder scene) {
        SceneData data = std::move(scene).finish();
        data.cameras[0].camera.near_plane = 10.0f;
        return data;
    }
    static TraceWhitted matt(std::uint32_t side) {
        TraceWhitted pass = dark<TraceWhitted>(side);
        pass.specular = 0.0f;
        return pass;
    }
    /// The place of the ground that a pixel shows.
    static glm::dvec3 seen_at(std::uint32_t x, std::uint32_t y, std::uint32_t side) {
        return {4.0 * (x + 0.5) / side - 2.0, 2.0 - 4.0 * (y + 0.5) / side, 0.0};
    }
};

/// Radiance of white matt ground by `intensity` at `light`, without the light's own share.
double by_distance(glm::dvec3 ground, glm::dvec3 light, double intensity) {
    const glm::dvec3 way = light - ground;
    const double squared = glm::dot(way, way);
    return kLambert * intensity * (way.z / std::sqrt(squared)) / squared;
}

TEST_F(LightsTest, APointsLightFallsWithTheSquareOfTheDistance) {
    for (const std::uint32_t side : {16u, 37u}) {
        for (const glm::vec3 place : {glm::vec3(0.3f, -0.4f, 0.5f), glm::vec3(-1, 3, 4)}) {
            const MakeRayLight light{.position = place, .color = {1, 0.5f, 0}, .intensity = 3};
            const HostImage picture = trace_lit(finished(ground()), matt(side), {light});
            ASSERT_FALSE(picture.empty());
            for (std::uint32_t y = 0; y < side; ++y)
                for (std::uint32_t x = 0; x < side; ++x) {
                    const double lit = by_distance(seen_at(x, y, side), place, 3.0);
                    ASSERT_NEAR(at(picture, x, y).x, lit, 1e-5 * lit) << x << ", " << y;
                    ASSERT_NEAR(at(picture, x, y).y, 0.5 * lit, 1e-5 * lit);
                    ASSERT_EQ(at(picture, x, y).z, 0.0);
                }
        }
    }
}

// The formula of KHR_lights_punctual.
TEST_F(LightsTest, ASpotShinesIntoItsCone) {
    constexpr std::uint32_t kSide = 53;
    const glm::vec3 place(0.5f, 0.2f, 1.5f);
    const MakeRayLight light{.kind = LightKind::spot,
                             .position = place,
                             .direction = {-0.6f, 0.2f, -2.0f},
                             .intensity = 2,
                             .inner_angle = 12,
                             .outer_angle = 31};
    const HostImage picture = trace_lit(finished(ground()), matt(kSide), {light});
    ASSERT_FALSE(picture.empty());
    const double inner = std::cos(glm::radians(12.0));
    const double outer = std::cos(glm::radians(31.0));
    int full = 0;
    int fading = 0;
    int outside = 0;
    for (std::uint32_t y = 0; y < kSide; ++y)
        for (std::uint32_t x = 0; x < kSide; ++x) {
            const glm::dvec3 here = seen_at(x, y, kSide);
            const double cosine = glm::dot(glm::normalize(here - glm::dvec3(place)),
                                           glm::normalize(glm::dvec3(light.direction)));
            const double share = std::clamp((cosine - outer) / (inner - outer), 0.0, 1.0);
            ++(share == 1.0 ? full : share > 0.0 ? fading : outside);
            const double open = by_distance(here, place, 2.0);
            // Rounding of the cosine is stretched by the cone.
            ASSERT_NEAR(at(picture, x, y).x, share * share * open, 2e-5 * open) << x << ", " << y;
        }
    EXPECT_GT(full, 50);
    EXPECT_GT(fading, 200);
    EXPECT_GT(outside, 500);
}

/// The share of the light that leaves a point of a plane which meets a rectangle over it, parallel
/// and with a corner above the point (J. Howell, "A Catalog of Radiation Heat Transfer
/// Configuration Factors", B-4); of either sign.
double corner_factor(double x, double y) {
    const double a = std::abs(x);
    const double b = std::abs(y);
    const double p = std::sqrt(1.0 + a * a);
    const double q = std::sqrt(1.0 + b * b);
    return std::copysign(
        (a / p * std::atan(b / p) + b / q * std::atan(a / q)) / (2.0 * std::numbers::pi), x * y);
}

TEST_F(LightsTest, ARectangleShinesByItsFormFactor) {
    constexpr std::uint32_t kSide = 24;
    for (const std::uint32_t samples : {1u, 3u, 8u}) {
        // Faces down; 1.2 along x and 0.6 along y at height 1.
        const MakeRayLight light{.kind = LightKind::rectangle,
                                 .position = {0.3f, 0.1f, 1.0f},
                                 .direction = {0, 0, -3},
                                 .intensity = 5,
                                 .size = {1.2f, 0.6f},
                                 .samples = samples};
        const HostImage picture = trace_lit(finished(ground()), matt(kSide), {light});
        ASSERT_FALSE(picture.empty());
        double worst = 0.0;
        for (std::uint32_t y = 0; y < kSide; ++y)
            for (std::uint32_t x = 0; x < kSide; ++x) {
                const glm::dvec3 here = seen_at(x, y, kSide);
                double parts = 0.0;
                for (std::uint32_t j = 0; j < samples; ++j)
                    for (std::uint32_t i = 0; i < samples; ++i) {
                        const glm::dvec3 way =
                            glm::dvec3(0.3 + 1.2 * ((i + 0.5) / samples - 0.5),
                                       0.1 + 0.6 * ((j + 0.5) / samples - 0.5), 1.0) -
                            here;
                        parts += std::pow(glm::dot(way, way), -2.0); // both cosines are 1 / d
                    }
                parts *= kLambert * 5.0 * 1.2 * 0.6 / (samples * samples);
                ASSERT_NEAR(at(picture, x, y).x, parts, 1e-5 * parts) << x << ", " << y;
                const auto corner = [&](double to_x, double to_y) {
                    return corner_factor(to_x - here.x, to_y - here.y);
                };
                const double exact = 5.0 * (corner(0.9, 0.4) - corner(-0.3, 0.4) -
                                            corner(0.9, -0.2) + corner(-0.3, -0.2));
                worst = std::max(worst, std::abs(at(picture, x, y).x - exact) / exact);
            }
        // The error of middles falls with the square of the parts' size.
        EXPECT_LT(worst, 0.3 / (samples * samples)) << samples;
        if (samples == 1) {
            EXPECT_GT(worst, 0.1);
        }
    }
}

TEST_F(LightsTest, ARectangleShinesFromItsFrontAlongItsSides) {
    constexpr std::uint32_t kSide = 16;
    MakeRayLight light{
        .kind = LightKind::rectangle, .position = {0, 0, 1}, .direction = {0, 0, 1}, .samples = 2};
    const HostImage behind = trace_lit(finished(ground()), matt(kSide), {light});
    ASSERT_FALSE(behind.empty());
    EXPECT_EQ(mean(behind), glm::dvec3(0.0));
    // A quarter of a turn exchanges the sides.
    light.direction = {0, 0, -1};
    light.size = {1.5f, 0.1f};
    const HostImage level = trace_lit(finished(ground()), matt(kSide), {light});
    light.size = {0.1f, 1.5f};
    light.roll = 90.0f;
    const HostImage rolled = trace_lit(finished(ground()), matt(kSide), {light});
    light.roll = 0.0f;
    const HostImage upright = trace_lit(finished(ground()), matt(kSide), {light});
    ASSERT_FALSE(level.empty() || rolled.empty() || upright.empty());
    for (std::uint32_t y = 0; y < kSide; ++y)
        for (std::uint32_t x = 0; x < kSide; ++x) {
            const double lit = at(level, x, y).x;
            ASSERT_NEAR(at(rolled, x, y).x, lit, 1e-5 * lit);
            ASSERT_NEAR(at(upright, y, x).x, lit, 1e-5 * lit);
        }
    EXPECT_GT(at(level, 14, 8).x, 1.2 * at(level, 8, 14).x);
}

TEST_F(LightsTest, ShadowsEndAtTheLight) {
    constexpr std::uint32_t kSide = 64;
    const glm::vec3 place(0.2f, -0.1f, 2.0f);
    const MakeRayLight light{.position = place};
    const auto lit_with = [&](float height, float half) {
        SceneBuilder scene = ground();
        scene.quad(0, moved(place.x, place.y, height) * scaled(half));
        // The quad is above what the camera sees; rays of light meet it.
        SceneData data = finished(std::move(scene));
        data.cameras[0].camera.near_plane = 19.9f;
        return trace_lit(data, matt(kSide), {light}, true);
    };
    // An occluder at half the height has a shadow of twice its size.
    const HostImage shadowed = lit_with(1.0f, 0.4f);
    ASSERT_FALSE(shadowed.empty());
    for (std::uint32_t y = 0; y < kSide; ++y)
        for (std::uint32_t x = 0; x < kSide; ++x) {
            const glm::dvec3 here = seen_at(x, y, kSide);
            const double out = std::max(std::abs(here.x - static_cast<double>(place.x)),
                                        std::abs(here.y - static_cast<double>(place.y))) -
                               0.8;
            if (std::abs(out) < 1e-3) continue; // within rounding of the edge
            const double open = by_distance(here, place, 10.0);
            ASSERT_NEAR(at(shadowed, x, y).x, out < 0.0 ? 0.0 : open, 1e-5 * open)
                << x << ", " << y;
        }
    // At the light, as its lamp, just beyond and far beyond it, and below the ground: no shadow.
    for (const float height : {2.0f, 2.001f, 9.0f, -1.0f}) {
        const HostImage picture = lit_with(height, 3.0f);
        ASSERT_FALSE(picture.empty());
        for (std::uint32_t y = 0; y < kSide; ++y)
            for (std::uint32_t x = 0; x < kSide; ++x) {
                const double open = by_distance(seen_at(x, y, kSide), place, 10.0);
                ASSERT_NEAR(at(picture, x, y).x, open, 1e-5 * open) << height;
            }
    }
    // And where lights are not tried.
    SceneBuilder scene = ground();
    scene.quad(0, moved(place.x, place.y, 1.0f) * scaled(0.4f));
    SceneData data = finished(std::move(scene));
    data.cameras[0].camera.near_plane = 19.9f;
    TraceWhitted pass = matt(kSide);
    pass.shadows = false;
    const HostImage open = trace_lit(data, pass, {light});
    ASSERT_FALSE(open.empty());
    const double lit = by_distance(seen_at(35, 33, kSide), place, 10.0);
    EXPECT_NEAR(at(open, 35, 33).x, lit, 1e-5 * lit);
}

/// Mirrors, textures in two batches, what is seen through and what needs no light.
SceneData cluttered() {
    SceneBuilder scene;
    Camera camera;
    camera.position = {0.5f, 2.0f, 6.0f};
    camera.target = {0, 0.4f, 0};
    scene.camera(camera);
    scene.quad(scene.material(SceneBuilder::plain({0.5f, 0.6f, 0.5f, 1}, 0, 0.2f)),
               turned(-90, {1, 0, 0}) * scaled(5.0f));
    scene.sphere(scene.material(SceneBuilder::plain({0.9f, 0.8f, 0.6f, 1}, 1, 0)),
                 moved(-1.2f, 0.7f, 0) * scaled(0.7f), 7);
    scene.sphere(scene.material(SceneBuilder::plain({0.9f, 0.2f, 0.1f, 0.4f}, 0, 0.5f)),
                 moved(1.2f, 0.7f, 0.4f) * scaled(0.7f), 7);
    SceneMaterial glass = SceneBuilder::plain({0.2f, 0.4f, 0.9f, 0.5f});
    glass.alpha_mode = AlphaMode::blend;
    scene.quad(scene.material(glass), moved(0.4f, 0.8f, 2) * scaled(0.6f));
    scene.quad(scene.material(SceneBuilder::unlit({0.02f, 0.01f, 0, 1})),
               moved(0, 1.5f, -2.5f) * scaled(0.8f));
    return std::move(scene).finish();
}

std::vector<MakeRayLight> three_lights() {
    return {{.position = {1, 3, 2}, .color = {1, 0.8f, 0.6f}},
            {.kind = LightKind::spot,
             .position = {-3, 2, 1},
             .direction = {2, -1, -0.5f},
             .intensity = 20,
             .inner_angle = 10,
             .outer_angle = 40},
            {.kind = LightKind::rectangle,
             .position = {0, 3, -1},
             .direction = {0, -1, 0.3f},
             .intensity = 4,
             .samples = 2}};
}

TEST_F(LightsTest, LightsAddUp) {
    const SceneData scene = cluttered();
    TraceWhitted pass = dark<TraceWhitted>(37);
    pass.bounces = 3;
    const HostImage none = trace_lit(scene, pass, {});
    const HostImage together = trace_lit(scene, pass, three_lights());
    ASSERT_FALSE(none.empty() || together.empty());
    std::vector<HostImage> alone;
    for (const MakeRayLight& light : three_lights()) {
        alone.push_back(trace_lit(scene, pass, {light}));
        ASSERT_FALSE(alone.back().empty());
        EXPECT_GT(mean(alone.back()).x, mean(none).x + 0.005) << "a light that lights nothing";
    }
    for (std::uint32_t y = 0; y < 37; ++y)
        for (std::uint32_t x = 0; x < 37; ++x) {
            glm::dvec3 sum = at(none, x, y); // what is unlit is in each of them
            for (const HostImage& one : alone)
                sum += at(one, x, y) - at(none, x, y);
            ASSERT_LE(glm::distance(at(together, x, y), sum), 2e-6 * (1.0 + glm::length(sum)))
                << x << ", " << y;
        }
}

// However many materials are shaded at a time, and whichever slots are worked on.
TEST_F(LightsTest, PicturesDoNotDependOnBatchesOrQueues) {
    const SceneData scene = cluttered();
    TraceWhitted pass = dark<TraceWhitted>(29);
    const HostImage expected = trace_lit(scene, pass, three_lights(), true);
    pass.materials = passes::MaterialPasses::each;
    const HostImage each = trace_lit(scene, pass, three_lights(), true);
    pass.scheduling = passes::PathScheduling::all;
    const HostImage all = trace_lit(scene, pass, three_lights());
    ASSERT_FALSE(expected.empty());
    EXPECT_EQ(each.texels, expected.texels);
    EXPECT_EQ(all.texels, expected.texels);
}

TEST_F(LightsTest, BadLightsAreRefused) {
    const auto error_of = [&](const MakeRayLight& light) {
        Graph g = graph();
        TraceWhitted pass = matt(8);
        pass.scene = add_scene(g, "scene", pack_scene(finished(ground())));
        pass.lights.push_back(g.add(light).light);
        g.output("color", g.add(pass).color);
        const auto plan = compile(std::move(g).finish(), device().caps());
        return plan ? std::string() : plan.error().front().code;
    };
    EXPECT_EQ(error_of({}), "");
    EXPECT_EQ(error_of({.direction = glm::vec3(0.0f)}), "pass/out-of-range");
    EXPECT_EQ(error_of({.kind = LightKind::spot, .inner_angle = 45}), "pass/out-of-range");
    EXPECT_EQ(error_of({.intensity = -1}), "pass/out-of-range");
    EXPECT_EQ(error_of({.kind = LightKind::rectangle, .samples = 9}), "pass/out-of-range");
}

} // namespace
} // namespace tuff
