#include "graph/compile/memory/packing_rows.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace tuff {

std::optional<PackingRows> PackingRows::of(std::span<const PackingItem> items,
                                           std::span<const std::uint32_t> births) {
    // If the first few have a unit in common, the others have it too, or there is none.
    constexpr std::size_t kFew = 32;
    constexpr std::uint64_t kLongLife = 16; // levels, on average
    PackingRows rows;
    rows.unit_ = 0;
    for (const PackingItem& item : items.first(std::min(items.size(), kFew)))
        rows.unit_ = std::gcd(rows.unit_, item.needs.size);
    if (rows.unit_ == 0) return std::nullopt;
    const double inverse = 1.0 / static_cast<double>(rows.unit_);
    rows.items_.reserve(items.size());
    std::uint64_t lived = 0;
    std::uint32_t levels = 0;
    for (const std::uint32_t i : births) {
        const auto& [resource, life, needs] = items[i];
        // A division costs as much as all the rest.
        const double units = static_cast<double>(needs.size) * inverse + 0.5;
        if (!(units < kMaxUnits + 1)) return std::nullopt;
        const auto whole = static_cast<std::uint32_t>(units);
        if (whole == 0 || whole * rows.unit_ != needs.size) return std::nullopt;
        if ((rows.unit_ & (needs.alignment - 1)) != 0) return std::nullopt;
        rows.items_.push_back({life, whole});
        lived += life.last - life.first + 1;
        levels = std::max(levels, life.last + 1);
    }
    if (lived > kLongLife * items.size()) return std::nullopt;
    rows.levels_ = levels;
    return rows;
}

std::uint32_t PackingRows::lowest_run(Bits bits, std::uint32_t units) {
    // A bit stays set where the run that begins there is as long as wanted.
    for (std::uint32_t length = 1; length < units;) {
        const std::uint32_t shift = std::min(length, units - length); // at most half of 64
        for (std::size_t w = 0; w < kWords; ++w)
            bits[w] &= bits[w] >> shift | bits[w + 1] << (64 - shift);
        length += shift;
    }
    for (std::uint32_t w = 0; w < kWords; ++w)
        if (bits[w] != 0) return w * 64 + static_cast<std::uint32_t>(std::countr_zero(bits[w]));
    return ~0u;
}

std::optional<Packing> PackingRows::place(std::span<const std::uint32_t> sequence) {
    Packing packing{.offsets = std::vector<std::uint64_t>(items_.size())};
    taken_.assign(levels_, Bits{});
    std::uint32_t end = 0;
    for (const std::uint32_t born : sequence) {
        const Item& item = items_[born];
        const std::span<Bits> rows =
            std::span(taken_).subspan(item.life.first, item.life.last - item.life.first + 1);
        Bits free{};
        for (const Bits& row : rows)
            for (std::size_t w = 0; w < kWords; ++w)
                free[w] |= row[w];
        for (std::size_t w = 0; w < kWords; ++w)
            free[w] = ~free[w];
        const std::uint32_t begin = lowest_run(free, item.units);
        if (begin == ~0u) return std::nullopt;
        const std::uint64_t run = ~std::uint64_t{0} >> (64 - item.units);
        const std::uint32_t word = begin / 64;
        const std::uint64_t low = run << begin % 64;
        const std::uint64_t high = run >> 1 >> (63 - begin % 64);
        for (Bits& row : rows) {
            row[word] |= low;
            row[word + 1] |= high;
        }
        packing.offsets[born] = begin * unit_;
        end = std::max(end, begin + item.units);
    }
    packing.size = end * unit_;
    return packing;
}

} // namespace tuff
