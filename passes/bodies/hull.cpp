#include "passes/bodies/hull.hpp"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/mat3x3.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

namespace tuff::passes {
namespace {

/// Turns a symmetric matrix diagonal by rotations of two axes at a time (C. Jacobi).
void diagonalize(glm::dmat3& matrix, glm::dmat3& vectors) {
    vectors = glm::dmat3(1.0);
    for (int sweep = 0; sweep < 32; ++sweep)
        for (int p = 0; p < 2; ++p)
            for (int q = p + 1; q < 3; ++q) {
                if (std::abs(matrix[p][q]) < 1e-300) continue;
                const double theta = (matrix[q][q] - matrix[p][p]) / (2.0 * matrix[p][q]);
                const double t = (theta >= 0.0 ? 1.0 : -1.0) /
                                 (std::abs(theta) + std::sqrt(theta * theta + 1.0));
                const double c = 1.0 / std::sqrt(t * t + 1.0);
                glm::dmat3 turn(1.0);
                turn[p][p] = turn[q][q] = c;
                turn[q][p] = t * c;
                turn[p][q] = -t * c;
                matrix = glm::transpose(turn) * matrix * turn;
                vectors = vectors * turn;
            }
}

SolidMass mass_of(const Hull& hull) {
    SolidMass mass;
    glm::dmat3 moments(0.0); // integrals of x_i x_j
    for (const Hull::Face& face : hull.faces)
        for (std::size_t k = 2; k < face.vertices.size(); ++k) {
            const std::array<glm::dvec3, 3> v{hull.vertices[face.vertices[0]],
                                              hull.vertices[face.vertices[k - 1]],
                                              hull.vertices[face.vertices[k]]};
            const double six = glm::dot(v[0], glm::cross(v[1], v[2]));
            mass.volume += six / 6.0;
            mass.center += six / 24.0 * (v[0] + v[1] + v[2]);
            const glm::dvec3 sum = v[0] + v[1] + v[2];
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 3; ++j) {
                    double products = sum[i] * sum[j];
                    for (const glm::dvec3& corner : v)
                        products += corner[i] * corner[j];
                    moments[i][j] += six / 120.0 * products;
                }
        }
    mass.center /= mass.volume;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            moments[i][j] -= mass.volume * mass.center[i] * mass.center[j];
    const double trace = moments[0][0] + moments[1][1] + moments[2][2];
    glm::dmat3 inertia = glm::dmat3(trace) - moments;
    glm::dmat3 axes;
    diagonalize(inertia, axes);
    if (glm::determinant(axes) < 0.0) axes[2] = -axes[2];
    mass.inertia = {inertia[0][0], inertia[1][1], inertia[2][2]};
    mass.axes = glm::quat_cast(axes);
    return mass;
}

/// The vertices of a face, in order around its normal.
void order_around(const std::vector<glm::dvec3>& points, Hull::Face& face) {
    glm::dvec3 middle(0.0);
    for (const std::uint32_t v : face.vertices)
        middle += points[v];
    middle /= static_cast<double>(face.vertices.size());
    const glm::dvec3 first = glm::normalize(points[face.vertices[0]] - middle);
    const glm::dvec3 second = glm::cross(face.normal, first);
    const auto angle = [&](std::uint32_t v) {
        const glm::dvec3 from = points[v] - middle;
        return std::atan2(glm::dot(from, second), glm::dot(from, first));
    };
    std::ranges::sort(face.vertices, {}, angle);
    // Points on an edge are no corners.
    std::vector<std::uint32_t> corners;
    const std::size_t n = face.vertices.size();
    for (std::size_t k = 0; k < n; ++k) {
        const glm::dvec3 here = points[face.vertices[k]];
        const glm::dvec3 in = here - points[face.vertices[(k + n - 1) % n]];
        const glm::dvec3 out = points[face.vertices[(k + 1) % n]] - here;
        if (glm::length(glm::cross(in, out)) > 1e-7 * glm::length(in) * glm::length(out))
            corners.push_back(face.vertices[k]);
    }
    face.vertices = std::move(corners);
}

/// Every plane through three points with all others on one side.
std::vector<Hull::Face> faces_of(const std::vector<glm::dvec3>& points, double size) {
    std::vector<Hull::Face> faces;
    const double flat = 1e-6 * size;
    const auto n = static_cast<std::uint32_t>(points.size());
    for (std::uint32_t a = 0; a < n; ++a)
        for (std::uint32_t b = a + 1; b < n; ++b)
            for (std::uint32_t c = b + 1; c < n; ++c) {
                const glm::dvec3 across = glm::cross(points[b] - points[a], points[c] - points[a]);
                if (glm::length(across) < 1e-9 * size * size) continue;
                const glm::dvec3 normal = glm::normalize(across);
                const double distance = glm::dot(normal, points[a]);
                bool above = false;
                bool below = false;
                for (const glm::dvec3& p : points) {
                    const double d = glm::dot(normal, p) - distance;
                    above |= d > flat;
                    below |= d < -flat;
                }
                if (above && below) continue;
                const double sign = above ? -1.0 : 1.0;
                const bool known = std::ranges::any_of(faces, [&](const Hull::Face& face) {
                    return glm::dot(face.normal, sign * normal) > 1.0 - 1e-9 &&
                           std::abs(face.distance - sign * distance) < 2.0 * flat;
                });
                if (known) continue;
                Hull::Face face{
                    .normal = sign * normal, .distance = sign * distance, .vertices = {}};
                for (std::uint32_t v = 0; v < n; ++v)
                    if (std::abs(glm::dot(normal, points[v]) - distance) <= flat)
                        face.vertices.push_back(v);
                faces.push_back(std::move(face));
            }
    return faces;
}

/// Into the frame of the centre and the principal axes, without what is no corner.
void settle(Hull& hull) {
    hull.mass = mass_of(hull);
    std::vector<std::uint32_t> number(hull.vertices.size(), ~0u);
    std::vector<glm::dvec3> kept;
    const glm::dmat3 back = glm::transpose(glm::mat3_cast(hull.mass.axes));
    for (Hull::Face& face : hull.faces) {
        for (std::uint32_t& v : face.vertices) {
            if (number[v] == ~0u) {
                number[v] = static_cast<std::uint32_t>(kept.size());
                kept.push_back(back * (hull.vertices[v] - hull.mass.center));
            }
            v = number[v];
        }
        face.normal = back * face.normal;
        face.distance = glm::dot(face.normal, kept[face.vertices[0]]);
    }
    hull.vertices = std::move(kept);
    for (const Hull::Face& face : hull.faces)
        for (std::size_t k = 0; k < face.vertices.size(); ++k) {
            const glm::dvec3 edge =
                glm::normalize(hull.vertices[face.vertices[(k + 1) % face.vertices.size()]] -
                               hull.vertices[face.vertices[k]]);
            const bool known = std::ranges::any_of(hull.directions, [&](const glm::dvec3& other) {
                return std::abs(glm::dot(edge, other)) > 1.0 - 1e-9;
            });
            if (!known) hull.directions.push_back(edge);
        }
}

glm::vec4 quad_of(glm::dvec3 v, double w = 0.0) {
    return {glm::vec3(v), static_cast<float>(w)};
}

} // namespace

double Hull::radius() const {
    double radius = 0.0;
    for (const glm::dvec3& v : vertices)
        radius = std::max(radius, glm::length(v));
    return radius;
}

glm::dvec3 Hull::half_size() const {
    glm::dvec3 half(0.0);
    for (const glm::dvec3& v : vertices)
        half = glm::max(half, glm::abs(v));
    return half;
}

std::vector<glm::vec4> Hull::quads() const {
    std::vector<glm::vec4> quads;
    quads.push_back(
        std::bit_cast<glm::vec4>(glm::uvec4(vertices.size(), faces.size(), directions.size(), 0u)));
    for (const glm::dvec3& v : vertices)
        quads.push_back(quad_of(v));
    for (const Face& face : faces)
        quads.push_back(quad_of(face.normal, face.distance));
    for (const Face& face : faces) {
        std::array<std::uint32_t, 4> bytes{};
        for (std::size_t k = 0; k < face.vertices.size(); ++k)
            bytes[k / 4] |= face.vertices[k] << (8 * (k % 4));
        bytes[3] |= static_cast<std::uint32_t>(face.vertices.size()) << 24u;
        quads.push_back(std::bit_cast<glm::vec4>(bytes));
    }
    for (const glm::dvec3& d : directions)
        quads.push_back(quad_of(d));
    return quads;
}

std::expected<Hull, std::string> convex_hull(std::span<const glm::vec3> points) {
    Hull hull;
    glm::dvec3 low(1e300);
    glm::dvec3 high(-1e300);
    for (const glm::vec3& point : points) {
        const glm::dvec3 p(point);
        if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z))
            return std::unexpected("a point of it is not finite");
        if (std::ranges::find(hull.vertices, p) == hull.vertices.end()) hull.vertices.push_back(p);
        low = glm::min(low, p);
        high = glm::max(high, p);
    }
    if (hull.vertices.size() < 4) return std::unexpected("it has fewer than four points");
    if (hull.vertices.size() > kMaxHullVertices)
        return std::unexpected(
            fmt::format("it has {} points, more than {}", hull.vertices.size(), kMaxHullVertices));
    const double size = glm::length(high - low);
    hull.faces = faces_of(hull.vertices, size);
    for (Hull::Face& face : hull.faces)
        order_around(hull.vertices, face);
    if (hull.faces.size() < 4 || mass_of(hull).volume < 1e-9 * size * size * size)
        return std::unexpected("its points lie in a plane");
    if (hull.faces.size() > kMaxHullFaces)
        return std::unexpected(
            fmt::format("it has {} faces, more than {}", hull.faces.size(), kMaxHullFaces));
    for (const Hull::Face& face : hull.faces)
        if (face.vertices.size() > kMaxFaceVertices)
            return std::unexpected(fmt::format("a face of it has {} corners, more than {}",
                                               face.vertices.size(), kMaxFaceVertices));
    settle(hull);
    return hull;
}

} // namespace tuff::passes
