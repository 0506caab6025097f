#include "tests/gpu/lights/lights_test.hpp"

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace tuff {
namespace {

using passes::BoundsMethod;
using passes::CullLights;
using passes::CullTest;
using passes::DepthSplit;
using passes::LightTile;
using passes::MacroTiles;

constexpr std::array kTests{CullTest::planes, CullTest::box, CullTest::both, CullTest::exact,
                            CullTest::pixels};
constexpr std::array kSplits{DepthSplit::none, DepthSplit::half, DepthSplit::modified_half,
                             DepthSplit::mask};

std::string described(const CullLights& pass) {
    return fmt::format("side {}, test {}, split {}", 8u << static_cast<unsigned>(pass.side),
                       ChoiceNames<CullTest>::names[static_cast<std::size_t>(pass.test)],
                       ChoiceNames<DepthSplit>::names[static_cast<std::size_t>(pass.split)]);
}

/// Lights that pixels try, and those that some pixel of their list needs; both summed over pixels.
struct Work {
    std::uint64_t tried = 0;
    std::uint64_t of_list = 0; ///< in the true set of the pixel's list
    std::uint64_t of_tile = 0; ///< in the true set of the whole tile
    double over_lists() const {
        return static_cast<double>(tried) /
               static_cast<double>(std::max<std::uint64_t>(of_list, 1));
    }
    double over_tiles() const {
        return static_cast<double>(tried) /
               static_cast<double>(std::max<std::uint64_t>(of_tile, 1));
    }
};

std::uint64_t bits_of(const std::uint32_t* words, std::uint32_t count) {
    std::uint64_t sum = 0;
    for (std::uint32_t w = 0; w < count; ++w)
        sum += static_cast<std::uint64_t>(std::popcount(words[w]));
    return sum;
}

/// Expects that no light is missed, and sums up what pixels try.
Work expect_complete(const LitPicture& picture, const HostGrid& found, const TrueSets& truth,
                     const std::string& what) {
    const std::uint32_t words = found.grid.words;
    const std::size_t tiles = std::size_t{found.grid.tiles_x()} * found.grid.tiles_y();
    std::vector<std::uint32_t> lists(found.grid.list_count() * std::size_t{words});
    std::vector<std::uint32_t> of_tiles(tiles * words);
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
                lists[list * words + w] |= needed;
                of_tiles[found.tile_of(x, y) * words + w] |= needed;
            }
        }
    EXPECT_EQ(missed, 0u) << what;
    Work work;
    for (std::uint32_t y = 0; y < picture.height; ++y)
        for (std::uint32_t x = 0; x < picture.width; ++x) {
            const std::size_t pixel = std::size_t{y} * picture.width + x;
            if (!picture.shows(pixel)) continue;
            const std::size_t list = found.list_of(x, y, picture.depth[pixel]);
            work.tried += bits_of(&found.masks[list * words], words);
            work.of_list += bits_of(&lists[list * words], words);
            work.of_tile += bits_of(&of_tiles[found.tile_of(x, y) * words], words);
        }
    return work;
}

bool is_subset(const HostGrid& small, const HostGrid& large) {
    for (std::size_t i = 0; i < small.masks.size(); ++i)
        if ((small.masks[i] & ~large.masks[i]) != 0) return false;
    return small.masks.size() == large.masks.size();
}

class LightCullTest : public LightsTest {};

TEST_F(LightCullTest, NoTestAndSplitMissesALightAndEachTestIsWithinTheCoarser) {
    const LitPicture picture = columns(160, 90);
    const HostLights lights = random_lights(100, 1);
    const TrueSets truth(picture, lights);
    for (const LightTile side : {LightTile::side8, LightTile::side16, LightTile::side32})
        for (const DepthSplit split : kSplits) {
            // Each split and each side, not all of both.
            const bool ends = split == DepthSplit::none || split == DepthSplit::modified_half;
            if (ends == (side == LightTile::side16)) continue;
            std::vector<HostGrid> by_test;
            for (const CullTest test : kTests) {
                const CullLights pass{.side = side, .test = test, .split = split};
                by_test.push_back(culled(picture, lights, pass));
                const Work work = expect_complete(picture, by_test.back(), truth, described(pass));
                // A light of the true set within the kernels' allowance for rounding is all that
                // may come in by the last test.
                if (test == CullTest::pixels) {
                    EXPECT_LE(work.over_lists(), 1.002) << described(pass);
                }
                ASSERT_GT(work.of_list, 1000u);
            }
            const auto index = [](CullTest test) { return static_cast<std::size_t>(test); };
            const HostGrid& both = by_test[index(CullTest::both)];
            EXPECT_TRUE(is_subset(both, by_test[index(CullTest::planes)]));
            EXPECT_TRUE(is_subset(both, by_test[index(CullTest::box)]));
            EXPECT_TRUE(is_subset(by_test[index(CullTest::exact)], both));
            EXPECT_TRUE(
                is_subset(by_test[index(CullTest::pixels)], by_test[index(CullTest::exact)]));
        }
}

TEST_F(LightCullTest, SplitsAreWithinTheCoarserAndPixelsTryLittleMoreThanTheyNeed) {
    const LitPicture picture = columns(320, 180);
    const HostLights lights = random_lights(256, 2, 0.0f, 1.0f);
    const TrueSets truth(picture, lights);
    std::vector<HostGrid> by_split;
    std::vector<Work> works;
    for (const DepthSplit split : kSplits) {
        const CullLights pass{.split = split};
        by_split.push_back(culled(picture, lights, pass));
        works.push_back(expect_complete(picture, by_split.back(), truth, described(pass)));
    }
    EXPECT_TRUE(is_subset(by_split[2], by_split[1])) << "modified half in half";
    EXPECT_TRUE(is_subset(by_split[3], by_split[0])) << "mask in none";
    EXPECT_LT(works[1].tried, works[0].tried);
    EXPECT_LE(works[2].tried, works[1].tried);
    EXPECT_LT(works[3].tried, works[0].tried);
    // What pixels try against the true set of their whole tile. Only by pixels is it certain to be
    // little more; the others depend on how much of the tile's part of space is empty.
    std::vector<double> ratios;
    for (const CullTest test : {CullTest::both, CullTest::exact, CullTest::pixels}) {
        const CullLights pass{.test = test};
        const HostGrid found = culled(picture, lights, pass);
        ratios.push_back(expect_complete(picture, found, truth, described(pass)).over_tiles());
        RecordProperty("over_tiles" + std::to_string(ratios.size()), std::to_string(ratios.back()));
    }
    EXPECT_LE(ratios[0], 1.45);
    EXPECT_LE(ratios[1], ratios[0]);
    EXPECT_LE(ratios[2], 1.002);
}

TEST_F(LightCullTest, OddPicturesAndOrthographicCamerasMissNone) {
    for (const Projection kind : {Projection::perspective, Projection::orthographic})
        for (const auto [width, height] : {std::array{1u, 1u}, std::array{17u, 17u},
                                           std::array{97u, 61u}, std::array{8u, 70u}}) {
            const LitPicture picture = columns(width, height, kind);
            const HostLights lights = random_lights(33, width);
            const TrueSets truth(picture, lights);
            for (const CullTest test : kTests)
                for (const DepthSplit split : {DepthSplit::modified_half, DepthSplit::mask}) {
                    const CullLights pass{.side = LightTile::side16, .test = test, .split = split};
                    const HostGrid found = culled(picture, lights, pass);
                    (void)expect_complete(picture, found, truth,
                                          fmt::format("{}x{} {}", width, height, described(pass)));
                    for (std::size_t list = 0; list < found.grid.list_count(); ++list)
                        EXPECT_EQ(found.masks[list * 2 + 1] & ~1u, 0u) << "bits beyond the lights";
                }
        }
}

/// Distances of a tile's surfaces, and its edges at distance 1, in double precision.
struct TileCell {
    double near, far;
    glm::dvec2 low, high;
};

TileCell cell_of(const LitPicture& picture, const HostGrid& found, std::uint32_t tile_x,
                 std::uint32_t tile_y) {
    const std::uint32_t x0 = tile_x * found.grid.side, y0 = tile_y * found.grid.side;
    const std::uint32_t x1 = std::min(x0 + found.grid.side, picture.width) - 1;
    const std::uint32_t y1 = std::min(y0 + found.grid.side, picture.height) - 1;
    double least = 1.0, greatest = 0.0;
    for (std::uint32_t y = y0; y <= y1; ++y)
        for (std::uint32_t x = x0; x <= x1; ++x) {
            const auto depth = static_cast<double>(picture.depth[y * picture.width + x]);
            if (depth >= 1.0) continue;
            least = std::min(least, depth);
            greatest = std::max(greatest, depth);
        }
    const glm::dvec3 a = picture.seen_at(x0, y0, 0.0), b = picture.seen_at(x1, y1, 0.0);
    const glm::dvec2 p = glm::dvec2(a) / a.z, q = glm::dvec2(b) / b.z;
    return {picture.distance_at(least), picture.distance_at(greatest), glm::min(p, q),
            glm::max(p, q)};
}

/// How far the ball lies beyond what the test allows, by formulas of its own: normals are cross
/// products of the rays in the corners, the exact distance is searched for.
double beyond(const TileCell& cell, glm::dvec3 c, double r, CullTest test) {
    const std::array corners{
        glm::dvec3(cell.low.x, cell.low.y, 1), glm::dvec3(cell.high.x, cell.low.y, 1),
        glm::dvec3(cell.high.x, cell.high.y, 1), glm::dvec3(cell.low.x, cell.high.y, 1)};
    double most = std::max(cell.near - c.z, c.z - cell.far) - r;
    glm::dvec3 low(1e30), high(-1e30);
    for (std::size_t i = 0; i < 4; ++i) {
        const glm::dvec3 normal = glm::normalize(glm::cross(corners[(i + 1) % 4], corners[i]));
        if (test != CullTest::box) most = std::max(most, glm::dot(normal, c) - r);
        for (const double away : {cell.near, cell.far}) {
            low = glm::min(low, corners[i] * away);
            high = glm::max(high, corners[i] * away);
        }
    }
    if (test != CullTest::planes)
        most = std::max(most, glm::length(c - glm::clamp(c, low, high)) - r);
    if (test == CullTest::exact) {
        const auto away_from = [&](double z) {
            const glm::dvec2 at = glm::clamp(glm::dvec2(c), cell.low * z, cell.high * z);
            return glm::length(c - glm::dvec3(at, z));
        };
        double from = cell.near, to = cell.far;
        for (int i = 0; i < 200; ++i) {
            const double third = (to - from) / 3.0;
            (away_from(from + third) < away_from(to - third) ? to : from) =
                away_from(from + third) < away_from(to - third) ? to - third : from + third;
        }
        most = std::max(most, away_from(0.5 * (from + to)) - r);
    }
    return most;
}

TEST_F(LightCullTest, ListsAreThoseOfTheFormulasInDoublePrecision) {
    const LitPicture picture = columns(160, 90);
    const HostLights lights = random_lights(200, 5, 0.0f);
    const glm::dmat4 view = picture.view();
    for (const CullTest test : {CullTest::planes, CullTest::box, CullTest::both, CullTest::exact}) {
        const HostGrid found = culled(picture, lights, {.test = test, .split = DepthSplit::none});
        std::uint32_t listed = 0, close = 0;
        for (std::uint32_t ty = 0; ty < found.grid.tiles_y(); ++ty)
            for (std::uint32_t tx = 0; tx < found.grid.tiles_x(); ++tx) {
                const std::size_t tile = std::size_t{ty} * found.grid.tiles_x() + tx;
                const TileCell cell = cell_of(picture, found, tx, ty);
                const bool empty = found.bounds[tile].x > found.bounds[tile].w;
                for (std::uint32_t i = 0; i < lights.count(); ++i) {
                    if (empty) {
                        EXPECT_FALSE(found.has(tile, i));
                        continue;
                    }
                    glm::dvec3 c(view * glm::dvec4(glm::dvec3(lights.spheres[i]), 1.0));
                    c.z = -c.z;
                    const auto r = static_cast<double>(lights.spheres[i].w);
                    const double off = beyond(cell, c, r, test);
                    listed += found.has(tile, i);
                    if (std::abs(off) < 1e-3 * r)
                        ++close;
                    else
                        EXPECT_EQ(found.has(tile, i), off < 0.0)
                            << "tile " << tile << ", light " << i << ", " << off;
                }
            }
        EXPECT_GT(listed, 200u);
        EXPECT_LT(close, listed / 20 + 5) << "nearly all are judged";
    }
}

// Check 4: by the kernel of blocks, and tile by tile in three ways.
TEST_F(LightCullTest, BoundsAreThoseOfAllMethodsToTheBit) {
    const std::array ways{std::pair{MacroTiles::automatic, BoundsMethod::atomics},
                          std::pair{MacroTiles::off, BoundsMethod::atomics},
                          std::pair{MacroTiles::off, BoundsMethod::tree},
                          std::pair{MacroTiles::off, BoundsMethod::subgroups}};
    for (const auto [width, height] : {std::array{97u, 61u}, std::array{160u, 90u}}) {
        LitPicture picture = columns(width, height);
        // What is no depth counts as nothing.
        picture.depth[5] = std::numeric_limits<float>::quiet_NaN();
        picture.depth[picture.depth.size() - 2] = -0.5f;
        for (const LightTile side : {LightTile::side8, LightTile::side16, LightTile::side32})
            for (const auto& [macro, method] : ways) {
                const HostGrid found = culled(picture, random_lights(3, 1),
                                              {.side = side, .bounds = method, .macro = macro});
                for (std::uint32_t ty = 0; ty < found.grid.tiles_y(); ++ty)
                    for (std::uint32_t tx = 0; tx < found.grid.tiles_x(); ++tx) {
                        std::vector<float> depths;
                        const std::uint32_t s = found.grid.side;
                        for (std::uint32_t y = ty * s; y < std::min((ty + 1) * s, height); ++y)
                            for (std::uint32_t x = tx * s; x < std::min((tx + 1) * s, width); ++x) {
                                const float d = picture.depth[y * width + x];
                                if (d >= 0.0f && d < 1.0f) depths.push_back(d);
                            }
                        std::ranges::sort(depths);
                        const glm::vec4 got =
                            found.bounds[std::size_t{ty} * found.grid.tiles_x() + tx];
                        if (depths.empty()) {
                            EXPECT_EQ(got, glm::vec4(1, 0, 1, 0));
                            continue;
                        }
                        EXPECT_EQ(got.x, depths.front());
                        EXPECT_EQ(got.w, depths.back());
                        // Neighbours in the order of depths, with the middle between them.
                        const auto beyond_it = std::ranges::upper_bound(depths, got.y);
                        ASSERT_NE(beyond_it, depths.begin());
                        EXPECT_EQ(*(beyond_it - 1), got.y);
                        EXPECT_EQ(beyond_it == depths.end() ? 1.0f : *beyond_it, got.z);
                        const double middle =
                            0.5 * (picture.distance_at(static_cast<double>(got.x)) +
                                   picture.distance_at(static_cast<double>(got.w)));
                        EXPECT_LE(picture.distance_at(static_cast<double>(got.y)),
                                  middle * (1 + 1e-5));
                        if (got.z < 1.0f) {
                            EXPECT_GE(picture.distance_at(static_cast<double>(got.z)),
                                      middle * (1 - 1e-5));
                        }
                    }
            }
    }
}

TEST_F(LightCullTest, LightsInTheGapBehindAColumnAreInNoTightList) {
    // A near wall in half of the picture, a far one in the other, and a light between them.
    LitPicture picture = columns(16, 16);
    const glm::dmat4 p = picture.projection();
    const auto depth_at = [&](double away) {
        return static_cast<float>((p[2][2] * -away + p[3][2]) / (p[2][3] * -away + p[3][3]));
    };
    for (std::uint32_t y = 0; y < 16; ++y)
        for (std::uint32_t x = 0; x < 16; ++x)
            picture.depth[y * 16 + x] = depth_at(x < 8 ? 2.0 : 10.0);
    const glm::dmat4 world = glm::inverse(picture.view());
    HostLights lights;
    for (const double away : {2.0, 4.5, 8.0, 10.0}) {
        lights.spheres.emplace_back(glm::vec3(world * glm::dvec4(0, 0, -away, 1)), 0.9f);
        lights.shades.emplace_back();
    }
    const auto masks = [&](DepthSplit split, LightTile side) {
        return culled(picture, lights, {.side = side, .split = split}).masks;
    };
    EXPECT_EQ(masks(DepthSplit::none, LightTile::side16), (std::vector<std::uint32_t>{15u}));
    EXPECT_EQ(masks(DepthSplit::half, LightTile::side16), (std::vector<std::uint32_t>{3u, 12u}));
    EXPECT_EQ(masks(DepthSplit::modified_half, LightTile::side16),
              (std::vector<std::uint32_t>{1u, 8u}));
    EXPECT_EQ(masks(DepthSplit::mask, LightTile::side16), (std::vector<std::uint32_t>{9u}));
    // Flat tiles have a near list alone.
    const std::vector<std::uint32_t> flat = masks(DepthSplit::half, LightTile::side8);
    EXPECT_EQ(flat[1] | flat[3] | flat[5] | flat[7], 0u);
    EXPECT_EQ(flat[0], 1u);
    EXPECT_EQ(flat[2], 8u);
}

TEST_F(LightCullTest, MacroTilesFindTheSame) {
    const LitPicture picture = columns(211, 140);
    const HostLights lights = random_lights(700, 9, 0.2f, 0.8f);
    const TrueSets truth(picture, lights);
    for (const DepthSplit split : {DepthSplit::none, DepthSplit::modified_half}) {
        const CullLights pass{.split = split, .macro = MacroTiles::on};
        const HostGrid with = culled(picture, lights, pass);
        const HostGrid again = culled(picture, lights, pass);
        const HostGrid without =
            culled(picture, lights, {.split = split, .macro = MacroTiles::off});
        EXPECT_EQ(with.masks, again.masks);
        EXPECT_EQ(with.masks, without.masks);
        (void)expect_complete(picture, with, truth, "macro tiles");
    }
}

// Blocks cull up to 4096 lights at a time, and lights are marked for up to 256 strips at a time.
TEST_F(LightCullTest, BlocksFindTheSameOfMoreLightsAndStripsThanAreTakenAtATime) {
    const auto expect_same = [this](const LitPicture& picture, const HostLights& lights,
                                    CullLights pass) {
        pass.macro = MacroTiles::on;
        const HostGrid blocks = culled(picture, lights, pass);
        pass.macro = MacroTiles::off;
        const HostGrid tiles = culled(picture, lights, pass);
        const std::string what = fmt::format("{}, {}x{}, {} lights", described(pass), picture.width,
                                             picture.height, lights.count());
        EXPECT_EQ(blocks.masks, tiles.masks) << what;
        EXPECT_GT(bits_of(blocks.masks.data(), static_cast<std::uint32_t>(blocks.masks.size())), 0u)
            << what;
    };
    const LitPicture picture = columns(70, 66);
    for (const std::uint32_t count : {1024u, 1025u, 2049u, 4097u, 8300u}) {
        const HostLights lights = random_lights(count, count, 0.2f, 0.6f);
        for (const CullTest test : {CullTest::box, CullTest::both, CullTest::pixels})
            for (const DepthSplit split : {DepthSplit::none, DepthSplit::modified_half})
                expect_same(picture, lights, {.test = test, .split = split});
    }
    const HostLights few = random_lights(65, 4, 0.2f, 0.6f);
    expect_same(columns(8300, 9), few, {.side = LightTile::side8});
    expect_same(columns(9, 8300), few, {.side = LightTile::side8});
}

TEST_F(LightCullTest, BadLightsAreCountedAndInfiniteOnesAreEverywhere) {
    const LitPicture picture = columns(40, 40);
    HostLights lights = random_lights(6, 3, 0.0f);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float infinity = std::numeric_limits<float>::infinity();
    lights.spheres[0].w = 0.0f;
    lights.spheres[1].w = -2.0f;
    lights.spheres[2].w = nan;
    lights.spheres[3].x = infinity;
    lights.shades[4].color.y = nan;
    lights.spheres[5].w = infinity;
    for (const CullTest test : {CullTest::planes, CullTest::exact, CullTest::pixels})
        for (const MacroTiles macro : {MacroTiles::off, MacroTiles::on}) {
            const HostGrid found =
                culled(picture, lights, {.test = test, .split = DepthSplit::mask, .macro = macro});
            EXPECT_EQ(found.status[0], 5u);
            for (std::size_t tile = 0; tile < found.grid.list_count(); ++tile)
                EXPECT_EQ(found.masks[tile],
                          found.bounds[tile].x <= found.bounds[tile].w ? 32u : 0u);
        }
    const Diagnostics told = passes::LightStatus{.bad = 5}.warnings();
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0].code, "lights/bad-light");
}

TEST_F(LightCullTest, NoLightsAndNothingSeenGiveEmptyLists) {
    LitPicture sky = columns(50, 33);
    std::ranges::fill(sky.depth, 1.0f);
    const HostGrid nothing_seen = culled(sky, random_lights(40, 1), {.macro = MacroTiles::on});
    EXPECT_TRUE(std::ranges::all_of(nothing_seen.masks, [](auto word) { return word == 0; }));
    const HostGrid no_lights = culled(columns(50, 33), {}, {});
    EXPECT_EQ(no_lights.grid.words, 1u);
    EXPECT_TRUE(std::ranges::all_of(no_lights.masks, [](auto word) { return word == 0; }));
}

TEST_F(LightCullTest, WhatDoesNotFitIsRefused) {
    const auto code_for = [&](std::uint32_t count, std::uint32_t held, Extent extent) {
        Graph g = graph();
        DeviceCaps small = g.target();
        small.max_storage_buffer_bytes = 1u << 27;
        g.set_target(small);
        CullLights pass{.lights = {.spheres = g.buffer("s", {.size = 16 * held, .stride = 16}),
                                   .shades = g.buffer("h", {.size = 32 * held, .stride = 32}),
                                   .count = count},
                        .depth =
                            g.image("depth", {.format = Format::r32_sfloat, .extent = extent})};
        (void)g.add(pass);
        const GraphDesc built = std::move(g).finish();
        return built.diagnostics.empty() ? std::string() : built.diagnostics.front().code;
    };
    EXPECT_EQ(code_for(64, 64, {64, 64, 1}), "");
    EXPECT_EQ(code_for(65, 64, {64, 64, 1}), "primitives/too-short");
    EXPECT_EQ(code_for(140000, 140000, {64, 64, 1}), "pass/out-of-range");
    EXPECT_EQ(code_for(32768, 32768, {8192, 8192, 1}), "lights/too-large");
}

} // namespace
} // namespace tuff
