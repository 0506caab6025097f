#pragma once

#include <tuff/diagnostic.hpp>

#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

/// Who is next to whom in a cage: found once on the host, for it stays while vertices move.
namespace tuff::passes {

/// Most neighbours of a vertex; two more count at a boundary.
inline constexpr std::uint32_t kMaxCageValence = 32;
/// Sharpness from which on an edge stays sharp at all levels.
inline constexpr float kInfinitelySharp = 10.0f;
/// Sharpness is kept in steps of 1/64; shaders/subdivision/record.glsl.
inline constexpr std::uint32_t kSharpnessUnits = 64;
inline constexpr std::uint32_t kEndlessSharpness = 1023;
/// Link of a record that leads to no record: shaders/subdivision/state.glsl.
inline constexpr std::uint32_t kLinkBoundary = 0xffffffffu;

/// An edge and how sharp it is.
struct CageCrease {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    float sharpness = 0.0f;
    friend bool operator==(const CageCrease&, const CageCrease&) = default;
};

/// What is sharp in a cage.
struct CreaseRules {
    std::vector<CageCrease> creases;
    float angle = 0.0f; ///< degrees; edges whose faces meet at more are creases; 0: none
    float angle_sharpness = kInfinitelySharp; ///< of these
    bool sharp_corners = false;               ///< vertices of a single triangle at a boundary stay
    friend bool operator==(const CreaseRules&, const CreaseRules&) = default;
};

/// Triangles of a cage, by vertices that are one where they are at one place.
struct CageFaces {
    std::vector<glm::uvec3> triangles;
    std::vector<glm::vec3> positions; ///< for angles and messages; empty: not known
    std::uint32_t vertex_count = 0;
};

/// What an analysis found. Rings hold a triangle's neighbours: see shaders/subdivision/record.glsl.
struct CageTopology {
    std::uint32_t vertex_count = 0;
    std::uint32_t triangle_count = 0;
    std::uint32_t ring_slots = 0; ///< most of a triangle
    std::uint32_t max_valence = 0;
    std::uint32_t boundary_edges = 0;
    std::uint32_t crease_edges = 0; ///< without those of the boundary
    std::uint32_t dropped = 0;      ///< triangles with two corners at one vertex

    std::vector<glm::uvec4> heads;        ///< a triangle
    std::vector<glm::uvec4> links;        ///< a triangle
    std::vector<std::uint32_t> rings;     ///< vertices; slot by slot, in each all triangles
    std::vector<std::uint32_t> sharpness; ///< of three edges, then of slots in the same order
    std::vector<std::uint32_t> sources;   ///< a vertex: 4 * triangle + corner; all bits: none
};

/// Analyses a cage. Errors, each with its place: subdivision/bad-index,
/// subdivision/non-manifold (an edge of more than two triangles or of two that face differently, a
/// vertex where two sheets meet), subdivision/valence, subdivision/no-edge (a crease along none).
Result<CageTopology> analyse_cage(const CageFaces& cage, const CreaseRules& rules);

} // namespace tuff::passes
