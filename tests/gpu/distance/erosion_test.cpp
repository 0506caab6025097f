#include "passes/distance/erosion.hpp"
#include "tests/gpu/distance/distance_test.hpp"

#include <algorithm>
#include <array>

namespace tuff {
namespace {

using passes::ErosionDistance;
using passes::FieldStorage;
using passes::PassBackEnd;

class ErosionTest : public DistanceTest {
  protected:
    passes::DistanceStatus expect_eroded(const reference::Seed& seed, ErosionDistance pass,
                                         const std::vector<std::uint32_t>& expected,
                                         const std::string& name) {
        Graph g = graph();
        pass.seed = image_of(g, seed);
        pass = g.add(pass);
        g.output("field", pass.field);
        g.output("status", pass.status);
        testing_gpu::Running running = run(std::move(g));
        EXPECT_EQ(whole_numbers(running.image("field")), expected) << name;
        return passes::DistanceStatus::read(running.buffer<std::uint32_t>("status"));
    }
    std::string code_of(ErosionDistance pass) {
        Graph g = graph();
        pass.seed = g.image("seed", {.format = Format::r8_uint, .extent = {5, 4, 1}});
        (void)g.add(pass);
        const GraphDesc done = std::move(g).finish();
        return done.diagnostics.empty() ? std::string() : done.diagnostics.front().code;
    }
};

constexpr std::array kBackEnds{PassBackEnd::compute, PassBackEnd::raster, PassBackEnd::query};

TEST_F(ErosionTest, Check4And10AllBackEndsTakeThePassesOfBothLoops) {
    for (const NamedSeed& one : seeds_of_all_kinds()) {
        const auto expected = reference::squared_distances(one.seed);
        const auto passes = reference::erosion_passes(one.seed);
        EXPECT_LE(passes.rows, one.seed.width);
        EXPECT_LE(passes.columns, one.seed.height);
        for (const PassBackEnd back_end : kBackEnds) {
            const auto status = expect_eroded(one.seed, {.back_end = back_end}, expected, one.name);
            EXPECT_EQ(status.row_passes, passes.rows) << one.name;
            EXPECT_EQ(status.passes, passes.rows + passes.columns) << one.name;
            EXPECT_EQ(status.codes, 0u) << one.name;
        }
    }
}

/// Exactly `count` objects of a square.
reference::Seed scattered(std::uint32_t side, std::uint32_t count) {
    reference::Seed seed = seed_where(side, side, [](auto, auto) { return false; });
    std::mt19937 random(7);
    for (std::uint32_t placed = 0; placed < count;) {
        std::uint8_t& texel = seed.texels[random() % seed.texels.size()];
        placed += texel == 0 ? 1 : 0;
        texel = 1;
    }
    return seed;
}

// 1000 objects: some row has few, and is long; then little is left for the columns.
TEST_F(ErosionTest, Check4ManyObjectsTakeFewPasses) {
    for (const auto& [count, least, most, columns_most] :
         {std::array{1000u, 200u, 256u, 40u}, {20000u, 15u, 60u, 8u}}) {
        const reference::Seed seed = scattered(256, count);
        const auto passes = reference::erosion_passes(seed);
        const auto status =
            expect_eroded(seed, {}, reference::squared_distances(seed), "scattered");
        EXPECT_EQ(status.row_passes, passes.rows);
        EXPECT_EQ(status.passes, passes.rows + passes.columns);
        EXPECT_GE(status.row_passes, least);
        EXPECT_LE(status.row_passes, most);
        EXPECT_LE(status.passes - status.row_passes, columns_most);
    }
}

// 255^2 fits into 16 bits and 256^2 does not; sums with "unreached" would wrap to small numbers.
TEST_F(ErosionTest, SixteenBitsReach255TexelsAndSayWhereThatIsTooLittle) {
    for (const std::uint32_t width : {256u, 257u, 700u}) {
        const reference::Seed seed =
            seed_where(width, 3, [](auto x, auto y) { return x == 0 && y == 0; });
        auto expected = reference::squared_distances(seed);
        bool cut = false;
        for (std::uint32_t& value : expected)
            if (value > 65534) {
                value = passes::kUnreached16;
                cut = true;
            }
        EXPECT_EQ(cut, width > 256);
        for (const PassBackEnd back_end : kBackEnds) {
            const auto status = expect_eroded(
                seed, {.storage = FieldStorage::u16, .back_end = back_end}, expected, "end");
            EXPECT_EQ(status.codes, cut ? passes::kFlattened : 0u) << width;
            EXPECT_EQ(status.row_passes, 256u) << width;
        }
    }
}

TEST_F(ErosionTest, EightBitsReach15Texels) {
    const reference::Seed seed = seed_where(20, 3, [](auto x, auto y) { return x == 0 && y == 0; });
    auto expected = reference::squared_distances(seed);
    for (std::uint32_t& value : expected)
        if (value > 254) value = passes::kUnreached8;
    EXPECT_EQ(expect_eroded(seed, {.storage = FieldStorage::u8}, expected, "end").codes,
              passes::kFlattened);
}

TEST_F(ErosionTest, SixteenBitsHoldTheClampAndLoopsEndAtIt) {
    const reference::Seed seed = random_seed(300, 40, 0.0005);
    auto expected = reference::squared_distances(seed);
    for (const std::uint32_t clamp : {16u, 255u}) {
        auto clamped = expected;
        for (std::uint32_t& value : clamped)
            value = std::min(value, clamp * clamp);
        for (const PassBackEnd back_end : kBackEnds) {
            const auto status = expect_eroded(
                seed, {.clamp = clamp, .storage = FieldStorage::u16, .back_end = back_end}, clamped,
                "clamped");
            EXPECT_EQ(status.codes, 0u);
            EXPECT_EQ(status.row_passes, reference::erosion_passes(seed, clamp * clamp).rows);
        }
    }
    EXPECT_EQ(code_of({.clamp = 255, .storage = FieldStorage::u16}), "");
    EXPECT_EQ(code_of({.clamp = 256, .storage = FieldStorage::u16}), "distance/storage");
    EXPECT_EQ(code_of({.clamp = 16, .storage = FieldStorage::u8}), "distance/storage");
    EXPECT_EQ(code_of({.storage = FieldStorage::u8, .channels = passes::FieldChannels::two}),
              "distance/storage");
    EXPECT_EQ(code_of({.storage = FieldStorage::u16, .channels = passes::FieldChannels::two}), "");
}

TEST_F(ErosionTest, TooFewPassesLeaveAPartialFieldAndSaySo) {
    const reference::Seed seed =
        seed_where(40, 30, [](auto x, auto y) { return x == 20 && y == 15; });
    for (const std::uint32_t passes : {1u, 5u}) {
        std::vector<std::uint32_t> expected;
        for (int y = 0; y < 30; ++y)
            for (int x = 0; x < 40; ++x) {
                const bool near = std::max(std::abs(x - 20), std::abs(y - 15)) <= int(passes);
                expected.push_back(
                    near ? static_cast<std::uint32_t>((x - 20) * (x - 20) + (y - 15) * (y - 15))
                         : passes::kUnreached32);
            }
        for (const PassBackEnd back_end : kBackEnds) {
            const auto status = expect_eroded(seed, {.back_end = back_end, .max_passes = passes},
                                              expected, "middle");
            EXPECT_EQ(status.row_passes, passes);
            EXPECT_EQ(status.passes, 2 * passes);
            EXPECT_EQ(status.codes, passes::kUnfinished);
        }
    }
}

// 20 columns and 15 rows are the farthest: 20 passes are just enough, without one that finds
// nothing in the rows.
TEST_F(ErosionTest, FieldsThatWereFinishedInTimeAreNotWarnedOf) {
    const reference::Seed seed =
        seed_where(40, 30, [](auto x, auto y) { return x == 20 && y == 15; });
    const auto expected = reference::squared_distances(seed);
    const auto enough = expect_eroded(seed, {.max_passes = 20}, expected, "middle");
    EXPECT_EQ(enough.codes, 0u);
    EXPECT_EQ(enough.row_passes, 20u);
    EXPECT_EQ(enough.passes, 20u + 16u);
}

} // namespace
} // namespace tuff
