#include "passes/mpi/exchange.hpp"

#include "passes/mpi/boxes.hpp"
#include "passes/mpi/field.hpp"
#include "passes/mpi/messages.hpp"

#include <algorithm>

namespace tuff::passes {
namespace {

/// Boxes of one kind of transfer, in the order of the buffer, and the messages that they make.
struct Travel {
    std::vector<TexelBox> boxes;
    std::vector<RankBytes> messages;

    /// Boxes to or from one rank follow each other.
    void add(std::uint32_t rank, const TexelBox& box, std::uint64_t bytes) {
        boxes.push_back(box);
        if (messages.empty() || messages.back().rank != rank) {
            const std::uint64_t end =
                messages.empty() ? 0 : messages.back().offset + messages.back().size;
            messages.push_back({.rank = rank, .offset = end, .size = 0});
        }
        messages.back().size += bytes;
    }
};

TexelBox target_of(const CellBox& box) {
    return {.corner = box.target, .size = box.size};
}

/// Where a box lies in the image of the rank that has its cells.
TexelBox source_of(const CellBox& box, const Cells& halo) {
    TexelBox result{.corner = box.source, .size = box.size};
    for (std::size_t axis = 0; axis < 3; ++axis)
        result.corner[axis] += halo[axis];
    return result;
}

/// The image itself, or a copy of one that outlives the execution.
Image writable(Graph& graph, Image source) {
    if (graph.peek().resource_of(source.version).lifetime == Lifetime::transient) return source;
    return graph.copy(source, graph.image("part", graph.desc(source)), "copy");
}

} // namespace

void HaloExchange::describe(PassInfo<HaloExchange>& info) {
    info.summary("Fills the halo of a rank's part of a field with cells of other ranks")
        .details(
            "A field of `cells` cells is divided among the ranks of the graph. The image of a rank "
            "has its part, and around it a halo of `halo` texels on every side, along z for "
            "volumes "
            "only. The pass fills the halo, corners too, from the ranks that have those cells, "
            "which may be further away than the next one. The part itself stays, and the image is "
            "filled in place: exchange it once, or a copy of it. Kernels that need "
            "no halo can read `source`: they run while the halo travels. With one rank nothing "
            "travels, and the field meets itself at periodic ends.")
        .source("Gropp, Lusk and Skjellum, \"Using MPI\", 3rd ed., MIT Press, 2014, chapter 4")
        .complexity("O(texels of the halo)")
        .cost([](const HaloExchange& pass, const Graph& graph) -> Cost {
            if (!pass.source) return {};
            const Field field = field_of(graph, pass.source, pass.cells, pass.halo);
            const Extent extent = graph.extent(pass.source);
            const Cells all{extent.width, extent.height, extent.depth};
            double texels = 1.0;
            double own = 1.0;
            for (std::size_t axis = 0; axis < 3; ++axis) {
                texels *= all[axis];
                own *= static_cast<double>(all[axis]) - 2.0 * field.halo[axis];
            }
            // Read, packed, unpacked and written.
            return {.bytes = (texels - own) * 2.0 *
                             (tuff::info(graph.desc(pass.source).format).texel_bytes +
                              static_cast<double>(packed_texel_bytes(graph, pass.source)))};
        });
    info.input("source", &HaloExchange::source,
               "the rank's part of the field, with room for the halo")
        .picture_or_volume();
    describe_field(info, &HaloExchange::cells, &HaloExchange::halo, 1);
    info.parameter("edge_x", &HaloExchange::edge_x,
                   "halo beyond the ends along x: the nearest cell, the other end of the field, or "
                   "what `source` has there")
        .structural();
    info.parameter("edge_y", &HaloExchange::edge_y, "the same along y").structural();
    info.parameter("edge_z", &HaloExchange::edge_z, "the same along z").structural();
    info.output("result", &HaloExchange::result, "the part and its halo");
}

void HaloExchange::build(Graph& graph) {
    const Field field = field_of(graph, source, cells, halo, {edge_x, edge_y, edge_z});
    if (!is_part_of(graph, source, field)) return;
    const Ranks ranks = graph.ranks();
    const std::uint64_t texel_bytes = packed_texel_bytes(graph, source);
    Travel out, in;
    std::vector<TexelBox> own_sources, own_targets;
    for (std::uint32_t other = 0; other < ranks.size(); ++other) {
        if (other == ranks.rank) continue;
        for (const CellBox& box : halo_boxes(field, ranks, other))
            if (box.from == ranks.rank)
                out.add(other, source_of(box, field.halo), box.count() * texel_bytes);
    }
    std::vector<CellBox> boxes = halo_boxes(field, ranks, ranks.rank);
    std::ranges::stable_sort(boxes, {}, &CellBox::from);
    for (const CellBox& box : boxes) {
        if (box.from != ranks.rank) {
            in.add(box.from, target_of(box), box.count() * texel_bytes);
            continue;
        }
        own_sources.push_back(source_of(box, field.halo));
        own_targets.push_back(target_of(box));
    }

    const Image part = writable(graph, source);
    Buffer received;
    if (ranks.size() > 1) {
        const Buffer sent = pack_boxes(graph, "pack", part, out.boxes);
        Buffer room;
        if (!in.messages.empty())
            room = graph.buffer(
                "received",
                {.size = in.messages.back().offset + in.messages.back().size, .stride = 4});
        received =
            exchange_messages(graph, "send_receive", {out.messages, in.messages}, sent, room);
    }
    const Buffer own = pack_boxes(graph, "pack_own", part, own_sources);
    result = unpack_boxes(graph, "unpack_own", own, part, own_targets);
    result = unpack_boxes(graph, "unpack", received, result, in.boxes);
}

TUFF_PASS(HaloExchange)

} // namespace tuff::passes
