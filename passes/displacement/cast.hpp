#pragma once

#include "passes/displacement/surface.hpp"
#include "passes/raytrace/shapes.hpp"

#include <vector>

namespace tuff::passes {

/// How rays find their hits.
enum class PatchMethod : std::uint8_t {
    automatic, ///< `descent`
    deferred,  ///< collects rays by patch; a group builds the patch's tree for them
    descent,   ///< each ray descends the patches on its own
};

/// The point that pixels are seen from; they decide how finely patches are divided.
enum class FinenessFrom : std::uint8_t {
    rays, ///< the origin of each ray
    eye,  ///< the same point for all rays, so that reflected and shadow rays use the same cells
};

/// The shape of the finest cells for rays.
enum class PatchLeaf : std::uint8_t { triangles, boxes };

/// The memory in which trees are built.
enum class TreeStore : std::uint8_t {
    automatic, ///< trees kept by the surface; otherwise shared memory up to level 5
    shared,
    scratch, ///< a part of a buffer for each of a fixed number of groups, which process job after
             ///< job
};

/// How the nearest of a ray's hits is stored by `PatchMethod::deferred`.
enum class NearestKept : std::uint8_t {
    automatic, ///< `wide` if the graph's target has 64-bit atomics
    words,     ///< the lowest t, then the lowest patch with that t
    wide,      ///< both at once, in 64 bits
};

/// What a cast reports: `CastStatus` of shaders/displacement/status.glsl.
struct DisplacedCastStatus {
    std::uint32_t pairs = 0;  ///< pairs of a ray and a patch whose box it hits, including those
                              ///< that did not fit
    std::uint32_t room = 0;   ///< capacity for pairs
    std::uint32_t hits = 0;   ///< rays that hit patches
    std::uint32_t coarse = 0; ///< of these, those whose pixel is smaller than a cell of the finest
                              ///< level

    static constexpr std::string_view kStructName = "DisplacedCastStatus";
    static constexpr auto members() {
        return std::array{TUFF_MEMBER(DisplacedCastStatus, pairs),
                          TUFF_MEMBER(DisplacedCastStatus, room),
                          TUFF_MEMBER(DisplacedCastStatus, hits),
                          TUFF_MEMBER(DisplacedCastStatus, coarse)};
    }
    static DisplacedCastStatus read(std::span<const std::uint32_t> words);
    Diagnostics warnings() const;             ///< displacement/lost-pairs, displacement/coarse
    std::vector<PoolNeed> pool_needs() const; ///< "pairs"
};

/// Finds the hits of rays on a displaced surface. See `describe`.
struct CastDisplaced {
    static constexpr std::string_view kName = "displacement/cast";

    DisplacedSurface surface;
    Buffer rays;
    Buffer before; ///< optional
    float spread = 0.0f;
    FinenessFrom from = FinenessFrom::rays;
    glm::vec3 eye{0.0f};
    PatchMethod method = PatchMethod::automatic;
    PatchLeaf leaf = PatchLeaf::triangles;
    bool any = false;
    bool with_levels = false;
    TreeStore store = TreeStore::automatic;
    NearestKept nearest = NearestKept::automatic;
    NodeBits bits = NodeBits::bits16;
    std::uint32_t batch = 1024;
    std::uint32_t groups = 528;
    std::uint32_t most_pairs = 0;

    Buffer hits;
    Buffer levels;
    Buffer loads;
    Buffer status;

    static void describe(PassInfo<CastDisplaced>& info);
    void build(Graph& graph);
};

/// The rays that tracers cast.
enum class PathRays : std::uint8_t { paths, shadow };

/// Casts rays of paths; returns one vec4 a slot, with capacity for as many more behind. `pass` has
/// no rays.
Buffer cast_displaced(Graph& graph, CastDisplaced pass, const SlotRays& rays, PathRays kind,
                      std::uint32_t more_quads);

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::PatchMethod> {
    static constexpr std::array<std::string_view, 3> names{"auto", "deferred", "descent"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::FinenessFrom> {
    static constexpr std::array<std::string_view, 2> names{"rays", "eye"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::PatchLeaf> {
    static constexpr std::array<std::string_view, 2> names{"triangles", "boxes"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::TreeStore> {
    static constexpr std::array<std::string_view, 3> names{"auto", "shared", "scratch"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::NearestKept> {
    static constexpr std::array<std::string_view, 3> names{"auto", "words", "wide"};
};
