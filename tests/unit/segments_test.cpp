#include "gpu/execute/segments.hpp"

#include <gmock/gmock.h>

#include <algorithm>

namespace tuff {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

/// Levels of empty nodes, each given to a submission.
struct Sizes {
    std::uint32_t nodes = 0;
    std::uint32_t submission = 0;
};

Plan plan_of(const std::vector<Sizes>& levels, std::uint32_t submissions) {
    Plan plan;
    for (const Sizes& sizes : levels) {
        Level level{.first_node = static_cast<std::uint32_t>(plan.order.size()),
                    .node_count = sizes.nodes};
        level.submission = sizes.submission;
        plan.levels.push_back(level);
        for (std::uint32_t i = 0; i < sizes.nodes; ++i) {
            plan.order.push_back({static_cast<std::uint32_t>(plan.graph.nodes.size())});
            plan.graph.nodes.emplace_back();
        }
    }
    plan.submissions.resize(submissions);
    return plan;
}

/// The submission, and the positions in Plan::order, of each segment.
std::vector<std::vector<std::uint32_t>> positions(const Segments& cut) {
    std::vector<std::vector<std::uint32_t>> all;
    for (const Segment& segment : cut.segments) {
        all.push_back({segment.submission});
        for (const Piece& piece : cut.pieces_of(segment))
            for (std::uint32_t i = piece.first; i < piece.last; ++i)
                all.back().push_back(i);
    }
    return all;
}

TEST(Segments, OneThreadRecordsASubmissionInOnePiece) {
    const Segments cut = split_into_segments(plan_of({{2, 0}, {3, 0}}, 1), 1);
    ASSERT_THAT(cut.segments, SizeIs(1));
    EXPECT_TRUE(cut.segments[0].begins && cut.segments[0].ends);
    EXPECT_THAT(positions(cut), ElementsAre(ElementsAre(0, 0, 1, 2, 3, 4)));
}

TEST(Segments, NoneCrossesASubmissionAlsoWhereTheirLevelsAlternate) {
    const Segments cut = split_into_segments(plan_of({{1, 0}, {1, 1}, {2, 0}, {1, 1}}, 2), 1);
    EXPECT_THAT(positions(cut), ElementsAre(ElementsAre(0, 0, 2, 3), ElementsAre(1, 1, 4)));
}

TEST(Segments, ASubmissionWithoutNodesHasOneToo) {
    const Segments cut = split_into_segments(plan_of({{1, 0}}, 2), 3);
    EXPECT_THAT(positions(cut), ElementsAre(ElementsAre(0, 0), ElementsAre(1)));
    EXPECT_TRUE(cut.segments[1].begins && cut.segments[1].ends);
}

TEST(Segments, EveryLevelBeginsOnceAndEndsOnceHoweverItIsCut) {
    for (const std::uint32_t threads : {1u, 2u, 3u, 7u, 100u}) {
        const Segments cut =
            split_into_segments(plan_of({{5, 0}, {0, 0}, {9, 1}, {4, 0}, {0, 1}}, 2), threads);
        std::vector<int> begins(5, 0);
        std::vector<int> ends(5, 0);
        std::uint32_t nodes = 0;
        for (const Piece& piece : cut.pieces) {
            begins[piece.level] += piece.begins ? 1 : 0;
            ends[piece.level] += piece.ends ? 1 : 0;
            nodes += piece.last - piece.first;
        }
        EXPECT_THAT(begins, testing::Each(1)) << threads;
        EXPECT_THAT(ends, testing::Each(1)) << threads;
        EXPECT_EQ(nodes, 18u) << threads;
        for (std::uint32_t submission : {0u, 1u}) {
            const auto begin = [&](const Segment& s) {
                return s.submission == submission && s.begins;
            };
            const auto end = [&](const Segment& s) { return s.submission == submission && s.ends; };
            EXPECT_EQ(std::ranges::count_if(cut.segments, begin), 1) << threads;
            EXPECT_EQ(std::ranges::count_if(cut.segments, end), 1) << threads;
        }
    }
}

TEST(Segments, PlansOfAThousandNodesAreNotWorthASecondThread) {
    EXPECT_EQ(recording_threads(plan_of({{1000, 0}}, 1), 0), 1u);
    EXPECT_EQ(recording_threads(plan_of({{1000, 0}}, 1), 3), 3u);
}

} // namespace
} // namespace tuff
