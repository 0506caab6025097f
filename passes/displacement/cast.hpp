#pragma once

#include "passes/displacement/surface.hpp"
#include "passes/raytrace/shapes.hpp"

#include <vector>

namespace tuff::passes {

/// How rays find what they hit.
enum class PatchMethod : std::uint8_t {
    automatic, ///< `descent`
    deferred,  ///< rays are gathered by patch, and a group builds the patch's tree for them
    descent,   ///< each ray goes down the patches by itself
};

/// Where pixels, which say how fine patches are cut, are seen from.
enum class FinenessFrom : std::uint8_t {
    rays, ///< the origin of each ray
    eye,  ///< the same place for all rays: also reflected and shadow rays meet the same cells
};

/// What cells of the finest level are to rays.
enum class PatchLeaf : std::uint8_t { triangles, boxes };

/// Where trees are.
enum class TreeStore : std::uint8_t {
    automatic, ///< those that the surface keeps, else in shared memory up to level 5
    shared,
    scratch, ///< a piece of a buffer for each of a fixed number of groups, which take job after job
};

/// How the nearest of a ray's hits is kept by `PatchMethod::deferred`.
enum class NearestKept : std::uint8_t {
    automatic, ///< `wide` where the graph's target has atomics of 64 bits
    words,     ///< the least t, then the least patch of those with it
    wide,      ///< both at once, in 64 bits
};

/// What a deferred cast counts: `CastStatus` of shaders/displacement/status.glsl.
struct DisplacedCastStatus {
    std::uint32_t pairs = 0;  ///< of a ray and a patch whose box it meets, also those without room
    std::uint32_t room = 0;   ///< for pairs
    std::uint32_t coarse = 0; ///< pairs whose pixel is smaller than a cell of the finest level

    static constexpr std::string_view kStructName = "DisplacedCastStatus";
    static constexpr auto members() {
        return std::array{TUFF_MEMBER(DisplacedCastStatus, pairs),
                          TUFF_MEMBER(DisplacedCastStatus, room),
                          TUFF_MEMBER(DisplacedCastStatus, coarse)};
    }
    static DisplacedCastStatus read(std::span<const std::uint32_t> words);
    Diagnostics warnings() const;             ///< displacement/lost-pairs
    std::vector<PoolNeed> pool_needs() const; ///< "pairs"
};

/// Finds what rays hit of a displaced surface. See `describe`.
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

/// Which rays of tracers are cast.
enum class PathRays : std::uint8_t { paths, shadow };

/// The hits of rays of paths, a quad a slot, with room for so many more behind. `pass` without
/// rays.
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
