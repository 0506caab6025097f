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

/// The adjacency of a cage: computed once on the host, because it does not change when vertices
/// move.
namespace tuff::passes {

/// Largest number of neighbours of a vertex; two more at a boundary.
inline constexpr std::uint32_t kMaxCageValence = 32;
/// Sharpness from which an edge stays sharp at all levels.
inline constexpr float kInfinitelySharp = 10.0f;
/// Sharpness is stored in steps of 1/64; shaders/subdivision/record.glsl.
inline constexpr std::uint32_t kSharpnessUnits = 64;
inline constexpr std::uint32_t kEndlessSharpness = 1023;
/// Link of a record to no record: shaders/subdivision/state.glsl.
inline constexpr std::uint32_t kLinkBoundary = 0xffffffffu;

/// An edge and its sharpness.
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
    float angle_sharpness = kInfinitelySharp; ///< of these creases
    bool sharp_corners = false;               ///< vertices of a single triangle at a boundary do
                                              ///< not move
    friend bool operator==(const CreaseRules&, const CreaseRules&) = default;
};

/// Merges vertices at the same position and returns the triangles.
struct CageFaces {
    std::vector<glm::uvec3> triangles;
    std::vector<glm::vec3> positions; ///< for angles and messages; empty: not known
    std::uint32_t vertex_count = 0;
};

/// The adjacency of a cage. Rings have a triangle's neighbours: see
/// shaders/subdivision/record.glsl.
struct CageTopology {
    std::uint32_t vertex_count = 0;
    std::uint32_t triangle_count = 0;
    std::uint32_t ring_slots = 0; ///< largest number for a triangle
    std::uint32_t max_valence = 0;
    std::uint32_t boundary_edges = 0;
    std::uint32_t crease_edges = 0; ///< without boundary vertices
    std::uint32_t dropped = 0;      ///< triangles with two corners at one vertex

    std::vector<glm::uvec4> heads;        ///< a triangle
    std::vector<glm::uvec4> links;        ///< a triangle
    std::vector<std::uint32_t> rings;     ///< vertices; slot by slot, in each all triangles
    std::vector<std::uint32_t> sharpness; ///< of three edges, then of slots in the same order
    std::vector<std::uint32_t> sources;   ///< a vertex: 4 * triangle + corner; all bits: none
};

/// Computes the adjacency of a cage. Errors, each with its place: subdivision/bad-index;
/// subdivision/non-manifold (an edge of more than two triangles or of two with opposite
/// orientation, a vertex where two sheets meet); subdivision/valence; subdivision/no-edge (a crease
/// without an edge).
Result<CageTopology> analyse_cage(const CageFaces& cage, const CreaseRules& rules);

} // namespace tuff::passes
