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

/// A sparse store: a domain of cells in bricks. Active bricks have memory.
///
/// A field is a buffer: cell i of the brick in slot s is element s * cells + i, x fastest. An
/// execution claims the bricks that it needs, then `allocate_bricks` gives them slots. Bricks that
/// had a slot keep it, so their contents stay in place. Nothing is read back. What persists is a
/// list of bricks with their slots; keep it in a history.
///
///     SparseClaims claims = adopt_bricks(graph, start_claims(graph, shape), previous_list);
///     ComputeNodeBuilder node = graph.compute("my/claim"); // includes sparse/claim.glsl
///     bind_claims(node, claims);
///     node.dispatch_each(count);
///     const SparseBricks bricks = allocate_bricks(graph, claims);
///     ComputeNodeBuilder work = graph.compute("my/kernel"); // includes sparse/walk.glsl
///     bind_walk(work, bricks);
///     bind_neighbors(work, bricks); // if it reads neighbouring bricks
namespace tuff::passes {

inline constexpr std::uint32_t kMaxSparseSide = 1u << 17; ///< cells

/// Where the cells of bricks are stored.
enum class SparseStorage : std::uint8_t {
    atlas, ///< only active bricks have slots
    full,  ///< each brick of the domain has the slot of its index; only active bricks are processed
    dense, ///< the domain is one brick, which is always active: an array, x fastest
};

/// What happens to a claim if no slot is free.
enum class SparseWhenFull : std::uint8_t {
    refuse, ///< bricks with a slot keep it
    evict,  ///< the claims of the lowest weight get no slot: those bricks lose theirs
};

/// The indices of bricks, and the map that finds their slots.
struct SparseShape {
    glm::uvec3 dims{0};           ///< cells of the domain
    glm::uvec3 brick{8};          ///< cells of a brick
    std::uint32_t capacity = 0;   ///< slots
    std::uint32_t table_bits = 0; ///< the map is a hash table of 2^n entries; 0: one word a brick
    SparseStorage storage = SparseStorage::atlas;
    bool evicts = false;        ///< claims have weights, and a full pool does not grow
    std::uint32_t level = 0;    ///< coarser shapes: how often the cell size was doubled
    std::uint32_t periodic = 0; ///< bit of each axis whose first and last bricks are neighbours

    glm::uvec3 grid() const { return (dims + brick - 1u) / brick; } ///< bricks along each axis
    std::uint64_t bricks() const { return std::uint64_t{grid().x} * grid().y * grid().z; }
    std::uint32_t cells() const { return brick.x * brick.y * brick.z; } ///< cells of a brick
    /// Number of cells that a field has elements for.
    std::uint64_t count() const { return std::uint64_t{capacity} * cells(); }
    /// Largest number of bricks claimed at a time: all active bricks and their neighbours.
    std::uint32_t room() const;
    friend bool operator==(const SparseShape&, const SparseShape&) = default;
};

/// The parameters of a store, as a parameter group.
struct SparseParameters {
    glm::uvec3 brick{8};
    std::uint32_t capacity = 1024;
    SparseStorage storage = SparseStorage::atlas;
    SparseWhenFull when_full = SparseWhenFull::refuse;

    static void describe_fields(auto&& field) {
        using P = SparseParameters;
        field("brick", &P::brick, "cells of a brick along each axis").range(1, 64).structural();
        field("capacity", &P::capacity, "capacity of an \"atlas\", in bricks")
            .range(1, 1u << 24)
            .structural();
        field("storage", &P::storage,
              "\"atlas\": only active bricks have memory; \"full\": all have memory, and active "
              "ones are processed; \"dense\": one brick as large as the domain")
            .structural();
        field("when_full", &P::when_full,
              "if an \"atlas\" is full: \"refuse\" gives new bricks no slot, and the atlas "
              "grows if it can; \"evict\" keeps its size, and the least important bricks lose "
              "their slots")
            .structural();
    }
};

/// The pool of a pass's slots. Declare histories that belong to it in a scope of this name; they
/// persist when the pool grows: `Graph::pool`.
inline constexpr std::string_view kSparsePool = "bricks";

/// The shape for a domain, with as many slots as the pool has now. Reports errors:
/// pass/out-of-range; sparse/too-large if bricks cannot be indexed, or if a field of `cell_bytes` a
/// cell does not fit into a buffer of the target.
std::optional<SparseShape> sparse_shape(Graph& graph, const SparseParameters& parameters,
                                        glm::uvec3 dims, std::uint32_t cell_bytes);

/// What happened to the claims of an execution.
struct SparseStatus {
    std::uint32_t active_bricks = 0; ///< bricks that have a slot
    std::uint32_t fresh = 0;         ///< of these, bricks with a new slot
    std::uint32_t wanted = 0;        ///< bricks that were claimed
    std::uint32_t refused = 0;       ///< of these, bricks that got no slot
    std::uint32_t evicted = 0;       ///< bricks that lost their slot to others
    std::uint32_t capacity = 0;      ///< slots
    std::uint32_t evicts = 0;        ///< 1: a full pool does not grow; bricks lose their slots

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
    /// Reports sparse/pool-full if bricks were refused or evicted.
    Diagnostics warnings() const;
    std::vector<PoolNeed> pool_needs() const; ///< "bricks", if the pool does not evict
};

/// The bricks of an execution, as a bundle.
struct SparseBricks {
    static constexpr std::string_view kPortType = "SparseBricks";

    Buffer map;       ///< slot words by brick: see sparse/map.glsl
    Buffer list;      ///< four words, the first is the number of bricks; then brick index and slot
                      ///< word of each
    Buffer neighbors; ///< 27 slot words a slot: of the neighbouring bricks and itself, z slowest
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

/// Levels of cells, with sides of 1, 2, 4, ..., that have dispatch arguments.
inline constexpr std::uint32_t kSparseLevels = 7;
/// Offset in `SparseBricks::groups` of the arguments for groups of 256 cells of one brick, bytes.
constexpr std::uint64_t groups_offset(const SparseShape& shape) {
    return 12 + std::uint64_t{12} * shape.level;
}
/// Offset of the arguments for groups of columns: see fluid/sparse_columns.glsl.
constexpr std::uint64_t columns_offset(const SparseShape& shape, bool wide) {
    return groups_offset(shape) + std::uint64_t{12} * kSparseLevels * (wide ? 2 : 1);
}
/// Such groups of a brick, for kernels that are not wide.
std::uint32_t column_groups(const SparseShape& shape);
/// Whether kernels may read rows of cells by four.
bool has_wide_rows(const SparseShape& shape);
/// Offset of the arguments for one group a brick, bytes.
inline constexpr std::uint64_t kBrickGroupsOffset = 0;

/// The same bricks with cells of twice the size. Odd numbers of cells are halved and rounded up.
SparseBricks coarser(const SparseBricks& bricks);

/// A box of cells or bricks: low corner, and high corner, which is excluded.
struct SparseBox {
    glm::ivec3 low{0};
    glm::ivec3 high{0};
};

/// Bricks that are requested while an execution is being built.
struct SparseClaims {
    Buffer map;    ///< as in `SparseBricks`
    Buffer list;   ///< as in `SparseBricks`
    Buffer owners; ///< brick index by slot; if not connected, no brick has a slot
    /// Weights by position in the map; if not connected, the pool refuses.
    Buffer weights;
    SparseShape shape;
};

/// Describes a list of bricks, for histories.
BufferDesc list_desc(const SparseShape& shape);
/// Describes a field of `cell_bytes` a cell.
BufferDesc field_desc(const SparseShape& shape, std::uint32_t cell_bytes);

/// Starts without claims. `list`: where claims are listed; by default a new buffer.
SparseClaims start_claims(Graph& graph, const SparseShape& shape, Buffer list = {});
/// Claims all bricks in the list of an earlier execution, with their slots, before any other. A
/// list of zeros is empty.
SparseClaims adopt_bricks(Graph& graph, SparseClaims claims, Buffer previous);
/// Claims the bricks in a box of bricks that a list of this execution has, with their slots.
SparseClaims adopt_part(Graph& graph, SparseClaims claims, Buffer list, const SparseBox& bricks);

/// Claims from here on have weights. If slots run out, the heaviest claims get them; among equal
/// weights the lower indices do, whether they had a slot before or not. So the set of active bricks
/// does not depend on the order of claims, as long as all claims fit into the list
/// (`SparseShape::room`).
SparseClaims weighed_claims(Graph& graph, SparseClaims claims);
/// The largest weight.
inline constexpr std::uint32_t kMaxSparseWeight = ~0u;
/// The same with the weights that were kept, reduced by `faded`; 0 is the lightest.
SparseClaims adopt_bricks(Graph& graph, SparseClaims claims, Buffer previous, Buffer weights,
                          std::uint32_t faded = 0);
/// Keeps the weights of all active bricks, in addition to `keep_bricks`. `claimed`:
/// `SparseClaims::weights`.
void keep_weights(Graph& graph, const SparseBricks& bricks, Buffer claimed, Buffer weights);
/// Describes weights by position in a list, for histories.
BufferDesc weights_desc(const SparseShape& shape);

inline constexpr std::size_t kMaxSparseBoxes = 16;
/// Claims the bricks that overlap the boxes, at most kMaxSparseBoxes in all. Bricks that overlap
/// only `later` ones get slots after all others; if claims have weights, they weigh 0.
SparseClaims claim_boxes(Graph& graph, SparseClaims claims, std::span<const SparseBox> boxes,
                         std::uint32_t weight = 0, std::span<const SparseBox> later = {});
/// Claims the bricks of `count` points, four floats each, in cells. Points that are outside or have
/// NaN are ignored.
SparseClaims claim_points(Graph& graph, SparseClaims claims, Buffer points, std::uint32_t count,
                          std::uint32_t weight = 0);

/// Gives each claimed brick a slot while there are free ones. Bricks with a slot keep it. Bricks
/// that were not claimed lose theirs. The words of new bricks have kFreshBrick set: the contents of
/// their slots in fields belong to previous bricks.
SparseBricks allocate_bricks(Graph& graph, const SparseClaims& claims);
/// Whether `give_few` can give the slots of a shape.
bool is_few(const SparseShape& shape);
/// Bricks, and where the claims of the next execution begin.
struct FewBricks {
    SparseBricks bricks;
    SparseClaims next;
};
/// The same as adopting `previous`, if it is connected, claiming boxes, and allocating, in one
/// kernel of one group. `next`: for the list of the claims of the next execution.
FewBricks give_few(Graph& graph, const SparseShape& shape, Buffer previous, Buffer next,
                   std::span<const SparseBox> boxes, std::span<const SparseBox> later);
/// Hands all active bricks to the next execution; `list` is described by `list_desc`.
void keep_bricks(Graph& graph, const SparseBricks& bricks, Buffer list);
/// The same store for kernels that walk over another list, which has some of the active bricks.
/// `fresh`: how many of these are new. Neighbours stay.
SparseBricks walking_over(Graph& graph, SparseBricks bricks, Buffer list, Buffer fresh);
/// Looks up the neighbours of the bricks in the list, and nothing about others.
SparseBricks with_neighbors(Graph& graph, SparseBricks bricks);
/// The one brick of a dense shape; `fresh`: as if it had not been active before.
SparseBricks dense_brick(Graph& graph, const SparseShape& shape, bool fresh = false);

/// Sets the constants of sparse/bricks.glsl.
void set_shape(KernelNode& node, const SparseShape& shape);
/// Binds the resources for sparse/map.glsl.
void bind_map(KernelNode& node, const SparseBricks& bricks);
/// Binds the resources for sparse/walk.glsl, which dispatches over the cells of all active bricks.
void bind_walk(ComputeNodeBuilder& node, const SparseBricks& bricks);
/// Binds the resources for fluid/sparse_columns.glsl, for any dispatch.
void set_columns(ComputeNodeBuilder& node, const SparseBricks& bricks);
/// The same, and dispatches over all columns.
void bind_columns(ComputeNodeBuilder& node, const SparseBricks& bricks, bool wide);
/// Binds the resources for kernels with sparse/walk.glsl that read neighbouring bricks.
void bind_neighbors(KernelNode& node, const SparseBricks& bricks);
/// Binds the resources for sparse/claim.glsl, or for sparse/claim_weights.glsl if claims have
/// weights; adds to `claims`.
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
