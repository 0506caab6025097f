#include "graph_test.hpp"

#include <map>
#include <string>
#include <vector>

/// What the graphs that are made for sweeps measure.
namespace tuff::testing_gpu {
namespace {

using Settings = std::map<std::string, std::string>;

class SweepTest : public GraphTest {
  public:
    /// The row that a run of the graph adds to its tables.
    std::vector<float> row(std::string_view graph_name, const Settings& settings) {
        const Planned made = planned(graph_name, settings);
        if (!made.plan) return {};
        Running running = start(made.plan);
        running.execute(1);
        return running.buffer<float>("row");
    }
};

Settings terrain(Settings changed) {
    Settings all{{"width", "64"}, {"height", "48"}, {"columns", "160"}, {"lines", "96"},
                 {"map", "129"},  {"levels", "5"},  {"edge", "4"},      {"room", "16384"}};
    for (const auto& [name, value] : changed)
        all[name] = value;
    return all;
}

// Columns of terrain-sweep_row.comp.
constexpr std::size_t kSeen = 3;
constexpr std::size_t kTriangles = 4;
constexpr std::size_t kMeanError = 5;
constexpr std::size_t kWorstError = 6;
constexpr std::size_t kBisectedTriangles = 8;
constexpr std::size_t kBisectedMeanError = 9;
constexpr std::size_t kBisectedWorstError = 10;

TEST_F(SweepTest, AFlatTerrainHasNoErrors) {
    const auto flat = row("terrain-sweep", terrain({{"height_factor", "0"}}));
    ASSERT_EQ(flat.size(), 13u);
    // Triangles of a patch of 8 x 8 cells; some have no area where edges are joined.
    EXPECT_GT(flat[kSeen], 10.0f);
    EXPECT_LE(flat[kTriangles], 128.0f * flat[kSeen]);
    EXPECT_GE(flat[kTriangles], 112.0f * flat[kSeen]);
    EXPECT_GT(flat[kBisectedTriangles], 100.0f);
    for (const std::size_t column :
         {kMeanError, kWorstError, kBisectedMeanError, kBisectedWorstError})
        EXPECT_EQ(flat[column], 0.0f) << column;
}

TEST_F(SweepTest, ShorterEdgesOfATerrainHaveMoreTrianglesAndSmallerErrors) {
    const auto coarse = row("terrain-sweep", terrain({{"edge", "4.5"}}));
    const auto fine = row("terrain-sweep", terrain({{"edge", "1.5"}}));
    ASSERT_EQ(coarse.size(), 13u);
    ASSERT_EQ(fine.size(), 13u);
    EXPECT_GT(fine[kTriangles], 2.0f * coarse[kTriangles]);
    EXPECT_GT(fine[kBisectedTriangles], 2.0f * coarse[kBisectedTriangles]);
    EXPECT_LT(fine[kMeanError], 0.7f * coarse[kMeanError]);
    EXPECT_LT(fine[kBisectedMeanError], 0.7f * coarse[kBisectedMeanError]);
    for (const auto& one : {coarse, fine}) {
        EXPECT_GT(one[kMeanError], 0.0f);
        EXPECT_LE(one[kMeanError], one[kWorstError]);
        EXPECT_LE(one[kBisectedMeanError], one[kBisectedWorstError]);
    }
}

// Errors are proportional to heights.
TEST_F(SweepTest, ATerrainTwiceAsHighHasTwiceTheErrors) {
    // Seen from high above, so that distances hardly change.
    const Settings above{
        {"place", "[0.01, 8, 0]"}, {"look_at", "[0, 0, 0]"}, {"edge", "0.75"}, {"levels", "3"}};
    Settings low = above;
    Settings high = above;
    low["height_factor"] = "0.05";
    high["height_factor"] = "0.1";
    const auto single = row("terrain-sweep", terrain(low));
    const auto twice = row("terrain-sweep", terrain(high));
    ASSERT_EQ(single.size(), 13u);
    ASSERT_EQ(twice.size(), 13u);
    EXPECT_EQ(twice[kTriangles], single[kTriangles]);
    EXPECT_NEAR(twice[kMeanError] / single[kMeanError], 2.0f, 0.03f);
    EXPECT_NEAR(twice[kWorstError] / single[kWorstError], 2.0f, 0.03f);
}

// Columns of occlusion-sweep_row.comp: rank correlations with rays.
constexpr std::size_t kMipRank = 10;
constexpr std::size_t kNBufferRank = 11;
constexpr std::size_t kSummedRank = 12;
constexpr std::size_t kSixConesRank = 13;
constexpr std::size_t kFourteenConesRank = 14;
constexpr std::size_t kManyConesRank = 15;

// The numbers of docs/volumes.md; 64 rays of a voxel agree with 1,024 to 0.998.
TEST_F(SweepTest, FourteenConesOrderTheVoxelsOfTheBagAsRaysDo) {
    TUFF_ONLY_ON(lavapipe);
    const auto bag = row(
        "occlusion-sweep",
        {{"width", "96"}, {"height", "64"}, {"growth", "2"}, {"rays", "1"}, {"reference", "64"}});
    ASSERT_EQ(bag.size(), 24u);
    EXPECT_GT(bag[2], 15000.0f); // voxels that block light
    EXPECT_GE(bag[kFourteenConesRank], 0.93f);
    EXPECT_GE(bag[kManyConesRank], bag[kFourteenConesRank]);
    EXPECT_NEAR(bag[kMipRank], 0.86f, 0.01f);
    EXPECT_NEAR(bag[kNBufferRank], 0.79f, 0.01f);
    EXPECT_NEAR(bag[kSummedRank], 0.82f, 0.01f);
    EXPECT_NEAR(bag[kSixConesRank], 0.66f, 0.01f);
}

TEST_F(SweepTest, RaysAgreeWithThemselves) {
    const auto measured = row("occlusion-sweep", {{"width", "64"},
                                                  {"height", "48"},
                                                  {"side", "16"},
                                                  {"shells", "3"},
                                                  {"rays", "24"},
                                                  {"reference", "24"}});
    ASSERT_EQ(measured.size(), 24u);
    EXPECT_EQ(measured[0], 3.0f);
    EXPECT_EQ(measured[1], 24.0f);
    EXPECT_GT(measured[2], 200.0f);
    EXPECT_EQ(measured[9], 0.0f);
    EXPECT_NEAR(measured[16], 1.0f, 1e-3f); // sums of ranks are rounded
    for (std::size_t way = 0; way < 6; ++way) {
        EXPECT_GT(measured[3 + way], 0.01f) << way;
        EXPECT_LT(measured[3 + way], 0.9f) << way;
        EXPECT_LT(measured[10 + way], 0.999f) << way;
    }
    // Cones tell directions apart, shells do not.
    EXPECT_GT(measured[14], measured[11]);
}

} // namespace
} // namespace tuff::testing_gpu
