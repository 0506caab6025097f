#include "tests/gpu/voxel/voxel_meshes.hpp"

#include <glm/geometric.hpp>
#include <glm/vec3.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>

namespace tuff::testing_gpu {
namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;

/// Between 0 and 1, the same in every standard library.
float unit(std::mt19937& random) {
    return static_cast<float>(random() >> 8) * 0x1p-24f;
}

/// Quads between neighbours of a closed net of `u` * `v` vertices.
void add_net(TriangleSoup& soup, std::uint32_t u, std::uint32_t v) {
    for (std::uint32_t i = 0; i < u; ++i)
        for (std::uint32_t j = 0; j < v; ++j) {
            const std::uint32_t a = i * v + j;
            const std::uint32_t b = i * v + (j + 1) % v;
            const std::uint32_t c = (i + 1) % u * v + j;
            const std::uint32_t d = (i + 1) % u * v + (j + 1) % v;
            for (const std::uint32_t index : {a, c, b, b, c, d})
                soup.indices.push_back(index);
        }
}

glm::dvec3 knot(double t) {
    const double around = 2.0 + std::cos(3.0 * t);
    return glm::dvec3(around * std::cos(2.0 * t), std::sin(3.0 * t), around * std::sin(2.0 * t)) /
           3.5;
}

} // namespace

void TriangleSoup::add(glm::vec3 a, glm::vec3 b, glm::vec3 c) {
    for (const glm::vec3& p : {a, b, c}) {
        indices.push_back(static_cast<std::uint32_t>(positions.size()));
        positions.push_back(p);
    }
}

void TriangleSoup::append(const TriangleSoup& other) {
    const auto base = static_cast<std::uint32_t>(positions.size());
    positions.insert(positions.end(), other.positions.begin(), other.positions.end());
    for (const std::uint32_t index : other.indices)
        indices.push_back(base + index);
}

TriangleSoup box_soup(glm::vec3 low, glm::vec3 high) {
    TriangleSoup soup;
    for (std::uint32_t corner = 0; corner < 8; ++corner)
        soup.positions.emplace_back((corner & 1) != 0 ? high.x : low.x,
                                    (corner & 2) != 0 ? high.y : low.y,
                                    (corner & 4) != 0 ? high.z : low.z);
    soup.indices = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                    2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};
    return soup;
}

TriangleSoup torus_knot_soup(std::uint32_t segments, std::uint32_t sides, glm::vec3 center,
                             float scale) {
    TriangleSoup soup;
    for (std::uint32_t i = 0; i < segments; ++i) {
        const double t = kTurn * i / segments;
        const glm::dvec3 middle = knot(t);
        const glm::dvec3 along = glm::normalize(knot(t + 1e-3) - knot(t - 1e-3));
        const glm::dvec3 right = glm::normalize(glm::cross(along, glm::dvec3(0.1, 1.0, 0.2)));
        const glm::dvec3 up = glm::cross(right, along);
        for (std::uint32_t j = 0; j < sides; ++j) {
            const double s = kTurn * j / sides;
            const glm::dvec3 at = middle + 0.14 * (std::cos(s) * right + std::sin(s) * up);
            soup.positions.push_back(center + scale * glm::vec3(at));
        }
    }
    add_net(soup, segments, sides);
    return soup;
}

TriangleSoup sphere_soup(glm::vec3 center, float radius, std::uint32_t rings) {
    TriangleSoup soup;
    const std::uint32_t around = 2 * rings;
    const auto at = [&](std::uint32_t ring, std::uint32_t step) {
        const double polar = 0.5 * kTurn * ring / rings;
        const double turn = kTurn * (step % around) / around;
        return center + radius * glm::vec3(std::sin(polar) * std::cos(turn), std::cos(polar),
                                           std::sin(polar) * std::sin(turn));
    };
    soup.positions = {at(0, 0), center - glm::vec3(0.0f, radius, 0.0f)};
    for (std::uint32_t ring = 1; ring < rings; ++ring)
        for (std::uint32_t step = 0; step < around; ++step)
            soup.positions.push_back(at(ring, step));
    const auto index = [&](std::uint32_t ring, std::uint32_t step) {
        if (ring == 0) return 0u;
        return ring == rings ? 1u : 2 + (ring - 1) * around + step % around;
    };
    for (std::uint32_t ring = 0; ring < rings; ++ring)
        for (std::uint32_t step = 0; step < around; ++step) {
            const std::uint32_t a = index(ring, step);
            const std::uint32_t b = index(ring, step + 1);
            const std::uint32_t c = index(ring + 1, step);
            const std::uint32_t d = index(ring + 1, step + 1);
            if (ring > 0) soup.indices.insert(soup.indices.end(), {a, b, d});
            if (ring + 1 < rings) soup.indices.insert(soup.indices.end(), {a, d, c});
        }
    return soup;
}

TriangleSoup random_soup(std::uint32_t count, glm::vec3 low, glm::vec3 high, float size, float step,
                         std::uint32_t seed) {
    std::mt19937 random(seed);
    TriangleSoup soup;
    const auto stepped = [&](float x) { return std::round(x / step) * step; };
    for (std::uint32_t t = 0; t < count; ++t) {
        std::array<glm::vec3, 3> p;
        for (int axis = 0; axis < 3; ++axis) {
            const float middle = low[axis] + (high[axis] - low[axis]) * unit(random);
            for (glm::vec3& corner : p)
                corner[axis] = stepped(middle + size * (unit(random) - 0.5f));
        }
        const int axis = static_cast<int>(random() % 3);
        if (t % 5 == 0) p[1][axis] = p[0][axis];
        if (t % 10 == 0) p[2][axis] = p[0][axis];
        if (t % 9 == 0) p[2] = p[0] + 0.5f * (p[1] - p[0]);
        if (t % 18 == 0) p[2] = p[1] = p[0];
        soup.add(p[0], p[1], p[2]);
    }
    return soup;
}

TriangleSoup shuffled(const TriangleSoup& soup, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<std::uint32_t> order(soup.triangles());
    std::iota(order.begin(), order.end(), 0u);
    for (std::size_t i = order.size(); i > 1; --i)
        std::swap(order[i - 1], order[random() % i]);
    TriangleSoup result{.positions = soup.positions, .indices = {}};
    for (const std::uint32_t t : order) {
        const std::uint32_t turn = static_cast<std::uint32_t>(random() % 3);
        std::array<std::uint32_t, 3> corners;
        for (std::uint32_t c = 0; c < 3; ++c)
            corners[c] = soup.indices[3 * t + (c + turn) % 3];
        if (t % 2 == 0) std::swap(corners[1], corners[2]);
        result.indices.insert(result.indices.end(), corners.begin(), corners.end());
    }
    return result;
}

TriangleSoup flipped(TriangleSoup soup) {
    for (std::size_t t = 0; t < soup.triangles(); ++t)
        std::swap(soup.indices[3 * t + 1], soup.indices[3 * t + 2]);
    return soup;
}

TriangleSoup moved(TriangleSoup soup, glm::vec3 by) {
    for (glm::vec3& p : soup.positions)
        p += by;
    return soup;
}

double volume(const TriangleSoup& soup) {
    double sum = 0.0;
    for (std::size_t t = 0; t < soup.triangles(); ++t) {
        const glm::dvec3 a(soup.positions[soup.indices[3 * t]]);
        const glm::dvec3 b(soup.positions[soup.indices[3 * t + 1]]);
        const glm::dvec3 c(soup.positions[soup.indices[3 * t + 2]]);
        sum += glm::dot(a, glm::cross(b, c)) / 6.0;
    }
    return std::abs(sum);
}

} // namespace tuff::testing_gpu
