#include "passes/displacement/draw.hpp"
#include "passes/displacement/map.hpp"
#include "passes/displacement/patches.hpp"
#include "tests/gpu/displacement/displacement_fixture.hpp"

#include <glm/trigonometric.hpp>

#include <cmath>

/// Pictures of quads that are bent into a sphere and a cylinder, against their closed forms.
namespace tuff {
namespace {

constexpr std::uint32_t kSide = 96;

class AnalyticDisplacementTest : public DisplacementTest {
  protected:
    static passes::DisplacedSurface bent(Graph& g, DisplacementShape shape, float bend) {
        const Image map = g.add(passes::MakeDisplacement{
                                    .shape = shape, .width = 257, .height = 257, .bend = bend})
                              .result;
        const Buffer patches =
            g.add(passes::MakePatches{.columns = 1, .rows = 1, .size = {1.0f, 1.0f}}).patches;
        return g.add(passes::DisplaceSurface{.patches = patches, .map = map, .level = 7}).surface;
    }
    /// Rays from above, one a pixel of a square of this half side.
    static std::vector<RayRecord> from_above(float half) {
        std::vector<RayRecord> rays;
        for (std::uint32_t y = 0; y < kSide; ++y)
            for (std::uint32_t x = 0; x < kSide; ++x) {
                const auto at = [&](std::uint32_t k) {
                    return half * ((static_cast<float>(k) + 0.5f) / kSide * 2.0f - 1.0f);
                };
                rays.push_back({.origin = {at(x), 2.0f, at(y)},
                                .t_max = 10.0f,
                                .direction = {0.0f, -1.0f, 0.0f}});
            }
        return rays;
    }
};

// Check: the depth of each pixel, with overhangs below the equator that rays must not see;
// silhouettes within a pixel.
TEST_F(AnalyticDisplacementTest, DepthsAreThoseOfSphereAndCylinder) {
    constexpr float kBend = 4.4f; // radians from edge to edge: both hang over
    constexpr double kRadius = 1.0 / static_cast<double>(kBend);
    const float half = 1.1f / kBend;
    const auto rays = from_above(half);
    for (const DisplacementShape shape : {DisplacementShape::sphere, DisplacementShape::cylinder}) {
        for (const PatchMethod method : {PatchMethod::descent, PatchMethod::deferred}) {
            Graph g = graph();
            CastDisplaced how{.method = method};
            how.surface = bent(g, shape, kBend);
            how.rays = add_records(g, "rays", rays);
            g.output("hits", g.add(how).hits);
            const auto hits = run(std::move(g)).buffer<HitRecord>("hits");
            double squares = 0.0;
            std::size_t compared = 0;
            const double pixel = 2.0 * static_cast<double>(half) / kSide;
            for (std::size_t i = 0; i < rays.size(); ++i) {
                const double x = static_cast<double>(rays[i].origin.x);
                const double z = static_cast<double>(rays[i].origin.z);
                const double out =
                    shape == DisplacementShape::sphere ? std::hypot(x, z) : std::abs(x);
                const bool hit = hits[i].triangle != ~0u;
                if (out > kRadius + pixel) {
                    EXPECT_FALSE(hit) << i;
                }
                if (out > kRadius - pixel) continue;
                ASSERT_TRUE(hit) << i;
                const double up = std::sqrt(kRadius * kRadius - out * out);
                if (up / kRadius < 0.3)
                    continue; // a grazing ray sees the facets' depth, not their error
                const double expected = 2.0 + kRadius - up;
                squares += std::pow(static_cast<double>(hits[i].t) - expected, 2);
                ++compared;
            }
            EXPECT_GT(compared, kSide * kSide / 2);
            // Facets of 1/128 lie below the surface by (1/128)^2 / (8 radius) = 3e-5 at most, along
            // a ray by up to three times as much.
            EXPECT_LT(std::sqrt(squares / static_cast<double>(compared)), 1e-4);
        }
    }
}

// Check: normals of displacement/draw are those of the sphere.
TEST_F(AnalyticDisplacementTest, NormalsAreThoseOfTheSphere) {
    constexpr float kBend = 3.0f;
    Graph g = graph();
    passes::DrawDisplaced draw{.surface = bent(g, DisplacementShape::sphere, kBend),
                               .width = kSide,
                               .height = kSide,
                               .view = passes::DisplacedView::normals,
                               .pixels = 0.0f};
    draw.camera.mode = passes::CameraMode::free;
    draw.camera.position = {0.0f, 2.0f, 0.0f};
    draw.camera.target = {0.0f, -1.0f / kBend, 0.0f};
    draw.camera.up = {0.0f, 0.0f, -1.0f};
    draw.camera.vertical_fov = 14.0f;
    g.output("color", g.add(draw).color);
    Running running = run(std::move(g));
    const HostImage image = running.image("color");
    ASSERT_FALSE(image.empty());
    double squares = 0.0;
    std::size_t compared = 0;
    const double spread = std::tan(glm::radians(7.0));
    const glm::dvec3 center(0.0, -1.0 / static_cast<double>(kBend), 0.0);
    const double radius = 1.0 / static_cast<double>(kBend);
    for (std::uint32_t y = 0; y < kSide; ++y)
        for (std::uint32_t x = 0; x < kSide; ++x) {
            const auto clip = [](std::uint32_t k) { return (k + 0.5) / kSide * 2.0 - 1.0; };
            const glm::dvec3 eye(0.0, 2.0, 0.0);
            const glm::dvec3 way =
                glm::normalize(glm::dvec3(spread * clip(x), -1.0, spread * clip(y)));
            const glm::dvec3 from = eye - center;
            const double b = glm::dot(from, way);
            const double inside = b * b - glm::dot(from, from) + radius * radius;
            if (inside < 0.0) continue;
            const glm::dvec3 normal = (from + (-b - std::sqrt(inside)) * way) / radius;
            if (normal.y < std::cos(0.45 * static_cast<double>(kBend)) || normal.y < 0.3) continue;
            const auto texel = image.texel(x, y);
            for (std::size_t c = 0; c < 3; ++c)
                squares += std::pow(
                    2.0 * static_cast<double>(texel[c]) - 1.0 - normal[static_cast<int>(c)], 2);
            compared += 3;
        }
    EXPECT_GT(compared, kSide * kSide);
    // Half floats of up to 1 tell steps of 5e-4, doubled; differences over a cell bend by half a
    // cell.
    EXPECT_LT(std::sqrt(squares / static_cast<double>(compared)), 2e-3);
}

} // namespace
} // namespace tuff
