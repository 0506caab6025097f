#include "scene/mesh/polygons.hpp"

#include <glm/geometric.hpp>
#include <glm/vec2.hpp>

#include <cmath>
#include <numeric>

namespace tuff {
namespace {

double crossed(glm::dvec2 a, glm::dvec2 b) {
    return a.x * b.y - a.y * b.x;
}

/// The polygon seen along its normal (by Newell's sums), so that it turns counter-clockwise.
std::vector<glm::dvec2> flattened(std::span<const glm::vec3> corners) {
    glm::dvec3 normal(0.0);
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const glm::dvec3 a(corners[i]);
        const glm::dvec3 b(corners[(i + 1) % corners.size()]);
        normal += glm::cross(a, b);
    }
    const glm::dvec3 size = glm::abs(normal);
    const int axis = size.x > size.y && size.x > size.z ? 0 : size.y > size.z ? 1 : 2;
    std::vector<glm::dvec2> flat;
    for (const glm::vec3& corner : corners) {
        const glm::dvec2 seen(corner[(axis + 1) % 3], corner[(axis + 2) % 3]);
        flat.emplace_back(normal[axis] < 0.0 ? glm::dvec2(seen.y, seen.x) : seen);
    }
    return flat;
}

bool is_inside(glm::dvec2 p, glm::dvec2 a, glm::dvec2 b, glm::dvec2 c) {
    return crossed(b - a, p - a) >= 0.0 && crossed(c - b, p - b) >= 0.0 &&
           crossed(a - c, p - c) >= 0.0;
}

/// Whether the corner `at` of what is left can be cut off: it turns to the left, and no other
/// corner lies in its triangle.
bool is_ear(std::span<const glm::dvec2> flat, std::span<const std::uint32_t> left, std::size_t at) {
    const std::size_t count = left.size();
    const std::uint32_t before = left[(at + count - 1) % count];
    const std::uint32_t after = left[(at + 1) % count];
    const glm::dvec2 a = flat[before];
    const glm::dvec2 b = flat[left[at]];
    const glm::dvec2 c = flat[after];
    if (crossed(b - a, c - b) <= 0.0) return false;
    for (const std::uint32_t other : left) {
        const glm::dvec2 p = flat[other];
        if (p != a && p != b && p != c && is_inside(p, a, b, c)) return false;
    }
    return true;
}

} // namespace

std::vector<std::uint32_t> triangulate(std::span<const glm::vec3> corners) {
    std::vector<std::uint32_t> triangles;
    if (corners.size() < 3) return triangles;
    std::vector<std::uint32_t> left(corners.size());
    std::iota(left.begin(), left.end(), 0u);
    if (corners.size() > 3 && corners.size() <= kMaxConcaveCorners) {
        const std::vector<glm::dvec2> flat = flattened(corners);
        std::size_t tried = 0; // without an ear: the polygon overlaps itself or has no area
        for (std::size_t at = 0; left.size() > 3 && tried < left.size();) {
            at %= left.size();
            if (!is_ear(flat, left, at)) {
                ++at;
                ++tried;
                continue;
            }
            const std::size_t count = left.size();
            triangles.insert(triangles.end(),
                             {left[(at + count - 1) % count], left[at], left[(at + 1) % count]});
            left.erase(left.begin() + static_cast<std::ptrdiff_t>(at));
            ++at; // the neighbour's turn is later, which keeps triangles from being slivers
            tried = 0;
        }
    }
    for (std::size_t i = 1; i + 1 < left.size(); ++i)
        triangles.insert(triangles.end(), {left[0], left[i], left[i + 1]});
    return triangles;
}

} // namespace tuff
