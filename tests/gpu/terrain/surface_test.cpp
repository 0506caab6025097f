#include "passes/terrain/beside.hpp"
#include "passes/terrain/bisection.hpp"
#include "passes/terrain/heights.hpp"
#include "passes/terrain/mesh.hpp"
#include "tests/gpu/gpu_fixture.hpp"
#include "tests/gpu/terrain/bisection_reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace tuff {
namespace {

using passes::CellSide;
using passes::HeightBounds;
using passes::HeightKind;
using passes::MakeHeights;
using passes::MakeSurface;
using passes::Surface;
using passes::SurfaceKind;

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

class TerrainSurfaceTest : public testing_gpu::GpuTest {
  protected:
    static Image picture(Graph& g, std::uint32_t width, std::uint32_t height,
                         const std::vector<float>& values) {
        return g.constant_image("map", {.format = Format::r32_sfloat, .extent = {width, height, 1}},
                                testing_gpu::bytes_of(values));
    }
    HostImage heights(const MakeHeights& pass) {
        Graph g = graph();
        g.output("map", g.add(pass).result);
        return run(std::move(g)).image("map");
    }
};

TEST_F(TerrainSurfaceTest, APicturesChannelBecomesHeightsAndWhatIsNotFiniteBecomesZero) {
    const std::vector<float> texels{1, 2, 3, 4, 5, kNaN, 7, 8, 9, 10, -INFINITY, 12};
    Graph g = graph();
    const Image source =
        g.constant_image("source", {.format = Format::rgba32_sfloat, .extent = {3, 1, 1}},
                         testing_gpu::bytes_of(texels));
    for (const std::uint32_t channel : {1u, 2u})
        g.output(fmt::format("channel{}", channel), g.add(MakeHeights{.source = source,
                                                                      .kind = HeightKind::picture,
                                                                      .channel = channel,
                                                                      .factor = 2.0f,
                                                                      .offset = -0.5f},
                                                          fmt::format("channel{}", channel))
                                                        .result);
    testing_gpu::Running running = run(std::move(g));
    const HostImage green = running.image("channel1"), blue = running.image("channel2");
    ASSERT_EQ(green.extent.width, 3u);
    EXPECT_EQ(green.format, Format::r32_sfloat);
    EXPECT_EQ(green.texel(0, 0)[0], 3.5f);
    EXPECT_EQ(green.texel(1, 0)[0], -0.5f);
    EXPECT_EQ(green.texel(2, 0)[0], 19.5f);
    EXPECT_EQ(blue.texel(1, 0)[0], 13.5f);
    EXPECT_EQ(blue.texel(2, 0)[0], -0.5f);
}

TEST_F(TerrainSurfaceTest, NoiseIsThatOfDoublePrecision) {
    for (const float ridges : {0.0f, 1.0f}) {
        const MakeHeights pass{.width = 67,
                               .height = 35,
                               .frequency = 5.0f,
                               .octaves = 6,
                               .ridges = ridges,
                               .seed = 9};
        const HostImage map = heights(pass);
        // The surface of the same numbers.
        TrueSurface truth{.surface = {.kind = SurfaceKind::fbm,
                                      .ground = {1.0f, 1.0f, 0.0f, ridges},
                                      .shape = {5.0f, 6.0f, 0.5f, 9.0f}}};
        double least = 1.0, most = -1.0;
        for (std::uint32_t y = 0; y < 35; ++y)
            for (std::uint32_t x = 0; x < 67; ++x) {
                const double expected = truth.height({x / 66.0, y / 34.0});
                // Lattice places of the sixth octave reach 160: 2^-17 of a cell by the rounding of
                // uv, and slopes are below 4.
                ASSERT_NEAR(map.texel(x, y)[0], expected, 4e-5) << x << ", " << y;
                least = std::min(least, expected);
                most = std::max(most, expected);
            }
        EXPECT_GT(most - least, 0.5);
    }
}

TEST_F(TerrainSurfaceTest, ACanyonHasARiverBelowAPlateau) {
    const HostImage map = heights({.kind = HeightKind::canyon, .width = 128, .height = 64});
    std::uint32_t low = 0, high = 0;
    for (std::uint32_t y = 0; y < 64; ++y) {
        float least = 2.0f, most = -2.0f;
        for (std::uint32_t x = 0; x < 128; ++x) {
            least = std::min(least, map.texel(x, y)[0]);
            most = std::max(most, map.texel(x, y)[0]);
        }
        low += least < 0.25f;
        high += most > 0.7f;
    }
    EXPECT_EQ(low, 64u); // the river crosses every row
    EXPECT_EQ(high, 64u);
    const HostImage other =
        heights({.kind = HeightKind::canyon, .width = 128, .height = 64, .seed = 2});
    std::uint32_t differ = 0;
    for (std::uint32_t x = 0; x < 128; ++x)
        differ += std::abs(map.texel(x, 32)[0] - other.texel(x, 32)[0]) > 0.02f;
    EXPECT_GT(differ, 20u);
}

TEST_F(TerrainSurfaceTest, BoundsAreTheLeastAndTheGreatestOfAllSquares) {
    std::mt19937 random(5);
    std::uniform_real_distribution<float> one(-1.0f, 1.0f);
    for (const auto& [width, height] : {std::pair{1u, 1u}, std::pair{2u, 2u}, std::pair{1u, 9u},
                                        std::pair{33u, 17u}, std::pair{130u, 71u}}) {
        std::vector<float> map(std::size_t{width} * height);
        for (float& value : map)
            value = one(random);
        if (map.size() > 10) map[7] = kNaN;
        Graph g = graph();
        const Image bounds = g.add(HeightBounds{.heights = picture(g, width, height, map)}).bounds;
        const std::uint32_t mips = g.desc(bounds).mips;
        g.output("bounds", bounds);
        testing_gpu::Running running = run(std::move(g));
        const auto at = [&](std::uint32_t x, std::uint32_t y) {
            const float value = map[std::min(y, height - 1) * width + std::min(x, width - 1)];
            return std::isfinite(value) ? value : 0.0f;
        };
        for (std::uint32_t mip = 0; mip < mips; ++mip) {
            const HostImage level = running.image("bounds", mip);
            for (std::uint32_t y = 0; y < level.extent.height; ++y)
                for (std::uint32_t x = 0; x < level.extent.width; ++x) {
                    float least = 2.0f, most = -2.0f;
                    for (std::uint32_t j = y << mip; j <= (y + 1) << mip; ++j)
                        for (std::uint32_t i = x << mip; i <= (x + 1) << mip; ++i) {
                            least = std::min(least, at(i, j));
                            most = std::max(most, at(i, j));
                        }
                    ASSERT_EQ(level.texel(x, y)[0], least) << width << ", mip " << mip;
                    ASSERT_EQ(level.texel(x, y)[1], most) << width << ", mip " << mip;
                }
        }
    }
}

// Bad input: a map of one texel is flat at its height; NaN is 0.
TEST_F(TerrainSurfaceTest, MapsOfOneTexelAreFlat) {
    for (const float value : {0.25f, kNaN}) {
        Graph g = graph();
        const Surface surface =
            g.add(MakeSurface{.heights = picture(g, 1, 1, {value}), .height = 2.0f, .base = 1.0f})
                .surface;
        const auto tree = g.add(passes::Bisect{.surface = surface,
                                               .camera = {.mode = passes::CameraMode::free,
                                                          .position = {0.0f, 2.0f, 0.0f},
                                                          .target = {0.0f, 0.0f, 0.1f}},
                                               .edge = 200.0f,
                                               .iterations = 6})
                              .tree;
        const passes::TerrainMesh mesh =
            g.add(passes::TerrainMesh{.surface = surface, .bisection = tree, .capacity = 256});
        g.output("positions", mesh.mesh.positions);
        g.output("status", mesh.status);
        testing_gpu::Running running = run(std::move(g));
        const auto positions = running.buffer<glm::vec3>("positions");
        const std::uint32_t leaves = running.buffer<std::uint32_t>("status").at(0);
        ASSERT_GT(leaves, 3u);
        for (std::uint32_t i = 0; i < 3 * leaves; ++i)
            ASSERT_EQ(positions[i].y, std::isnan(value) ? 1.0f : 1.5f);
    }
}

TEST_F(TerrainSurfaceTest, WrongSurfacesAreRefused) {
    Graph g = graph();
    (void)g.add(MakeSurface{.kind = SurfaceKind::planet});
    auto plan = compile(std::move(g).finish(), device().caps());
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().front().code, "terrain/no-planet-here");
    Graph h = graph();
    (void)h.add(MakeHeights{.kind = HeightKind::picture});
    plan = compile(std::move(h).finish(), device().caps());
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().front().code, "terrain/no-heights");
}

// Crossing a side and crossing back ends where it began, and cells on both sides of an edge have
// the same two corners.
TEST_F(TerrainSurfaceTest, CellsBesideEachOtherShareAnEdge) {
    const auto ends = [](SurfaceKind kind, const CellSide& at, std::uint32_t count) {
        const std::uint64_t size = (std::uint64_t{1} << 31) / count;
        glm::u64vec2 a(at.x * size, at.y * size), b = a;
        if (at.side == 1) a.x += size;
        if (at.side == 3) a.y += size;
        b = a;
        (at.side < 2 ? b.y : b.x) += size;
        return std::array{place_of(kind, at.face, a), place_of(kind, at.face, b)};
    };
    for (const SurfaceKind kind :
         {SurfaceKind::fbm, SurfaceKind::sphere, SurfaceKind::torus, SurfaceKind::planet})
        for (const std::uint32_t count : {1u, 2u, 8u})
            for (std::uint32_t face = 0; face < face_count(kind); ++face)
                for (std::uint32_t i = 0; i < count * count * 4; ++i) {
                    const CellSide at{face, i / 4 % count, i / 4 / count, i % 4};
                    const auto other = passes::beside(kind, at, count);
                    if (!other) {
                        EXPECT_TRUE(kind == SurfaceKind::fbm ||
                                    (kind == SurfaceKind::sphere && at.side >= 2));
                        continue;
                    }
                    EXPECT_EQ(passes::beside(kind, *other, count), at);
                    EXPECT_EQ(ends(kind, at, count), ends(kind, *other, count));
                }
}

} // namespace
} // namespace tuff
