#include "passes/displacement/draw.hpp"
#include "passes/displacement/map.hpp"
#include "passes/displacement/patches.hpp"
#include "tests/gpu/displacement/displacement_fixture.hpp"

#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <string>

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
    /// Parallel rays along `direction`, one a pixel of a square of this half side about `middle`.
    static std::vector<RayRecord> parallel(glm::vec3 direction, glm::vec3 middle, float half) {
        const glm::vec3 x = std::abs(direction.y) > 0.9f
                                ? glm::vec3(1.0f, 0.0f, 0.0f)
                                : glm::normalize(glm::cross(direction, glm::vec3(0, 1, 0)));
        const glm::vec3 y = glm::cross(x, direction);
        std::vector<RayRecord> rays;
        for (std::uint32_t j = 0; j < kSide; ++j)
            for (std::uint32_t i = 0; i < kSide; ++i) {
                const auto at = [&](std::uint32_t k) {
                    return half * ((static_cast<float>(k) + 0.5f) / kSide * 2.0f - 1.0f);
                };
                rays.push_back({.origin = middle + at(i) * x + at(j) * y - 2.0f * direction,
                                .t_max = 10.0f,
                                .direction = direction});
            }
        return rays;
    }
};

/// What a ray sees of a sphere, or of a cylinder along z, that a quad of side 1 is bent into.
struct Seen {
    enum { missed, hit, unclear } what = missed; ///< unclear: at a rim, or within a pixel of one
    double t = 0.0;
    bool grazing = false;
    bool overhang = false; ///< below the equator, or inside
};

Seen seen_by(const RayRecord& ray, bool sphere, double bend, double pixel) {
    const double radius = 1.0 / bend;
    const glm::dvec3 direction(ray.direction);
    const glm::dvec3 from = glm::dvec3(ray.origin) + glm::dvec3(0.0, radius, 0.0);
    const glm::dvec3 flat = sphere ? glm::dvec3(1.0) : glm::dvec3(1.0, 1.0, 0.0);
    const double a = glm::dot(direction * flat, direction);
    const double b = glm::dot(from * flat, direction) / a;
    const double out =
        std::sqrt(std::max(glm::dot(from * flat, from) - a * b * b, 0.0)); // of the axis
    if (std::abs(out - radius) < pixel) return {.what = Seen::unclear};
    if (out > radius) return {};
    const double half = std::sqrt((radius * radius - out * out) / a);
    for (const double t : {-b - half, -b + half}) {
        const glm::dvec3 at = from + t * direction;
        // Back to the quad, whose middle is at the top.
        const double angle = std::acos(std::clamp(at.y / radius, -1.0, 1.0));
        const glm::dvec2 outwards =
            sphere ? glm::normalize(glm::dvec2(at.x, at.z)) : glm::dvec2(1.0, 0.0);
        const double x = std::abs(outwards.x) * angle * radius;
        const double z = sphere ? std::abs(outwards.y) * angle * radius : std::abs(at.z);
        const double beyond = std::max(x, z) - 0.5;
        // Near the lower pole, where the corners are, a pixel is a large part of the quad.
        const double margin =
            sphere ? pixel * std::max(angle / std::max(std::sin(angle), 1e-3), 1.0) : pixel;
        if (std::abs(beyond) < margin) return {.what = Seen::unclear};
        if (beyond > 0.0) continue;
        const double facing = glm::dot(at * flat, direction) / radius;
        return {.what = Seen::hit,
                .t = t,
                .grazing = std::abs(facing) < 0.3,
                .overhang = at.y < -0.1 * radius || facing > 0.0};
    }
    return {};
}

// Check: the depth of each pixel from above, from the side and from below, where the surface hangs
// over, and through its hole its inside; silhouettes within a pixel.
TEST_F(AnalyticDisplacementTest, DepthsAreThoseOfSphereAndCylinder) {
    TUFF_ONLY_ON(lavapipe);
    constexpr float kBend = 4.4f; // radians from edge to edge: both hang over
    const float half = 1.1f / kBend;
    const double pixel = 2.0 * static_cast<double>(half) / kSide;
    const glm::vec3 middle(0.0f, -1.0f / kBend, 0.0f);
    const std::array kViews{
        glm::vec3(0.0f, -1.0f, 0.0f), glm::normalize(glm::vec3(-1.0f, 0.1f, 0.0f)),
        glm::normalize(glm::vec3(0.7f, 0.6f, 0.4f)), glm::vec3(0.0f, 1.0f, 0.0f)};
    std::vector<RayRecord> rays;
    for (const glm::vec3 view : kViews)
        std::ranges::copy(parallel(view, middle, half), std::back_inserter(rays));
    for (const DisplacementShape shape : {DisplacementShape::sphere, DisplacementShape::cylinder}) {
        const bool sphere = shape == DisplacementShape::sphere;
        Graph g = graph();
        const passes::DisplacedSurface surface = bent(g, shape, kBend);
        for (const PatchMethod method : {PatchMethod::descent, PatchMethod::deferred}) {
            CastDisplaced how{.method = method};
            how.surface = surface;
            how.rays = add_records(g, "rays", rays);
            const std::string name = method == PatchMethod::descent ? "descent" : "deferred";
            g.output(name, g.add(how, name).hits);
        }
        Running running = run(std::move(g));
        for (const char* name : {"descent", "deferred"}) {
            const auto hits = running.buffer<HitRecord>(name);
            for (std::size_t view = 0; view < kViews.size(); ++view) {
                SCOPED_TRACE(std::string(name) + (sphere ? ", sphere" : ", cylinder") + ", view " +
                             std::to_string(view));
                double squares = 0.0;
                std::size_t compared = 0;
                std::size_t overhangs = 0;
                std::size_t unclear = 0;
                for (std::size_t k = 0; k < kSide * kSide; ++k) {
                    const std::size_t i = view * kSide * kSide + k;
                    const Seen seen = seen_by(rays[i], sphere, static_cast<double>(kBend), pixel);
                    if (seen.what == Seen::unclear) {
                        ++unclear;
                        continue;
                    }
                    ASSERT_EQ(hits[i].triangle != ~0u, seen.what == Seen::hit) << k;
                    // A grazing ray sees the facets' depth, not their error.
                    if (seen.what != Seen::hit || seen.grazing) continue;
                    squares += std::pow(static_cast<double>(hits[i].t) - seen.t, 2);
                    ++compared;
                    overhangs += seen.overhang;
                }
                EXPECT_GT(compared, kSide * kSide / 3);
                EXPECT_LT(unclear, kSide * kSide / 5);
                EXPECT_GE(overhangs, view > 0 ? kSide * kSide / 20 : 0);
                // Facets of 1/128 lie below the surface by (1/128)^2 / (8 radius) = 3e-5 at most,
                // along a ray by up to three times as much.
                EXPECT_LT(std::sqrt(squares / static_cast<double>(compared)), 1e-4);
            }
        }
    }
}

// Check: where cells are as large as a pixel, the silhouette is that of the finest level within a
// pixel. Pixels are several rays wide, and the sphere is few pixels large.
TEST_F(AnalyticDisplacementTest, SilhouettesOfCoarserLevelsAreWithinAPixel) {
    constexpr float kBend = 4.4f;
    const float half = 1.2f / kBend;
    const float between_rays = 2.0f * half / kSide;
    const auto rays =
        parallel(glm::normalize(glm::vec3(0.7f, 0.6f, 0.4f)), {0.0f, -1.0f / kBend, 0.0f}, half);
    constexpr std::array kWidths{0, 2, 6, 12}; // of a pixel, in rays; 0: the finest level
    Graph g = graph();
    const passes::DisplacedSurface surface = bent(g, DisplacementShape::sphere, kBend);
    const Buffer all_rays = add_records(g, "rays", rays);
    for (const int width : kWidths) {
        CastDisplaced how{.spread = static_cast<float>(width) * between_rays / 2.0f,
                          .method = PatchMethod::descent,
                          .with_levels = true};
        how.surface = surface;
        how.rays = all_rays;
        const std::string name = std::to_string(width);
        how = g.add(how, "width" + name);
        g.output(name, how.hits);
        g.output(name + " levels", how.levels);
    }
    Running running = run(std::move(g));
    const auto finest = running.buffer<HitRecord>("0");
    const auto is_hit = [&](int x, int y) {
        return finest[static_cast<std::size_t>(y * int(kSide) + x)].triangle != ~0u;
    };
    std::uint32_t coarsest = 7;
    for (const int width : kWidths) {
        SCOPED_TRACE(width);
        const auto hits = running.buffer<HitRecord>(std::to_string(width));
        for (const std::uint32_t level :
             running.buffer<std::uint32_t>(std::to_string(width) + " levels"))
            coarsest = std::min(coarsest, level);
        for (int y = 0; y < int(kSide); ++y)
            for (int x = 0; x < int(kSide); ++x) {
                const bool hit = hits[static_cast<std::size_t>(y * int(kSide) + x)].triangle != ~0u;
                bool near = false;
                for (int j = -width; j <= width; ++j)
                    for (int i = -width; i <= width; ++i)
                        near = near || is_hit(std::clamp(x + i, 0, int(kSide) - 1),
                                              std::clamp(y + j, 0, int(kSide) - 1)) == hit;
                ASSERT_TRUE(near) << x << ' ' << y;
            }
    }
    EXPECT_LE(coarsest, 4u);
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
