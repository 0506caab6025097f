#include "passes/mpi/transfer.hpp"

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
        if (messages.empty() || messages.back().rank != rank)
            messages.push_back({.rank = rank, .offset = size(), .size = 0});
        messages.back().size += bytes;
    }
    std::uint64_t size() const {
        return messages.empty() ? 0 : messages.back().offset + messages.back().size;
    }
};

TexelBox target_of(const CellBox& box) {
    return {.corner = box.target, .size = box.size};
}
TexelBox source_of(const CellBox& box) {
    return {.corner = box.source, .size = box.size};
}

/// The boxes that a rank gets from itself.
Image move_own(Graph& graph, Image source, std::span<const TexelBox> from, Image target,
               std::span<const TexelBox> to) {
    return unpack_boxes(graph, "unpack_own", pack_boxes(graph, "pack_own", source, from), target,
                        to);
}
CellArray move_own(Graph& graph, const CellArray& source, std::span<const TexelBox> from,
                   const CellArray& target, std::span<const TexelBox> to) {
    if (source.buffer != target.buffer)
        return copy_boxes(graph, "copy_own", source, from, target, to);
    return unpack_boxes(graph, "unpack_own", pack_boxes(graph, "pack_own", source, from), target,
                        to);
}

/// Of images and of arrays.
template <typename Store>
Store transfer(Graph& graph, const Store& source, const Store& target, const BoxesOf& boxes_of,
               Buffer over = {}) {
    const Ranks ranks = graph.ranks();
    const std::uint64_t cell_bytes = packed_cell_bytes(graph, source);
    Travel out, in;
    std::vector<TexelBox> own_sources, own_targets;
    bool travels = false; // on any rank: all have the same host nodes
    for (std::uint32_t other = 0; other < ranks.size(); ++other) {
        if (other == ranks.rank) continue;
        for (const CellBox& box : boxes_of(other)) {
            travels = travels || box.from != other;
            if (box.from == ranks.rank) out.add(other, source_of(box), box.count() * cell_bytes);
        }
    }
    std::vector<CellBox> boxes = boxes_of(ranks.rank);
    std::ranges::stable_sort(boxes, {}, &CellBox::from);
    for (const CellBox& box : boxes) {
        if (box.from != ranks.rank) {
            travels = true;
            in.add(box.from, target_of(box), box.count() * cell_bytes);
            continue;
        }
        own_sources.push_back(source_of(box));
        own_targets.push_back(target_of(box));
    }

    Buffer received;
    if (travels) {
        const Buffer sent = pack_boxes(graph, "pack", source, out.boxes);
        Buffer room;
        if (in.size() > 0) room = graph.buffer("received", {.size = in.size(), .stride = 4});
        received = exchange_messages(graph, "send_receive", {out.messages, in.messages}, sent, room,
                                     {.over = over});
    }
    const Store result = move_own(graph, source, own_sources, target, own_targets);
    return unpack_boxes(graph, "unpack", received, result, in.boxes);
}

/// The halo's boxes, with the halo of the rank that has their cells.
BoxesOf halo_of(const Field& field, const Ranks& ranks) {
    return [field, ranks](std::uint32_t to) {
        std::vector<CellBox> boxes = halo_boxes(field, ranks, to);
        for (CellBox& box : boxes)
            for (std::size_t axis = 0; axis < 3; ++axis)
                box.source[axis] += field.halo[axis];
        return boxes;
    };
}

} // namespace

Image transfer_boxes(Graph& graph, Image source, Image target, const BoxesOf& boxes_of) {
    return transfer(graph, source, target, boxes_of);
}

CellArray transfer_boxes(Graph& graph, const CellArray& source, const CellArray& target,
                         const BoxesOf& boxes_of, Buffer over) {
    return transfer(graph, source, target, boxes_of, over);
}

Image fill_halo(Graph& graph, Image part, const Field& field) {
    return transfer(graph, part, part, halo_of(field, graph.ranks()));
}

CellArray fill_halo(Graph& graph, const CellArray& part, const Field& field) {
    return transfer(graph, part, part, halo_of(field, graph.ranks()));
}

} // namespace tuff::passes
