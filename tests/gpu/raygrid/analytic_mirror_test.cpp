#include "tests/gpu/raygrid/raygrid_test.hpp"

#include <glm/geometric.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <optional>

/// Check "analytic": rays that a floor mirrors, against closed forms.
namespace tuff {
namespace {

using passes::CastThroughGrid;
using passes::TriangleGrid;
using passes::VoxelizeTriangles;
using testing_gpu::GridHitHost;
using testing_gpu::GridMesh;
using testing_gpu::GridRayHost;
using testing_gpu::Running;

constexpr double kMiddleHeight = 1.3;
const glm::dvec3 kMiddle(0.3, kMiddleHeight, -0.4); // of the sphere
constexpr double kSphereRadius = 0.7;
constexpr std::uint32_t kRings = 48;
constexpr std::uint32_t kFloorTriangles = 2;
constexpr std::uint32_t kCeilingTriangles = 2;

/// A floor in y = 0, a ceiling in y = 3 + x / 8, and a sphere between both.
GridMesh mirror_scene() {
    GridMesh mesh;
    mesh.add_quad({-4.0f, 0.0f, -4.0f}, {0.0f, 0.0f, 8.0f}, {8.0f, 0.0f, 0.0f});
    mesh.add_quad({-8.0f, 2.0f, -8.0f}, {16.0f, 2.0f, 0.0f}, {0.0f, 0.0f, 16.0f});
    const auto at = [](std::uint32_t ring, std::uint32_t part) {
        const double up = std::numbers::pi * ring / kRings;
        const double around = std::numbers::pi * part / kRings;
        return glm::vec3(kMiddle + kSphereRadius * glm::dvec3(std::sin(up) * std::cos(around),
                                                              std::cos(up),
                                                              std::sin(up) * std::sin(around)));
    };
    for (std::uint32_t ring = 0; ring < kRings; ++ring)
        for (std::uint32_t part = 0; part < 2 * kRings; ++part) {
            if (ring + 1 < kRings)
                mesh.add(at(ring, part), at(ring + 1, part + 1), at(ring + 1, part));
            if (ring > 0) mesh.add(at(ring, part), at(ring, part + 1), at(ring + 1, part + 1));
        }
    return mesh;
}

struct Met {
    double t = 0.0;
    double cosine = 0.0;
};
std::optional<Met> met_sphere(glm::dvec3 o, glm::dvec3 d) {
    const glm::dvec3 from = o - kMiddle;
    const double a = glm::dot(d, d);
    const double b = glm::dot(from, d);
    const double root = b * b - a * (glm::dot(from, from) - kSphereRadius * kSphereRadius);
    if (root <= 0.0) return {};
    const double t = (-b - std::sqrt(root)) / a;
    const glm::dvec3 normal = (from + t * d) / kSphereRadius;
    return Met{t, std::abs(glm::dot(normal, d)) / std::sqrt(a)};
}
/// How far from the middle the line passes.
double distance_of_line(glm::dvec3 o, glm::dvec3 d) {
    return glm::length(glm::cross(kMiddle - o, d)) / glm::length(d);
}

class RayGridMirror : public testing_gpu::RayGridTest {
  protected:
    std::vector<GridHitHost> hits(const GridMesh& host, const std::vector<GridRayHost>& all) {
        Graph g = graph();
        const TriangleGrid grid =
            g.add(VoxelizeTriangles{.mesh = mesh(g, host), .parameters = {.dims = glm::uvec3(32)}})
                .grid;
        g.output("hits", g.add(CastThroughGrid{.grid = grid, .rays = rays(g, all)}).hits);
        Running running = run(std::move(g));
        if (!running) return {};
        return running.buffer<GridHitHost>("hits");
    }
};

TEST_F(RayGridMirror, RaysMirroredByAFloorHitWhatClosedFormsSay) {
    constexpr double kNear = 2e-5; // of t
    const GridMesh scene = mirror_scene();
    constexpr int kSide = 40;
    std::vector<GridRayHost> seen;
    for (int y = 0; y < kSide; ++y)
        for (int x = 0; x < kSide; ++x) {
            GridRayHost ray;
            ray.origin = {0.2f, 1.9f, 3.7f};
            const glm::vec3 aim(-2.0f + 0.1f * static_cast<float>(x) + 0.013f, 0.0f,
                                -2.5f + 0.14f * static_cast<float>(y) + 0.007f);
            ray.direction = aim - ray.origin;
            seen.push_back(ray);
        }
    const std::vector<GridHitHost> first = hits(scene, seen);
    ASSERT_EQ(first.size(), seen.size());
    // What lies between a triangle of the sphere and the sphere.
    const double sagitta = kSphereRadius * (1.0 - std::cos(std::numbers::pi / kRings));
    std::vector<GridRayHost> mirrored;
    for (std::size_t i = 0; i < seen.size(); ++i) {
        const glm::dvec3 o(seen[i].origin);
        const glm::dvec3 d(seen[i].direction);
        if (distance_of_line(o, d) < 1.01 * kSphereRadius) continue; // may meet it first
        const double t = -o.y / d.y;
        ASSERT_LT(first[i].triangle, kFloorTriangles) << i;
        ASSERT_NEAR(std::bit_cast<float>(first[i].t), t, kNear * t) << i;
        const glm::uvec3 of = scene.triangles[first[i].triangle];
        const glm::dvec3 a(scene.positions[of.x]);
        const glm::dvec3 normal = glm::normalize(glm::cross(glm::dvec3(scene.positions[of.y]) - a,
                                                            glm::dvec3(scene.positions[of.z]) - a));
        ASSERT_LT(glm::length(normal - glm::dvec3(0.0, 1.0, 0.0)), 1e-4);
        // From where the device found the hit, as passes that mirror rays do.
        const glm::dvec3 at = o + static_cast<double>(std::bit_cast<float>(first[i].t)) * d;
        mirrored.push_back({.origin = at,
                            .direction = d - 2.0 * glm::dot(d, normal) * normal,
                            .leaves = first[i].triangle});
    }
    const std::vector<GridHitHost> second = hits(scene, mirrored);
    ASSERT_EQ(second.size(), mirrored.size());
    std::size_t ties = 0;
    EXPECT_EQ(testing_gpu::fault_in_hits(scene, mirrored, second, ties), "");
    std::size_t on_sphere = 0;
    std::size_t on_ceiling = 0;
    for (std::size_t i = 0; i < mirrored.size(); ++i) {
        const glm::dvec3 o(mirrored[i].origin);
        const glm::dvec3 d(mirrored[i].direction);
        const double passes_at = distance_of_line(o, d);
        if (std::abs(passes_at - kSphereRadius) < 0.1 * kSphereRadius) continue; // grazes it
        const double t = std::bit_cast<float>(second[i].t);
        if (const auto met = met_sphere(o, d)) {
            ++on_sphere;
            ASSERT_GE(second[i].triangle, kFloorTriangles + kCeilingTriangles) << i;
            const double off = 1.1 * sagitta / (met->cosine * glm::length(d));
            ASSERT_GE(t, met->t * (1.0 - kNear)) << i; // its triangles lie within
            ASSERT_LE(t, met->t * (1.0 + kNear) + off) << i;
        } else {
            const double expected = (3.0 + o.x / 8.0 - o.y) / (d.y - d.x / 8.0);
            const glm::dvec3 at = o + expected * d;
            if (std::max(std::abs(at.x), std::abs(at.z)) > 7.9) continue; // beyond the ceiling
            ++on_ceiling;
            ASSERT_GE(second[i].triangle, kFloorTriangles) << i;
            ASSERT_LT(second[i].triangle, kFloorTriangles + kCeilingTriangles) << i;
            ASSERT_NEAR(t, expected, kNear * expected) << i;
        }
    }
    EXPECT_GT(on_sphere, 50u);
    EXPECT_GT(on_ceiling, 300u);
}

} // namespace
} // namespace tuff
