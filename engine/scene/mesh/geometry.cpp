#include "scene/mesh/geometry.hpp"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tuff {

bool is_finite(glm::vec3 v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

bool is_finite(const glm::mat4& m) {
    for (int c = 0; c < 4; ++c)
        if (!is_finite(glm::vec3(m[c])) || !std::isfinite(m[c].w)) return false;
    return true;
}

glm::vec3 area_normal(const Vertex& a, const Vertex& b, const Vertex& c) {
    return 0.5f * glm::cross(b.position - a.position, c.position - a.position);
}

glm::vec3 unit_or(glm::vec3 v, glm::vec3 fallback) {
    const float largest = std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
    if (!(largest > 0.0f) || !std::isfinite(largest)) return fallback;
    return glm::normalize(v / largest);
}

std::uint32_t pack_unorm16(float low, float high) {
    const auto bits = [](float v) {
        const float clean = std::isnan(v) ? 0.0f : std::clamp(v, 0.0f, 1.0f);
        return static_cast<std::uint32_t>(std::lround(clean * 65535.0f));
    };
    return bits(low) | bits(high) << 16;
}

void make_flat(Geometry& geometry) {
    std::vector<Vertex> split;
    split.reserve(geometry.indices.size());
    for (std::size_t i = 0; i < geometry.indices.size(); i += 3) {
        Vertex corners[3];
        for (std::size_t c = 0; c < 3; ++c)
            corners[c] = geometry.vertices[geometry.indices[i + c]];
        const glm::vec3 normal =
            unit_or(area_normal(corners[0], corners[1], corners[2]), {0.0f, 0.0f, 1.0f});
        for (Vertex& corner : corners) {
            corner.normal = normal;
            split.push_back(corner);
        }
    }
    geometry.vertices = std::move(split);
    std::iota(geometry.indices.begin(), geometry.indices.end(), 0u);
}

void make_smooth(Geometry& geometry) {
    for (Vertex& vertex : geometry.vertices)
        vertex.normal = glm::vec3(0.0f);
    repair_normals(geometry);
}

std::size_t repair_normals(Geometry& geometry) {
    std::vector<bool> bad(geometry.vertices.size());
    std::size_t count = 0;
    for (std::size_t i = 0; i < geometry.vertices.size(); ++i) {
        Vertex& vertex = geometry.vertices[i];
        vertex.normal =
            is_finite(vertex.normal) ? unit_or(vertex.normal, glm::vec3(0.0f)) : glm::vec3(0.0f);
        bad[i] = vertex.normal == glm::vec3(0.0f);
        count += bad[i];
    }
    if (count == 0) return 0;
    for (std::size_t i = 0; i < geometry.indices.size(); i += 3) {
        const std::uint32_t* corner = &geometry.indices[i];
        const glm::vec3 normal =
            area_normal(geometry.vertices[corner[0]], geometry.vertices[corner[1]],
                        geometry.vertices[corner[2]]);
        for (int c = 0; c < 3; ++c)
            if (bad[corner[c]]) geometry.vertices[corner[c]].normal += normal;
    }
    for (std::size_t i = 0; i < geometry.vertices.size(); ++i)
        if (bad[i])
            geometry.vertices[i].normal = unit_or(geometry.vertices[i].normal, {0.0f, 0.0f, 1.0f});
    return count;
}

} // namespace tuff
