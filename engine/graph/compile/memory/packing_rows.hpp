#pragma once

#include "graph/compile/memory/packing.hpp"

#include <array>
#include <optional>

namespace tuff {

/// Which units of memory are taken at which level, a bit each. For items whose sizes are multiples
/// of one unit and that are few units together, as pictures of a few sizes are.
class PackingRows {
  public:
    /// Nothing where sizes have no such unit, items too many of them, or lives are long. `births`
    /// tells the order of the items, in which they are counted from then on.
    static std::optional<PackingRows> of(std::span<const PackingItem> items,
                                         std::span<const std::uint32_t> births);

    /// Places one after the other, each at the lowest free offset. Nothing where there is not room
    /// enough. Both `sequence` and the result count in the order of births.
    std::optional<Packing> place(std::span<const std::uint32_t> sequence);

  private:
    static constexpr std::size_t kWords = 4;
    static constexpr std::uint32_t kMaxUnits = 64;      ///< of one item
    using Bits = std::array<std::uint64_t, kWords + 1>; ///< the last word is never used

    struct Item {
        LiveRange life;
        std::uint32_t units = 0;
    };
    /// The lowest place of `units` set bits in a row; ~0u where there is none.
    static std::uint32_t lowest_run(Bits bits, std::uint32_t units);

    std::uint64_t unit_ = 1;
    std::uint32_t levels_ = 0;
    std::vector<Item> items_;
    std::vector<Bits> taken_; ///< per level
};

} // namespace tuff
