#include "passes/common/text.hpp"
#include "passes/image/blend.hpp"
#include "passes/image/contact_sheet.hpp"
#include "passes/image/crop.hpp"
#include "passes/image/resize.hpp"
#include "passes/image/tonemap.hpp"
#include "tests/gpu/image/image_checks.hpp"
#include "tests/reference/image_reference.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

/// Tone mapping, blending, scaling and contact sheets against formulas in double precision.
namespace tuff {
namespace {

using passes::BlendMode;
using passes::OutputEncoding;
using passes::ToneCurve;
using reference::Expected;
using reference::Picture;
using reference::Texel;

using ImageCompose = ImageTest;

constexpr std::array kModes{
    BlendMode::over,       BlendMode::add,        BlendMode::multiply,    BlendMode::screen,
    BlendMode::mix,        BlendMode::min,        BlendMode::max,         BlendMode::difference,
    BlendMode::overlay,    BlendMode::hard_light, BlendMode::soft_light,  BlendMode::color_dodge,
    BlendMode::color_burn, BlendMode::exclusion,  BlendMode::hue,         BlendMode::saturation,
    BlendMode::color,      BlendMode::luminosity, BlendMode::subtract,    BlendMode::in,
    BlendMode::out,        BlendMode::atop,       BlendMode::exclusive_or};

using Rgb = std::array<double, 3>;

double luminosity(const Rgb& c) {
    return 0.3 * c[0] + 0.59 * c[1] + 0.11 * c[2];
}

/// The W3C's SetLum and ClipColor.
Rgb set_luminosity(Rgb c, double l) {
    const double d = l - luminosity(c);
    for (double& channel : c)
        channel += d;
    const double low = *std::ranges::min_element(c);
    const double high = *std::ranges::max_element(c);
    const double own = luminosity(c);
    for (double& channel : c) {
        if (low < 0.0) channel = own + (channel - own) * own / (own - low);
        if (high > 1.0) channel = own + (channel - own) * (1.0 - own) / (high - own);
    }
    return c;
}

double saturation(const Rgb& c) {
    return *std::ranges::max_element(c) - *std::ranges::min_element(c);
}

/// The W3C's SetSat, by sorting.
Rgb set_saturation(const Rgb& c, double s) {
    std::array<std::size_t, 3> order = {0, 1, 2};
    std::ranges::sort(order, {}, [&](std::size_t i) { return c[i]; });
    Rgb result{};
    const double low = c[order[0]];
    const double high = c[order[2]];
    if (high > low) {
        result[order[1]] = (c[order[1]] - low) * s / (high - low);
        result[order[2]] = s;
    }
    return result;
}

/// B(Cb, Cs) of the modes that look at a channel alone, for colours from 0 to 1.
double channel_blend(BlendMode mode, double b, double s) {
    const auto hard = [](double below, double above) {
        if (above <= 0.5) return below * 2.0 * above;
        const double screen = 2.0 * above - 1.0;
        return below + screen - below * screen;
    };
    switch (mode) {
    case BlendMode::overlay: return hard(s, b);
    case BlendMode::hard_light: return hard(b, s);
    case BlendMode::exclusion: return b + s - 2.0 * b * s;
    case BlendMode::color_dodge:
        if (b == 0.0) return 0.0;
        return s >= 1.0 ? 1.0 : std::min(1.0, b / (1.0 - s));
    case BlendMode::color_burn:
        if (b >= 1.0) return 1.0;
        return s <= 0.0 ? 0.0 : 1.0 - std::min(1.0, (1.0 - b) / s);
    default: break;
    }
    if (s <= 0.5) return b - (1.0 - 2.0 * s) * b * (1.0 - b); // soft light
    const double d = b <= 0.25 ? ((16.0 * b - 12.0) * b + 4.0) * b : std::sqrt(b);
    return b + (2.0 * s - 1.0) * (d - b);
}

/// co = cs (1 - ab) + cb (1 - as) + as ab B(Cb, Cs) for the modes made for colours up to 1.
Texel bounded_blend(BlendMode mode, const Texel& base, const Texel& layer) {
    const double ab = base[3];
    const double as = layer[3];
    Rgb b{};
    Rgb s{};
    for (std::size_t c = 0; c < 3; ++c) {
        b[c] = ab > 0.0 ? std::clamp(base[c] / ab, 0.0, 1.0) : 0.0;
        s[c] = as > 0.0 ? std::clamp(layer[c] / as, 0.0, 1.0) : 0.0;
    }
    Rgb blended{};
    switch (mode) {
    case BlendMode::hue:
        blended = set_luminosity(set_saturation(s, saturation(b)), luminosity(b));
        break;
    case BlendMode::saturation:
        blended = set_luminosity(set_saturation(b, saturation(s)), luminosity(b));
        break;
    case BlendMode::color: blended = set_luminosity(s, luminosity(b)); break;
    case BlendMode::luminosity: blended = set_luminosity(b, luminosity(s)); break;
    default:
        for (std::size_t c = 0; c < 3; ++c)
            blended[c] = channel_blend(mode, b[c], s[c]);
    }
    Texel result{};
    for (std::size_t c = 0; c < 3; ++c)
        result[c] = layer[c] * (1.0 - ab) + base[c] * (1.0 - as) + as * ab * blended[c];
    result[3] = as + ab - as * ab;
    return result;
}

/// Fa and Fb of Porter and Duff.
Texel composed(const Texel& base, const Texel& layer, double fa, double fb) {
    Texel result{};
    for (std::size_t c = 0; c < 4; ++c)
        result[c] = layer[c] * fa + base[c] * fb;
    return result;
}

/// The W3C's formula on colours that are not premultiplied, then premultiplied again:
/// co = cs (1 - ab) + cb (1 - as) + as ab B(Cb, Cs).
double separable_blend(BlendMode mode, double cb, double ab, double cs, double as) {
    const double base = ab > 0.0 ? cb / ab : 0.0;
    const double layer = as > 0.0 ? cs / as : 0.0;
    double blended = layer; // over
    if (mode == BlendMode::multiply) blended = base * layer;
    if (mode == BlendMode::screen) blended = base + layer - base * layer;
    if (mode == BlendMode::min) blended = std::min(base, layer);
    if (mode == BlendMode::max) blended = std::max(base, layer);
    if (mode == BlendMode::difference) blended = std::abs(base - layer);
    return cs * (1.0 - ab) + cb * (1.0 - as) + as * ab * blended;
}

Texel blended(BlendMode mode, const Texel& base, Texel layer, double coverage, double weight) {
    Texel result{};
    if (mode == BlendMode::mix) {
        for (std::size_t c = 0; c < 4; ++c)
            result[c] = base[c] + (layer[c] - base[c]) * weight * coverage;
        return result;
    }
    for (double& channel : layer)
        channel *= coverage;
    const double ab = base[3];
    const double as = layer[3];
    if (mode >= BlendMode::overlay && mode <= BlendMode::luminosity)
        return bounded_blend(mode, base, layer);
    if (mode == BlendMode::in) return composed(base, layer, ab, 0.0);
    if (mode == BlendMode::out) return composed(base, layer, 1.0 - ab, 0.0);
    if (mode == BlendMode::atop) return composed(base, layer, ab, 1.0 - as);
    if (mode == BlendMode::exclusive_or) return composed(base, layer, 1.0 - ab, 1.0 - as);
    if (mode == BlendMode::subtract) {
        for (std::size_t c = 0; c < 3; ++c) // as ab max(Cb - Cs, 0) and what is uncovered
            result[c] = std::max(base[c] - layer[c] * ab, 0.0) + layer[c] * (1.0 - ab);
        result[3] = as + ab - as * ab;
        return result;
    }
    for (std::size_t c = 0; c < 3; ++c)
        result[c] = mode == BlendMode::add
                        ? base[c] + layer[c]
                        : separable_blend(mode, base[c], base[3], layer[c], layer[3]);
    result[3] = mode == BlendMode::add ? std::min(base[3] + layer[3], 1.0)
                                       : base[3] + layer[3] - base[3] * layer[3];
    return result;
}

/// Noise with premultiplied alpha, fully opaque and fully clear texels among it.
HostImage premultiplied_noise(Format format, int width, int height, std::uint32_t seed) {
    const HostImage raw = reference::noise(Format::rgba32_sfloat, width, height, seed);
    HostImage image = make_image(format, raw.extent);
    for (std::uint32_t y = 0; y < raw.extent.height; ++y)
        for (std::uint32_t x = 0; x < raw.extent.width; ++x) {
            std::array<float, 4> texel = raw.texel(x, y);
            texel[3] = std::clamp(1.5f * texel[3] - 0.25f, 0.0f, 1.0f);
            for (std::size_t c = 0; c < 3; ++c)
                texel[c] *= texel[3];
            image.set_texel(texel, x, y);
        }
    return image;
}

Expected within(Picture value, double bound) {
    const int width = value.width;
    const int height = value.height;
    return {std::move(value), reference::blank(width, height, {bound, bound, bound, bound})};
}

TEST_F(ImageCompose, BlendModesMatchTheCompositingFormulas) {
    for (Format format : {Format::rgba8_unorm, Format::rgba32_sfloat}) {
        ImageChecks checks = begin();
        const HostImage base_image = premultiplied_noise(format, 37, 21, 1);
        const HostImage layer_image = premultiplied_noise(format, 37, 21, 2);
        const HostImage mask_image = reference::noise(Format::r8_unorm, 37, 21, 3);
        const Picture base = reference::picture_of(base_image);
        const Picture layer = reference::picture_of(layer_image);
        const Picture mask = reference::picture_of(mask_image);
        const Image base_in = checks.source(base_image);
        const Image layer_in = checks.source(layer_image);
        const Image mask_in = checks.source(mask_image);
        for (BlendMode mode : kModes)
            for (bool masked : {false, true}) {
                Picture expected = base;
                // What is not premultiplied has been divided by alpha, and burning divides by a
                // colour, too: each may be as small as a tenth.
                const double rounding = mode < BlendMode::overlay ? 1e-6 : 1e-5;
                for (std::size_t i = 0; i < expected.texels.size(); ++i) {
                    const double coverage = 0.75 * (masked ? mask.texels[i][0] : 1.0);
                    expected.texels[i] =
                        blended(mode, base.texels[i], layer.texels[i], coverage, 0.4);
                }
                checks.expect(checks.graph()
                                  .add(passes::Blend{.base = base_in,
                                                     .layer = layer_in,
                                                     .mask = masked ? mask_in : Image{},
                                                     .mode = mode,
                                                     .opacity = 0.75f,
                                                     .weight = 0.4f})
                                  .result,
                              within(std::move(expected), rounding),
                              fmt::format("{} mode {} masked {}", info(format).name,
                                          static_cast<int>(mode), masked));
            }
        run_checks(std::move(checks));
    }
}

TEST_F(ImageCompose, BlendOfNothingKeepsTheBase) {
    const HostImage base = premultiplied_noise(Format::rgba32_sfloat, 19, 7, 1);
    ImageChecks checks = begin();
    const Image base_in = checks.source(base);
    const Image layer_in = checks.source(premultiplied_noise(Format::rgba32_sfloat, 19, 7, 2));
    for (BlendMode mode : kModes) {
        if (mode == BlendMode::in || mode == BlendMode::out) continue; // nothing, of nothing
        checks.expect_exact(
            checks.graph()
                .add(passes::Blend{
                    .base = base_in, .layer = layer_in, .mode = mode, .opacity = 0.0f})
                .result,
            reference::picture_of(base), fmt::format("mode {}", static_cast<int>(mode)));
    }
    run_checks(std::move(checks));
}

double srgb(double linear) {
    return linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1.0 / 2.4) - 0.055;
}

Texel toned(ToneCurve curve, OutputEncoding encoding, double exposure, double white,
            const Texel& texel) {
    std::array<double, 3> rgb{};
    for (std::size_t c = 0; c < 3; ++c)
        rgb[c] = std::clamp(texel[c] * std::exp2(exposure), 0.0, 65504.0);
    const double l = 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
    if (curve == ToneCurve::reinhard)
        for (double& c : rgb)
            c = c / (1.0 + l);
    if (curve == ToneCurve::reinhard_extended)
        for (double& c : rgb)
            c = c * (1.0 + l / (white * white)) / (1.0 + l);
    if (curve == ToneCurve::aces) {
        constexpr double kIn[3][3] = {
            {0.59719, 0.35458, 0.04823}, {0.07600, 0.90834, 0.01566}, {0.02840, 0.13383, 0.83777}};
        constexpr double kOut[3][3] = {{1.60475, -0.53108, -0.07367},
                                       {-0.10208, 1.10813, -0.00605},
                                       {-0.00327, -0.07276, 1.07602}};
        std::array<double, 3> v{};
        for (std::size_t r = 0; r < 3; ++r) {
            const double x = kIn[r][0] * rgb[0] + kIn[r][1] * rgb[1] + kIn[r][2] * rgb[2];
            v[r] =
                (x * (x + 0.0245786) - 0.000090537) / (x * (0.983729 * x + 0.4329510) + 0.238081);
        }
        for (std::size_t r = 0; r < 3; ++r)
            rgb[r] = kOut[r][0] * v[0] + kOut[r][1] * v[1] + kOut[r][2] * v[2];
    }
    Texel result{0, 0, 0, std::clamp(texel[3], 0.0, 1.0)};
    for (std::size_t c = 0; c < 3; ++c) {
        const double limited = std::clamp(rgb[c], 0.0, 1.0);
        result[c] = encoding == OutputEncoding::srgb ? srgb(limited) : limited;
    }
    return result;
}

TEST_F(ImageCompose, ToneCurvesMatchTheirFormulas) {
    ImageChecks checks = begin();
    const HostImage image = reference::noise(Format::rgba32_sfloat, 45, 23, 5, -0.5, 8.0);
    const Image source = checks.source(image);
    const Picture picture = reference::picture_of(image);
    for (ToneCurve curve :
         {ToneCurve::none, ToneCurve::reinhard, ToneCurve::reinhard_extended, ToneCurve::aces})
        for (OutputEncoding encoding : {OutputEncoding::srgb, OutputEncoding::linear})
            for (passes::OutputFormat format :
                 {passes::OutputFormat::rgba8_unorm, passes::OutputFormat::rgba32_sfloat}) {
                const Picture expected = reference::map(picture, [&](const Texel& texel) {
                    return toned(curve, encoding, -1.5, 3.0, texel);
                });
                checks.expect(checks.graph()
                                  .add(passes::Tonemap{.source = source,
                                                       .exposure = -1.5f,
                                                       .curve = curve,
                                                       .white = 3.0f,
                                                       .encoding = encoding,
                                                       .format = format})
                                  .result,
                              within(expected, 2e-5), // pow is good to some 16 bits
                              fmt::format("curve {} encoding {}", static_cast<int>(curve),
                                          static_cast<int>(encoding)));
            }
    run_checks(std::move(checks));
}

TEST_F(ImageCompose, TonemapTurnsNanAndInfinityIntoFiniteColours) {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    HostImage image = make_image(Format::rgba32_sfloat, {3, 1});
    image.set_texel({kNan, 0.25f, kNan, 1.0f}, 0, 0);
    image.set_texel({kInfinity, kInfinity, kInfinity, 1.0f}, 1, 0);
    image.set_texel({-kInfinity, -1.0f, -0.0f, kNan}, 2, 0);
    ImageChecks checks = begin();
    const Image source = checks.source(image);
    for (ToneCurve curve :
         {ToneCurve::none, ToneCurve::reinhard, ToneCurve::reinhard_extended, ToneCurve::aces}) {
        Picture expected = reference::blank(3, 1);
        const Texel clean[] = {{0, 0.25, 0, 1}, {65504, 65504, 65504, 1}, {0, 0, 0, 0}};
        for (int x = 0; x < 3; ++x)
            expected.at(x, 0) = toned(curve, OutputEncoding::linear, 0.0, 4.0, clean[x]);
        checks.expect(checks.graph()
                          .add(passes::Tonemap{.source = source,
                                               .curve = curve,
                                               .white = 4.0f,
                                               .encoding = OutputEncoding::linear,
                                               .format = passes::OutputFormat::rgba32_sfloat})
                          .result,
                      within(expected, 1e-5), fmt::format("curve {}", static_cast<int>(curve)));
    }
    run_checks(std::move(checks));
}

TEST_F(ImageCompose, DitheringKeepsTheMeanAndWhatEightBitsHold) {
    ImageChecks checks = begin();
    const double between = 100.25 / 255.0;
    const HostImage steady =
        reference::constant(Format::rgba32_sfloat, 64, 64, {100.0 / 255.0, 0.0, 1.0, 1.0});
    const HostImage gradual =
        reference::constant(Format::rgba32_sfloat, 64, 64, {between, between, between, 1.0});
    const passes::Tonemap dithered{
        .curve = ToneCurve::none, .encoding = OutputEncoding::linear, .dither = true};
    passes::Tonemap a = dithered;
    a.source = checks.source(steady);
    checks.keep(checks.graph().add(a).result, "steady");
    passes::Tonemap b = dithered;
    b.source = checks.source(gradual);
    checks.keep(checks.graph().add(b).result, "gradual");
    const auto pictures = run_checks(std::move(checks));
    ASSERT_EQ(pictures.size(), 2u);
    double sum = 0.0;
    for (std::uint32_t y = 0; y < 64; ++y)
        for (std::uint32_t x = 0; x < 64; ++x) {
            const auto kept = pictures.at("steady").texel(x, y);
            EXPECT_NEAR(kept[0] * 255.0f, 100.0f, 1e-3f);
            EXPECT_EQ(kept[1], 0.0f);
            EXPECT_EQ(kept[2], 1.0f);
            sum += pictures.at("gradual").texel(x, y)[1];
        }
    // 4096 values of variance 3/16 in steps: the mean's deviation is 0.007 steps.
    EXPECT_NEAR(sum / 4096.0 * 255.0, 100.25, 0.03);
}

TEST_F(ImageCompose, CroppingAndResizingByWholeFactorsWithNearestAreExact) {
    const HostImage image = reference::noise(Format::rgba8_unorm, 13, 9, 4);
    const Picture picture = reference::picture_of(image);
    Picture doubled = reference::blank(26, 18);
    for (int y = 0; y < 18; ++y)
        for (int x = 0; x < 26; ++x)
            doubled.at(x, y) = picture.at(x / 2, y / 2);
    ImageChecks checks = begin();
    const Image source = checks.source(image);
    checks.expect_exact(
        checks.graph().add(passes::Resize{.source = source, .width = 13, .height = 9}).result,
        picture, "same size");
    checks.expect_exact(checks.graph()
                            .add(passes::Resize{.source = source,
                                                .width = 26,
                                                .filter = passes::ResizeFilter::nearest})
                            .result,
                        doubled, "doubled");
    Picture cropped = reference::blank(6, 7);
    for (int y = 0; y < 7; ++y)
        for (int x = 0; x < 6; ++x)
            cropped.at(x, y) = picture.at(x + 5, y + 2);
    checks.expect_exact(
        checks.graph()
            .add(passes::Crop{.source = source, .region = {0.4f, 0.2f, 0.85f, 1.0f}})
            .result,
        cropped, "cropped");
    run_checks(std::move(checks));
}

TEST_F(ImageCompose, LinearHalvingTakesTheMeanOfFour) {
    const HostImage image = reference::noise(Format::rgba16_sfloat, 24, 16, 4);
    const Picture picture = reference::picture_of(image);
    Picture halved = reference::blank(12, 8);
    for (int y = 0; y < 8; ++y)
        for (int x = 0; x < 12; ++x)
            for (std::size_t c = 0; c < 4; ++c)
                halved.at(x, y)[c] =
                    (picture.at(2 * x, 2 * y)[c] + picture.at(2 * x + 1, 2 * y)[c] +
                     picture.at(2 * x, 2 * y + 1)[c] + picture.at(2 * x + 1, 2 * y + 1)[c]) /
                    4.0;
    ImageChecks checks = begin();
    checks.expect(
        checks.graph().add(passes::Resize{.source = checks.source(image), .height = 8}).result,
        within(halved, 1.0 / 256.0), // filter weights may have as few as 8 bits
        "halved");
    run_checks(std::move(checks));
}

/// The mean of `source` over a rectangle that may cut texels.
Texel mean_over(const Picture& source, double left, double top, double right, double bottom) {
    Texel sum{};
    for (int y = 0; y < source.height; ++y)
        for (int x = 0; x < source.width; ++x) {
            const double width = std::min(right, x + 1.0) - std::max(left, double(x));
            const double height = std::min(bottom, y + 1.0) - std::max(top, double(y));
            if (width <= 0.0 || height <= 0.0) continue;
            for (std::size_t c = 0; c < 4; ++c)
                sum[c] += source.at(x, y)[c] * width * height;
        }
    for (double& value : sum)
        value /= (right - left) * (bottom - top);
    return sum;
}

TEST_F(ImageCompose, ResizingByAreaTakesTheMeanOfAllThatATexelCovers) {
    const HostImage image = reference::noise(Format::rgba32_sfloat, 29, 23, 4, -1.0, 2.0);
    const Picture picture = reference::picture_of(image);
    ImageChecks checks = begin();
    const Image source = checks.source(image);
    for (const auto& [width, height] :
         {std::pair(1, 1), {29, 23}, {7, 5}, {28, 3}, {14, 46}, {100, 71}}) {
        Picture expected = reference::blank(width, height);
        const double x_scale = 29.0 / width;
        const double y_scale = 23.0 / height;
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x)
                expected.at(x, y) = mean_over(picture, x * x_scale, y * y_scale, (x + 1) * x_scale,
                                              (y + 1) * y_scale);
        checks.expect(checks.graph()
                          .add(passes::Resize{.source = source,
                                              .width = width,
                                              .height = height,
                                              .filter = passes::ResizeFilter::area})
                          .result,
                      // Corners are off by some units in the last place of their coordinates.
                      within(expected, 3e-5), fmt::format("{} x {}", width, height));
    }
    run_checks(std::move(checks));
}

TEST_F(ImageCompose, ContactSheetPlacesPicturesInTheirCells) {
    const HostImage first = reference::noise(Format::rgba8_unorm, 12, 8, 1);
    const HostImage second = reference::noise(Format::rgba8_unorm, 12, 8, 2);
    const HostImage tall = reference::constant(Format::rgba32_sfloat, 4, 8, {1, 0, 0, 1});
    ImageChecks checks = begin();
    const Image sheet =
        checks.graph()
            .add(passes::ContactSheet{
                .pictures = {checks.source(first), checks.source(second), checks.source(tall)},
                .columns = 2,
                .gap = 3,
                .background = {0, 0, 1, 1}})
            .result;
    Picture expected = reference::blank(3 + 2 * 15, 3 + 2 * 11, {0, 0, 1, 1});
    for (int y = 0; y < 8; ++y)
        for (int x = 0; x < 12; ++x) {
            expected.at(3 + x, 3 + y) = reference::picture_of(first).at(x, y);
            expected.at(18 + x, 3 + y) = reference::picture_of(second).at(x, y);
            // 4x8 in a cell of 12x8: as high as the cell, in the middle.
            if (x >= 4 && x < 8) expected.at(3 + x, 14 + y) = {1, 0, 0, 1};
        }
    checks.expect_exact(sheet, std::move(expected), "sheet");
    run_checks(std::move(checks));
}

TEST_F(ImageCompose, CaptionsStandBelowTheirPictures) {
    constexpr float kText = 10.0f;
    const HostImage picture = reference::noise(Format::rgba8_unorm, 60, 8, 1);
    ImageChecks checks = begin();
    const Image sheet =
        checks.graph()
            .add(passes::ContactSheet{.pictures = {checks.source(picture), checks.source(picture)},
                                      .columns = 1,
                                      .gap = 3,
                                      .background = {1, 1, 1, 1},
                                      .captions = {"", "a bird"},
                                      .text = kText})
            .result;
    // Two cells of 60 x 8 with a strip of 16 below each.
    Picture expected = reference::blank(66, 3 + 2 * (8 + 16 + 3), {1, 1, 1, 1});
    passes::Canvas strip(60, 16, glm::vec4(1.0f));
    passes::draw_text(strip, "a bird", kText, {30.0f, 8.0f + 0.5f * passes::capital_height(kText)},
                      {0.1f, 0.1f, 0.1f, 1.0f}, passes::TextAnchor::middle);
    HostImage letters = reference::constant(Format::rgba8_unorm, 60, 16, {});
    std::ranges::copy(std::as_bytes(std::span(strip.texels)), letters.texels.begin());
    const Picture above = reference::picture_of(picture);
    const Picture below = reference::picture_of(letters);
    for (int y = 0; y < 16; ++y)
        for (int x = 0; x < 60; ++x) {
            if (y < 8) expected.at(3 + x, 3 + y) = expected.at(3 + x, 30 + y) = above.at(x, y);
            expected.at(3 + x, 38 + y) = below.at(x, y);
        }
    checks.expect_exact(sheet, std::move(expected), "captions");
    run_checks(std::move(checks));
}

} // namespace
} // namespace tuff
