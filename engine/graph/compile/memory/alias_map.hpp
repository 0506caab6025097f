#pragma once

#include <tuff/graph_desc.hpp>

#include <cstdint>
#include <map>
#include <span>
#include <vector>

/// Who had the bytes of a memory block last, in pieces.
namespace tuff {

struct AliasPiece {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    ResourceId filled; ///< none: nobody yet
    ResourceId padded; ///< later than `filled`
};

/// The pieces of a block from its first byte to its last, in an array: quick while there are few.
class FewPieces {
  public:
    explicit FewPieces(std::uint64_t size) {
        pieces_.reserve(kUsual);
        pieces_.push_back({.begin = 0, .end = size});
    }
    /// There are so many that ManyPieces would be quicker.
    bool is_full() const { return pieces_.size() > kMax; }

    /// Calls `visit(piece)` for the pieces that hold bytes in [begin, end).
    template <typename Visit>
    void for_each(std::uint64_t begin, std::uint64_t end, Visit visit) const {
        for (std::size_t p = find(begin); p < pieces_.size() && pieces_[p].begin < end; ++p)
            visit(pieces_[p]);
    }
    /// The piece that is exactly [begin, end), if there is one.
    AliasPiece* exactly(std::uint64_t begin, std::uint64_t end) {
        AliasPiece& piece = pieces_[find(begin)];
        return piece.begin == begin && piece.end == end ? &piece : nullptr;
    }
    /// Puts `pieces`, which are not empty and fill [begin, end), in the place of what was there.
    void replace(std::uint64_t begin, std::uint64_t end, std::span<const AliasPiece> pieces);

  private:
    static constexpr std::size_t kMax = 1024;
    static constexpr std::size_t kUsual = 64;
    /// The piece that holds the byte.
    std::size_t find(std::uint64_t byte) const {
        // A place is replaced right after its previous aliases were asked for.
        const bool again =
            found_ < pieces_.size() && pieces_[found_].begin <= byte && byte < pieces_[found_].end;
        return again ? found_ : found_ = search(byte);
    }
    std::size_t search(std::uint64_t byte) const;

    std::vector<AliasPiece> pieces_;
    mutable std::size_t found_ = 0; ///< the last one
};

/// The same in a tree.
class ManyPieces {
  public:
    explicit ManyPieces(std::uint64_t size) { pieces_[0] = {.begin = 0, .end = size}; }
    bool is_full() const { return false; }
    /// As above; among many none is sought.
    AliasPiece* exactly(std::uint64_t, std::uint64_t) { return nullptr; }

    template <typename Visit>
    void for_each(std::uint64_t begin, std::uint64_t end, Visit visit) const {
        for (auto p = std::prev(pieces_.upper_bound(begin)); p != pieces_.end(); ++p) {
            if (p->second.begin >= end) return;
            visit(p->second);
        }
    }
    void replace(std::uint64_t begin, std::uint64_t end, std::span<const AliasPiece> pieces);

  private:
    /// Makes a piece begin at `offset`, unless the block ends there.
    void cut(std::uint64_t offset);

    std::map<std::uint64_t, AliasPiece> pieces_; ///< by `begin`
};

} // namespace tuff
