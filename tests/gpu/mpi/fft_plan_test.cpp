// How fields over ranks are divided while they are transformed, and what travels. Needs no device.

#include "passes/mpi/fft_plan.hpp"
#include "passes/mpi/move_layout.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>
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

/// Cells of a part, each counted as often as a piece has it.
class CountedCells {
  public:
    explicit CountedCells(const Cells& cells) : cells_(cells), counts_(count_of(cells)) {}
    /// `corner`: of the lowest cell of the piece along the axes that its places do not count.
    void add(const passes::LinePiece& piece, std::size_t axis, Cells corner) {
        corner[axis] = piece.places.first;
        for (std::uint32_t z = 0; z < piece.size[2]; ++z)
            for (std::uint32_t y = 0; y < piece.size[1]; ++y)
                for (std::uint32_t x = 0; x < piece.size[0]; ++x)
                    ++counts_.at(((corner[2] + z) * cells_[1] + corner[1] + y) * cells_[0] +
                                 corner[0] + x);
    }
    bool are_one_each() const {
        return std::ranges::all_of(counts_, [](int count) { return count == 1; });
    }

  private:
    Cells cells_;
    std::vector<int> counts_;
};

std::uint64_t bytes_of(const std::vector<passes::RankBytes>& messages) {
    std::uint64_t bytes = 0;
    for (const passes::RankBytes& message : messages)
        bytes += message.size;
    return bytes;
}

void expect_each_cell_once(const passes::LineMove& move, const passes::MoveLayout& layout) {
    CountedCells written(move.before);
    CountedCells read(move.after);
    const auto add_all = [&](CountedCells& cells, const auto& kernels, std::size_t axis,
                             bool are_cut) {
        const std::size_t slabs = move.slabs.size();
        for (std::size_t i = 0; i < kernels.size(); ++i) {
            Cells corner{};
            corner[move.across()] = move.slabs[i % slabs].first;
            if (are_cut)
                corner[move.cut_axis()] = move.cut(static_cast<std::uint32_t>(i / slabs)).first;
            for (const passes::LinePiece& piece : kernels[i].pieces)
                cells.add(piece, axis, corner);
        }
    };
    add_all(written, layout.written, move.from, move.side != passes::CutSide::after);
    add_all(read, layout.read, move.to, move.side == passes::CutSide::after);
    EXPECT_TRUE(written.are_one_each());
    EXPECT_TRUE(read.are_one_each());
}

/// No part of the buffer has two uses, but that a kernel reads what the rank keeps.
void expect_apart(const passes::MoveLayout& layout) {
    std::uint64_t end = 0;
    const auto expect_behind = [&](const passes::NumberSpan& span) {
        EXPECT_EQ(span.first, end);
        EXPECT_EQ(span.first % passes::kSpanAlignment, 0u);
        end = span.end;
    };
    for (const auto& [span, pieces] : layout.written) {
        expect_behind(span);
        for (const passes::LinePiece& piece : pieces)
            EXPECT_LE(piece.offset + count_of(piece.size), span.end - span.first);
    }
    for (const passes::MoveLayout::Step& step : layout.steps)
        expect_behind(step.filled);
    EXPECT_EQ(end, layout.numbers);
    for (const auto& [read_end, pieces] : layout.read)
        for (const passes::LinePiece& piece : pieces)
            EXPECT_LE(piece.offset + count_of(piece.size), read_end);
}

/// Each cell is in one place on either side, and what a rank sends is what others expect of it.
TEST_F(FftPlanOfRanks, MovesHaveEachNumberOnce) {
    using passes::CutSide;
    for (const Cells& cells : {Cells{8, 8, 8}, Cells{3, 5, 40}, Cells{9, 6, 7}, Cells{70, 9, 5}})
        for (const Cells& grid : {Cells{1, 1, 2}, Cells{1, 1, 5}, Cells{1, 3, 2}, Cells{2, 3, 1}})
            for (const CutSide side : {CutSide::none, CutSide::before, CutSide::after}) {
                const Ranks ranks{.grid = grid};
                const FftPlan plan = passes::plan_fft(ranks, cells, kComplexes, kComputed);
                for (std::size_t i = 0; i + 1 < plan.stages.size(); ++i) {
                    const passes::FftStage& a = plan.stages[i];
                    const passes::FftStage& b = plan.stages[i + 1];
                    std::set<std::size_t> slabs, cuts;
                    // By sender, receiver and step.
                    std::map<std::array<std::size_t, 3>, std::vector<std::uint64_t>> sent, received;
                    for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
                        const auto move =
                            passes::line_move({a.division, a.axis}, {b.division, b.axis}, a.after,
                                              rank, {.slab_bytes = 1, .side = side});
                        if (!move) continue;
                        slabs.insert(move->slabs.size());
                        cuts.insert(move->cuts);
                        const passes::MoveLayout layout = passes::layout_of(*move);
                        expect_each_cell_once(*move, layout);
                        expect_apart(layout);
                        for (std::size_t step = 0; step < layout.steps.size(); ++step) {
                            const auto& [spans, filled, messages] = layout.steps[step];
                            for (const passes::RankBytes& message : messages.sends) {
                                EXPECT_NE(message.rank, rank);
                                const passes::NumberSpan& span = spans.at(message.view);
                                EXPECT_LE(message.offset + message.size,
                                          8 * (span.end - span.first));
                                sent[{rank, message.rank, step}].push_back(message.size);
                            }
                            std::uint64_t end = 0;
                            for (const passes::RankBytes& message : messages.receives) {
                                EXPECT_EQ(message.offset, end);
                                end += message.size;
                                received[{message.rank, rank, step}].push_back(message.size);
                            }
                            EXPECT_LE(end, 8 * (filled.end - filled.first));
                        }
                    }
                    EXPECT_LE(slabs.size(), 1u);
                    EXPECT_LE(cuts.size(), 1u);
                    EXPECT_EQ(sent, received);
                }
            }
}

TEST_F(FftPlanOfRanks, SlabsAreWorthAMessage) {
    using passes::CutSide;
    using testing::Pair;
    const Ranks ranks{.grid = {1, 1, 2}};
    const Cells cells{64, 64, 64};
    const FftPlan plan = passes::plan_fft(ranks, cells, kComplexes, kComputed);
    const std::uint64_t sent = 8 * count_of(cells) / 4; // a half of the half that a rank has
    const auto parts = [&](std::uint64_t bytes, CutSide side, std::uint64_t uncut = ~0ull) {
        const passes::FftStage& y = plan.stages[1];
        const passes::FftStage& z = plan.stages[2];
        const auto move =
            passes::line_move({y.division, 1}, {z.division, 2}, cells, ranks.rank,
                              {.slab_bytes = bytes, .side = side, .uncut_bytes = uncut});
        return move ? std::pair{move->slabs.size(), move->cuts} : std::pair{std::size_t{0}, 0u};
    };
    EXPECT_THAT(parts(sent + 1, CutSide::none), Pair(1, 1));
    EXPECT_THAT(parts(sent / 2, CutSide::none), Pair(2, 1));
    EXPECT_THAT(parts(1, CutSide::none), Pair(passes::kMaxSlabs, 1));
    EXPECT_THAT(parts(sent + 1, CutSide::before), Pair(1, 1));
    EXPECT_THAT(parts(sent / 2, CutSide::before), Pair(2, 2));
    EXPECT_THAT(parts(1, CutSide::after), Pair(2, passes::kMaxSlabs));
    EXPECT_THAT(parts(1, CutSide::after, sent + 1), Pair(2, passes::kMaxSlabs));
    EXPECT_THAT(parts(1, CutSide::after, sent), Pair(passes::kMaxSlabs, 1));
}

/// A cut is sent as soon as its lines are transformed along all axes but one, the first one after
/// half the work; the last two leave in two slabs, so that the lines after the move can begin with
/// the first, and end with few. The other way round after a move.
TEST_F(FftPlanOfRanks, TheCutsNextToTheWaitTravelInSlabs) {
    const Ranks ranks{.grid = {1, 1, 2}};
    const Cells cells{96, 2, 28}; // six steps along x, seven half cuts of two planes
    const FftPlan plan = passes::plan_fft(ranks, cells, kComplexes, kComputed);
    const auto numbers = [&](const passes::FftStage& a, const passes::FftStage& b,
                             passes::CutSide side) {
        const auto move = passes::line_move({a.division, a.axis}, {b.division, b.axis}, cells, 0,
                                            {.slab_bytes = 1, .side = side});
        std::vector<std::uint64_t> sent;
        if (!move) return sent;
        for (const passes::MoveLayout::Step& step : passes::layout_of(*move).steps)
            sent.push_back(bytes_of(step.messages.sends) / 8);
        return sent;
    };
    EXPECT_THAT(numbers(plan.stages[1], plan.stages[2], passes::CutSide::before),
                testing::ElementsAre(2 * 96, 4 * 96, 4 * 64, 4 * 64, 4 * 32, 4 * 32));
    EXPECT_THAT(numbers(plan.stages[2], plan.stages[1], passes::CutSide::after),
                testing::ElementsAre(4 * 32, 4 * 32, 4 * 64, 4 * 64, 4 * 96, 2 * 96));
}

/// Those at the ends are half as thick; all begin at multiples of 16 numbers.
TEST_F(FftPlanOfRanks, SlabsThatHideNoMessageAreThin) {
    const Ranks ranks{.grid = {1, 1, 2}};
    const Cells cells{205, 2, 2};
    const FftPlan plan = passes::plan_fft(ranks, cells, kComplexes, kComputed);
    const auto move = passes::line_move({plan.stages[1].division, 1}, {plan.stages[2].division, 2},
                                        cells, 0, {.slab_bytes = 1});
    ASSERT_TRUE(move);
    EXPECT_THAT(move->slabs, testing::ElementsAre(CellSpan{0, 32}, CellSpan{32, 64},
                                                  CellSpan{96, 64}, CellSpan{160, 45}));
}

/// What is sent and what is received must fit in a buffer together, on all ranks.
TEST_F(FftPlanOfRanks, MovesCanBeAddressed) {
    const auto can_move = [](const Cells& cells) {
        const Ranks ranks{.grid = {1, 2, 1}};
        const FftPlan plan = passes::plan_fft(ranks, cells, kComplexes, kComputed);
        const passes::FftStage& x = plan.stages[0];
        const passes::FftStage& y = plan.stages[1];
        return passes::line_move({x.division, 0}, {y.division, 1}, cells, 0, {}).has_value();
    };
    const std::uint32_t most = 1u << 15;
    EXPECT_TRUE(can_move({most, most / 2, 1}));
    EXPECT_FALSE(can_move({most, most, 1}));
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
