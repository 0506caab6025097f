#include "passes/distance/normalize.hpp"
#include "passes/distance/shade.hpp"
#include "passes/distance/signed.hpp"
#include "tests/gpu/distance/distance_test.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <optional>

namespace tuff {
namespace {

using passes::ShadeDistance;
using passes::ShadeFormat;
using passes::ShadeMethod;
using passes::ShadeMode;
using passes::ShadeWidth;

constexpr std::array kMethods{ShadeMethod::compute, ShadeMethod::raster};
constexpr glm::vec4 kWhite(1.0f, 1.0f, 1.0f, 1.0f);
constexpr glm::vec4 kBlack(0.0f, 0.0f, 0.0f, 1.0f);

/// A field of 32-bit floats whose texels have the distance of their middles.
struct ShadeField {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::vector<float> texels;

    template <typename Distance>
    ShadeField(std::uint32_t columns, std::uint32_t rows, Distance away)
        : width(columns), height(rows) {
        for (std::uint32_t y = 0; y < height; ++y)
            for (std::uint32_t x = 0; x < width; ++x)
                texels.push_back(static_cast<float>(away(x + 0.5, y + 0.5)));
    }
};

ShadeField disc_field(std::uint32_t side, double radius) {
    return {side, side, [=](double x, double y) {
                return std::hypot(x - 0.5 * side, y - 0.5 * side) - radius;
            }};
}
/// Its contour is the vertical through the middle; objects are to the left.
ShadeField half_plane_field(std::uint32_t width, std::uint32_t height) {
    return {width, height, [=](double x, double) { return x - 0.5 * width; }};
}

class ShadeTest : public DistanceTest {
  protected:
    Image image_of_field(Graph& g, const ShadeField& field) {
        return g.constant_image("field",
                                {.format = Format::r32_sfloat,
                                 .extent = {.width = field.width, .height = field.height}},
                                testing_gpu::bytes_of(field.texels));
    }
    HostImage shaded(const ShadeField& field, ShadeDistance pass) {
        Graph g = graph();
        pass.field = image_of_field(g, field);
        pass.format = ShadeFormat::rgba16_sfloat;
        g.output("result", g.add(pass).result);
        return run(std::move(g)).image("result");
    }
    /// The disc of a binary seed, as the chapter makes its textures.
    HostImage shaded_seed(std::uint32_t side, double radius, bool half_pixel, ShadeDistance pass) {
        Graph g = graph();
        const double middle = 0.5 * side;
        const reference::Seed seed = seed_where(side, side, [&](std::uint32_t x, std::uint32_t y) {
            return std::hypot(x + 0.5 - middle, y + 0.5 - middle) < radius;
        });
        const Image distances =
            g.add(passes::SignedDistance{.seed = image_of(g, seed), .half_pixel = half_pixel})
                .field;
        pass.field =
            g.add(passes::NormalizeDistance{.field = distances, .scale = pass.scale}).result;
        g.output("result", g.add(pass).result);
        return run(std::move(g)).image("result");
    }
};

/// How many of a row's pixels are between `low` and `high`.
std::uint32_t pixels_between(const HostImage& picture, std::uint32_t y, float low, float high) {
    std::uint32_t count = 0;
    for (std::uint32_t x = 0; x < picture.extent.width; ++x) {
        const float value = picture.texel(x, y)[0];
        count += value > low && value < high ? 1 : 0;
    }
    return count;
}

TEST_F(ShadeTest, Check9AMagnifiedDiscHasItsAreaAndItsBoundary) {
    constexpr double kRadius = 20.0;
    constexpr double kZoom = 8.0;
    for (const ShadeMethod method : kMethods) {
        const HostImage picture = shaded_seed(64, kRadius, true,
                                              {.scale = 1.0f / 32.0f,
                                               .magnification = kZoom,
                                               .color = kWhite,
                                               .ground = kBlack,
                                               .method = method});
        ASSERT_EQ(picture.extent, (Extent{512, 512, 1}));
        double area = 0.0;
        double squares = 0.0;
        std::size_t crossings = 0;
        const auto radius_at = [&](double x, double y) { return std::hypot(x - 256.0, y - 256.0); };
        for (std::uint32_t y = 0; y < 512; ++y)
            for (std::uint32_t x = 0; x < 512; ++x) {
                const bool within = picture.texel(x, y)[0] > 0.5f;
                area += within ? 1.0 : 0.0;
                if (x + 1 < 512 && within != (picture.texel(x + 1, y)[0] > 0.5f)) {
                    const double error = radius_at(x + 1.0, y + 0.5) / kZoom - kRadius;
                    squares += error * error;
                    ++crossings;
                }
            }
        const double expected = std::numbers::pi * kRadius * kRadius * kZoom * kZoom;
        EXPECT_NEAR(area, expected, 0.02 * expected);
        EXPECT_GT(crossings, 500u);
        EXPECT_LT(std::sqrt(squares / static_cast<double>(crossings)), 0.5);
    }
}

TEST_F(ShadeTest, Check9TheRampIsAsWideAtEveryMagnification) {
    const ShadeField field = half_plane_field(64, 8);
    for (const ShadeMethod method : kMethods)
        for (const ShadeWidth footprint : {ShadeWidth::analytic, ShadeWidth::differences}) {
            std::vector<double> ramps;
            for (const float zoom : {1.0f, 2.0f, 4.0f, 7.3f, 16.0f}) {
                const HostImage picture = shaded(field, {.width = 400,
                                                         .height = 40,
                                                         .magnification = zoom,
                                                         .color = kWhite,
                                                         .ground = kBlack,
                                                         .footprint = footprint,
                                                         .method = method});
                // The edge is between two pixels: half a pixel from it the ramp tells its width.
                const double left = picture.texel(199, 20)[0];
                const double right = picture.texel(200, 20)[0];
                EXPECT_NEAR(left + right, 1.0, 0.03) << zoom;
                // Where 1 - smoothstep(-w, w, 0.5) has this value: by halving.
                double low = 0.25;
                double high = 8.0;
                for (int i = 0; i < 40; ++i) {
                    const double w = 0.5 * (low + high);
                    const double t = std::clamp(0.5 + 0.25 / w, 0.0, 1.0);
                    (1.0 - t * t * (3.0 - 2.0 * t) < right ? low : high) = w;
                }
                ramps.push_back(low);
            }
            for (const double ramp : ramps)
                EXPECT_NEAR(ramp, 1.0, 0.2) << static_cast<int>(method);
        }
}

TEST_F(ShadeTest, Check9AnOutlineIsTwiceItsThicknessWide) {
    const ShadeField field = half_plane_field(64, 8);
    for (const ShadeMethod method : kMethods)
        for (const float thickness : {1.0f, 3.5f, 8.0f}) {
            constexpr float kZoom = 8.0f;
            const HostImage picture = shaded(field, {.mode = ShadeMode::outline,
                                                     .magnification = kZoom,
                                                     .color = {1.0f, 0.0f, 0.0f, 1.0f},
                                                     .effect = {0.0f, 1.0f, 0.0f, 1.0f},
                                                     .ground = {0.0f, 0.0f, 1.0f, 1.0f},
                                                     .thickness = thickness,
                                                     .method = method});
            double green = 0.0;
            double red = 0.0;
            for (std::uint32_t x = 0; x < picture.extent.width; ++x) {
                red += static_cast<double>(picture.texel(x, 30)[0]);
                green += static_cast<double>(picture.texel(x, 30)[1]);
            }
            EXPECT_NEAR(green / kZoom, 2.0 * static_cast<double>(thickness), 0.05);
            EXPECT_NEAR(red / kZoom, 32.0 - static_cast<double>(thickness), 0.05);
        }
}

/// The distances of either side are between middles of texels, so that the step from 1 to -1 makes
/// everything near the contour a texel narrower.
TEST_F(ShadeTest, Check9WithoutTheHalfPixelAnOutlineIsATexelNarrower) {
    constexpr float kZoom = 8.0f;
    constexpr float kThickness = 4.0f;
    for (const bool half_pixel : {true, false}) {
        Graph g = graph();
        const reference::Seed seed = seed_where(64, 8, [](auto x, auto) { return x < 32; });
        const Image distances =
            g.add(passes::SignedDistance{.seed = image_of(g, seed), .half_pixel = half_pixel})
                .field;
        g.output("result", g.add(ShadeDistance{.field = distances,
                                               .mode = ShadeMode::outline,
                                               .magnification = kZoom,
                                               .color = kBlack,
                                               .effect = kWhite,
                                               .ground = kBlack,
                                               .thickness = kThickness,
                                               .format = ShadeFormat::rgba16_sfloat})
                               .result);
        const HostImage picture = run(std::move(g)).image("result");
        double white = 0.0;
        for (std::uint32_t x = 0; x < picture.extent.width; ++x)
            white += static_cast<double>(picture.texel(x, 30)[0]);
        EXPECT_NEAR(white / static_cast<double>(kZoom), half_pixel ? 8.0 : 7.0, 0.1);
    }
}

TEST_F(ShadeTest, Check9AWholeTurnOfTheHuesIsNone) {
    const ShadeField field = disc_field(64, 12.0);
    for (const ShadeMethod method : kMethods) {
        std::array<HostImage, 3> pictures;
        for (std::size_t i = 0; i < 3; ++i)
            pictures[i] = shaded(field, {.mode = ShadeMode::hue,
                                         .magnification = 3.0f,
                                         .animation = std::array{0.25f, 1.25f, 0.75f}[i],
                                         .method = method});
        double largest = 0.0;
        double other = 0.0;
        for (std::uint32_t y = 0; y < 192; ++y)
            for (std::uint32_t x = 0; x < 192; ++x)
                for (std::size_t c = 0; c < 3; ++c) {
                    const auto of = [&](std::size_t i) {
                        return static_cast<double>(pictures[i].texel(x, y)[c]);
                    };
                    largest = std::max(largest, std::abs(of(0) - of(1)));
                    other = std::max(other, std::abs(of(0) - of(2)));
                }
        EXPECT_LE(largest, 1.0 / 255.0);
        EXPECT_GT(other, 0.9); // the animated hue is used
    }
}

TEST_F(ShadeTest, HuesRepeatEachPeriodAndBeginWithRedAtTheContour) {
    const ShadeField field = half_plane_field(64, 4);
    const HostImage picture = shaded(field, {.mode = ShadeMode::hue,
                                             .width = 640,
                                             .height = 4,
                                             .magnification = 10.0f,
                                             .color = kBlack,
                                             .period = 12.0f});
    const auto expect_color = [&](double away, std::array<float, 3> color) {
        const auto got = picture.texel(static_cast<std::uint32_t>(320.0 + 10.0 * away), 2);
        for (std::size_t c = 0; c < 3; ++c)
            EXPECT_NEAR(got[c], color[c], 0.06f) << away << ", " << c;
    };
    expect_color(-5.0, {0.0f, 0.0f, 0.0f});
    for (const double turn : {12.0, 24.0}) {
        expect_color(turn, {1.0f, 0.0f, 0.0f});
        expect_color(turn + 2.0, {1.0f, 1.0f, 0.0f});
        expect_color(turn + 4.0, {0.0f, 1.0f, 0.0f});
        expect_color(turn + 6.0, {0.0f, 1.0f, 1.0f});
    }
}

TEST_F(ShadeTest, AnAlphaTestHasNoPixelInBetween) {
    const ShadeField field = disc_field(33, 9.7);
    for (const ShadeMethod method : kMethods)
        for (const ShadeMode mode : {ShadeMode::alpha_test, ShadeMode::antialiased}) {
            const HostImage picture = shaded(field, {.mode = mode,
                                                     .magnification = 5.0f,
                                                     .color = kWhite,
                                                     .ground = kBlack,
                                                     .method = method});
            std::uint32_t between = 0;
            for (std::uint32_t y = 0; y < picture.extent.height; ++y)
                between += pixels_between(picture, y, 0.01f, 0.99f);
            if (mode == ShadeMode::alpha_test)
                EXPECT_EQ(between, 0u);
            else
                EXPECT_GT(between, 200u);
        }
}

TEST_F(ShadeTest, GlowFadesToItsRadiusAndShadowsAreMovedAndSoft) {
    const ShadeField field = half_plane_field(64, 40);
    for (const ShadeMethod method : kMethods) {
        const HostImage glow = shaded(field, {.mode = ShadeMode::glow,
                                              .color = kBlack,
                                              .effect = kWhite,
                                              .ground = kBlack,
                                              .radius = 10.0f,
                                              .method = method});
        for (std::uint32_t x = 34; x < 64; ++x) {
            const double t = std::clamp((x + 0.5 - 32.0) / 10.0, 0.0, 1.0);
            EXPECT_NEAR(glow.texel(x, 20)[0], 1.0 - t * t * (3.0 - 2.0 * t), 0.02) << x;
        }
        EXPECT_EQ(glow.texel(20, 20)[0], 0.0f); // the shape lies over it

        const HostImage shadow = shaded(field, {.mode = ShadeMode::shadow,
                                                .color = {0.0f, 1.0f, 0.0f, 1.0f},
                                                .effect = {0.0f, 0.0f, 0.0f, 0.5f},
                                                .ground = kWhite,
                                                .softness = 3.0f,
                                                .offset = {9.0f, 100.0f},
                                                .method = method});
        for (std::uint32_t x = 34; x < 64; ++x) {
            const double t = std::clamp((x + 0.5 - 41.0 + 3.0) / 6.0, 0.0, 1.0);
            const double dark = 1.0 - t * t * (3.0 - 2.0 * t);
            EXPECT_NEAR(shadow.texel(x, 20)[0], 1.0 - 0.5 * dark, 0.02) << x;
        }
    }
}

/// Where a pixel of the picture is in the field, in the words of the parameters' description.
std::optional<std::array<double, 2>> placed(const ShadeDistance& pass, Extent field, Extent picture,
                                            double x, double y) {
    const double tilt = static_cast<double>(pass.tilt) * std::numbers::pi / 180.0;
    const double turn = static_cast<double>(pass.rotation) * std::numbers::pi / 180.0;
    const double eye = picture.height;
    // The ray (x, y, eye) meets the plane through the picture's middle whose upper part (y < 0) is
    // behind the picture: points (u, v cos, -v sin).
    const double dx = x - 0.5 * picture.width;
    const double dy = y - 0.5 * picture.height;
    const double along = std::cos(tilt) + dy / eye * std::sin(tilt);
    if (along <= 0.0) return std::nullopt;
    const double v = dy / along;
    const double u = dx * (1.0 - v * std::sin(tilt) / eye);
    const double magnification = static_cast<double>(pass.magnification);
    return std::array{static_cast<double>(pass.center.x) * field.width +
                          (std::cos(turn) * u - std::sin(turn) * v) / magnification,
                      static_cast<double>(pass.center.y) * field.height +
                          (std::sin(turn) * u + std::cos(turn) * v) / magnification};
}

TEST_F(ShadeTest, PicturesArePlacedByMagnificationRotationTiltAndCentre) {
    // A plane's distance, filtered linearly, is itself: pixels tell where they are.
    const Extent size{90, 70, 1};
    for (const bool along_x : {true, false})
        for (const ShadeMethod method : kMethods)
            for (const auto& [zoom, rotation, tilt] : {std::array{1.0f, 0.0f, 0.0f},
                                                       {2.5f, 0.0f, 0.0f},
                                                       {1.7f, 30.0f, 0.0f},
                                                       {1.3f, -110.0f, 25.0f},
                                                       {2.0f, 15.0f, -50.0f}}) {
                ShadeDistance pass{.mode = ShadeMode::glow,
                                   .width = 61,
                                   .height = 47,
                                   .magnification = zoom,
                                   .rotation = rotation,
                                   .tilt = tilt,
                                   .center = {0.4f, 0.6f},
                                   .color = {0.0f, 0.0f, 0.0f, 0.0f},
                                   .effect = kWhite,
                                   .ground = kBlack,
                                   .radius = 100.0f,
                                   .method = method};
                const ShadeField field(size.width, size.height,
                                       [&](double x, double y) { return along_x ? x : y; });
                const HostImage picture = shaded(field, pass);
                for (std::uint32_t y = 0; y < 47; y += 3)
                    for (std::uint32_t x = 0; x < 61; x += 3) {
                        const auto place = placed(pass, size, picture.extent, x + 0.5, y + 0.5);
                        ASSERT_TRUE(place);
                        const double side = along_x ? size.width : size.height;
                        const double at =
                            std::clamp((*place)[along_x ? 0 : 1], 0.5, side - 0.5) / 100.0;
                        // Samplers have weights of 8 bits.
                        ASSERT_NEAR(picture.texel(x, y)[0], 1.0 - at * at * (3.0 - 2.0 * at),
                                    method == ShadeMethod::raster ? 0.004 : 0.001)
                            << x << ", " << y << "; " << zoom << ", " << rotation << ", " << tilt;
                    }
            }
}

TEST_F(ShadeTest, NothingIsSeenBeyondTheHorizon) {
    for (const ShadeMethod method : kMethods) {
        const ShadeField inside(16, 16, [](double, double) { return -100.0; });
        const HostImage picture = shaded(inside, {.width = 20,
                                                  .height = 64,
                                                  .tilt = 75.0f,
                                                  .color = kWhite,
                                                  .ground = kBlack,
                                                  .method = method});
        // cos + dy / eye sin = 0: 0.268 picture heights above the middle.
        const auto horizon =
            static_cast<std::uint32_t>(32.0 - 64.0 / std::tan(75.0 * 3.14159265 / 180.0));
        EXPECT_EQ(picture.texel(10, horizon - 2)[0], 0.0f);
        EXPECT_EQ(picture.texel(10, horizon + 2)[0], 1.0f);
    }
}

TEST_F(ShadeTest, ShapesLieOverAPicture) {
    const ShadeField field = disc_field(16, 5.0);
    std::vector<float> texels;
    for (int i = 0; i < 16 * 16; ++i)
        texels.insert(texels.end(), {0.1f, static_cast<float>(i) / 256.0f, 0.7f, 1.0f});
    for (const ShadeMethod method : kMethods) {
        Graph g = graph();
        ShadeDistance pass{
            .field = image_of_field(g, field),
            .background = g.constant_image("background",
                                           {.format = Format::rgba32_sfloat, .extent = {16, 16, 1}},
                                           testing_gpu::bytes_of(texels)),
            .color = {1.0f, 0.0f, 0.0f, 0.25f},
            .method = method,
            .format = ShadeFormat::rgba16_sfloat};
        g.output("result", g.add(pass).result);
        const HostImage picture = run(std::move(g)).image("result");
        const auto corner = picture.texel(3, 0);
        EXPECT_NEAR(corner[1], 3.0f / 256.0f, 1e-3f);
        EXPECT_NEAR(corner[2], 0.7f, 1e-3f);
        const auto middle = picture.texel(8, 8);
        EXPECT_NEAR(middle[0], 0.25f + 0.75f * 0.1f, 1e-3f);
        EXPECT_NEAR(middle[1], 0.75f * (8 * 16 + 8) / 256.0f, 1e-3f);
    }
}

/// Flat fields have no width of a pixel, which smoothstep must not divide by.
TEST_F(ShadeTest, FlatFieldsGiveNumbers) {
    for (const float away : {-3.0f, 0.0f, 3.0f})
        for (const ShadeMethod method : kMethods)
            for (const ShadeMode mode :
                 {ShadeMode::antialiased, ShadeMode::outline, ShadeMode::shadow}) {
                const ShadeField flat(9, 7, [&](double, double) { return away; });
                const HostImage picture = shaded(flat, {.mode = mode,
                                                        .color = kWhite,
                                                        .effect = kBlack,
                                                        .ground = kBlack,
                                                        .softness = 0.0f,
                                                        .footprint = ShadeWidth::differences,
                                                        .method = method});
                const float got = picture.texel(4, 3)[0];
                if (away == 0.0f)
                    EXPECT_TRUE(got >= 0.0f && got <= 1.0f);
                else
                    EXPECT_EQ(got, away < 0.0f ? 1.0f : 0.0f) << away;
            }
}

TEST_F(ShadeTest, WhatAFieldCannotShowIsRefused) {
    const auto code_for = [&](Format format, ShadeDistance pass, Extent extent = {64, 64, 1}) {
        Graph g = graph();
        pass.field = g.image("field", {.format = format, .extent = extent});
        (void)g.add(pass);
        const GraphDesc built = std::move(g).finish();
        return built.diagnostics.empty() ? std::string() : built.diagnostics.front().code;
    };
    constexpr float kScale = 1.0f / 32.0f; // 16 texels on either side
    EXPECT_EQ(code_for(Format::r32_sfloat, {}), "");
    EXPECT_EQ(code_for(Format::r16_sfloat, {.scale = kScale}), "");
    EXPECT_EQ(code_for(Format::r8_unorm, {.scale = kScale}), "");
    EXPECT_EQ(code_for(Format::r8_unorm, {}), "distance/no-scale");
    for (const Format whole : {Format::r8_uint, Format::r16_uint, Format::r32_uint})
        EXPECT_EQ(code_for(whole, {.scale = kScale}), "distance/field-format");
    EXPECT_EQ(code_for(Format::rg32_sfloat, {}), "distance/field-format");
    EXPECT_EQ(code_for(Format::rgba8_unorm, {.scale = kScale}), "distance/field-format");
    const ShadeDistance outline{.mode = ShadeMode::outline, .scale = kScale, .thickness = 16.0f};
    EXPECT_EQ(code_for(Format::r8_unorm, outline), "distance/beyond-clamp");
    EXPECT_EQ(code_for(Format::r16_sfloat, outline), "");
    EXPECT_EQ(
        code_for(Format::r32_sfloat, {.mode = ShadeMode::glow, .clamp = 8.0f, .radius = 9.0f}),
        "distance/beyond-clamp");
    EXPECT_EQ(
        code_for(Format::r32_sfloat, {.mode = ShadeMode::shadow, .clamp = 8.0f, .softness = 8.0f}),
        "distance/beyond-clamp");
    EXPECT_EQ(code_for(Format::r32_sfloat,
                       {.mode = ShadeMode::antialiased, .clamp = 8.0f, .softness = 8.0f}),
              "");
    EXPECT_EQ(code_for(Format::r32_sfloat, {.magnification = 300.0f}), "pass/out-of-range");
    EXPECT_EQ(code_for(Format::r32_sfloat, {.width = 64, .height = 64, .magnification = 300.0f}),
              "");
}

} // namespace
} // namespace tuff
