#include "passes/image/bloom.hpp"
#include "passes/image/blur.hpp"
#include "passes/image/denoise.hpp"
#include "tests/gpu/image/image_checks.hpp"
#include "tests/reference/image_reference.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

/// Filters that reach far, against double precision: blurs of any width, bloom, and the denoiser.
namespace tuff {
namespace {

using passes::Border;
using reference::Expected;
using reference::Picture;
using reference::Texel;

using SpreadFilters = ImageTest;

constexpr std::array<std::array<int, 2>, 4> kSizes{{{1, 1}, {7, 40}, {64, 48}, {301, 141}}};

Expected within(Picture value, double bound) {
    const int width = value.width;
    const int height = value.height;
    return {std::move(value), reference::blank(width, height, {bound, bound, bound, bound})};
}

Texel operator+(Texel a, const Texel& b) {
    for (std::size_t c = 0; c < 4; ++c)
        a[c] += b[c];
    return a;
}
Texel operator*(double f, Texel a) {
    for (double& channel : a)
        channel *= f;
    return a;
}

/// The convolution with a sampled Gaussian that reaches 6 sigma, line by line, then column by
/// column, with the border's texels; alpha kept or not.
Picture gaussian(const Picture& source, double sigma, Border border, bool keep_alpha) {
    const int radius = static_cast<int>(std::ceil(6.0 * sigma));
    std::vector<double> weights(static_cast<std::size_t>(radius) + 1);
    double sum = 0.0;
    for (int i = 0; i <= radius; ++i) {
        weights[static_cast<std::size_t>(i)] = std::exp(-0.5 * i * i / (sigma * sigma));
        sum += (i == 0 ? 1.0 : 2.0) * weights[static_cast<std::size_t>(i)];
    }
    const auto filtered = [&](const Picture& from, bool across) {
        Picture to = reference::blank(from.width, from.height);
        for (int y = 0; y < from.height; ++y)
            for (int x = 0; x < from.width; ++x)
                for (int i = -radius; i <= radius; ++i) {
                    const double weight = weights[static_cast<std::size_t>(std::abs(i))] / sum;
                    const Texel texel = across ? reference::with_border(from, x + i, y, border)
                                               : reference::with_border(from, x, y + i, border);
                    to.at(x, y) = to.at(x, y) + weight * texel;
                }
        return to;
    };
    Picture result = filtered(filtered(source, true), false);
    for (std::size_t i = 0; i < result.texels.size() && keep_alpha; ++i)
        result.texels[i][3] = source.texels[i][3];
    return result;
}

/// Black and white with a hard edge in both directions, and noise on one side.
HostImage edges(Format format, int width, int height) {
    HostImage image = reference::noise(format, width, height, 5);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            if (x > width / 3 || y > height / 2) {
                const float value = x > width / 3 && y > height / 2 ? 1.0f : 0.0f;
                image.set_texel({value, 1.0f - value, 0.5f, value}, static_cast<std::uint32_t>(x),
                                static_cast<std::uint32_t>(y));
            }
    return image;
}

TEST_F(SpreadFilters, BlursOfEveryWidthAreGaussian) {
    for (const double sigma : {0.4, 1.0, 3.9, 4.0, 5.3, 8.0, 13.0, 40.0}) {
        ImageChecks checks = begin();
        for (auto [width, height] : kSizes) {
            const HostImage image = edges(Format::rgba32_sfloat, width, height);
            const Image source = checks.source(image);
            const Picture picture = reference::picture_of(image);
            for (const Border border : {Border::clamp, Border::zero, Border::mirror}) {
                if (width > 200 && border == Border::mirror && sigma > 10.0) continue; // slow here
                const bool keeps = border != Border::clamp;
                const Image result =
                    checks.graph()
                        .add(passes::Blur{.source = source,
                                          .sigma = static_cast<float>(sigma),
                                          .border = border,
                                          .alpha = keeps ? passes::AlphaUse::keep
                                                         : passes::AlphaUse::filter})
                        .result;
                // The window of 4 sigma lacks 6e-5 of the light.
                checks.expect(
                    result,
                    within(gaussian(picture, sigma, border, keeps), sigma < 4.0 ? 2e-4 : 2e-3),
                    fmt::format("sigma {} {}x{} border {}", sigma, width, height,
                                static_cast<int>(border)));
            }
        }
        run_checks(std::move(checks));
    }
}

TEST_F(SpreadFilters, TheWidestBlurOfAConstantIsItself) {
    ImageChecks checks = begin();
    const HostImage image =
        reference::constant(Format::rgba32_sfloat, 33, 20, {0.25, 0.5, 1, 0.75});
    const Image source = checks.source(image);
    for (const float sigma : {300.0f, 4096.0f})
        checks.expect(checks.graph().add(passes::Blur{.source = source, .sigma = sigma}).result,
                      within(reference::picture_of(image), 1e-5), fmt::format("sigma {}", sigma));
    run_checks(std::move(checks));
}

/// The light of a texel: see passes/image/bloom.cpp.
Texel light_of(const Texel& color, double threshold, double knee) {
    Texel result{};
    for (std::size_t c = 0; c < 3; ++c) {
        if (!std::isfinite(color[c])) return {};
        result[c] = std::clamp(color[c], 0.0, 65504.0);
    }
    const double most = std::max({result[0], result[1], result[2]});
    double over = most - threshold;
    if (std::abs(over) < knee) over = (over + knee) * (over + knee) / (4.0 * knee);
    if (over <= 0.0 || most <= 0.0) return {};
    const double share = std::min(over / most, 1.0);
    return {share * result[0], share * result[1], share * result[2], 0.0};
}

const Texel& clamped(const Picture& picture, int x, int y) {
    return picture.at(std::clamp(x, 0, picture.width - 1), std::clamp(y, 0, picture.height - 1));
}

Picture halved(const Picture& from) {
    constexpr std::array kWeights = {0.125, 0.375, 0.375, 0.125};
    Picture to = reference::blank((from.width + 1) / 2, (from.height + 1) / 2);
    for (int y = 0; y < to.height; ++y)
        for (int x = 0; x < to.width; ++x)
            for (int j = 0; j < 4; ++j)
                for (int i = 0; i < 4; ++i)
                    to.at(x, y) = to.at(x, y) + kWeights[static_cast<std::size_t>(i)] *
                                                    kWeights[static_cast<std::size_t>(j)] *
                                                    clamped(from, 2 * x - 1 + i, 2 * y - 1 + j);
    return to;
}

/// Linear between the middles of texels of half the size, at the size of `like`.
Picture doubled(const Picture& from, const Picture& like) {
    Picture to = reference::blank(like.width, like.height);
    for (int y = 0; y < to.height; ++y)
        for (int x = 0; x < to.width; ++x) {
            const double u = (x + 0.5) / 2.0 - 0.5;
            const double v = (y + 0.5) / 2.0 - 0.5;
            const int left = static_cast<int>(std::floor(u));
            const int top = static_cast<int>(std::floor(v));
            for (int j = 0; j < 2; ++j)
                for (int i = 0; i < 2; ++i) {
                    const double across = i == 0 ? left + 1 - u : u - left;
                    const double down = j == 0 ? top + 1 - v : v - top;
                    to.at(x, y) = to.at(x, y) + across * down * clamped(from, left + i, top + j);
                }
        }
    return to;
}

Picture bloomed(const Picture& source, const passes::Bloom& pass) {
    std::vector<Picture> lights;
    Picture bright = reference::map(source, [&](const Texel& texel) {
        return light_of(texel, pass.threshold, double{pass.threshold} * pass.knee);
    });
    lights.push_back(halved(bright));
    while (static_cast<int>(lights.size()) < pass.levels &&
           (lights.back().width > 1 || lights.back().height > 1))
        lights.push_back(halved(lights.back()));
    Picture sum = lights.back();
    for (std::size_t level = lights.size() - 1; level-- > 0;) {
        Picture wide = doubled(sum, lights[level]);
        for (std::size_t i = 0; i < wide.texels.size(); ++i)
            wide.texels[i] = (1.0 - pass.spread) * lights[level].texels[i] +
                             double{pass.spread} * wide.texels[i];
        sum = std::move(wide);
    }
    Picture result = doubled(sum, source);
    for (std::size_t i = 0; i < result.texels.size(); ++i) {
        for (std::size_t c = 0; c < 3; ++c) {
            result.texels[i][c] *= double{pass.intensity} * pass.tint[static_cast<int>(c)];
            if (pass.shown == passes::BloomShown::sum) result.texels[i][c] += source.texels[i][c];
        }
        result.texels[i][3] = source.texels[i][3];
    }
    return result;
}

TEST_F(SpreadFilters, BloomIsThatOfTheReference) {
    ImageChecks checks = begin();
    std::uint32_t seed = 7;
    for (auto [width, height] : kSizes) {
        const HostImage image =
            reference::noise(Format::rgba32_sfloat, width, height, ++seed, -0.5, 4.0);
        const Picture picture = reference::picture_of(image);
        const Image source = checks.source(image);
        for (passes::Bloom pass :
             {passes::Bloom{}, passes::Bloom{.threshold = 0.0f, .spread = 1.0f, .levels = 3},
              passes::Bloom{.threshold = 2.0f, .knee = 0.0f, .intensity = 3.0f, .levels = 1},
              passes::Bloom{.knee = 1.0f,
              .levels = 12,
              .tint = {1.0f, 0.5f, 0.0f},
              .shown = passes::BloomShown::light}}) {
            pass.source = source;
            const Picture expected = bloomed(picture, pass);
            // Light is kept as halves: a step of 2^-11 at each level.
            checks.expect(checks.graph().add(pass).result,
                          within(expected, 2e-3 * 4.0 * std::max(1.0f, pass.intensity)),
                          fmt::format("{}x{} levels {} threshold {}", width, height, pass.levels,
                                      pass.threshold));
        }
    }
    run_checks(std::move(checks));
}

TEST_F(SpreadFilters, TexelsThatAreNotFiniteGiveNoBloom) {
    HostImage image = reference::constant(Format::rgba32_sfloat, 40, 40, {0.5, 0.5, 0.5, 1});
    image.set_texel({std::numeric_limits<float>::quiet_NaN(), 9, 9, 1}, 20, 20);
    image.set_texel({std::numeric_limits<float>::infinity(), 9, 9, 1}, 5, 5);
    ImageChecks checks = begin();
    checks.keep(checks.graph().add(passes::Bloom{.source = checks.source(image)}).result, "glow");
    const auto results = run_checks(std::move(checks));
    int not_finite = 0;
    for (std::uint32_t y = 0; y < 40; ++y)
        for (std::uint32_t x = 0; x < 40; ++x) {
            const float red = results.at("glow").texel(x, y)[0];
            if (std::isfinite(red))
                EXPECT_EQ(red, 0.5f);
            else
                ++not_finite;
        }
    EXPECT_EQ(not_finite, 2) << "those of the picture itself";
}

TEST_F(SpreadFilters, BloomKeepsTheLightOfABrightPicture) {
    ImageChecks checks = begin();
    const HostImage image = reference::constant(Format::rgba32_sfloat, 61, 37, {3, 2, 1, 1});
    const Image source = checks.source(image);
    checks.expect(
        checks.graph().add(passes::Bloom{.source = source, .knee = 0.0f, .intensity = 0.5f}).result,
        // (3 - 1) / 3 of it is light.
        within(reference::picture_of(reference::constant(Format::rgba32_sfloat, 61, 37,
                                                         {4, 2 + 2.0 / 3, 1 + 1.0 / 3, 1})),
               4e-3),
        "constant");
    run_checks(std::move(checks));
}

/// The rounds of the denoiser in double precision.
Picture denoised(Picture picture, const Picture* albedo, const Picture* normal,
                 const passes::Denoise& pass) {
    constexpr std::array kWeights = {6.0 / 16, 4.0 / 16, 1.0 / 16};
    const auto square = [](const Texel& a, const Texel& b) {
        double sum = 0.0;
        for (std::size_t c = 0; c < 3; ++c)
            sum += (a[c] - b[c]) * (a[c] - b[c]);
        return sum;
    };
    const auto finite = [](const Texel& t) {
        return std::isfinite(t[0]) && std::isfinite(t[1]) && std::isfinite(t[2]);
    };
    const auto scaled = [&](bool multiply) {
        for (std::size_t i = 0; i < picture.texels.size() && albedo; ++i)
            for (std::size_t c = 0; c < 3; ++c) {
                const double by = std::max(albedo->texels[i][c], 1e-3);
                picture.texels[i][c] *= multiply ? by : 1.0 / by;
            }
    };
    scaled(false);
    for (int round = 0; round < pass.rounds; ++round) {
        const double sigma = pass.color / std::exp2(round);
        Picture next = picture;
        for (int y = 0; y < picture.height; ++y)
            for (int x = 0; x < picture.width; ++x) {
                Texel sum{};
                double weights = 0.0;
                for (int j = -2; j <= 2; ++j)
                    for (int i = -2; i <= 2; ++i) {
                        const int u = x + i * (1 << round);
                        const int v = y + j * (1 << round);
                        if (u < 0 || v < 0 || u >= picture.width || v >= picture.height) continue;
                        const Texel& other = picture.at(u, v);
                        if (!finite(other)) continue;
                        double d = finite(picture.at(x, y))
                                       ? square(other, picture.at(x, y)) / (sigma * sigma)
                                       : 0.0;
                        if (albedo)
                            d += square(albedo->at(u, v), albedo->at(x, y)) /
                                 (double{pass.surface} * pass.surface);
                        if (normal)
                            d += square(normal->at(u, v), normal->at(x, y)) /
                                 (double{pass.direction} * pass.direction);
                        const double weight = kWeights[static_cast<std::size_t>(std::abs(i))] *
                                              kWeights[static_cast<std::size_t>(std::abs(j))] *
                                              std::exp(-d);
                        sum = sum + weight * other;
                        weights += weight;
                    }
                for (std::size_t c = 0; c < 3; ++c)
                    next.at(x, y)[c] = weights > 0.0 ? sum[c] / weights : 0.0;
            }
        picture = std::move(next);
    }
    scaled(true);
    return picture;
}

TEST_F(SpreadFilters, DenoisingIsThatOfTheReference) {
    for (auto [width, height] : kSizes) {
        ImageChecks checks = begin();
        HostImage image = reference::noise(Format::rgba32_sfloat, width, height, 11, 0.0, 2.0);
        if (width > 20) {
            image.set_texel({std::numeric_limits<float>::quiet_NaN(), 0, 0, 1}, 9, 9);
            image.set_texel({0, std::numeric_limits<float>::infinity(), 0, 1}, 30, 12);
        }
        const HostImage albedo = edges(Format::rgba8_unorm, width, height);
        const HostImage normal = reference::noise(Format::rgba16_sfloat, width, height, 12, -1, 1);
        const Picture picture = reference::picture_of(image);
        const Picture albedos = reference::picture_of(albedo);
        const Picture normals = reference::picture_of(normal);
        const Image source = checks.source(image);
        const Image albedo_in = checks.source(albedo);
        const Image normal_in = checks.source(normal);
        for (const bool guided : {false, true})
            for (const int rounds : {1, 2, 5}) {
                const passes::Denoise pass{.source = source,
                                           .albedo = guided ? albedo_in : Image{},
                                           .normal = guided ? normal_in : Image{},
                                           .rounds = rounds,
                                           .color = 1.5f,
                                           .direction = 0.8f};
                checks.expect(
                    checks.graph().add(pass).result,
                    within(denoised(picture, guided ? &albedos : nullptr,
                                    guided ? &normals : nullptr, pass),
                           // Light is divided by an albedo down to 1e-3 in between.
                           guided ? 2e-3 : 2e-5),
                    fmt::format("{}x{} rounds {} guided {}", width, height, rounds, guided));
            }
        run_checks(std::move(checks));
    }
}

} // namespace
} // namespace tuff
