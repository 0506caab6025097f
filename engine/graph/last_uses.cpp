#include "graph/last_uses.hpp"

#include "graph/ranges.hpp"

#include <algorithm>
#include <utility>

namespace tuff {
namespace {

/// Where a tenant's texels or bytes end. A driver may ask for more memory than those of one sample
/// fill; validation layers see no barrier in what is beyond them, and a wait too many there costs
/// little.
std::uint64_t end_of_filled(const ResourceDesc& resource, const Allocation& allocation) {
    const std::uint64_t filled = resource.is_image()
                                     ? packed_bytes(resource.image()) / resource.image().samples
                                     : resource.buffer().size;
    return allocation.offset + std::min(filled, allocation.size);
}

/// Who had the bytes of one block last.
class Block {
  public:
    struct Piece {
        std::uint64_t begin;
        std::uint64_t end;
        ResourceId filled; ///< none: nobody yet
        ResourceId padded; ///< later than `filled`
    };

    explicit Block(std::uint64_t size) : pieces_{{0, size, {}, {}}} {}

    /// Calls `visit(piece)` for the pieces that hold bytes in [begin, end).
    template <typename Visit>
    void for_each_piece(std::uint64_t begin, std::uint64_t end, Visit visit) const {
        for (auto p = piece_at(begin); p != pieces_.end() && p->begin < end; ++p)
            visit(*p);
    }

    /// A tenant moves in. Bytes from `filled` on it only pads: who filled them before is still
    /// asked, but who padded them has been waited for by the new one.
    void move_in(ResourceId tenant, const Allocation& place, std::uint64_t filled) {
        const std::uint64_t end = place.offset + place.size;
        const auto first = piece_at(place.offset);
        auto last = first;
        while (last != pieces_.end() && last->begin < end)
            ++last;
        fresh_.clear();
        const auto add = [&](Piece piece, std::uint64_t low, std::uint64_t high) {
            piece.begin = std::max(piece.begin, low);
            piece.end = std::min(piece.end, high);
            if (piece.begin < piece.end) fresh_.push_back(piece);
        };
        add(*first, 0, place.offset);
        add({place.offset, filled, tenant, {}}, 0, end);
        for (auto p = first; p != last; ++p)
            add({p->begin, p->end, p->filled, tenant}, filled, end);
        add(*std::prev(last), end, ~0ull);
        replace(first, last);
    }

  private:
    using Pieces = std::vector<Piece>;

    Pieces::const_iterator piece_at(std::uint64_t offset) const {
        return std::prev(std::ranges::upper_bound(pieces_, offset, {}, &Piece::begin));
    }
    void replace(Pieces::const_iterator first, Pieces::const_iterator last) {
        const auto at = pieces_.begin() + (first - pieces_.begin());
        const auto old = last - first;
        const auto common = std::min(old, static_cast<std::ptrdiff_t>(fresh_.size()));
        const auto next = std::copy_n(fresh_.begin(), common, at);
        if (old > common)
            pieces_.erase(next, next + (old - common));
        else
            pieces_.insert(next, fresh_.begin() + common, fresh_.end());
    }

    Pieces pieces_; ///< from the block's first byte to its last
    Pieces fresh_;
};

/// The resources in transient memory by birth.
std::vector<ResourceId> tenants_by_birth(const Memory& memory) {
    std::vector<ResourceId> tenants;
    tenants.reserve(memory.allocations.size());
    for (std::uint32_t r = 0; r < memory.allocations.size(); ++r)
        if (memory.allocations[r].block != ~0u) tenants.push_back({r});
    const auto birth = [&](ResourceId r) { return memory.allocations[r.index].first_level; };
    if (!std::ranges::is_sorted(tenants, {}, birth)) std::ranges::stable_sort(tenants, {}, birth);
    return tenants;
}

/// Goes through one execution. Bytes that nobody has had yet are looked up once it is over.
class Search {
  public:
    Search(const GraphDesc& graph, const Memory& memory, std::span<const LastUses> last_uses)
        : graph_(graph), memory_(memory), last_uses_(last_uses), found_(graph.resources.size()) {
        blocks_.reserve(memory.blocks.size());
        for (const MemoryBlock& block : memory.blocks)
            blocks_.emplace_back(block.size);
    }

    std::vector<FormerTenants> run() && {
        for (const ResourceId tenant : tenants_by_birth(memory_)) {
            const Allocation& place = memory_.allocations[tenant.index];
            ask_earlier_ones(tenant, place);
            blocks_[place.block].move_in(tenant, place,
                                         end_of_filled(graph_.resources[tenant.index], place));
        }
        for (const Open& open : open_)
            ask_execution_before(open);
        return std::move(found_);
    }

  private:
    /// Bytes that `tenant` is the first to fill in this execution.
    struct Open {
        ResourceId tenant;
        std::uint32_t block;
        std::uint64_t begin;
        std::uint64_t end;
        bool padded; ///< somebody has padded them already
    };

    void ask_earlier_ones(ResourceId tenant, const Allocation& place) {
        FormerTenants& former = found_[tenant.index];
        const std::uint64_t filled_end = end_of_filled(graph_.resources[tenant.index], place);
        const auto last_level = [&](ResourceId r) {
            return memory_.allocations[r.index].last_level;
        };
        const std::uint64_t end = place.offset + place.size;
        bool first = true;
        blocks_[place.block].for_each_piece(place.offset, end, [&](const Block::Piece& piece) {
            if (first) former.sole = piece.filled;
            // Bytes that nobody fills may be anybody's.
            if (piece.filled != former.sole && piece.begin < filled_end) former.sole = {};
            first = false;
            for (const ResourceId other : {piece.filled, piece.padded}) {
                if (!other || other == former.nearest) continue;
                former.uses.join(last_uses_[other.index]);
                const bool nearer =
                    !former.nearest || last_level(other) > last_level(former.nearest) ||
                    (last_level(other) == last_level(former.nearest) && other < former.nearest);
                if (nearer) former.nearest = other;
            }
            if (!piece.filled)
                open_.push_back({tenant, place.block, std::max(piece.begin, place.offset),
                                 std::min(piece.end, end), bool(piece.padded)});
        });
    }

    void ask_execution_before(const Open& open) {
        LastUses& uses = found_[open.tenant.index].uses;
        blocks_[open.block].for_each_piece(open.begin, open.end, [&](const Block::Piece& piece) {
            if (piece.filled) uses.join(last_uses_[piece.filled.index].long_ago());
            if (piece.padded && !open.padded) uses.join(last_uses_[piece.padded.index].long_ago());
        });
    }

    const GraphDesc& graph_;
    const Memory& memory_;
    std::span<const LastUses> last_uses_;
    std::vector<FormerTenants> found_;
    std::vector<Block> blocks_;
    std::vector<Open> open_;
};

} // namespace

/// Each byte asks for its nearest tenant only: that one has waited for those before it. Executions
/// repeat, so the first tenants of one follow the last ones of the one before.
std::vector<FormerTenants> former_tenants(const GraphDesc& graph, const Memory& memory,
                                          std::span<const LastUses> last_uses) {
    return Search(graph, memory, last_uses).run();
}

} // namespace tuff
