#include "passes/mpi/line_move.hpp"

#include "passes/fft/array.hpp"
#include "passes/mpi/move_layout.hpp"

#include <algorithm>

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
    bool can_be_addressed() const {
        const std::uint64_t sent = most_sent() / kBytesOfComplex;
        return std::ranges::all_of(after, [&](const TexelBox& box) {
            return sent + count_of(box.size) <= kMaxFftNumbers - kMaxMovePadding;
        });
    }
    /// Parts that are worth a message.
    std::uint32_t parts(std::uint64_t slab_bytes) const {
        return static_cast<std::uint32_t>(
            std::clamp<std::uint64_t>(most_sent() / slab_bytes, 1, kMaxSlabs));
    }
};

/// No more than the fewest cells that a rank has along an axis.
std::uint32_t parts_along(const std::vector<TexelBox>& boxes, std::size_t axis,
                          std::uint32_t parts) {
    for (const TexelBox& box : boxes)
        if (count_of(box.size) > 0) parts = std::min(parts, box.size[axis]);
    return parts;
}

/// Whole sectors of memory, and whole groups of lines side by side.
constexpr std::uint32_t kSlabStep = 16;

/// Which of several parts are half as thick as the others: nothing travels while these are
/// transformed.
struct Thin {
    bool first = false;
    bool last = false;
};

/// One of the parts of `cells` cells, no fewer than these.
CellSpan part_of_cells(std::uint32_t cells, std::uint32_t parts, std::uint32_t part,
                       const Thin& thin, std::uint32_t step) {
    const std::uint32_t halves = 2 * parts - thin.first - thin.last;
    if (cells < step * halves) step = 1;
    const std::uint32_t steps = cells / step;
    const bool even = parts == 1 || steps < halves;
    const auto begin = [&](std::uint32_t i) {
        if (i == 0 || i == parts) return i == 0 ? 0 : cells;
        return step *
               (even ? part_of(steps, parts, i) : part_of(steps, halves, 2 * i - thin.first)).first;
    };
    return {begin(part), begin(part + 1) - begin(part)};
}

/// Of slabs the ends are thin where there are more than two. Where cells are cut there are two
/// slabs, of which that is thin which nothing hides.
Thin thin_slabs(const LineMove& move) {
    if (move.side == CutSide::none) return {move.slabs.size() > 2, move.slabs.size() > 2};
    return {.first = move.side == CutSide::after, .last = move.side == CutSide::before};
}

/// How many slabs and cuts there are.
void divide(LineMove& move, const AllBoxes& boxes, const MoveLimits& limits) {
    const std::uint32_t parts = boxes.parts(limits.slab_bytes);
    std::uint32_t slabs = parts;
    const bool slabs_suffice = move.across() != 1 &&
                               parts_along(boxes.before, move.across(), parts) == parts &&
                               boxes.most_sent() >= limits.uncut_bytes;
    const CutSide side = slabs_suffice ? CutSide::none : limits.side;
    if (side != CutSide::none && parts > 1) {
        move.side = side;
        move.cuts = parts_along(side == CutSide::before ? boxes.before : boxes.after,
                                move.cut_axis(), parts);
        slabs = 2;
    }
    // Lines along x are counted by y and z in one.
    slabs = move.across() == 1 ? 1 : parts_along(boxes.before, move.across(), slabs);
    move.slabs.resize(slabs);
    const Cells& size = count_of(move.before) > 0 ? move.before : move.after;
    if (count_of(size) == 0) return;
    const Thin thin = thin_slabs(move);
    for (std::uint32_t slab = 0; slab < slabs; ++slab)
        move.slabs[slab] = part_of_cells(size[move.across()], slabs, slab, thin, kSlabStep);
}

} // namespace

CellSpan LineMove::cut_of(std::uint32_t count, std::uint32_t cut) const {
    const Thin thin{.first = side == CutSide::before, .last = side == CutSide::after};
    return part_of_cells(count, cuts, cut, thin, cut_axis() == 0 ? kSlabStep : 1);
}

CellSpan LineMove::cut(std::uint32_t cut) const {
    return cut_of((side == CutSide::after ? after : before)[cut_axis()], cut);
}

std::optional<LineMove> line_move(const DividedLines& before, const DividedLines& after,
                                  const Cells& cells, std::uint32_t own, const MoveLimits& limits) {
    const AllBoxes boxes(before, after, cells);
    if (boxes.before == boxes.after || !boxes.cut_lines_alone()) return {};
    if (!boxes.can_be_addressed()) return {};
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
    divide(move, boxes, limits);
    return move;
}

} // namespace tuff::passes
