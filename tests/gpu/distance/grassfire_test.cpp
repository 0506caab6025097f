#include "passes/distance/grassfire.hpp"
#include "tests/gpu/distance/distance_test.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace tuff {
namespace {

using passes::FieldStorage;
using passes::Grassfire;
using passes::GrassfireMethod;
using passes::GridMetric;

constexpr std::array kMethodsOfPasses{GrassfireMethod::passes, GrassfireMethod::in_place,
                                      GrassfireMethod::raster, GrassfireMethod::query};
constexpr std::array kAllFireMethods{GrassfireMethod::tiles, GrassfireMethod::passes,
                                     GrassfireMethod::in_place, GrassfireMethod::raster,
                                     GrassfireMethod::query};

class GrassfireTest : public DistanceTest {
  protected:
    passes::DistanceStatus expect_field(const NamedSeed& one, Grassfire pass,
                                        const std::vector<std::uint32_t>& expected) {
        Graph g = graph();
        pass.seed = image_of(g, one.seed);
        pass = g.add(pass);
        g.output("field", pass.field);
        g.output("status", pass.status);
        testing_gpu::Running running = run(std::move(g));
        EXPECT_EQ(whole_numbers(running.image("field")), expected) << one.name;
        return passes::DistanceStatus::read(running.buffer<std::uint32_t>("status"));
    }
    static std::vector<std::uint32_t> expected_of(const NamedSeed& one, GridMetric metric) {
        return reference::brute_distances(one.seed, metric == GridMetric::manhattan
                                                        ? reference::DistanceMetric::manhattan
                                                        : reference::DistanceMetric::chessboard);
    }
};

TEST_F(GrassfireTest, Check2And4And10AsManyPassesAsTheFarthestTexelTakes) {
    for (const NamedSeed& one : seeds_of_all_kinds())
        for (const GridMetric metric : {GridMetric::manhattan, GridMetric::chessboard}) {
            const auto expected = expected_of(one, metric);
            const std::uint32_t farthest = *std::ranges::max_element(expected);
            for (const GrassfireMethod method : kMethodsOfPasses) {
                const auto status =
                    expect_field(one, {.metric = metric, .method = method}, expected);
                // With the pass that finds nothing, which a loop of the longest way has room for.
                EXPECT_EQ(status.passes, farthest + 1) << one.name;
                EXPECT_EQ(status.codes, 0u) << one.name;
                if (one.name == "corner") {
                    EXPECT_EQ(status.passes, metric == GridMetric::manhattan ? 111u : 64u);
                }
            }
        }
}

// From a corner distances enter one more row or column of tiles in each round, or both.
TEST_F(GrassfireTest, TilesTakeAsManyRoundsAsTheWayCrossesTiles) {
    const NamedSeed corner{"corner",
                           seed_where(97, 61, [](auto x, auto y) { return x == 0 && y == 0; })};
    for (const GridMetric metric : {GridMetric::manhattan, GridMetric::chessboard}) {
        const auto status = expect_field(corner, {.metric = metric}, expected_of(corner, metric));
        // 4 x 2 tiles: corners are crossed in a round with eight neighbours.
        EXPECT_EQ(status.passes, metric == GridMetric::manhattan ? 5u + 1 : 4u + 1);
    }
    const NamedSeed within{"within", random_seed(32, 32, 0.01)};
    EXPECT_EQ(expect_field(within, {}, expected_of(within, GridMetric::manhattan)).passes, 2u);
}

TEST_F(GrassfireTest, Check3DistancesAreWithinTheBoundsOfTheirMetrics) {
    std::vector<NamedSeed> seeds = seeds_of_all_kinds();
    double most = 0, least = 1;
    for (const NamedSeed& one : seeds) {
        const auto euclid = reference::squared_distances(one.seed);
        std::array<std::vector<std::uint32_t>, 2> fields;
        for (const GridMetric metric : {GridMetric::manhattan, GridMetric::chessboard}) {
            Graph g = graph();
            g.output("field",
                     g.add(Grassfire{.seed = image_of(g, one.seed), .metric = metric}).field);
            fields[static_cast<std::size_t>(metric)] =
                whole_numbers(run(std::move(g)).image("field"));
        }
        for (std::size_t i = 0; i < euclid.size(); ++i) {
            if (euclid[i] == 0) continue;
            const double distance = std::sqrt(euclid[i]);
            most = std::max(most, fields[0][i] / distance);
            least = std::min(least, fields[1][i] / distance);
        }
    }
    EXPECT_LE(most, std::numbers::sqrt2 + 1e-9);
    EXPECT_GE(most, 1.4142); // attained on the diagonal of a corner
    EXPECT_GE(least, 1 / std::numbers::sqrt2 - 1e-9);
    EXPECT_LE(least, 0.7072);
}

TEST_F(GrassfireTest, Check2NarrowTexelsFlattenAndSaySo) {
    const NamedSeed end{"end", seed_where(300, 3, [](auto x, auto y) { return x == 0 && y == 0; })};
    auto expected = expected_of(end, GridMetric::chessboard);
    for (std::uint32_t& value : expected)
        value = std::min(value, 254u);
    for (const GrassfireMethod method : kAllFireMethods) {
        const auto status = expect_field(
            end, {.metric = GridMetric::chessboard, .method = method, .storage = FieldStorage::u8},
            expected);
        EXPECT_EQ(status.codes, passes::kFlattened) << int(method);
    }
}

TEST_F(GrassfireTest, TexelsOfSixteenBitsHoldWhatEightDoNot) {
    const NamedSeed end{"end", seed_where(300, 3, [](auto x, auto y) { return x == 0 && y == 0; })};
    for (const GrassfireMethod method : kAllFireMethods) {
        const auto status = expect_field(end, {.method = method, .storage = FieldStorage::u16},
                                         expected_of(end, GridMetric::manhattan));
        EXPECT_EQ(status.codes, 0u) << int(method);
    }
}

// A distance of 254 fits, so nothing is lost; and passes may be just enough, without one that finds
// nothing.
TEST_F(GrassfireTest, ExactFieldsAreNotWarnedOf) {
    const NamedSeed end{"end", seed_where(255, 2, [](auto x, auto y) { return x == 0 && y == 0; })};
    const auto expected = expected_of(end, GridMetric::chessboard);
    for (const GrassfireMethod method : kAllFireMethods)
        for (const bool just_enough : {false, true}) {
            const bool tiles = method == GrassfireMethod::tiles;
            const std::uint32_t enough = tiles ? 8 : 254; // 8 x 1 tiles
            const auto status = expect_field(end,
                                             {.metric = GridMetric::chessboard,
                                              .method = method,
                                              .storage = FieldStorage::u8,
                                              .max_passes = just_enough ? enough : 0},
                                             expected);
            EXPECT_EQ(status.codes, 0u) << int(method) << ", " << just_enough;
            EXPECT_EQ(status.passes, just_enough ? enough : enough + 1) << int(method);
        }
}

TEST_F(GrassfireTest, TooFewPassesLeaveAPartialFieldAndSaySo) {
    const NamedSeed one{"middle",
                        seed_where(97, 61, [](auto x, auto y) { return x == 48 && y == 30; })};
    for (const std::uint32_t passes : {1u, 5u}) {
        auto expected = expected_of(one, GridMetric::manhattan);
        for (std::uint32_t& value : expected)
            if (value > passes) value = passes::kUnreached16;
        for (const GrassfireMethod method : kMethodsOfPasses) {
            const auto status = expect_field(
                one, {.method = method, .storage = FieldStorage::u16, .max_passes = passes},
                expected);
            EXPECT_EQ(status.passes, passes) << int(method);
            EXPECT_EQ(status.codes, passes::kUnfinished) << int(method);
        }
    }
}

TEST_F(GrassfireTest, TooFewRoundsLeaveFartherTilesUnreachedAndSaySo) {
    const NamedSeed one{"corner",
                        seed_where(97, 61, [](auto x, auto y) { return x == 0 && y == 0; })};
    auto expected = expected_of(one, GridMetric::chessboard);
    for (std::uint32_t i = 0; i < expected.size(); ++i)
        if (i % 97 >= 64) expected[i] = passes::kUnreached32; // the third tile
    const auto status =
        expect_field(one, {.metric = GridMetric::chessboard, .max_passes = 2}, expected);
    EXPECT_EQ(status.passes, 2u);
    EXPECT_EQ(status.codes, passes::kUnfinished);
}

TEST_F(GrassfireTest, AnEmptySeedEndsAtOnceAndSaysSo) {
    const NamedSeed empty{"empty", seed_where(37, 21, [](auto, auto) { return false; })};
    for (const GrassfireMethod method : kAllFireMethods) {
        const auto status = expect_field(
            empty, {.method = method},
            std::vector<std::uint32_t>(empty.seed.texels.size(), passes::kUnreached32));
        EXPECT_EQ(status.passes, 1u);
        EXPECT_EQ(status.codes, passes::kEmptySeed);
    }
}

} // namespace
} // namespace tuff
