#include "passes/mpi/bricks.hpp"

#include "passes/common/constant_array.hpp"
#include "passes/common/status.hpp"
#include "passes/common/warning.hpp"
#include "passes/mpi/messages.hpp"
#include "passes/mpi/parts.hpp"
#include "passes/primitives/elements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kGatherRank = 0;

Cells grid_of(const SparseShape& shape) {
    const glm::uvec3 grid = shape.grid();
    return {grid.x, grid.y, grid.z};
}

TexelBox part_box(const SparseShape& shape, const Ranks& ranks, std::uint32_t rank) {
    const auto part = ranks.part(grid_of(shape), rank);
    return {.corner = {part[0].first, part[1].first, part[2].first},
            .size = {part[0].count, part[1].count, part[2].count}};
}

bool is_same(const TexelBox& a, const TexelBox& b) {
    return a.corner == b.corner && a.size == b.size;
}

/// Adds a rank whose `boxes` travel.
void add_peer(BorderSide& side, std::uint32_t rank, const std::vector<TexelBox>& boxes,
              std::uint32_t capacity) {
    if (boxes.empty()) return;
    BorderPeer peer{.rank = rank, .first = side.places, .places = 0, .bricks = side.bricks};
    for (const TexelBox& box : boxes) {
        side.boxes.push_back(box);
        side.bricks += box.size[0] * box.size[1] * box.size[2];
    }
    peer.places = std::min(capacity, side.bricks - peer.bricks);
    side.places += peer.places;
    side.peers.push_back(peer);
}

/// The bricks of rank `from` in the halo of rank `to`, each once.
std::vector<TexelBox> halo_from(const Field& field, const Ranks& ranks, std::uint32_t from,
                                std::uint32_t to) {
    const auto part = ranks.part(field.cells, from);
    std::vector<TexelBox> boxes;
    for (const CellBox& box : halo_boxes(field, ranks, to)) {
        if (box.from != from) continue;
        TexelBox bricks{.corner = {}, .size = box.size};
        for (std::size_t axis = 0; axis < 3; ++axis)
            bricks.corner[axis] = part[axis].first + box.source[axis];
        // Around a periodic end the same ones may lie at both sides.
        if (std::ranges::none_of(boxes, [&](const TexelBox& b) { return is_same(b, bricks); }))
            boxes.push_back(bricks);
    }
    return boxes;
}

/// The border without what travels; nothing, and an error, if ranks cannot have such a store.
std::optional<BrickBorder> part_of_store(Graph& graph, const SparseShape& shape) {
    const Ranks ranks = graph.ranks();
    if (ranks.size() > 1 && shape.storage == SparseStorage::dense) {
        graph.error("mpi/dense-store",
                    "the storage \"dense\" has one brick, which ranks cannot share",
                    "choose the storage \"atlas\" or \"full\"");
        return std::nullopt;
    }
    if (auto ok = ranks.check(grid_of(shape)); !ok) {
        const glm::uvec3 grid = shape.grid();
        graph.error("mpi/too-many-ranks",
                    fmt::format("the domain has {} x {} x {} bricks, too few for a grid of {} x {} "
                                "x {} ranks",
                                grid.x, grid.y, grid.z, ranks.grid[0], ranks.grid[1],
                                ranks.grid[2]),
                    "use fewer ranks, or smaller bricks");
        return std::nullopt;
    }
    const TexelBox box = part_box(shape, ranks, ranks.rank);
    const glm::ivec3 low(box.corner[0], box.corner[1], box.corner[2]);
    return BrickBorder{.shape = shape,
                       .part = {low, low + glm::ivec3(box.size[0], box.size[1], box.size[2])},
                       .inner = {},
                       .outer = {}};
}

/// As Peers of border.glsl.
Buffer peer_table(Graph& graph, const BorderSide& side) {
    std::vector<std::array<std::uint32_t, 4>> peers;
    for (const BorderPeer& peer : side.peers)
        peers.push_back({peer.first, peer.places, peer.bricks, 0});
    return constant_array(graph, "peers", peers);
}

void set_peers(ComputeNodeBuilder& node, Graph& graph, const BorderSide& side) {
    node.read("peers", peer_table(graph, side));
    node.set("peers", static_cast<std::uint32_t>(side.peers.size()));
}
/// For kernels that include border_places.glsl.
void set_places(ComputeNodeBuilder& node, Graph& graph, const BorderSide& side, Buffer list) {
    set_peers(node, graph, side);
    node.set("places", side.places);
    node.read("border_list", list);
}

BufferDesc border_list_desc(const BorderSide& side) {
    return {.size = 4 * (side.places + side.peers.size()), .stride = 4};
}
/// The blocks of a list.
std::vector<RankBytes> list_bytes(const BorderSide& side) {
    std::vector<RankBytes> all;
    for (const BorderPeer& peer : side.peers)
        all.push_back({.rank = peer.rank,
                       .offset = 4 * (std::uint64_t{peer.first} + all.size()),
                       .size = 4 * (std::uint64_t{peer.places} + 1)});
    return all;
}
/// The contents of the places of a list that have bricks.
std::vector<RankBytes> place_bytes(const BorderSide& side, std::uint64_t brick_bytes) {
    std::vector<RankBytes> all;
    for (const BorderPeer& peer : side.peers)
        all.push_back({.rank = peer.rank,
                       .offset = peer.first * brick_bytes,
                       .size = peer.places * brick_bytes,
                       .element = brick_bytes,
                       .count_at = 4 * (std::uint64_t{peer.first} + all.size())});
    return all;
}

/// Sends the bricks of `from` that a map has, and receives such lists of `to`.
BorderLists exchange_lists(Graph& graph, const SparseShape& shape, const BorderSide& from,
                           const BorderSide& to, Buffer map) {
    BorderLists lists;
    if (!from.peers.empty()) {
        const Buffer no_status = graph.fill(
            graph.buffer("status", {.size = sizeof(BorderStatus), .stride = 4}), 0, "no_status");
        const Buffer empty = graph.fill(graph.buffer("list", border_list_desc(from)), 0, "no_list");
        ComputeNodeBuilder node = graph.compute("mpi/border_list", "list");
        node.match<BorderStatus>("status");
        set_shape(node, shape);
        node.read("brick_map", map);
        node.read("boxes", box_table(graph, "boxes", from.boxes).boxes);
        set_peers(node, graph, from);
        node.set("boxes", static_cast<std::uint32_t>(from.boxes.size()));
        node.set("bricks", from.bricks);
        lists.sent = node.write("list", empty);
        lists.status = node.write("status", no_status);
        node.dispatch_each(from.bricks);
        graph.status<BorderStatus>(lists.status);
    }
    Buffer room;
    if (!to.peers.empty()) room = graph.buffer("received_list", border_list_desc(to));
    lists.received = exchange_messages(graph, "send_lists", {list_bytes(from), list_bytes(to)},
                                       lists.sent, room);
    return lists;
}

/// Claims what the lists of `side` have. `map` says which slots they have here.
SparseClaims claim_listed(Graph& graph, const BorderSide& side, SparseClaims claims, Buffer list,
                          Buffer map) {
    if (!list) return claims;
    ComputeNodeBuilder node =
        graph.compute("mpi/border_claim", {{"OWNERS", claims.owners ? 1 : 0}}, "claim_listed");
    set_places(node, graph, side, list);
    node.read("brick_map", map);
    bind_claims(node, claims);
    if (claims.owners) claims.owners = node.write("owners", claims.owners);
    node.dispatch_each(side.places);
    return claims;
}

bool fits_buffer(Graph& graph, const BorderSide& side, std::uint64_t brick_bytes) {
    if (side.places * brick_bytes <= graph.target().max_storage_buffer_bytes) return true;
    graph.error("sparse/too-large",
                fmt::format("{} bricks of {} bytes that go to other ranks do not fit into a buffer "
                            "of the device",
                            side.places, brick_bytes),
                "decrease the number of bricks that a message has places for");
    return false;
}

} // namespace

BorderStatus BorderStatus::read(std::span<const std::uint32_t> words) {
    return status_from<BorderStatus>(words);
}

Diagnostics BorderStatus::warnings() const {
    if (left_out == 0) return {};
    return {warning("mpi/border-full",
                    fmt::format("a rank should get {} bricks of this one, but its message has "
                                "places for {}: {} bricks were left out, and results are wrong",
                                most, places, left_out),
                    "increase the number of bricks that go to one rank")};
}

std::optional<BrickBorder> halo_border(Graph& graph, const SparseShape& shape,
                                       std::uint32_t capacity) {
    auto border = part_of_store(graph, shape);
    if (!border) return std::nullopt;
    const Ranks ranks = graph.ranks();
    Field field{.cells = grid_of(shape), .halo = {}, .edges = {}};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const bool periodic = (shape.periodic >> axis & 1u) != 0;
        const auto a = static_cast<int>(axis);
        if (periodic && shape.dims[a] % shape.brick[a] != 0) {
            graph.error("mpi/periodic-bricks",
                        fmt::format("{} cells along a periodic axis are no whole number of bricks "
                                    "of {} cells",
                                    shape.dims[a], shape.brick[a]),
                        "choose a domain of whole bricks");
            return std::nullopt;
        }
        // Along an axis with one rank all bricks are its own.
        field.halo[axis] = ranks.grid[axis] > 1 ? 1 : 0;
        field.edges[axis] = periodic ? HaloEdge::periodic : HaloEdge::keep;
    }
    for (std::uint32_t other = 0; other < ranks.size(); ++other) {
        if (other == ranks.rank) continue;
        add_peer(border->inner, other, halo_from(field, ranks, ranks.rank, other), capacity);
        add_peer(border->outer, other, halo_from(field, ranks, other, ranks.rank), capacity);
    }
    return border;
}

std::optional<BrickBorder> gather_border(Graph& graph, const SparseShape& shape,
                                         std::uint32_t capacity) {
    auto border = part_of_store(graph, shape);
    if (!border) return std::nullopt;
    const Ranks ranks = graph.ranks();
    for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
        if (rank == kGatherRank) continue;
        if (ranks.rank == kGatherRank)
            add_peer(border->outer, rank, {part_box(shape, ranks, rank)}, capacity);
        else if (rank == ranks.rank)
            add_peer(border->inner, kGatherRank, {part_box(shape, ranks, rank)}, capacity);
    }
    // Room for all that may come.
    const std::uint64_t room = std::uint64_t{shape.capacity} + border->outer.places;
    if (shape.storage == SparseStorage::atlas)
        border->shape.capacity =
            static_cast<std::uint32_t>(std::min<std::uint64_t>(room, shape.bricks()));
    return border;
}

SharedClaims share_bricks(Graph& graph, const BrickBorder& border, Buffer list, Buffer map) {
    SharedClaims shared;
    shared.claims = adopt_part(graph, start_claims(graph, border.shape), list, border.part);
    if (graph.ranks().size() == 1) return shared;
    shared.lists =
        exchange_lists(graph, border.shape, border.inner, border.outer, shared.claims.map);
    shared.claims = claim_listed(graph, border.outer, shared.claims, shared.lists.received, map);
    return shared;
}

SparseClaims send_claims(Graph& graph, const BrickBorder& border, SparseClaims claims,
                         const SparseBricks& bricks) {
    if (graph.ranks().size() == 1) return claims;
    const BorderLists lists =
        exchange_lists(graph, border.shape, border.outer, border.inner, claims.map);
    claims.owners = {};
    return claim_listed(graph, border.inner, claims, lists.received, bricks.map);
}

Buffer fill_copies(Graph& graph, const BrickBorder& border, const BorderLists& lists,
                   const SparseBricks& bricks, Buffer field, std::uint32_t brick_words) {
    if (graph.ranks().size() == 1) return field;
    const std::uint64_t brick_bytes = std::uint64_t{4} * brick_words;
    if (!fits_buffer(graph, border.inner, brick_bytes) ||
        !fits_buffer(graph, border.outer, brick_bytes))
        return {};
    const auto set_up = [&](ComputeNodeBuilder& node, const BorderSide& side, Buffer list) {
        set_shape(node, border.shape);
        set_places(node, graph, side, list);
        node.read("brick_map", bricks.map);
        node.specialize("kWords", brick_words);
        dispatch_each(node, side.places * std::uint64_t{brick_words}, 64);
    };
    const auto contents = [&](const BorderSide& side, std::string_view name) {
        return graph.buffer(name, {.size = side.places * brick_bytes, .stride = 4});
    };
    Buffer packed, room;
    if (lists.sent) {
        ComputeNodeBuilder node = graph.compute("mpi/border_pack", "pack");
        set_up(node, border.inner, lists.sent);
        node.read("field", field);
        packed = node.write("packed", contents(border.inner, "packed"));
    }
    if (lists.received) room = contents(border.outer, "received");
    const Buffer received = exchange_messages(
        graph, "send_receive",
        {place_bytes(border.inner, brick_bytes), place_bytes(border.outer, brick_bytes)}, packed,
        room, {lists.sent, lists.received});
    if (!received) return field;
    ComputeNodeBuilder node = graph.compute("mpi/border_unpack", "unpack");
    set_up(node, border.outer, lists.received);
    node.read("packed", received);
    return node.write("field", field);
}

Buffer field_with_room(Graph& graph, const BrickBorder& border, Buffer field,
                       std::uint32_t cell_bytes) {
    const BufferDesc desc = field_desc(border.shape, cell_bytes);
    const std::uint64_t bytes = std::min(graph.desc(field).size, desc.size);
    return graph.copy(BufferView(field, 0, bytes),
                      BufferView(graph.buffer("field", desc), 0, bytes), "copy");
}

SparseBricks own_bricks(Graph& graph, const BrickBorder& border, const SparseBricks& bricks) {
    if (graph.ranks().size() == 1) return bricks;
    const Buffer empty = graph.fill(graph.buffer("own_list", graph.desc(bricks.list)), 0, "no_own");
    const Buffer map =
        graph.copy(bricks.map, graph.buffer("own_map", graph.desc(bricks.map)), "own_map");
    ComputeNodeBuilder node = graph.compute("mpi/own_bricks");
    bind_map(node, bricks);
    node.read("brick_list", bricks.list);
    node.set("low", glm::uvec3(border.part.low));
    node.set("high", glm::uvec3(border.part.high));
    SparseBricks own = bricks;
    const Buffer list = node.write("own_list", empty);
    own.map = node.write("own_map", map);
    const Buffer fresh = node.write(
        "fresh", graph.fill(graph.buffer("fresh", {.size = 4, .stride = 4}), 0, "no_fresh"));
    node.dispatch_each(bricks.shape.capacity);
    return with_neighbors(graph, walking_over(graph, own, list, fresh));
}

} // namespace tuff::passes
