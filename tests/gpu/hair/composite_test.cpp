#include "tests/gpu/hair/draw_test.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

/// Pictures of hundreds of strands, compared with fragments that are sorted and blended on the
/// host.
namespace tuff {
namespace {

using passes::DrawHair;
using passes::HairRaster;
using passes::LongLists;
using reference::Vec;
using testing_gpu::HostHair;
using testing_gpu::Running;

constexpr std::array kBehindHair{0.1f, 0.3f, 0.2f, 1.0f};

/// A strand's part of a pixel.
struct HostFragment {
    double depth;
    Vec color;
    double alpha;
};

/// The fragments of a picture, and which pixels have one that rounding may add or take away.
struct HostLists {
    std::uint32_t side;
    std::vector<std::vector<HostFragment>> pixels;
    std::vector<bool> unsure;

    std::size_t count() const {
        std::size_t sum = 0;
        for (const auto& list : pixels)
            sum += list.size();
        return sum;
    }
    /// Back to front over the picture behind; of lists longer than `most` only the nearest.
    Vec blended(std::size_t pixel, std::size_t most) {
        auto& list = pixels[pixel];
        std::ranges::sort(list, {}, &HostFragment::depth);
        Vec color(kBehindHair[0], kBehindHair[1], kBehindHair[2]);
        for (std::size_t i = std::min(list.size(), most); i-- > 0;)
            color = glm::mix(color, list[i].color, list[i].alpha);
        return color;
    }
    /// Whether the order of two fragments is rounding's choice; call it after `blended`.
    bool is_tied(std::size_t pixel) const {
        const auto& list = pixels[pixel];
        for (std::size_t i = 1; i < list.size(); ++i)
            if (list[i].depth - list[i - 1].depth < 5e-7) return true; // eight steps of a float
        return false;
    }
};

/// What of the camera of `HairPictureTest` the host needs: 1 unit is half a picture at distance 2.
struct HostSeen {
    double x, y, depth, scale;
};
HostSeen host_seen(glm::vec4 point, std::uint32_t side) {
    const double way = 2.0 - static_cast<double>(point.z);
    const double near = static_cast<double>(0.01f);
    return {.x = (static_cast<double>(point.x) / way + 0.5) * side,
            .y = (0.5 - static_cast<double>(point.y) / way) * side,
            .depth = 100.0 / (100.0 - near) * (1.0 - near / way),
            .scale = side / way};
}

/// Each edge's share of each pixel: a box a pixel wide across the edge.
HostLists host_lists(const HostHair& hair, const std::vector<glm::vec4>& colors,
                     const DrawHair& pass) {
    const std::uint32_t side = pass.width;
    HostLists lists{.side = side,
                    .pixels = std::vector<std::vector<HostFragment>>(std::size_t{side} * side),
                    .unsure = std::vector<bool>(std::size_t{side} * side)};
    for (std::size_t i = 0; i + 1 < hair.points.size(); ++i) {
        const auto v = static_cast<double>(i % hair.vertices);
        if (i % hair.vertices + 1 == hair.vertices) continue;
        const HostSeen a = host_seen(hair.points[i], side);
        const HostSeen b = host_seen(hair.points[i + 1], side);
        const double last = hair.vertices - 1.0;
        const auto half_width = [&](const HostSeen& at, double vertex) {
            return static_cast<double>(pass.radius) *
                   std::lerp(1.0, static_cast<double>(pass.tip), vertex / last) * at.scale;
        };
        const double length = std::hypot(b.x - a.x, b.y - a.y);
        const double along_x = (b.x - a.x) / length;
        const double along_y = (b.y - a.y) / length;
        for (std::uint32_t y = 0; y < side; ++y)
            for (std::uint32_t x = 0; x < side; ++x) {
                const double from_x = x + 0.5 - a.x;
                const double from_y = y + 0.5 - a.y;
                const double share = (from_x * along_x + from_y * along_y) / length;
                if (share < -0.1 || share > 1.1) continue;
                const double off = from_x * along_y - from_y * along_x;
                const double half = std::lerp(half_width(a, v), half_width(b, v + 1.0), share);
                const double cover =
                    std::max(std::min(off + 0.5, half) - std::max(off - 0.5, -half), 0.0) *
                    static_cast<double>(pass.opacity);
                const std::size_t pixel = std::size_t{y} * side + x;
                // Rounding, or the grid of a rasterizer's corners.
                const double grid = pass.raster == HairRaster::compute ? 1e-3 : 0.05 / length;
                const bool ends = std::min(std::abs(share), std::abs(share - 1.0)) < grid;
                if (cover > 1.0 / 520.0 && (ends || cover < 1.0 / 500.0))
                    lists.unsure[pixel] = true;
                if (share < 0.0 || share >= 1.0 || cover < 1.0 / 512.0) continue;
                lists.pixels[pixel].push_back(
                    {.depth = std::lerp(a.depth, b.depth, share),
                     .color = glm::mix(Vec(colors[i]), Vec(colors[i + 1]), share),
                     .alpha = std::min(cover, 1.0)});
            }
    }
    return lists;
}

class HairCompositeTest : public testing_gpu::HairPictureTest {
  protected:
    static constexpr std::uint32_t kTexels = 32;

    /// Compares a picture of these strands with the host's.
    void compare(const HostHair& hair, HairRaster raster, LongLists long_lists, float radius,
                 std::size_t longest, float opacity = 0.7f) {
        std::mt19937 random(9);
        const auto number = [&] { return static_cast<float>(random() >> 8) * 0x1p-24f; };
        std::vector<glm::vec4> colors;
        for (std::size_t i = 0; i < hair.points.size(); ++i)
            colors.emplace_back(number(), number(), number(), 1.0f);
        Graph g = graph();
        DrawHair pass = white(g, hair);
        pass.width = kTexels;
        pass.height = kTexels;
        pass.lit = vectors_of(g, "colors", colors);
        pass.raster = raster;
        pass.long_lists = long_lists;
        pass.radius = radius;
        pass.tip = raster == HairRaster::compute ? 0.4f : 1.0f;
        pass.opacity = opacity;
        pass.layers = 80.0f;
        const ImageDesc desc{.format = Format::rgba16_sfloat, .extent = {kTexels, kTexels, 1}};
        pass.under = g.clear(g.image("under", desc), kBehindHair);
        HostLists wanted = host_lists(hair, colors, pass);
        pass = g.add(pass);
        g.output("picture", pass.result);
        g.output("status", pass.lists.status);
        Running running = run(std::move(g));
        const HostImage picture = running.image("picture");
        const auto status = running.buffer<std::uint32_t>("status");
        EXPECT_NEAR(status[0], static_cast<double>(wanted.count()),
                    0.02 * static_cast<double>(wanted.count()));
        EXPECT_EQ(status[1], 0u);
        // Alphas and colors are half floats: 2^-12 of an alpha, whose sum over a list is a few at
        // most where light comes through, and 2^-12 of colors and of the result. Rasterizers move
        // corners to a grid of 1 / 16 pixel or finer, by half of its diagonal at most; a border
        // then covers 0.03 more or less, and two or three fragments of a pixel may count.
        const bool exact = raster == HairRaster::compute;
        const double tolerance = exact ? 1.5e-3 : 0.08;
        std::uint32_t compared = 0;
        std::size_t most = 0;
        double sum = 0.0;
        for (std::uint32_t y = 0; y < kTexels; ++y)
            for (std::uint32_t x = 0; x < kTexels; ++x) {
                const std::size_t pixel = std::size_t{y} * kTexels + x;
                const bool nearest = long_lists == LongLists::nearest;
                const Vec color = wanted.blended(pixel, nearest ? passes::kMaxKept : 100000);
                if (wanted.unsure[pixel] || wanted.is_tied(pixel)) continue;
                const auto texel = picture.texel(x, y);
                const double off = glm::distance(Vec(texel[0], texel[1], texel[2]), color);
                ASSERT_LT(off, tolerance)
                    << x << ", " << y << ": " << wanted.pixels[pixel].size() << " fragments";
                sum += off;
                ++compared;
                most = std::max(most, wanted.pixels[pixel].size());
            }
        EXPECT_GT(compared, kTexels * kTexels / 2);
        EXPECT_LT(sum, (exact ? 3e-4 : 6e-3) * compared);
        EXPECT_GE(most, longest);
    }
};

/// Straight strands, each in a plane of its own before the camera.
HostHair strands_in_planes(std::uint32_t count, float reach) {
    std::mt19937 random(4);
    const auto number = [&] { return static_cast<float>(random() >> 8) * 0x1p-23f - 1.0f; };
    HostHair hair{.count = count, .vertices = 2};
    for (std::uint32_t s = 0; s < count; ++s) {
        const float z = 0.8f * static_cast<float>(s * 89 % count) / static_cast<float>(count);
        for (int v = 0; v < 2; ++v)
            hair.points.emplace_back(reach * number(), reach * number(), z, 1.0f);
    }
    return hair;
}

TEST_F(HairCompositeTest, HundredsOfStrandsAreTheSortedCompositeOfTheHost) {
    // Bent strands that taper, and cross one another's depths.
    HostHair bent = testing_gpu::random_hair(400, 5, 31, 0.8f);
    for (glm::vec4& point : bent.points)
        point.z *= 0.6f;
    for (const float radius : {0.004f, 0.03f})
        compare(bent, HairRaster::compute, LongLists::exact, radius, 3);
    const HostHair straight = strands_in_planes(300, 0.3f);
    for (const HairRaster raster : {HairRaster::ribbons, HairRaster::compute})
        compare(straight, raster, LongLists::exact, 0.02f, 40);
}

TEST_F(HairCompositeTest, OfLongListsTheNearestThirtyTwoCountIfAskedFor) {
    const HostHair straight = strands_in_planes(300, 0.3f);
    // So faint that those beyond would be seen.
    for (const LongLists lists : {LongLists::nearest, LongLists::exact})
        compare(straight, HairRaster::compute, lists, 0.02f, 40, 0.05f);
}

} // namespace
} // namespace tuff
