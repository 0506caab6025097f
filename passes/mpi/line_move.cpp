#include "passes/mpi/line_move.hpp"

#include <algorithm>
#include <cstring>
#include <memory>

namespace tuff::passes {
namespace {

CellSpan span_of(const TexelBox& box, std::size_t axis) {
    return {box.corner[axis], box.size[axis]};
}

bool overlap(const CellSpan& a, const CellSpan& b) {
    return a.first < b.first + b.count && b.first < a.first + a.count;
}

/// How all ranks have the cells before and after a move.
struct AllBoxes {
    std::vector<TexelBox> before;
    std::vector<TexelBox> after;
    std::size_t from = 0;
    std::size_t to = 0;

    AllBoxes(const DividedLines& a, const DividedLines& b, const Cells& cells)
        : from(a.axis), to(b.axis) {
        for (std::uint32_t rank = 0; rank < a.division.places.size(); ++rank) {
            before.push_back(a.division.box(cells, rank));
            after.push_back(b.division.box(cells, rank));
        }
    }
    std::size_t across() const { return 3 - from - to; }
    /// Along the two other axes one of the boxes is whole.
    bool meet(std::size_t sender, std::size_t receiver) const {
        const TexelBox& a = before[sender];
        const TexelBox& b = after[receiver];
        return count_of(a.size) > 0 && count_of(b.size) > 0 &&
               overlap(span_of(a, across()), span_of(b, across()));
    }
    /// Whether boxes that meet have the same cells along the third axis.
    bool cut_lines_alone() const {
        for (std::size_t sender = 0; sender < before.size(); ++sender)
            for (std::size_t receiver = 0; receiver < after.size(); ++receiver)
                if (meet(sender, receiver) &&
                    span_of(before[sender], across()) != span_of(after[receiver], across()))
                    return false;
        return true;
    }
    /// The most bytes that a rank sends.
    std::uint64_t most_sent() const {
        std::uint64_t most = 0;
        for (std::size_t rank = 0; rank < before.size(); ++rank) {
            Cells kept = before[rank].size;
            kept[from] = meet(rank, rank) ? after[rank].size[from] : 0;
            most = std::max(most, count_of(before[rank].size) - count_of(kept));
        }
        return std::uint64_t{kBytesOfComplex} * most;
    }
    std::uint32_t slabs(std::uint64_t slab_bytes) const {
        // Lines along x are counted by y and z in one.
        if (across() == 1) return 1;
        std::uint64_t count = std::clamp<std::uint64_t>(most_sent() / slab_bytes, 1, kMaxSlabs);
        for (const TexelBox& box : before)
            if (count_of(box.size) > 0) count = std::min<std::uint64_t>(count, box.size[across()]);
        return static_cast<std::uint32_t>(count);
    }
};

/// A piece behind others.
LinePiece& add_piece(std::vector<LinePiece>& pieces, const CellSpan& places, const Cells& size) {
    std::uint32_t offset = 0;
    if (!pieces.empty())
        offset = pieces.back().offset + static_cast<std::uint32_t>(count_of(pieces.back().size));
    return pieces.emplace_back(places, offset, size);
}

} // namespace

std::optional<LineMove> line_move(const DividedLines& before, const DividedLines& after,
                                  const Cells& cells, std::uint32_t own, std::uint64_t slab_bytes) {
    const AllBoxes boxes(before, after, cells);
    if (boxes.before == boxes.after || !boxes.cut_lines_alone()) return {};
    LineMove move{.from = before.axis,
                  .to = after.axis,
                  .before = boxes.before[own].size,
                  .after = boxes.after[own].size};
    const auto add = [&](std::size_t other) {
        LineMove::Share share{.rank = static_cast<std::uint32_t>(other)};
        if (boxes.meet(own, other)) share.sent = span_of(boxes.after[other], move.from);
        if (boxes.meet(other, own)) share.received = span_of(boxes.before[other], move.to);
        move.shares.push_back(share);
    };
    for (std::size_t other = 0; other < boxes.before.size(); ++other)
        if (other != own && (boxes.meet(own, other) || boxes.meet(other, own))) add(other);
    add(own);
    const std::uint32_t count = boxes.slabs(slab_bytes);
    const Cells& size = count_of(move.before) > 0 ? move.before : move.after;
    for (std::uint32_t slab = 0; slab < count; ++slab)
        move.slabs.push_back(part_of(size[move.across()], count, slab));
    return move;
}

std::vector<LinePiece> sent_pieces(const LineMove& move, const CellSpan& slab) {
    std::vector<LinePiece> pieces;
    for (const LineMove::Share& share : move.shares) {
        Cells size = move.before;
        size[move.from] = share.sent.count;
        size[move.across()] = slab.count;
        add_piece(pieces, share.sent, size);
    }
    return pieces;
}

std::vector<LinePiece> received_pieces(const LineMove& move, const CellSpan& slab) {
    std::vector<LinePiece> pieces;
    for (const LineMove::Share& share : move.shares) {
        Cells size = move.after;
        size[move.to] = share.received.count;
        size[move.across()] = slab.count;
        add_piece(pieces, share.received, size);
    }
    pieces.back().offset = sent_pieces(move, slab).back().offset;
    return pieces;
}

Messages slab_messages(const LineMove& move, const CellSpan& slab) {
    const auto messages_of = [&](std::span<const LinePiece> pieces) {
        std::vector<RankBytes> messages;
        for (std::size_t i = 0; i + 1 < pieces.size(); ++i)
            if (const std::uint64_t count = count_of(pieces[i].size); count > 0)
                messages.push_back({.rank = move.shares[i].rank,
                                    .offset = std::uint64_t{kBytesOfComplex} * pieces[i].offset,
                                    .size = std::uint64_t{kBytesOfComplex} * count});
        return messages;
    };
    return {messages_of(sent_pieces(move, slab)), messages_of(received_pieces(move, slab))};
}

FftTable line_places(std::span<const LinePiece> pieces, std::size_t axis, const Cells& corner) {
    std::vector<FftPlace> places;
    for (const auto& [span, offset, size] : pieces) {
        const Cells steps{1, size[0], size[0] * size[1]};
        std::uint32_t first = offset;
        for (std::size_t i = 0; i < 3; ++i)
            if (i != axis) first += corner[i] * steps[i];
        // Of lines along x, y and z follow each other.
        const std::uint32_t step = axis == 1 ? steps[2] : steps[1];
        if (places.size() < span.first + span.count) places.resize(span.first + span.count);
        for (std::uint32_t k = 0; k < span.count; ++k)
            places[span.first + k] = {first + k * steps[axis], step};
    }
    auto bytes = std::make_shared<std::vector<std::byte>>(places.size() * sizeof(FftPlace));
    std::memcpy(bytes->data(), places.data(), bytes->size());
    return bytes;
}

LineCounts line_counts(const Cells& box, std::size_t axis) {
    if (axis == 0) return {1, std::uint64_t{box[1]} * box[2]};
    return {box[0], box[3 - axis]};
}

} // namespace tuff::passes
