#pragma once

#include "passes/collision/box_tree.hpp"
#include "passes/primitives/method.hpp"

#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

namespace tuff::passes {

/// How pairs of triangles whose boxes intersect are found.
enum class CollisionSearch : std::uint8_t {
    automatic, ///< `each`
    each,      ///< each leaf of the first tree traverses the second
    levels,    ///< descends both trees level by level: a stream of pairs of nodes, appended in any
               ///< order
    filtered,  ///< the same with a stream that is filtered in order
};

/// What a search reports; `SearchStatus` of shaders/collision/status.glsl.
struct CollisionStatus {
    std::uint32_t pairs = 0;      ///< intersecting triangles, including those that did not fit
    std::uint32_t candidates = 0; ///< pairs of intersecting boxes, including those that did not fit
    std::uint32_t frontier = 0;   ///< the largest number of pairs of nodes of a level, including
                                  ///< those that did not fit
    std::uint32_t levels = 0;     ///< levels of the search, if it goes by levels
    std::uint32_t box_tests = 0;
    std::uint32_t flat_a = 0; ///< triangles without area on the lattice
    std::uint32_t flat_b = 0;
    std::uint32_t not_rigid = 0; ///< 1: the placement was not a rigid motion, and nothing was
                                 ///< searched
    std::uint32_t pair_room = 0;
    std::uint32_t candidate_room = 0;
    std::uint32_t frontier_room = 0;

    static constexpr std::string_view kStructName = "CollisionStatus";
    static constexpr auto members() {
        return std::array{TUFF_MEMBER(CollisionStatus, pairs),
                          TUFF_MEMBER(CollisionStatus, candidates),
                          TUFF_MEMBER(CollisionStatus, frontier),
                          TUFF_MEMBER(CollisionStatus, levels),
                          TUFF_MEMBER(CollisionStatus, box_tests),
                          TUFF_MEMBER(CollisionStatus, flat_a),
                          TUFF_MEMBER(CollisionStatus, flat_b),
                          TUFF_MEMBER(CollisionStatus, not_rigid),
                          TUFF_MEMBER(CollisionStatus, pair_room),
                          TUFF_MEMBER(CollisionStatus, candidate_room),
                          TUFF_MEMBER(CollisionStatus, frontier_room)};
    }
    static CollisionStatus read(std::span<const std::uint32_t> words);
    /// collision/lost-pairs, collision/not-rigid, collision/flat-triangles
    Diagnostics warnings() const;
    std::vector<PoolNeed> pool_needs() const; ///< "pairs", "candidates" and "frontier"
};
static_assert(sizeof(CollisionStatus) == 44);

/// Finds the intersecting triangles of two meshes, or of one. See `describe`.
struct CollisionPairs {
    static constexpr std::string_view kName = "collision/pairs";

    BoxTree a;
    BoxTree b;         ///< optional
    Buffer placements; ///< optional
    glm::vec3 position_a{0.0f};
    glm::vec3 position_b{0.0f};
    glm::vec4 rotation_a{0.0f, 0.0f, 0.0f, 1.0f};
    glm::vec4 rotation_b{0.0f, 0.0f, 0.0f, 1.0f};
    bool mirror_b = false;
    CollisionSearch search = CollisionSearch::automatic;
    ScanMethod method = ScanMethod::automatic;
    int most_pairs = 0; ///< 0: chosen automatically

    Buffer pairs;
    Buffer count;
    Buffer touched_a;
    Buffer touched_b;
    Buffer status;

    static void describe(PassInfo<CollisionPairs>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::CollisionSearch> {
    static constexpr std::array<std::string_view, 4> names{"auto", "each", "levels", "filtered"};
};
