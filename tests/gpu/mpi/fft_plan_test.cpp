// How fields over ranks are divided while they are transformed, and what travels. Needs no device.

#include "passes/mpi/fft_plan.hpp"
#include "passes/mpi/line_move.hpp"

#include <gmock/gmock.h>

#include <set>
#include <vector>

namespace tuff {
namespace {

using passes::Cells;
using passes::count_of;
using passes::FftPlan;
using passes::FieldNumbers;
using passes::SpectrumLayout;
using passes::TexelBox;

class FftPlanOfRanks : public testing::Test {
  protected:
    static constexpr FieldNumbers kComplexes = FieldNumbers::complexes;
    static constexpr SpectrumLayout kComputed = SpectrumLayout::computed;
    static constexpr SpectrumLayout kNatural = SpectrumLayout::natural;

    /// Each cell has one owner.
    static void expect_partition(const passes::Division& division, const Cells& cells) {
        std::vector<int> owners(count_of(cells));
        for (std::uint32_t rank = 0; rank < division.places.size(); ++rank) {
            const TexelBox box = division.box(cells, rank);
            for (std::uint32_t z = 0; z < box.size[2]; ++z)
                for (std::uint32_t y = 0; y < box.size[1]; ++y)
                    for (std::uint32_t x = 0; x < box.size[0]; ++x)
                        ++owners[((box.corner[2] + z) * cells[1] + box.corner[1] + y) * cells[0] +
                                 box.corner[0] + x];
        }
        EXPECT_THAT(owners, testing::Each(1));
    }

    /// How often cells move on the way, the way back to the domain's boxes included.
    static int moves(const Ranks& ranks, const Cells& cells, SpectrumLayout layout) {
        const FftPlan plan = passes::plan_fft(ranks, cells, FieldNumbers::complexes, layout);
        passes::Division before = passes::domain_division(ranks);
        int count = 0;
        const auto go_to = [&](const passes::Division& next) {
            for (std::uint32_t rank = 0; rank < ranks.size(); ++rank)
                if (before.box(cells, rank) != next.box(cells, rank)) {
                    ++count;
                    break;
                }
            before = next;
        };
        for (const passes::FftStage& stage : plan.stages)
            go_to(stage.division);
        go_to(plan.spectrum);
        return count;
    }
};

TEST_F(FftPlanOfRanks, GivesWholeLinesToRanks) {
    for (const Cells& cells : {Cells{8, 8, 8}, Cells{3, 5, 40}, Cells{7, 1, 7}, Cells{2, 3, 2}})
        for (const Cells& grid : {Cells{1, 1, 1}, Cells{2, 1, 1}, Cells{1, 3, 2}, Cells{2, 3, 2},
                                  Cells{2, 1, 2}, Cells{7, 1, 7}})
            for (const FieldNumbers numbers : {kComplexes, FieldNumbers::reals})
                for (const SpectrumLayout layout : {kNatural, kComputed}) {
                    const Ranks ranks{.grid = grid};
                    if (!ranks.check(cells)) continue;
                    const FftPlan plan = passes::plan_fft(ranks, cells, numbers, layout);
                    for (const passes::FftStage& stage : plan.stages) {
                        EXPECT_EQ(stage.division.grid[stage.axis], 1u);
                        expect_partition(stage.division, stage.before);
                        expect_partition(stage.division, stage.after);
                    }
                    expect_partition(plan.spectrum, passes::spectrum_size(cells, numbers));
                }
}

/// Each number of a slab is in one place of one message, and no message is to its sender.
TEST_F(FftPlanOfRanks, SlabsHaveEachNumberOnce) {
    const auto numbers_of = [](const std::vector<passes::RankBytes>& messages) {
        std::uint64_t bytes = 0;
        for (const passes::RankBytes& message : messages)
            bytes += message.size;
        return bytes / 8;
    };
    for (const Cells& cells : {Cells{8, 8, 8}, Cells{3, 5, 40}, Cells{9, 6, 7}})
        for (const Cells& grid : {Cells{1, 1, 2}, Cells{1, 1, 5}, Cells{1, 3, 2}, Cells{2, 3, 1}}) {
            const Ranks ranks{.grid = grid};
            const FftPlan plan = passes::plan_fft(ranks, cells, kComplexes, kComputed);
            for (std::size_t i = 0; i + 1 < plan.stages.size(); ++i) {
                const passes::FftStage& a = plan.stages[i];
                const passes::FftStage& b = plan.stages[i + 1];
                std::uint64_t sent = 0, received = 0, moved = 0;
                std::set<std::size_t> slab_counts;
                for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
                    const auto move = passes::line_move({a.division, a.axis}, {b.division, b.axis},
                                                        a.after, rank, 1);
                    if (!move) continue;
                    slab_counts.insert(move->slabs.size());
                    std::uint32_t cells_before = 0;
                    for (const CellSpan& slab : move->slabs) {
                        EXPECT_EQ(slab.first, cells_before);
                        EXPECT_GT(slab.count, 0u);
                        cells_before += slab.count;
                    }
                    EXPECT_EQ(cells_before, move->before[move->across()]);
                    std::uint64_t stays = 0;
                    for (const CellSpan& slab : move->slabs) {
                        const passes::SlabLayout layout = passes::slab_layout(*move, slab);
                        for (const passes::RankBytes& message : layout.messages.sends)
                            EXPECT_NE(message.rank, rank);
                        EXPECT_EQ(numbers_of(layout.messages.sends), layout.sent);
                        sent += layout.sent;
                        received += numbers_of(layout.messages.receives);
                        stays += layout.received - numbers_of(layout.messages.receives);
                    }
                    moved += count_of(move->before) - stays;
                }
                EXPECT_LE(slab_counts.size(), 1u);
                EXPECT_EQ(sent, moved);
                EXPECT_EQ(received, moved);
            }
        }
}

TEST_F(FftPlanOfRanks, SlabsAreWorthAMessage) {
    const Ranks ranks{.grid = {1, 1, 2}};
    const Cells cells{64, 64, 64};
    const FftPlan plan = passes::plan_fft(ranks, cells, kComplexes, kComputed);
    const std::uint64_t sent = 8 * count_of(cells) / 4; // a half of the half that a rank has
    const auto slabs = [&](std::uint64_t bytes) {
        const passes::FftStage& y = plan.stages[1];
        const passes::FftStage& z = plan.stages[2];
        const auto move =
            passes::line_move({y.division, 1}, {z.division, 2}, cells, ranks.rank, bytes);
        return move ? move->slabs.size() : 0;
    };
    EXPECT_EQ(slabs(sent + 1), 1u);
    EXPECT_EQ(slabs(sent / 2), 2u);
    EXPECT_EQ(slabs(1), passes::kMaxSlabs);
}

/// Those at the ends are half as thick; all begin at multiples of 16 numbers.
TEST_F(FftPlanOfRanks, SlabsThatHideNoMessageAreThin) {
    const Ranks ranks{.grid = {1, 1, 2}};
    const Cells cells{205, 2, 2};
    const FftPlan plan = passes::plan_fft(ranks, cells, kComplexes, kComputed);
    const auto move =
        passes::line_move({plan.stages[1].division, 1}, {plan.stages[2].division, 2}, cells, 0, 1);
    ASSERT_TRUE(move);
    EXPECT_THAT(move->slabs, testing::ElementsAre(CellSpan{0, 32}, CellSpan{32, 64},
                                                  CellSpan{96, 64}, CellSpan{160, 45}));
}

/// What is sent and what is received must fit in a buffer together, on all ranks.
TEST_F(FftPlanOfRanks, SlabsCanBeAddressed) {
    const auto moves_in_slabs = [](const Cells& cells) {
        const Ranks ranks{.grid = {1, 2, 1}};
        const FftPlan plan = passes::plan_fft(ranks, cells, kComplexes, kComputed);
        const passes::FftStage& x = plan.stages[0];
        const passes::FftStage& y = plan.stages[1];
        return passes::line_move({x.division, 0}, {y.division, 1}, cells, 0, 1).has_value();
    };
    const std::uint32_t most = 1u << 15;
    EXPECT_TRUE(moves_in_slabs({most, most / 2, 1}));
    EXPECT_FALSE(moves_in_slabs({most, most, 1}));
}

TEST_F(FftPlanOfRanks, MovesCellsNoMoreThanItMust) {
    EXPECT_EQ(moves({}, {32, 32, 32}, kNatural), 0);
    // Slabs along z or y: one way to another, and back.
    EXPECT_EQ(moves({.grid = {1, 1, 4}}, {32, 32, 32}, kComputed), 1);
    EXPECT_EQ(moves({.grid = {1, 1, 4}}, {32, 32, 32}, kNatural), 2);
    EXPECT_EQ(moves({.grid = {1, 4, 1}}, {32, 32, 1}, kComputed), 1);
    // The last transform leaves slabs along y where they were.
    EXPECT_EQ(moves({.grid = {1, 4, 1}}, {32, 32, 32}, kNatural), 2);
    // The lines along x are not in place.
    EXPECT_EQ(moves({.grid = {4, 1, 1}}, {32, 32, 32}, kComputed), 2);
    EXPECT_EQ(moves({.grid = {2, 2, 1}}, {32, 32, 32}, kComputed), 2);
    // Pencils: no axis has enough cells for all ranks.
    EXPECT_EQ(moves({.grid = {1, 8, 8}}, {32, 32, 32}, kComputed), 2);
    EXPECT_EQ(moves({.grid = {4, 4, 4}}, {32, 32, 32}, kComputed), 3);
}

TEST_F(FftPlanOfRanks, LeavesNoRankWithoutWorkWhereThereIsEnough) {
    const Ranks ranks{.grid = {1, 1, 7}};
    const FftPlan plan = passes::plan_fft(ranks, {4, 4, 100}, FieldNumbers::complexes, kComputed);
    // Along z there is room for six of seven.
    EXPECT_EQ(count_of(plan.stages[0].division.grid), 7u);
    EXPECT_EQ(count_of(plan.stages[2].division.grid), 6u);
}

} // namespace
} // namespace tuff
