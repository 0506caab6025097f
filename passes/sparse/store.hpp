#pragma once

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>
#include <tuff/shared_struct.hpp>

#include <glm/vec3.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

/// A sparse store: a domain of cells in bricks, of which some are active and have memory.
///
/// A field is a buffer: cell i of the brick in slot s is element s * cells + i, x fastest. An
/// execution claims the bricks that it wants, then `allocate_bricks` gives slots to them: bricks
/// that had one keep it, so contents stay where they are. Nothing is read back. What lasts is a
/// list of bricks with their slots; keep it in a history.
///
///     SparseClaims claims = adopt_bricks(graph, start_claims(graph, shape), previous_list);
///     ComputeNodeBuilder node = graph.compute("my/claim"); // includes sparse/claim.glsl
///     bind_claims(node, claims);
///     node.dispatch_each(count);
///     const SparseBricks bricks = allocate_bricks(graph, claims);
///     ComputeNodeBuilder work = graph.compute("my/kernel"); // includes sparse/walk.glsl
///     bind_walk(work, bricks);
///     bind_neighbors(work, bricks); // where it looks into the bricks around
namespace tuff::passes {

inline constexpr std::uint32_t kMaxSparseSide = 1u << 17; ///< cells

/// Where the cells of bricks are.
enum class SparseStorage : std::uint8_t {
    atlas, ///< active bricks alone have slots
    full,  ///< each brick of the domain has the slot of its number; active ones are worked on
    dense, ///< the domain is one brick, which is always active: an array, x fastest
};

/// What becomes of a claim where no slot is free.
enum class SparseWhenFull : std::uint8_t {
    refuse, ///< bricks with a slot keep it
    evict,  ///< the lightest claims have none: those bricks lose theirs
};

/// Which numbers bricks have, and where they are looked up.
struct SparseShape {
    glm::uvec3 dims{0};           ///< cells of the domain
    glm::uvec3 brick{8};          ///< cells of a brick
    std::uint32_t capacity = 0;   ///< slots
    std::uint32_t table_bits = 0; ///< the map is a hash table of 2^n entries; 0: a word a brick
    SparseStorage storage = SparseStorage::atlas;
    bool evicts = false;     ///< claims have weights, and a full pool does not grow
    std::uint32_t level = 0; ///< of coarser ones: how often cells were doubled

    glm::uvec3 grid() const { return (dims + brick - 1u) / brick; } ///< bricks along each axis
    std::uint64_t bricks() const { return std::uint64_t{grid().x} * grid().y * grid().z; }
    std::uint32_t cells() const { return brick.x * brick.y * brick.z; } ///< of a brick
    /// Cells that a field has elements for.
    std::uint64_t count() const { return std::uint64_t{capacity} * cells(); }
    /// Most bricks that may be claimed at a time: of all that are active, and those around them.
    std::uint32_t room() const;
    friend bool operator==(const SparseShape&, const SparseShape&) = default;
};

/// What a store is asked for, as a parameter group.
struct SparseParameters {
    glm::uvec3 brick{8};
    std::uint32_t capacity = 1024;
    SparseStorage storage = SparseStorage::atlas;
    SparseWhenFull when_full = SparseWhenFull::refuse;

    static void describe_fields(auto&& field) {
        using P = SparseParameters;
        field("brick", &P::brick, "cells of a brick along each axis").range(1, 64).structural();
        field("capacity", &P::capacity, "bricks that there is room for in an \"atlas\"")
            .range(1, 1u << 24)
            .structural();
        field(
            "storage", &P::storage,
            "\"atlas\": active bricks have memory; \"full\": all have, and active ones are worked "
            "on; \"dense\": one brick as large as the domain")
            .structural();
        field("when_full", &P::when_full,
              "\"refuse\": an \"atlas\" without free slots gives none, and grows where it can; "
              "\"evict\": it keeps its size, and bricks that matter least lose theirs to others")
            .structural();
    }
};

/// The pool of a pass's slots. Histories that belong to it are declared in a scope of this name,
/// and go on where the pool has grown: `Graph::pool`.
inline constexpr std::string_view kSparsePool = "bricks";

/// The shape for a domain, with as many slots as the pool has now. Errors, reported:
/// pass/out-of-range, sparse/too-large where bricks cannot be numbered or a field of `cell_bytes` a
/// cell would not fit into a buffer of the target.
std::optional<SparseShape> sparse_shape(Graph& graph, const SparseParameters& parameters,
                                        glm::uvec3 dims, std::uint32_t cell_bytes);

/// What became of the claims of an execution.
struct SparseStatus {
    std::uint32_t active_bricks = 0; ///< bricks that have a slot
    std::uint32_t fresh = 0;         ///< of these, those that had none before
    std::uint32_t wanted = 0;        ///< bricks that were claimed
    std::uint32_t refused = 0;       ///< of these, those for which there was none
    std::uint32_t evicted = 0;       ///< bricks that lost theirs to others
    std::uint32_t capacity = 0;      ///< slots
    std::uint32_t evicts = 0;        ///< 1: a full pool does not grow, bricks lose their slots

    static constexpr std::string_view kStructName = "SparseStatus";
    static constexpr auto members() {
        return std::array{
            TUFF_MEMBER(SparseStatus, active_bricks), TUFF_MEMBER(SparseStatus, fresh),
            TUFF_MEMBER(SparseStatus, wanted),        TUFF_MEMBER(SparseStatus, refused),
            TUFF_MEMBER(SparseStatus, evicted),       TUFF_MEMBER(SparseStatus, capacity),
            TUFF_MEMBER(SparseStatus, evicts),
        };
    }
    static SparseStatus read(std::span<const std::uint32_t> words);
    /// sparse/pool-full, where bricks were refused or evicted.
    Diagnostics warnings() const;
    std::vector<PoolNeed> pool_needs() const; ///< "bricks", of a pool that does not evict
};

/// The bricks of an execution, as a bundle.
struct SparseBricks {
    static constexpr std::string_view kPortType = "SparseBricks";

    Buffer map;       ///< slot words by brick: see sparse/map.glsl
    Buffer list;      ///< four words, the first of which counts; then brick number and slot word
    Buffer neighbors; ///< 27 slot words a slot: of the bricks around, z slowest
    Buffer groups;    ///< dispatch arguments of three words each: see `groups_offset`
    Buffer status;    ///< `SparseStatus`
    SparseShape shape;

    explicit operator bool() const { return bool(map); }
    std::vector<PortMember> members() const {
        return {{"map", map, BufferElements::of<std::uint32_t>()},
                {"list", list, BufferElements::of<std::uint32_t>()},
                {"neighbors", neighbors, BufferElements::of<std::uint32_t>()},
                {"groups", groups, BufferElements::of<std::uint32_t>()},
                {"status", status, BufferElements::of<SparseStatus>()}};
    }
};

/// Levels of cells, of 1, 2, 4, ... along a side, for which there are dispatch arguments.
inline constexpr std::uint32_t kSparseLevels = 7;
/// Where in `SparseBricks::groups` the arguments for 256 cells of one brick a group are, bytes.
constexpr std::uint64_t groups_offset(const SparseShape& shape) {
    return 12 + std::uint64_t{12} * shape.level;
}
/// And those for a group for each active brick.
inline constexpr std::uint64_t kBrickGroupsOffset = 0;

/// The same bricks with cells of twice the side; those of sides of odd numbers are halved upwards.
SparseBricks coarser(const SparseBricks& bricks);

/// Bricks that are asked for, while an execution is being built.
struct SparseClaims {
    Buffer map;    ///< as in `SparseBricks`
    Buffer list;   ///< as in `SparseBricks`
    Buffer owners; ///< brick number by slot; not connected: none has a slot
    /// By place in the map; not connected: the pool refuses.
    Buffer weights;
    Buffer first; ///< a word: how many claims get slots before the others; not connected: none
    SparseShape shape;
};

/// A list of bricks: for histories.
BufferDesc list_desc(const SparseShape& shape);
/// A field of `cell_bytes` a cell.
BufferDesc field_desc(const SparseShape& shape, std::uint32_t cell_bytes);

/// No claims yet. `list`: where they are listed, unless that is a new buffer.
SparseClaims start_claims(Graph& graph, const SparseShape& shape, Buffer list = {});
/// Claims all bricks of the list of an earlier execution, with their slots. A list of zeroes has
/// none.
SparseClaims adopt_bricks(Graph& graph, SparseClaims claims, Buffer previous);

/// From here on claims weigh something: where slots run out, the heaviest get them, and of those
/// that weigh the same the ones of lower numbers; whether they had one before does not matter. So
/// which bricks are active does not depend on the order in which they are claimed, while those
/// claimed have room in the list (`SparseShape::room`).
SparseClaims weighed_claims(Graph& graph, SparseClaims claims);
/// The weight that no other exceeds.
inline constexpr std::uint32_t kMaxSparseWeight = ~0u;
/// As the above, with the weights that were kept, less `faded`; 0 is the lightest.
SparseClaims adopt_bricks(Graph& graph, SparseClaims claims, Buffer previous, Buffer weights,
                          std::uint32_t faded = 0);
/// Keeps what all active bricks weighed beside `keep_bricks`; `claimed`: `SparseClaims::weights`.
void keep_weights(Graph& graph, const SparseBricks& bricks, Buffer claimed, Buffer weights);
/// Weights by place in a list: for histories.
BufferDesc weights_desc(const SparseShape& shape);

/// A box of cells: low corner, and high one, which is excluded.
struct SparseBox {
    glm::ivec3 low{0};
    glm::ivec3 high{0};
};
inline constexpr std::size_t kMaxSparseBoxes = 16;
/// Claims the bricks that the boxes, at most kMaxSparseBoxes, overlap.
SparseClaims claim_boxes(Graph& graph, SparseClaims claims, std::span<const SparseBox> boxes,
                         std::uint32_t weight = 0);
/// What has been claimed so far gets its slots before what is claimed from here on.
SparseClaims claimed_first(Graph& graph, SparseClaims claims);
/// Claims the bricks of `count` points, four floats each, in cells; those outside or no numbers are
/// left out.
SparseClaims claim_points(Graph& graph, SparseClaims claims, Buffer points, std::uint32_t count,
                          std::uint32_t weight = 0);

/// Gives each claimed brick a slot while there are free ones. Bricks with one keep it; those that
/// were not claimed have lost theirs. Words of new bricks have kFreshBrick set: what fields hold in
/// their slots belonged to others.
SparseBricks allocate_bricks(Graph& graph, const SparseClaims& claims);
/// Leaves all active bricks to the next execution; `list` is of `list_desc`.
void keep_bricks(Graph& graph, const SparseBricks& bricks, Buffer list);
/// The one brick of a dense shape; `fresh` as if it had not been there before.
SparseBricks dense_brick(Graph& graph, const SparseShape& shape, bool fresh = false);

/// Sets the constants of sparse/bricks.glsl.
void set_shape(KernelNode& node, const SparseShape& shape);
/// For sparse/map.glsl.
void bind_map(KernelNode& node, const SparseBricks& bricks);
/// For sparse/walk.glsl; dispatches over the cells of all active bricks.
void bind_walk(ComputeNodeBuilder& node, const SparseBricks& bricks);
/// For the kernels of sparse/walk.glsl that look into the bricks around.
void bind_neighbors(KernelNode& node, const SparseBricks& bricks);
/// For sparse/claim.glsl; `claims` go on from there. Where they have weights, for
/// sparse/claim_weights.glsl.
void bind_claims(KernelNode& node, SparseClaims& claims);
/// The variant of a kernel that claims with weights or without.
ShaderVariant weight_variant(const SparseClaims& claims);

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::SparseStorage> {
    static constexpr std::array<std::string_view, 3> names{"atlas", "full", "dense"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::SparseWhenFull> {
    static constexpr std::array<std::string_view, 2> names{"refuse", "evict"};
};
