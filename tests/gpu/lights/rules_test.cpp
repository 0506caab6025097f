#include "tests/gpu/lights/lights_test.hpp"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>

/// Checks of the specification that the other files do not have.
namespace tuff {
namespace {

using passes::CullLights;
using passes::CullTest;
using passes::DepthSplit;
using passes::LightLayout;
using passes::LightTile;
using passes::MacroTiles;

class LightRulesTest : public LightsTest {
  protected:
    /// A wall across the view at a distance.
    static LitPicture wall(std::uint32_t width, std::uint32_t height, double away) {
        LitPicture picture = columns(width, height);
        const glm::dmat4 p = picture.projection();
        std::ranges::fill(picture.depth, static_cast<float>((p[2][2] * -away + p[3][2]) /
                                                            (p[2][3] * -away + p[3][3])));
        return picture;
    }
    /// A light in view space: right, up, away.
    static void add_light(const LitPicture& picture, HostLights& lights, glm::dvec3 seen,
                          float range) {
        const glm::dmat4 world = glm::inverse(picture.view());
        lights.spheres.emplace_back(glm::vec3(world * glm::dvec4(seen.x, seen.y, -seen.z, 1.0)),
                                    range);
        lights.shades.emplace_back();
    }
};

// Check 6: permuted lights, other groups (blocks of tiles or not), combined structs, repeated runs.
TEST_F(LightRulesTest, SetsDoNotDependOnOrderGroupsAndLayout) {
    const LitPicture picture = columns(150, 91);
    const HostLights lights = random_lights(1500, 8, 0.2f, 0.8f);
    std::vector<std::uint32_t> order(lights.count());
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::shuffle(order, std::mt19937(3));
    HostLights shuffled;
    for (const std::uint32_t i : order) {
        shuffled.spheres.push_back(lights.spheres[i]);
        shuffled.shades.push_back(lights.shades[i]);
    }
    for (const LightTile side : {LightTile::side8, LightTile::side16, LightTile::side32}) {
        const CullLights pass{.side = side};
        const HostGrid wanted = culled(picture, lights, pass);
        EXPECT_EQ(culled(picture, lights, pass).masks, wanted.masks);
        for (const MacroTiles macro : {MacroTiles::off, MacroTiles::on})
            for (const LightLayout layout : {LightLayout::separate, LightLayout::combined})
                EXPECT_EQ(
                    culled(picture, lights, {.side = side, .macro = macro, .layout = layout}).masks,
                    wanted.masks);
        const HostGrid other = culled(picture, shuffled, pass);
        std::uint32_t listed = 0;
        for (std::size_t list = 0; list < wanted.grid.list_count(); ++list)
            for (std::uint32_t i = 0; i < lights.count(); ++i) {
                ASSERT_EQ(other.has(list, i), wanted.has(list, order[i]));
                listed += other.has(list, i);
            }
        EXPECT_GT(listed, 1000u);
    }
}

// Check 8: a light of radius 1 at distance 10 on the axis, and a wall there.
TEST_F(LightRulesTest, ALightBeforeAWallTouchesTheTilesOfItsCircle) {
    for (const LightTile side : {LightTile::side8, LightTile::side16}) {
        const LitPicture picture = wall(320, 180, 10.0);
        HostLights lights;
        add_light(picture, lights, {0, 0, 10}, 1.0f);
        const double pixels =
            90.0 / std::tan(0.5 * 50.0 * std::numbers::pi / 180.0) / 10.0; // a unit
        const HostGrid planes = culled(picture, lights, {.side = side, .test = CullTest::planes});
        const HostGrid box = culled(picture, lights, {.side = side, .test = CullTest::box});
        std::uint32_t by_planes = 0, by_box = 0, within = 0, around = 0;
        for (std::uint32_t y = 0; y < planes.grid.tiles_y(); ++y)
            for (std::uint32_t x = 0; x < planes.grid.tiles_x(); ++x) {
                const std::size_t list =
                    (std::size_t{y} * planes.grid.tiles_x() + x) * planes.grid.lists_a_tile;
                // From the picture's middle to the nearest point of the tile.
                const auto s = static_cast<double>(planes.grid.side);
                const double dx = std::max({x * s - 160.0, 160.0 - (x + 1) * s, 0.0});
                const double dy = std::max({y * s - 90.0, 90.0 - (y + 1) * s, 0.0});
                const double beside = std::hypot(dx, dy);
                const bool touched = planes.has(list, 0);
                by_planes += touched;
                by_box += box.has(list, 0);
                within += beside < pixels - 1.0;
                around += beside < pixels + s;
                if (beside < pixels - 1.0) {
                    EXPECT_TRUE(touched && box.has(list, 0)) << x << ", " << y;
                }
                if (beside > pixels + 1.5 * s) {
                    EXPECT_FALSE(touched) << x << ", " << y;
                }
            }
        EXPECT_LE(by_box, by_planes) << "a flat wall: the box is tighter";
        EXPECT_GE(by_box, within);
        EXPECT_LE(by_planes, around);
        EXPECT_GT(within, 8u);
    }
}

// Check 12: lights that pixels try, summed over the picture, against lists found on the CPU in
// double precision. The kernels allow for rounding, so that the two sums are not the same number.
TEST_F(LightRulesTest, TheWorkOfAPictureIsWithinAPercentOfTheCpus) {
    const LitPicture picture = columns(240, 135);
    const HostLights lights = random_lights(300, 13, 0.0f, 1.2f);
    const glm::dmat4 view = picture.view();
    const HostGrid found =
        culled(picture, lights, {.test = CullTest::planes, .split = DepthSplit::modified_half});
    std::uint64_t tried = 0, wanted = 0;
    for (std::uint32_t ty = 0; ty < found.grid.tiles_y(); ++ty)
        for (std::uint32_t tx = 0; tx < found.grid.tiles_x(); ++tx) {
            const std::size_t tile = std::size_t{ty} * found.grid.tiles_x() + tx;
            const std::uint32_t s = found.grid.side;
            const std::uint32_t x1 = std::min((tx + 1) * s, picture.width);
            const std::uint32_t y1 = std::min((ty + 1) * s, picture.height);
            std::array<std::vector<double>, 2> away;
            for (std::uint32_t y = ty * s; y < y1; ++y)
                for (std::uint32_t x = tx * s; x < x1; ++x) {
                    const float d = picture.depth[std::size_t{y} * picture.width + x];
                    if (d < 1.0f)
                        away[d > found.bounds[tile].y].push_back(
                            picture.distance_at(static_cast<double>(d)));
                }
            const auto edge = [&](std::uint32_t x, std::uint32_t y) {
                const glm::dvec3 a = picture.seen_at(x, y, 0.0);
                return glm::dvec2(a) / a.z;
            };
            const glm::dvec2 p = edge(tx * s, ty * s), q = edge(x1 - 1, y1 - 1);
            const glm::dvec2 low = glm::min(p, q), high = glm::max(p, q);
            for (std::size_t list = 0; list < 2; ++list) {
                if (away[list].empty()) continue;
                const auto [near, far] = std::ranges::minmax(away[list]);
                for (std::uint32_t i = 0; i < lights.count(); ++i) {
                    const glm::dvec4 c = view * glm::dvec4(glm::dvec3(lights.spheres[i]), 1.0);
                    const auto r = static_cast<double>(lights.spheres[i].w);
                    const double z = -c.z;
                    bool meets = near - z < r && z - far < r;
                    for (int axis = 0; axis < 2; ++axis) {
                        meets = meets && (low[axis] * z - c[axis]) / std::hypot(1.0, low[axis]) < r;
                        meets =
                            meets && (c[axis] - high[axis] * z) / std::hypot(1.0, high[axis]) < r;
                    }
                    wanted += meets ? away[list].size() : 0;
                    tried += found.has(tile * 2 + list, i) ? away[list].size() : 0;
                }
            }
        }
    EXPECT_GT(wanted, 50000u);
    EXPECT_NEAR(static_cast<double>(tried), static_cast<double>(wanted),
                0.01 * static_cast<double>(wanted));
    EXPECT_GE(tried, wanted);
}

// Checks 2 and 3 at the size of the specification's model: 960 x 544, columns on a floor, 1,024
// lights.
TEST_F(LightRulesTest, AtAFullSizeListsAreLittleMoreThanTheExactSetsOfTiles) {
    const LitPicture picture = columns(960, 544);
    const HostLights lights = random_lights(1024, 17, 0.0f, 0.7f);
    const TrueSets truth(picture, lights);
    const auto ratio_of = [&](const CullLights& pass) {
        const HostGrid found = culled(picture, lights, pass);
        const std::uint32_t words = found.grid.words;
        const std::size_t tiles = std::size_t{found.grid.tiles_x()} * found.grid.tiles_y();
        std::vector<std::uint32_t> exact(tiles * words);
        std::uint64_t missed = 0;
        for (std::uint32_t y = 0; y < picture.height; ++y)
            for (std::uint32_t x = 0; x < picture.width; ++x) {
                const std::size_t pixel = std::size_t{y} * picture.width + x;
                if (!picture.shows(pixel)) continue;
                const std::size_t list = found.list_of(x, y, picture.depth[pixel]);
                for (std::uint32_t w = 0; w < words; ++w) {
                    const std::uint32_t needed = truth.of(pixel)[w];
                    missed += static_cast<std::uint64_t>(
                        std::popcount(needed & ~found.masks[list * words + w]));
                    exact[found.tile_of(x, y) * words + w] |= needed;
                }
            }
        EXPECT_EQ(missed, 0u);
        const auto bits = [](const std::uint32_t* first, std::uint32_t count) {
            std::uint64_t sum = 0;
            for (std::uint32_t w = 0; w < count; ++w)
                sum += static_cast<std::uint64_t>(std::popcount(first[w]));
            return sum;
        };
        std::uint64_t tried = 0, of_tiles = 0;
        for (std::uint32_t y = 0; y < picture.height; ++y)
            for (std::uint32_t x = 0; x < picture.width; ++x) {
                const std::size_t pixel = std::size_t{y} * picture.width + x;
                if (!picture.shows(pixel)) continue;
                tried +=
                    bits(&found.masks[found.list_of(x, y, picture.depth[pixel]) * words], words);
                of_tiles += bits(&exact[found.tile_of(x, y) * words], words);
            }
        return static_cast<double>(tried) / static_cast<double>(of_tiles);
    };
    const double by_planes = ratio_of({.test = CullTest::planes});
    const double by_both = ratio_of({.test = CullTest::both});
    const double by_pixels = ratio_of({.test = CullTest::pixels});
    RecordProperty("planes", fmt::format("{:.3f}", by_planes));
    RecordProperty("both", fmt::format("{:.3f}", by_both));
    RecordProperty("pixels", fmt::format("{:.3f}", by_pixels));
    EXPECT_LE(by_both, by_planes);
    EXPECT_LE(by_pixels, by_both);
    EXPECT_LE(by_pixels, 1.0);
}

// Check 7: neither size is whole tiles; the pixels of the last ones against all lights.
TEST_F(LightRulesTest, LastTilesOfCommonPicturesHaveTheirLights) {
    for (const auto [width, height] : {std::array{1920u, 1080u}, std::array{1366u, 768u}}) {
        const LitPicture picture = columns(width, height);
        const HostLights lights = random_lights(40, width, 0.0f, 9.0f);
        const HostGrid found = culled(picture, lights, {});
        const glm::dmat4 world = glm::inverse(picture.view());
        std::array<std::uint32_t, 2> needed{}; // of the last column and of the last row
        const auto look = [&](std::uint32_t x, std::uint32_t y, std::uint32_t& lit) {
            const float depth = picture.depth[std::size_t{y} * width + x];
            if (depth >= 1.0f) return;
            const glm::dvec3 seen = picture.seen_at(x, y, static_cast<double>(depth));
            const glm::dvec3 point(world * glm::dvec4(seen.x, seen.y, -seen.z, 1.0));
            for (std::uint32_t i = 0; i < lights.count(); ++i) {
                const glm::dvec4 sphere(lights.spheres[i]);
                if (glm::distance(glm::dvec3(sphere), point) >= sphere.w * (1.0 - 1e-6)) continue;
                ++lit;
                ASSERT_TRUE(found.has(found.list_of(x, y, depth), i)) << x << ", " << y;
            }
        };
        const std::uint32_t side = found.grid.side;
        for (std::uint32_t y = 0; y < height; ++y)
            for (std::uint32_t x = (width - 1) / side * side; x < width; ++x)
                look(x, y, needed[0]);
        for (std::uint32_t y = (height - 1) / side * side; y < height; ++y)
            for (std::uint32_t x = 0; x < width; ++x)
                look(x, y, needed[1]);
        EXPECT_GT(needed[0], 100u);
        EXPECT_GT(needed[1], 1000u);
    }
}

// Bad input: the camera within lights, near and far ones, and behind them.
TEST_F(LightRulesTest, ACameraInsideOfLightsIsLitByThem) {
    for (const Projection kind : {Projection::perspective, Projection::orthographic}) {
        const LitPicture picture = columns(70, 50, kind);
        HostLights lights;
        for (const double away : {-3.0, -0.5, 0.0, 0.3, 5.0})
            add_light(picture, lights, {0.1, -0.2, away}, 8.0f);
        add_light(picture, lights, {0, 0, -9}, 5.0f); // reaches nothing that is seen
        const TrueSets truth(picture, lights);
        for (const CullTest test :
             {CullTest::planes, CullTest::box, CullTest::both, CullTest::exact, CullTest::pixels}) {
            const HostGrid found = culled(picture, lights, {.test = test});
            std::uint32_t needed = 0;
            for (std::uint32_t y = 0; y < picture.height; ++y)
                for (std::uint32_t x = 0; x < picture.width; ++x) {
                    const std::size_t pixel = std::size_t{y} * picture.width + x;
                    if (!picture.shows(pixel)) continue;
                    const std::size_t list = found.list_of(x, y, picture.depth[pixel]);
                    ASSERT_EQ(*truth.of(pixel) & ~found.masks[list], 0u)
                        << fmt::format("camera {}, test {}, {}, {}", static_cast<int>(kind),
                                       static_cast<int>(test), x, y);
                    ASSERT_FALSE(found.has(list, 5));
                    needed += *truth.of(pixel) != 0;
                }
            EXPECT_GT(needed, 200u);
        }
    }
}

} // namespace
} // namespace tuff
