#pragma once

#include "passes/terrain/bisection.hpp"
#include "passes/terrain/surface.hpp"

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <vector>

namespace tuff {

/// A surface in double precision.
struct TrueSurface {
    passes::Surface surface; ///< numbers only
    std::vector<float> map;  ///< of kind `heights`, row by row
    std::uint32_t map_width = 0;
    std::uint32_t map_height = 0;

    glm::dvec3 base(glm::dvec2 uv) const;
    double height(glm::dvec2 uv) const; ///< of grounds
    glm::dvec3 point(glm::dvec2 uv) const;
    /// As shaders/terrain/surface.glsl finds them, by looking at all heights.
    glm::dvec2 bounds(glm::vec2 low, glm::vec2 high) const;
    double span() const;
};

/// A place of the surface, the same for all squares and ends that meet there.
using SurfacePlace = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;
SurfacePlace place_of(passes::SurfaceKind kind, std::uint32_t face, glm::u64vec2 at);

/// A triangle by its corners, in units of 2^-31 of the square; longest edge from a to c.
struct TrueTriangle {
    std::uint64_t node = 0; ///< as shaders/terrain/bisection.glsl numbers them
    std::uint32_t level = 0;
    std::uint32_t face = 0;
    glm::u64vec2 a{0};
    glm::u64vec2 b{0};
    glm::u64vec2 c{0};
    glm::u64vec2 middle() const { return (a + c) / std::uint64_t{2}; }
    TrueTriangle child(std::uint32_t right) const;
};
TrueTriangle triangle_at(std::uint64_t node, std::uint32_t root_bits);

/// Longest edge bisection as Rivara has it, recursively, in double precision: which leaves lie
/// beside an edge is looked up by the edge.
class TrueBisection {
  public:
    TrueBisection(const TrueSurface& surface, std::uint32_t max_level);
    /// Cuts until no leaf is to be cut.
    void refine(glm::dvec3 eye, double pixels_at_1, double edge_pixels);
    std::set<std::uint64_t> leaves() const;
    /// The least that a comparison was from being the other way, as a share.
    double least_margin() const { return least_margin_; }

    /// How much longer its longest edge looks than it may, over it; above 0 it is cut.
    double excess(const TrueTriangle& t, glm::dvec3 eye, double scale) const;

  private:
    void add(const TrueTriangle& t);
    void remove(const TrueTriangle& t);
    void cut(const TrueTriangle& t);

    const TrueSurface& surface_;
    std::uint32_t max_level_;
    std::uint32_t root_bits_;
    std::map<std::uint64_t, TrueTriangle> leaves_;
    std::map<SurfacePlace, std::set<std::uint64_t>> beside_; ///< leaves by middles of edges
    double least_margin_ = 1.0;
};

/// Edges of leaves, by the middles: how many leaves have each, and whether one has it as its
/// longest. Without T-junctions every edge inside has two.
struct EdgeCounts {
    std::uint32_t once = 0;   ///< and not at the border of the square
    std::uint32_t border = 0; ///< once, at the border
    std::uint32_t twice = 0;
    std::uint32_t more = 0;
};
EdgeCounts edge_counts(passes::SurfaceKind kind, const std::vector<std::uint64_t>& leaves,
                       std::uint32_t root_bits);

} // namespace tuff
