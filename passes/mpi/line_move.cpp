#include "passes/mpi/line_move.hpp"

#include <algorithm>
#include <cstring>
#include <memory>

namespace tuff::passes {
namespace {

/// FftPlaces::list has one for each place.
struct FftPlace {
    std::uint32_t first = 0;
    std::uint32_t pitch = 0;
};

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
    bool can_be_addressed(std::uint64_t slabs) const {
        for (std::size_t rank = 0; rank < before.size(); ++rank) {
            const std::uint64_t most = count_of(before[rank].size) + count_of(after[rank].size);
            if (most > slabs * kMaxFftNumbers) return false;
        }
        return true;
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

/// Whole sectors of memory, and whole groups of lines side by side.
constexpr std::uint32_t kSlabStep = 16;

/// Divides `cells` cells, no fewer than `count`. The first slab and the last are half as thick
/// where there are more than two: nothing travels while the one is made and the other used.
std::vector<CellSpan> slabs_of(std::uint32_t cells, std::uint32_t count) {
    std::uint32_t parts = count > 2 ? 2 * count - 2 : count;
    const std::uint32_t step = cells >= kSlabStep * parts ? kSlabStep : 1;
    const std::uint32_t steps = cells / step;
    if (steps < parts) parts = count;
    std::vector<CellSpan> slabs;
    std::uint32_t first = 0;
    for (std::uint32_t slab = 1; slab <= count; ++slab) {
        const std::uint32_t part = parts == count ? slab : 2 * slab - 1;
        const std::uint32_t end = slab == count ? cells : step * part_of(steps, parts, part).first;
        slabs.push_back({first, end - first});
        first = end;
    }
    return slabs;
}

/// The numbers of a slab that a rank shares with another.
LinePiece piece_of(const LineMove& move, const Cells& cells, std::size_t axis,
                   const CellSpan& places, const CellSpan& slab) {
    LinePiece piece{.places = places, .size = cells};
    piece.size[axis] = places.count;
    piece.size[move.across()] = slab.count;
    return piece;
}

} // namespace

std::optional<LineMove> line_move(const DividedLines& before, const DividedLines& after,
                                  const Cells& cells, std::uint32_t own, std::uint64_t slab_bytes) {
    const AllBoxes boxes(before, after, cells);
    if (boxes.before == boxes.after || !boxes.cut_lines_alone()) return {};
    const std::uint32_t count = boxes.slabs(slab_bytes);
    if (!boxes.can_be_addressed(count)) return {};
    LineMove move{.from = before.axis,
                  .to = after.axis,
                  .before = boxes.before[own].size,
                  .after = boxes.after[own].size,
                  .own = own};
    const auto add = [&](std::size_t other) {
        LineMove::Share share{.rank = static_cast<std::uint32_t>(other)};
        if (boxes.meet(own, other)) share.sent = span_of(boxes.after[other], move.from);
        if (boxes.meet(other, own)) share.received = span_of(boxes.before[other], move.to);
        move.shares.push_back(share);
    };
    for (std::size_t other = 0; other < boxes.before.size(); ++other)
        if (boxes.meet(own, other) || boxes.meet(other, own)) add(other);
    std::ranges::stable_sort(move.shares, {},
                             [](const LineMove::Share& share) { return share.received.first; });
    const Cells& size = count_of(move.before) > 0 ? move.before : move.after;
    if (count_of(size) > 0)
        move.slabs = slabs_of(size[move.across()], count);
    else
        move.slabs.resize(count);
    return move;
}

SlabLayout slab_layout(const LineMove& move, const CellSpan& slab) {
    SlabLayout layout;
    const auto add = [&](std::vector<LinePiece>& pieces, LinePiece piece, std::uint64_t& numbers,
                         std::vector<RankBytes>* messages, std::uint32_t rank) {
        const std::uint64_t count = count_of(piece.size);
        if (messages && count > 0)
            messages->push_back({.rank = rank,
                                 .offset = kBytesOfComplex * numbers,
                                 .size = kBytesOfComplex * count});
        piece.offset = static_cast<std::uint32_t>(numbers);
        numbers += count;
        pieces.push_back(piece);
    };
    for (const LineMove::Share& share : move.shares)
        if (share.rank != move.own)
            add(layout.before, piece_of(move, move.before, move.from, share.sent, slab),
                layout.sent, &layout.messages.sends, share.rank);
    for (const LineMove::Share& share : move.shares) {
        const bool own = share.rank == move.own;
        add(layout.after, piece_of(move, move.after, move.to, share.received, slab),
            layout.received, own ? nullptr : &layout.messages.receives, share.rank);
        layout.after.back().offset += static_cast<std::uint32_t>(layout.sent);
        if (!own) continue;
        layout.before.push_back(piece_of(move, move.before, move.from, share.sent, slab));
        layout.before.back().offset = layout.after.back().offset;
    }
    return layout;
}

FftPlaces line_places(std::span<const LinePiece> pieces, std::size_t axis, const Cells& corner) {
    std::vector<FftPlace> list;
    for (const auto& [span, offset, size] : pieces) {
        const Cells steps{1, size[0], size[0] * size[1]};
        std::uint32_t first = offset;
        for (std::size_t i = 0; i < 3; ++i)
            if (i != axis) first += corner[i] * steps[i];
        // Of lines along x, y and z follow each other.
        const std::uint32_t pitch = axis == 1 ? steps[2] : steps[1];
        if (list.size() < span.first + span.count) list.resize(span.first + span.count);
        for (std::uint32_t k = 0; k < span.count; ++k)
            list[span.first + k] = {first + k * steps[axis], pitch};
    }
    FftPlaces places{.first = list[0].first, .pitch = list[0].pitch};
    if (list.size() > 1) places.step = list[1].first - list[0].first;
    bool even = true;
    for (std::uint32_t k = 0; k < list.size(); ++k)
        even = even && list[k].pitch == places.pitch &&
               list[k].first == places.first + k * places.step;
    if (even) return places;
    auto bytes = std::make_shared<std::vector<std::byte>>(list.size() * sizeof(FftPlace));
    std::memcpy(bytes->data(), list.data(), bytes->size());
    places.list = std::move(bytes);
    return places;
}

LineCounts line_counts(const Cells& box, std::size_t axis) {
    if (axis == 0) return {1, std::uint64_t{box[1]} * box[2]};
    return {box[0], box[3 - axis]};
}

} // namespace tuff::passes
