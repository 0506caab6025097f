#include "passes/displacement/draw.hpp"
#include "passes/displacement/patches.hpp"
#include "tests/gpu/displacement/displacement_fixture.hpp"

#include <glm/common.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <string>

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
    struct Way {
        CastDisplaced how;
        std::uint32_t trees = 0;
    };
    /// In one graph, which prepares the ground once for each size of kept trees.
    std::vector<Cast> cast_at_ground(const std::vector<Way>& ways,
                                     const std::vector<RayRecord>& rays) {
        Graph g = graph();
        std::map<std::uint32_t, passes::DisplacedSurface> grounds;
        const Buffer all_rays = add_records(g, "rays", rays);
        for (std::size_t i = 0; i < ways.size(); ++i) {
            const auto [at, is_new] = grounds.try_emplace(ways[i].trees);
            if (is_new) at->second = ground(g, ways[i].trees);
            CastDisplaced how = ways[i].how;
            how.surface = at->second;
            how.rays = all_rays;
            how.with_levels = true;
            const std::string name = "way " + std::to_string(i);
            how = g.add(how, name);
            g.output(name, how.hits);
            g.output(name + " levels", how.levels);
        }
        Running running = run(std::move(g));
        std::vector<Cast> casts;
        for (std::size_t i = 0; i < ways.size(); ++i) {
            const std::string name = "way " + std::to_string(i);
            casts.push_back(
                {running.buffer<HitRecord>(name), running.buffer<std::uint32_t>(name + " levels")});
        }
        return casts;
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
    std::vector<Way> ways;
    for (const passes::FinenessFrom from :
         {passes::FinenessFrom::rays, passes::FinenessFrom::eye}) {
        const CastDisplaced how{
            .spread = 0.05f, .from = from, .eye = eye, .method = PatchMethod::descent};
        CastDisplaced gathered = deferred();
        gathered.spread = how.spread;
        gathered.from = from;
        gathered.eye = eye;
        ways.insert(ways.end(), {{how, 0}, {how, 16}, {gathered, 0}, {gathered, 16}});
    }
    const std::vector<Cast> casts = cast_at_ground(ways, rays);
    for (const std::size_t first : {0u, 4u}) { // by rays, by the eye
        const Cast& descent = casts[first];
        std::set<std::uint32_t> levels;
        for (std::size_t i = 0; i < rays.size(); ++i) {
            ASSERT_NE(descent.hits[i].triangle, ~0u) << "a gap, ray " << i;
            levels.insert(descent.levels[i]);
        }
        EXPECT_GE(levels.size(), 4u);
        for (std::size_t i = first + 1; i < first + 4; ++i) {
            expect_equal(casts[i].hits, descent.hits, "another method");
            EXPECT_EQ(casts[i].levels, descent.levels);
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
    const CastDisplaced how{
        .from = passes::FinenessFrom::eye, .eye = eye, .method = PatchMethod::descent};
    CastDisplaced by_pixels = how;
    by_pixels.spread = 0.01f;
    const std::vector<Cast> casts = cast_at_ground({{how}, {by_pixels}}, rays);
    const Cast& finest = casts[0];
    const Cast& seen = casts[1];
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

/// A flat ground about the origin, seen from a corner, so that patches have several levels.
class FlatGroundTest : public DisplacementTest {
  protected:
    static constexpr std::uint32_t kSide = 64;
    static constexpr glm::vec3 kEye{-3.4f, 1.1f, 3.7f};
    static constexpr glm::vec3 kTarget{-0.4f, -0.3f, 0.6f};
    static constexpr float kFov = 50.0f;

    passes::DisplacedSurface flat(Graph& g, std::uint32_t level) {
        const Buffer patches =
            g.add(passes::MakePatches{.columns = 6, .rows = 6, .size = {8.0f, 8.0f}}).patches;
        const HostMap map{
            .width = 23, .height = 19, .texels = std::vector<glm::vec4>(23 * 19, glm::vec4(0.0f))};
        return g
            .add(
                passes::DisplaceSurface{.patches = patches, .map = add_map(g, map), .level = level})
            .surface;
    }
    /// Through the middles of a picture's pixels.
    static std::vector<RayRecord> rays() {
        const glm::vec3 forward = glm::normalize(kTarget - kEye);
        const glm::vec3 right = glm::normalize(glm::cross(forward, glm::vec3(0.0f, 1.0f, 0.0f)));
        const glm::vec3 up = glm::cross(right, forward);
        const float spread = std::tan(0.5f * glm::radians(kFov));
        std::vector<RayRecord> all;
        for (std::uint32_t y = 0; y < kSide; ++y)
            for (std::uint32_t x = 0; x < kSide; ++x) {
                const auto clip = [](std::uint32_t k) {
                    return (static_cast<float>(k) + 0.5f) / kSide * 2.0f - 1.0f;
                };
                all.push_back({.origin = kEye,
                               .t_max = 1000.0f,
                               .direction = glm::normalize(forward + spread * clip(x) * right -
                                                           spread * clip(y) * up)});
            }
        return all;
    }
    static float pixel() { return 2.0f * std::tan(0.5f * glm::radians(kFov)) / kSide; }
};

// Check: rays whose pixel is smaller than a cell of the finest level are counted, by both methods,
// and reported where most are. A surface of finer levels says which.
TEST_F(FlatGroundTest, HitsOfCellsLargerThanAPixelAreCounted) {
    const auto all = rays();
    Graph g = graph();
    const passes::DisplacedSurface coarse = flat(g, 3);
    const passes::DisplacedSurface fine = flat(g, 7);
    const Buffer records = add_records(g, "rays", all);
    constexpr std::array kSpreads{1.0f, 4.0f, 12.0f};
    for (std::size_t i = 0; i < kSpreads.size(); ++i) {
        const auto add = [&](std::string name, const passes::DisplacedSurface& surface,
                             CastDisplaced how) {
            name += std::to_string(i);
            how.surface = surface;
            how.rays = records;
            how.spread = kSpreads[i] * pixel();
            how.with_levels = true;
            how = g.add(how, name);
            g.output(name + " levels", how.levels);
            g.output(name + " status", how.status);
        };
        add("fine", fine, {.method = PatchMethod::descent});
        add("descent", coarse, {.method = PatchMethod::descent});
        add("deferred", coarse, deferred());
    }
    Running running = run(std::move(g));
    std::set<bool> reported;
    for (std::size_t i = 0; i < kSpreads.size(); ++i) {
        const std::string n = std::to_string(i);
        const auto levels = running.buffer<std::uint32_t>("fine" + n + " levels");
        std::size_t hits = 0;
        std::size_t saturated = 0;
        for (const std::uint32_t level : levels) {
            hits += level != ~0u;
            saturated += level != ~0u && level > 3;
        }
        EXPECT_GT(hits, levels.size() / 2);
        for (const char* name : {"descent", "deferred"}) {
            const auto status = passes::DisplacedCastStatus::read(
                running.buffer<std::uint32_t>(name + n + " status"));
            EXPECT_EQ(status.hits, hits) << name;
            EXPECT_EQ(status.coarse, saturated) << name;
            const Diagnostics warnings = status.warnings();
            ASSERT_EQ(warnings.size(), saturated > hits / 2 ? 1u : 0u);
            reported.insert(!warnings.empty());
            if (!warnings.empty()) {
                EXPECT_EQ(warnings[0].code, "displacement/coarse");
            }
        }
    }
    EXPECT_EQ(reported.size(), 2u); // spreads with and without a warning
}

/// shaders/include/heat_color.glsl
glm::dvec3 heat_color(double share) {
    constexpr std::array<glm::dvec3, 6> kRamp{{{0, 0, 0},
                                               {0.05, 0.08, 0.45},
                                               {0.02, 0.45, 0.4},
                                               {0.35, 0.7, 0.1},
                                               {1.0, 0.55, 0.05},
                                               {1, 1, 1}}};
    const double place = std::clamp(share, 0.0, 1.0) * 5.0;
    const auto stop = std::min<std::size_t>(static_cast<std::size_t>(place), 4);
    return glm::mix(kRamp[stop], kRamp[stop + 1], place - static_cast<double>(stop));
}

// Check: pictures of levels and of rays a patch show what casts of the same rays find.
TEST_F(FlatGroundTest, PicturesOfLevelsAndLoadsShowThem) {
    constexpr std::uint32_t kMostRays = 400;
    constexpr std::uint32_t kFinest = 4;
    const auto all = rays();
    Graph g = graph();
    const passes::DisplacedSurface surface = flat(g, kFinest);
    CastDisplaced how = deferred();
    how.surface = surface;
    how.rays = add_records(g, "rays", all);
    how.spread = 4.0f * pixel();
    how.from = passes::FinenessFrom::eye;
    how.eye = kEye;
    how.with_levels = true;
    how = g.add(how);
    g.output("hits", how.hits);
    g.output("levels", how.levels);
    g.output("loads", how.loads);
    for (const auto& [name, view] : {std::pair{"levels", passes::DisplacedView::levels},
                                     {"loads", passes::DisplacedView::loads}}) {
        passes::DrawDisplaced draw{.surface = surface,
                                   .width = kSide,
                                   .height = kSide,
                                   .view = view,
                                   .pixels = 4.0f,
                                   .most_rays = kMostRays};
        draw.camera.mode = passes::CameraMode::free;
        draw.camera.position = kEye;
        draw.camera.target = kTarget;
        draw.camera.vertical_fov = kFov;
        g.output(std::string("picture of ") + name, g.add(draw, name).color);
    }
    Running running = run(std::move(g));
    const auto hits = running.buffer<HitRecord>("hits");
    const auto levels = running.buffer<std::uint32_t>("levels");
    const auto loads = running.buffer<std::uint32_t>("loads");
    const HostImage of_levels = running.image("picture of levels");
    const HostImage of_loads = running.image("picture of loads");
    std::set<std::uint32_t> levels_seen;
    std::set<std::uint32_t> loads_seen;
    std::size_t other = 0;
    for (std::uint32_t y = 0; y < kSide; ++y)
        for (std::uint32_t x = 0; x < kSide; ++x) {
            const std::size_t i = std::size_t{y} * kSide + x;
            if (hits[i].triangle == ~0u) continue;
            levels_seen.insert(levels[i]);
            loads_seen.insert(loads[hits[i].triangle]);
            const double shade = 0.35 + 0.65 * static_cast<double>(std::abs(all[i].direction.y));
            const glm::dvec3 level = shade * heat_color(static_cast<double>(levels[i]) / kFinest);
            const glm::dvec3 load =
                shade * heat_color(static_cast<double>(loads[hits[i].triangle]) / kMostRays);
            bool same = true;
            for (std::size_t c = 0; c < 3; ++c) {
                const auto at = static_cast<int>(c);
                same = same &&
                       std::abs(static_cast<double>(of_levels.texel(x, y)[c]) - level[at]) < 2e-3;
                // A ray more or less meets a box's side; the ramp rises by 5 at most.
                same = same &&
                       std::abs(static_cast<double>(of_loads.texel(x, y)[c]) - load[at]) < 0.02;
            }
            other += !same;
        }
    EXPECT_GE(levels_seen.size(), 3u);
    EXPECT_GE(loads_seen.size(), 8u);
    // Rays of the picture are rounded another way, and some go to the patch beside.
    EXPECT_LT(other, kSide * kSide / 100);
}

} // namespace
} // namespace tuff
