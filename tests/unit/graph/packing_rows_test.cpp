#include "graph/compile/memory/packing_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace tuff {
namespace {

constexpr std::uint64_t kUnit = 768;

PackingItem item(std::uint32_t first, std::uint32_t last, std::uint64_t units) {
    return {
        .resource = 0, .life = {first, last}, .needs = {.size = units * kUnit, .alignment = 256}};
}

std::vector<std::uint32_t> counted(std::size_t count) {
    std::vector<std::uint32_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0u);
    return numbers;
}

bool meet(const LiveRange& a, const LiveRange& b) {
    return a.first <= b.last && b.first <= a.last;
}

/// Each at the lowest unit from which on nobody who lives at the same time is in the way.
Packing lowest_places(std::span<const PackingItem> items, std::span<const std::uint32_t> sequence) {
    Packing packing{.offsets = std::vector<std::uint64_t>(items.size(), ~0ull)};
    for (const std::uint32_t i : sequence) {
        std::uint64_t begin = 0;
        const auto in_the_way = [&](std::uint32_t other) {
            const std::uint64_t theirs = packing.offsets[other];
            return theirs != ~0ull && meet(items[i].life, items[other].life) &&
                   theirs < begin + items[i].needs.size && begin < theirs + items[other].needs.size;
        };
        while (std::ranges::any_of(sequence, in_the_way))
            begin += kUnit;
        packing.offsets[i] = begin;
        packing.size = std::max(packing.size, begin + items[i].needs.size);
    }
    return packing;
}

TEST(PackingRows, GiveEachTheLowestFreePlace) {
    std::mt19937 random(7);
    const auto below = [&](std::uint32_t bound) {
        return static_cast<std::uint32_t>(random() % bound);
    };
    std::size_t full = 0;
    for (std::uint32_t round = 0; round < 300; ++round) {
        std::vector<PackingItem> items;
        const std::uint32_t most = round % 3 == 0 ? 64 : 1 + below(30);
        for (std::uint32_t i = 0; i < 60; ++i) {
            const std::uint32_t first = i / 2;
            items.push_back(item(first, first + below(6), 1 + below(most)));
        }
        items.push_back(item(0, 0, 1)); // so that the unit is the unit
        std::swap(items.front(), items.back());
        std::vector<std::uint32_t> sequence = counted(items.size());
        std::ranges::shuffle(sequence, random);
        auto rows = PackingRows::of(items, counted(items.size()));
        ASSERT_TRUE(rows);
        const Packing expected = lowest_places(items, sequence);
        const std::optional<Packing> packing = rows->place(sequence);
        if (expected.size > 256 * kUnit) {
            EXPECT_FALSE(packing) << round;
            ++full;
            continue;
        }
        ASSERT_TRUE(packing) << round;
        EXPECT_EQ(packing->offsets, expected.offsets) << round;
        EXPECT_EQ(packing->size, expected.size) << round;
        // A second sequence begins with empty rows.
        std::ranges::reverse(sequence);
        const Packing other = lowest_places(items, sequence);
        if (other.size <= 256 * kUnit) {
            EXPECT_EQ(rows->place(sequence).value_or(Packing{}).offsets, other.offsets) << round;
        }
    }
    EXPECT_GT(full, 0u);
    EXPECT_LT(full, 200u);
}

TEST(PackingRows, PlaceTheLargestAcrossWordsAndAtTheEnd) {
    const std::vector<PackingItem> items = {item(0, 1, 1),  item(0, 1, 64), item(0, 1, 63),
                                            item(0, 1, 64), item(0, 1, 64), item(2, 2, 64)};
    auto rows = PackingRows::of(items, counted(items.size()));
    ASSERT_TRUE(rows);
    const auto packing = rows->place(counted(items.size()));
    ASSERT_TRUE(packing);
    const std::vector<std::uint64_t> units = {0, 1, 65, 128, 192, 0};
    for (std::size_t i = 0; i < items.size(); ++i)
        EXPECT_EQ(packing->offsets[i], units[i] * kUnit);
    EXPECT_EQ(packing->size, 256 * kUnit);
}

TEST(PackingRows, AreNotThereForWhatTheyCannotHold) {
    const auto serve = [](std::vector<PackingItem> items) {
        return PackingRows::of(items, counted(items.size())).has_value();
    };
    EXPECT_TRUE(serve({item(0, 0, 1), item(0, 0, 64)}));
    EXPECT_FALSE(serve({item(0, 0, 1), item(0, 0, 65)})); // too large for a word
    EXPECT_FALSE(serve({item(0, 100, 1)}));               // too many rows
    EXPECT_FALSE(serve({}));
    PackingItem odd = item(0, 0, 1);
    odd.needs = {.size = kUnit * 2 + 256, .alignment = 256};
    std::vector<PackingItem> many(40, item(0, 0, 1));
    many.push_back(odd); // after those that the unit is made of
    EXPECT_FALSE(serve(many));
    PackingItem wide = item(0, 0, 1);
    wide.needs.alignment = 512; // which the unit is no multiple of
    EXPECT_FALSE(serve({wide}));
}

TEST(PackingRows, CountInTheOrderOfBirths) {
    const std::vector<PackingItem> items = {item(1, 1, 3), item(0, 1, 2), item(0, 0, 1)};
    auto rows = PackingRows::of(items, std::vector<std::uint32_t>{1, 2, 0});
    ASSERT_TRUE(rows);
    const auto packing = rows->place(counted(items.size()));
    ASSERT_TRUE(packing);
    EXPECT_EQ(packing->offsets, (std::vector<std::uint64_t>{0, 2 * kUnit, 2 * kUnit}));
}

} // namespace
} // namespace tuff
