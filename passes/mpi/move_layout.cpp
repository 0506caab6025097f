#include "passes/mpi/move_layout.hpp"

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

/// A slab of a cut.
struct Tile {
    std::uint32_t cut = 0;
    std::uint32_t slab = 0;
};

std::uint64_t aligned(std::uint64_t number) {
    return (number + kSpanAlignment - 1) / kSpanAlignment * kSpanAlignment;
}

class LayoutBuilder {
  public:
    explicit LayoutBuilder(const LineMove& move)
        : move_(move), slabs_(static_cast<std::uint32_t>(move.slabs.size())),
          cut_after_(move.side == CutSide::after), sent_(tiles()), kept_(tiles()) {}

    MoveLayout build() {
        layout_.read.resize(cut_after_ ? tiles() : slabs_);
        for (std::uint32_t cut = 0; cut < (cut_after_ ? 1 : move_.cuts); ++cut)
            for (std::uint32_t slab = 0; slab < slabs_; ++slab)
                add_written(cut, slab);
        add_steps();
        layout_.numbers = end_;
        return std::move(layout_);
    }

  private:
    std::size_t tiles() const { return std::size_t{move_.cuts} * slabs_; }
    std::size_t index_of(const Tile& tile) const {
        return std::size_t{tile.cut} * slabs_ + tile.slab;
    }
    bool is_own(const LineMove::Share& share) const { return share.rank == move_.own; }
    CellSpan cut_of(const CellSpan& span, std::uint32_t cut) const {
        const CellSpan part = move_.cut_of(span.count, cut);
        return {span.first + part.first, part.count};
    }

    /// What another rank gets of a tile.
    LinePiece sent(const LineMove::Share& share, const Tile& tile) const {
        LinePiece piece{.places = cut_after_ ? cut_of(share.sent, tile.cut) : share.sent,
                        .size = move_.before};
        if (!cut_after_) piece.size[move_.to] = move_.cut(tile.cut).count;
        piece.size[move_.from] = piece.places.count;
        piece.size[move_.across()] = move_.slabs[tile.slab].count;
        return piece;
    }
    LinePiece received(const LineMove::Share& share, const Tile& tile) const {
        LinePiece piece{.places = cut_after_ ? share.received : cut_of(share.received, tile.cut),
                        .size = move_.after};
        if (cut_after_) piece.size[move_.from] = move_.cut(tile.cut).count;
        piece.size[move_.to] = piece.places.count;
        piece.size[move_.across()] = move_.slabs[tile.slab].count;
        return piece;
    }
    /// Gives it room.
    void place(LinePiece& piece) {
        piece.offset = static_cast<std::uint32_t>(end_);
        end_ += count_of(piece.size);
    }
    void add_read(const LinePiece& piece, const Tile& tile) {
        MoveLayout::Read& read = layout_.read[cut_after_ ? index_of(tile) : tile.slab];
        read.pieces.push_back(piece);
        read.end = std::max(read.end, end_);
    }

    void add_written(std::uint32_t cut, std::uint32_t slab) {
        MoveLayout::Written written{.span = {.first = end_}};
        const std::uint32_t cuts_end = cut_after_ ? move_.cuts : cut + 1;
        const auto add = [&](bool own) {
            for (Tile tile{cut, slab}; tile.cut < cuts_end; ++tile.cut) {
                NumberSpan& span = (own ? kept_ : sent_)[index_of(tile)];
                span.first = end_;
                for (const LineMove::Share& share : move_.shares) {
                    if (is_own(share) != own) continue;
                    LinePiece piece = sent(share, tile);
                    place(piece);
                    written.pieces.push_back(piece);
                    written.pieces.back().offset -= static_cast<std::uint32_t>(written.span.first);
                }
                span.end = end_;
            }
        };
        add(false);
        add(true);
        end_ = aligned(end_);
        written.span.end = end_;
        layout_.written.push_back(std::move(written));
    }

    /// Cuts travel as a whole, but for the last two before a move and the first two after it: of
    /// these the first slabs travel first, so that kernels after the move begin early.
    void add_steps() {
        const std::uint32_t in_slabs = std::min(move_.cuts, 2u);
        const std::uint32_t whole = move_.cuts - in_slabs;
        const auto add_slabs_of = [&](std::uint32_t first) {
            for (std::uint32_t slab = 0; slab < slabs_; ++slab)
                for (std::uint32_t cut = first; cut < first + in_slabs; ++cut)
                    add_step(cut, slab, 1);
        };
        if (cut_after_) add_slabs_of(0);
        for (std::uint32_t cut = 0; cut < whole; ++cut)
            add_step(cut_after_ ? in_slabs + cut : cut, 0, slabs_);
        if (!cut_after_) add_slabs_of(whole);
    }

    /// The tiles of `count` slabs.
    void add_step(std::uint32_t cut, std::uint32_t slab, std::uint32_t count) {
        MoveLayout::Step step{.filled = {.first = end_}};
        const auto bytes_of = [](const LineMove::Share& share, std::uint64_t offset,
                                 const LinePiece& piece) {
            return RankBytes{.rank = share.rank,
                             .offset = kBytesOfComplex * offset,
                             .size = kBytesOfComplex * count_of(piece.size)};
        };
        for (Tile tile{cut, slab}; tile.slab < slab + count; ++tile.slab) {
            const NumberSpan& span = sent_[index_of(tile)];
            std::uint64_t offset = 0;
            for (const LineMove::Share& share : move_.shares) {
                LinePiece piece = received(share, tile);
                if (is_own(share)) {
                    piece.offset = static_cast<std::uint32_t>(kept_[index_of(tile)].first);
                    add_read(piece, tile);
                    continue;
                }
                if (const LinePiece to_send = sent(share, tile); count_of(to_send.size) > 0) {
                    step.messages.sends.push_back(bytes_of(share, offset, to_send));
                    step.messages.sends.back().view = step.sent.size();
                    offset += count_of(to_send.size);
                }
                if (count_of(piece.size) > 0) {
                    place(piece);
                    step.messages.receives.push_back(
                        bytes_of(share, piece.offset - step.filled.first, piece));
                }
                add_read(piece, tile);
            }
            if (span.end > span.first) step.sent.push_back(span);
        }
        end_ = aligned(end_);
        step.filled.end = end_;
        layout_.steps.push_back(std::move(step));
    }

    const LineMove& move_;
    const std::uint32_t slabs_;
    const bool cut_after_;
    std::uint64_t end_ = 0;
    std::vector<NumberSpan> sent_; ///< of each tile
    std::vector<NumberSpan> kept_;
    MoveLayout layout_;
};

} // namespace

MoveLayout layout_of(const LineMove& move) {
    return LayoutBuilder(move).build();
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
