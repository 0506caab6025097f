#include "tests/gpu/hair/draw_test.hpp"

#include <array>
#include <cmath>

/// Fewer and wider strands from afar.
namespace tuff {
namespace {

using passes::DetailParameters;
using passes::DrawHair;
using passes::HairRaster;
using testing_gpu::HostHair;
using testing_gpu::Running;

class HairDetailTest : public testing_gpu::HairPictureTest {
  protected:
    /// So that the camera, at distance 2, sees this share of the strands.
    static DetailParameters with_share(float share) {
        return {.thins = true, .distance = 2.0f * share, .least = 0.01f};
    }
    static double mean_of(const HostImage& picture) {
        double sum = 0.0;
        for (std::uint32_t y = 0; y < kSide; ++y)
            for (std::uint32_t x = 0; x < kSide; ++x)
                sum += static_cast<double>(picture.texel(x, y)[0]);
        return sum / (kSide * kSide);
    }
};

/// An upright strand in the middle of each column of texels.
HostHair upright_strands() {
    HostHair hair{.count = 64, .vertices = 2};
    for (std::uint32_t s = 0; s < 64; ++s)
        for (const float y : {-0.75f, 0.75f})
            hair.points.emplace_back((static_cast<float>(s) + 0.5f) / 32.0f - 1.0f, y, 0.0f, 1.0f);
    return hair;
}

TEST_F(HairDetailTest, AShareOfTheStrandsIsSpreadEvenlyIsWiderAndGrowsByMoreStrands) {
    const HostHair hair = upright_strands();
    for (const HairRaster raster : {HairRaster::ribbons, HairRaster::compute}) {
        std::array<bool, 64> before{};
        for (const std::uint32_t count : {1u, 8u, 13u, 32u, 64u}) {
            Graph g = graph();
            DrawHair pass = white(g, hair);
            pass.raster = raster;
            pass.radius = 0.5f * 0.015f / 32.0f; // 0.015 texels wide: 0.96 if there is one
            pass.detail = with_share((static_cast<float>(count) - 0.5f) / 64.0f);
            const HostImage picture = drawn(std::move(g), pass);
            const float width = 0.015f * 64.0f / static_cast<float>(count);
            std::uint32_t seen = 0;
            std::uint32_t gap = 0;
            std::uint32_t widest_gap = 0;
            for (std::uint32_t x = 0; x < kSide; ++x) {
                const float there = picture.texel(x, kSide / 2)[0];
                const bool is_drawn = there > 0.5f * width;
                if (is_drawn) {
                    EXPECT_NEAR(there, width, 2e-3f) << int(raster) << ", " << count;
                }
                EXPECT_TRUE(is_drawn || there == 0.0f);
                EXPECT_TRUE(is_drawn || !before[x]) << "fewer strands are some of more";
                before[x] = is_drawn;
                seen += is_drawn;
                gap = is_drawn ? 0 : gap + 1;
                widest_gap = std::max(widest_gap, gap);
            }
            EXPECT_EQ(seen, count) << int(raster);
            // Of n multiples of the golden ratio none is farther from the next than 1.9 / n, and a
            // stride of whole strands is half a strand off.
            if (count > 1) {
                EXPECT_LE(widest_gap, 2 * 64 / count) << int(raster) << ", " << count;
            }
        }
    }
}

TEST_F(HairDetailTest, TheMeanCoverageOfAGroomStaysWhereFewerStrandsAreDrawn) {
    // Strands at random places: each covers its share of a pixel independently of others, so the
    // mean of 1 - (1 - a) (1 - b) ... depends on the sum of their areas alone, not on how many they
    // are. What is left is the choice of strands, whose lengths on the screen differ by about 30 %:
    // of n of N strands by 0.3 / sqrt(n) * sqrt(1 - n / N), 1.6 % for 250 of 1000. Three times
    // that, and one percent for the pixels that a few wide strands happen to share.
    HostHair hair = testing_gpu::random_hair(1000, 6, 77, 0.9f);
    for (glm::vec4& point : hair.points)
        point.z *= 0.05f;               // perspective changes no areas
    for (const auto& [raster, pixels] : // widths; a quarter of the strands is 1.6 wide
         {std::pair(HairRaster::ribbons, 0.4f), std::pair(HairRaster::compute, 0.1f)}) {
        const auto picture = [&](const DetailParameters& detail) {
            Graph g = graph();
            DrawHair pass = white(g, hair);
            pass.raster = raster;
            pass.radius = 0.5f * pixels * 2.0f / kSide;
            pass.detail = detail;
            return drawn(std::move(g), pass);
        };
        const HostImage all = picture({});
        EXPECT_GT(mean_of(all), 0.05);
        EXPECT_LT(mean_of(all), 0.8);
        EXPECT_TRUE(picture({.thins = true, .distance = 2.0f}).texels == all.texels);
        for (const float share : {0.5f, 0.25f})
            EXPECT_NEAR(mean_of(picture(with_share(share))), mean_of(all), 0.06 * mean_of(all))
                << int(raster) << ", " << share;
    }
}

TEST_F(HairDetailTest, ACameraThatComesNearerDrawsMoreStrandsInTheSameGraph) {
    const HostHair hair = upright_strands();
    for (const HairRaster raster : {HairRaster::ribbons, HairRaster::compute}) {
        const auto of = [&](float distance) {
            Graph g = graph();
            DrawHair pass = white(g, hair);
            pass.raster = raster;
            pass.detail = {.thins = true, .distance = 0.5f};
            pass.camera.position.z = distance;
            g.output("picture", g.add(pass).result);
            return std::move(g).finish();
        };
        EXPECT_TRUE(same_structure(of(1.0f), of(7.0f)));
    }
}

TEST_F(HairDetailTest, NoStrandsNoDistanceAndCamerasInTheMiddleAreDrawn) {
    const HostHair hair = upright_strands();
    const auto brightness = [&](const DetailParameters& detail, std::uint32_t count) {
        Graph g = graph();
        HostHair some = hair;
        some.count = count;
        DrawHair pass = white(g, some);
        pass.shape.count = count;
        pass.detail = detail;
        return mean_of(drawn(std::move(g), pass));
    };
    EXPECT_EQ(brightness({.thins = true}, 0), 0.0);
    const double all = brightness({}, 64);
    EXPECT_EQ(brightness({.thins = true, .distance = 0.0f, .center = {0, 0, 2}}, 64), all);
    EXPECT_GT(brightness({.thins = true, .distance = 0.0f, .least = 1e-4f}, 64), 0.0);
    EXPECT_GT(brightness({.thins = true, .distance = 0.0f, .least = 1e-4f}, 1), 0.0);
}

} // namespace
} // namespace tuff
