#include "passes/volume/comparators.hpp"
#include "passes/volume/radius_map.hpp"
#include "passes/volume/sphere_lists.hpp"
#include "tests/gpu/volume/volume_test.hpp"

#include <glm/exponential.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>

#include <algorithm>
#include <cmath>
#include <set>

/// What pictures of balls are made of: the mean of a segment's fade, lists of tiles, soft and bumpy
/// balls; and the other ways to draw them.
namespace tuff {
namespace {

using passes::BillboardEdge;
using passes::MakeRadiusMap;
using passes::OutputFormat;
using passes::VolumeBillboards;
using passes::VolumeFragments;
using passes::VolumeRayMarch;
using testing_gpu::bytes_of;
using testing_gpu::kNoOpaque;
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

constexpr glm::vec3 kBehindBillboards(0.2f, 0.5f, 0.9f);

class VolumeParts : public testing_gpu::VolumeTest {
  protected:
    static VolumeFragments pass(const TestView& view) {
        return {.camera = view.camera,
                .least_transmittance = 0.0f,
                .format = OutputFormat::rgba32_sfloat};
    }
    Looked look_at(const std::vector<TestSphere>& balls, const TestView& view,
                   VolumeFragments looking, float least = -1.0f, float most = 1.0f) {
        Graph g = graph();
        if (least >= 0.0f)
            looking.radius_map = g.add(MakeRadiusMap{.size = 32, .least = least, .most = most}).map;
        looking.spheres = spheres(g, balls);
        looking.opaque = opaque(g, view, glm::vec4(kBehindBillboards, kNoOpaque));
        return look(std::move(g), looking);
    }
    template <typename Pass>
    HostImage picture(const std::vector<TestSphere>& balls, const TestView& view, Pass drawing,
                      float distance = kNoOpaque) {
        Graph g = graph();
        drawing.camera = view.camera;
        drawing.format = OutputFormat::rgba32_sfloat;
        drawing.spheres = spheres(g, balls);
        drawing.opaque = opaque(g, view, glm::vec4(kBehindBillboards, distance));
        g.output("result", g.add(drawing).result);
        Running running = run(std::move(g));
        return running ? running.image("result") : HostImage{};
    }
};

TEST_F(VolumeParts, TheMeanFadeKeepsItsDigitsNearNothing) {
    std::vector<float> numbers{0.0f};
    for (double exponent = -12.0; exponent <= 2.0; exponent += 0.01)
        numbers.push_back(static_cast<float>(std::pow(10.0, exponent)));
    Graph g = graph();
    ComputeNodeBuilder node = g.compute("test/volume_mean_fade");
    node.read("source", g.constant_buffer("source", {.size = numbers.size() * 4, .stride = 4},
                                          bytes_of(numbers)));
    const Buffer means =
        node.write("result", g.buffer("result", {.size = numbers.size() * 4, .stride = 4}));
    node.dispatch(static_cast<std::uint32_t>(numbers.size() / 64 + 1));
    g.output("means", means);
    Running running = run(std::move(g));
    const auto got = running.buffer<float>("means");
    ASSERT_EQ(got.size(), numbers.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
        const double x = static_cast<double>(numbers[i]);
        const double wanted = x > 0.0 ? -std::expm1(-x) / x : 1.0;
        ASSERT_NEAR(static_cast<double>(got[i]), wanted, 5e-7 * wanted) << x;
    }
}

/// Tile by tile, the balls that a ray through a fine grid of points of the tile meets.
std::vector<std::set<std::uint32_t>> met_by_tiles(const std::vector<glm::vec4>& balls,
                                                  const TestView& view, std::uint32_t tile) {
    constexpr std::uint32_t kFine = 8; // points along a texel
    TestView fine = view;
    fine.width *= kFine;
    fine.height *= kFine;
    const std::uint32_t across = (view.width + tile - 1) / tile;
    const std::uint32_t down = (view.height + tile - 1) / tile;
    std::vector<std::set<std::uint32_t>> met(std::size_t{across} * down);
    for (std::uint32_t y = 0; y < fine.height; ++y)
        for (std::uint32_t x = 0; x < fine.width; ++x) {
            const glm::dvec3 ray = fine.ray(x, y);
            for (std::uint32_t i = 0; i < balls.size(); ++i) {
                const TestSphere sphere{.center = glm::vec3(balls[i]), .radius = balls[i].w};
                const Stay stay = stay_in(sphere, view.eye(), ray);
                if (stay.leaves > std::max(stay.enters, 0.0))
                    met[std::size_t{y / (kFine * tile)} * across + x / (kFine * tile)].insert(i);
            }
        }
    return met;
}

TEST_F(VolumeParts, TileListsHoldAllThatATileMeetsAndLittleElse) {
    const TestView view{.width = 60, .height = 44};
    auto balls = random_spheres(40, 1.5f, 0.05f, 0.6f, 11);
    balls.push_back({.center = {0.0f, 0.2f, 4.8f}, .radius = 0.5f}); // about the eye
    balls.push_back({.center = {0.0f, 0.0f, 7.0f}, .radius = 0.5f}); // behind it
    for (const std::uint32_t tile : {16u, 13u}) {
        Graph g = graph();
        const auto seen = passes::volume_view(g, {}, view.camera, view.width, view.height);
        ASSERT_TRUE(seen);
        auto sorted = passes::sort_spheres(g, spheres(g, balls), *seen, passes::volume_status(g));
        const auto lists = passes::list_spheres(g, sorted, *seen, tile, 1u << 16);
        g.output("balls", sorted.spheres.balls);
        g.output("counts", lists.counts);
        g.output("starts", lists.starts);
        g.output("entries", lists.entries);
        Running running = run(std::move(g));
        const auto counts = running.buffer<std::uint32_t>("counts");
        const auto starts = running.buffer<std::uint32_t>("starts");
        const auto entries = running.buffer<std::uint32_t>("entries");
        const auto wanted = met_by_tiles(running.buffer<glm::vec4>("balls"), view, tile);
        std::size_t listed = 0;
        std::size_t met = 0;
        for (std::size_t k = 0; k < wanted.size(); ++k) {
            const auto first = entries.begin() + starts[k];
            const std::vector<std::uint32_t> list(first, first + counts[k]);
            EXPECT_TRUE(std::ranges::is_sorted(list)) << "tile " << k;
            for (const std::uint32_t ball : wanted[k])
                EXPECT_TRUE(std::ranges::binary_search(list, ball))
                    << "tile " << k << " lacks ball " << ball;
            listed += list.size();
            met += wanted[k].size();
        }
        EXPECT_GT(met, 60u);
        EXPECT_LE(static_cast<double>(listed), 1.3 * static_cast<double>(met)) << tile;
    }
}

TEST_F(VolumeParts, SoftBallsThinOutTowardsTheirContours) {
    TestView view{.width = 256, .height = 4};
    view.camera.vertical_fov = 0.75f; // about four units wide at the ball
    const TestSphere ball{.radius = 1.6f, .extinction = glm::vec3(0.5f)};
    const auto steepest = [&](float softness) {
        VolumeFragments looking = pass(view);
        looking.softness = softness;
        const Looked got = look_at({ball}, view, looking);
        // By the formula, and the greatest difference of neighbours.
        EXPECT_LE(
            worst_difference(got.transmittance,
                             [&](std::uint32_t x, std::uint32_t y) {
                                 Stay stay = stay_in(ball, view.eye(), view.ray(x, y));
                                 const double half = 0.5 * (stay.leaves - stay.enters);
                                 stay.extinction *= std::pow(half * half / 2.56, double(softness));
                                 return look_through({stay}, 1e30).through;
                             }),
            softness > 0.0f ? 2e-6 : 1e-4) // the contour of a hard ball is a matter of rounding
            << softness;
        double most = 0.0;
        for (std::uint32_t x = 1; x < view.width; ++x)
            most = std::max(most, std::abs(double(got.transmittance.texel(x, 2)[0]) -
                                           double(got.transmittance.texel(x - 1, 2)[0])));
        return most;
    };
    const double hard = steepest(0.0f);
    EXPECT_LT(steepest(1.0f), hard / 5.0);
}

TEST_F(VolumeParts, ABumpyBallOfOneRadiusIsASmallerBall) {
    const TestView view;
    auto balls = random_spheres(8, 1.0f, 0.3f, 0.8f, 12);
    auto smaller = balls;
    for (TestSphere& ball : smaller)
        ball.radius *= 0.75f;
    const Looked got = look_at(balls, view, pass(view), 0.75f, 0.75f);
    const Looked wanted = look_at(smaller, view, pass(view));
    // A sampler gives the radius with about 16 bits.
    for (std::uint32_t y = 0; y < view.height; ++y)
        for (std::uint32_t x = 0; x < view.width; ++x)
            EXPECT_NEAR(got.result.texel(x, y)[1], wanted.result.texel(x, y)[1],
                        2e-6 + shaken(smaller, {}, view.eye(), view.ray(x, y), 1e-5))
                << x << ", " << y;
    // And a bumpy one is neither the largest nor the smallest.
    const Looked bumpy = look_at(balls, view, pass(view), 0.4f, 1.0f);
    EXPECT_GT(worst_difference(bumpy.result, wanted.result), 1e-2);
    EXPECT_EQ(look_at(balls, view, pass(view), 0.4f, 1.0f).result.texels, bumpy.result.texels);
}

/// A smooth body: its radius in a direction.
double smooth_radius(glm::dvec3 d) {
    return 0.8 + 0.1 * d.x + 0.1 * d.y * d.z;
}

/// A map of it, whose faces are those of Vulkan's cubes.
passes::RadiusMap smooth_map(Graph& g) {
    constexpr std::uint32_t kSide = 32;
    std::vector<float> radii;
    for (int face = 0; face < 6; ++face)
        for (std::uint32_t y = 0; y < kSide; ++y)
            for (std::uint32_t x = 0; x < kSide; ++x) {
                const double s = 2.0 * (x + 0.5) / kSide - 1.0;
                const double t = 2.0 * (y + 0.5) / kSide - 1.0;
                const glm::dvec3 directions[] = {{1, -t, -s}, {-1, -t, s}, {s, 1, t},
                                                 {s, -1, -t}, {s, -t, 1},  {-s, -t, -1}};
                radii.push_back(
                    static_cast<float>(smooth_radius(glm::normalize(directions[face]))));
            }
    return {.cube = g.constant_image("radii",
                                     {.format = Format::r32_sfloat,
                                      .extent = {kSide, kSide, 1},
                                      .layers = 6,
                                      .shape = ImageShape::cube},
                                     bytes_of(radii))};
}

TEST_F(VolumeParts, OneStepFindsSmoothBodiesWithinAFewPercent) {
    const TestView view;
    const TestSphere ball{.radius = 1.5f, .extinction = glm::vec3(1.0f)};
    Graph g = graph();
    VolumeFragments looking = pass(view);
    looking.radius_map = smooth_map(g);
    looking.spheres = spheres(g, {ball});
    looking.opaque = opaque(g, view, glm::vec4(kBehindBillboards, kNoOpaque));
    const Looked got = look(std::move(g), looking);
    // The exact ends, by small steps through the ball.
    constexpr int kSteps = 4000;
    std::vector<double> errors;
    for (std::uint32_t y = 0; y < view.height; ++y)
        for (std::uint32_t x = 0; x < view.width; ++x) {
            const glm::dvec3 ray = view.ray(x, y);
            const Stay stay = stay_in(ball, view.eye(), ray);
            const double step = (stay.leaves - stay.enters) / kSteps;
            int inside = 0;
            for (int i = 0; i < kSteps && step > 0.0; ++i) {
                const glm::dvec3 p = view.eye() + (stay.enters + (i + 0.5) * step) * ray;
                inside += glm::length(p) < 1.5 * smooth_radius(glm::normalize(p));
            }
            if (inside == 0) continue;
            const double found = -std::log(static_cast<double>(got.transmittance.texel(x, y)[0]));
            errors.push_back(std::abs(found - inside * step) / 1.5);
        }
    std::ranges::sort(errors);
    ASSERT_GT(errors.size(), 50u);
    RecordProperty("median_error_percent_of_radius",
                   std::to_string(100.0 * errors[errors.size() / 2]));
    EXPECT_LE(errors[errors.size() / 2], 0.05);
    EXPECT_GT(errors.back(), 1e-3); // it is one step
}

TEST_F(VolumeParts, ABumpyBallTurnsWithTheCamera) {
    const TestView view{.width = 24, .height = 24};
    TestSphere ball{.radius = 1.5f, .extinction = {1.0f, 0.5f, 0.2f}};
    const Looked before = look_at({ball}, view, pass(view), 0.3f, 1.0f);
    const glm::quat turn = glm::normalize(glm::quat(0.4f, 0.5f, -0.3f, 0.7f));
    ball.rotation = glm::vec3(turn.x, turn.y, turn.z) / (1.0f + turn.w);
    TestView turned = view;
    turned.camera.position = turn * view.camera.position;
    turned.camera.up = turn * view.camera.up;
    const Looked after = look_at({ball}, turned, pass(turned), 0.3f, 1.0f);
    // Cubes are filtered otherwise beside their edges: a few texels may differ a little.
    EXPECT_LE(worst_difference(after.result, before.result), 2e-3);
    EXPECT_GT(worst_difference(look_at({ball}, view, pass(view), 0.3f, 1.0f).result, before.result),
              2e-2);
}

TEST_F(VolumeParts, RayMarchingConvergesToTheIntegral) {
    const TestView view{.width = 16, .height = 12};
    const auto balls = random_spheres(6, 0.9f, 0.4f, 0.9f, 13);
    const Looked exact = look_at(balls, view, pass(view));
    double before = 0.0;
    for (const std::uint32_t steps : {64u, 512u, 4096u}) {
        const HostImage marched =
            picture(balls, view, VolumeRayMarch{.steps = steps, .range = 8.0f});
        const double worst = worst_difference(marched, exact.result);
        if (steps > 64) {
            EXPECT_LT(worst, before / 3.0) << steps;
        }
        before = worst;
    }
    EXPECT_LE(before, 4e-3);
}

TEST_F(VolumeParts, BillboardsAreRightForOneBallAndPopForTwo) {
    const TestView view{.width = 16, .height = 12};
    TestSphere ball{.radius = 0.8f, .extinction = glm::vec3(2.0f), .emission = {2, 0, 0}};
    const Looked exact = look_at({ball}, view, pass(view));
    for (const BillboardEdge edge : {BillboardEdge::hard, BillboardEdge::soft})
        EXPECT_LE(
            worst_difference(picture({ball}, view, VolumeBillboards{.edge = edge}), exact.result),
            2e-6);
    // A wall through the ball: soft particles know, hard ones do not.
    Graph g = graph();
    VolumeFragments cut = pass(view);
    cut.spheres = spheres(g, {ball});
    cut.opaque = opaque(g, view, glm::vec4(kBehindBillboards, 4.9f));
    const Looked half = look(std::move(g), cut);
    EXPECT_LE(worst_difference(picture({ball}, view, VolumeBillboards{}, 4.9f), half.result), 2e-6);
    EXPECT_GT(
        worst_difference(picture({ball}, view, VolumeBillboards{.edge = BillboardEdge::hard}, 4.9f),
                         half.result),
        0.1);
    // One passes the other: their order changes from one picture to the next.
    TestSphere other = ball;
    other.emission = {0, 2, 0};
    const auto jump = [&](auto drawn) {
        other.center.z = -1e-3f;
        const HostImage behind = drawn();
        other.center.z = 1e-3f;
        return worst_difference(behind, drawn());
    };
    const double popping = jump([&] { return picture({ball, other}, view, VolumeBillboards{}); });
    const double smooth = jump([&] { return look_at({ball, other}, view, pass(view)).result; });
    EXPECT_GT(popping, 10.0 * smooth);
}

} // namespace
} // namespace tuff
