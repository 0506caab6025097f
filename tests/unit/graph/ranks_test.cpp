// How a field is divided among ranks.

#include <tuff/ranks.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tuff {
namespace {

TEST(Ranks, DivideCellsWithoutGapsIntoPartsThatDifferByOneAtMost) {
    for (std::uint32_t cells = 1; cells <= 40; ++cells)
        for (std::uint32_t ranks = 1; ranks <= cells; ++ranks) {
            std::uint32_t next = 0;
            for (std::uint32_t rank = 0; rank < ranks; ++rank) {
                const CellSpan part = part_of(cells, ranks, rank);
                EXPECT_EQ(part.first, next) << cells << " cells, rank " << rank << " of " << ranks;
                EXPECT_GE(part.count, cells / ranks);
                EXPECT_LE(part.count, (cells + ranks - 1) / ranks);
                EXPECT_GE(part.count, 1u);
                next += part.count;
            }
            EXPECT_EQ(next, cells);
        }
}

TEST(Ranks, AreNumberedAlongXFirst) {
    const Ranks ranks{.grid = {3, 2, 2}, .rank = 7};
    EXPECT_EQ(ranks.size(), 12u);
    EXPECT_EQ(ranks.place(), (std::array<std::uint32_t, 3>{1, 0, 1}));
    for (std::uint32_t rank = 0; rank < ranks.size(); ++rank)
        EXPECT_EQ(ranks.rank_at(ranks.place_of(rank)), rank);
}

TEST(Ranks, HaveTheBoxOfTheirPlace) {
    const Ranks ranks{.grid = {2, 3, 1}, .rank = 3};
    const auto part = ranks.part({5, 7, 4});
    EXPECT_EQ(part[0], (CellSpan{3, 2}));
    EXPECT_EQ(part[1], (CellSpan{3, 2}));
    EXPECT_EQ(part[2], (CellSpan{0, 4}));
}

TEST(Ranks, AreNoMoreThanCells) {
    const Ranks ranks{.grid = {2, 3, 1}};
    EXPECT_TRUE(ranks.check({2, 3, 1}));
    const auto refused = ranks.check({9, 2, 1});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().front().code, "mpi/too-many-ranks");
    EXPECT_THAT(refused.error().front().message,
                testing::HasSubstr("2 cells along y cannot be divided among 3 ranks"));
}

} // namespace
} // namespace tuff
