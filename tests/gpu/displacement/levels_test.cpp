#include "passes/displacement/patches.hpp"
#include "tests/gpu/displacement/displacement_fixture.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

/// Patches of different levels side by side.
namespace tuff {
namespace {

constexpr std::uint32_t kPatchesASide = 8;

/// Displacements in all directions that go on over the map's edges.
HostMap endless_map(std::uint32_t side) {
    HostMap map{side, side, {}};
    const auto wave = [&](std::uint32_t x, std::uint32_t y, double a, double b, double phase) {
        const double turn = 2.0 * std::numbers::pi / (side - 1);
        // What repeats does so to the bit.
        return static_cast<float>(
            std::sin(turn * (a * (x % (side - 1)) + b * (y % (side - 1))) + phase));
    };
    for (std::uint32_t y = 0; y < side; ++y)
        for (std::uint32_t x = 0; x < side; ++x)
            map.texels.emplace_back(0.12f * wave(x, y, 1, 2, 0.3), 0.15f * wave(x, y, 3, 1, 1.1),
                                    0.12f * wave(x, y, 2, 3, 2.0), 0.0f);
    return map;
}

class LevelsTest : public DisplacementTest {
  protected:
    passes::DisplacedSurface ground(Graph& g, std::uint32_t trees) {
        const Buffer patches = g.add(passes::MakePatches{.columns = kPatchesASide,
                                                         .rows = kPatchesASide,
                                                         .size = {8.0f, 8.0f},
                                                         .hills = 0.3f})
                                   .patches;
        return g
            .add(passes::DisplaceSurface{
                .patches = patches, .map = add_map(g, endless_map(33)), .level = 5, .trees = trees})
            .surface;
    }
    struct Cast {
        std::vector<HitRecord> hits;
        std::vector<std::uint32_t> levels;
    };
    Cast cast_at_ground(CastDisplaced how, const std::vector<RayRecord>& rays,
                        std::uint32_t trees) {
        Graph g = graph();
        how.surface = ground(g, trees);
        how.rays = add_records(g, "rays", rays);
        how.with_levels = true;
        how = g.add(how);
        g.output("hits", how.hits);
        g.output("levels", how.levels);
        Running running = run(std::move(g));
        return {running.buffer<HitRecord>("hits"), running.buffer<std::uint32_t>("levels")};
    }
};

// Check: no ray finds a gap in a ground whose patches have different levels, whether each ray has
// its own or an eye decides for all; every second ray is aimed at where patches meet. All methods
// find the same triangles, to the bit, though the boxes that lead there are others.
TEST_F(LevelsTest, PatchesOfDifferentLevelsMeetWithoutGaps) {
    const glm::vec3 eye(1.0f, 1.6f, 3.0f);
    std::mt19937 random(7);
    std::uniform_real_distribution<float> number(-2.6f, 2.6f);
    std::vector<RayRecord> rays(6000);
    for (std::size_t i = 0; i < rays.size(); ++i) {
        glm::vec3 target(number(random), 0.0f, number(random));
        // Displaced edges lie about there: the same points as the corners of the grid that are
        // moved.
        if (i % 2 == 0) target.x = std::round(target.x) + 0.002f * number(random);
        if (i % 4 == 1) target.z = std::round(target.z) + 0.002f * number(random);
        rays[i].origin = i % 3 == 0 ? eye : glm::vec3(0.5f * number(random), 2.0f, number(random));
        rays[i].direction = glm::normalize(target - rays[i].origin);
        rays[i].t_max = 100.0f;
    }
    for (const passes::FinenessFrom from :
         {passes::FinenessFrom::rays, passes::FinenessFrom::eye}) {
        CastDisplaced how{
            .spread = 0.05f, .from = from, .eye = eye, .method = PatchMethod::descent};
        const Cast descent = cast_at_ground(how, rays, 0);
        const Cast down_trees = cast_at_ground(how, rays, 16);
        CastDisplaced gathered = deferred();
        gathered.spread = how.spread;
        gathered.from = from;
        gathered.eye = eye;
        const Cast by_patch = cast_at_ground(gathered, rays, 0);
        const Cast by_kept = cast_at_ground(gathered, rays, 16);
        std::set<std::uint32_t> levels;
        for (std::size_t i = 0; i < rays.size(); ++i) {
            ASSERT_NE(descent.hits[i].triangle, ~0u) << "a gap, ray " << i;
            levels.insert(descent.levels[i]);
        }
        EXPECT_GE(levels.size(), 4u);
        for (const Cast* other : {&down_trees, &by_patch, &by_kept}) {
            expect_equal(other->hits, descent.hits, "another method");
            EXPECT_EQ(other->levels, descent.levels);
        }
    }
}

// Check: cells about as large as a pixel hit what the finest do, but for a pixel of distance.
TEST_F(LevelsTest, PixelsSeeWhatTheFinestLevelShows) {
    const glm::vec3 eye(0.0f, 5.0f, 6.0f);
    std::vector<RayRecord> rays;
    for (int y = 0; y < 48; ++y)
        for (int x = 0; x < 48; ++x) {
            const glm::vec3 target(-2.5f + 5.0f * static_cast<float>(x) / 47.0f, 0.0f,
                                   -2.5f + 5.0f * static_cast<float>(y) / 47.0f);
            rays.push_back(
                {.origin = eye, .t_max = 100.0f, .direction = glm::normalize(target - eye)});
        }
    CastDisplaced how{
        .from = passes::FinenessFrom::eye, .eye = eye, .method = PatchMethod::descent};
    const Cast finest = cast_at_ground(how, rays, 0);
    how.spread = 0.01f;
    const Cast seen = cast_at_ground(how, rays, 0);
    double squares = 0.0;
    std::size_t coarser = 0;
    for (std::size_t i = 0; i < rays.size(); ++i) {
        const float apart = std::abs(seen.hits[i].t - finest.hits[i].t);
        squares += static_cast<double>(apart) * static_cast<double>(apart);
        coarser += seen.levels[i] < 5;
    }
    EXPECT_GT(coarser, rays.size() / 4);
    // A pixel is 0.08 wide there, and what a cell leaves out of a wave less than that.
    EXPECT_LT(std::sqrt(squares / static_cast<double>(rays.size())), 0.05);
}

} // namespace
} // namespace tuff
