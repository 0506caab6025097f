#include "graph/compile/memory/packing.hpp"

#include <gtest/gtest.h>

#include <random>

namespace tuff {
namespace {

std::vector<PackingItem> random_items(std::uint32_t seed, std::uint32_t count,
                                      std::uint32_t longest) {
    std::mt19937 random(seed);
    const auto below = [&](std::uint32_t end) {
        return static_cast<std::uint32_t>(random() % end);
    };
    std::vector<PackingItem> items;
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t first = below(200);
        const std::uint64_t alignment = std::uint64_t{1} << (8 + below(3));
        items.push_back({.resource = i,
                         .life = {first, first + below(longest)},
                         .needs = {.size = alignment * (1 + below(40)), .alignment = alignment}});
    }
    return items;
}

void expect_sound(const std::vector<PackingItem>& items, const Packing& packing) {
    ASSERT_EQ(packing.offsets.size(), items.size());
    for (std::size_t a = 0; a < items.size(); ++a) {
        EXPECT_EQ(packing.offsets[a] % items[a].needs.alignment, 0u);
        EXPECT_LE(packing.offsets[a] + items[a].needs.size, packing.size);
        for (std::size_t b = a + 1; b < items.size(); ++b) {
            const bool meet = items[a].life.first <= items[b].life.last &&
                              items[b].life.first <= items[a].life.last;
            if (meet) {
                EXPECT_TRUE(packing.offsets[a] + items[a].needs.size <= packing.offsets[b] ||
                            packing.offsets[b] + items[b].needs.size <= packing.offsets[a])
                    << a << " and " << b;
            }
        }
    }
}

TEST(PackMany, NeverPutsTwoThatLiveAtOnceOnTheSameBytes) {
    for (std::uint32_t seed = 1; seed <= 20; ++seed) {
        const auto items = random_items(seed, 300, 1 + seed * 3);
        const Packing packing = pack_many(items);
        expect_sound(items, packing);
        EXPECT_LE(packing.size, peak_of(items) * 3 / 2) << "seed " << seed;
    }
}

/// Ten thousand at once take the other way; it must not be told from outside but by its time.
TEST(PackMany, StandsInWhereVeryManyLiveAtOnce) {
    std::vector<PackingItem> items;
    for (std::uint32_t i = 0; i < 10'000; ++i)
        items.push_back({.resource = i, .life = {0, 1}, .needs = {.size = 256, .alignment = 256}});
    const std::uint64_t peak = peak_of(items);
    EXPECT_EQ(pack(items, peak).size, peak);
}

} // namespace
} // namespace tuff
