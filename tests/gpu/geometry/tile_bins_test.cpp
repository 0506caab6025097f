#include "passes/geometry/tile_bins.hpp"
#include "tests/gpu/geometry/raster_test.hpp"

#include <algorithm>
#include <set>

/// Lists of the triangles of tiles against fragments of the reference.
namespace tuff {
namespace {

using passes::TileBins;
using passes::TileBinsStatus;
using passes::TileSide;
using testing_gpu::RasterCase;
using testing_gpu::RasterReference;
using testing_gpu::Running;

class TileBinsTest : public testing_gpu::RasterTest {
  protected:
    struct Bins {
        std::vector<std::vector<std::uint32_t>> tiles;
        TileBinsStatus status;
    };
    static Bins read(Running& running, const std::string& name) {
        Bins bins;
        const auto offsets = running.buffer<std::uint32_t>(name + ".offsets");
        const auto triangles = running.buffer<std::uint32_t>(name + ".triangles");
        for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
            auto& tile = bins.tiles.emplace_back();
            EXPECT_LE(offsets[i], offsets[i + 1]);
            if (offsets[i] > offsets[i + 1] || offsets[i + 1] > triangles.size()) continue;
            tile.assign(triangles.begin() + offsets[i], triangles.begin() + offsets[i + 1]);
        }
        bins.status = TileBinsStatus::read(running.buffer<std::uint32_t>(name + ".status"));
        return bins;
    }
    static TileBins pass_of(Graph& g, const RasterCase& one, TileSide side,
                            std::uint32_t capacity) {
        return {.mesh = mesh(g, one.mesh, one.name),
                .width = one.setup.width,
                .height = one.setup.height,
                .clip_from_mesh = one.setup.clip_from_mesh,
                .cull = one.setup.cull,
                .side = side,
                .capacity = capacity};
    }
};

TEST_F(TileBinsTest, HoldTheTrianglesOfEachTileInTheirOrder) {
    std::vector<RasterCase> cases = testing_gpu::raster_cases();
    std::erase_if(cases, [](const RasterCase& one) { return !one.setup.occluder.empty(); });
    const auto name_of = [](const RasterCase& one, TileSide side, std::uint32_t capacity) {
        return fmt::format("{} {} {}", one.name, static_cast<int>(side), capacity);
    };
    const auto sides_of = [](const RasterCase& one) {
        std::vector<TileSide> sides{TileSide::side16};
        if (one.name == "large" || one.name == "deep")
            sides.insert(sides.end(), {TileSide::side8, TileSide::side32});
        return sides;
    };
    constexpr std::uint32_t kEnough = 1u << 17;
    constexpr std::uint32_t kCapacities[] = {kEnough, 100};
    Graph g = graph();
    for (const RasterCase& one : cases)
        for (const TileSide side : sides_of(one))
            for (const std::uint32_t capacity : kCapacities) {
                const std::string name = name_of(one, side, capacity);
                const auto bins = g.add(pass_of(g, one, side, capacity), name).bins;
                g.output(name + ".offsets", bins.offsets);
                g.output(name + ".triangles", bins.triangles);
                g.output(name + ".status", bins.status);
            }
    Running running = run(std::move(g));
    if (!running) return;
    for (const RasterCase& one : cases) {
        const RasterReference reference = rasterize(one.mesh, one.setup);
        for (const TileSide tile_side : sides_of(one)) {
            SCOPED_TRACE(name_of(one, tile_side, kEnough));
            const std::uint32_t side = 8u << static_cast<int>(tile_side);
            const std::uint32_t columns = (one.setup.width + side - 1) / side;
            const std::uint32_t rows = (one.setup.height + side - 1) / side;
            std::vector<std::set<std::uint32_t>> covered(std::size_t{columns} * rows);
            for (std::uint32_t y = 0; y < one.setup.height; ++y)
                for (std::uint32_t x = 0; x < one.setup.width; ++x)
                    for (const auto& fragment : reference.pixels[y * one.setup.width + x])
                        covered[y / side * columns + x / side].insert(fragment.triangle);
            const Bins all = read(running, name_of(one, tile_side, kEnough));
            ASSERT_EQ(all.tiles.size(), covered.size());
            std::size_t entries = 0;
            std::size_t needed = 0;
            for (std::size_t i = 0; i < covered.size(); ++i) {
                const auto& tile = all.tiles[i];
                ASSERT_TRUE(std::ranges::is_sorted(tile));
                ASSERT_EQ(std::ranges::adjacent_find(tile), tile.end());
                ASSERT_TRUE(std::ranges::includes(tile, covered[i])) << "tile " << i;
                entries += tile.size();
                needed += covered[i].size();
            }
            EXPECT_EQ(all.status.needed, entries);
            EXPECT_EQ(all.status.stored, entries);
            EXPECT_EQ(all.status.overflowed, 0u);
            // Few tiles beside those that are covered: at corners of thin triangles.
            EXPECT_LE(entries, 2 * needed + one.mesh.triangles() / 2 + 16);
            // Without room for all, the triangles of the least numbers remain.
            const Bins few = read(running, name_of(one, tile_side, 100));
            EXPECT_EQ(few.status.needed, entries);
            EXPECT_EQ(few.status.stored, std::min<std::size_t>(entries, 100));
            EXPECT_EQ(few.status.overflowed, entries > 100 ? 1u : 0u);
            std::size_t kept = 0;
            for (std::size_t i = 0; i < few.tiles.size(); ++i) {
                EXPECT_TRUE(std::ranges::includes(all.tiles[i], few.tiles[i]));
                kept += few.tiles[i].size();
            }
            EXPECT_EQ(kept, few.status.stored);
        }
    }
}

TEST_F(TileBinsTest, ThatLackRoomSayHowMuch) {
    const auto cases = testing_gpu::raster_cases();
    const RasterCase& one = case_named(cases, "large");
    Graph g = graph();
    g.output("triangles", g.add(pass_of(g, one, TileSide::side8, 1), "few").bins.triangles);
    Running running = run(std::move(g));
    if (!running) return;
    const auto warnings = running->warnings();
    ASSERT_TRUE(warnings);
    ASSERT_EQ(warnings->size(), 1u);
    EXPECT_EQ(warnings->front().code, "raster/full-bins");
    const auto needs = running->pool_needs();
    ASSERT_TRUE(needs);
    EXPECT_GT(needs->at("few/entries"), 1u);
}

} // namespace
} // namespace tuff
