#include "graph/compile/memory/alias_map.hpp"

#include <algorithm>
#include <iterator>

namespace tuff {

std::size_t FewPieces::search(std::uint64_t byte) const {
    // Nobody can guess on which side the byte lies, so there is no branch.
    std::size_t first = 0;
    for (std::size_t count = pieces_.size(); count > 1;) {
        const std::size_t half = count / 2;
        first += half * static_cast<std::size_t>(pieces_[first + half].begin <= byte);
        count -= half;
    }
    return first;
}

void FewPieces::replace(std::uint64_t begin, std::uint64_t end,
                        std::span<const AliasPiece> pieces) {
    std::size_t first = find(begin);
    std::size_t last = first;
    while (pieces_[last].end < end)
        ++last;
    AliasPiece rest = pieces_[last];
    rest.begin = end;
    const bool has_rest = rest.end > end;
    if (pieces_[first].begin < begin) pieces_[first++].end = begin;

    const std::size_t former = last + 1 - first;
    const std::size_t now = pieces.size() + (has_rest ? 1 : 0);
    const auto place = pieces_.begin() + static_cast<std::ptrdiff_t>(first);
    if (now > former)
        pieces_.insert(place, now - former, AliasPiece{});
    else
        pieces_.erase(place, place + static_cast<std::ptrdiff_t>(former - now));
    std::ranges::copy(pieces, pieces_.begin() + static_cast<std::ptrdiff_t>(first));
    if (has_rest) pieces_[first + pieces.size()] = rest;
}

void ManyPieces::cut(std::uint64_t offset) {
    AliasPiece& piece = std::prev(pieces_.upper_bound(offset))->second;
    if (piece.begin == offset || piece.end <= offset) return;
    AliasPiece rest = piece;
    piece.end = rest.begin = offset;
    pieces_.emplace(offset, rest);
}

void ManyPieces::replace(std::uint64_t begin, std::uint64_t end,
                         std::span<const AliasPiece> pieces) {
    cut(end);
    cut(begin);
    auto next = pieces_.erase(pieces_.lower_bound(begin), pieces_.lower_bound(end));
    for (const AliasPiece& piece : pieces)
        next = std::next(pieces_.emplace_hint(next, piece.begin, piece));
}

} // namespace tuff
