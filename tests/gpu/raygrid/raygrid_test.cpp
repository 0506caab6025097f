#include "tests/gpu/raygrid/raygrid_test.hpp"

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <random>

namespace tuff::testing_gpu {
namespace {

float between(std::mt19937& bits, float low, float high) {
    return low + (high - low) * static_cast<float>(bits() >> 8) * 0x1p-24f;
}
glm::vec3 in_cube(std::mt19937& bits, float half) {
    const float x = between(bits, -half, half);
    const float y = between(bits, -half, half);
    return {x, y, between(bits, -half, half)};
}

bool is_finite(glm::vec3 v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

/// Where a line meets a triangle's plane, and how far inside the triangle that is.
struct Meeting {
    double t = 0.0;
    double inside = 0.0; ///< the least weight
    double sine = 0.0;   ///< of the angle between both
    double height = 0.0; ///< the triangle's least
};
std::optional<Meeting> meeting(const GridMesh& mesh, std::uint32_t id, const GridRayHost& ray) {
    const glm::uvec3 of = mesh.triangles[id];
    if (std::max({of.x, of.y, of.z}) >= mesh.positions.size()) return {};
    for (const std::uint32_t i : {of.x, of.y, of.z})
        if (!is_finite(mesh.positions[i])) return {};
    const glm::dvec3 a(mesh.positions[of.x]);
    const glm::dvec3 ab = glm::dvec3(mesh.positions[of.y]) - a;
    const glm::dvec3 ac = glm::dvec3(mesh.positions[of.z]) - a;
    const glm::dvec3 o(ray.origin);
    const glm::dvec3 d(ray.direction);
    const glm::dvec3 normal = glm::cross(ab, ac);
    const double area = glm::length(normal);
    const double determinant = -glm::dot(d, normal);
    if (area == 0.0 || determinant == 0.0) return {};
    const glm::dvec3 across = glm::cross(o - a, d);
    const double b = glm::dot(ac, across) / determinant;
    const double c = -glm::dot(ab, across) / determinant;
    const double longest = std::max({glm::length(ab), glm::length(ac), glm::length(ab - ac)});
    return Meeting{.t = glm::dot(o - a, normal) / determinant,
                   .inside = std::min({1.0 - b - c, b, c}),
                   .sine = std::abs(determinant) / (area * glm::length(d)),
                   .height = area / longest};
}

} // namespace

void GridMesh::add(glm::vec3 a, glm::vec3 b, glm::vec3 c) {
    const auto first = static_cast<std::uint32_t>(positions.size());
    positions.insert(positions.end(), {a, b, c});
    triangles.emplace_back(first, first + 1, first + 2);
}

void GridMesh::add_quad(glm::vec3 corner, glm::vec3 along, glm::vec3 across) {
    add(corner, corner + along, corner + along + across);
    add(corner, corner + along + across, corner + across);
}

GridMesh scattered(std::size_t triangles, float size, std::uint32_t seed) {
    std::mt19937 bits(seed);
    GridMesh mesh;
    for (std::size_t i = 0; i < triangles; ++i) {
        const glm::vec3 a = in_cube(bits, 1.0f);
        // A few are as large as all together.
        const float reach = i % 37 == 0 ? 2.0f : size;
        const glm::vec3 b = a + in_cube(bits, reach);
        mesh.add(a, b, a + in_cube(bits, reach));
    }
    return mesh;
}

GridMesh room_with_sphere(float half, float radius) {
    GridMesh mesh;
    for (int axis = 0; axis < 3; ++axis) {
        glm::vec3 along(0.0f);
        glm::vec3 across(0.0f);
        along[(axis + 1) % 3] = 2.0f * half;
        across[(axis + 2) % 3] = 2.0f * half;
        glm::vec3 corner(-half);
        mesh.add_quad(corner, along, across);
        corner[axis] = half;
        mesh.add_quad(corner, across, along);
    }
    constexpr int kRings = 8;
    const auto at = [&](int ring, int part) {
        const float up = 3.14159265f * static_cast<float>(ring) / kRings;
        const float around = 3.14159265f * static_cast<float>(part) / kRings;
        return radius * glm::vec3(std::sin(up) * std::cos(around), std::cos(up),
                                  std::sin(up) * std::sin(around));
    };
    for (int ring = 0; ring < kRings; ++ring)
        for (int part = 0; part < 2 * kRings; ++part) {
            mesh.add(at(ring, part), at(ring + 1, part), at(ring + 1, part + 1));
            mesh.add(at(ring, part), at(ring + 1, part + 1), at(ring, part + 1));
        }
    return mesh;
}

std::vector<GridRayHost> scattered_rays(std::size_t count, std::uint32_t seed) {
    std::mt19937 bits(seed);
    std::vector<GridRayHost> rays(count);
    for (GridRayHost& ray : rays) {
        ray.origin = in_cube(bits, 2.0f);
        ray.direction = in_cube(bits, 1.0f) - ray.origin;
    }
    return rays;
}

std::vector<GridRayHost> lattice_rays(glm::vec3 low, glm::vec3 high, glm::uvec3 dims,
                                      std::size_t count, std::uint32_t seed) {
    std::mt19937 bits(seed);
    const glm::vec3 cell = (high - low) / glm::vec3(dims);
    const auto below = [&](std::uint32_t end) { return static_cast<std::uint32_t>(bits() % end); };
    constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    std::vector<GridRayHost> rays(count);
    for (std::size_t i = 0; i < count; ++i) {
        GridRayHost& ray = rays[i];
        for (int axis = 0; axis < 3; ++axis) {
            // On a face, in the middle, or anywhere; outside as well.
            const float place = static_cast<float>(below(dims[axis] + 3)) - 1.0f;
            const float within = below(3) == 0 ? 0.5f : below(3) == 0 ? between(bits, 0, 1) : 0.0f;
            ray.origin[axis] = low[axis] + (place + within) * cell[axis];
            // Parallel to axes and planes; zeros of both signs.
            ray.direction[axis] = static_cast<float>(static_cast<int>(below(3)) - 1) *
                                  (below(4) == 0 ? between(bits, 0, 1) : cell[axis]);
            if (ray.direction[axis] == 0.0f && below(2) == 0) ray.direction[axis] = -0.0f;
        }
        if (i % 11 == 0) ray.direction *= 1e-6f;
        if (i % 13 == 0) ray.t_max = 3.0f * static_cast<float>(below(8));
        if (i % 17 == 0) ray.t_max = kInfinity;
        if (i % 19 == 0) ray.leaves = below(64);
        if (i % 97 == 0) ray.direction = glm::vec3(0.0f);
        if (i % 101 == 0) ray.origin.y = kNaN;
        if (i % 103 == 0) ray.direction.x = kInfinity;
        if (i % 107 == 0) ray.t_max = -1.0f;
        if (i % 109 == 0) ray.t_max = kNaN;
    }
    return rays;
}

std::string fault_in_hits(const GridMesh& mesh, const std::vector<GridRayHost>& rays,
                          const std::vector<GridHitHost>& hits, std::size_t& ties) {
    ties = 0;
    for (std::size_t i = 0; i < rays.size(); ++i) {
        const GridRayHost& ray = rays[i];
        double nearest = ray.t_max;
        std::uint32_t triangle = ~0u;
        const bool is_ray = is_finite(ray.origin) && is_finite(ray.direction) && ray.t_max >= 0.0f;
        for (std::uint32_t k = 0; is_ray && k < mesh.triangles.size(); ++k) {
            if (k == ray.leaves) continue;
            const auto met = meeting(mesh, k, ray);
            if (!met || met->inside < 0.0 || met->t < 0.0 || met->t > nearest) continue;
            if (met->t == nearest && triangle != ~0u) continue;
            nearest = met->t;
            triangle = k;
        }
        const double length = glm::length(glm::dvec3(ray.direction));
        const double size = glm::length(glm::dvec3(ray.origin)) + 4.0;
        if (hits[i].triangle == triangle) {
            if (triangle == ~0u) continue;
            const Meeting met = *meeting(mesh, triangle, ray);
            const double off = std::abs(std::bit_cast<float>(hits[i].t) - met.t) * length;
            if (off > 4e-6 * size / std::max(met.sine, 1e-9))
                return fmt::format("ray {}: t {} instead of {}", i, std::bit_cast<float>(hits[i].t),
                                   met.t);
            continue;
        }
        // Both are at one place, or one is passed at its edge, at the ray's ends, or grazed.
        ++ties;
        const auto is_doubtful = [&](std::uint32_t id) {
            if (id == ~0u) return false;
            const auto met = meeting(mesh, id, ray);
            if (!met || met->sine < 1e-5) return true;
            const double rounding = 2e-6 * size / met->sine;
            return std::abs(met->inside) * met->height < rounding ||
                   std::abs(met->t) * length < rounding ||
                   std::abs(met->t - ray.t_max) * length < rounding ||
                   (triangle != ~0u && std::abs(met->t - nearest) * length < rounding &&
                    id != triangle);
        };
        if (!is_doubtful(triangle) && !is_doubtful(hits[i].triangle))
            return fmt::format("ray {} hits triangle {} instead of {} at {}", i,
                               static_cast<int>(hits[i].triangle), static_cast<int>(triangle),
                               nearest);
    }
    return {};
}

passes::TriangleMesh RayGridTest::mesh(Graph& g, const GridMesh& host) {
    GridMesh filled = host;
    if (filled.positions.empty()) filled.positions.emplace_back(0.0f);
    if (filled.triangles.empty()) filled.triangles.emplace_back(0u);
    passes::TriangleMesh mesh;
    mesh.positions =
        g.constant_buffer("positions", {.size = 12 * filled.positions.size(), .stride = 4},
                          bytes_of(filled.positions));
    mesh.indices = g.constant_buffer("indices", {.size = 12 * filled.triangles.size(), .stride = 4},
                                     bytes_of(filled.triangles));
    mesh.vertex_count = static_cast<std::uint32_t>(host.positions.size());
    mesh.triangle_count = static_cast<std::uint32_t>(host.triangles.size());
    return mesh;
}

Buffer RayGridTest::rays(Graph& g, const std::vector<GridRayHost>& host) {
    return g.constant_buffer("rays", {.size = sizeof(GridRayHost) * host.size(), .stride = 4},
                             bytes_of(host));
}

} // namespace tuff::testing_gpu
