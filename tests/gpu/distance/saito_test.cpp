#include "passes/distance/saito.hpp"
#include "tests/gpu/distance/distance_test.hpp"

#include <algorithm>

namespace tuff {
namespace {

using passes::ColumnMode;
using passes::RowMode;
using passes::SaitoToriwaki;

class SaitoTest : public DistanceTest {
  protected:
    HostImage field_of(const reference::Seed& seed, SaitoToriwaki pass) {
        Graph g = graph();
        pass.seed = image_of(g, seed);
        g.output("field", g.add(pass).field);
        return run(std::move(g)).image("field");
    }
    /// The first diagnostic of a graph with this pass; "" where there is none.
    std::string code_of(SaitoToriwaki pass) {
        Graph g = graph();
        pass.seed = g.image("seed", {.format = Format::r8_uint, .extent = {5, 4, 1}});
        const SaitoToriwaki added = g.add(pass);
        const GraphDesc done = std::move(g).finish();
        if (done.diagnostics.empty()) return "";
        EXPECT_FALSE(added.field);
        return done.diagnostics.front().code;
    }
    static std::vector<std::uint32_t> clamped(const reference::Seed& seed, std::uint32_t clamp) {
        std::vector<std::uint32_t> expected = reference::squared_distances(seed);
        for (std::uint32_t& value : expected)
            value = std::min(value, clamp * clamp);
        return expected;
    }
};

// Sections that divide the row, that do not, of a texel, and longer than the row; margins that are
// just enough, the clamp (0) and more. Several groups of 64 sections with spans below 4.
TEST_F(SaitoTest, Check5RowsInSectionsAreThoseOfWholeRows) {
    for (const double density : {0.002, 0.05}) {
        const reference::Seed seed = random_seed(300, 40, density);
        for (const std::uint32_t clamp : {1u, 16u, 255u}) {
            const auto expected = clamped(seed, clamp);
            for (const std::uint32_t span : {1u, 3u, 20u, 64u, 100u, 300u, 1024u})
                for (const std::uint32_t margin : {0u, clamp - 1, clamp + 7})
                    ASSERT_EQ(whole_numbers(field_of(seed, {.clamp = clamp,
                                                            .rows = RowMode::tiled,
                                                            .span = span,
                                                            .margin = margin})),
                              expected)
                        << clamp << ", " << span << ", " << margin;
        }
    }
}

TEST_F(SaitoTest, TooSmallMarginsAndRowsInSectionsWithoutAClampAreRefused) {
    const auto tiled = [](std::uint32_t clamp, std::uint32_t margin) {
        return SaitoToriwaki{.clamp = clamp, .rows = RowMode::tiled, .margin = margin};
    };
    EXPECT_EQ(code_of(tiled(0, 0)), "distance/margin");
    EXPECT_EQ(code_of(tiled(0, 300)), "distance/margin");
    EXPECT_EQ(code_of(tiled(16, 14)), "distance/margin");
    EXPECT_EQ(code_of(tiled(16, 15)), "");
    EXPECT_EQ(code_of({.clamp = 16, .margin = 1}), ""); // whole rows have none
}

TEST_F(SaitoTest, NarrowTexelsHoldTheSquareOfTheClamp) {
    const reference::Seed seed = random_seed(300, 40, 0.001);
    for (const auto& [storage, clamp] :
         {std::pair{passes::FieldStorage::u16, 255u}, {passes::FieldStorage::u8, 15u}})
        for (const ColumnMode columns :
             {ColumnMode::bounded, ColumnMode::brute, ColumnMode::split}) {
            const HostImage field =
                field_of(seed, {.clamp = clamp, .columns = columns, .storage = storage});
            EXPECT_EQ(field.format, passes::field_format(storage));
            EXPECT_EQ(whole_numbers(field), clamped(seed, clamp));
        }
    EXPECT_EQ(code_of({.clamp = 256, .storage = passes::FieldStorage::u16}), "distance/storage");
    EXPECT_EQ(code_of({.clamp = 16, .storage = passes::FieldStorage::u8}), "distance/storage");
    EXPECT_EQ(code_of({.storage = passes::FieldStorage::u16}), "distance/storage");
    EXPECT_EQ(code_of({.clamp = 15,
                       .storage = passes::FieldStorage::u8,
                       .channels = passes::FieldChannels::two}),
              "distance/storage");
}

} // namespace
} // namespace tuff
