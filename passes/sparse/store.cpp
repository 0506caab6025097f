#include "passes/sparse/store.hpp"

#include "passes/common/div_round_up.hpp"
#include "passes/common/picture.hpp"
#include "passes/common/status.hpp"
#include "passes/common/warning.hpp"
#include "passes/primitives/elements.hpp"
#include "passes/sparse/evict.hpp"

#include <fmt/format.h>
#include <glm/vec4.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kNoBrick = ~0u;
constexpr std::uint32_t kListHeader = 16;        // bytes
constexpr std::uint64_t kMaxMapped = 1ull << 22; // bricks; of more a hash table is kept
constexpr std::uint32_t kCellsAGroup = 256;
constexpr std::uint32_t kFewBricks = 2048; // as in shaders/sparse/give_few.comp

/// What kernels count while they allocate.
struct SparseTally {
    std::uint32_t fresh = 0;
    std::uint32_t refused = 0;
    std::uint32_t taken = 0; ///< free slots, also those that there were not
    std::uint32_t evicted = 0;
    std::uint32_t later = 0; ///< as `taken`, by later bricks
};

std::uint64_t map_words(const SparseShape& shape) {
    return shape.table_bits == 0 ? shape.bricks() : std::uint64_t{2} << shape.table_bits;
}

/// Invocations that go over a brick by columns: see shaders/fluid/sparse_columns.glsl.
std::uint32_t columns_of(const SparseShape& shape, bool wide) {
    const std::uint32_t x = wide ? shape.brick.x / 4 : shape.brick.x;
    return x * shape.brick.y * div_round_up(shape.brick.z, wide ? 8u : 2u);
}

SparseShape coarser_shape(SparseShape shape) {
    shape.dims = (shape.dims + 1u) / 2u;
    shape.brick = (shape.brick + 1u) / 2u;
    ++shape.level;
    return shape;
}

/// Sets how much work kernels over bricks have, and writes arguments for them.
void write_groups(ComputeNodeBuilder& node, Graph& graph, SparseBricks& bricks) {
    std::array<glm::uvec4, 6> work{};
    const auto set_work = [&](std::size_t at, std::uint32_t count) {
        work[at / 4][static_cast<int>(at % 4)] = count;
    };
    SparseShape shape = bricks.shape;
    for (std::size_t level = 0; level < kSparseLevels; ++level) {
        set_work(level, div_round_up(shape.cells(), kCellsAGroup));
        set_work(kSparseLevels + level, column_groups(shape));
        set_work(2 * kSparseLevels + level, columns_of(shape, true));
        shape = coarser_shape(shape);
    }
    node.set("work_a_brick", std::span<const glm::uvec4>(work));
    node.set("capacity", bricks.shape.capacity);
    bricks.groups = node.write("groups", array(graph, "groups", 3 * (3 * kSparseLevels + 1)));
    bricks.status =
        node.write("status", graph.buffer("status", {.size = sizeof(SparseStatus), .stride = 4}));
}

/// Adds the kernel that counts groups and writes the status.
void finish_bricks(Graph& graph, SparseBricks& bricks, Buffer claimed, Buffer tally) {
    ComputeNodeBuilder node = graph.compute("sparse/finish");
    node.read("claim_list", claimed);
    node.read("brick_list", bricks.list);
    node.read("tally", tally);
    node.set("evicts", std::uint32_t(bricks.shape.evicts));
    write_groups(node, graph, bricks);
    node.dispatch(1);
}

BufferDesc brick_list_desc(const SparseShape& shape) {
    return {.size = kListHeader + 8 * std::uint64_t{shape.capacity}, .stride = 4};
}

/// Sets boxes, as many as there is room for, and returns how many these are.
std::uint32_t set_boxes(ComputeNodeBuilder& node, std::span<const SparseBox> boxes,
                        std::span<const SparseBox> later) {
    std::vector<glm::ivec4> low, high;
    for (const std::span<const SparseBox> part : {boxes, later})
        for (const SparseBox& box : part) {
            if (low.size() == kMaxSparseBoxes) break;
            low.emplace_back(box.low, 0);
            high.emplace_back(box.high, 0);
        }
    node.set("now", static_cast<std::uint32_t>(boxes.size()));
    node.set("low", std::span<const glm::ivec4>(low));
    node.set("high", std::span<const glm::ivec4>(high));
    return static_cast<std::uint32_t>(low.size());
}

/// Adds the kernel that looks up what is around bricks.
ComputeNodeBuilder neighbors_of(Graph& graph, SparseBricks& bricks, bool clears) {
    ComputeNodeBuilder node = graph.compute("sparse/neighbors", {{"CLEARS", clears}}, "neighbors");
    bind_map(node, bricks);
    node.specialize("kPeriodic", bricks.shape.periodic);
    node.read("brick_list", bricks.list);
    bricks.neighbors =
        node.write("brick_neighbors", array(graph, "neighbors", 27ull * bricks.shape.capacity));
    node.dispatch_each(32 * bricks.shape.capacity);
    return node;
}

Buffer no_tally(Graph& graph) {
    return graph.fill(graph.buffer("tally", {.size = sizeof(SparseTally), .stride = 4}), 0,
                      "no_tally");
}

bool has_valid_sides(Graph& graph, const SparseParameters& parameters, glm::uvec3 dims) {
    for (int axis = 0; axis < 3; ++axis)
        if (!in_range(graph, "dims", dims[axis], 1, kMaxSparseSide) ||
            !in_range(graph, "bricks.brick", parameters.brick[axis], 1, 64))
            return false;
    return true;
}

} // namespace

std::uint32_t SparseShape::room() const {
    constexpr std::uint64_t kAround = 27;
    return static_cast<std::uint32_t>(std::min(bricks(), kAround * capacity));
}

std::uint32_t column_groups(const SparseShape& shape) {
    return div_round_up(columns_of(shape, false), 128u);
}

bool has_wide_rows(const SparseShape& shape) {
    return shape.brick.x % 4 == 0 && shape.dims.x % 4 == 0;
}

SparseStatus SparseStatus::read(std::span<const std::uint32_t> words) {
    return status_from<SparseStatus>(words);
}

Diagnostics SparseStatus::warnings() const {
    Diagnostics all;
    if (refused > 0 || evicted > 0)
        all.push_back(warning("sparse/pool-full",
                              fmt::format("{} bricks were claimed, but there are slots for {}: "
                                          "{} were refused and {} evicted",
                                          wanted, capacity, refused, evicted),
                              evicts != 0 ? "increase \"bricks.capacity\", or set "
                                            "\"bricks.when_full\" to \"refuse\" so that it "
                                            "grows"
                                          : "increase \"bricks.capacity\""));
    return all;
}

std::vector<PoolNeed> SparseStatus::pool_needs() const {
    if (refused == 0 || evicts != 0) return {};
    return {{kSparsePool, wanted}};
}

std::optional<SparseShape> sparse_shape(Graph& graph, const SparseParameters& parameters,
                                        glm::uvec3 dims, std::uint32_t cell_bytes) {
    if (!has_valid_sides(graph, parameters, dims)) return std::nullopt;
    SparseShape shape{
        .dims = dims, .brick = parameters.brick, .capacity = 1, .storage = parameters.storage};
    if (parameters.storage == SparseStorage::dense) shape.brick = dims;
    constexpr std::uint64_t kMaxBricks = 1ull << 31;
    const std::uint64_t bricks = shape.bricks();
    const std::uint64_t brick_cells =
        std::uint64_t{shape.brick.x} * shape.brick.y * shape.brick.z; // may not fit into 32 bits
    const std::uint64_t wanted =
        parameters.storage == SparseStorage::atlas
            ? std::min(graph.pool(kSparsePool, parameters.capacity, brick_cells * cell_bytes),
                       bricks)
            : bricks;
    const std::uint64_t most_cells =
        std::min<std::uint64_t>(graph.target().max_storage_buffer_bytes / cell_bytes, 1ull << 32);
    if (bricks > kMaxBricks || wanted * brick_cells > most_cells) {
        graph.error("sparse/too-large",
                    fmt::format("{} x {} x {} cells are {} bricks of {} x {} x {}, {} of which "
                                "have memory; the limits are {} cells a field and {} bricks a "
                                "domain",
                                dims.x, dims.y, dims.z, bricks, shape.brick.x, shape.brick.y,
                                shape.brick.z, wanted, most_cells, kMaxBricks),
                    "choose the storage \"atlas\", a smaller \"capacity\" or larger bricks");
        return std::nullopt;
    }
    shape.capacity = static_cast<std::uint32_t>(wanted);
    shape.evicts =
        parameters.storage == SparseStorage::atlas && parameters.when_full == SparseWhenFull::evict;
    // Half empty, so that what is looked up is found soon.
    if (parameters.storage == SparseStorage::atlas && bricks > kMaxMapped)
        shape.table_bits =
            static_cast<std::uint32_t>(std::bit_width(std::uint64_t{2} * shape.room()));
    return shape;
}

BufferDesc list_desc(const SparseShape& shape) {
    return {.size = kListHeader + 8 * std::uint64_t{shape.room()}, .stride = 4};
}

BufferDesc field_desc(const SparseShape& shape, std::uint32_t cell_bytes) {
    return {.size = shape.count() * cell_bytes, .stride = cell_bytes};
}

void set_shape(KernelNode& node, const SparseShape& shape) {
    node.specialize("kBrickX", static_cast<std::int32_t>(shape.brick.x));
    node.specialize("kBrickY", static_cast<std::int32_t>(shape.brick.y));
    node.specialize("kBrickZ", static_cast<std::int32_t>(shape.brick.z));
    node.specialize("kDomainX", static_cast<std::int32_t>(shape.dims.x));
    node.specialize("kDomainY", static_cast<std::int32_t>(shape.dims.y));
    node.specialize("kDomainZ", static_cast<std::int32_t>(shape.dims.z));
    node.specialize("kTableBits", shape.table_bits);
}

void bind_map(KernelNode& node, const SparseBricks& bricks) {
    set_shape(node, bricks.shape);
    node.read("brick_map", bricks.map);
}

void bind_walk(ComputeNodeBuilder& node, const SparseBricks& bricks) {
    set_shape(node, bricks.shape);
    node.read("brick_list", bricks.list);
    node.dispatch_indirect(bricks.groups, groups_offset(bricks.shape));
}

void set_columns(ComputeNodeBuilder& node, const SparseBricks& bricks) {
    set_shape(node, bricks.shape);
    node.read("brick_list", bricks.list);
}

void bind_columns(ComputeNodeBuilder& node, const SparseBricks& bricks, bool wide) {
    set_columns(node, bricks);
    node.dispatch_indirect(bricks.groups, columns_offset(bricks.shape, wide));
}

void bind_neighbors(KernelNode& node, const SparseBricks& bricks) {
    node.read("brick_neighbors", bricks.neighbors);
}

void bind_claims(KernelNode& node, SparseClaims& claims) {
    set_shape(node, claims.shape);
    claims.map = node.write("claim_map", claims.map);
    claims.list = node.write("claim_list", claims.list);
    if (claims.weights) claims.weights = node.write("claim_weights", claims.weights);
}

ShaderVariant weight_variant(const SparseClaims& claims) {
    return {{"WEIGHTS", claims.weights ? 1 : 0}};
}

SparseClaims start_claims(Graph& graph, const SparseShape& shape, Buffer list) {
    SparseClaims claims{.shape = shape};
    claims.map = graph.fill(array(graph, "map", map_words(shape)), kNoBrick, "no_claims");
    if (!list) list = graph.buffer("claims", list_desc(shape));
    claims.list = graph.fill(list, 0, "empty_list");
    return claims;
}

SparseClaims weighed_claims(Graph& graph, SparseClaims claims) {
    const SparseShape& shape = claims.shape;
    const std::uint64_t places =
        shape.table_bits == 0 ? shape.bricks() : std::uint64_t{1} << shape.table_bits;
    claims.weights = graph.fill(array(graph, "weights", places), 0, "no_weights");
    return claims;
}

SparseClaims adopt_bricks(Graph& graph, SparseClaims claims, Buffer previous) {
    return adopt_bricks(graph, std::move(claims), previous, {});
}

SparseClaims adopt_bricks(Graph& graph, SparseClaims claims, Buffer previous, Buffer weights,
                          std::uint32_t faded) {
    const SparseShape& shape = claims.shape;
    claims.owners = graph.fill(array(graph, "owners", shape.capacity), kNoBrick, "no_owners");
    ComputeNodeBuilder node = graph.compute("sparse/adopt", weight_variant(claims));
    bind_claims(node, claims);
    node.read("previous", previous);
    if (claims.weights) node.read("previous_weights", weights);
    node.set("capacity", shape.capacity);
    node.set("faded", faded);
    node.set("low", glm::uvec3(0));
    node.set("high", glm::uvec3(0));
    claims.owners = node.write("owners", claims.owners);
    node.dispatch_each(shape.room());
    return claims;
}

SparseClaims adopt_part(Graph& graph, SparseClaims claims, Buffer list, const SparseBox& bricks) {
    const SparseShape& shape = claims.shape;
    claims.owners = graph.fill(array(graph, "owners", shape.capacity), kNoBrick, "no_owners");
    ComputeNodeBuilder node = graph.compute("sparse/adopt", weight_variant({}), "adopt_part");
    bind_claims(node, claims);
    node.specialize("kPart", 1u);
    node.read("previous", list);
    node.set("capacity", shape.capacity);
    node.set("faded", 0u);
    node.set("low", glm::uvec3(bricks.low));
    node.set("high", glm::uvec3(bricks.high));
    claims.owners = node.write("owners", claims.owners);
    node.dispatch_each(static_cast<std::uint32_t>((graph.desc(list).size - kListHeader) / 8));
    return claims;
}

SparseClaims claim_boxes(Graph& graph, SparseClaims claims, std::span<const SparseBox> boxes,
                         std::uint32_t weight, std::span<const SparseBox> later) {
    constexpr std::uint32_t kGroupsABox = 16;
    if (boxes.empty() && later.empty()) return claims;
    ComputeNodeBuilder node = graph.compute("sparse/claim_boxes", weight_variant(claims));
    bind_claims(node, claims);
    node.set("weight", weight);
    node.dispatch(set_boxes(node, boxes, later), kGroupsABox);
    return claims;
}

SparseClaims claim_points(Graph& graph, SparseClaims claims, Buffer points, std::uint32_t count,
                          std::uint32_t weight) {
    ComputeNodeBuilder node = graph.compute("sparse/claim_points", weight_variant(claims));
    bind_claims(node, claims);
    node.set("weight", weight);
    node.read("points", points);
    node.set("count", count);
    node.dispatch_each(count);
    return claims;
}

SparseBricks allocate_bricks(Graph& graph, const SparseClaims& asked) {
    SparseClaims claims = asked;
    const SparseShape& shape = claims.shape;
    if (!claims.owners)
        claims.owners = graph.fill(array(graph, "owners", shape.capacity), kNoBrick, "no_owners");
    const Buffer no_slots = array(graph, "free_slots", std::uint64_t{shape.capacity} + 1);

    const Buffer cut = claims.weights ? eviction_cut(graph, claims) : Buffer{};
    ComputeNodeBuilder collect =
        graph.compute("sparse/free_slots", {{"EVICT", cut ? 1 : 0}}, "free_slots");
    collect.read("owners", claims.owners);
    if (cut) {
        set_shape(collect, shape);
        collect.read("cut", cut);
        collect.read("brick_map", claims.map);
        collect.read("claim_weights", claims.weights);
    }
    collect.set("capacity", shape.capacity);
    const Buffer free_slots = collect.write("free_slots", graph.fill(no_slots, 0, "no_free_slots"));
    collect.dispatch_each(shape.capacity);

    SparseBricks bricks{.shape = shape};
    bricks.list = graph.fill(graph.buffer("list", brick_list_desc(shape)), 0, "no_bricks");
    Buffer tally = no_tally(graph);
    ComputeNodeBuilder node = graph.compute("sparse/allocate");
    node.specialize("kByNumber", std::uint32_t(shape.storage == SparseStorage::full));
    node.read_optional("claim_weights", claims.weights, "has_cut");
    claims.weights = {}; // are read
    bind_claims(node, claims);
    node.read_optional("cut", cut);
    node.read("free_slots", free_slots);
    bricks.list = node.write("brick_list", bricks.list);
    tally = node.write("tally", tally);
    node.dispatch_each(shape.room());
    bricks.map = claims.map;

    finish_bricks(graph, bricks, claims.list, tally);
    graph.status<SparseStatus>(bricks.status);

    return with_neighbors(graph, std::move(bricks));
}

bool is_few(const SparseShape& shape) {
    return shape.storage == SparseStorage::atlas && !shape.evicts && shape.table_bits == 0 &&
           shape.capacity <= kFewBricks;
}

FewBricks give_few(Graph& graph, const SparseShape& shape, Buffer previous, Buffer next,
                   std::span<const SparseBox> boxes, std::span<const SparseBox> later) {
    SparseBricks bricks{.shape = shape};
    const Buffer map = graph.fill(array(graph, "map", map_words(shape)), kNoBrick, "no_claims");
    ComputeNodeBuilder node = graph.compute("sparse/give_few");
    set_shape(node, shape);
    node.read_optional("previous", previous);
    node.set("boxes", set_boxes(node, boxes, later));
    bricks.map = node.write("brick_map", map);
    bricks.list = node.write("brick_list", graph.buffer("list", brick_list_desc(shape)));
    write_groups(node, graph, bricks);
    node.dispatch(1);
    graph.status<SparseStatus>(bricks.status);
    SparseClaims claims{.shape = shape};
    ComputeNodeBuilder around = neighbors_of(graph, bricks, true);
    claims.map = around.write("next_map", array(graph, "map", map_words(shape)));
    claims.list = around.write("next_list", next);
    return {.bricks = std::move(bricks), .next = std::move(claims)};
}

SparseBricks with_neighbors(Graph& graph, SparseBricks bricks) {
    neighbors_of(graph, bricks, false);
    return bricks;
}

SparseBricks walking_over(Graph& graph, SparseBricks bricks, Buffer list, Buffer fresh) {
    bricks.list = list;
    const Buffer tally = graph.copy(BufferView(fresh, 0, 4), BufferView(no_tally(graph), 0, 4));
    finish_bricks(graph, bricks, list, tally);
    return bricks;
}

void keep_bricks(Graph& graph, const SparseBricks& bricks, Buffer list) {
    const std::uint64_t bytes = graph.desc(bricks.list).size;
    (void)graph.copy(bricks.list, BufferView(list, 0, bytes), "keep");
}

SparseBricks coarser(const SparseBricks& bricks) {
    SparseBricks result = bricks;
    result.shape = coarser_shape(bricks.shape);
    return result;
}

SparseBricks dense_brick(Graph& graph, const SparseShape& shape, bool fresh) {
    constexpr std::uint32_t kFreshBrick = 1u << 31;
    const std::uint32_t own = fresh ? kFreshBrick : 0;
    const auto word = [&](Buffer buffer, std::uint64_t at, std::uint32_t value) {
        return graph.fill(BufferView(buffer, 4 * at, 4), value, "dense");
    };
    SparseBricks bricks{.shape = shape};
    bricks.map = graph.fill(array(graph, "map", 1), own, "dense");
    bricks.list = graph.fill(array(graph, "list", 6), 0, "dense");
    bricks.list = word(word(bricks.list, 0, 1), 5, own);
    bricks.neighbors = graph.fill(array(graph, "neighbors", 27), kNoBrick, "dense");
    bricks.neighbors = word(bricks.neighbors, 13, own);
    finish_bricks(graph, bricks, bricks.list, no_tally(graph));
    return bricks;
}

} // namespace tuff::passes
