#pragma once

#include "apps/bench/case.hpp"
#include "passes/geometry/triangle_mesh.hpp"

#include <glm/vec3.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <string_view>

namespace tuff::bench {

/// Triangles of a closed, wavy ring, two a vertex, as scans have them: neighbours in memory are
/// neighbours on the surface.
class RingMesh {
  public:
    explicit RingMesh(std::uint64_t triangles, float wave = 0.1f)
        : triangles_(triangles), wave_(wave) {
        while (2 * side_ * side_ < triangles)
            ++side_;
    }
    std::uint64_t size() const { return triangles_; }
    std::uint64_t vertices() const { return side_ * side_; }

    /// As inputs of a case, called "name.positions" and "name.indices".
    passes::TriangleMesh mesh(CaseBuilder& c, std::string_view name = "ring") const {
        passes::TriangleMesh mesh;
        const std::string prefix(name);
        mesh.positions =
            c.input<glm::vec3>(prefix + ".positions", vertices(), [&](std::uint64_t i) {
                 return position(i);
             }).buffer;
        mesh.indices = c.input<glm::uvec3>(prefix + ".indices", triangles_, [&](std::uint64_t i) {
                            return triangle(i);
                        }).buffer;
        mesh.vertex_count = static_cast<std::uint32_t>(vertices());
        mesh.triangle_count = static_cast<std::uint32_t>(triangles_);
        return mesh;
    }
    glm::vec3 position(std::uint64_t vertex) const {
        const auto turn = static_cast<float>(2.0 * std::numbers::pi / static_cast<double>(side_));
        const float u = static_cast<float>(vertex % side_) * turn;
        const float v = static_cast<float>(vertex / side_) * turn;
        const float tube = 0.4f + wave_ * std::sin(9.0f * u) * std::cos(7.0f * v);
        const float around = 1.0f + tube * std::cos(u);
        return {around * std::cos(v), tube * std::sin(u), around * std::sin(v)};
    }
    /// Its vertices.
    glm::uvec3 triangle(std::uint64_t i) const {
        const std::uint64_t x = i / 2 % side_;
        const std::uint64_t y = i / 2 / side_;
        const auto at = [&](std::uint64_t dx, std::uint64_t dy) {
            return static_cast<std::uint32_t>((x + dx) % side_ + (y + dy) % side_ * side_);
        };
        return i % 2 == 0 ? glm::uvec3(at(0, 0), at(1, 0), at(0, 1))
                          : glm::uvec3(at(1, 0), at(1, 1), at(0, 1));
    }
    std::array<glm::vec3, 3> corners(std::uint64_t i) const {
        const glm::uvec3 of = triangle(i);
        return {position(of.x), position(of.y), position(of.z)};
    }

  private:
    std::uint64_t triangles_;
    float wave_;
    std::uint64_t side_ = 1;
};

} // namespace tuff::bench
