#include "graph/compile/memory/previous_aliases.hpp"

#include "graph/compile/memory/alias_map.hpp"
#include "graph/compile/ranges.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace tuff {
namespace {

/// Where a alias's texels or bytes end. A driver may ask for more memory than those of one sample
/// fill; validation layers see no barrier in what is beyond them, and a wait too many there costs
/// little.
std::uint64_t end_of_filled(const ResourceDesc& resource, const Allocation& allocation) {
    std::uint64_t filled =
        resource.is_image() ? packed_bytes(resource.image()) : resource.buffer().size;
    if (resource.is_image() && resource.image().samples > 1) filled /= resource.image().samples;
    return allocation.offset + std::min(filled, allocation.size);
}

/// The resources in transient memory by birth.
std::vector<ResourceId> aliases_by_birth(const Memory& memory) {
    std::vector<ResourceId> aliases;
    aliases.reserve(memory.allocations.size());
    for (std::uint32_t r = 0; r < memory.allocations.size(); ++r)
        if (memory.allocations[r].block != ~0u) aliases.push_back({r});
    const auto birth = [&](ResourceId r) { return memory.allocations[r.index].first_level; };
    if (!std::ranges::is_sorted(aliases, {}, birth)) std::ranges::stable_sort(aliases, {}, birth);
    return aliases;
}

/// Goes through one execution. Bytes that nobody has had yet are looked up once it is over.
template <typename Pieces>
class Search {
  public:
    Search(const GraphDesc& graph, const Memory& memory, std::span<const LastUses> last_uses)
        : graph_(graph), memory_(memory), last_uses_(last_uses), found_(graph.resources.size()) {
        blocks_.reserve(memory.blocks.size());
        open_.reserve(64);
        mine_.reserve(64);
        for (const MemoryBlock& block : memory.blocks)
            blocks_.emplace_back(block.size);
    }

    /// Nothing where there are too many pieces.
    std::optional<std::vector<PreviousAliases>> run(std::span<const ResourceId> by_birth) && {
        for (const ResourceId alias : by_birth) {
            const Allocation& place = memory_.allocations[alias.index];
            Pieces& block = blocks_[place.block];
            if (block.is_full()) return std::nullopt;
            move_in(block, alias, place);
        }
        for (const Open& open : open_)
            ask_execution_before(open);
        return std::move(found_);
    }

  private:
    /// Bytes that `alias` is the first to fill in this execution.
    struct Open {
        ResourceId alias;
        std::uint32_t block;
        std::uint64_t begin;
        std::uint64_t end;
        bool padded; ///< somebody has padded them already
    };

    /// Whoever had the bytes last, even if only to pad: a driver may keep something of its own
    /// there, or the other samples.
    static ResourceId latest(const AliasPiece& piece) {
        return piece.padded ? piece.padded : piece.filled;
    }

    /// Asks those who had the bytes. What the alias only pads is still asked for who filled it,
    /// but who padded it has been waited for by the new one.
    void move_in(Pieces& block, ResourceId alias, const Allocation& place) {
        const std::uint64_t end = place.offset + place.size;
        const std::uint64_t filled = end_of_filled(graph_.resources[alias.index], place);
        PreviousAliases& former = found_[alias.index];
        if (AliasPiece* piece = block.exactly(place.offset, end); piece && filled == end) {
            former.sole = latest(*piece);
            ask(former, piece->filled);
            ask(former, piece->padded);
            if (!piece->filled)
                open_.push_back({alias, place.block, place.offset, end, bool(piece->padded)});
            piece->filled = alias;
            piece->padded = {};
            return;
        }
        mine_.clear();
        if (filled > place.offset)
            mine_.push_back({.begin = place.offset, .end = filled, .filled = alias});
        bool first = true;
        block.for_each(place.offset, end, [&](const AliasPiece& piece) {
            if (first) former.sole = latest(piece);
            if (latest(piece) != former.sole) former.sole = {};
            first = false;
            ask(former, piece.filled);
            ask(former, piece.padded);
            const std::uint64_t piece_end = std::min(piece.end, end);
            if (!piece.filled)
                open_.push_back({alias, place.block, std::max(piece.begin, place.offset), piece_end,
                                 bool(piece.padded)});
            if (piece_end > filled)
                mine_.push_back({std::max(piece.begin, filled), piece_end, piece.filled, alias});
        });
        if (!mine_.empty()) block.replace(place.offset, end, mine_);
    }

    void ask(PreviousAliases& former, ResourceId other) const {
        if (!other || other == former.nearest) return;
        const auto last_level = [&](ResourceId r) {
            return memory_.allocations[r.index].last_level;
        };
        former.uses.join(last_uses_[other.index]);
        const bool nearer =
            !former.nearest || last_level(other) > last_level(former.nearest) ||
            (last_level(other) == last_level(former.nearest) && other < former.nearest);
        if (nearer) former.nearest = other;
    }

    void ask_execution_before(const Open& open) {
        LastUses& uses = found_[open.alias.index].uses;
        blocks_[open.block].for_each(open.begin, open.end, [&](const AliasPiece& piece) {
            if (piece.filled) uses.join(last_uses_[piece.filled.index].long_ago());
            if (piece.padded && !open.padded) uses.join(last_uses_[piece.padded.index].long_ago());
        });
    }

    const GraphDesc& graph_;
    const Memory& memory_;
    std::span<const LastUses> last_uses_;
    std::vector<PreviousAliases> found_;
    std::vector<Pieces> blocks_;
    std::vector<Open> open_;
    std::vector<AliasPiece> mine_; ///< of the alias at hand
};

} // namespace

/// Each byte asks for its nearest alias only: that one has waited for those before it. Executions
/// repeat, so the first aliases of one follow the last ones of the one before.
std::vector<PreviousAliases> previous_aliases(const GraphDesc& graph, const Memory& memory,
                                              std::span<const LastUses> last_uses) {
    const std::vector<ResourceId> aliases = aliases_by_birth(memory);
    if (auto found = Search<FewPieces>(graph, memory, last_uses).run(aliases))
        return *std::move(found);
    return *Search<ManyPieces>(graph, memory, last_uses).run(aliases);
}

std::vector<ResourceId> former_objects(const GraphDesc& graph, const AccessIndex& index,
                                       const Memory& memory, std::span<const UsageMask> usages,
                                       std::span<const Sharing> sharing,
                                       std::span<const PreviousAliases> aliases) {
    std::vector<ResourceId> result;
    // Parts of an image may be left in layouts of their own.
    const auto is_one_image = [&](std::uint32_t r) {
        return graph.resources[r].is_image() && index.segments.count({r}) == 1;
    };
    for (std::uint32_t r = 0; r < aliases.size(); ++r) {
        const std::uint32_t former = aliases[r].sole.index;
        if (!aliases[r].sole) continue;
        const Allocation& place = memory.allocations[r];
        const Allocation& former_place = memory.allocations[former];
        // Nobody can guess which of these it is.
        const bool may_be = (place.offset == former_place.offset) &
                            (place.size == former_place.size) & (usages[r] == usages[former]) &
                            (sharing[r] == sharing[former]);
        const bool alike = may_be && is_one_image(r) && is_one_image(former) &&
                           graph.resources[r].desc == graph.resources[former].desc;
        if (!alike) continue;
        result.resize(aliases.size());
        result[r] = {former};
    }
    return result;
}

} // namespace tuff
