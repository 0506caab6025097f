#include "tests/gpu/volume/volume_test.hpp"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>

/// Balls of media, against their integrals in double precision.
namespace tuff {
namespace {

using passes::ListOverflow;
using passes::MediaLights;
using passes::OutputFormat;
using passes::SphereSearch;
using passes::VolumeFragments;
using testing_gpu::kNoOpaque;
using testing_gpu::Light;
using testing_gpu::look_through;
using testing_gpu::Looked;
using testing_gpu::random_spheres;
using testing_gpu::Running;
using testing_gpu::shaken;
using testing_gpu::Stay;
using testing_gpu::stay_in;
using testing_gpu::TestSphere;
using testing_gpu::TestView;
using testing_gpu::worst_difference;

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr glm::vec3 kBehindSpheres(0.2f, 0.5f, 0.9f);
const MediaLights kSphereLights{
    .even = {0.1f, 0.2f, 0.3f}, .sun = {1.0f, 0.9f, 0.8f}, .second = {}};

class VolumeSpheres : public testing_gpu::VolumeTest {
  protected:
    /// In full precision, to the end of the ray.
    static VolumeFragments pass(const TestView& view) {
        return {.camera = view.camera,
                .lights = kSphereLights,
                .list_capacity = 64,
                .least_transmittance = 0.0f,
                .format = OutputFormat::rgba32_sfloat};
    }
    Looked look_at(const std::vector<TestSphere>& balls, const TestView& view,
                   VolumeFragments looking, float distance = kNoOpaque) {
        Graph g = graph();
        looking.spheres = spheres(g, balls);
        looking.opaque = opaque(g, view, glm::vec4(kBehindSpheres, distance));
        return look(std::move(g), looking);
    }
};

Light expected_light(const std::vector<TestSphere>& balls, const TestView& view, std::uint32_t x,
                     std::uint32_t y, double far) {
    std::vector<Stay> stays;
    for (const TestSphere& ball : balls)
        stays.push_back(stay_in(ball, view.eye(), view.ray(x, y)));
    return look_through(stays, far, kSphereLights);
}

/// The greatest difference beyond what the rounding of rays may cause.
double worst_beyond(const HostImage& image, const std::vector<TestSphere>& balls,
                    const TestView& view,
                    const std::function<glm::dvec3(std::uint32_t, std::uint32_t)>& wanted) {
    double worst = 0.0;
    for (std::uint32_t y = 0; y < view.height; ++y)
        for (std::uint32_t x = 0; x < view.width; ++x) {
            const double allowed = shaken(balls, kSphereLights, view.eye(), view.ray(x, y));
            const glm::dvec3 exact = wanted(x, y);
            const auto texel = image.texel(x, y);
            for (int c = 0; c < 3; ++c) {
                const auto got = static_cast<double>(texel[static_cast<std::size_t>(c)]);
                if (!std::isfinite(got)) return std::numeric_limits<double>::infinity();
                worst = std::max(worst, std::abs(got - exact[c]) - allowed);
            }
        }
    return worst;
}
double worst_light(const Looked& got, const std::vector<TestSphere>& balls, const TestView& view,
                   double far = 1e30) {
    return worst_beyond(got.result, balls, view, [&](std::uint32_t x, std::uint32_t y) {
        return expected_light(balls, view, x, y, far).over(kBehindSpheres);
    });
}
double worst_transmittance(const Looked& got, const std::vector<TestSphere>& balls,
                           const TestView& view, double far = 1e30) {
    return worst_beyond(got.transmittance, balls, view, [&](std::uint32_t x, std::uint32_t y) {
        return expected_light(balls, view, x, y, far).through;
    });
}

TEST_F(VolumeSpheres, AreTheirClosedForm) {
    const TestView view;
    const TestSphere ball{.center = {0.1f, -0.05f, 0.0f},
                          .radius = 1.2f,
                          .extinction = {0.7f, 1.1f, 0.0f},
                          .emission = {0.3f, 0.0f, 0.4f},
                          .scatter = {0.2f, 0.9f, 0.0f}};
    TestSphere other = ball;
    other.center = {0.7f, 0.3f, 0.4f};
    other.extinction = {1.5f, 0.2f, 0.6f};
    TestSphere grazing = ball; // its contour passes the middle of the picture
    grazing.center = {1.2f, 0.0f, 0.0f};
    TestSphere around = ball; // the eye is in it
    around.center = {0.3f, 0.0f, 4.0f};
    around.radius = 2.0f;
    TestSphere at_eye = ball; // and in its very middle
    at_eye.center = view.camera.position;
    TestSphere behind = ball;
    behind.center = {0.0f, 0.0f, 9.0f};

    const std::vector<std::vector<TestSphere>> scenes{
        {ball},   {ball, other}, {grazing}, {around, ball}, {at_eye}, {at_eye, around, other},
        {behind}, {ball, ball},  {}};
    Graph g = graph();
    std::vector<VolumeFragments> passes;
    for (const auto& balls : scenes) {
        passes.push_back(pass(view));
        passes.back().spheres = spheres(g, balls);
        passes.back().opaque = opaque(g, view, glm::vec4(kBehindSpheres, kNoOpaque));
    }
    // Clipped by what is opaque: before, within and behind.
    const float distances[] = {0.0f, 3.0f, 4.9f, 5.2f, 9.0f};
    for (const float distance : distances) {
        passes.push_back(pass(view));
        passes.back().spheres = spheres(g, {ball, other});
        passes.back().opaque = opaque(g, view, glm::vec4(kBehindSpheres, distance));
    }
    const std::vector<Looked> all = look_all(std::move(g), passes);
    for (std::size_t i = 0; i < scenes.size(); ++i) {
        EXPECT_LE(worst_light(all[i], scenes[i], view), 2e-6) << "scene " << i;
        EXPECT_LE(worst_transmittance(all[i], scenes[i], view), 1e-6) << "scene " << i;
        EXPECT_EQ(all[i].status.dropped_spheres, 0u);
        EXPECT_EQ(all[i].status.list_overflows, 0u);
    }
    for (std::size_t i = 0; i < std::size(distances); ++i)
        EXPECT_LE(worst_light(all[scenes.size() + i], {ball, other}, view,
                              static_cast<double>(distances[i])),
                  2e-6)
            << distances[i];
}

TEST_F(VolumeSpheres, AreTheSameByTilesAndWithoutToTheBit) {
    const TestView view{.width = 64, .height = 50};
    const auto balls = random_spheres(60, 1.6f, 0.1f, 0.7f, 3);
    VolumeFragments all = pass(view);
    all.search = SphereSearch::all;
    const Looked expected = look_at(balls, view, all);
    EXPECT_LE(worst_light(expected, balls, view), 5e-6);
    EXPECT_LE(worst_transmittance(expected, balls, view), 1e-6);
    for (const std::uint32_t tile : {16u, 13u, 4u, 256u}) {
        VolumeFragments tiled = pass(view);
        tiled.tile = tile;
        const Looked got = look_at(balls, view, tiled);
        EXPECT_EQ(got.result.texels, expected.result.texels) << tile;
        EXPECT_EQ(got.transmittance.texels, expected.transmittance.texels) << tile;
        EXPECT_GT(got.status.tile_entries_needed, 0u);
        EXPECT_EQ(got.status.tiles_without_room, 0u);
    }
    // Lists that find no room make nothing worse but the time.
    for (const std::uint32_t room : {0u, 1u, 100u}) {
        VolumeFragments cramped = pass(view);
        cramped.tile_capacity = room;
        const Looked got = look_at(balls, view, cramped);
        EXPECT_EQ(got.result.texels, expected.result.texels) << room;
        EXPECT_GT(got.status.tiles_without_room, 0u) << room;
    }
    // In another order.
    auto shuffled = balls;
    std::ranges::reverse(shuffled);
    EXPECT_EQ(look_at(shuffled, view, pass(view)).result.texels, expected.result.texels);
}

TEST_F(VolumeSpheres, ByThousandsGoThroughLargeTilesFirst) {
    TUFF_ONLY_ON(lavapipe);
    TestView view{.width = 96, .height = 40};
    auto balls = random_spheres(1500, 2.5f, 0.02f, 0.1f, 4);
    for (TestSphere& ball : balls)
        ball.extinction *= 3.0f;
    VolumeFragments all = pass(view);
    all.search = SphereSearch::all;
    const Looked expected = look_at(balls, view, all);
    EXPECT_LE(worst_light(expected, balls, view), 5e-6);
    VolumeFragments tiled = pass(view);
    EXPECT_EQ(look_at(balls, view, tiled).result.texels, expected.result.texels);
    tiled.tile_capacity = 300; // large tiles without room
    EXPECT_EQ(look_at(balls, view, tiled).result.texels, expected.result.texels);
}

TEST_F(VolumeSpheres, InAFurnaceAreNotSeenAndGiveNoEnergy) {
    const TestView view;
    auto balls = random_spheres(24, 1.2f, 0.2f, 0.8f, 5);
    for (TestSphere& ball : balls) {
        ball.emission = ball.extinction * kBehindSpheres;
        ball.scatter = glm::vec3(0.0f);
    }
    const Looked furnace = look_at(balls, view, pass(view));
    EXPECT_LE(
        worst_difference(furnace.result, [](auto, auto) { return glm::dvec3(kBehindSpheres); }),
        1e-6 * 48);
    for (TestSphere& ball : balls)
        ball.emission = glm::vec3(0.0f);
    Graph g = graph();
    VolumeFragments dark = pass(view);
    dark.spheres = spheres(g, balls);
    dark.opaque = opaque(g, view, {0.0f, 0.0f, 0.0f, kNoOpaque});
    const Looked black = look(std::move(g), dark);
    EXPECT_EQ(worst_difference(black.result, [](auto, auto) { return glm::dvec3(0.0); }), 0.0);
    for (std::uint32_t y = 0; y < view.height; ++y)
        for (std::uint32_t x = 0; x < view.width; ++x)
            for (const float share : furnace.transmittance.texel(x, y)) {
                EXPECT_GE(share, 0.0f);
                EXPECT_LE(share, 1.0f);
            }
    // Dense media are as bright as their source.
    const TestSphere dense{.radius = 3.0f,
                           .extinction = {500.0f, 800.0f, 900.0f},
                           .emission = {250.0f, 200.0f, 90.0f}};
    const Looked opaque_ball = look_at({dense}, view, pass(view));
    EXPECT_LE(
        worst_difference(opaque_ball.result, [](auto, auto) { return glm::dvec3(0.5, 0.25, 0.1); }),
        1e-6);
}

TEST_F(VolumeSpheres, WithoutRoomInTheListGoOutEarlyOrAreLeftOut) {
    TUFF_ONLY_ON(lavapipe);
    const TestView view;
    const auto balls = random_spheres(20, 0.6f, 0.5f, 1.2f, 6);
    const auto run_with = [&](std::uint32_t room, ListOverflow overflow) {
        VolumeFragments looking = pass(view);
        looking.list_capacity = room;
        looking.overflow = overflow;
        return look_at(balls, view, looking);
    };
    const Looked exact = run_with(40, ListOverflow::early);
    EXPECT_EQ(exact.status.list_overflows, 0u);
    EXPECT_LE(worst_light(exact, balls, view), 5e-6);
    const std::uint32_t enough = exact.status.longest_list;
    EXPECT_GT(enough, 8u);
    EXPECT_EQ(run_with(enough, ListOverflow::drop).result.texels, exact.result.texels);
    for (const std::uint32_t room : {1u, 4u, 8u}) {
        const Looked early = run_with(room, ListOverflow::early);
        const Looked dropped = run_with(room, ListOverflow::drop);
        EXPECT_GT(early.status.list_overflows, 0u) << room;
        EXPECT_GT(dropped.status.list_overflows, 0u) << room;
        EXPECT_LT(worst_difference(early.result, exact.result),
                  worst_difference(dropped.result, exact.result))
            << room;
    }
}

TEST_F(VolumeSpheres, ThatAreNoneAreDroppedAndCounted) {
    const TestView view;
    const TestSphere good{.radius = 0.8f, .extinction = {1.0f, 2.0f, 3.0f}};
    std::vector<TestSphere> balls{good};
    const auto add = [&](auto change) {
        TestSphere bad = good;
        change(bad);
        balls.push_back(bad);
    };
    add([](TestSphere& s) { s.radius = 0.0f; });
    add([](TestSphere& s) { s.radius = -1.0f; });
    add([](TestSphere& s) { s.radius = kNaN; });
    add([](TestSphere& s) { s.radius = kInfinity; });
    add([](TestSphere& s) { s.center.y = kNaN; });
    add([](TestSphere& s) { s.extinction.g = -0.1f; });
    add([](TestSphere& s) { s.emission.b = kNaN; });
    add([](TestSphere& s) { s.scatter.r = -kInfinity; });
    const Looked got = look_at(balls, view, pass(view));
    EXPECT_EQ(got.status.dropped_spheres, 8u);
    EXPECT_LE(worst_light(got, {good}, view), 2e-6);
    for (const float distance : {kNaN, -1.0f, -kInfinity}) { // nothing there
        const Looked open = look_at({good}, view, pass(view), distance);
        EXPECT_LE(worst_light(open, {good}, view), 2e-6) << distance;
    }
    const Looked none = look_at({}, view, pass(view));
    EXPECT_EQ(worst_difference(none.result, [](auto, auto) { return glm::dvec3(kBehindSpheres); }),
              0.0);
}

TEST_F(VolumeSpheres, DoNotPopWhereTheyPassOneAnother) {
    const TestView view{.width = 16, .height = 12};
    TestSphere still{.radius = 0.7f, .extinction = glm::vec3(3.0f), .emission = {3, 0, 0}};
    TestSphere moving = still;
    moving.emission = {0, 3, 0};
    constexpr int kFrames = 16;
    Graph g = graph();
    std::vector<VolumeFragments> passes;
    for (int frame = 0; frame <= kFrames; ++frame) {
        moving.center.z = -0.2f + 0.4f * static_cast<float>(frame) / kFrames;
        passes.push_back(pass(view));
        passes.back().spheres = spheres(g, {still, moving});
        passes.back().opaque = opaque(g, view, glm::vec4(kBehindSpheres, kNoOpaque));
    }
    const std::vector<Looked> all = look_all(std::move(g), passes);
    // In the middle, where no contour passes a texel.
    std::vector<double> changes;
    for (std::size_t frame = 1; frame < all.size(); ++frame)
        changes.push_back(std::abs(static_cast<double>(all[frame].result.texel(8, 6)[0]) -
                                   static_cast<double>(all[frame - 1].result.texel(8, 6)[0])));
    std::ranges::sort(changes);
    const double median = changes[changes.size() / 2];
    EXPECT_GT(median, 1e-3);
    EXPECT_LE(changes.back(), 1.5 * median);
}

} // namespace
} // namespace tuff
