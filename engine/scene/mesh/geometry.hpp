#pragma once

#include <tuff/scene.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

/// What the readers of all kinds of models share.
namespace tuff {

/// A triangle list and its vertices.
struct Geometry {
    std::vector<Vertex> vertices;
    std::vector<std::uint32_t> indices;
    /// Of which vertex of the file each is, where they were split; empty: the same.
    std::vector<std::uint32_t> origins = {};
};

bool is_finite(glm::vec3 v);
bool is_finite(const glm::mat4& m);

/// Half the cross product of two edges: its length is the area.
glm::vec3 area_normal(const Vertex& a, const Vertex& b, const Vertex& c);

/// `v` at unit length; `fallback` when it is too short or not finite. The components are divided by
/// the largest first: squares of lengths around 1e-25 vanish in a float.
glm::vec3 unit_or(glm::vec3 v, glm::vec3 fallback);

/// Two numbers of [0, 1] as `Vertex::color_rg` has them; NaN becomes 0.
std::uint32_t pack_unorm16(float low, float high);

/// One vertex per corner, with the normal of its triangle.
void make_flat(Geometry& geometry);

/// Every vertex gets the mean of its triangles' normals, weighted by their areas.
void make_smooth(Geometry& geometry);

/// Brings normals to unit length; those without a direction become the mean of their triangles'.
/// Returns how many those were.
std::size_t repair_normals(Geometry& geometry);

} // namespace tuff
